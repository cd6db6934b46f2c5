//! The mesh: objects at levels of detail, in formats as mixed as those of the game.

use bytes::Bytes;

use super::bones::Bones;
use super::objects::{COARSE, Creature, OBJECTS, Object, SKIN, formats, lods, object};
use super::surface::{Surface, Vertex};
use super::vector::{Vector, add, length, scale, sub};
use super::{Detail, PATCHED, Release, skeleton};
use crate::asset::{Arena, Attribute, Group, Mesh, ObjectRecord, Semantic, VertexFormat, name_order};
use crate::error::Result;
use crate::formats::mmsh;
use crate::hash::string_hash;

impl Creature {
    /// A group of a surface.
    fn group(&self, surface: &Surface, arena: u32, format: usize, formats: &[VertexFormat]) -> Group {
        let places = places(&self.bones);
        let place = |bone: usize| places.get(bone).copied().unwrap_or(0);
        let used = surface.vertices.iter().flat_map(|vertex| vertex.influences.bytes());
        let mut palette: Vec<u8> =
            used.filter(|(_, weight)| *weight > 0).map(|(bone, _)| place(bone)).collect();
        palette.sort_unstable();
        palette.dedup();
        let slot = |bone: usize| palette.binary_search(&place(bone)).map_or(0.0, |slot| slot as f32);
        let tangents = surface.tangents();
        let value = |number: u32, attribute: &Attribute| {
            let at = number as usize;
            let (Some(vertex), Some(tangents)) = (surface.vertices.get(at), tangents.get(at)) else {
                return [0.0; 4];
            };
            value_of(vertex, *tangents, attribute, slot)
        };
        let count = u32::try_from(surface.vertices.len()).unwrap_or(u32::MAX);
        let own = formats.get(format).cloned().unwrap_or_default();
        let indices = surface.triangles.iter().flatten();
        Group {
            arena,
            format: u32::try_from(format).unwrap_or(u32::MAX),
            vertex_count: count,
            streams: mmsh::streams(&own, count, value),
            index_offset: 0,
            indices: indices
                .flat_map(|index| u16::try_from(*index).unwrap_or(u16::MAX).to_le_bytes())
                .collect(),
            palette_offset: 0,
            palette: palette.clone().into(),
            unknown: [0.5; 2],
        }
    }

    /// A mesh of some objects at their levels of detail.
    fn mesh(&self, objects: &[Object], details: [usize; 3]) -> Mesh {
        let (formats, bones) = (formats(), skeleton::records(&self.bones));
        let (mut records, mut arenas, mut groups) = (Vec::new(), Vec::new(), Vec::<Group>::new());
        let mut places: Vec<Vector> = Vec::new();
        for (number, object) in (0u32..).zip(objects) {
            let flags = 1 | u32::from(object.casts_shadow) << 1;
            for (_, level) in object.levels {
                let detail =
                    level.and_then(|level| details.get(level).map(|percent| (level, Detail(*percent))));
                let Some((level, detail)) = detail else {
                    records.push(ObjectRecord { object: number, arena: None, material: 0, flags });
                    continue;
                };
                let arena = u32::try_from(arenas.len()).unwrap_or(u32::MAX);
                records.push(ObjectRecord {
                    object: number,
                    arena: Some(arena),
                    material: object.material,
                    flags,
                });
                let format = if level == 2 { COARSE } else { object.format };
                let first = groups.len();
                for surface in (object.groups)(self, detail) {
                    let surface = surface.lit(&self.anatomy.skin);
                    places.extend(surface.vertices.iter().map(|vertex| vertex.at));
                    groups.push(self.group(&surface, arena, format, &formats));
                }
                arenas.push(arena_of(first, &groups));
            }
        }
        let (centre, radius) = sphere(&places);
        let lods = lods(objects);
        let objects = objects.iter().map(|object| string_hash(object.name.as_bytes())).collect();
        Mesh { objects, records, lods, arenas, groups, formats, bones, cull_distance: 9000.0, centre, radius }
    }
}

/// The bytes of the creature.
pub(in crate::demo) fn mesh(release: Release) -> Result<Vec<u8>> {
    mmsh::write(&Creature::new(release.horns).mesh(&OBJECTS, release.details))
}

