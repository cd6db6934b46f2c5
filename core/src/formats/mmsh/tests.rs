use bytes::Bytes;

use super::*;
use crate::asset::{AttributeLayout, Semantic};
use crate::format::inspect;
use crate::parse::{Fact, Reader, Record as _, Tree};
use crate::task::Task;

fn read_bytes(bytes: &[u8]) -> Result<Mesh> {
    let (bytes, task) = (Bytes::copy_from_slice(bytes), Task::new());
    read(&mut Reader::new(&bytes, "a.mesh", &task))
}

fn warnings(bytes: Vec<u8>) -> Vec<String> {
    inspect(&bytes.into(), "a.mesh", &Task::new()).warnings.lines().collect()
}

#[test]
fn what_is_written_is_read() {
    let mesh = write::sample();
    let bytes = write(&mesh).unwrap();
    let read = read_bytes(&bytes).unwrap();
    assert_eq!(read, mesh);
    assert_eq!(write(&read).unwrap(), bytes);
    assert_eq!(warnings(bytes), [""; 0]);
}

#[test]
fn values_of_vertices_come_from_the_declaration_alone() {
    let mesh = read_bytes(&sample()).unwrap();
    let [first, second] = mesh.groups.as_slice() else { panic!() };
    let value = |group: &crate::asset::Group, semantic, channel, vertex| {
        group.values(&mesh.formats[group.format as usize], semantic, channel)?.get(vertex)
    };
    assert_eq!(value(first, Semantic::Position, 0, 2), Some([0.0, 10.0, 0.0, 1.0]));
    assert_eq!(value(second, Semantic::Position, 0, 1), Some([1.0, 0.0, 0.0, 1.0]));
    assert_eq!(value(first, Semantic::Uv, 1, 1), Some([1.0, 0.0, 0.0, 0.0]));
    assert_eq!(value(second, Semantic::Uv, 1, 1), None);
    assert_eq!(value(first, Semantic::Position, 0, 3), None);
    assert_eq!(first.triangles().collect::<Vec<_>>(), [[0, 1, 2]]);
    let weights = first.values(&mesh.formats[0], Semantic::Weights, 0).unwrap();
    let bytes: [u8; 4] = weights.bytes(1).unwrap().try_into().unwrap();
    assert_eq!(crate::asset::Weights(bytes).of_slots(), [255, 0, 0, 0]);
    let file = sample();
    let range = weights.range(1).unwrap();
    let own = &file[usize::try_from(range.start).unwrap()..usize::try_from(range.end).unwrap()];
    assert_eq!(own, bytes);
}

#[test]
fn an_attribute_of_an_unknown_type_hides_its_stream_and_no_other() {
    let mut mesh = write::sample();
    // The second coordinates of the first format: what lies behind them in the second stream is lost.
    mesh.formats[0].attributes[2].layout = AttributeLayout::Unknown(7);
    let read = read_bytes(&write(&mesh).unwrap()).unwrap();
    let format = &read.formats[0];
    assert_eq!(format.strides, [Some(16), None]);
    let group = &read.groups[0];
    assert_eq!((group.streams[1].stride, group.streams.clone()), (20, mesh.groups[0].streams.clone()));
    assert!(group.values(format, Semantic::Position, 0).is_some());
    assert!(group.values(format, Semantic::Uv, 0).is_some());
    assert!(group.values(format, Semantic::Uv, 1).unwrap().get(0).is_none());
    assert!(group.values(format, Semantic::Normal, 0).is_none());
}

#[test]
fn every_vertex_is_a_record_of_the_structure() {
    let bytes = Bytes::from(sample());
    let inspection = inspect(&bytes, "a.mesh", &Task::new());
    let tree: &Tree = &inspection.tree;
    let Ok(Some(Asset::Mesh(mesh))) = &inspection.asset else { panic!() };
    let offset = mesh.groups[0].streams[1].offset + 20;
    let place = tree.locate(offset + 4).unwrap();
    assert_eq!(tree.path(place), "buffers.vertices[0].stream[1].uv1");
    assert_eq!(tree.value(place, &bytes), "32767, 0");
    assert_eq!(tree.gaps(bytes.len() as u64), []);
}

#[test]
fn facts_tell_what_is_drawn_from_each_distance_on() {
    let inspection = inspect(&sample().into(), "a.mesh", &Task::new());
    let fact = |key: &str| inspection.facts.iter().find(|(known, _)| *known == key).unwrap().1.clone();
    assert_eq!([fact("records"), fact("formats")], [Fact::Integer(3), Fact::Integer(2)]);
    let lod = |distance: f64, records: &[u64], shadow: &[u64]| {
        let list =
            |numbers: &[u64]| Fact::List(numbers.iter().map(|number| Fact::Integer(*number)).collect());
        Fact::Map(vec![
            ("distance", Fact::Float(distance)),
            ("records", list(records)),
            ("shadow_records", list(shadow)),
        ])
    };
    assert_eq!(fact("lods"), Fact::List(vec![lod(5000.0, &[1], &[]), lod(0.0, &[0], &[0])]));
}

#[test]
fn sections_and_arenas_that_do_not_add_up_are_errors() {
    let broken = |at: usize, value: u32| {
        let mut bytes = sample();
        bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
        read_bytes(&bytes).map(|_| ()).unwrap_err().to_string()
    };
    assert!(broken(0x04, 16).contains("version 16, expected 17"));
    assert!(broken(0x14, 1).contains("sizes.header"), "the mark");
    assert!(broken(0x18, 4).contains("take"), "records");
    let descriptor = 20 + SizesHeader::LAYOUT.size + 3 * 8 + 12;
    let groups = broken(descriptor + 0x10, 3);
    assert!(groups.contains("descriptor") || groups.contains("groups"), "{groups}");
    let arena = descriptor + Descriptor::LAYOUT.size + 2 * 4 + 3 * 16;
    assert!(broken(arena, 1).contains("reaches past what the arena holds"));
    assert!(broken(arena + 48 + 8, 4).contains("vertices"));
}

#[test]
fn what_does_not_hold_is_told() {
    let mut mesh = write::sample();
    mesh.records[0].object = 9;
    mesh.lods[1].records = vec![7];
    mesh.bones[1].rotation = [0.0; 4];
    mesh.arenas[0].triangles[0] = 1;
    mesh.groups[0].indices = [0u16, 1, 3].into_iter().flat_map(u16::to_le_bytes).collect();
    mesh.groups[0].palette = vec![2].into();
    let mut stream = mesh.groups[0].streams[0].data.to_vec();
    stream[10] = 254;
    mesh.groups[0].streams[0].data = stream.into();
    let told = warnings(write(&mesh).unwrap()).join("\n");
    for words in [
        "object 9 of 2",
        "object record 7 of 3",
        "a rotation of the length 0",
        "1 triangles are stated at the finest step, 2 are there",
        "index 3 of 3 vertices",
        "bone 2 of 2",
        "the weights of 1 vertices do not add up to 255",
    ] {
        assert!(told.contains(words), "{words}: {told}");
    }
}
