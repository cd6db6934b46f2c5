//! Meshes at the limits of what their fields can say.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail loudly")]

use std::sync::Arc;

use bytes::Bytes;
use palimpsest_core::asset::{
    Arena, Asset, Attribute, AttributeLayout, Bone, Group, Lod, Mesh, ObjectRecord, Semantic, Stream,
    VertexFormat, name_order,
};
use palimpsest_core::format::inspect;
use palimpsest_core::formats::mmsh;
use palimpsest_core::model::{Flaw, Model, Quality};
use palimpsest_core::task::Task;

/// A position of four half floats.
fn format() -> VertexFormat {
    let position = Attribute {
        stream: 0,
        offset: Some(0),
        layout: AttributeLayout::F16x4,
        semantic: Semantic::Position,
        channel: 0,
    };
    VertexFormat { attributes: vec![position], strides: vec![Some(8)] }
}

fn group(arena: u32, vertices: u32, indices: &[u16]) -> Group {
    let data = Bytes::from(vec![0x3C; 8 * vertices as usize]);
    Group {
        arena,
        format: 0,
        vertex_count: vertices,
        streams: vec![Stream { offset: 0, stride: 8, data }],
        index_offset: 0,
        indices: indices.iter().flat_map(|index| index.to_le_bytes()).collect(),
        palette_offset: 0,
        palette: Bytes::from_static(&[0]),
        unknown: [0.5; 2],
    }
}

/// A mesh with groups in arenas of their own.
fn mesh(groups: Vec<Group>, bones: u32) -> Mesh {
    let arena = |(at, group): (usize, &Group)| {
        let triangles = u16::try_from(group.index_count() / 3).unwrap();
        Arena { groups: at..at + 1, triangles: [triangles; 16] }
    };
    let bone = |at: u32| Bone {
        hash: at,
        name: String::new(),
        parent: at.checked_sub(1),
        children: u32::from(at + 1 < bones),
        position: [0.0; 3],
        rotation: [0.0, 0.0, 0.0, 1.0],
        scale: 1.0,
        deforms: true,
    };
    let arenas: Vec<_> = groups.iter().enumerate().map(arena).collect();
    let count = u32::try_from(arenas.len()).unwrap();
    let record = |arena: u32| ObjectRecord { object: 0, arena: Some(arena), material: 0, flags: 3 };
    Mesh {
        objects: vec![7],
        records: (0..count).map(record).collect(),
        lods: vec![Lod { distance: 0.0, is_shadow: false, records: (0..count).collect() }],
        arenas,
        groups,
        formats: vec![format()],
        bones: (0..bones).map(bone).collect(),
        cull_distance: 1000.0,
        centre: [0.0; 3],
        radius: 1.0,
    }
}

/// What is read of a mesh once it is written, and what is told of it.
fn written(mesh: &Mesh) -> (Mesh, Vec<String>) {
    let bytes = Bytes::from(mmsh::write(mesh).unwrap());
    let inspection = inspect(&bytes, "a.mesh", &Task::new());
    assert_eq!(inspection.tree.gaps(bytes.len() as u64), []);
    let warnings = inspection.warnings.lines().collect();
    let Ok(Some(Asset::Mesh(read))) = inspection.asset else { panic!("{:?}", inspection.asset) };
    assert!(mmsh::write(&read).unwrap() == bytes);
    (read, warnings)
}

#[test]
fn as_many_vertices_as_indices_can_name_and_one_more() {
    for (vertices, index, is_there) in
        [(65_535, 0xFFFE, true), (65_535, 0xFFFF, false), (65_536, 0xFFFF, true)]
    {
        let (read, warnings) = written(&mesh(vec![group(0, vertices, &[0, 1, index])], 1));
        assert_eq!(read.vertex_count(), u64::from(vertices));
        assert_eq!(read.groups[0].triangles().next(), Some([0, 1, index]));
        let position = read.groups[0].values(&read.formats[0], Semantic::Position, 0).unwrap();
        assert_eq!(position.get(index.into()).is_some(), is_there);
        let told = warnings.iter().any(|line| line.contains("index 65535 of 65535 vertices"));
        assert_eq!(told, !is_there, "{warnings:?}");
    }
}

#[test]
fn no_group_at_all_many_arenas_and_more_bones_than_a_palette_can_name() {
    let (empty, warnings) = written(&mesh(Vec::new(), 0));
    assert_eq!((empty.vertex_count(), empty.triangle_count(), warnings.len()), (0, 0, 0));
    let bare = Group { palette: Bytes::new(), ..group(0, 0, &[]) };
    let (bare, warnings) = written(&mesh(vec![bare.clone(), Group { arena: 1, ..bare }], 0));
    assert_eq!((bare.groups.len(), warnings.len()), (2, 0));
    let groups = (0..40).map(|arena| group(arena, 3 + arena, &[0, 1, 2])).collect();
    let (many, warnings) = written(&mesh(groups, 300));
    assert_eq!((many.arenas.len(), many.bones.len(), warnings.len()), (40, 300, 0));
    assert_eq!(many.groups_of(39)[0].vertex_count, 42);
    assert_eq!(name_order(&many.bones).len(), 300);
}

#[test]
fn what_does_not_fit_a_field_is_not_written() {
    let mut mesh = mesh(Vec::new(), 40_000);
    assert!(mmsh::write(&mesh).unwrap_err().to_string().contains("32768 does not fit"));
    mesh.bones.truncate(1);
    mesh.bones[0].children = 70_000;
    assert!(mmsh::write(&mesh).unwrap_err().to_string().contains("70000 does not fit"));
}

#[test]
fn vertices_without_bytes_take_no_memory() {
    // Behind an attribute of an unknown type a stream has what is left, and many vertices can share nothing.
    let mut mesh = mesh(vec![group(0, 3, &[0, 1, 2])], 1);
    let unknown =
        Attribute { offset: Some(8), layout: AttributeLayout::Unknown(7), ..mesh.formats[0].attributes[0] };
    mesh.formats[0] =
        VertexFormat { attributes: vec![mesh.formats[0].attributes[0], unknown], strides: vec![None] };
    let bytes = mmsh::write(&mesh).unwrap();
    let row: Vec<u8> = [0u32, 0, 3, 0, 3, 0, 1].into_iter().flat_map(u32::to_le_bytes).collect();
    let at = bytes.windows(row.len()).position(|bytes| bytes == row).unwrap() + 8;
    for count in [6, 7_000_000, u32::MAX] {
        let mut bytes = bytes.clone();
        bytes[at..at + 4].copy_from_slice(&count.to_le_bytes());
        let inspection = inspect(&bytes.into(), "a.mesh", &Task::new());
        let Ok(Some(Asset::Mesh(read))) = inspection.asset else { panic!("{:?}", inspection.asset) };
        assert_eq!(read.vertex_count(), u64::from(count));
        let found = Quality::of(&read, &Task::new()).unwrap().findings;
        let counts: Vec<_> = found.iter().map(|finding| (finding.flaw, finding.count)).collect();
        assert_eq!(counts, [(Flaw::UnusedVertex, u64::from(count) - 3)]);
        match Model::new(Some(Arc::new(read)), None, &Task::new()) {
            Ok(model) => {
                assert_eq!((model.geometry.vertices.len(), model.geometry.groups[0].left_out), (0, 1));
            }
            Err(error) => assert!(count == u32::MAX, "{error}"),
        }
    }
}
