//! Bones that can be turned.

use std::collections::HashMap;

use glam::{Affine3A, Quat, Vec3};

use super::{Pose, is_somewhere};
use crate::asset::{Bone, Socket, name_order};

/// How far apart two bones may be said to rest and still be the same, in centimetres and in parts of a unit
/// quaternion: the rotations of the shipped meshes and their skeletons differ by up to 6e-6.
const CLOSE: f32 = 1e-4;

/// How many differences are told one by one.
const TOLD: usize = 20;

/// Bones in the order of their records.
#[derive(Clone, Debug, Default)]
pub struct Rig {
    /// The bones.
    pub joints: Vec<Joint>,
    /// The bones in the order of names.
    pub order: Vec<u32>,
    /// The bones so that each comes behind what it hangs on.
    downwards: Vec<usize>,
}

/// A bone at rest.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// The hash of its name.
    pub hash: u32,
    /// Its name, where the file has names.
    pub name: String,
    /// The bone that it hangs on.
    pub parent: Option<usize>,
    /// The bones that hang on it.
    pub children: Vec<usize>,
    /// Where it rests in the space of the model, which is also what its turn starts from.
    pub model_from_bone: Affine3A,
    /// The inverse.
    pub bone_from_model: Affine3A,
}

impl Joint {
    fn of(bone: &Bone, parent: Option<usize>) -> Self {
        let position = Vec3::from(bone.position);
        let rotation = Quat::from_array(bone.rotation);
        let length = rotation.length();
        // What is no rotation turns nothing; the checks of the file tell of it.
        let rotation = if length.is_normal() { rotation / length } else { Quat::IDENTITY };
        let scale = if bone.scale.is_normal() { bone.scale } else { 1.0 };
        let position = if is_somewhere(position) { position } else { Vec3::ZERO };
        let model_from_bone =
            Affine3A::from_scale_rotation_translation(Vec3::splat(scale), rotation, position);
        Self {
            hash: bone.hash,
            name: bone.name.clone(),
            parent,
            children: Vec::new(),
            model_from_bone,
            bone_from_model: model_from_bone.inverse(),
        }
    }

    /// Where the joint rests, in the space of the model.
    pub fn position(&self) -> Vec3 {
        self.model_from_bone.translation.into()
    }
}

/// A socket in the space of its bone, in which it is assumed to be stated; `None` where it is nowhere.
pub fn bone_from_socket(socket: &Socket) -> Option<Affine3A> {
    let (at, turn) = (Vec3::from(socket.position), Quat::from_array(socket.rotation));
    let length = turn.length();
    let scale = if socket.scale.is_normal() { socket.scale } else { 1.0 };
    (is_somewhere(at) && length.is_normal())
        .then(|| Affine3A::from_scale_rotation_translation(Vec3::splat(scale), turn / length, at))
}

/// The bones of a rig that are those of a mesh.
pub(super) struct Joined {
    /// For each bone of the mesh that of the rig.
    pub(super) bones: Vec<Option<usize>>,
    pub(super) notes: Vec<String>,
}

impl Rig {
    /// The rig of bones whose transforms are those in the space of the model, as files state them: none is
    /// composed with that of its parent.
    pub fn of(bones: &[Bone]) -> Self {
        // A bone that hangs on a later one, or on none that is there, hangs on nothing.
        let parent = |(at, bone): (usize, &Bone)| bone.parent.map(|own| own as usize).filter(|own| *own < at);
        let parents: Vec<_> = bones.iter().enumerate().map(parent).collect();
        let mut joints: Vec<_> =
            bones.iter().zip(&parents).map(|(bone, parent)| Joint::of(bone, *parent)).collect();
        for (at, parent) in parents.iter().enumerate() {
            if let Some(joint) = parent.and_then(|parent| joints.get_mut(parent)) {
                joint.children.push(at);
            }
        }
        Self { downwards: (0..joints.len()).collect(), order: name_order(bones), joints }
    }

    /// Where the bones are in a pose, in the space of the model.
    pub fn posed(&self, pose: &Pose) -> Vec<Affine3A> {
        let moves = self.moves(pose);
        self.joints.iter().zip(moves).map(|(joint, moved)| moved * joint.model_from_bone).collect()
    }

