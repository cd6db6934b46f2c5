//! Which files to write: chosen in a list, found by a search, or below a folder.

use std::sync::Arc;

use palimpsest_core::error::Result;
use palimpsest_core::extract::Picked;
use palimpsest_core::mount::{CopyRef, EntryId, FolderId, Index, Stack};
use palimpsest_core::path::{split, to_text};
use palimpsest_core::task::Task;

use crate::format::count;

/// Files to write, as they were chosen.
#[derive(Clone, Debug)]
pub enum Files {
    /// One copy.
    Copy(CopyRef),
    /// What a search found: the winners.
    Found(Arc<Vec<EntryId>>),
    /// Textures that were listed, of several tiers the first: the winners.
    Textures(Arc<Vec<EntryId>>),
    /// What lies below a folder of the merged tree: the winners.
    Below(FolderId),
    /// What lies below a folder of a layer's own tree.
    OfLayer(Arc<Index>, FolderId),
    /// All of a layer.
    Layer(usize),
}

/// A path that is dragged from a list.
#[derive(Clone, Copy, Debug)]
pub struct Dragged {
    /// The path.
    pub entry: EntryId,
}

impl Files {
    /// The copies, and what is left out beside them.
    ///
    /// # Errors
    /// `Cancelled`.
    pub fn picked(&self, stack: &Stack, task: &Task) -> Result<Picked> {
        let below = |index: &Index, folder| Picked::of(index, index.entries_below(folder).map(EntryId), None);
        Ok(match self {
            Self::Copy(copy) => Picked::one(*copy),
            Self::Found(found) | Self::Textures(found) => {
                Picked::of(stack.index(), found.iter().copied(), None)
            }
            Self::Below(folder) => below(stack.index(), *folder),
            Self::OfLayer(index, folder) => below(index, *folder),
            Self::Layer(layer) => {
                let mut picked = below(&stack.index_of_layer(*layer, task)?, FolderId::ROOT);
                // Its containers are among them, and hold these.
                picked.copies.retain(|copy| !stack.is_member(*copy));
                picked
            }
        })
    }

    /// What the files are, for people: `3 files of HotChunk.arch06`.
    pub fn title(&self, stack: &Stack) -> String {
        let below = |index: &Index, folder| {
            let entries = index.entries_below(folder);
            let files = count(u64::from(entries.end - entries.start), "file");
            match to_text(index.folder_path(folder)).as_ref() {
                "" => files,
                path => format!("{files} below {path}"),
            }
        };
        let layer = |copy: Option<&CopyRef>| {
            copy.and_then(|copy| stack.layer(*copy)).map_or_else(String::new, |layer| layer.name.clone())
        };
        match self {
            Self::Copy(copy) => {
                let path = stack.layer(*copy).map(|layer| layer.path_of(copy.file)).unwrap_or_default();
                format!("{} of {}", to_text(split(&path).1), layer(Some(copy)))
            }
            Self::Found(found) => format!("{} that the search found", count(found.len() as u64, "file")),
            Self::Textures(listed) => count(listed.len() as u64, "texture"),
            Self::Below(folder) => below(stack.index(), *folder),
            Self::OfLayer(index, folder) => {
                let first = index.copies(EntryId(index.entries_below(*folder).start));
                format!("{} of {}", below(index, *folder), layer(first.first()))
            }
            Self::Layer(at) => stack.layers().get(*at).map_or_else(String::new, |layer| {
                format!("{} of {}", count(layer.file_count().into(), "file"), layer.name)
            }),
        }
    }
}
