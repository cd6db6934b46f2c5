//! What vertices have, and how they hang on bones.

use std::collections::BTreeMap;

use gltf::json;
use gltf::json::accessor::{ComponentType, Type};
use gltf::json::mesh::Semantic as Name;
use gltf::json::validation::Checked;

use super::document::{Document, List};
use super::joints::Bones;
use crate::asset::Semantic;
use crate::export::model::METRES;
use crate::export::surface::{Repairs, Surface};
use crate::model::{Model, NOWHERE, Span, Vertex};

const F32: ComponentType = ComponentType::F32;
const U8: ComponentType = ComponentType::U8;

/// What colours are called: glTF multiplies the base colour by its own `COLOR_0`, and the shipped sword has
/// masks there, black nearly everywhere. Names of one's own begin with `_`, which is put before.
const COLOURS: &str = "COLOR_0";

/// All of the weight, which is what weights add up to.
const ALL: u32 = 255;

/// A group in the document.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) attributes: BTreeMap<Checked<Name>, json::Index<json::Accessor>>,
    pub(super) indices: json::Index<json::Accessor>,
    pub(super) has_uvs: bool,
}

/// A group that is added.
pub(super) struct Attributes<'a> {
    pub(super) model: &'a Model,
    pub(super) span: &'a Span,
    pub(super) surface: &'a Surface,
}

impl Attributes<'_> {
    /// Adds the vertices and triangles.
    pub(super) fn add(&self, out: &mut Document, bones: Option<Bones>, repairs: &mut Repairs) -> Part {
        let Surface { vertices, indices, has_tangents } = self.surface;
        let all = |of: fn(&Vertex) -> [f32; 3]| vertices.iter().map(of).collect::<Vec<_>>();
        let mut attributes = BTreeMap::new();
        let mut put = |name, accessor| attributes.insert(Checked::Valid(name), accessor);
        let places = all(|vertex| vertex.position.map(|value| value * METRES));
        put(Name::Positions, out.places(&places));
        put(Name::Normals, out.list(&all(|vertex| vertex.normal), List::of_vertices(F32, Type::Vec3)));
        if *has_tangents {
            let tangents: Vec<_> = vertices.iter().map(|vertex| tangent(vertex.tangent)).collect();
            put(Name::Tangents, out.list(&tangents, List::of_vertices(F32, Type::Vec4)));
        }
        for (set, at) in (0u32..).zip(0..self.span.uv_sets) {
            let uvs: Vec<[f32; 2]> =
                vertices.iter().map(|vertex| vertex.uvs.get(at).copied().unwrap_or_default()).collect();
            put(Name::TexCoords(set), out.list(&uvs, List::of_vertices(F32, Type::Vec2)));
        }
        if self.span.has(Semantic::Colour) {
            let colours: Vec<_> = vertices.iter().map(|vertex| vertex.colour).collect();
            put(
                Name::Extras(COLOURS.to_owned()),
                out.list(&colours, List::of_vertices(U8, Type::Vec4).normalized()),
            );
        }
        if let Some(bones) = bones {
            let (joints, weights) = self.hanging(repairs);
            put(Name::Joints(0), add_joints(out, &joints, bones.count));
            put(Name::Weights(0), out.list(&weights, List::of_vertices(U8, Type::Vec4).normalized()));
        }
        let indices = out.indices(indices, vertices.len());
        Part { attributes, indices, has_uvs: self.span.uv_sets > 0 }
    }

    /// The bones of every vertex and their weights.
    fn hanging(&self, repairs: &mut Repairs) -> (Vec<[u16; 4]>, Vec<[u8; 4]>) {
        let has_weights = self.span.has(Semantic::Weights);
        let bone_of = |place: u16| {
            let bone =
                Some(place).filter(|place| *place != NOWHERE).and_then(|place| self.model.bone_of(place));
            bone.and_then(|bone| u16::try_from(bone).ok())
        };
        let of = |vertex: &Vertex| {
            if !has_weights {
                // What is not weighted at all moves with everything.
                return ([0; 4], [u8::MAX, 0, 0, 0]);
            }
            let is_loose = |(place, weight): (&u16, u8)| weight > 0 && bone_of(*place).is_none();
            let loose = vertex.weights == [0; 4] || vertex.places.iter().zip(vertex.weights).any(is_loose);
            let sum: u32 = vertex.weights.into_iter().map(u32::from).sum();
            repairs.loose += u64::from(loose);
            repairs.weights += u64::from(sum != ALL && sum != 0);
            balanced(vertex.places.map(|place| bone_of(place).unwrap_or(0)), vertex.weights)
        };
        self.surface.vertices.iter().map(of).unzip()
    }
}

