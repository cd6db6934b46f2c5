//! Poses seen in a mirror.

use glam::{Quat, Vec3};

use super::{Pose, Rig};

/// How far from its mirror image a bone may rest, in parts of the rig's size.
const CLOSE: f32 = 2e-3;

impl Rig {
    /// For each bone the one on the other side: where bones rest in a mirror through X = 0, with the name of
    /// the other side where several do. A bone in the middle is its own; `None` where there is none.
    ///
    /// The names of the shipped skeletons have `L_` and `R_` at their start, and their bones rest in mirror
    /// images of each other across X.
    pub fn mirrored(&self) -> Vec<Option<usize>> {
        let size = self.joints.iter().map(|joint| joint.position().length()).fold(0.0, f32::max);
        let close = CLOSE * size.max(1.0);
        let image = |at: Vec3| Vec3::new(-at.x, at.y, at.z);
        let of = |(at, joint): (usize, &super::Joint)| {
            let wanted = other_side(&joint.name);
            if let Some(wanted) = &wanted
                && let Some(named) = self.joints.iter().position(|joint| joint.name == *wanted)
            {
                return Some(named);
            }
            let place = image(joint.position());
            // Without a name of a side a bone in the middle is its own image.
            if place.distance(joint.position()) <= close {
                return Some(at);
            }
            let distance = |other: &super::Joint| other.position().distance(place);
            let depth = self.depth(at);
            let near = self
                .joints
                .iter()
                .enumerate()
                .filter(|(other, joint)| distance(joint) <= close && self.depth(*other) == depth);
            near.min_by(|(_, a), (_, b)| distance(a).total_cmp(&distance(b))).map(|(other, _)| other)
        };
        self.joints.iter().enumerate().map(of).collect()
    }

    /// How many bones a bone hangs on.
    fn depth(&self, bone: usize) -> usize {
        let parent = |at: &usize| self.joints.get(*at).and_then(|joint| joint.parent);
        std::iter::successors(Some(bone), parent).count()
    }

    /// A turn of a bone as the bone on the other side has it.
    pub fn mirrored_turn(&self, bone: usize, other: usize, turn: Quat) -> Quat {
        let rest = |bone: usize| {
            let joint = self.joints.get(bone);
            joint.map_or(Quat::IDENTITY, |joint| joint.model_from_bone.to_scale_rotation_translation().1)
        };
        let (own, image) = (rest(bone), rest(other));
        let [x, y, z, w] = (own * turn * own.inverse()).to_array();
        // In a mirror an axis keeps its part along the mirror's normal, and the sense is the other one.
        image.inverse() * Quat::from_xyzw(x, -y, -z, w) * image
    }

    /// A pose with left and right exchanged. Turns of bones without another side stay.
    pub fn mirrored_pose(&self, pose: &Pose) -> Pose {
        let pairs = self.mirrored();
        let mut mirrored = Pose::default();
        for (bone, turn) in pose.turns() {
            match pairs.get(bone).copied().flatten() {
                Some(other) => mirrored.set(other, self.mirrored_turn(bone, other, turn)),
                None => mirrored.set(bone, turn),
            }
        }
        mirrored
    }
}

/// The name of a bone on the other side; `None` for names that tell no side.
fn other_side(name: &str) -> Option<String> {
    let swap = |from: &str, to: &str| {
        if let Some(rest) = name.strip_prefix(from) {
            return Some(format!("{to}{rest}"));
        }
        name.contains(&format!("_{from}")).then(|| name.replacen(&format!("_{from}"), &format!("_{to}"), 1))
    };
    let at_end = |from: &str, to: &str| Some(format!("{}{to}", name.strip_suffix(from)?));
    swap("L_", "R_")
        .or_else(|| swap("R_", "L_"))
        .or_else(|| at_end("_L", "_R"))
        .or_else(|| at_end("_R", "_L"))
}
