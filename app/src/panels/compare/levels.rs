//! Which levels of two pictures are compared: those of the same size.

use palimpsest_core::asset::{Asset, Texture};
use palimpsest_core::diff::MAX_PIXELS;

use super::Compared;
use crate::command::PictureMode;
use crate::document::Document;
use crate::format::{count, number, percent};
use crate::gpu::pixels::Pixels;

/// The levels that are shown together.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Levels {
    /// Levels of the left and of the right picture, with their size.
    pairs: Vec<([u32; 2], (u32, u32))>,
    /// Whether the levels of a pair have the same size; otherwise they only stand beside each other.
    is_shared: bool,
}

impl Levels {
    /// The levels that both pictures have in the same size, or all of the left one where there are none.
    pub(super) fn of(left: &Pixels, right: &Pixels) -> Self {
        let sizes =
            |of: &Pixels| -> Vec<_> { of.levels.iter().map(|level| (level.width, level.height)).collect() };
        Self::of_sizes(&sizes(left), &sizes(right))
    }

    fn of_sizes(left: &[(u32, u32)], right: &[(u32, u32)]) -> Self {
        let number = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        let shared = left.iter().enumerate().filter_map(|(at, size)| {
            let other = right.iter().position(|other| other == size)?;
            Some(([number(at), number(other)], *size))
        });
        let pairs: Vec<_> = shared.collect();
        if !pairs.is_empty() {
            return Self { pairs, is_shared: true };
        }
        let last = number(right.len().saturating_sub(1));
        let pairs = left.iter().enumerate().map(|(at, size)| ([number(at), number(at).min(last)], *size));
        Self { pairs: pairs.collect(), is_shared: false }
    }

    pub(super) fn is_shared(&self) -> bool {
        self.is_shared
    }

    /// The number of the last pair.
    pub(super) fn last(&self) -> u32 {
        u32::try_from(self.pairs.len().saturating_sub(1)).unwrap_or(u32::MAX)
    }

    /// The sizes of the pairs, in pixels.
    pub(super) fn sizes(&self) -> Vec<(u32, u32)> {
        self.pairs.iter().map(|(_, size)| *size).collect()
    }

    /// The level of one side that belongs to a pair.
    pub(super) fn level(&self, pair: u32, side: usize) -> u32 {
        let pair = self.pairs.get(pair.min(self.last()) as usize);
        pair.and_then(|(levels, _)| levels.get(side)).copied().unwrap_or(0)
    }

    /// The level of the difference that belongs to a pair; the largest one that was compared for those
    /// that were not.
    pub(super) fn heat(&self, pair: u32, compared: Compared<'_>) -> Option<HeatLevel> {
        let Some(Ok(heat)) = &compared.result.pixels else { return None };
        let (_, size) = self.pairs.get(pair.min(self.last()) as usize)?;
        let levels = &heat.pixels.as_ref()?.levels;
        let at = levels.iter().position(|level| (level.width, level.height) == *size).unwrap_or(0);
        let (differing, most) = *heat.levels.get(at)?;
        let pixels = levels.get(at).map(|level| u64::from(level.width) * u64::from(level.height))?;
        Some(HeatLevel { level: u32::try_from(at).ok()?, pixels, differing, most })
    }
}

/// A level of a difference.
#[derive(Clone, Copy, Debug)]
pub(super) struct HeatLevel {
    /// Its number.
    pub(super) level: u32,
    /// How many pixels it has.
    pixels: u64,
    /// How many of them differ.
    differing: u64,
    /// The largest difference of a channel.
    pub(super) most: u8,
}

/// How the pictures relate, in words.
pub(super) fn shared_words(
    sides: &[&Pixels; 2],
    compared: Compared<'_>,
    mode: PictureMode,
    level: u32,
    levels: &Levels,
) -> String {
    let size = |of: &Pixels| of.levels.first().map_or((0, 0), |level| (level.width, level.height));
    let [left, right] = sides.map(size);
    let times = |(width, height): (u32, u32)| format!("{width} × {height}");
    let mut words = Vec::new();
    if mode == PictureMode::Difference {
        words.push(match (&compared.result.pixels, levels.heat(level, compared)) {
            (Some(Err(error)), _) => format!("The pixels were not compared: {error}"),
            (_, Some(HeatLevel { differing: 0, .. })) => "Every pixel is the same".to_owned(),
            (_, Some(HeatLevel { pixels, differing, most, .. })) => {
                let (part, differing) = (percent(differing, pixels), number(differing));
                format!("{differing} of {} differ ({part} %), by up to {most} of 255", count(pixels, "pixel"))
            }
            (_, None) => "No level was small enough to be compared".to_owned(),
        });
    }
    if let (PictureMode::Difference, Some(Ok(heat))) = (mode, &compared.result.pixels)
        && heat.skipped > 0
    {
        let most = number(MAX_PIXELS);
        words.push(format!("{} of more than {most} pixels left out", count(heat.skipped.into(), "level")));
    }
    if let (Some(before), Some(after)) = (texture(compared.left), texture(compared.right)) {
        let (before, after) = (before.format.name(), after.format.name());
        words.push(if before == after { before.to_owned() } else { format!("{before} against {after}") });
    }
    words.push(match levels.sizes().first() {
        _ if left == right => times(left),
        Some(shared) if levels.is_shared() => {
            format!("{} against {}: compared from {} down", times(left), times(right), times(*shared))
        }
        _ => format!("{} against {}: no level has the same size", times(left), times(right)),
    });
    words.join("  ·  ")
}

fn texture(of: &Document) -> Option<&Texture> {
    match &of.inspection.asset {
        Ok(Some(Asset::Texture(texture))) => Some(texture),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_of_one_size_belong_together_whatever_their_numbers() {
        let levels = Levels::of_sizes(&[(8, 8), (4, 4), (2, 2)], &[(4, 4), (2, 2), (1, 1)]);
        assert!(levels.is_shared());
        assert_eq!(levels.sizes(), [(4, 4), (2, 2)]);
        assert_eq!([levels.level(0, 0), levels.level(0, 1), levels.level(9, 0)], [1, 0, 2]);
    }

    #[test]
    fn pictures_without_a_shared_size_stand_beside_each_other() {
        let levels = Levels::of_sizes(&[(8, 8), (4, 4)], &[(5, 5)]);
        assert!(!levels.is_shared());
        assert_eq!((levels.sizes().len(), levels.level(1, 1), levels.last()), (2, 0, 1));
    }
}
