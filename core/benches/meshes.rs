//! Reading a mesh of 10 MB: two streams of a shipped layout, in groups of 20,000 vertices.
//!
//! The reference is to copy its bytes.

#![expect(clippy::print_stdout, clippy::unwrap_used, reason = "a benchmark prints, and fails loudly")]

mod support;

use std::hint::black_box;
use std::sync::Arc;

use bytes::Bytes;
use palimpsest_core::asset::{
    Arena, Asset, Attribute, AttributeLayout, Bone, Group, Lod, Mesh, ObjectRecord, Semantic, Stream,
    VertexFormat,
};
use palimpsest_core::format::{inspect, load};
use palimpsest_core::formats::mmsh;
use palimpsest_core::model::{Model, Quality};
use palimpsest_core::task::Task;
use support::{Contender, compare};

const GROUPS: u32 = 7;
const VERTICES: u32 = 20_000;
/// Vertices along an edge of the grid of a group.
const SIDE: u32 = 100;

fn main() {
    let file = Bytes::from(mmsh::write(&mesh()).unwrap());
    let mut copy = vec![0u8; file.len()];
    let read = |file: &Bytes| match load(file, "a.mesh", &Task::new()).unwrap() {
        Asset::Mesh(mesh) => mesh,
        other => panic!("{}", other.kind().name()),
    };
    let mesh = Arc::new(read(&file));
    assert_eq!(Quality::of(&mesh, &Task::new()).unwrap(), Quality::default());
    let positions = || {
        let mut sum = 0.0;
        for group in &mesh.groups {
            let values = group.values(&mesh.formats[0], Semantic::Position, 0).unwrap();
            sum +=
                (0..group.vertex_count).filter_map(|vertex| values.get(vertex)).map(|at| at[0]).sum::<f32>();
        }
        sum
    };
    println!("{} bytes, {} vertices, {} triangles", file.len(), mesh.vertex_count(), mesh.triangle_count());
    let contenders = vec![
        Contender::new("copy the file", || {
            copy.copy_from_slice(black_box(&file));
            black_box(&mut copy);
        }),
        Contender::new("read the mesh", || read(&file)),
        Contender::new("read it with its structure, and check it", || inspect(&file, "a.mesh", &Task::new())),
        Contender::new("decode every position", positions),
        Contender::new("decode every vertex to be drawn", || {
            Model::new(Some(Arc::clone(&mesh)), None, &Task::new()).unwrap()
        }),
        Contender::new("look for flaws", || Quality::of(&mesh, &Task::new()).unwrap()),
    ];
    compare(21, contenders.into_iter().map(|contender| contender.bytes(file.len() as u64)).collect());
}

/// A vertex of 64 bytes, as most shipped ones are.
fn format() -> VertexFormat {
    use AttributeLayout::{F16x4, F32x3, I16x2, U8x4};
    use Semantic::{Binormal, BoneIndices, Colour, Normal, Position, Tangent, Uv, Weights};
    let rows = [
        (0, 0, F16x4, Position, 0),
        (1, 0, I16x2, Uv, 0),
        (1, 4, I16x2, Uv, 1),
        (1, 8, F32x3, Normal, 0),
        (1, 20, F32x3, Tangent, 0),
        (1, 32, F32x3, Binormal, 0),
        (1, 44, U8x4, Colour, 0),
        (0, 8, U8x4, Weights, 0),
        (0, 12, U8x4, BoneIndices, 0),
    ];
    let attributes = rows.map(|(stream, offset, layout, semantic, channel)| Attribute {
        stream,
        offset: Some(offset),
        layout,
        semantic,
        channel,
    });
    VertexFormat { attributes: attributes.to_vec(), strides: vec![Some(16), Some(48)] }
}

/// A vertex of a square grid that its texture lies on as it should, a stream each.
fn vertex(at: u32) -> [Vec<u8>; 2] {
    let (x, y) = (at % SIDE, at / SIDE);
    let half = |value: u32| half::f16::from_f32(value as f32).to_le_bytes();
    let place: Vec<u8> = [half(x), half(y), half(0), half(1)].concat();
    let short = |value: u32| i16::try_from(value).unwrap().to_le_bytes();
    let uv = [short(x * 100), short(30_000 - y * 100)].concat();
    let sides = [0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, -1.0, 0.0f32];
    let sides = sides.into_iter().flat_map(f32::to_le_bytes);
    [
        [&place[..], &[0, 0, 255, 0, 0, 0, 0, 0]].concat(),
        uv.iter().chain(&uv).copied().chain(sides).chain([255; 4]).collect(),
    ]
}

/// The corners of two triangles for every vertex but those at two edges.
fn indices() -> Vec<u8> {
    let square = |at: u32| [at, at + 1, at + SIDE, at + 1, at + SIDE + 1, at + SIDE];
    let inner = (0..VERTICES - SIDE).filter(|at| at % SIDE + 1 < SIDE);
    inner.flat_map(square).flat_map(|index| u16::try_from(index).unwrap().to_le_bytes()).collect()
}

fn mesh() -> Mesh {
    let stream = |number: usize, stride: u32| {
        let data = (0..VERTICES).flat_map(|at| std::mem::take(&mut vertex(at)[number]));
        Stream { offset: 0, stride, data: data.collect() }
    };
    let group = |_| Group {
        arena: 0,
        format: 0,
        vertex_count: VERTICES,
        streams: vec![stream(0, 16), stream(1, 48)],
        index_offset: 0,
        indices: indices().into(),
        palette_offset: 0,
        palette: Bytes::from_static(&[0]),
        unknown: [0.5; 2],
    };
    let bone = Bone {
        hash: 1,
        name: String::new(),
        parent: None,
        children: 0,
        position: [0.0; 3],
        rotation: [0.0, 0.0, 0.0, 1.0],
        scale: 1.0,
        deforms: true,
    };
    Mesh {
        objects: vec![1],
        records: vec![ObjectRecord { object: 0, arena: Some(0), material: 0, flags: 3 }],
        lods: vec![Lod { distance: 0.0, is_shadow: false, records: vec![0] }],
        arenas: vec![Arena { groups: 0..GROUPS as usize, triangles: [u16::MAX; 16] }],
        groups: (0..GROUPS).map(group).collect(),
        formats: vec![format()],
        bones: vec![bone],
        cull_distance: 1000.0,
        centre: [0.0; 3],
        radius: 1.0,
    }
}
