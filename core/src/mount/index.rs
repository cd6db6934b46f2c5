//! Every distinct path of a set of layers with all its copies, as flat arrays.
//!
//! Names stay in the layers: an entry is four bytes and a copy eight. Folders stand in pre-order,
//! each with its own entries in a row, so everything below a folder is one range of folders and
//! one range of entries. Inside a folder names are in the engine's order, letter case folded.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::HashMap;
use std::ops::Range;

use rayon::prelude::*;

use super::layer::Layer;
use crate::error::Result;
use crate::path::{canonical, cmp_fold, eq_fold, from_text, join, split};
use crate::task::Task;

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
    /// The paths of all folders, one after another.
    paths: Vec<u8>,
    by_path: HashMap<Box<[u8]>, u32>,
    /// Where the copies of each entry start, and their end behind the last one.
    starts: Vec<u32>,
    copies: Vec<CopyRef>,
}

#[derive(Clone, Debug)]
struct Folder {
    path: Range<u32>,
    parent: u32,
    /// The first entry right inside; the next folder's is the end.
    entries: u32,
    /// The folder behind the last one below this.
    end: u32,
}

/// A row of files of one layer in one folder.
#[derive(Clone, Copy, Debug)]
struct Run {
    layer: u16,
    start: u32,
    end: u32,
}

impl Index {
    /// Merges the listings of `layers`; `wanted` picks those that count.
    ///
    /// # Errors
    /// `Cancelled`.
    pub fn build(layers: &[Layer], wanted: Range<usize>, task: &Task) -> Result<Self> {
        let mut plan = Plan::default();
        plan.folder(b"");
        for (at, layer) in layers.iter().enumerate().take(wanted.end).skip(wanted.start) {
            plan.add(u16::try_from(at).unwrap_or(u16::MAX), layer);
            task.check()?;
        }
        let (mut index, runs) = plan.order();
        let merged: Vec<Merged> = runs
            .par_chunks(64)
            .map(|runs| {
                let mut merged = Merged::default();
                for runs in runs {
                    merged.folder(layers, runs);
                }
                task.check().map(|()| merged)
            })
            .collect::<Result<_>>()?;
        index.starts.reserve(merged.iter().map(|part| part.starts.len()).sum::<usize>() + 1);
        index.copies.reserve(merged.iter().map(|part| part.copies.len()).sum());
        let mut folders = index.folders.iter_mut();
        for part in merged {
            let (entries, copies) = (index.starts.len(), index.copies.len());
            for (first, folder) in part.first_entries.iter().zip(&mut folders) {
                folder.entries = count(entries + first);
            }
            index.starts.extend(part.starts.iter().map(|start| count(copies + *start as usize)));
            index.copies.extend(part.copies);
        }
        index.starts.push(count(index.copies.len()));
        Ok(index)
    }

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

    /// The path of a folder, as the first layer that has it spells it; the root's is empty.
    pub fn folder_path(&self, folder: FolderId) -> &[u8] {
        let path = self.folder(folder).map(|folder| folder.path.start as usize..folder.path.end as usize);
        path.and_then(|path| self.paths.get(path)).unwrap_or_default()
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
        self.by_path.get(path.to_ascii_lowercase().as_slice()).copied().map(FolderId)
    }

    fn folder(&self, folder: FolderId) -> Option<&Folder> {
        self.folders.get(folder.0 as usize)
    }
}

/// Folders as they are found, before they have an order.
#[derive(Default)]
struct Plan {
    by_path: HashMap<Box<[u8]>, usize>,
    folders: Vec<Found>,
}

struct Found {
    path: Vec<u8>,
    parent: usize,
    runs: Vec<Run>,
}

impl Plan {
    /// The folder at a canonical path; it and those around it are made where they are new.
    fn folder(&mut self, path: &[u8]) -> usize {
        let key = path.to_ascii_lowercase();
        if let Some(known) = self.by_path.get(key.as_slice()) {
            return *known;
        }
        let parent = if path.is_empty() { 0 } else { self.folder(split(path).0) };
        let at = self.folders.len();
        self.by_path.insert(key.into(), at);
        self.folders.push(Found { path: path.to_vec(), parent, runs: Vec::new() });
        at
    }

    fn add(&mut self, layer: u16, of: &Layer) {
        let mut odd = of.listing.odd_leaves().iter().copied().peekable();
        for at in 0..of.folder_count() {
            let folder = of.listing.folder(at);
            let into = self.folder(&canonical(folder.path));
            let mut start = folder.files.start;
            while let Some(file) = odd.next_if(|file| *file < folder.files.end) {
                self.run(into, layer, start..file);
                // A leaf with separators in it lies in a folder that it names itself.
                let path = join(folder.path, of.leaf(file));
                let own = self.folder(split(&canonical(&path)).0);
                self.run(own, layer, file..file + 1);
                start = file + 1;
            }
            self.run(into, layer, start..folder.files.end);
        }
    }

