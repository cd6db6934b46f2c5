//! Stacks as they might be: other orders, fewer layers, more of them on top; and what that changes.

use std::cmp::Ordering;
use std::sync::Arc;

use rayon::prelude::*;

use super::index::{CopyRef, EntryId, FolderId, Index};
use super::install::{Mounts, Plan};
use super::layer::Layer;
use super::{MAX_LAYERS, Stack, open_layer};
use crate::error::{Error, Result};
use crate::path::cmp_fold;
use crate::task::Task;

/// How one stack differs from another, path by path.
#[derive(Debug, Default)]
pub struct Changes {
    /// The paths that only one of them has, or that another copy wins, in the order of the index.
    pub changes: Vec<Change>,
    /// The folders that are gone while the one around them stays, by the one around them and in the
    /// order of the index.
    pub gone_folders: Vec<GoneFolder>,
}

/// A folder that only the stack before has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct GoneFolder {
    /// The folder around it, in the stack before.
    pub parent: FolderId,
    /// The folder, in the stack before.
    pub folder: FolderId,
    /// The folder of the stack after that it would stand before; `None` for one behind all others.
    pub next: Option<FolderId>,
}

/// A path that changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// The path in the stack before; `None` where it was not there.
    pub before: Option<EntryId>,
    /// The path in the stack after; `None` where it is gone.
    pub after: Option<EntryId>,
    /// Its place among the paths of its folder in the stack after: its number there, or of a path that
    /// is gone the number of the one that it would stand before. Means nothing where the folder is gone.
    pub place: EntryId,
}

/// What becomes of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeKind {
    /// It comes.
    Added,
    /// It goes.
    Removed,
    /// Another copy wins.
    Changed,
}

impl ChangeKind {
    /// The name in exports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Removed => "removed",
            Self::Changed => "changed",
        }
    }
}

impl Change {
    /// What becomes of the path.
    pub const fn kind(&self) -> ChangeKind {
        match (self.before, self.after) {
            (None, _) => ChangeKind::Added,
            (_, None) => ChangeKind::Removed,
            (Some(_), Some(_)) => ChangeKind::Changed,
        }
    }
}

impl Changes {
    /// How many paths change in one way.
    pub fn count(&self, kind: ChangeKind) -> usize {
        self.changes.iter().filter(|change| change.kind() == kind).count()
    }
}

impl Stack {
    /// The same layers in another order, or some of them: `order` names them, searched first first.
    ///
    /// # Errors
    /// `Usage` when a layer is named twice or is not there; `Cancelled`.
    pub fn arranged(&self, order: &[usize], task: &Task) -> Result<Self> {
        let mut is_taken = vec![false; self.layers.len()];
        let mut layers = Vec::with_capacity(order.len());
        for at in order {
            let was_taken = is_taken.get_mut(*at).is_none_or(|taken| std::mem::replace(taken, true));
            let layer = self.layers.get(*at).filter(|_| !was_taken);
            let wrong = || Error::usage(format!("layer {at} is not there, or is named twice"));
            layers.push(layer.ok_or_else(wrong)?.clone());
        }
        self.of_layers(layers, task)
    }

    /// The same stack with more on top of it: an archive, a folder, a list or a whole install.
    ///
    /// # Errors
    /// When the path names nothing; `Limit` for too many layers; `Cancelled`.
    pub fn with_on_top(&self, mounts: &Mounts, task: &Task) -> Result<Self> {
        let plan = Plan::new(mounts, task)?;
        let mut layers = Vec::new();
        for source in &plan.sources {
            let layer = open_layer(source, task)?;
            layers.push(if self.has_members { layer.with_bundles(task)? } else { layer });
        }
        layers.extend(self.layers.iter().cloned());
        if layers.len() > MAX_LAYERS {
            return Err(Error::limit(format!("{} layers, at most {MAX_LAYERS}", layers.len())));
        }
        self.of_layers(layers, task)
    }

    /// This stack with these layers instead of its own.
    fn of_layers(&self, layers: Vec<Layer>, task: &Task) -> Result<Self> {
        let (index, mentions) = self.index_of(&layers, task)?;
        Ok(Self { layers, index: Arc::new(index), mentions: Arc::new(mentions), ..self.clone() })
    }

