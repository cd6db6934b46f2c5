//! Names for hashes: those of the stack, and those of word lists.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use palimpsest_core::error::{Error, Result};
use palimpsest_core::file;
use palimpsest_core::hash::NameBook;
use palimpsest_core::mount::Stack;
use palimpsest_core::path::to_text;
use palimpsest_core::task::Task;

/// Bytes of the largest word list that is read.
const LARGEST_LIST: u64 = 64 << 20;

/// The names that are known.
#[derive(Debug, Default)]
pub struct Names {
    /// The names by their hashes.
    pub book: Arc<NameBook>,
    /// The word lists that could not be read.
    pub failed: Vec<Error>,
}

impl Names {
    /// The names of a stack, those of word lists, and some that were kept.
    ///
    /// # Errors
    /// `Cancelled`.
    pub fn of_stack(stack: &Stack, lists: &[PathBuf], kept: &[String], task: &Task) -> Result<Self> {
        let (mut book, mut failed) = (stack.names(task)?, Vec::new());
        for list in lists {
            task.check()?;
            match read(list) {
                Ok(words) => book.add_words(&words),
                Err(error) => failed.push(error),
            }
        }
        book.extend(kept);
        Ok(Self { book: Arc::new(book), failed })
    }
}

fn read(list: &Path) -> Result<String> {
    Ok(to_text(&file::read(list, LARGEST_LIST)?).into_owned())
}