/// The bytes of a coarse trunk with faults: a place that is no number, weights that do not add up, a triangle
/// without an area and a vertex that no triangle has.
pub(in crate::demo) fn flawed() -> Result<Vec<u8>> {
    const FAULTY: Object =
        Object { levels: &[(0.0, Some(2))], ..object("drake_body", SKIN, COARSE, flawed_trunk) };
    let mut mesh = Creature::new(PATCHED.horns).mesh(&[FAULTY], PATCHED.details);
    let weights = mesh.formats.get(COARSE).and_then(|format| {
        format.attributes.iter().find(|attribute| attribute.semantic == Semantic::Weights)?.offset
    });
    let stream = mesh.groups.first_mut().and_then(|group| group.streams.first_mut());
    if let (Some(stream), Some(offset)) = (stream, weights) {
        let mut bytes = stream.data.to_vec();
        // The first weight of a vertex in the middle, which is stored as the third.
        let at = bytes.len() / 2 / stream.stride as usize * stream.stride as usize + offset as usize + 2;
        if let Some(weight) = bytes.get_mut(at) {
            *weight = weight.wrapping_sub(90);
        }
        stream.data = Bytes::from(bytes);
    }
    mmsh::write(&mesh)
}

fn flawed_trunk(creature: &Creature, detail: Detail) -> Vec<Surface> {
    let mut trunk = creature.anatomy.trunk(detail, &creature.bones);
    let (third, last) = (trunk.vertices.len() / 3, trunk.vertices.last().copied());
    if let Some(vertex) = trunk.vertices.get_mut(third) {
        vertex.at[1] = f32::NAN;
    }
    trunk.triangles.push([0, 1, 1]);
    trunk.vertices.extend(last);
    vec![trunk]
}

/// What an attribute of a vertex is.
fn value_of(
    vertex: &Vertex,
    [tangent, binormal]: [Vector; 2],
    attribute: &Attribute,
    slot: impl Fn(usize) -> f32,
) -> [f32; 4] {
    let direction = |[x, y, z]: Vector| [x, y, z, 0.0];
    let influences = vertex.influences.bytes();
    match attribute.semantic {
        Semantic::Position => [vertex.at[0], vertex.at[1], vertex.at[2], 1.0],
        Semantic::Normal => direction(vertex.normal),
        Semantic::Tangent => direction(tangent),
        Semantic::Binormal => direction(binormal),
        Semantic::Uv => {
            let [u, v] = if attribute.channel == 0 { vertex.uv } else { vertex.own_uv };
            [u, v, 0.0, 0.0]
        }
        Semantic::Colour => {
            // What lies in shadow is warmer.
            let light = 0.25 + 0.75 * vertex.light;
            [light, light * (0.92 + 0.08 * light), light * (0.84 + 0.16 * light), 1.0]
                .map(|part| part * 255.0)
        }
        Semantic::Weights => {
            // As they are stored: the third, the second, the first and the fourth.
            let [first, second, third, fourth] = influences.map(|(_, weight)| f32::from(weight));
            [third, second, first, fourth]
        }
        Semantic::BoneIndices => influences.map(|(bone, weight)| if weight > 0 { slot(bone) } else { 0.0 }),
        Semantic::Unknown(_) => [0.0; 4],
    }
}

/// The place of each bone in the order of names.
fn places(bones: &Bones) -> Vec<u8> {
    let mut places = vec![0; bones.0.len()];
    for (place, bone) in (0u8..).zip(name_order(&skeleton::records(bones))) {
        if let Some(own) = places.get_mut(bone as usize) {
            *own = place;
        }
    }
    places
}

fn arena_of(first: usize, groups: &[Group]) -> Arena {
    let own = groups.get(first..).unwrap_or_default();
    let triangles: usize = own.iter().map(|group| group.index_count() / 3).sum();
    Arena { groups: first..groups.len(), triangles: [u16::try_from(triangles).unwrap_or(u16::MAX); 16] }
}

/// The sphere around places: in the middle of the box around them.
fn sphere(places: &[Vector]) -> (Vector, f32) {
    // Neither takes a place that is no number.
    let corner = |pick: fn(f32, f32) -> f32, start: f32| {
        places.iter().fold([start; 3], |[x, y, z], at| [pick(x, at[0]), pick(y, at[1]), pick(z, at[2])])
    };
    let (lower, upper) = (corner(f32::min, f32::MAX), corner(f32::max, f32::MIN));
    let centre = scale(add(lower, upper), 0.5);
    let radius = places.iter().map(|at| length(sub(*at, centre))).fold(0.0, f32::max);
    (centre, radius)
}
