//! A creature of our own: a drake with four legs and two wings, a blade bound to its tail.
//!
//! Curves and solid pieces make its skin, tubes along the curves the triangles on it. The same bones move all
//! parts, so that what meets stays together. Written as the shipped meshes and skeletons are.

mod anatomy;
mod atlas;
mod body;
mod bones;
mod field;
mod head;
mod mesh;
mod objects;
mod path;
mod skeleton;
pub(super) mod skin;
mod surface;
mod trim;
mod tube;
mod vector;
mod wings;

pub(super) use self::mesh::{flawed, mesh};
pub(super) use self::skeleton::skeleton;

/// How many rings and segments there are, in parts of a hundred.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Detail(usize);

impl Detail {
    /// Of so many, at least one.
    fn of(self, most: usize) -> usize {
        ((most * self.0 + 50) / 100).max(1)
    }

    /// Of so many around a tube, at least three.
    fn around(self, most: usize) -> usize {
        self.of(most).max(3)
    }

    const fn is_at_least(self, percent: usize) -> bool {
        self.0 >= percent
    }
}

/// Which release of the creature it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Release {
    /// How long the horns are, in parts of a hundred of their usual length.
    horns: u8,
    /// The three levels of detail, in parts of a hundred of the most.
    details: [usize; 3],
}

/// As it shipped: short horns, few triangles.
pub(super) const SHIPPED: Release = Release { horns: 45, details: [56, 36, 24] };
/// As a patch ships it.
pub(super) const PATCHED: Release = Release { horns: 100, details: [88, 50, 28] };

#[cfg(test)]
mod tests;
