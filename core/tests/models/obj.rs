//! OBJ files say what the model has at rest.

use std::sync::Arc;

use palimpsest_core::asset::ObjectRecord;
use palimpsest_core::export::{Dressed, Form, export_model};
use palimpsest_core::model::Model;
use palimpsest_core::task::Task;

use crate::{ARMOUR, BONES, SWORD, exported, model, rough, shipped};

/// The numbers of the lines that begin with a word.
fn numbers(text: &str, word: &str) -> Vec<Vec<f32>> {
    let lines = text.lines().filter_map(|line| line.strip_prefix(word)?.strip_prefix(' '));
    lines.map(|line| line.split(' ').map(|number| number.parse().unwrap()).collect()).collect()
}

/// The corners of the triangles: places, coordinates, normals.
fn faces(text: &str) -> Vec<[Option<usize>; 3]> {
    let corners = text.lines().filter_map(|line| line.strip_prefix("f ")).flat_map(|line| line.split(' '));
    let number = |text: &str| (!text.is_empty()).then(|| text.parse().unwrap());
    corners.map(|corner| corner.split('/').map(number).collect::<Vec<_>>().try_into().unwrap()).collect()
}

#[test]
fn a_shipped_mesh_is_whole_and_its_textures_are_turned_over() {
    let Some(files) = shipped(SWORD).zip(shipped(ARMOUR)) else { return };
    for model in [model(&[(SWORD, files.0)]), model(&[(ARMOUR, files.1)])] {
        let text = String::from_utf8(exported(&model, &[], Form::Obj).0).unwrap();
        assert!(text.starts_with("# Palimpsest\n# metres, Y up"), "{text:.100}");
        let (places, uvs, normals) = (numbers(&text, "v"), numbers(&text, "vt"), numbers(&text, "vn"));
        let vertices = &model.geometry.vertices;
        assert_eq!([places.len(), uvs.len(), normals.len()], [vertices.len(); 3]);
        for (vertex, (place, uv)) in vertices.iter().zip(places.iter().zip(uvs)) {
            let [x, y, z] = vertex.position.map(|value| value * 0.01);
            assert_eq!(*place, [-x, y, z]);
            assert_eq!(uv, [vertex.uvs[0][0], 1.0 - vertex.uvs[0][1]]);
        }
        // Mirror images of triangles, the other way round.
        let triangles = model.geometry.indices.as_chunks::<3>().0.iter();
        let corners = triangles.flat_map(|[a, b, c]| [a, c, b]).map(|at| Some(*at as usize + 1));
        assert!(faces(&text).iter().map(|corner| corner[0]).eq(corners));
        assert!(faces(&text).iter().all(|[place, uv, normal]| place == uv && place == normal));
        let objects = text.lines().filter(|line| line.starts_with("o ")).count();
        let drawn = model.mesh.unwrap().records.iter().filter(|record| record.arena.is_some()).count();
        assert_eq!(objects, drawn);
    }
}

#[test]
fn groups_without_coordinates_count_none() {
    let model = rough::model();
    let text = String::from_utf8(exported(&model, &[], Form::Obj).0).unwrap();
    assert_eq!(numbers(&text, "v").len(), 3);
    assert!(numbers(&text, "v").iter().flatten().all(|value| value.is_finite()));
    assert_eq!(faces(&text), [1, 3, 2].map(|at| [Some(at); 3]));
}

#[test]
fn what_several_objects_draw_is_written_once() {
    let mut mesh = rough::mesh();
    let record = mesh.records[0];
    mesh.records.extend([ObjectRecord { object: 1, ..record }; 40]);
    mesh.lods[1].records.extend(4..44);
    let model = Model::new(Some(Arc::new(mesh)), None, &Task::new()).unwrap();
    let (once, _) = exported(&rough::model(), &[], Form::Obj);
    let (again, told) = exported(&model, &[], Form::Obj);
    assert!(once == again);
    let note = "40 of the objects draw what others drew already, in the same place: written once";
    assert!(told.notes.contains(&note.to_owned()), "{:?}", told.notes);
}

#[test]
fn bones_alone_have_no_obj() {
    let Some(bones) = shipped(BONES) else { return };
    let model = model(&[(BONES, bones)]);
    let dressed = Dressed { model: &model, materials: &[] };
    let error = export_model(&dressed, Form::Obj, &Task::new(), &mut |_| Ok(())).unwrap_err();
    assert_eq!(error.to_string(), "not supported: obj files are made of meshes, and this is skeleton");
}
