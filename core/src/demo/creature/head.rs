//! The head: skull, jaw, teeth, tongue, eyes and horns.

use super::Detail;
use super::anatomy::Anatomy;
use super::atlas::{self, Island};
use super::bones::Bones;
use super::field::{Field, Piece};
use super::path::{Knot, Path, knot};
use super::surface::Surface;
use super::tube::{Skin, Tube};
use super::vector::{ONE, Vector, add, scale};

/// Where the head sits, and which way it looks: forward and up.
const ORIGIN: Vector = [0.0, 110.0, 60.0];
const FORWARD: Vector = [0.0, -0.196, 0.9806];
const UP: Vector = [0.0, 0.9806, 0.196];

/// The eye to the right, in the space of the head.
const EYE: Vector = [4.9, 3.0, 9.8];
const EYE_RADIUS: f32 = 2.3;

/// A place of the head: to the right, up and forward of where it sits.
const fn place([x, y, z]: Vector) -> Vector {
    let at = add(add(ORIGIN, scale(UP, y)), scale(FORWARD, z));
    [x, at[1], at[2]]
}

fn piece(ends: [Vector; 2], radii: [f32; 2], wide: Vector) -> Piece {
    Piece::new(ends.map(place), radii, [wide; 2])
}

const fn head_knot(at: Vector, radius: f32, wide: Vector) -> Knot {
    Knot { at: place(at), radius, wide }
}

/// Melts the head into the neck, with room for the jaw.
pub(super) fn add_to(skin: &mut Field) {
    // Skull and snout, cheeks, the ridges of brow and snout, the nose.
    skin.add(vec![piece([[0.0, 0.6, -1.0], [0.0, 1.6, 6.0]], [7.4, 7.2], ONE)], 5.0);
    skin.add(vec![piece([[0.0, 0.6, 6.0], [0.0, -0.2, 28.5]], [6.9, 4.3], [1.0, 0.85, 1.0])], 4.0);
    skin.add(vec![piece([[6.0, -3.4, -2.0], [4.9, -3.2, 7.5]], [4.0, 2.8], ONE)], 3.0);
    skin.add(vec![piece([[6.6, 7.4, 0.5], [4.7, 4.2, 14.0]], [2.1, 1.5], ONE)], 2.0);
    skin.add(vec![piece([[4.7, 4.2, 14.0], [2.4, 2.4, 24.0]], [1.4, 0.8], ONE)], 2.0);
    skin.add(vec![piece([[2.4, 2.2, 28.4], [2.2, 2.2, 30.2]], [1.6, 1.4], ONE)], 2.0);
    skin.carve(vec![piece([[8.6, 3.0, 8.4], [8.2, 2.4, 12.6]], [2.7, 2.0], ONE)], 1.8);
    skin.carve(vec![piece([[2.3, 2.0, 33.0], [3.8, 2.8, 31.0]], [0.9, 0.7], ONE)], 0.8);
    skin.carve(vec![piece([[0.0, -6.0, 9.5], [0.0, -8.4, 36.0]], [1.2, 5.4], [3.0, 1.0, 1.0])], 1.4);
}

/// The curve that the skin of the head is found from.
fn axis() -> Path {
    Path::new(&[
        knot(place([0.0, 0.2, -3.0]), 7.0),
        knot(place([0.0, 1.2, 4.0]), 7.0),
        knot(place([0.0, 0.9, 14.0]), 5.0),
        knot(place([0.0, 0.6, 22.0]), 4.0),
        knot(place([0.0, 0.5, 28.6]), 3.4),
    ])
}

fn jaw() -> Path {
    let wide = [1.25, 0.62, 1.0];
    Path::new(&[
        head_knot([0.0, -4.2, -1.0], 4.6, [1.3, 0.8, 1.0]),
        head_knot([0.0, -5.8, 6.0], 4.6, wide),
        head_knot([0.0, -8.2, 14.0], 3.7, wide),
        head_knot([0.0, -10.4, 22.0], 2.8, wide),
        head_knot([0.0, -11.4, 26.5], 2.2, [1.3, 0.75, 1.0]),
    ])
}

impl Anatomy {
    /// Skull and jaw, with teeth and tongue.
    pub(super) fn head(&self, detail: Detail, bones: &Bones) -> Surface {
        let path = axis();
        let tube = Tube {
            path: &path,
            seam: [0.0, -1.0, 0.0],
            rings: detail.of(27),
            segments: detail.around(30),
            caps: [detail.of(3), detail.of(5)],
            island: atlas::HEAD,
        };
        let flesh = bones.flesh();
        let skin =
            Skin { all: &self.skin, own: &self.head_skin, reach: 3.0, bulge: 4.0, others: &self.trunk_skin };
        let mut head = tube.on(&skin).hung_on(|at| bones.near(&flesh, at));
        let path = jaw();
        let tube = Tube {
            path: &path,
            rings: detail.of(14),
            segments: detail.around(16),
            caps: [0, detail.of(3)],
            island: atlas::JAW,
            ..tube
        };
        head.append(&tube.round().hung_on(|_| bones.only("Jaw")));
        if detail.is_at_least(50) {
            head.append(&tongue(bones));
        }
        if detail.is_at_least(40) {
            head.append_pair(&teeth(detail, bones), bones);
        }
        head
    }
}

