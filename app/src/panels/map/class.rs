//! What becomes of bytes: the words and the colours of it.

use egui::Color32;
use palimpsest_core::mount::Tally;

use crate::theme::Theme;

/// What becomes of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Class {
    Wins,
    Shadowed,
    Identical,
    /// In no path index; bytes of all other classes may be.
    Unlisted,
}

impl Class {
    /// Those that share the bytes among them.
    pub(super) const PARTS: [Self; 3] = [Self::Wins, Self::Shadowed, Self::Identical];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Wins => "Wins",
            Self::Shadowed => "Shadowed",
            Self::Identical => "Identical",
            Self::Unlisted => "In no index",
        }
    }

    pub(super) const fn hint(self) -> &'static str {
        match self {
            Self::Wins => "The copy that is used",
            Self::Shadowed => "A copy in a layer above wins",
            Self::Identical => "A copy in a layer above wins, and stores the same bytes",
            Self::Unlisted => {
                "Files that no archivepatchloosefiles.txt of the stack lists, though their own archive has one"
            }
        }
    }

    pub(super) const fn of(self, tally: &Tally) -> u64 {
        match self {
            Self::Wins => tally.wins,
            Self::Shadowed => tally.shadowed,
            Self::Identical => tally.identical,
            Self::Unlisted => tally.unlisted,
        }
    }

    pub(super) fn colour(self, theme: &Theme) -> Color32 {
        match self {
            Self::Wins => theme.quiet(theme.accent, 0.72),
            Self::Shadowed => theme.quiet(theme.muted, if theme.is_dark { 0.46 } else { 0.55 }),
            Self::Identical => theme.quiet(theme.muted, 0.22),
            Self::Unlisted => theme.text,
        }
    }
}