    /// How `after` differs from this stack. Layers are the same where both took them from one mount.
    ///
    /// # Errors
    /// `Cancelled`.
    pub fn changes(&self, after: &Self, task: &Task) -> Result<Changes> {
        let places = |own: &Layer| after.layers.iter().position(|other| own.is_same(other));
        let moved: Vec<Option<u16>> =
            self.layers.iter().map(|own| places(own).and_then(|at| u16::try_from(at).ok())).collect();
        let same = |before: CopyRef, after: CopyRef| {
            let layer = moved.get(usize::from(before.layer)).copied().flatten();
            before.file == after.file && layer == Some(after.layer)
        };
        let Merged { folders, gone } = Merged::of(&self.index, &after.index);
        let changes = folders
            .par_iter()
            .map(|(before, own)| {
                task.check()?;
                Ok(self.changes_in(after, *before, *own, &same))
            })
            .collect::<Result<Vec<_>>>()?;
        Ok(Changes { changes: changes.concat(), gone_folders: gone })
    }

    /// The changes among the paths right inside a folder, which either stack may lack.
    fn changes_in(
        &self,
        after: &Self,
        before: Option<FolderId>,
        own: Option<FolderId>,
        same: &impl Fn(CopyRef, CopyRef) -> bool,
    ) -> Vec<Change> {
        let entries = |index: &Index, folder: Option<FolderId>| {
            folder.map_or(0..0, |folder| index.entries_in(folder)).map(EntryId)
        };
        let end = EntryId(own.map_or(0, |own| after.index.entries_in(own).end));
        let mut old = entries(&self.index, before).peekable();
        let mut new = entries(&after.index, own).peekable();
        let mut changes = Vec::new();
        loop {
            let order = match (old.peek(), new.peek()) {
                (None, None) => return changes,
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some(a), Some(b)) => {
                    cmp_fold(&self.index.leaf(&self.layers, *a), &after.index.leaf(&after.layers, *b))
                }
            };
            let place = new.peek().copied().unwrap_or(end);
            let before = if order == Ordering::Greater { None } else { old.next() };
            let own = if order == Ordering::Less { None } else { new.next() };
            let winner = |index: &Index, entry: Option<EntryId>| index.copies(entry?).first().copied();
            let is_same = winner(&self.index, before)
                .zip(winner(&after.index, own))
                .is_some_and(|(before, after)| same(before, after));
            if !is_same {
                changes.push(Change { before, after: own, place });
            }
        }
    }
}

/// The folders of two indexes.
struct Merged {
    /// Those of one path together, in pre-order.
    folders: Vec<(Option<FolderId>, Option<FolderId>)>,
    gone: Vec<GoneFolder>,
}

impl Merged {
    fn of(a: &Index, b: &Index) -> Self {
        let mut folders = Vec::with_capacity(a.folder_count().max(b.folder_count()) as usize);
        let mut gone = Vec::new();
        let mut open = vec![(Some(FolderId::ROOT), Some(FolderId::ROOT))];
        while let Some((own, other)) = open.pop() {
            folders.push((own, other));
            let pairs = pairs_in(a, b, own, other);
            if let (Some(parent), Some(_)) = (own, other) {
                let mut next = None;
                for (own, other) in pairs.iter().rev() {
                    match (*own, *other) {
                        (Some(folder), None) => gone.push(GoneFolder { parent, folder, next }),
                        (_, other) => next = other,
                    }
                }
            }
            // The last to be visited comes first, for the stack.
            open.extend(pairs.into_iter().rev());
        }
        gone.sort_unstable();
        Self { folders, gone }
    }
}

/// The folders right inside two folders, those of one path together.
fn pairs_in(
    a: &Index,
    b: &Index,
    own: Option<FolderId>,
    other: Option<FolderId>,
) -> Vec<(Option<FolderId>, Option<FolderId>)> {
    let inside = |index: &Index, folder: Option<FolderId>| -> Vec<FolderId> {
        folder.map(|folder| index.subfolders(folder).collect()).unwrap_or_default()
    };
    let (own, other) = (inside(a, own), inside(b, other));
    let (mut left, mut right) = (own.iter().peekable(), other.iter().peekable());
    let mut pairs = Vec::with_capacity(own.len().max(other.len()));
    loop {
        let order = match (left.peek(), right.peek()) {
            (None, None) => return pairs,
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some(own), Some(other)) => cmp_fold(a.folder_path(**own), b.folder_path(**other)),
        };
        let own = if order == Ordering::Greater { None } else { left.next().copied() };
        let other = if order == Ordering::Less { None } else { right.next().copied() };
        pairs.push((own, other));
    }
}
