//! Where everything lies in the pictures of the skin.

/// A rectangle of the pictures: left, top, right, bottom.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Island(pub(super) [f32; 4]);

impl Island {
    /// A place in the pictures, by parts of the way along and around.
    pub(super) const fn place(self, along: f32, around: f32) -> [f32; 2] {
        let [left, top, right, bottom] = self.0;
        [left + along * (right - left), top + around * (bottom - top)]
    }

    /// The parts of the way along and around, where a place of the pictures lies in the rectangle or nearly.
    pub(super) fn part_of(self, [u, v]: [f32; 2]) -> Option<[f32; 2]> {
        const RIM: f32 = 0.008;
        let [left, top, right, bottom] = self.0;
        let is_inside = u > left - RIM && u < right + RIM && v > top - RIM && v < bottom + RIM;
        is_inside.then(|| [(u - left) / (right - left), (v - top) / (bottom - top)])
    }
}

pub(super) const BODY: Island = Island([0.01, 0.01, 0.99, 0.41]);
pub(super) const HEAD: Island = Island([0.01, 0.43, 0.33, 0.71]);
pub(super) const JAW: Island = Island([0.01, 0.73, 0.33, 0.83]);
pub(super) const FRONT_LEG: Island = Island([0.35, 0.43, 0.63, 0.56]);
pub(super) const HIND_LEG: Island = Island([0.35, 0.58, 0.63, 0.73]);
pub(super) const TOE: Island = Island([0.35, 0.75, 0.48, 0.83]);
pub(super) const TONGUE: Island = Island([0.50, 0.75, 0.63, 0.83]);
pub(super) const MEMBRANE: Island = Island([0.65, 0.43, 0.99, 0.73]);
pub(super) const FINGER: Island = Island([0.65, 0.75, 0.99, 0.83]);
pub(super) const HORN: Island = Island([0.01, 0.85, 0.33, 0.99]);
pub(super) const BLADE: Island = Island([0.35, 0.85, 0.60, 0.935]);
pub(super) const COLLAR: Island = Island([0.35, 0.955, 0.60, 0.99]);
pub(super) const SPIKE: Island = Island([0.62, 0.85, 0.75, 0.99]);
pub(super) const CREST: Island = Island([0.77, 0.85, 0.84, 0.99]);
pub(super) const EYE: Island = Island([0.86, 0.85, 0.99, 0.99]);
