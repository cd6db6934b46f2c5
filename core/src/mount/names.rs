//! The names that a stack knows: its own paths, and those its path indexes list.

use super::Stack;
use super::index::CopyRef;
use crate::asset::{Asset, Manifest};
use crate::error::{Error, Result};
use crate::format::load;
use crate::hash::NameBook;
use crate::task::Task;

/// The path of an archive's path index.
pub(super) const PATH_INDEX: &str = "archivepatchloosefiles.txt";

/// The largest path index that is read; the shipped ones have less than a megabyte.
const LARGEST: u64 = 64 << 20;

/// Bytes of names between two looks at the task.
const STEP: usize = 1 << 20;

impl Stack {
    /// A book of every path of the stack and every path that a path index of it lists. An index that
    /// cannot be read adds nothing; whoever opens it is told why.
    ///
    /// # Errors
    /// `Cancelled`.
    pub fn names(&self, task: &Task) -> Result<NameBook> {
        let mut names = Names { book: NameBook::new(), since: 0, task };
        for entry in self.index.entries() {
            names.push(&self.path(entry))?;
        }
        let copies = self.find(PATH_INDEX).map_or(&[][..], |entry| self.index.copies(entry));
        for copy in copies {
            for member in index_of(self, *copy, task).into_iter().flat_map(|index| index.members) {
                names.push(&member.path)?;
            }
        }
        task.check()?;
        names.book.settle();
        Ok(names.book)
    }
}

/// What a copy of a path index lists.
///
/// # Errors
/// What is wrong with the copy or with the index; `Cancelled`.
pub(super) fn read_index(stack: &Stack, copy: CopyRef, task: &Task) -> Result<Manifest> {
    let bytes = stack.content(copy)?.read(0..LARGEST, task).map_err(|error| stack.blame(copy, error))?;
    match load(&bytes, PATH_INDEX, task)? {
        Asset::Manifest(index) => Ok(index),
        _ => Err(Error::unsupported("no path index")),
    }
}

/// The same where it can be read; whoever opens another one is told why.
pub(super) fn index_of(stack: &Stack, copy: CopyRef, task: &Task) -> Option<Manifest> {
    read_index(stack, copy, task).ok()
}

/// A book that is being written.
struct Names<'a> {
    book: NameBook,
    /// Bytes of names since the last look at the task.
    since: usize,
    task: &'a Task,
}

impl Names<'_> {
    fn push(&mut self, name: &str) -> Result<()> {
        self.book.push(name);
        // A name costs more than its letters.
        self.since += name.len() + 64;
        if self.since > STEP {
            self.since = 0;
            self.task.check()?;
        }
        Ok(())
    }
}
