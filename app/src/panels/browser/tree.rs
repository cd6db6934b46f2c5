//! The rows of a tree of folders: only folders that are open are looked into, and the entries of a
//! folder are one run however many they are. In a tree of another order of the layers, what is gone
//! stands at its place.

use std::collections::{BTreeSet, HashSet};
use std::ops::Range;

use palimpsest_core::mount::{EntryId, FolderId, Index, Stack};

use super::mixed::{Mixed, Place};
use crate::difference::Difference;

/// Which folders and containers of a tree are open.
#[derive(Clone, Debug, Default)]
pub(super) struct Opened {
    folders: HashSet<FolderId>,
    containers: BTreeSet<EntryId>,
    /// Folders that are gone, by their numbers in the stack before.
    gone: HashSet<FolderId>,
}

impl Opened {
    pub(super) fn is_open(&self, folder: FolderId) -> bool {
        self.folders.contains(&folder)
    }

    pub(super) fn set(&mut self, folder: FolderId, is_open: bool) {
        set(&mut self.folders, folder, is_open);
    }

    pub(super) fn is_gone_open(&self, folder: FolderId) -> bool {
        self.gone.contains(&folder)
    }

    pub(super) fn set_gone(&mut self, folder: FolderId, is_open: bool) {
        set(&mut self.gone, folder, is_open);
    }

    /// The open folders that are gone, in no order.
    pub(super) fn gone_folders(&self) -> impl Iterator<Item = FolderId> + '_ {
        self.gone.iter().copied()
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
            gone: HashSet::new(),
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

fn set(folders: &mut HashSet<FolderId>, folder: FolderId, is_open: bool) {
    if is_open {
        folders.insert(folder);
    } else {
        folders.remove(&folder);
    }
}

/// A tree: the folders and paths of an index.
#[derive(Clone, Copy)]
pub(super) struct Source<'a> {
    pub(super) stack: &'a Stack,
    pub(super) index: &'a Index,
    /// What of the order as it is the tree has to show as gone.
    pub(super) what_if: Option<&'a Difference>,
}

/// A row of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Row {
    Folder(FolderId),
    Entry(EntryId),
    /// A member of an open container, by its place in it.
    Member(EntryId, u32),
    /// A folder that is gone, by its number in the stack before.
    GoneFolder(FolderId),
    /// A path that is gone, by its number in the stack before.
    Gone(EntryId),
}

/// The rows that are there to be scrolled through, as runs.
#[derive(Debug, Default)]
pub(super) struct TreeRows<'a> {
    runs: Vec<Run<'a>>,
    count: u64,
}

#[derive(Debug)]
struct Run<'a> {
    /// The first row.
    start: u64,
    kind: RunKind<'a>,
    depth: u16,
}

#[derive(Debug)]
enum RunKind<'a> {
    Folder(FolderId),
    Entries(Mixed<'a>),
    Members(EntryId),
    GoneFolder(FolderId),
    /// Everything right inside a folder that is gone.
    Gone(Range<u32>),
}

impl<'a> TreeRows<'a> {
    /// The rows of everything below the root.
    pub(super) fn new(source: Source<'a>, open: &Opened) -> Self {
        let mut rows = Self::default();
        rows.add(source, open, FolderId::ROOT, 0);
        rows
    }

