//! Reading a mesh of 10 MB: two streams of a shipped layout, in groups of 20,000 vertices.
//!
//! The reference is to copy its bytes.

#![expect(clippy::print_stdout, clippy::unwrap_used, reason = "a benchmark prints, and fails loudly")]

mod support;

use std::hint::black_box;

use bytes::Bytes;
use palimpsest_core::asset::{
    Arena, Asset, Attribute, AttributeLayout, Group, Lod, Mesh, ObjectRecord, Semantic, Stream, VertexFormat,
};
use palimpsest_core::format::{inspect, load};
use palimpsest_core::formats::mmsh;
use palimpsest_core::task::Task;
use support::{Contender, compare};

const GROUPS: u32 = 7;
const VERTICES: u32 = 20_000;

fn main() {
    let file = Bytes::from(mmsh::write(&mesh()).unwrap());
    let mut copy = vec![0u8; file.len()];
    let read = |file: &Bytes| match load(file, "a.mesh", &Task::new()).unwrap() {
        Asset::Mesh(mesh) => mesh,
        other => panic!("{}", other.kind().name()),
    };
    let mesh = read(&file);
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

fn mesh() -> Mesh {
    let group = |_| {
        let stream = |stride: u32, byte: u8| {
            let vertex: Vec<u8> = (0..stride)
                .map(|at| if (8..12).contains(&at) { [0, 0, 255, 0][(at - 8) as usize] } else { byte })
                .collect();
            Stream { offset: 0, stride, data: vertex.repeat(VERTICES as usize).into() }
        };
        let indices = (0..3 * VERTICES).map(|at| u16::try_from(at % VERTICES).unwrap());
        Group {
            arena: 0,
            format: 0,
            vertex_count: VERTICES,
            streams: vec![stream(16, 0x3C), stream(48, 0x3F)],
            index_offset: 0,
            indices: indices.flat_map(u16::to_le_bytes).collect(),
            palette_offset: 0,
            palette: Bytes::new(),
            unknown: [0.5; 2],
        }
    };
    Mesh {
        objects: vec![1],
        records: vec![ObjectRecord { object: 0, arena: Some(0), material: 0, flags: 3 }],
        lods: vec![Lod { distance: 0.0, is_shadow: false, records: vec![0] }],
        arenas: vec![Arena { groups: 0..GROUPS as usize, triangles: [u16::MAX; 16] }],
        groups: (0..GROUPS).map(group).collect(),
        formats: vec![format()],
        bones: Vec::new(),
        cull_distance: 1000.0,
        centre: [0.0; 3],
        radius: 1.0,
    }
}
