//! A pose that is changed by hand, step by step, and back.

use std::sync::Arc;

use glam::{Affine3A, Quat};
use palimpsest_core::model::{Pose, Rig};

use crate::gpu::mesh::Drawable;

/// How many steps can be taken back.
const STEPS: usize = 200;

/// A pose, and the steps to it.
#[derive(Debug, Default)]
pub(super) struct PoseEdit {
    now: Pose,
    before: Vec<Pose>,
    after: Vec<Pose>,
    /// Whether the last step goes on, as while a slider is held.
    goes_on: bool,
    /// The names of the bones that the numbers of the pose mean.
    bones: Vec<u32>,
    /// What moves vertices in the pose of a model.
    skin: Option<(Arc<Drawable>, Pose, Arc<Vec<Affine3A>>)>,
}

impl PoseEdit {
    /// The pose as it is.
    pub(super) fn pose(&self) -> &Pose {
        &self.now
    }

    /// Changes the pose in a step of its own, or in one that goes on until [`rest`](Self::let_go).
    pub(super) fn change(&mut self, goes_on: bool, change: impl FnOnce(&mut Pose)) {
        let mut new = self.now.clone();
        change(&mut new);
        if new == self.now {
            return;
        }
        if !self.goes_on {
            self.before.push(std::mem::take(&mut self.now));
            if self.before.len() > STEPS {
                self.before.remove(0);
            }
        }
        self.now = new;
        self.after.clear();
        self.goes_on = goes_on;
    }

    /// Ends a step that goes on.
    pub(super) fn let_go(&mut self) {
        self.goes_on = false;
    }

    /// Turns a bone in a step that goes on.
    pub(super) fn turn(&mut self, bone: usize, turn: Quat) {
        self.change(true, |pose| pose.set(bone, turn));
    }

    pub(super) fn can_undo(&self) -> bool {
        !self.before.is_empty()
    }

    pub(super) fn can_redo(&self) -> bool {
        !self.after.is_empty()
    }

    /// Takes the last step back.
    pub(super) fn undo(&mut self) {
        if let Some(pose) = self.before.pop() {
            self.after.push(std::mem::replace(&mut self.now, pose));
            self.goes_on = false;
        }
    }

    /// Takes the step again that was taken back last.
    pub(super) fn redo(&mut self) {
        if let Some(pose) = self.after.pop() {
            self.before.push(std::mem::replace(&mut self.now, pose));
            self.goes_on = false;
        }
    }

    /// Goes on with the bones of another rig: those of the same names keep their turns.
    pub(super) fn follow(&mut self, rig: &Rig, bone: &mut Option<usize>) {
        let is_same = self.bones.len() == rig.joints.len()
            && self.bones.iter().zip(&rig.joints).all(|(own, joint)| *own == joint.hash);
        if is_same {
            return;
        }
        let old = std::mem::take(&mut self.bones);
        self.bones = rig.joints.iter().map(|joint| joint.hash).collect();
        let new = |at: usize| {
            let hash = old.get(at)?;
            self.bones.iter().position(|own| own == hash)
        };
        let moved = |pose: &Pose| {
            let mut moved = Pose::default();
            pose.turns()
                .filter_map(|(at, turn)| Some((new(at)?, turn)))
                .for_each(|(at, turn)| moved.set(at, turn));
            moved
        };
        *bone = bone.and_then(new);
        let [before, after] =
            [&self.before, &self.after].map(|poses| poses.iter().map(moved).collect::<Vec<_>>());
        let now = moved(&self.now);
        (self.now, self.before, self.after) = (now, before, after);
    }

    /// What moves the vertices of a model into the pose.
    pub(super) fn skin(&mut self, drawable: &Arc<Drawable>) -> Arc<Vec<Affine3A>> {
        if let Some((of, pose, skin)) = &self.skin
            && Arc::ptr_eq(of, drawable)
            && *pose == self.now
        {
            return Arc::clone(skin);
        }
        let skin = Arc::new(drawable.model.skin(&self.now));
        self.skin = Some((Arc::clone(drawable), self.now.clone(), Arc::clone(&skin)));
        skin
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slider_that_is_held_makes_one_step() {
        let mut edit = PoseEdit::default();
        for angle in [10.0, 20.0, 30.0] {
            edit.turn(2, Quat::from_rotation_x(angle));
        }
        edit.let_go();
        edit.turn(3, Quat::from_rotation_y(0.5));
        edit.let_go();
        let bent = edit.pose().clone();
        edit.undo();
        edit.undo();
        assert!(edit.pose().is_rest() && !edit.can_undo());
        edit.redo();
        edit.redo();
        assert_eq!(*edit.pose(), bent);
        assert!(!edit.can_redo());
    }

    #[test]
    fn what_changes_nothing_is_no_step() {
        let mut edit = PoseEdit::default();
        edit.change(false, |pose| pose.set(1, Quat::IDENTITY));
        assert!(!edit.can_undo());
    }
}
