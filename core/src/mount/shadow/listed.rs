//! What the path indexes of a stack list, and which layers have one.

use crate::error::Result;
use crate::mount::Stack;
use crate::mount::index::CopyRef;
use crate::mount::names::{PATH_INDEX, index_of};
use crate::mount::path_set::PathSet;
use crate::path::canonical;
use crate::task::Task;

/// The paths that any path index of a stack lists.
#[derive(Debug, Default)]
pub(super) struct Listed {
    paths: PathSet,
    /// Whether each layer has an index that can be read.
    has_index: Vec<bool>,
}

impl Listed {
    /// Reads all path indexes. One that cannot be read lists nothing, and its layer counts as one
    /// without.
    ///
    /// # Errors
    /// `Cancelled`.
    pub(super) fn read(stack: &Stack, task: &Task) -> Result<Self> {
        let mut listed = Self { paths: PathSet::default(), has_index: vec![false; stack.layers().len()] };
        let copies = stack.find(PATH_INDEX).map_or(&[][..], |entry| stack.files_of(entry));
        for copy in copies {
            task.check()?;
            let Some(index) = index_of(stack, *copy, task) else { continue };
            index.members.iter().for_each(|member| listed.insert(member.path.as_bytes()));
            if let Some(has_index) = listed.has_index.get_mut(usize::from(copy.layer)) {
                *has_index = true;
            }
        }
        if listed.has_any() {
            // No index lists itself, and nobody misses it there.
            listed.insert(PATH_INDEX.as_bytes());
        }
        task.check()?;
        Ok(listed)
    }

    fn insert(&mut self, path: &[u8]) {
        let path = canonical(path);
        if self.paths.find(&path).is_none() {
            self.paths.add(&path);
        }
    }

    /// Whether the layer of a copy has an index.
    pub(super) fn has_index(&self, copy: CopyRef) -> bool {
        self.has_index.get(usize::from(copy.layer)) == Some(&true)
    }

    /// Whether any layer has one.
    pub(super) fn has_any(&self) -> bool {
        self.has_index.contains(&true)
    }

    /// Whether a path is listed, letter case ignored.
    pub(super) fn lists(&self, path: &[u8]) -> bool {
        self.paths.find(path).is_some()
    }
}