    fn run(&mut self, folder: usize, layer: u16, files: Range<u32>) {
        if let Some(folder) = self.folders.get_mut(folder)
            && !files.is_empty()
        {
            folder.runs.push(Run { layer, start: files.start, end: files.end });
        }
    }

    /// Brings the folders into pre-order: an index without entries, and the runs of each folder.
    fn order(self) -> (Index, Vec<Vec<Run>>) {
        let mut children: Vec<Vec<usize>> = vec![Vec::new(); self.folders.len()];
        for (at, folder) in self.folders.iter().enumerate().skip(1) {
            if let Some(siblings) = children.get_mut(folder.parent) {
                siblings.push(at);
            }
        }
        let path = |at: &usize| self.folders.get(*at).map_or(&[][..], |folder| &folder.path);
        for siblings in &mut children {
            // The last to be visited first, for the stack below.
            siblings.sort_unstable_by(|a, b| cmp_fold(split(path(b)).1, split(path(a)).1));
        }
        let mut index = Index::default();
        let mut places = vec![0; self.folders.len()];
        let mut visited = Vec::with_capacity(self.folders.len());
        let mut open = vec![0];
        while let Some(at) = open.pop() {
            let Some(found) = self.folders.get(at) else { continue };
            let place = count(index.folders.len());
            if let Some(slot) = places.get_mut(at) {
                *slot = place;
            }
            visited.push(at);
            let start = count(index.paths.len());
            index.paths.extend_from_slice(&found.path);
            index.folders.push(Folder {
                path: start..count(index.paths.len()),
                parent: places.get(found.parent).copied().unwrap_or(0),
                entries: 0,
                end: place + 1,
            });
            open.extend(children.get(at).into_iter().flatten());
        }
        // From the back: a folder's end is known before its parent needs it.
        for place in (1..index.folders.len()).rev() {
            let (end, parent) = index.folders.get(place).map_or((0, 0), |folder| (folder.end, folder.parent));
            if let Some(parent) = index.folders.get_mut(parent as usize) {
                parent.end = parent.end.max(end);
            }
        }
        index.by_path =
            self.by_path.into_iter().map(|(path, at)| (path, places.get(at).copied().unwrap_or(0))).collect();
        let mut folders = self.folders;
        let runs = visited
            .into_iter()
            .map(|at| folders.get_mut(at).map(|folder| std::mem::take(&mut folder.runs)).unwrap_or_default())
            .collect();
        (index, runs)
    }
}

/// The merged entries of a few folders.
#[derive(Default)]
struct Merged {
    /// The first entry of each folder.
    first_entries: Vec<usize>,
    /// The first copy of each entry.
    starts: Vec<u32>,
    copies: Vec<CopyRef>,
}

impl Merged {
    fn folder(&mut self, layers: &[Layer], runs: &[Run]) {
        self.first_entries.push(self.starts.len());
        let files = |run: &Run| {
            let layer = run.layer;
            (run.start..run.end).map(move |file| CopyRef { layer, file })
        };
        if let [run] = runs
            && is_ascending(layers, run)
        {
            self.starts.extend((count(self.copies.len())..).take((run.end - run.start) as usize));
            self.copies.extend(files(run));
            return;
        }
        let mut copies: Vec<_> =
            runs.iter().flat_map(files).map(|copy| (own_leaf(layers, copy), copy)).collect();
        // Stable: copies of one name stay in search order. Runs are sorted already, which the
        // standard library's sort makes use of.
        copies.sort_by(|(a, _), (b, _)| cmp_fold(a, b));
        for same in copies.chunk_by(|(a, _), (b, _)| eq_fold(a, b)) {
            self.starts.push(count(self.copies.len()));
            self.copies.extend(same.iter().map(|(_, copy)| *copy));
        }
    }
}

/// The last component of a copy's leaf name, which nearly always is all of it.
fn own_leaf(layers: &[Layer], copy: CopyRef) -> Cow<'_, [u8]> {
    let leaf = layers.get(usize::from(copy.layer)).map_or(&[][..], |layer| layer.leaf(copy.file));
    match memchr::memchr2(b'\\', b'/', leaf) {
        None => Cow::Borrowed(leaf),
        Some(_) => Cow::Owned(split(&canonical(leaf)).1.to_vec()),
    }
}

fn is_ascending(layers: &[Layer], run: &Run) -> bool {
    let Some(layer) = layers.get(usize::from(run.layer)) else { return false };
    let mut leaves = (run.start..run.end).map(|file| layer.leaf(file));
    let Some(mut before) = leaves.next() else { return true };
    leaves.all(|leaf| {
        let ascends = cmp_fold(before, leaf) == Ordering::Less;
        before = leaf;
        ascends
    }) && layer.listing.odd_leaves().is_empty()
}

/// A count or position in the index; a stack of more than four billion files is cut there.
fn count(len: usize) -> u32 {
    u32::try_from(len).unwrap_or(u32::MAX)
}
