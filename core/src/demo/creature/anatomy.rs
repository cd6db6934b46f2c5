//! The curves and the skin of the creature, of pairs the right one.

use super::field::{Field, Piece};
use super::head;
use super::path::{Knot, Path, knot};
use super::vector::{ONE, Vector};

/// How far legs melt into the trunk, and toes into feet, in centimetres.
const MELT: f32 = 9.0;
const TOE_MELT: f32 = 2.5;

/// The toes of a foot: how far to the side each ends, and how far ahead.
const TOES: [[f32; 2]; 3] = [[-5.6, 8.0], [0.4, 10.5], [6.2, 7.6]];

/// From the end of the tail into the skull.
const TRUNK: [Knot; 17] = [
    knot([0.0, 50.0, -113.0], 1.5),
    knot([0.0, 44.5, -107.0], 1.9),
    knot([0.0, 39.0, -98.0], 2.7),
    knot([0.0, 36.0, -86.0], 3.8),
    knot([0.0, 39.0, -71.0], 5.2),
    knot([0.0, 46.5, -56.0], 7.4),
    oval([0.0, 54.0, -40.0], 10.6, 0.95),
    oval([0.0, 58.0, -24.0], 13.6, 0.92),
    oval([0.0, 59.5, -7.0], 12.6, 0.94),
    oval([0.0, 59.0, 8.0], 14.6, 0.94),
    oval([0.0, 59.5, 21.0], 16.6, 0.9),
    oval([0.0, 65.0, 33.0], 14.2, 0.88),
    knot([0.0, 74.5, 41.0], 10.4),
    knot([0.0, 86.0, 46.0], 8.4),
    knot([0.0, 97.5, 50.0], 7.3),
    knot([0.0, 106.0, 55.0], 7.0),
    knot([0.0, 110.5, 62.0], 5.0),
];

/// From the shoulder to the foot.
const FRONT_LEG: [Knot; 6] = [
    knot([11.0, 62.0, 26.0], 9.5),
    knot([15.5, 49.0, 22.0], 7.8),
    knot([18.0, 35.5, 17.5], 5.2),
    knot([18.0, 22.0, 20.5], 4.3),
    knot([17.5, 11.0, 25.0], 3.9),
    knot([17.5, 5.2, 28.5], 4.4),
];

/// From the hip to the foot.
const HIND_LEG: [Knot; 8] = [
    knot([9.5, 60.0, -27.0], 11.5),
    knot([15.0, 51.0, -21.5], 9.4),
    knot([18.4, 42.0, -17.0], 7.2),
    knot([19.2, 34.0, -18.5], 5.8),
    knot([18.8, 26.5, -25.0], 4.8),
    knot([18.0, 19.0, -32.0], 3.9),
    knot([18.0, 11.0, -31.0], 3.6),
    knot([18.0, 5.4, -27.0], 4.4),
];

const fn oval(at: Vector, radius: f32, across: f32) -> Knot {
    Knot { at, radius, wide: [across, 1.0, 1.0] }
}

/// A leg with its toes.
#[derive(Clone, Debug)]
pub(super) struct Leg {
    pub(super) path: Path,
    pub(super) toes: Vec<Path>,
    /// The skin of the leg alone.
    pub(super) skin: Field,
}

impl Leg {
    fn new(knots: &[Knot], foot: Vector, muscle: Piece) -> Self {
        let path = Path::new(knots);
        let mut skin = Field::default();
        skin.add_path(&path, MELT);
        skin.add(vec![muscle], MELT);
        Self { path, toes: TOES.iter().map(|toe| toe_path(foot, *toe)).collect(), skin }
    }
}

/// What the creature is made of.
#[derive(Clone, Debug)]
pub(super) struct Anatomy {
    pub(super) trunk: Path,
    pub(super) front: Leg,
    pub(super) hind: Leg,
    /// The skin of all of it and of the head, without the jaw.
    pub(super) skin: Field,
    /// The skin of parts of it alone.
    pub(super) trunk_skin: Field,
    pub(super) limbs_skin: Field,
    pub(super) head_skin: Field,
}

impl Anatomy {
    pub(super) fn new() -> Self {
        let trunk = Path::new(&TRUNK);
        let forearm = Piece::new([[18.4, 33.0, 18.6], [18.2, 26.0, 20.0]], [3.6, 3.0], [ONE; 2]);
        let front = Leg::new(&FRONT_LEG, [17.5, 3.8, 29.5], forearm);
        let calf = Piece::new([[19.0, 36.0, -21.5], [18.6, 27.0, -27.0]], [4.6, 3.6], [ONE; 2]);
        let hind = Leg::new(&HIND_LEG, [18.0, 3.8, -26.5], calf);
        let [mut skin, mut trunk_skin, mut head_skin, mut limbs_skin] = [(); 4].map(|()| Field::default());
        trunk_skin.add_path(&trunk, MELT);
        trunk_skin.add(muscles(), MELT);
        head::add_to(&mut head_skin);
        skin.add_path(&trunk, MELT);
        for leg in [&front, &hind] {
            skin.extend(&leg.skin);
            limbs_skin.extend(&leg.skin);
        }
        head::add_to(&mut limbs_skin);
        skin.add(muscles(), MELT);
        for toe in front.toes.iter().chain(&hind.toes) {
            skin.add_path(toe, TOE_MELT);
        }
        head::add_to(&mut skin);
        Self { trunk, front, hind, skin, trunk_skin, limbs_skin, head_skin }
    }
}

fn toe_path([x, y, z]: Vector, [aside, ahead]: [f32; 2]) -> Path {
    Path::new(&[
        knot([x + 0.2 * aside, y + 0.4, z], 3.0),
        knot([x + 0.62 * aside, y, z + 0.55 * ahead], 2.5),
        knot([x + aside, y - 1.4, z + ahead], 2.1),
    ])
}

/// What stands out on the right of the trunk.
fn muscles() -> Vec<Piece> {
    let ball = |at: Vector, radius, wide| Piece::new([at, at], [radius; 2], [wide; 2]);
    vec![
        // Shoulder blade, breast, haunch.
        Piece::new([[8.5, 70.0, 20.0], [13.0, 55.0, 27.0]], [6.0, 6.5], [ONE; 2]),
        ball([6.0, 56.0, 30.0], 8.5, [1.0, 1.2, 1.0]),
        Piece::new([[8.0, 64.0, -28.0], [14.0, 53.0, -22.0]], [6.6, 7.4], [ONE; 2]),
    ]
}
