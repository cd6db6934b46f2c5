//! Finding the one size word that is wrong.
//!
//! A word that cannot be is seen where it stands. One that is wrong and can be is seen at a later section
//! only, where other bytes were taken for size words, or as bytes that are left over or missing at the end.
//! The chain of sections is its own check sum then: it has to close with so many sections at the end of the
//! file. Each word of the walk is tried with every value that differs in one bit, and where none closes
//! the chain, in one byte. Where a single word does, it is the wrong one.
//!
//! Of several words, it is the one at which the walk ended, where that leads past the end: bytes that are
//! no size word are hardly ever that close to a right one. Where the walk ended at a zero, it is the first:
//! many members are full of zeros, and any four of them look like a word with one bit lost.

use super::FORMAT;
use super::sections::{Sections, Stop, behind, size_at};
use crate::error::Result;

/// The largest container that is searched.
pub(crate) const LARGEST: u64 = 16 << 20;

/// The most sections that are tried, those of all values together.
const MOST_TRIES: u64 = 16 << 20;

/// Where the walk over a container has to end that ended at `stop`: at the one size word whose repair
/// closes the chain of sections, or at `stop` where there is none, or more than one. `sections` are those of
/// which none was taken yet.
///
/// # Errors
/// What `check` says, which is asked all the time.
pub(crate) fn place(
    container: &[u8],
    sections: &Sections,
    stop: Stop,
    check: impl Fn() -> Result<()>,
) -> Result<Stop> {
    let is_left_over = stop.section == sections.left();
    // A second container behind the first is known from other builds of the game.
    let behind_end = container.get(usize::try_from(stop.at).unwrap_or(usize::MAX)..).unwrap_or_default();
    let is_second = is_left_over && FORMAT.magics.iter().any(|magic| behind_end.starts_with(magic));
    if is_second || container.len() as u64 > LARGEST {
        return Ok(stop);
    }
    let mut search = Search { container, sections, tries: MOST_TRIES, check };
    let words = if is_left_over { stop.section } else { stop.section + 1 };
    let mut found = search.run(words, bits)?;
    if found.is_none() {
        // Nearly any bytes that are left over can be made up for by a byte of the last word.
        found = search.run(if is_left_over { words.saturating_sub(1) } else { words }, bytes)?;
    }
    let is_zero = !is_left_over && size_at(container, stop.at) == Some(0);
    Ok(match found {
        Some(Found { first, last }) if search.tries > 0 && first.section != stop.section => {
            let is_first = last == first.section || (last == stop.section && is_zero);
            if is_first { first } else { stop }
        }
        _ => stop,
    })
}

/// The words of which each closes the chain with another value.
struct Found {
    first: Stop,
    /// The section of the last of them.
    last: u64,
}

struct Search<'a, C> {
    container: &'a [u8],
    sections: &'a Sections,
    /// How many sections may be tried still.
    tries: u64,
    check: C,
}

impl<C: Fn() -> Result<()>> Search<'_, C> {
    /// Tries other values for each of the first words.
    fn run<I: Iterator<Item = u32>>(
        &mut self,
        words: u64,
        values: impl Fn(u32) -> I,
    ) -> Result<Option<Found>> {
        let mut found: Option<Found> = None;
        let mut at = self.sections.at();
        for section in 0..words {
            (self.check)()?;
            if self.tries == 0 {
                break;
            }
            let Some(size) = size_at(self.container, at) else { break };
            let left = self.sections.left().saturating_sub(section);
            if let Some(value) = values(size).find(|value| self.closes(at, *value, left)) {
                let text = format!(
                    "{size} bytes, and the chain of sections closes with {value}: the walk ends here"
                );
                let first = found.map_or(Stop { section, at, text }, |found| found.first);
                found = Some(Found { first, last: section });
            }
            let Some(next) = behind(at, size, self.container.len() as u64) else { break };
            at = next;
        }
        Ok(found)
    }

    /// Whether the chain closes where the next `left` sections start at `at`, the first of them with
    /// `size` bytes.
    fn closes(&mut self, mut at: u64, mut size: u32, mut left: u64) -> bool {
        let end = self.container.len() as u64;
        while left > 0 && self.tries > 0 {
            self.tries -= 1;
            let Some(next) = behind(at, size, end) else { return false };
            (at, left) = (next, left - 1);
            match size_at(self.container, at) {
                Some(next) => size = next,
                None => return left == 0 && at == end,
            }
        }
        false
    }
}

/// The values that differ in one bit.
fn bits(size: u32) -> impl Iterator<Item = u32> {
    (0..u32::BITS).map(move |bit| size ^ (1 << bit))
}

/// The values that differ in one byte.
fn bytes(size: u32) -> impl Iterator<Item = u32> {
    (0..u32::BITS).step_by(8).flat_map(move |shift| (1..=0xFF).map(move |flip| size ^ (flip << shift)))
}
