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

impl<'a> Source<'a> {
    /// How many bytes can be shown. A fault ends them; a file that is too large goes on by pages.
    pub(super) fn len(self) -> u64 {
        match &self.document.fault {
            Some(_) => self.document.bytes.len() as u64,
            None => self.document.len(),
        }
    }

    /// The bytes of a range within a row or a page, where they are there.
    pub(super) fn bytes(self, range: Range<u64>) -> Option<&'a [u8]> {
        let at = |offset: u64| usize::try_from(offset).ok();
        if range.end <= self.document.bytes.len() as u64 {
            return self.document.bytes.get(at(range.start)?..at(range.end)?);
        }
        let start = range.start / Pages::SIZE * Pages::SIZE;
        let bytes = self.open.pages.get(range.start / Pages::SIZE)?.ready()?;
        bytes.get(at(range.start - start)?..at(range.end - start)?)
    }

    /// Up to `most` bytes, without those that are in another page.
    pub(super) fn up_to(self, start: u64, most: u64) -> Option<&'a [u8]> {
        let page_end = (start / Pages::SIZE + 1) * Pages::SIZE;
        let end = start.saturating_add(most).min(self.len());
        self.bytes(start..end).or_else(|| self.bytes(start..end.min(page_end)))
    }

    /// What stands for bytes that are not there.
    pub(super) fn note(self, start: u64) -> String {
        match self.open.pages.get(start / Pages::SIZE) {
            Some(Load::Failed(error)) => error.in_place(),
            _ => "reading…".to_owned(),
        }
    }

    /// The selected bytes, as many as anybody would paste, in a way of writing them.
    pub(super) fn selected(self, write: fn(&[u8]) -> String) -> Option<String> {
        const MOST: u64 = 1 << 20;
        let range = &self.open.selection.as_ref()?.range;
        self.bytes(range.start..range.end.min(range.start.saturating_add(MOST))).map(write)
    }
}

/// Bytes as pairs of digits.
pub(super) fn as_hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02X}")).collect::<Vec<_>>().join(" ")
}

/// Bytes as the text they are.
pub(super) fn as_text(bytes: &[u8]) -> String {
    to_text(bytes).into_owned()
}
