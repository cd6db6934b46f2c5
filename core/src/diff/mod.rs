//! Two versions of one thing against each other: bytes, fields, lines, members and pixels.
//!
//! All of it is pure: two values in, what differs out. Lists of differences are bounded, so that two
//! files without anything in common fill no memory; their whole number is always told.

mod bytes;
mod fields;
mod lines;
mod members;
mod pixels;

pub use bytes::{ByteDiff, MAX_PLACES, bytes};
pub use fields::{FieldDiff, FieldPair, MAX_FIELDS, Side, fields};
pub use lines::{LineDiff, Stretch, WordDiff, lines, words};
pub use members::{Listed, MemberDiff, MemberPair, members};
pub use pixels::{LevelDiff, MAX_PIXELS, PixelDiff, pixels};

/// How a thing of one side relates to that of the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// Both sides have it, alike.
    Same,
    /// Both sides have it, and they differ.
    Changed,
    /// The right side alone has it.
    Added,
    /// The left side alone has it.
    Removed,
}

impl Change {
    /// The sign that stands beside it, so that no colour has to be told apart.
    pub const fn sign(self) -> &'static str {
        match self {
            Self::Same => "=",
            Self::Changed => "≠",
            Self::Added => "+",
            Self::Removed => "−",
        }
    }
}
