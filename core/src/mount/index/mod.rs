//! Every distinct path of a set of layers with all its copies, as flat arrays.
//!
//! Names stay in the layers: an entry is four bytes and a copy eight. Folders stand in pre-order,
//! each with its own entries in a row, so everything below a folder is one range of folders and
//! one range of entries. Inside a folder names are in the engine's order, letter case folded.

mod build;

use std::borrow::Cow;
use std::cmp::Ordering;
use std::ops::Range;

use super::layer::Layer;
use super::path_set::PathSet;
use crate::path::{canonical, cmp_fold, from_text, join, split};

/// A distinct path: its number in the order of the index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EntryId(pub u32);

/// A folder: its number in pre-order; 0 is the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FolderId(pub u32);

impl FolderId {
    /// The folder that holds all others.
    pub const ROOT: Self = Self(0);
}

/// One copy of a path: a file of a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CopyRef {
    /// Position of the layer in the stack, 0 searched first.
    pub layer: u16,
    /// The file's number in its layer.
    pub file: u32,
}

/// The merged listing of layers.
#[derive(Debug, Default)]
pub struct Index {
    folders: Vec<Folder>,
    names: PathSet,
    /// The folder that has each name.
    places: Vec<u32>,
    /// Where the copies of each entry start, and their end behind the last one.
    starts: Vec<u32>,
    copies: Vec<CopyRef>,
}

#[derive(Clone, Debug)]
struct Folder {
    name: u32,
    parent: u32,
    /// The first entry right inside; the next folder's is the end.
    entries: u32,
    /// The folder behind the last one below this.
    end: u32,
}

impl Index {
    /// How many distinct paths there are.
    pub fn entry_count(&self) -> u32 {
        count(self.starts.len().saturating_sub(1))
    }

    /// How many copies all paths have together.
    pub fn copy_count(&self) -> u32 {
        count(self.copies.len())
    }

    /// How many folders there are, the root included.
    pub fn folder_count(&self) -> u32 {
        count(self.folders.len())
    }

    /// All paths.
    pub fn entries(&self) -> impl ExactSizeIterator<Item = EntryId> + use<> {
        (0..self.entry_count()).map(EntryId)
    }

    /// The copies of a path, searched first first; the first one wins.
    pub fn copies(&self, entry: EntryId) -> &[CopyRef] {
        let at = entry.0 as usize;
        match (self.starts.get(at), self.starts.get(at + 1)) {
            (Some(start), Some(end)) => self.copies.get(*start as usize..*end as usize).unwrap_or_default(),
            _ => &[],
        }
    }

    /// Sorts the copies of each path by a rank, keeping the order among equals.
    pub(super) fn sort_copies(&mut self, rank: impl Fn(CopyRef) -> u8) {
        for range in self.starts.windows(2) {
            let &[start, end] = range else { continue };
            if let Some(copies @ [_, _, ..]) = self.copies.get_mut(start as usize..end as usize) {
                copies.sort_by_key(|copy| rank(*copy));
            }
        }
    }

    /// The path of a folder, as the first layer that has it spells it; the root's is empty.
    pub fn folder_path(&self, folder: FolderId) -> &[u8] {
        self.folder(folder).map_or(&[], |folder| self.names.get(folder.name))
    }

    /// The folder around a folder; the root has none.
    pub fn parent(&self, folder: FolderId) -> Option<FolderId> {
        let parent = self.folder(folder)?.parent;
        (folder != FolderId::ROOT).then_some(FolderId(parent))
    }

