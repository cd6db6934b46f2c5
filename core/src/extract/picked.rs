//! Which copies of paths are written.

use crate::mount::{CopyRef, EntryId, Index};

/// The copies to write, each of another path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Picked {
    /// The copies.
    pub copies: Vec<CopyRef>,
    /// The other copies of the same paths in the same layers: names there that differ only in letter
    /// case, or two records of one name.
    pub left_out: Vec<CopyRef>,
}

impl Picked {
    /// One copy alone.
    pub fn one(copy: CopyRef) -> Self {
        Self { copies: vec![copy], left_out: Vec::new() }
    }

    /// The winning copy of each path, or the first one in a layer; paths without one are passed over.
    pub fn of(index: &Index, entries: impl IntoIterator<Item = EntryId>, layer: Option<usize>) -> Self {
        let mut picked = Self::default();
        for entry in entries {
            let copies = index.copies(entry);
            let is_wanted = |copy: &&CopyRef| layer.is_none_or(|layer| usize::from(copy.layer) == layer);
            if let Some(first) = copies.iter().find(is_wanted) {
                picked.copies.push(*first);
                let is_other = |copy: &&CopyRef| copy.layer == first.layer && *copy != first;
                picked.left_out.extend(copies.iter().filter(is_other));
            }
        }
        picked
    }
}
