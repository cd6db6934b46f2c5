//! How bones are turned.

use std::collections::BTreeMap;

use glam::{EulerRot, Quat};

/// How bones are turned away from where they rest, each about its own joint and in its own axes; what hangs on
/// them follows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pose {
    turns: BTreeMap<usize, Quat>,
}

impl Pose {
    /// Whether nothing is turned.
    pub fn is_rest(&self) -> bool {
        self.turns.is_empty()
    }

    /// The turn of a bone.
    pub fn turn(&self, bone: usize) -> Quat {
        self.turns.get(&bone).copied().unwrap_or(Quat::IDENTITY)
    }

    /// Turns a bone away from where it rests. A turn that is not finite is none.
    pub fn set(&mut self, bone: usize, turn: Quat) {
        let turn = turn.normalize();
        if turn.is_finite() && turn.w.abs() < 1.0 {
            self.turns.insert(bone, turn);
        } else {
            self.turns.remove(&bone);
        }
    }

    /// The bones that are turned, each with its turn.
    pub fn turns(&self) -> impl Iterator<Item = (usize, Quat)> + '_ {
        self.turns.iter().map(|(bone, turn)| (*bone, *turn))
    }

    /// The angles of a bone's turn in degrees: about its X axis, then about the Y axis that this leaves, then
    /// about the Z axis.
    pub fn angles_deg(&self, bone: usize) -> [f32; 3] {
        let (x, y, z) = self.turn(bone).to_euler(EulerRot::XYZ);
        [x, y, z].map(f32::to_degrees)
    }

    /// Turns a bone by angles, see [`angles_deg`](Self::angles_deg).
    pub fn set_angles_deg(&mut self, bone: usize, angles_deg: [f32; 3]) {
        let [x, y, z] = angles_deg.map(f32::to_radians);
        self.set(bone, Quat::from_euler(EulerRot::XYZ, x, y, z));
    }
}
