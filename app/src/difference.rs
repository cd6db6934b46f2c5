//! What another order of the layers changes, with both stacks.

use std::sync::Arc;

use palimpsest_core::error::Result;
use palimpsest_core::mount::{Change, ChangeKind, EntryId};
use palimpsest_core::task::Task;

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
    /// What became of paths of the stack after, by their numbers.
    marks: Vec<(EntryId, ChangeKind)>,
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
        Ok(Self { before, after, counts, marks: changes.marks(), changes: changes.changes })
    }

    /// What became of a path of the stack after.
    pub fn mark(&self, entry: EntryId) -> Option<ChangeKind> {
        let at = self.marks.binary_search_by_key(&entry, |(marked, _)| *marked).ok()?;
        self.marks.get(at).map(|(_, kind)| *kind)
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