fn tongue(bones: &Bones) -> Surface {
    let wide = [1.5, 0.45, 1.0];
    let path = Path::new(&[
        head_knot([0.0, -5.0, 5.0], 2.0, wide),
        head_knot([0.0, -5.6, 12.0], 1.9, wide),
        head_knot([0.0, -7.6, 19.0], 1.5, wide),
        head_knot([0.0, -8.6, 24.0], 0.7, wide),
    ]);
    let tube = Tube {
        path: &path,
        seam: [0.0, -1.0, 0.0],
        rings: 7,
        segments: 8,
        caps: [0, 2],
        island: atlas::TONGUE,
    };
    tube.round().hung_on(|_| bones.only("Jaw"))
}

/// The right teeth of both jaws.
fn teeth(detail: Detail, bones: &Bones) -> Surface {
    let mut teeth = Surface::default();
    for step in 0..6u8 {
        let t = f32::from(step) / 5.0;
        let size = if step == 4 { 1.7 } else { 1.0 };
        let root = [4.3 - 1.5 * t * t, -2.3, 12.0 + 16.8 * t];
        let tip = add(root, [0.25, -2.7 * size, -0.6]);
        teeth.append(
            &spike([place(root), place(tip)], 0.8 * size, [5, 2], detail, atlas::SPIKE)
                .hung_on(|_| bones.only("Head")),
        );
    }
    for step in 0..5u8 {
        let t = f32::from(step) / 4.0;
        let size = if step == 4 { 1.5 } else { 1.0 };
        let root = [3.5 - 1.3 * t * t, -7.0 - 3.2 * t, 13.0 + 12.5 * t];
        let tip = add(root, [0.2, 2.4 * size, -0.8]);
        teeth.append(
            &spike([place(root), place(tip)], 0.7 * size, [5, 2], detail, atlas::SPIKE)
                .hung_on(|_| bones.only("Jaw")),
        );
    }
    teeth
}

/// A straight spike from its root to its tip.
pub(super) fn spike(
    ends: [Vector; 2],
    radius: f32,
    [segments, rings]: [usize; 2],
    detail: Detail,
    island: Island,
) -> Surface {
    let [root, tip] = ends;
    let middle = scale(add(root, tip), 0.5);
    let path = Path::new(&[knot(root, radius), knot(middle, 0.68 * radius), knot(tip, 0.06 * radius)]);
    let (rings, segments) = (detail.of(rings), detail.around(segments));
    Tube { path: &path, seam: [0.0, -0.3, -1.0], rings, segments, caps: [0, 1], island }.round()
}

/// The right eye.
pub(super) fn eye(detail: Detail, bones: &Bones) -> Surface {
    let [x, y, z] = place(EYE);
    let across = [0.5, 0.0, 0.1];
    let path = Path::new(&[knot([x - across[0], y, z - across[2]], EYE_RADIUS), knot([x, y, z], EYE_RADIUS)]);
    let tube = Tube {
        path: &path,
        seam: [0.0, -1.0, 0.0],
        rings: 1,
        segments: detail.around(12),
        caps: [0, detail.of(5)],
        island: atlas::EYE,
    };
    tube.round().hung_on(|_| bones.only("R_Eye"))
}

/// The right horns, of which the large one is `longer` times its usual length.
pub(super) fn horns(longer: f32, detail: Detail, bones: &Bones) -> Surface {
    let large = [
        ([4.4, 5.8, -0.5], 2.8),
        ([7.0, 10.2, -5.5], 2.45),
        ([9.4, 13.0, -12.5], 1.95),
        ([11.0, 14.6, -20.0], 1.25),
        ([11.8, 16.8, -27.5], 0.16),
    ];
    let root = large[0].0;
    let grown = |at: Vector| place(add(root, scale(super::vector::sub(at, root), longer)));
    let path = Path::new(&large.map(|(at, radius)| knot(grown(at), radius)));
    let tube = Tube {
        path: &path,
        seam: [0.0, -1.0, 0.0],
        rings: detail.of(14),
        segments: detail.around(10),
        caps: [0, 1],
        island: atlas::HORN,
    };
    let mut horns = tube.round();
    let small = [
        ([[7.6, -2.2, -1.5], [14.5, -2.6, -11.0]], 1.6),
        ([[6.8, -5.2, -1.0], [11.4, -8.6, -8.0]], 1.3),
        ([[6.4, 5.6, 0.0], [12.0, 7.4, -8.5]], 1.4),
    ];
    for (ends, radius) in small {
        horns.append(&spike(ends.map(place), radius, [7, 4], detail, atlas::SPIKE));
    }
    horns.hung_on(|_| bones.only("Head"))
}
