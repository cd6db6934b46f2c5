//! The bytes of a tab: those that were read at once, and pages of what is too large for that.

use std::ops::Range;

use palimpsest_core::path::to_text;

use crate::document::Document;
use crate::jobs::Load;
use crate::session::{OpenDocument, Pages};

/// A tab and the copy that it shows.
#[derive(Clone, Copy)]
pub(super) struct Source<'a> {
    pub(super) open: &'a OpenDocument,
    pub(super) document: &'a Document,
}

/// Why bytes are not there.
pub(super) enum Gap {
    /// They are on their way.
    Pending,
    /// They cannot be read.
    Fault(String),
}

impl<'a> Source<'a> {
    /// How many bytes the file has. What was not read at once, or lies behind a fault, goes on by
    /// pages.
    pub(super) fn len(self) -> u64 {
        self.document.len()
    }

    /// The bytes of a range within a row or a page, where they are there.
    pub(super) fn bytes(self, range: Range<u64>) -> Option<&'a [u8]> {
        let at = |offset: u64| usize::try_from(offset).ok();
        if range.end <= self.document.bytes.len() as u64 {
            return self.document.bytes.get(at(range.start)?..at(range.end)?);
        }
        let start = range.start / Pages::SIZE * Pages::SIZE;
        let bytes = self.open.pages.get(page_of(range.start))?.ready()?;
        bytes.get(at(range.start - start)?..at(range.end - start)?)
    }

    /// Up to `most` bytes, without those that are in another page.
    pub(super) fn up_to(self, start: u64, most: u64) -> Option<&'a [u8]> {
        let page_end = (start / Pages::SIZE + 1) * Pages::SIZE;
        let end = start.saturating_add(most).min(self.len());
        self.bytes(start..end).or_else(|| self.bytes(start..end.min(page_end)))
    }

    /// What stands for bytes that are not there: why they cannot be read, or that they are on their way.
    pub(super) fn gap(self, start: u64) -> Option<Gap> {
        match self.open.pages.get(page_of(start))? {
            Load::Failed(error) => Some(Gap::Fault(error.in_place())),
            Load::Pending(_) => Some(Gap::Pending),
            Load::Ready(_) => None,
        }
    }

    /// The selected bytes, as many as anybody would paste, in a way of writing them.
    pub(super) fn selected(self, write: fn(&[u8]) -> String) -> Option<String> {
        const MOST: u64 = 1 << 20;
        let range = &self.open.selection.as_ref()?.range;
        self.bytes(range.start..range.end.min(range.start.saturating_add(MOST))).map(write)
    }
}

/// The page that has a byte.
pub(super) fn page_of(byte: u64) -> u64 {
    byte / Pages::SIZE
}

/// Bytes as pairs of digits.
pub(super) fn as_hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02X}")).collect::<Vec<_>>().join(" ")
}

/// Bytes as the text they are.
pub(super) fn as_text(bytes: &[u8]) -> String {
    to_text(bytes).into_owned()
}
