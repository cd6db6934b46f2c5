//! What manifests and containers of bundles have in common: the table of their members' paths.
//!
//! Each path ends with a NUL and is filled with NULs to a multiple of four; the offsets of the
//! members follow the paths one by one. The n-th text is therefore the path of the n-th member, also
//! where an offset says something else, which is a warning. Source: `formats/shadow-of-war.md` 5, 6.

use crate::error::Result;
use crate::parse::{Endian, Offset, Reader, Record as _, Table, Warning, Writer};
use crate::path::{self, in_pool};
use crate::record;

/// Bytes before the paths of a container.
pub const HEADER: usize = 0x10;
/// Bytes of the word before each section of a container.
pub const SIZE_WORD: u64 = 4;

/// What a path is filled to.
const ALIGNMENT: usize = 4;

record! {
    /// Where the path of one member stands, 4 bytes.
    pub struct PathRow {
        /// The path, bytes from the start of the paths.
        path: Offset<u32>,
    }
}

/// The paths of a bundle's members.
#[derive(Clone, Debug)]
pub(super) struct Paths<'a> {
    bytes: &'a [u8],
    /// Where each text starts.
    starts: Vec<u32>,
}

impl<'a> Paths<'a> {
    /// Finds the texts of a table.
    pub(super) fn scan(bytes: &'a [u8]) -> Self {
        let mut starts = Vec::new();
        let mut at = 0;
        while at < bytes.len() {
            starts.push(u32::try_from(at).unwrap_or(u32::MAX));
            at += Self::padded(bytes.get(at..).unwrap_or_default());
        }
        Self { bytes, starts }
    }

    /// Where the first `count` texts end; `None` where there are fewer.
    pub(super) fn end(bytes: &[u8], count: u64) -> Option<usize> {
        let mut at = 0;
        for _ in 0..count {
            at += Self::padded(bytes.get(at..).filter(|ahead| !ahead.is_empty())?);
        }
        Some(at)
    }

    /// Bytes of the first text with its NUL and what fills it.
    fn padded(ahead: &[u8]) -> usize {
        let len = memchr::memchr(0, ahead).map_or(ahead.len(), |end| end + 1);
        len.next_multiple_of(ALIGNMENT).min(ahead.len())
    }

    /// Reads a table of `size` bytes.
    ///
    /// # Errors
    /// `Eof` when too few bytes are left; `Cancelled`.
    pub(super) fn read(r: &mut Reader<'a>, size: u32) -> Result<Self> {
        let start = r.pos();
        let bytes = r.peek(size as usize);
        if bytes.len() < size as usize {
            // Reading what is not there names the field and the place.
            r.text("paths", size.into())?;
        }
        let paths = Self::scan(bytes);
        r.list("paths", paths.starts.len() as u64, 1, |r, index| {
            let at = usize::try_from(r.pos() - start).unwrap_or(usize::MAX);
            let ahead = bytes.get(at..).unwrap_or_default();
            let text = r.text(index, Self::padded(ahead) as u64)?;
            let end = memchr::memchr(0, text);
            if end.is_none_or(|end| text.iter().skip(end).any(|byte| *byte != 0)) {
                r.warn("the path does not end with NULs");
            }
            Ok(())
        })?;
        Ok(paths)
    }

    /// Bytes of all texts.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes.len() as u64
    }

    /// How many texts there are.
    pub(super) fn len(&self) -> usize {
        self.starts.len()
    }

    /// The path of a member; empty where there is none.
    pub(super) fn get(&self, member: usize) -> &'a [u8] {
        let start = self.starts.get(member).copied();
        start.and_then(|start| in_pool(self.bytes, start).name()).unwrap_or_default()
    }

    /// Warns of every offset that does not lead to its path.
    ///
    /// # Errors
    /// `Cancelled`.
    pub(super) fn judge(&self, r: &mut Reader<'_>, rows: &Table<'_, PathRow>) -> Result<()> {
        for (index, (row, start)) in rows.iter().zip(&self.starts).enumerate() {
            if index.is_multiple_of(4096) {
                r.check()?;
            }
            if row.path.0 != *start {
                r.warn_at(|| Warning {
                    field: format!("path_offsets[{index}].path"),
                    offset: rows.offset_of(index),
                    len: PathRow::LAYOUT.size as u64,
                    text: format!("{:#X}, the path stands at {start:#X}", row.path.0),
                });
            }
        }
        Ok(())
    }
}

/// What a row stands for in the structure panel: its path. `start` finds the paths in the file.
pub(super) fn path_note(row: &[u8], file: &[u8], start: Option<usize>) -> String {
    let row = PathRow::read(row, Endian::Little);
    let paths = start.and_then(|start| file.get(start..)).unwrap_or_default();
    in_pool(paths, row.path.0).name().map(|name| path::to_text(name).into_owned()).unwrap_or_default()
}

/// A little-endian word of a file's header.
pub(super) fn word(file: &[u8], offset: usize) -> Option<usize> {
    let bytes = file.get(offset..)?.first_chunk()?;
    usize::try_from(u32::from_le_bytes(*bytes)).ok()
}

/// Paths as a file has them, and where each of them starts.
pub(super) fn write(paths: &[&str]) -> (Vec<u8>, Vec<u32>) {
    let mut w = Writer::new();
    let starts = paths
        .iter()
        .map(|path| {
            let start = u32::try_from(w.len()).unwrap_or(u32::MAX);
            w.cstr(path.as_bytes()).align(ALIGNMENT, 0);
            start
        })
        .collect();
    (w.finish(), starts)
}
