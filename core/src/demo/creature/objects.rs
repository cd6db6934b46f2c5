//! The objects of the mesh: what they are made of, how their vertices lie, and when each is drawn.

use super::anatomy::Anatomy;
use super::bones::Bones;
use super::surface::Surface;
use super::{Detail, head, trim, wings};
use crate::asset::{AttributeLayout, Lod, Semantic, VertexFormat};
use crate::formats::mmsh;

/// An object, which the skeleton knows as a part.
pub(super) struct Object {
    pub(super) name: &'static str,
    pub(super) material: i32,
    pub(super) casts_shadow: bool,
    /// From which distance on which level of detail is drawn, or nothing.
    pub(super) levels: &'static [(f32, Option<usize>)],
    /// The format of all levels but the coarsest.
    pub(super) format: usize,
    /// The surfaces of its groups.
    pub(super) groups: fn(&Creature, Detail) -> Vec<Surface>,
}

const LEVELS: &[(f32, Option<usize>)] =
    &[(0.0, Some(0)), (1500.0, Some(1)), (3500.0, Some(2)), (7000.0, None)];
const NEAR_LEVELS: &[(f32, Option<usize>)] = &[(0.0, Some(0)), (1500.0, Some(1)), (3500.0, None)];

/// The slots of materials.
pub(super) const SKIN: i32 = 0;
const EYES: i32 = 1;
const IRON: i32 = 2;

/// The formats of vertices by their numbers.
const PAINTED: usize = 0;
const EXACT: usize = 1;
const PLAIN: usize = 2;
pub(super) const COARSE: usize = 3;

pub(super) const fn object(
    name: &'static str,
    material: i32,
    format: usize,
    groups: fn(&Creature, Detail) -> Vec<Surface>,
) -> Object {
    Object { name, material, casts_shadow: true, levels: LEVELS, format, groups }
}

pub(super) const OBJECTS: [Object; 6] = [
    object("drake_body", SKIN, PAINTED, Creature::body),
    object("drake_head", SKIN, EXACT, |own, detail| vec![own.anatomy.head(detail, &own.bones)]),
    object("drake_horns", SKIN, PLAIN, Creature::horns),
    object("drake_wings", SKIN, PAINTED, |own, detail| vec![own.pair(&wings::wing(detail, &own.bones))]),
    Object {
        casts_shadow: false,
        levels: NEAR_LEVELS,
        ..object("drake_eyes", EYES, PLAIN, |own, detail| vec![own.pair(&head::eye(detail, &own.bones))])
    },
    object("drake_blade", IRON, PLAIN, |own, detail| vec![trim::blade(detail, &own.bones)]),
];

/// How vertices lie: with painted light, with exact places, without paint, and without what is not seen from
/// afar.
pub(super) fn formats() -> Vec<VertexFormat> {
    use AttributeLayout::{F16x4, F32x2, F32x3, F32x4, I16x2, U8x4};
    use Semantic::{Binormal, BoneIndices, Colour, Normal, Position, Tangent, Uv, Weights};
    let directions = [(1, F32x3, Normal, 0), (1, F32x3, Tangent, 0), (1, F32x3, Binormal, 0)];
    let bones = [(0, U8x4, Weights, 0), (0, U8x4, BoneIndices, 0)];
    let colour = [(1, U8x4, Colour, 0)];
    let (half, whole) = ([(0, F16x4, Position, 0)], [(0, F32x4, Position, 0)]);
    let short = [(1, I16x2, Uv, 0)];
    let own_short = [(1, I16x2, Uv, 1)];
    let long = [(1, F32x2, Uv, 0)];
    [
        [&half[..], &short, &own_short, &directions, &colour, &bones].concat(),
        [&whole[..], &long, &own_short, &directions, &colour, &bones].concat(),
        [&half[..], &short, &directions, &bones].concat(),
        [&half[..], &short, &directions[..1], &bones].concat(),
    ]
    .iter()
    .map(|attributes| mmsh::declared(attributes))
    .collect()
}

/// What the creature is made of.
pub(super) struct Creature {
    pub(super) anatomy: Anatomy,
    pub(super) bones: Bones,
    /// How long the horns are.
    horns: f32,
}

impl Creature {
    pub(super) fn new(horns: u8) -> Self {
        Self { anatomy: Anatomy::new(), bones: Bones::new(), horns: f32::from(horns) / 100.0 }
    }

    fn pair(&self, right: &Surface) -> Surface {
        let mut both = Surface::default();
        both.append_pair(right, &self.bones);
        both
    }

    fn body(&self, detail: Detail) -> Vec<Surface> {
        let legs = self.pair(&self.anatomy.legs(detail, &self.bones));
        vec![self.anatomy.trunk(detail, &self.bones), legs]
    }

    fn horns(&self, detail: Detail) -> Vec<Surface> {
        let mut horns = self.pair(&head::horns(self.horns, detail, &self.bones));
        horns.append(&self.pair(&self.anatomy.claws(detail, &self.bones)));
        horns.append(&self.anatomy.crest(detail, &self.bones));
        vec![horns]
    }
}

/// What is drawn from each distance on at which any object changes.
pub(super) fn lods(objects: &[Object]) -> Vec<Lod> {
    let mut distances: Vec<f32> =
        objects.iter().flat_map(|object| object.levels).map(|(distance, _)| *distance).collect();
    distances.sort_by(|a, b| b.total_cmp(a));
    distances.dedup();
    let list = |distance: f32, is_shadow: bool| {
        let mut first = 0;
        let mut records = Vec::new();
        for object in objects {
            let passed = object.levels.iter().filter(|(from, _)| *from <= distance).count();
            if !is_shadow || object.casts_shadow {
                records.extend(u32::try_from(first + passed.saturating_sub(1)));
            }
            first += object.levels.len();
        }
        Lod { distance, is_shadow, records }
    };
    [false, true]
        .into_iter()
        .flat_map(|is_shadow| distances.iter().map(move |distance| (*distance, is_shadow)))
        .map(|(distance, is_shadow)| list(distance, is_shadow))
        .collect()
}
