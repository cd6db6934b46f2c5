//! The names that a stack knows: its own paths, and those its path indexes list.

use super::Stack;
use crate::asset::Asset;
use crate::error::Result;
use crate::format::load;
use crate::hash::NameBook;
use crate::task::Task;

/// The path of an archive's path index.
const PATH_INDEX: &str = "archivepatchloosefiles.txt";

/// The largest path index that is read; the shipped ones have less than a megabyte.
const LARGEST: u64 = 64 << 20;

/// Paths between two looks at the task.
const STEP: usize = 65_536;

impl Stack {
    /// A book of every path of the stack and every path that a path index of it lists. An index that
    /// cannot be read adds nothing; whoever opens it is told why.
    ///
    /// # Errors
    /// `Cancelled`.
    pub fn names(&self, task: &Task) -> Result<NameBook> {
        let mut names = Vec::with_capacity(self.index.entry_count() as usize);
        for (at, entry) in self.index.entries().enumerate() {
            if at % STEP == 0 {
                task.check()?;
            }
            names.push(self.path(entry));
        }
        let copies = self.find(PATH_INDEX).map_or(&[][..], |entry| self.index.copies(entry));
        for copy in copies {
            let bytes = self.content(*copy).and_then(|content| content.read(0..LARGEST, task));
            if let Ok(Asset::Manifest(index)) = bytes.and_then(|bytes| load(&bytes, PATH_INDEX, task)) {
                names.extend(index.members.into_iter().map(|member| member.path));
            }
            task.check()?;
        }
        let mut book = NameBook::new();
        book.extend(names);
        Ok(book)
    }
}
