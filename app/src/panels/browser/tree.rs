//! The rows of a tree of folders: only folders that are open are looked into, and the entries of a
//! folder are one run however many they are.

use std::collections::{BTreeSet, HashSet};
use std::ops::Range;

use palimpsest_core::mount::{EntryId, FolderId, Index};

/// Which folders and containers of a tree are open.
#[derive(Clone, Debug, Default)]
pub(super) struct Opened {
    folders: HashSet<FolderId>,
    containers: BTreeSet<EntryId>,
}

impl Opened {
    pub(super) fn is_open(&self, folder: FolderId) -> bool {
        self.folders.contains(&folder)
    }

    pub(super) fn set(&mut self, folder: FolderId, is_open: bool) {
        if is_open {
            self.folders.insert(folder);
        } else {
            self.folders.remove(&folder);
        }
    }

    /// The open folders, in no order.
    pub(super) fn folders(&self) -> impl Iterator<Item = FolderId> + '_ {
        self.folders.iter().copied()
    }

    pub(super) fn is_container_open(&self, container: EntryId) -> bool {
        self.containers.contains(&container)
    }

    pub(super) fn set_container(&mut self, container: EntryId, is_open: bool) {
        if is_open {
            self.containers.insert(container);
        } else {
            self.containers.remove(&container);
        }
    }

    /// The same folders and containers in a tree in which they have other numbers.
    pub(super) fn moved(
        &self,
        folder: impl Fn(FolderId) -> Option<FolderId>,
        entry: impl Fn(EntryId) -> EntryId,
    ) -> Self {
        Self {
            folders: self.folders.iter().filter_map(|open| folder(*open)).collect(),
            containers: self.containers.iter().map(|open| entry(*open)).collect(),
        }
    }

    /// Opens every folder around an entry.
    pub(super) fn open_around(&mut self, index: &Index, entry: EntryId) {
        let mut folder = index.folder_of(entry);
        while folder != FolderId::ROOT {
            self.folders.insert(folder);
            folder = index.parent(folder).unwrap_or(FolderId::ROOT);
        }
    }
}

/// A row of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Row {
    Folder {
        folder: FolderId,
        depth: u16,
    },
    Entry {
        entry: EntryId,
        depth: u16,
    },
    /// A member of an open container, by its place in it.
    Member {
        container: EntryId,
        at: u32,
        depth: u16,
    },
}

/// The rows that are there to be scrolled through, as runs.
#[derive(Debug, Default)]
pub(super) struct TreeRows {
    runs: Vec<Run>,
    count: u64,
}

#[derive(Debug)]
struct Run {
    /// The first row.
    start: u64,
    kind: RunKind,
    depth: u16,
}

#[derive(Debug)]
enum RunKind {
    Folder(FolderId),
    Entries(Range<u32>),
    Members(EntryId),
}

impl TreeRows {
    /// The rows of everything below the root; `members` counts those of a container.
    pub(super) fn new(index: &Index, open: &Opened, members: &dyn Fn(EntryId) -> usize) -> Self {
        let mut rows = Self::default();
        rows.add(index, open, members, FolderId::ROOT, 0);
        rows
    }

    fn add(
        &mut self,
        index: &Index,
        open: &Opened,
        members: &dyn Fn(EntryId) -> usize,
        folder: FolderId,
        depth: u16,
    ) {
        for inside in index.subfolders(folder) {
            self.push(RunKind::Folder(inside), depth, 1);
            if open.is_open(inside) {
                self.add(index, open, members, inside, depth + 1);
            }
        }
        let Range { mut start, end } = index.entries_in(folder);
        // A run ends behind each container that is open.
        for container in open.containers.range(EntryId(start)..EntryId(end)) {
            self.entries(start..container.0 + 1, depth);
            self.push(RunKind::Members(*container), depth + 1, members(*container) as u64);
            start = container.0 + 1;
        }
        self.entries(start..end, depth);
    }

    fn entries(&mut self, entries: Range<u32>, depth: u16) {
        let count = u64::from(entries.end - entries.start);
        if count > 0 {
            self.push(RunKind::Entries(entries), depth, count);
        }
    }

    fn push(&mut self, kind: RunKind, depth: u16, count: u64) {
        self.runs.push(Run { start: self.count, kind, depth });
        self.count += count;
    }

    /// How many rows there are.
    pub(super) fn len(&self) -> u64 {
        self.count
    }

    /// A row by its number.
    pub(super) fn get(&self, row: u64) -> Option<Row> {
        if row >= self.count {
            return None;
        }
        let run = self.runs.get(self.runs.partition_point(|run| run.start <= row).checked_sub(1)?)?;
        let depth = run.depth;
        Some(match &run.kind {
            RunKind::Folder(folder) => Row::Folder { folder: *folder, depth },
            RunKind::Entries(entries) => {
                let entry = entries.start + u32::try_from(row - run.start).ok()?;
                Row::Entry { entry: EntryId(entry), depth }
            }
            RunKind::Members(container) => {
                let at = u32::try_from(row - run.start).ok()?;
                Row::Member { container: *container, at, depth }
            }
        })
    }

    /// The number of a folder's row.
    pub(super) fn of_folder(&self, wanted: FolderId) -> Option<u64> {
        let is_it = |run: &&Run| matches!(run.kind, RunKind::Folder(folder) if folder == wanted);
        self.runs.iter().find(is_it).map(|run| run.start)
    }

    /// The number of the row of a container's first member.
    pub(super) fn of_members(&self, wanted: EntryId) -> Option<u64> {
        let is_it = |run: &&Run| matches!(run.kind, RunKind::Members(container) if container == wanted);
        self.runs.iter().find(is_it).map(|run| run.start)
    }

    /// The number of an entry's row.
    pub(super) fn of_entry(&self, wanted: EntryId) -> Option<u64> {
        self.runs.iter().find_map(|run| match &run.kind {
            RunKind::Entries(entries) if entries.contains(&wanted.0) => {
                Some(run.start + u64::from(wanted.0 - entries.start))
            }
            _ => None,
        })
    }
}
