//! Building an index: folders found layer by layer, brought into pre-order, and their files merged.

use std::ops::Range;

use rayon::prelude::*;

use super::{CopyRef, Folder, Index, count, leaf, own_leaf};
use crate::error::Result;
use crate::mount::layer::Layer;
use crate::mount::path_set::PathSet;
use crate::path::{canonical, cmp_fold, eq_fold, join, split};
use crate::task::Task;

/// How many folders one thread merges at a time.
const FOLDERS: usize = 64;

/// No folder, no run.
const NONE: u32 = u32::MAX;

impl Index {
    /// Merges the listings of `layers`; `wanted` picks those that count.
    ///
    /// # Errors
    /// `Cancelled`.
    pub fn build(layers: &[Layer], wanted: Range<usize>, task: &Task) -> Result<Self> {
        let mut plan = Plan::default();
        plan.folder(b"");
        for (at, layer) in layers.iter().enumerate().take(wanted.end).skip(wanted.start) {
            plan.add(u16::try_from(at).unwrap_or(u16::MAX), layer, task)?;
        }
        // Behind all files of all layers.
        for (at, layer) in layers.iter().enumerate().take(wanted.end).skip(wanted.start) {
            plan.add_members(u16::try_from(at).unwrap_or(u16::MAX), layer, task)?;
        }
        let (mut index, runs) = plan.order();
        let merged: Vec<Merged> = runs
            .par_chunks(FOLDERS)
            .map(|folders| {
                let mut merged = Merged::default();
                for runs in folders {
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
}

/// A row of files of one layer in one folder.
#[derive(Clone, Copy, Debug)]
struct Run {
    layer: u16,
    start: u32,
    end: u32,
    /// Whether its names ascend without repeats.
    is_sorted: bool,
    /// The next run of the same folder, [`NONE`] for none.
    next: u32,
}

/// Folders as they are found, before they have an order.
#[derive(Default)]
struct Plan {
    names: PathSet,
    folders: Vec<Found>,
    runs: Vec<Run>,
}

struct Found {
    parent: u32,
    first_run: u32,
    last_run: u32,
    /// The newest folder right inside, and the one before this in the same folder.
    newest: u32,
    older: u32,
}

impl Plan {
    /// The folder at a canonical path; it and those around it are made where they are new.
    fn folder(&mut self, path: &[u8]) -> u32 {
        if let Some(known) = self.names.find(path) {
            return known;
        }
        let parent = if path.is_empty() { NONE } else { self.folder(split(path).0) };
        let at = self.names.add(path);
        let newest = self.folders.get_mut(parent as usize).map(|parent| &mut parent.newest);
        let older = newest.map_or(NONE, |newest| std::mem::replace(newest, at));
        self.folders.push(Found { parent, first_run: NONE, last_run: NONE, newest: NONE, older });
        at
    }

    fn add(&mut self, layer: u16, of: &Layer, task: &Task) -> Result<()> {
        let mut odd = of.listing.odd_leaves().iter().copied().peekable();
        for at in 0..of.folder_count() {
            task.check()?;
            let folder = of.listing.folder(at);
            let into = self.folder(&canonical(folder.path));
            let is_sorted = of.listing.is_sorted(at);
            let mut start = folder.files.start;
            while let Some(file) = odd.next_if(|file| *file < folder.files.end) {
                self.run(into, layer, start..file, is_sorted);
                // A leaf with separators in it lies in a folder that it names itself.
                let path = join(folder.path, of.leaf(file));
                let own = self.folder(split(&canonical(&path)).0);
                self.run(own, layer, file..file + 1, true);
                start = file + 1;
            }
            self.run(into, layer, start..folder.files.end, is_sorted);
        }
        Ok(())
    }

    fn add_members(&mut self, layer: u16, of: &Layer, task: &Task) -> Result<()> {
        let Some(bundles) = of.bundles() else { return Ok(()) };
        let first = of.file_count();
        for at in 0..bundles.folder_count() {
            task.check()?;
            let folder = bundles.folder(at);
            let into = self.folder(folder.path);
            // Several containers may hold the same.
            self.run(into, layer, first + folder.files.start..first + folder.files.end, false);
        }
        Ok(())
    }

    fn run(&mut self, folder: u32, layer: u16, files: Range<u32>, is_sorted: bool) {
        let Some(folder) = self.folders.get_mut(folder as usize).filter(|_| !files.is_empty()) else {
            return;
        };
        let at = count(self.runs.len());
        match self.runs.get_mut(folder.last_run as usize) {
            Some(last) => last.next = at,
            None => folder.first_run = at,
        }
        folder.last_run = at;
        self.runs.push(Run { layer, start: files.start, end: files.end, is_sorted, next: NONE });
    }

    /// Brings the folders into pre-order: an index without entries, and the runs of each folder.
    fn order(self) -> (Index, Vec<Runs>) {
        let found = |at: u32| self.folders.get(at as usize);
        let siblings = |first: u32| {
            let known = |at: u32| (at != NONE).then_some(at);
            std::iter::successors(known(first), move |at| known(found(*at)?.older))
        };
        let mut index = Index::default();
        let mut places = vec![0; self.folders.len()];
        let mut runs = Vec::with_capacity(self.folders.len());
        let mut inside: Vec<u32> = Vec::new();
        let mut open = vec![0];
        while let Some(at) = open.pop() {
            let Some(folder) = found(at) else { continue };
            let place = count(index.folders.len());
            if let Some(slot) = places.get_mut(at as usize) {
                *slot = place;
            }
            let parent = places.get(folder.parent as usize).copied().unwrap_or(0);
            index.folders.push(Folder { name: at, parent, entries: 0, end: place + 1 });
            runs.push(self.runs_of(folder));
            inside.clear();
            inside.extend(siblings(folder.newest));
            // The last to be visited comes first, for the stack.
            inside
                .sort_unstable_by(|a, b| cmp_fold(split(self.names.get(*b)).1, split(self.names.get(*a)).1));
            open.extend_from_slice(&inside);
        }
        // From the back: a folder's end is known before its parent needs it.
        for place in (1..index.folders.len()).rev() {
            let (end, parent) = index.folders.get(place).map_or((0, 0), |folder| (folder.end, folder.parent));
            if let Some(parent) = index.folders.get_mut(parent as usize) {
                parent.end = parent.end.max(end);
            }
        }
        index.places = places;
        index.names = self.names;
        (index, runs)
    }

    /// The runs of a folder; the first one needs no list.
    fn runs_of(&self, folder: &Found) -> Runs {
        let run = |at: u32| self.runs.get(at as usize).copied();
        let first = run(folder.first_run);
        let more = std::iter::successors(first.and_then(|first| run(first.next)), |before| run(before.next));
        Runs { first, more: more.collect() }
    }
}

/// The runs of one folder, in search order.
struct Runs {
    first: Option<Run>,
    more: Vec<Run>,
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
    fn folder(&mut self, layers: &[Layer], runs: &Runs) {
        self.first_entries.push(self.starts.len());
        let files = |run: &Run| {
            let layer = run.layer;
            (run.start..run.end).map(move |file| CopyRef { layer, file })
        };
        let Some(first) = &runs.first else { return };
        if runs.more.is_empty() && first.is_sorted {
            self.starts.extend((count(self.copies.len())..).take((first.end - first.start) as usize));
            self.copies.extend(files(first));
            return;
        }
        let all = || runs.first.iter().chain(&runs.more);
        let is_odd = |run: &Run| layers.get(usize::from(run.layer)).is_some_and(|layer| layer.has_odd_leaves);
        if all().any(is_odd) {
            self.merge(all().flat_map(files).map(|copy| (own_leaf(layers, copy), copy)).collect());
        } else {
            self.merge(all().flat_map(files).map(|copy| (leaf(layers, copy), copy)).collect());
        }
    }

    /// Adds the copies of one folder, which are in search order, under their leaf names.
    fn merge<T: AsRef<[u8]>>(&mut self, mut copies: Vec<(T, CopyRef)>) {
        // Stable: copies of one name stay in search order. Runs are sorted already, which the
        // standard library's sort makes use of.
        copies.sort_by(|(a, _), (b, _)| cmp_fold(a.as_ref(), b.as_ref()));
        for same in copies.chunk_by(|(a, _), (b, _)| eq_fold(a.as_ref(), b.as_ref())) {
            self.starts.push(count(self.copies.len()));
            self.copies.extend(same.iter().map(|(_, copy)| *copy));
        }
    }
}