    /// What moves what hangs on each bone from where it rests into a pose; exactly nothing for bones that
    /// neither are turned nor hang on one that is.
    pub fn moves(&self, pose: &Pose) -> Vec<Affine3A> {
        let mut moves = vec![Affine3A::IDENTITY; self.joints.len()];
        if pose.is_rest() {
            return moves;
        }
        for at in &self.downwards {
            let Some(joint) = self.joints.get(*at) else { continue };
            let above = joint.parent.and_then(|parent| moves.get(parent)).copied().unwrap_or_default();
            let turn = pose.turn(*at);
            let own = if turn == Quat::IDENTITY {
                above
            } else {
                above * joint.model_from_bone * Affine3A::from_quat(turn) * joint.bone_from_model
            };
            if let Some(slot) = moves.get_mut(*at) {
                *slot = own;
            }
        }
        moves
    }

    /// The bone with a name, or with its hash as `0x88BAA7E7`; letter case ignored.
    pub fn find(&self, name: &str) -> Option<usize> {
        let hex = name.strip_prefix("0x").or_else(|| name.strip_prefix("0X"));
        let hash = match hex.and_then(|hex| u32::from_str_radix(hex, 16).ok()) {
            Some(hash) => hash,
            None => crate::hash::string_hash(name.as_bytes()),
        };
        self.joints.iter().position(|joint| joint.hash == hash)
    }

    /// The bones that hang on a bone, near and far, and itself.
    pub fn below(&self, bone: usize) -> Vec<usize> {
        let mut found = vec![bone];
        let mut at = 0;
        while let Some(next) = found.get(at) {
            found.extend(self.joints.get(*next).iter().flat_map(|joint| &joint.children));
            at += 1;
        }
        found
    }

    /// Finds the bones of a mesh among those of a skeleton by the hashes of their names, and tells how they
    /// differ.
    pub(super) fn join(&self, bones: &[Bone]) -> Joined {
        let own: HashMap<u32, usize> =
            self.joints.iter().enumerate().rev().map(|(at, joint)| (joint.hash, at)).collect();
        let found: Vec<_> = bones.iter().map(|bone| own.get(&bone.hash).copied()).collect();
        let mesh = Self::of(bones);
        let mut notes = Vec::new();
        for (joint, found) in mesh.joints.iter().zip(&found) {
            let Some(other) = found.and_then(|found| self.joints.get(found)) else {
                notes.push(format!(
                    "The skeleton has no bone {:#010X}: what hangs on it does not move.",
                    joint.hash
                ));
                continue;
            };
            notes.extend(difference(joint, other, &mesh, self));
        }
        let more = notes.len().saturating_sub(TOLD);
        notes.truncate(TOLD);
        if more > 0 {
            notes
                .push(format!("And {more} more differences between the bones of the mesh and the skeleton."));
        }
        Joined { bones: found, notes }
    }
}

/// How a bone of a mesh and that of a skeleton differ.
fn difference(own: &Joint, other: &Joint, mesh: &Rig, skeleton: &Rig) -> Option<String> {
    let parent = |joint: &Joint, rig: &Rig| {
        joint.parent.and_then(|parent| rig.joints.get(parent)).map(|parent| parent.hash)
    };
    let name = if other.name.is_empty() { format!("{:#010X}", other.hash) } else { other.name.clone() };
    if parent(own, mesh) != parent(other, skeleton) {
        return Some(format!("{name} hangs on another bone in the skeleton than in the mesh."));
    }
    let apart = own.position().distance(other.position());
    let turned = {
        let quat = |joint: &Joint| joint.model_from_bone.to_scale_rotation_translation().1;
        let (own, other) = (quat(own), quat(other));
        (own - other).length().min((own + other).length())
    };
    if apart > CLOSE * own.position().length().max(1.0) {
        return Some(format!("{name} rests {apart} cm apart in the mesh and in the skeleton."));
    }
    (turned > CLOSE).then(|| format!("{name} rests turned otherwise in the skeleton than in the mesh."))
}