    /// The folders right inside a folder.
    pub fn subfolders(&self, folder: FolderId) -> impl Iterator<Item = FolderId> + '_ {
        let end = self.folder(folder).map_or(0, |folder| folder.end);
        let next = |at: &u32| self.folder(FolderId(*at)).map(|folder| folder.end);
        std::iter::successors(Some(folder.0 + 1), next).take_while(move |at| *at < end).map(FolderId)
    }

    /// The paths right inside a folder, as a range of entry numbers.
    pub fn entries_in(&self, folder: FolderId) -> Range<u32> {
        self.entries_of_folders(folder.0, folder.0 + 1)
    }

    /// The paths anywhere below a folder, as a range of entry numbers.
    pub fn entries_below(&self, folder: FolderId) -> Range<u32> {
        self.entries_of_folders(folder.0, self.folder(folder).map_or(0, |folder| folder.end))
    }

    /// A folder and all folders below it, as a range of folder numbers.
    pub fn folders_below(&self, folder: FolderId) -> Range<u32> {
        folder.0..self.folder(folder).map_or(folder.0, |folder| folder.end)
    }

    fn entries_of_folders(&self, first: u32, end: u32) -> Range<u32> {
        let start =
            |at: u32| self.folder(FolderId(at)).map_or_else(|| self.entry_count(), |folder| folder.entries);
        start(first)..start(end)
    }

    /// The folder that holds a path.
    pub fn folder_of(&self, entry: EntryId) -> FolderId {
        let behind = self.folders.partition_point(|folder| folder.entries <= entry.0);
        FolderId(count(behind.saturating_sub(1)))
    }

    /// The leaf name of a path, as its winning copy spells it.
    pub fn leaf<'a>(&self, layers: &'a [Layer], entry: EntryId) -> Cow<'a, [u8]> {
        let Some(first) = self.copies(entry).first() else { return Cow::Borrowed(&[]) };
        own_leaf(layers, *first)
    }

    /// The whole path, with `\` between its components.
    pub fn path(&self, layers: &[Layer], entry: EntryId) -> Vec<u8> {
        join(self.folder_path(self.folder_of(entry)), &self.leaf(layers, entry))
    }

    /// Finds a path as a person writes it: letter case ignored, `/` taken for `\`.
    pub fn find(&self, layers: &[Layer], path: &str) -> Option<EntryId> {
        let (utf8, windows) = from_text(path);
        self.find_bytes(layers, utf8).or_else(|| self.find_bytes(layers, &windows?))
    }

    /// Finds a path by its bytes, see [`find`](Self::find).
    pub fn find_bytes(&self, layers: &[Layer], path: &[u8]) -> Option<EntryId> {
        let path = canonical(path);
        let (folder, leaf) = split(&path);
        let entries = self.entries_in(self.find_folder(folder)?);
        let (mut low, mut high) = (entries.start, entries.end);
        while low < high {
            let middle = u32::midpoint(low, high);
            match cmp_fold(leaf, &self.leaf(layers, EntryId(middle))) {
                Ordering::Less => high = middle,
                Ordering::Equal => return Some(EntryId(middle)),
                Ordering::Greater => low = middle + 1,
            }
        }
        None
    }

    /// Finds a folder by its canonical path, letter case ignored.
    pub fn find_folder(&self, path: &[u8]) -> Option<FolderId> {
        let name = self.names.find(path)?;
        self.places.get(name as usize).copied().map(FolderId)
    }

    fn folder(&self, folder: FolderId) -> Option<&Folder> {
        self.folders.get(folder.0 as usize)
    }
}

/// The leaf name of a copy, as stored.
fn leaf(layers: &[Layer], copy: CopyRef) -> &[u8] {
    layers.get(usize::from(copy.layer)).map_or(&[], |layer| layer.leaf(copy.file))
}

/// The last component of a copy's leaf name, which nearly always is all of it.
pub(super) fn own_leaf(layers: &[Layer], copy: CopyRef) -> Cow<'_, [u8]> {
    let leaf = leaf(layers, copy);
    if layers.get(usize::from(copy.layer)).is_some_and(|layer| layer.has_odd_leaves) {
        return Cow::Owned(split(&canonical(leaf)).1.to_vec());
    }
    Cow::Borrowed(leaf)
}

/// A count or position in the index; a stack of more than four billion files is cut there.
fn count(len: usize) -> u32 {
    u32::try_from(len).unwrap_or(u32::MAX)
}
