//! A mesh in which everything is wrong that other programs would stumble over.

use std::sync::Arc;

use bytes::Bytes;
use palimpsest_core::asset::{
    Arena, Attribute, AttributeLayout, Bone, Group, Lod, Mesh, ObjectRecord, Semantic, Stream, VertexFormat,
};
use palimpsest_core::export::{Dressed, Form, export_model};
use palimpsest_core::model::Model;
use palimpsest_core::task::Task;

use crate::exported;

const NAN: f32 = f32::NAN;

/// A vertex: place, normal, coordinates, weights as they are stored, bones.
type Row = ([f32; 3], [f32; 3], [f32; 2], [u8; 4], [u8; 4]);

fn format() -> VertexFormat {
    let rows = [
        (AttributeLayout::F32x3, Semantic::Position),
        (AttributeLayout::F32x3, Semantic::Normal),
        (AttributeLayout::F32x2, Semantic::Uv),
        (AttributeLayout::U8x4, Semantic::Weights),
        (AttributeLayout::U8x4, Semantic::BoneIndices),
    ];
    let mut end = 0;
    let attributes = rows.map(|(layout, semantic)| {
        let offset = Some(end);
        end += layout.size().unwrap();
        Attribute { stream: 0, offset, layout, semantic, channel: 0 }
    });
    VertexFormat { attributes: attributes.to_vec(), strides: vec![Some(end)] }
}

fn group(arena: u32, format: u32, vertices: &[Row], indices: &[u16]) -> Group {
    let bytes = |(at, normal, uv, weights, bones): &Row| {
        let floats = at.iter().chain(normal).chain(uv).flat_map(|value| value.to_le_bytes());
        floats.chain(*weights).chain(*bones).collect::<Vec<u8>>()
    };
    let data: Vec<u8> = vertices.iter().flat_map(bytes).collect();
    Group {
        arena,
        format,
        vertex_count: u32::try_from(vertices.len()).unwrap(),
        streams: vec![Stream { offset: 0, stride: 40, data: data.into() }],
        index_offset: 0,
        indices: indices.iter().flat_map(|index| index.to_le_bytes()).collect(),
        palette_offset: 0,
        palette: Bytes::from_static(&[0, 1, 2, 99]),
        unknown: [0.5; 2],
    }
}

pub(crate) fn mesh() -> Mesh {
    let (up, uv) = ([0.0, 2.0, 0.0], [0.5, 0.5]);
    let vertices = [
        // Nobody uses it.
        ([NAN; 3], up, uv, [0, 0, 255, 0], [0; 4]),
        // Nothing hangs here on nothing, and it faces nowhere.
        ([0.0; 3], [0.0; 3], [NAN, 0.0], [0; 4], [0; 4]),
        // The same bone twice, and too little of it.
        ([0.0, 0.0, 100.0], up, [0.0, 1.0], [0, 100, 100, 0], [1, 1, 0, 0]),
        // A bone that is not there, and bones that have no weight.
        ([100.0, 0.0, 0.0], [NAN; 3], [1.0, 0.0], [0, 0, 255, 0], [3, 2, 1, 0]),
        ([100.0, 0.0, f32::INFINITY], up, uv, [0, 0, 255, 0], [0; 4]),
    ];
    let groups = vec![
        // A triangle to a vertex that is nowhere, and one past the group.
        group(0, 0, &vertices, &[1, 2, 3, 1, 2, 4, 1, 2, 9]),
        // Only places, of which all are the same.
        group(1, 1, &vertices[1..2], &[0, 0, 0]),
        // No triangle at all.
        group(2, 0, &vertices, &[]),
    ];
    let bone = |hash, parent, position, rotation, scale| Bone {
        hash,
        name: String::new(),
        parent,
        children: 0,
        position,
        rotation,
        scale,
        deforms: true,
    };
    let record = |object, arena, material, flags| ObjectRecord { object, arena, material, flags };
    let lods = [(500.0, vec![1]), (0.0, vec![0, 0, 3, 9])];
    let arena = |at: usize| Arena { groups: at..at + 1, triangles: [1; 16] };
    Mesh {
        objects: vec![1, 2],
        records: vec![
            record(0, Some(0), 4, 3),
            record(0, Some(1), -1, 1),
            record(0, Some(0), 5, 2),
            record(1, Some(2), 0, 3),
        ],
        lods: lods.map(|(distance, records)| Lod { distance, is_shadow: false, records }).to_vec(),
        arenas: (0..3).map(arena).collect(),
        groups,
        formats: vec![
            format(),
            VertexFormat { attributes: format().attributes[..1].to_vec(), strides: vec![Some(40)] },
        ],
        bones: vec![
            bone(7, None, [1.0, 2.0, 3.0], [0.5, 0.5, 0.5, 0.5], 2.0),
            bone(8, Some(0), [1e30, 0.0, 0.0], [0.0, 0.0, 0.0, 3.0], 1e-30),
            // A second root.
            bone(9, Some(5), [NAN; 3], [NAN; 4], NAN),
        ],
        cull_distance: 1000.0,
        centre: [0.0; 3],
        radius: 1.0,
    }
}