    fn add(&mut self, source: Source<'a>, open: &Opened, folder: FolderId, depth: u16) {
        let index = source.index;
        let mut gone = source.what_if.map_or(&[][..], |what_if| what_if.gone_folders_in(folder));
        for inside in index.subfolders(folder) {
            while let [first, behind @ ..] = gone
                && first.next == Some(inside)
            {
                self.add_gone(source, open, first.folder, depth);
                gone = behind;
            }
            self.push(RunKind::Folder(inside), depth, 1);
            if open.is_open(inside) {
                self.add(source, open, inside, depth + 1);
            }
        }
        for last in gone {
            self.add_gone(source, open, last.folder, depth);
        }
        let entries = index.entries_in(folder);
        let containers = open.containers.range(EntryId(entries.start)..EntryId(entries.end));
        let gone = source.what_if.map_or(&[][..], |what_if| what_if.gone_in(folder));
        let mut mixed = Mixed::new(entries, gone);
        // A run ends behind each container that is open.
        for container in containers {
            self.entries(mixed.split_behind(*container), depth);
            let members = member_count(source.stack, index, *container);
            self.push(RunKind::Members(*container), depth + 1, members as u64);
        }
        self.entries(mixed, depth);
    }

    /// A folder that is gone, and what was in it where it is open.
    fn add_gone(&mut self, source: Source<'a>, open: &Opened, folder: FolderId, depth: u16) {
        self.push(RunKind::GoneFolder(folder), depth, 1);
        let Some(what_if) = source.what_if.filter(|_| open.is_gone_open(folder)) else { return };
        let before = what_if.before.stack.index();
        for inside in before.subfolders(folder) {
            self.add_gone(source, open, inside, depth + 1);
        }
        let entries = before.entries_in(folder);
        let count = u64::from(entries.end - entries.start);
        self.push(RunKind::Gone(entries), depth + 1, count);
    }

    fn entries(&mut self, mixed: Mixed<'a>, depth: u16) {
        let count = mixed.len();
        if count > 0 {
            self.push(RunKind::Entries(mixed), depth, count);
        }
    }

    fn push(&mut self, kind: RunKind<'a>, depth: u16, count: u64) {
        self.runs.push(Run { start: self.count, kind, depth });
        self.count += count;
    }

    /// How many rows there are.
    pub(super) fn len(&self) -> u64 {
        self.count
    }

    /// A row by its number, and how deep it stands.
    pub(super) fn get(&self, row: u64) -> Option<(Row, u16)> {
        if row >= self.count {
            return None;
        }
        let run = self.runs.get(self.runs.partition_point(|run| run.start <= row).checked_sub(1)?)?;
        let at = row - run.start;
        let kind = match &run.kind {
            RunKind::Folder(folder) => Row::Folder(*folder),
            RunKind::Entries(mixed) => match mixed.get(at)? {
                Place::There(entry) => Row::Entry(entry),
                Place::Gone(entry) => Row::Gone(entry),
            },
            RunKind::Members(container) => Row::Member(*container, u32::try_from(at).ok()?),
            RunKind::GoneFolder(folder) => Row::GoneFolder(*folder),
            RunKind::Gone(entries) => Row::Gone(EntryId(entries.start + u32::try_from(at).ok()?)),
        };
        Some((kind, run.depth))
    }

    /// The number of a row.
    pub(super) fn position(&self, wanted: Row) -> Option<u64> {
        self.runs.iter().find_map(|run| {
            let at = match (&run.kind, wanted) {
                (RunKind::Folder(folder), Row::Folder(wanted))
                | (RunKind::GoneFolder(folder), Row::GoneFolder(wanted)) => (*folder == wanted).then_some(0),
                (RunKind::Entries(mixed), Row::Entry(entry)) => mixed.of_entry(entry),
                (RunKind::Entries(mixed), Row::Gone(entry)) => mixed.of_gone(entry),
                (RunKind::Members(container), Row::Member(wanted, at)) => {
                    (*container == wanted).then(|| u64::from(at))
                }
                (RunKind::Gone(entries), Row::Gone(entry)) => {
                    entries.contains(&entry.0).then(|| u64::from(entry.0 - entries.start))
                }
                _ => None,
            };
            Some(run.start + at?)
        })
    }
}

/// How many members the first copy of a path holds, where it is a container.
pub(super) fn member_count(stack: &Stack, index: &Index, entry: EntryId) -> usize {
    index.copies(entry).first().map_or(0, |copy| stack.members_of(*copy).len())
}
