//! What becomes of the bytes that a stack stores: how many win, how many lie in the shadow of a layer
//! above, and which of those are the same bytes once more; for each layer and each folder.
//!
//! One pass over the index adds up each folder's own files, layer by layer. Folders stand in
//! pre-order, so that the sum of all below a folder is the difference of two sums. Members of
//! containers are not counted: the bytes of their containers are.

mod fold;
mod listed;
mod twins;

use std::sync::Arc;

use self::fold::Fold;
use self::listed::Listed;
pub use self::twins::Twins;
use super::Stack;
use super::index::{CopyRef, EntryId, FolderId, Index};
use crate::error::Result;
use crate::path;
use crate::task::Task;

/// Stored bytes by what becomes of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Bytes of copies that are used.
    pub wins: u64,
    /// Bytes of copies that lie below another one, where they are not known to be the same.
    pub shadowed: u64,
    /// Bytes of copies that lie below another one and are stored as the same bytes.
    pub identical: u64,
    /// How many of all these bytes no path index of the stack lists, in layers that have one.
    pub unlisted: u64,
    /// Copies.
    pub files: u64,
}

impl Tally {
    /// All stored bytes.
    pub const fn stored(&self) -> u64 {
        self.wins.wrapping_add(self.shadowed).wrapping_add(self.identical)
    }

    /// Both together. Sizes come from files, and the difference of two sums is right even where a sum
    /// is too large for its type.
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self {
            wins: self.wins.wrapping_add(other.wins),
            shadowed: self.shadowed.wrapping_add(other.shadowed),
            identical: self.identical.wrapping_add(other.identical),
            unlisted: self.unlisted.wrapping_add(other.unlisted),
            files: self.files.wrapping_add(other.files),
        }
    }

    /// What is left of a sum without a part of it.
    #[must_use]
    const fn minus(self, other: Self) -> Self {
        Self {
            wins: self.wins.wrapping_sub(other.wins),
            shadowed: self.shadowed.wrapping_sub(other.shadowed),
            identical: self.identical.wrapping_sub(other.identical),
            unlisted: self.unlisted.wrapping_sub(other.unlisted),
            files: self.files.wrapping_sub(other.files),
        }
    }
}

/// A part of a place in the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// A layer.
    Layer(usize),
    /// A folder with all below it.
    Folder(FolderId),
    /// A copy: its path, and its position among the copies of it.
    File(EntryId, usize),
}

/// The bytes of a stack by layer and folder.
#[derive(Debug)]
pub struct ShadowMap {
    layers: Vec<Fold>,
    /// The copies that win, of all layers.
    winners: Fold,
    listed: Listed,
    /// The paths that an index lists, ascending; those of layers with an index only.
    listed_entries: Vec<EntryId>,
    twins: Option<Arc<Twins>>,
    /// Bytes of shadowed copies that have the sizes of the winner.
    comparable: u64,
}

impl ShadowMap {
    /// Adds up a stack. Without `twins`, copies that are the same as the winner count as shadowed.
    ///
    /// # Errors
    /// `Cancelled`.
    pub fn new(stack: &Stack, twins: Option<Arc<Twins>>, task: &Task) -> Result<Self> {
        let index = stack.index();
        task.set_total(index.entry_count().into());
        let mut map = Self {
            layers: stack.layers().iter().map(|_| Fold::default()).collect(),
            winners: Fold::default(),
            listed: Listed::read(stack, task)?,
            listed_entries: Vec::new(),
            twins,
            comparable: 0,
        };
        let mut path = Vec::new();
        for folder in (0..index.folder_count()).map(FolderId) {
            let entries = index.entries_in(folder);
            let count = entries.len() as u64;
            entries.for_each(|entry| map.add(stack, folder, EntryId(entry), &mut path));
            task.step(count)?;
        }
        Ok(map)
    }

    /// Adds the copies of a path. `path` is room for its text.
    fn add(&mut self, stack: &Stack, folder: FolderId, entry: EntryId, path: &mut Vec<u8>) {
        let copies = stack.files_of(entry);
        if copies.iter().any(|copy| self.listed.has_index(*copy)) {
            path.clear();
            path.extend_from_slice(stack.index().folder_path(folder));
            if !path.is_empty() {
                path.push(path::SEPARATOR);
            }
            path.extend_from_slice(&stack.index().leaf(stack.layers(), entry));
            if self.listed.lists(path) {
                self.listed_entries.push(entry);
            }
        }
        let winner = copies.first().copied();
        for (at, copy) in copies.iter().enumerate() {
            let tally = self.copy(stack, entry, at);
            if at == 0 {
                self.winners.add(folder, tally);
            }
            let Some(layer) = self.layers.get_mut(usize::from(copy.layer)) else { continue };
            layer.add(folder, tally);
            let Some(winner) = winner.filter(|_| at > 0) else { continue };
            layer.cast(folder, winner.layer, tally.stored());
            if stack.may_be_twins(winner, *copy) {
                self.comparable = self.comparable.saturating_add(tally.stored());
            }
        }
    }