pub(crate) fn model() -> Model {
    Model::new(Some(Arc::new(mesh())), None, &Task::new()).unwrap()
}

#[test]
fn what_is_left_out_and_changed_is_told() {
    let (bytes, told) = exported(&model(), &[], Form::Glb);
    assert_eq!(
        told.missing,
        ["2 triangles are left out, as they reach past their group or to a vertex that is nowhere"]
    );
    assert_eq!(
        told.notes,
        [
            "2 bones have no place, rotation or scale: taken as none",
            "without a skeleton bones are named by the hashes of their names",
            "2 normals and tangents without a direction replaced",
            "1 vertex has texture coordinates that are no numbers: now 0",
            "1 vertex has weights that do not add up to 255: scaled",
            "2 vertices hang on no bone that is there: bound to the first one",
            "1 bone is nowhere: put where the bone above is",
        ]
    );
    assert!(bytes == exported(&model(), &[], Form::Glb).0, "the same model is the same file");
}

#[test]
fn levels_of_detail_are_listed_and_only_the_finest_is_shown() {
    let (bytes, _) = exported(&model(), &[], Form::Glb);
    let file = gltf::Gltf::from_slice(&bytes).unwrap();
    let names: Vec<_> = file.nodes().map(|node| node.name().unwrap().to_owned()).collect();
    assert_eq!(
        names,
        [
            "bone_0x00000007",
            "bone_0x00000008",
            "bone_0x00000009",
            "bones",
            "object_0x00000001",
            "object_0x00000001_lod1",
            "object_0x00000001_lod2"
        ]
    );
    let shown: Vec<_> = file.default_scene().unwrap().nodes().map(|node| node.index()).collect();
    assert_eq!(shown, [3, 4]);
    let lods = file.nodes().nth(4).unwrap().extension_value("MSFT_lod").unwrap().clone();
    assert_eq!(lods, serde_json::json!({ "ids": [5] }), "what is only a shadow is no coarser level");
    let materials: Vec<_> = file.materials().map(|material| material.name().unwrap().to_owned()).collect();
    assert_eq!(materials, ["material_4", "material_-1", "material_5"]);
}

#[test]
fn a_scene_is_never_empty_where_something_can_be_drawn() {
    let mut mesh = mesh();
    mesh.lods[1].records = vec![3];
    let model = Model::new(Some(Arc::new(mesh)), None, &Task::new()).unwrap();
    let (bytes, told) = exported(&model, &[], Form::Glb);
    let file = gltf::Gltf::from_slice(&bytes).unwrap();
    assert_eq!(file.default_scene().unwrap().nodes().count(), 4, "the bones and three records");
    assert!(
        told.notes.contains(&"nothing is seen from nearby: the scene has every level of detail".to_owned())
    );
}

#[test]
fn triangles_without_positions_are_told_as_such() {
    let mut mesh = mesh();
    for format in &mut mesh.formats {
        format.attributes.retain(|attribute| attribute.semantic != Semantic::Position);
    }
    let model = Model::new(Some(Arc::new(mesh)), None, &Task::new()).unwrap();
    let (_, told) = exported(&model, &[], Form::Glb);
    assert_eq!(
        told.missing,
        [
            "no object has a triangle: the bones are all there is",
            "4 triangles are left out, as the format of their vertices has no position that can be read"
        ]
    );
    let dressed = Dressed { model: &model, materials: &[] };
    let error = export_model(&dressed, Form::Obj, &Task::new(), &mut |_| Ok(())).unwrap_err();
    assert_eq!(error.to_string(), "not supported: no triangle is seen from nearby");
}
