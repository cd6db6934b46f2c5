//! The wings: arms, fingers, and the skin between them.

use super::Detail;
use super::atlas::{self, Island};
use super::bones::Bones;
use super::path::{Path, knot};
use super::surface::{Surface, sheet};
use super::tube::Tube;
use super::vector::{Vector, add, mix, scale, sub};

/// How far the skin hangs between fingers, in centimetres.
const SAG: Vector = [2.0, -5.5, -3.0];

/// The curves of the right wing.
struct Wing {
    arm: Path,
    fingers: [Path; 3],
    /// Where it grows from the trunk.
    flank: Path,
}

impl Wing {
    fn new() -> Self {
        let shoulder = knot([7.0, 69.0, 20.0], 4.6);
        let wrist = [52.0, 126.0, 22.0];
        let finger = |knots: [Vector; 3]| {
            let [near, far, tip] = knots;
            Path::new(&[knot(wrist, 2.0), knot(near, 1.5), knot(far, 1.1), knot(tip, 0.25)])
        };
        Self {
            arm: Path::new(&[
                shoulder,
                knot([21.0, 85.0, 9.0], 3.6),
                knot([34.0, 99.0, 4.0], 2.9),
                knot([43.0, 113.0, 11.5], 2.3),
                knot(wrist, 2.2),
            ]),
            fingers: [
                finger([[72.0, 130.0, 12.0], [92.0, 127.0, -2.0], [110.0, 115.0, -18.0]]),
                finger([[68.0, 119.0, -4.0], [82.0, 105.0, -30.0], [90.0, 86.0, -54.0]]),
                finger([[57.0, 112.0, -10.0], [58.0, 93.0, -41.0], [54.0, 70.0, -66.0]]),
            ],
            flank: Path::new(&[
                shoulder,
                knot([8.0, 69.0, 2.0], 1.0),
                knot([8.5, 65.0, -16.0], 1.0),
                knot([7.5, 60.0, -33.0], 1.0),
            ]),
        }
    }

    /// A place between two curves that start at the wrist; `s` across, `t` away from it.
    fn between(from: &Path, to: &Path, [s, t]: [f32; 2]) -> Vector {
        // Where the fingers are one, their own skin covers it.
        const START: f32 = 0.05;
        let hollow = 4.0 * s * (1.0 - s);
        let t = START + (1.0 - START) * t * (1.0 - 0.2 * hollow);
        add(mix(from.at(t).at, to.at(t).at, s), scale(SAG, hollow * t))
    }

    /// A place between the trunk and the last finger.
    fn inner(&self, [s, t]: [f32; 2]) -> Vector {
        let hollow = 4.0 * s * (1.0 - s);
        let t = t * (1.0 - 0.24 * hollow);
        let [_, _, last] = &self.fingers;
        let straight = |t: f32| mix(self.flank.at(t).at, last.at(t).at, s);
        let bent = sub(self.arm.at(s).at, straight(0.0));
        add(add(straight(t), scale(bent, (1.0 - t) * (1.0 - t))), scale(SAG, 1.3 * hollow * t))
    }
}

const ARM: [&str; 3] = ["Chest", "R_Wing_Arm", "R_Wing_Fore"];
const FINGERS: [&str; 3] = ["R_Wing_Finger_1", "R_Wing_Finger_2", "R_Wing_Finger_3"];

/// The right wing.
pub(super) fn wing(detail: Detail, bones: &Bones) -> Surface {
    let wing = Wing::new();
    let tube = Tube {
        path: &wing.arm,
        seam: [0.0, 0.0, -1.0],
        rings: detail.of(14),
        segments: detail.around(9),
        caps: [0, detail.of(2)],
        island: atlas::FINGER,
    };
    let arm = bones.named(&ARM);
    let mut all = tube.round().hung_on(|at| bones.near(&arm, at));
    for (path, name) in wing.fingers.iter().zip(FINGERS) {
        let tube =
            Tube { path, rings: detail.of(10), segments: detail.around(6), caps: [0, 1], ..tube.clone() };
        all.append(&tube.round().hung_on(|_| bones.only(name)));
    }
    let own = bones.named(&[&ARM[..], &FINGERS[..], &["Spine", "Hips"]].concat());
    let [first, second, third] = &wing.fingers;
    let size = [detail.of(7), detail.of(8)];
    let strip = |number: f32| {
        let Island([left, top, right, bottom]) = atlas::MEMBRANE;
        let step = (bottom - top) / 3.0;
        Island([left, top + number * step + 0.005, right, top + (number + 1.0) * step - 0.005])
    };
    let mut skin = sheet(size, strip(0.0), 0.25, |s, t| Wing::between(second, first, [s, t]));
    skin.append(&sheet(size, strip(1.0), 0.25, |s, t| Wing::between(third, second, [s, t])));
    skin.append(&sheet([detail.of(11), detail.of(9)], strip(2.0), 0.25, |s, t| wing.inner([s, t])));
    all.append(&skin.hung_on(|at| bones.near(&own, at)));
    all
}
