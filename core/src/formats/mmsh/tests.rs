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

/// The warnings about a file, each of which is about all of the field that it names.
fn warnings(bytes: Vec<u8>) -> Vec<String> {
    let inspection = inspect(&bytes.into(), "a.mesh", &Task::new());
    let tree = &inspection.tree;
    for warning in inspection.warnings.kept() {
        let place = tree.locate(warning.offset).unwrap();
        assert_eq!(tree.path(place), warning.field);
        assert_eq!(tree.range(place), warning.offset..warning.offset + warning.len, "{warning}");
    }
    inspection.warnings.lines().collect()
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
    assert!(group.values(format, Semantic::Uv, 1).is_none());
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
    let arena = descriptor + Descriptor::LAYOUT.size + 2 * 4 + 3 * 16;
    // A group more is described, and everything behind it lies elsewhere.
    assert!(broken(descriptor + 0x10, 3).contains("descriptor.lods"));
    assert!(broken(arena + 12, 1).contains(": 2 groups, the arenas have 1"));
}

#[test]
fn a_group_that_does_not_fit_into_its_arena_is_told_at_its_field() {
    let arena = 20 + SizesHeader::LAYOUT.size + 3 * 8 + 12 + Descriptor::LAYOUT.size + 2 * 4 + 3 * 16;
    let groups = arena + 48;
    for (at, value, blamed, told) in [
        (
            arena,
            1,
            groups + 40,
            "groups[1].vertex_offset: vertices at byte 108 of 1, those before begin at 0",
        ),
        (groups, 300, groups, "groups[0].vertex_offset: vertices at byte 300 of 216 in arena 0"),
        (
            groups + 8,
            4,
            groups + 8,
            "groups[0].vertex_count: 4 vertices take 144 bytes, up to the next group there are 108",
        ),
        (groups + 16, 99, groups + 16, "groups[0].index_count: indices 0 to 99 of 6 in arena 0"),
        (groups + 12, 4, groups + 16, "groups[0].index_count: indices 4 to 7 of 6 in arena 0"),
        (groups + 24, 9, groups + 24, "groups[0].palette_count: bytes 0 to 9 of 3 in arena 0"),
        (groups + 36, 7, groups + 36, "groups[0].format: format 7 of 2"),
    ] {
        let mut bytes = sample();
        bytes[at..at + 4].copy_from_slice(&u32::to_le_bytes(value));
        let error = read_bytes(&bytes).unwrap_err().to_string();
        let (field, text) = told.split_once(": ").unwrap();
        assert_eq!(error, format!("descriptor.{field} at {blamed:#X}: {text}"));
    }
}

#[test]
fn a_format_of_more_attributes_than_any_card_takes_is_refused() {
    let mut mesh = write::sample();
    let last = *mesh.formats[1].attributes.last().unwrap();
    mesh.formats[1].attributes.resize(65, last);
    let error = read_bytes(&write(&mesh).unwrap()).unwrap_err().to_string();
    assert!(error.starts_with("descriptor.formats.formats[1].attribute_count at"), "{error}");
    assert!(error.ends_with("65 attributes, at most 64 are read"), "{error}");
}

#[test]
fn what_does_not_hold_is_told_at_its_field() {
    let mut mesh = write::sample();
    mesh.records[0].object = 9;
    mesh.records[1].arena = Some(4);
    mesh.lods[1].records = vec![7];
    mesh.bones[0].children = 3;
    mesh.bones[0].parent = Some(1);
    mesh.bones[1].children = 1;
    mesh.bones[1].rotation = [0.0; 4];
    mesh.arenas[0].triangles[0] = 1;
    mesh.groups[0].indices = [3u16, 1, 4].into_iter().flat_map(u16::to_le_bytes).collect();
    mesh.groups[0].palette = vec![2].into();
    let mut stream = mesh.groups[0].streams[0].data.to_vec();
    stream[16 + 10] = 254;
    mesh.groups[0].streams[0].data = stream.into();
    let told = warnings(write(&mesh).unwrap());
    let told: Vec<_> = told.iter().map(|line| line.split_once(" at 0x").unwrap()).collect();
    let expected = [
        ("descriptor.object_records[0].object", "object 9 of 2"),
        ("descriptor.object_records[1].arena", "arena 4 of 1"),
        ("descriptor.lods.records[1].value", "object record 7 of 3"),
        ("descriptor.bones.bones[0].parent", "hangs on bone 1, which is not before it"),
        ("descriptor.bones.bones[0].child_count", "3 bones are to hang on it, 1 do"),
        ("descriptor.bones.bones[1].rotation", "a rotation of the length 0"),
        ("buffers.indices[0].rows[0].index", "index 3 of 3 vertices, and 1 more like it in the group"),
        ("buffers.palettes[0].rows[0].bone", "bone 2 of 2"),
        ("buffers.vertices[0].stream[1].weights", "the weights add up to 254, not to 255"),
        ("descriptor.arenas[0].triangles", "1 triangles are stated at the finest step, 2 are there"),
    ];
    assert_eq!(told.len(), expected.len(), "{told:?}");
    for ((field, rest), (expected, text)) in told.into_iter().zip(expected) {
        assert_eq!((field, rest.split_once(": ").unwrap().1), (expected, text));
    }
}

#[test]
fn what_the_sections_say_of_each_other_is_told_at_its_field() {
    let sizes = 20 + SizesHeader::LAYOUT.size;
    let descriptor = sizes + 3 * 8 + 12;
    let lods = descriptor + Descriptor::LAYOUT.size + 2 * 4 + 3 * 16 + 48 + 2 * 40 + 4;
    for (at, value, told) in [
        (0x10, 9, "header.buffers_size at 0x10: the three sections have"),
        (sizes + 4, 7, "sizes.flags[1].value at 0x24: 7, the descriptor has 3"),
        (sizes + 3 * 4, 5, "sizes.arenas[0].value at 0x2C: 5, the descriptor has 0"),
        (sizes + 6 * 4, 5, "sizes.vertex_bytes[0].value at 0x38: 5, the descriptor has 216"),
        (descriptor + 0x28, 3, "descriptor.header.attribute_count at 0x6C: 3, expected 11"),
        (descriptor + 0x44, 3, "descriptor.header.bone_bytes at 0x88: 3, expected 80"),
        // The links of the last distance.
        (lods + 3 * 4 + 3 * 4 + 2 * 4, 0, "descriptor.lods.records[2].value at 0x150: 1 records"),
    ] {
        let mut bytes = sample();
        bytes[at..at + 4].copy_from_slice(&u32::to_le_bytes(value));
        let lines = warnings(bytes);
        assert!(matches!(&lines[..], [line] if line.starts_with(told)), "{told}: {lines:?}");
    }
}

#[test]
fn groups_that_share_their_indices_are_an_error() {
    let groups = 20 + SizesHeader::LAYOUT.size + 3 * 8 + 12 + Descriptor::LAYOUT.size + 2 * 4 + 3 * 16 + 48;
    let mut bytes = sample();
    for group in [0, 1] {
        let row = groups + 40 * group;
        bytes[row + 12..row + 20].copy_from_slice(&[0, 0, 0, 0, 6, 0, 0, 0]);
    }
    assert!(read_bytes(&bytes).unwrap_err().to_string().contains("[1].index_count"));
}
