//! The walk over the sections of a container, told by their size words alone.

use std::ops::Range;

use super::SIZE_WORD;

/// Where the sections of a container lie, one after another.
#[derive(Clone, Debug)]
pub struct Sections {
    /// The next one.
    index: u64,
    count: u64,
    at: u64,
    end: u64,
}

/// Where a walk ends before its time, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stop {
    /// The section that is not taken; as many as there are where bytes are left behind the last.
    pub section: u64,
    /// Where its size word stands, or the first byte that is left.
    pub at: u64,
    /// What was found there.
    pub text: String,
}

impl Sections {
    /// So many sections from `at` to the end of a container.
    pub const fn new(at: u64, end: u64, count: u64) -> Self {
        Self { index: 0, count, at, end }
    }

    /// Where the next size word stands.
    pub const fn at(&self) -> u64 {
        self.at
    }

    /// Whether not all sections were taken.
    pub const fn is_open(&self) -> bool {
        self.index < self.count
    }

    /// Whether the next size word is there.
    pub const fn has_word(&self) -> bool {
        self.end.saturating_sub(self.at) >= SIZE_WORD
    }

    /// How many sections are to be taken still.
    pub(super) const fn left(&self) -> u64 {
        self.count.saturating_sub(self.index)
    }

    /// Takes the next section by its size: where its bytes lie. `None` is for a size word that is not there.
    ///
    /// # Errors
    /// When there is no byte, or one past the end.
    pub fn take(&mut self, size: Option<u32>) -> Result<Range<u64>, Stop> {
        let stop = |text| Stop { section: self.index, at: self.at, text };
        let Some(size) = size else {
            return Err(stop(format!("the file ends, {} of {} sections are there", self.index, self.count)));
        };
        if size == 0 {
            return Err(stop("a section without a byte: the walk ends here".to_owned()));
        }
        let Some(end) = behind(self.at, size, self.end) else {
            let left = self.end.saturating_sub(self.at + SIZE_WORD);
            return Err(stop(format!("a section of {size} bytes, {left} are left: the walk ends here")));
        };
        let start = self.at + SIZE_WORD;
        (self.index, self.at) = (self.index + 1, end);
        Ok(start..end)
    }

    /// What is wrong behind the last section, once all were taken.
    pub fn left_over(&self) -> Option<Stop> {
        let left = self.end.saturating_sub(self.at);
        let text = format!("{left} bytes after the last section");
        (left > 0).then_some(Stop { section: self.count, at: self.at, text })
    }
}

/// Where the section behind one of `size` bytes starts, whose size word stands at `at`; `None` for a size
/// that cannot be.
pub(super) fn behind(at: u64, size: u32, end: u64) -> Option<u64> {
    let next = at.checked_add(SIZE_WORD)?.checked_add(size.into())?;
    (size > 0 && next <= end).then_some(next)
}

/// The size word at a place of a container; `None` past its end.
pub(super) fn size_at(container: &[u8], at: u64) -> Option<u32> {
    let bytes = container.get(usize::try_from(at).ok()?..)?.first_chunk()?;
    Some(u32::from_le_bytes(*bytes))
}