    /// The bytes of one copy of a path.
    fn copy(&self, stack: &Stack, entry: EntryId, at: usize) -> Tally {
        let Some(copy) = stack.index().copies(entry).get(at) else { return Tally::default() };
        let Some(layer) = stack.layer(*copy) else { return Tally::default() };
        // A damaged record may claim more bytes than there are.
        let stored = layer.stat(copy.file).stored.min(layer.bytes);
        let is_unlisted = self.listed.has_index(*copy) && self.listed_entries.binary_search(&entry).is_err();
        let is_twin = at > 0 && self.twins.as_ref().is_some_and(|twins| twins.has(*copy));
        let mut tally =
            Tally { unlisted: if is_unlisted { stored } else { 0 }, files: 1, ..Tally::default() };
        match at {
            0 => tally.wins = stored,
            _ if is_twin => tally.identical = stored,
            _ => tally.shadowed = stored,
        }
        tally
    }

    /// All bytes of the stack.
    pub fn total(&self) -> Tally {
        self.layers.iter().fold(Tally::default(), |sum, layer| sum.plus(layer.up_to(u32::MAX)))
    }

    /// Whether any layer has a path index, so that there is something to be listed in.
    pub fn has_index(&self) -> bool {
        self.listed.has_any()
    }

    /// Bytes of shadowed copies that have the sizes of the winner, which comparing would read.
    pub const fn comparable(&self) -> u64 {
        self.comparable
    }

    /// Whether it is known which shadowed copies are the same bytes as the winner.
    pub const fn knows_twins(&self) -> bool {
        self.twins.is_some()
    }

    /// The bytes anywhere below a folder, in a layer; of all layers those of the copies that win.
    pub fn below(&self, index: &Index, layer: Option<usize>, folder: FolderId) -> Tally {
        self.fold(layer).map(|fold| fold.sum(index.folders_below(folder))).unwrap_or_default()
    }

    /// The bytes of the files right inside a folder, in a layer; of all layers those that win.
    pub fn inside(&self, layer: Option<usize>, folder: FolderId) -> Tally {
        self.fold(layer).map(|fold| fold.sum(folder.0..folder.0.saturating_add(1))).unwrap_or_default()
    }

    /// The layers that shadow a layer's bytes below a folder, and how many each, most first.
    pub fn casters(&self, index: &Index, layer: usize, folder: FolderId) -> Vec<(usize, u64)> {
        let fold = self.layers.get(layer);
        fold.map(|fold| fold.casters(index.folders_below(folder))).unwrap_or_default()
    }

    /// The layers of a stack, those that store nothing left out.
    pub fn layers(&self, index: &Index) -> Vec<(Part, Tally)> {
        let of = |layer| (Part::Layer(layer), self.below(index, Some(layer), FolderId::ROOT));
        (0..self.layers.len()).map(of).filter(|(_, tally)| tally.files > 0).collect()
    }

    /// The folders and files right inside a folder, in a layer; of all layers the files that win.
    pub fn parts(&self, stack: &Stack, layer: Option<usize>, folder: FolderId) -> Vec<(Part, Tally)> {
        let index = stack.index();
        let mut parts: Vec<_> = index
            .subfolders(folder)
            .map(|inside| (Part::Folder(inside), self.below(index, layer, inside)))
            .filter(|(_, tally)| tally.files > 0)
            .collect();
        for entry in index.entries_in(folder).map(EntryId) {
            let is_here = |copy: &CopyRef| layer.is_none_or(|layer| usize::from(copy.layer) == layer);
            let here = stack.files_of(entry).iter().enumerate().filter(|(_, copy)| is_here(copy));
            let here = here.take(if layer.is_none() { 1 } else { usize::MAX });
            parts.extend(here.map(|(at, _)| (Part::File(entry, at), self.copy(stack, entry, at))));
        }
        parts
    }

    fn fold(&self, layer: Option<usize>) -> Option<&Fold> {
        layer.map_or(Some(&self.winners), |layer| self.layers.get(layer))
    }
}

impl Stack {
    /// The copies of a path that are files of their layers, not members of containers: they stand first.
    fn files_of(&self, entry: EntryId) -> &[CopyRef] {
        let copies = self.index.copies(entry);
        let count = copies.iter().take_while(|copy| !self.is_member(**copy)).count();
        copies.get(..count).unwrap_or_default()
    }

    /// Whether two copies have the same sizes, so that only their bytes can tell them apart.
    fn may_be_twins(&self, winner: CopyRef, copy: CopyRef) -> bool {
        let stat = |copy: CopyRef| self.layer(copy).map(|layer| layer.stat(copy.file));
        let (Some(a), Some(b)) = (stat(winner), stat(copy)) else { return false };
        a.stored > 0 && (a.stored, a.size) == (b.stored, b.size)
    }
}
