//! A mesh made ready to be posed, drawn, measured and exported: its vertices decoded, its bones joined with
//! those of a skeleton.
//!
//! # Axes
//! Y is up, and what has a front has it at +Z. The numbers are **left-handed**: from the front, +X is to the left.
//! No file says so; it is what agrees with everything that was measured on the shipped files:
//! - bones whose names begin with `L_` are at -X, of somebody who looks to +Z;
//! - texture coordinates, V downwards, are laid out as triangles are seen from outside in nearly all that is not
//!   mirrored on purpose: 92 % of the quiver's area, 90 % of the light blade's; with right-handed axes they would
//!   all be seen in a mirror;
//! - triangles, whose numbers run counter-clockwise around the outward normal, are clockwise from outside then,
//!   which is what Direct3D takes for the front where nothing else is asked for.

mod geometry;
mod mirror;
mod pick;
mod pose;
mod quality;
mod rig;

use std::sync::Arc;

use glam::{Affine3A, Vec3};

use self::geometry::union;
pub use self::geometry::{Geometry, NOWHERE, PLACES, Span, UV_SETS, Vertex, is_somewhere};
pub use self::pick::{Hit, Ray};
pub use self::pose::Pose;
pub use self::quality::{Finding, Flaw, FlawPlace, MOST_PLACES, Quality, Severity};
pub use self::rig::{Joint, Rig, bone_from_socket};
use crate::asset::{Mesh, Skeleton, name_order};
use crate::error::Result;
use crate::task::Task;

/// A mesh, a skeleton, or both.
#[derive(Debug)]
pub struct Model {
    /// The mesh, where there is one.
    pub mesh: Option<Arc<Mesh>>,
    /// The skeleton, where there is one.
    pub skeleton: Option<Arc<Skeleton>>,
    /// The bones that can be turned: those of the skeleton, or else those of the mesh.
    pub rig: Rig,
    /// The decoded vertices and triangles; empty without a mesh.
    pub geometry: Arc<Geometry>,
    /// How the bones of the mesh and of the skeleton differ, a sentence each.
    pub notes: Vec<String>,
    /// The bone of the rig that moves what hangs on a place in the order of names of the mesh.
    places: Vec<Option<usize>>,
}

impl Model {
    /// Joins a mesh with a skeleton: bones are the same where the hashes of their names are.
    ///
    /// The palettes of a mesh count in the order of names of its own bones, so they mean the same with and
    /// without a skeleton. At rest no vertex moves, whatever the skeleton says of where its bones are.
    ///
    /// # Errors
    /// `Limit` when the mesh is too large to be drawn; `Cancelled`.
    pub fn new(mesh: Option<Arc<Mesh>>, skeleton: Option<Arc<Skeleton>>, task: &Task) -> Result<Self> {
        let geometry = mesh.as_ref().map(|mesh| Geometry::of(mesh, task)).transpose()?.unwrap_or_default();
        Ok(Self::joined(mesh, skeleton, Arc::new(geometry)))
    }

    /// The same mesh with another skeleton, or with none.
    #[must_use]
    pub fn with_skeleton(&self, skeleton: Option<Arc<Skeleton>>) -> Self {
        Self::joined(self.mesh.clone(), skeleton, Arc::clone(&self.geometry))
    }

    fn joined(mesh: Option<Arc<Mesh>>, skeleton: Option<Arc<Skeleton>>, geometry: Arc<Geometry>) -> Self {
        let own = mesh.as_ref().map_or(&[][..], |mesh| &mesh.bones);
        let rig = Rig::of(skeleton.as_ref().map_or(own, |skeleton| &skeleton.bones));
        let (mut places, mut notes) = (Vec::new(), Vec::new());
        if let Some(mesh) = &mesh {
            let joined = skeleton.as_ref().map(|_| rig.join(&mesh.bones));
            let bone_of = |bone: u32| match &joined {
                Some(joined) => joined.bones.get(bone as usize).copied().flatten(),
                None => Some(bone as usize),
            };
            places = name_order(&mesh.bones).into_iter().map(bone_of).collect();
            notes = joined.map(|joined| joined.notes).unwrap_or_default();
        }
        let own = skeleton.as_ref().map_or(own, |skeleton| &skeleton.bones);
        let faulty = own.iter().filter(|bone| bone.faults().next().is_some()).count();
        if faulty > 0 {
            let bones = if faulty == 1 { "bone has" } else { "bones have" };
            notes.push(format!("{faulty} {bones} no place, rotation or scale: taken as none"));
        }
        Self { mesh, skeleton, rig, geometry, notes, places }
    }

    /// What moves the vertices at rest into a pose, for each place in the order of names of the mesh that a
    /// vertex can hang on; the last one moves nothing.
    pub fn skin(&self, pose: &Pose) -> Vec<Affine3A> {
        let moves = self.rig.moves(pose);
        let of_place = |place: usize| {
            let bone = self.places.get(place).copied().flatten();
            bone.and_then(|bone| moves.get(bone).copied()).unwrap_or(Affine3A::IDENTITY)
        };
        (0..PLACES - 1).map(of_place).chain([Affine3A::IDENTITY]).collect()
    }

    /// The corners of a box around the model at rest: its vertices, or else its joints; some room where it has
    /// neither.
    pub fn bounds(&self) -> [Vec3; 2] {
        let joints = self.rig.joints.iter().map(|joint| joint.position());
        let around = |bounds, at| union(bounds, Some([at, at]));
        let bounds = self.geometry.bounds.or_else(|| joints.fold(None, around));
        bounds.unwrap_or([Vec3::splat(-50.0), Vec3::splat(50.0)])
    }

    /// The bone of the rig that a place in the order of names of the mesh stands for.
    pub fn bone_of(&self, place: u16) -> Option<usize> {
        self.places.get(usize::from(place)).copied().flatten().filter(|_| place != NOWHERE)
    }

    /// The place in the order of names of the mesh that a bone of the rig has there.
    pub fn place_of(&self, bone: usize) -> Option<u16> {
        let place = self.places.iter().take(PLACES - 1).position(|own| *own == Some(bone))?;
        u16::try_from(place).ok()
    }
}

#[cfg(test)]
mod tests;
