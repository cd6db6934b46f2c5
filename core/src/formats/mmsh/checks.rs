//! What holds in every file that was seen, and is told where it does not. Only while the structure is
//! recorded: whoever loads a mesh to draw it looks at what it draws.

use crate::asset::{Group, Mesh, Semantic, VertexFormat, Weights};
use crate::parse::{Reader, Warning};

/// How far the length of a quaternion may be from one.
const CLOSE: f32 = 1e-3;

pub(super) fn check(r: &mut Reader<'_>, mesh: &Mesh) {
    if !r.is_recording() {
        return;
    }
    let mut told = Vec::new();
    references(mesh, &mut told);
    bones(mesh, &mut told);
    for (at, group) in mesh.groups.iter().enumerate() {
        let Some(format) = mesh.formats.get(group.format as usize) else { continue };
        vertices(mesh, at, group, format, &mut told);
    }
    for arena in 0..mesh.arenas.len() {
        ladder(mesh, arena, &mut told);
    }
    for (field, offset, text) in told {
        r.warn_at(|| Warning { field, offset, len: 0, text });
    }
}

type Told = Vec<(String, u64, String)>;

/// Numbers that have to lead to something.
fn references(mesh: &Mesh, told: &mut Told) {
    for (at, record) in mesh.records.iter().enumerate() {
        let field = format!("descriptor.object_records[{at}]");
        if record.object as usize >= mesh.objects.len() {
            told.push((field.clone(), 0, format!("object {} of {}", record.object, mesh.objects.len())));
        }
        if record.arena.is_some_and(|arena| arena as usize >= mesh.arenas.len()) {
            told.push((field, 0, format!("an arena of {} that is not there", mesh.arenas.len())));
        }
    }
    for (at, lod) in mesh.lods.iter().enumerate() {
        let outside = lod.records.iter().find(|record| **record as usize >= mesh.records.len());
        if let Some(record) = outside {
            let text = format!("object record {record} of {}", mesh.records.len());
            told.push((format!("descriptor.lods[{at}]"), 0, text));
        }
    }
}

fn bones(mesh: &Mesh, told: &mut Told) {
    let mut children = vec![0u32; mesh.bones.len()];
    for parent in mesh.bones.iter().filter_map(|bone| bone.parent) {
        if let Some(count) = children.get_mut(parent as usize) {
            *count += 1;
        }
    }
    for (at, (bone, children)) in mesh.bones.iter().zip(children).enumerate() {
        let field = || format!("descriptor.bones.bones[{at}]");
        let length = bone.rotation.iter().map(|value| value * value).sum::<f32>();
        if (length - 1.0).abs() > CLOSE || !length.is_finite() {
            told.push((field(), 0, format!("a rotation of the length {}", length.sqrt())));
        }
        if bone.parent.is_some_and(|parent| parent as usize >= at) {
            told.push((field(), 0, "hangs on a bone that is not before it".to_owned()));
        }
        if children != bone.children {
            told.push((field(), 0, format!("{} bones are to hang on it, {children} do", bone.children)));
        }
    }
}

fn vertices(mesh: &Mesh, at: usize, group: &Group, format: &VertexFormat, told: &mut Told) {
    let beyond = group.triangles().flatten().find(|index| u32::from(*index) >= group.vertex_count);
    if let Some(index) = beyond {
        let text = format!("index {index} of {} vertices", group.vertex_count);
        told.push((format!("buffers.indices[{at}]"), group.index_offset, text));
    }
    if let Some(bone) = group.palette.iter().find(|bone| usize::from(**bone) >= mesh.bones.len()) {
        let text = format!("bone {bone} of {}", mesh.bones.len());
        told.push((format!("buffers.palettes[{at}]"), group.palette_offset, text));
    }
    let Some(weights) = group.values(format, Semantic::Weights, 0) else { return };
    let sum = |vertex: &u32| {
        let bytes = weights.bytes(*vertex).and_then(|bytes| bytes.first_chunk().copied());
        bytes.is_some_and(|bytes| Weights(bytes).sum() != 255)
    };
    let wrong = (0..group.vertex_count).filter(sum).count();
    if wrong > 0 {
        let text = format!("the weights of {wrong} vertices do not add up to 255");
        let offset = group.streams.first().map_or(0, |stream| stream.offset);
        told.push((format!("buffers.vertices[{at}]"), offset, text));
    }
}

/// The first step of the ladder draws everything.
fn ladder(mesh: &Mesh, arena: usize, told: &mut Told) {
    let triangles: usize = mesh.groups_of(arena).iter().map(|group| group.index_count() / 3).sum();
    let first = mesh.arenas.get(arena).map_or(0, |arena| arena.triangles[0]);
    if usize::from(first) != triangles.min(usize::from(u16::MAX)) {
        let text = format!("{first} triangles are stated at the finest step, {triangles} are there");
        told.push((format!("descriptor.arenas[{arena}]"), 0, text));
    }
}
