//! What another order of the layers changes, with both stacks.

use std::ops::Range;
use std::sync::Arc;

use palimpsest_core::error::Result;
use palimpsest_core::mount::{Change, ChangeKind, EntryId, FolderId, GoneFolder};
use palimpsest_core::task::Task;

use crate::format::size;
use crate::session::Mounted;

/// Two stacks and the paths in which they differ.
#[derive(Debug)]
pub struct Difference {
    /// The stack as it is.
    pub before: Arc<Mounted>,
    /// The stack in another order.
    pub after: Arc<Mounted>,
    /// The paths that only one of them has, or that another copy wins.
    pub changes: Vec<Change>,
    /// How many paths change in each way.
    pub counts: [(ChangeKind, usize); 3],
    /// Paths of the stack after that were not there before, and those that another copy wins.
    added: Vec<EntryId>,
    changed: Vec<EntryId>,
    /// Paths that only the stack before has.
    gone: Vec<Gone>,
    gone_folders: Vec<GoneFolder>,
}

/// A path that is gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gone {
    /// Its number in the stack before.
    pub entry: EntryId,
    /// The path of the stack after that it would stand before, where its folder is still there.
    pub place: EntryId,
}

impl Difference {
    /// Compares two stacks of the same layers.
    ///
    /// # Errors
    /// `Cancelled`.
    pub fn between(before: Arc<Mounted>, after: Arc<Mounted>, task: &Task) -> Result<Self> {
        let changes = before.stack.changes(&after.stack, task)?;
        let kinds = [ChangeKind::Added, ChangeKind::Changed, ChangeKind::Removed];
        let counts = kinds.map(|kind| (kind, changes.count(kind)));
        let there = |kind| {
            let is_it = move |change: &&Change| change.kind() == kind;
            changes.changes.iter().filter(is_it).filter_map(|change| change.after).collect()
        };
        let (added, changed) = (there(ChangeKind::Added), there(ChangeKind::Changed));
        let gone = |change: &Change| {
            let entry = change.before.filter(|_| change.after.is_none())?;
            Some(Gone { entry, place: change.place })
        };
        let gone = changes.changes.iter().filter_map(gone).collect();
        let (changes, gone_folders) = (changes.changes, changes.gone_folders);
        Ok(Self { before, after, changes, counts, added, changed, gone, gone_folders })
    }

    /// What became of a path of the stack after.
    pub fn mark(&self, entry: EntryId) -> Option<ChangeKind> {
        let is_in = |list: &[EntryId]| list.binary_search(&entry).is_ok();
        match (is_in(&self.added), is_in(&self.changed)) {
            (true, _) => Some(ChangeKind::Added),
            (_, true) => Some(ChangeKind::Changed),
            _ => None,
        }
    }

    /// How many paths change anywhere below a folder of the stack after, in each way.
    pub fn below(&self, folder: FolderId) -> [(ChangeKind, usize); 3] {
        let there = self.after.stack.index().entries_below(folder);
        let count = |list: &[EntryId]| {
            let up_to = |end: u32| list.partition_point(|entry| entry.0 < end);
            up_to(there.end) - up_to(there.start)
        };
        let before = self.folder_before(folder);
        let gone =
            before.map_or(0, |own| self.gone_among(self.before.stack.index().entries_below(own)).len());
        [
            (ChangeKind::Added, count(&self.added)),
            (ChangeKind::Changed, count(&self.changed)),
            (ChangeKind::Removed, gone),
        ]
    }

    /// The paths that are gone from right inside a folder of the stack after.
    pub fn gone_in(&self, folder: FolderId) -> &[Gone] {
        let before = self.folder_before(folder);
        before.map_or(&[], |own| self.gone_among(self.before.stack.index().entries_in(own)))
    }

    /// The folders that are gone from right inside a folder of the stack after.
    pub fn gone_folders_in(&self, folder: FolderId) -> &[GoneFolder] {
        let Some(parent) = self.folder_before(folder) else { return &[] };
        let start = self.gone_folders.partition_point(|gone| gone.parent < parent);
        let end = self.gone_folders.partition_point(|gone| gone.parent <= parent);
        self.gone_folders.get(start..end).unwrap_or_default()
    }

    /// A folder of the stack after, in the stack before.
    fn folder_before(&self, folder: FolderId) -> Option<FolderId> {
        self.before.stack.index().find_folder(self.after.stack.index().folder_path(folder))
    }

    /// Those that are gone among paths of the stack before.
    fn gone_among(&self, entries: Range<u32>) -> &[Gone] {
        let up_to = |end: u32| self.gone.partition_point(|gone| gone.entry.0 < end);
        self.gone.get(up_to(entries.start)..up_to(entries.end)).unwrap_or_default()
    }

    /// The path that changes.
    pub fn path(&self, change: &Change) -> String {
        match (change.after, change.before) {
            (Some(entry), _) => self.after.stack.path(entry),
            (None, Some(entry)) => self.before.stack.path(entry),
            (None, None) => String::new(),
        }
    }

    /// The winners before and after: their layers and sizes.
    pub fn sides(&self, change: &Change) -> [Option<(&str, u64)>; 2] {
        [(&self.before, change.before), (&self.after, change.after)].map(|(mounted, entry)| {
            let stack = &mounted.stack;
            let copy = *stack.index().copies(entry?).first()?;
            Some((stack.layer_name(copy), stack.layer(copy)?.stat(copy.file).size))
        })
    }

    /// The winners before and after in words.
    pub fn words(&self, change: &Change) -> String {
        let side = |side: Option<(&str, u64)>| {
            side.map_or_else(|| "nothing".to_owned(), |(layer, bytes)| format!("{layer} {}", size(bytes)))
        };
        let [before, after] = self.sides(change).map(side);
        format!("{before}  →  {after}")
    }

    /// The change of a path, by its number in the stack after, or before where it is gone.
    pub fn change(&self, after: Option<EntryId>, before: Option<EntryId>) -> Option<&Change> {
        self.changes.iter().find(|change| match after {
            Some(_) => change.after == after,
            None => change.after.is_none() && change.before == before,
        })
    }

    /// The changes as a table with tabs between its columns.
    ///
    /// # Errors
    /// `Cancelled`.
    pub fn to_text(&self, task: &Task) -> Result<String> {
        let mut text = "change\tpath\tlayer before\tsize before\tlayer after\tsize after\n".to_owned();
        task.set_total(self.changes.len() as u64);
        for change in &self.changes {
            task.step(1)?;
            let side = |side: Option<(&str, u64)>| {
                side.map_or_else(|| "\t".to_owned(), |(layer, size)| format!("{layer}\t{size}"))
            };
            let [before, after] = self.sides(change).map(side);
            let line = [change.kind().name(), &self.path(change), &before, &after].join("\t");
            text.push_str(&line);
            text.push('\n');
        }
        Ok(text)
    }
}
