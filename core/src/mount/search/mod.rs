//! The query language over the merged index.
//!
//! | term | finds |
//! |---|---|
//! | `sword` | paths with the word in them, letter case ignored, `/` taken for `\` |
//! | `"a b"` | the same for words with spaces |
//! | `sword_?.tex`, `*\orc\*` | a glob over the whole path, or over the leaf name |
//! | `/sword_\d+/` | a regular expression over the path, letter case ignored |
//! | `ext:tex` | leaf names that end in `.tex` |
//! | `layer:patch_11` | copies in a layer, by name with or without its ending, glob, or number |
//! | `format:texr` | files whose first bytes or name say the format |
//! | `size:>1m` | decoded bytes, with `<` `<=` `>` `>=` `=` and `k` `m` `g` of 1,024 |
//! | `copies:>1` | how many copies the path has |
//! | `wins:no` | copies that lose |
//! | `hash:0xDCDB4713` | paths with this StringHash, joaat or `#VBD` hash |
//! | `!word` | everything else |
//! | `a b \| c` | one side or the other |
//!
//! `size` and `format` look at the winning copy, unless `layer` or `wins` picks copies; then one
//! copy has to meet all of them. A query that is a path finds that path alone, an empty one all.
//!
//! A word such as `txt:a` names a field that there is not, which is an error; `"txt:a"` is a word.

mod glob;
mod matching;
mod parse;
mod places;

pub use parse::Query;

use rayon::prelude::*;

use super::index::{CopyRef, EntryId, FolderId};
use super::{Index, Stack};
use crate::error::Result;
use crate::task::Task;
use matching::{Matcher, Prepared};

/// Which copies a query is asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Paths, each once.
    Paths,
    /// Every copy on its own.
    Copies,
}

/// Folders that one thread searches before it looks at the task.
const FOLDERS: usize = 128;

impl Stack {
    /// The paths that a query finds, in the order of the index.
    ///
    /// # Errors
    /// `Usage` for a field or a layer that there is not; `Cancelled`.
    pub fn search(&self, query: &Query, task: &Task) -> Result<Vec<EntryId>> {
        if query.is_everything() {
            return Ok(self.index().entries().collect());
        }
        if let Some(entry) = query.path().and_then(|path| self.find(path)) {
            return Ok(vec![entry]);
        }
        let prepared = Prepared::new(self, query)?;
        self.search_folders(task, |folder, found| {
            let mut matcher = Matcher::new(&prepared, folder);
            let entries = self.index().entries_in(folder);
            found.extend(entries.map(EntryId).filter(|entry| matcher.finds(*entry)));
        })
    }

    /// The copies that a query finds, in the order of the index, then searched first first.
    ///
    /// # Errors
    /// See [`search`](Self::search).
    pub fn search_copies(&self, query: &Query, task: &Task) -> Result<Vec<(EntryId, CopyRef)>> {
        let copies = |entry: EntryId| self.index().copies(entry).iter().map(move |copy| (entry, *copy));
        if query.is_everything() {
            return Ok(self.index().entries().flat_map(copies).collect());
        }
        if let Some(entry) = query.path().and_then(|path| self.find(path)) {
            return Ok(copies(entry).collect());
        }
        let prepared = Prepared::new(self, query)?;
        self.search_folders(task, |folder, found| {
            let mut matcher = Matcher::new(&prepared, folder);
            for entry in self.index().entries_in(folder).map(EntryId) {
                let copies = self.index().copies(entry).iter().enumerate();
                found.extend(
                    copies.filter(|(at, _)| matcher.finds_copy(entry, *at)).map(|(_, copy)| (entry, *copy)),
                );
            }
        })
    }

    /// Runs `search` over every folder, in parallel, and joins what it finds in order.
    fn search_folders<T: Send>(
        &self,
        task: &Task,
        search: impl Fn(FolderId, &mut Vec<T>) + Sync,
    ) -> Result<Vec<T>> {
        let index: &Index = self.index();
        let folders: Vec<u32> = (0..index.folder_count()).collect();
        let parts = folders
            .par_chunks(FOLDERS)
            .map(|folders| {
                let mut found = Vec::new();
                for folder in folders {
                    search(FolderId(*folder), &mut found);
                    task.check()?;
                }
                Ok(found)
            })
            .collect::<Result<Vec<_>>>()?;
        Ok(parts.into_iter().flatten().collect())
    }
}