/// A tangent with the side that glTF means: of normal × tangent × W, which points where V gets smaller.
fn tangent([x, y, z, side]: [f32; 4]) -> [f32; 4] {
    [x, y, z, -side]
}

/// Bones that are each named once, with weights that add up to 255; those without weight are the first bone,
/// as is the one of a vertex that hangs on none.
fn balanced(bones: [u16; 4], weights: [u8; 4]) -> ([u16; 4], [u8; 4]) {
    let mut own: Vec<(u16, u32)> = Vec::with_capacity(4);
    for (bone, weight) in bones.into_iter().zip(weights).filter(|(_, weight)| *weight > 0) {
        match own.iter_mut().find(|(other, _)| *other == bone) {
            Some((_, sum)) => *sum += u32::from(weight),
            None => own.push((bone, u32::from(weight))),
        }
    }
    let sum: u32 = own.iter().map(|(_, weight)| weight).sum();
    if own.is_empty() {
        own.push((0, ALL));
    } else if sum != ALL {
        for (_, weight) in &mut own {
            *weight = *weight * ALL / sum;
        }
    }
    // What rounding down left over is the heaviest one's.
    let left = ALL - own.iter().map(|(_, weight)| weight).sum::<u32>();
    if let Some((_, heaviest)) = own.iter_mut().rev().max_by_key(|(_, weight)| *weight) {
        *heaviest += left;
    }
    let (mut bones, mut weights) = ([0; 4], [0; 4]);
    let slots = bones.iter_mut().zip(&mut weights);
    for ((bone, slot), (own, weight)) in slots.zip(own.into_iter().filter(|(_, weight)| *weight > 0)) {
        // No part is larger than all.
        (*bone, *slot) = (own, u8::try_from(weight).unwrap_or(u8::MAX));
    }
    (bones, weights)
}

/// Adds bones of vertices, in as few bytes as hold them.
fn add_joints(out: &mut Document, joints: &[[u16; 4]], count: usize) -> json::Index<json::Accessor> {
    if count > usize::from(u8::MAX) + 1 {
        return out.list(joints, List::of_vertices(ComponentType::U16, Type::Vec4));
    }
    let small = |joints: &[u16; 4]| joints.map(|joint| u8::try_from(joint).unwrap_or(0));
    let small: Vec<_> = joints.iter().map(small).collect();
    out.list(&small, List::of_vertices(U8, Type::Vec4))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_add_up_to_all_and_every_bone_is_named_once() {
        for (bones, weights, expected) in [
            ([7, 8, 9, 5], [100, 155, 0, 0], ([7, 8, 0, 0], [100, 155, 0, 0])),
            ([7, 7, 9, 7], [100, 100, 50, 5], ([7, 9, 0, 0], [205, 50, 0, 0])),
            ([4, 3, 2, 1], [0, 0, 0, 0], ([0; 4], [255, 0, 0, 0])),
            ([4, 3, 2, 1], [10, 10, 10, 0], ([4, 3, 2, 0], [85, 85, 85, 0])),
            ([4, 3, 2, 1], [0, 1, 2, 0], ([3, 2, 0, 0], [85, 170, 0, 0])),
            ([4, 3, 2, 1], [255, 255, 255, 1], ([4, 3, 2, 0], [87, 84, 84, 0])),
            ([4, 3, 2, 1], [1, 1, 1, 4], ([4, 3, 2, 1], [36, 36, 36, 147])),
        ] {
            assert_eq!(balanced(bones, weights), expected, "{bones:?} {weights:?}");
        }
    }
}
