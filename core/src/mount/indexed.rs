//! What a path index of the stack lists, what its archive holds of it, and what it leaves out.

use std::collections::HashSet;
use std::sync::Arc;

use super::Stack;
use super::bundles::{CONTAINER, MANIFEST};
use super::index::{CopyRef, EntryId};
use super::names::{PATH_INDEX, index_of, read_index};
use crate::asset::Member;
use crate::error::Result;
use crate::hash::string_hash;
use crate::path::{self, has_ending, to_text};
use crate::task::Task;

/// A path index against its archive.
#[derive(Clone, Debug)]
pub struct IndexReport {
    /// Its rows in their order.
    pub rows: Vec<IndexedPath>,
    /// The files of its archive that it does not list.
    pub unlisted: Vec<UnlistedFile>,
    /// Rows of all indexes of the stack.
    pub all_rows: usize,
    /// Distinct hashes of all of them: the size of the table that they make together.
    pub all_hashes: usize,
}

/// One row of a path index.
#[derive(Clone, Debug)]
pub struct IndexedPath {
    /// The hash that the row states.
    pub hash: u32,
    /// The path.
    pub path: Arc<str>,
    /// Whether the path has that hash.
    pub is_right: bool,
    /// Whether the archive holds the path.
    pub is_held: bool,
    /// The path in the stack, where any layer holds it.
    pub entry: Option<EntryId>,
}

/// A file that the path index of its archive does not list.
#[derive(Clone, Debug)]
pub struct UnlistedFile {
    /// The file.
    pub copy: CopyRef,
    /// Its path.
    pub path: String,
    /// Why a shipped index leaves such files out; empty where it would list this one.
    pub rule: &'static str,
}

impl Stack {
    /// Whether a path is that of path indexes.
    pub fn is_path_index(&self, entry: EntryId) -> bool {
        self.path(entry).eq_ignore_ascii_case(PATH_INDEX)
    }

    /// Holds the path index that a copy is against its archive.
    ///
    /// # Errors
    /// When the index cannot be read; `Cancelled`.
    pub fn index_report(&self, copy: CopyRef, task: &Task) -> Result<IndexReport> {
        let rows = read_index(self, copy, task)?.members;
        let (all_rows, all_hashes) = self.count_rows(copy, &rows, task)?;
        let mut listed = HashSet::with_capacity(rows.len());
        let own = |entry: &EntryId| {
            let copies = self.index.copies(*entry);
            copies.iter().any(|other| other.layer == copy.layer && !self.is_member(*other))
        };
        let rows: Vec<_> = rows
            .into_iter()
            .map(|member| {
                let (path, hash) = (member.path, member.hash.unwrap_or_default());
                let entry = self.find(&path);
                let is_right = string_hash(path.as_bytes()) == hash;
                let is_held = entry.as_ref().is_some_and(own);
                listed.extend(entry);
                IndexedPath { hash, path, is_right, is_held, entry }
            })
            .collect();
        let unlisted = self.unlisted(copy, &listed, task)?;
        Ok(IndexReport { rows, unlisted, all_rows, all_hashes })
    }

    /// Rows of all indexes, and distinct hashes of them; those of one index were read already.
    fn count_rows(&self, own: CopyRef, rows: &[Member], task: &Task) -> Result<(usize, usize)> {
        let (mut count, mut hashes) = (0, HashSet::new());
        let mut add = |rows: &[Member]| {
            count += rows.len();
            hashes.extend(rows.iter().map(|member| member.hash.unwrap_or_default()));
        };
        let copies = self.find(PATH_INDEX).map_or(&[][..], |entry| self.index.copies(entry));
        for other in copies {
            task.check()?;
            if *other == own {
                add(rows);
            } else {
                add(&index_of(self, *other, task).unwrap_or_default().members);
            }
        }
        task.check()?;
        Ok((count, hashes.len()))
    }

    fn unlisted(&self, index: CopyRef, listed: &HashSet<EntryId>, task: &Task) -> Result<Vec<UnlistedFile>> {
        let Some(layer) = self.layer(index) else { return Ok(Vec::new()) };
        let own = self.index_of_layer(index.layer.into(), task)?;
        let mut unlisted = Vec::new();
        for entry in own.entries() {
            let Some(copy) = own.copies(entry).first().copied().filter(|copy| !self.is_member(*copy)) else {
                continue;
            };
            let bytes = layer.path_of(copy.file);
            let merged = self.index.find_bytes(&self.layers, &bytes);
            if merged.is_some_and(|merged| listed.contains(&merged)) {
                continue;
            }
            let stem = bytes.get(..bytes.len().saturating_sub(MANIFEST.len())).unwrap_or_default();
            let beside = || own.find_bytes(&self.layers, &[stem, CONTAINER].concat()).is_some();
            let rule = if copy.file == index.file {
                "the index itself"
            } else if has_ending(&bytes, CONTAINER) {
                "containers are never listed"
            } else if has_ending(&bytes, MANIFEST) && beside() {
                "its container lies beside it"
            } else {
                ""
            };
            unlisted.push(UnlistedFile { copy, path: to_text(&path::canonical(&bytes)).into_owned(), rule });
        }
        Ok(unlisted)
    }
}
