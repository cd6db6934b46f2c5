//! What of a mesh is drawn: the groups of a level of detail, and their colours.

use std::collections::{BTreeSet, HashSet};

use egui::Color32;
use glam::Vec3;
use palimpsest_core::asset::Mesh;
use palimpsest_core::model::{Geometry, Model, is_somewhere};

use crate::gpu::orbit::Orbit;

/// A group that a level of detail draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShownGroup {
    /// The object record.
    pub record: u32,
    /// The object.
    pub object: u32,
    /// The slot of the material.
    pub slot: i32,
    /// The group, by its number in the mesh.
    pub group: usize,
}

/// The groups of a level, each once, in the order of the records.
pub fn groups_at(mesh: &Mesh, level: usize, is_shadow: bool) -> Vec<ShownGroup> {
    let mut seen = HashSet::new();
    let mut shown = Vec::new();
    for record in mesh.records_at(level, is_shadow) {
        let Some(own) = mesh.records.get(record as usize) else { continue };
        for group in mesh.groups_of_record(record).filter(|group| seen.insert(*group)) {
            shown.push(ShownGroup { record, object: own.object, slot: own.material, group });
        }
    }
    shown
}

/// Places that a camera frames which looks at all of a model: some of its vertices, or else its joints.
pub fn outline(model: &Model) -> impl Iterator<Item = Vec3> + Clone {
    /// As many as tell where a model is.
    const SOME: usize = 20_000;
    let vertices = &model.geometry.vertices;
    let joints = if vertices.is_empty() { model.rig.joints.as_slice() } else { &[] };
    let vertices = vertices.iter().step_by(vertices.len() / SOME + 1).map(|vertex| vertex.position.into());
    vertices.filter(|place| is_somewhere(*place)).chain(joints.iter().map(|joint| joint.position()))
}

/// The slots of the material that a mesh draws at some level.
pub fn slots_of(mesh: &Mesh) -> BTreeSet<i32> {
    let drawn = mesh.records.iter().filter(|record| record.arena.is_some());
    drawn.map(|record| record.material).collect()
}

/// How far away a camera is from the middle of what the file says is around everything, in centimetres.
pub fn distance(mesh: &Mesh, camera: &Orbit) -> f32 {
    let centre = Vec3::from(mesh.centre);
    camera.eye().distance(if is_somewhere(centre) { centre } else { Vec3::ZERO })
}

/// How far a model and what is drawn beside it reach from where a camera looks, in centimetres.
pub fn radius(model: &Model, camera: &Orbit) -> f32 {
    let [low, high] = model.bounds();
    2.0 * (high - low).length() + ((low + high) * 0.5).distance(camera.target)
}

/// How many triangles groups have that are drawn.
pub fn triangles(geometry: &Geometry, groups: impl IntoIterator<Item = usize>) -> u64 {
    let spans = groups.into_iter().filter_map(|group| geometry.groups.get(group));
    spans.map(|span| u64::from(span.index_count) / 3).sum()
}

/// The colour that tells an object from others, told apart by how light they are as well.
pub fn colour_of(object: u32) -> Color32 {
    const COLOURS: [Color32; 8] = [
        Color32::from_rgb(0x7A, 0xA6, 0xD6),
        Color32::from_rgb(0xD9, 0x93, 0x6A),
        Color32::from_rgb(0xE4, 0xD4, 0x8A),
        Color32::from_rgb(0x5F, 0x9E, 0x8F),
        Color32::from_rgb(0xC5, 0x8F, 0xC9),
        Color32::from_rgb(0x8B, 0x8F, 0x9A),
        Color32::from_rgb(0xA8, 0xCC, 0x7A),
        Color32::from_rgb(0xB2, 0x5F, 0x62),
    ];
    COLOURS.get(object as usize % COLOURS.len()).copied().unwrap_or(Color32::GRAY)
}
