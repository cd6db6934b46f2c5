//! What the browser lists: what a search found, the merged tree, or a tree for every layer.

use std::sync::Arc;

use palimpsest_core::error::Error;
use palimpsest_core::mount::{ChangeKind, CopyRef, EntryId, FolderId, Index, Stack};
use palimpsest_core::path::to_text;

use super::tree::{Row, TreeRows, member_count};
use crate::difference::Difference;
use crate::files::Files;
use crate::jobs::Load;

/// A place in what is listed. Folders and entries of a layer's own tree have the layer's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Cursor {
    Layer(usize),
    Folder(Option<usize>, FolderId),
    Entry(Option<usize>, EntryId),
    /// A member below its container's row, by its place in the container.
    Member(Option<usize>, EntryId, u32),
    /// A folder or a path that another order of the layers removes, by its number in the stack before.
    GoneFolder(FolderId),
    Gone(EntryId),
    /// The row that says that a layer's tree is on its way, or why it is not there.
    Note(usize),
}

/// The rows, and the stack that they are about.
pub(super) struct List<'a> {
    pub(super) stack: &'a Stack,
    pub(super) kind: Kind<'a>,
    /// The other order that the stack is shown in.
    pub(super) what_if: Option<&'a Difference>,
}

pub(super) enum Kind<'a> {
    Found(&'a [EntryId]),
    Merged(TreeRows<'a>),
    Layers(Vec<LayerRows<'a>>),
}

/// A layer's row, and those below it.
pub(super) struct LayerRows<'a> {
    pub(super) start: u64,
    pub(super) below: Below<'a>,
}

pub(super) enum Below<'a> {
    Closed,
    Note(&'a Load<Arc<Index>>),
    /// Nothing of the layer could be read.
    Broken,
    Tree(&'a Arc<Index>, TreeRows<'a>),
}

impl LayerRows<'_> {
    fn end(&self) -> u64 {
        self.start
            + 1
            + match &self.below {
                Below::Closed => 0,
                Below::Note(_) | Below::Broken => 1,
                Below::Tree(_, rows) => rows.len(),
            }
    }
}

impl<'a> List<'a> {
    /// The trees of all layers; `below` says what stands below each.
    pub(super) fn of_layers(
        stack: &'a Stack,
        what_if: Option<&'a Difference>,
        below: impl Fn(usize) -> Below<'a>,
    ) -> Self {
        let mut start = 0;
        let layers = (0..stack.layers().len()).map(|layer| {
            let rows = LayerRows { start, below: below(layer) };
            start = rows.end();
            rows
        });
        let kind = Kind::Layers(layers.collect());
        Self { stack, kind, what_if }
    }

    pub(super) fn len(&self) -> u64 {
        match &self.kind {
            Kind::Found(found) => found.len() as u64,
            Kind::Merged(rows) => rows.len(),
            Kind::Layers(layers) => layers.last().map_or(0, LayerRows::end),
        }
    }

    /// A row by its number, and how deep it stands.
    pub(super) fn get(&self, at: u64) -> Option<(Cursor, u16)> {
        let of_row = |layer, (row, depth)| match row {
            Row::Folder(folder) => (Cursor::Folder(layer, folder), depth),
            Row::Entry(entry) => (Cursor::Entry(layer, entry), depth),
            Row::Member(container, at) => (Cursor::Member(layer, container, at), depth),
            Row::GoneFolder(folder) => (Cursor::GoneFolder(folder), depth),
            Row::Gone(entry) => (Cursor::Gone(entry), depth),
        };
        match &self.kind {
            Kind::Found(found) => {
                let entry = *found.get(usize::try_from(at).ok()?)?;
                Some((Cursor::Entry(None, entry), 0))
            }
            Kind::Merged(rows) => rows.get(at).map(|row| of_row(None, row)),
            Kind::Layers(layers) => {
                let layer = layers.partition_point(|layer| layer.start <= at).checked_sub(1)?;
                let of = layers.get(layer)?;
                let Some(inside) = (at - of.start).checked_sub(1) else {
                    return Some((Cursor::Layer(layer), 0));
                };
                match &of.below {
                    Below::Closed => None,
                    Below::Note(_) | Below::Broken => (inside == 0).then_some((Cursor::Note(layer), 1)),
                    Below::Tree(_, rows) => rows
                        .get(inside)
                        .map(|row| of_row(Some(layer), row))
                        .map(|(cursor, depth)| (cursor, depth + 1)),
                }
            }
        }
    }

    /// The number of the row at a cursor.
    pub(super) fn position(&self, cursor: Cursor) -> Option<u64> {
        let row = match cursor {
            Cursor::Folder(_, folder) => Some(Row::Folder(folder)),
            Cursor::Entry(_, entry) => Some(Row::Entry(entry)),
            Cursor::Member(_, container, at) => Some(Row::Member(container, at)),
            Cursor::GoneFolder(folder) => Some(Row::GoneFolder(folder)),
            Cursor::Gone(entry) => Some(Row::Gone(entry)),
            Cursor::Layer(_) | Cursor::Note(_) => None,
        };
        let in_tree = |rows: &TreeRows<'_>| rows.position(row?);
        match (&self.kind, cursor) {
            (Kind::Found(found), Cursor::Entry(None, entry)) => {
                found.binary_search(&entry).ok().map(|at| at as u64)
            }
            (
                Kind::Merged(rows),
                Cursor::Folder(None, _)
                | Cursor::Entry(None, _)
                | Cursor::Member(None, ..)
                | Cursor::GoneFolder(_)
                | Cursor::Gone(_),
            ) => in_tree(rows),
            (Kind::Layers(layers), Cursor::Layer(layer)) => layers.get(layer).map(|of| of.start),
            (
                Kind::Layers(layers),
                Cursor::Note(layer)
                | Cursor::Folder(Some(layer), _)
                | Cursor::Entry(Some(layer), _)
                | Cursor::Member(Some(layer), ..),
            ) => {
                let of = layers.get(layer)?;
                let inside = match (&of.below, cursor) {
                    (Below::Tree(_, rows), _) => in_tree(rows)?,
                    (Below::Note(_) | Below::Broken, Cursor::Note(_)) => 0,
                    _ => return None,
                };
                Some(of.start + 1 + inside)
            }
            _ => None,
        }
    }

    /// The index that a cursor belongs to.
    pub(super) fn index(&self, cursor: Cursor) -> Option<&Index> {
        match (cursor, &self.kind) {
            (
                Cursor::Folder(Some(layer), _)
                | Cursor::Entry(Some(layer), _)
                | Cursor::Member(Some(layer), ..),
                Kind::Layers(layers),
            ) => match &layers.get(layer)?.below {
                Below::Tree(index, _) => Some(index),
                Below::Closed | Below::Note(_) | Below::Broken => None,
            },
            _ => Some(self.stack.index()),
        }
    }

    /// The path of an entry in the merged index, and the position of its copy among the copies.
    pub(super) fn target(&self, cursor: Cursor) -> Option<(EntryId, usize)> {
        match cursor {
            Cursor::Entry(None, entry) => Some((entry, 0)),
            Cursor::Entry(Some(_), entry) => self.merged(*self.index(cursor)?.copies(entry).first()?),
            Cursor::Member(..) => self.merged(self.member(cursor)?),
            Cursor::Layer(_)
            | Cursor::Folder(..)
            | Cursor::Note(_)
            | Cursor::GoneFolder(_)
            | Cursor::Gone(_) => None,
        }
    }

    /// The path of a copy in the merged index, and its position among the copies.
    fn merged(&self, copy: CopyRef) -> Option<(EntryId, usize)> {
        let stack = self.stack;
        let path = stack.layer(copy)?.path_of(copy.file);
        let merged = stack.index().find_bytes(stack.layers(), &path)?;
        let at = stack.index().copies(merged).iter().position(|other| *other == copy)?;
        Some((merged, at))
    }

    /// The member at a cursor.
    pub(super) fn member(&self, cursor: Cursor) -> Option<CopyRef> {
        let Cursor::Member(_, container, at) = cursor else { return None };
        let container = self.index(cursor)?.copies(container).first()?;
        self.stack.members_of(*container).nth(at as usize)
    }

    /// How many members the container at a cursor holds; 0 for other rows.
    pub(super) fn member_count(&self, cursor: Cursor) -> usize {
        let Cursor::Entry(_, entry) = cursor else { return 0 };
        self.index(cursor).map_or(0, |index| member_count(self.stack, index, entry))
    }

    /// Why nothing of the layer at a cursor could be read.
    pub(super) fn broken(&self, cursor: Cursor) -> Option<&'a Error> {
        match cursor {
            Cursor::Layer(layer) | Cursor::Note(layer) => self.stack.layers().get(layer)?.broken.as_deref(),
            _ => None,
        }
    }

    /// What is wrong with the bundle at a cursor.
    pub(super) fn fault(&self, cursor: Cursor) -> Option<&'a str> {
        let Cursor::Entry(_, entry) = cursor else { return None };
        self.stack.bundle_fault(*self.index(cursor)?.copies(entry).first()?)
    }

    /// The path at a cursor, or the name of a layer.
    pub(super) fn path(&self, cursor: Cursor) -> Option<String> {
        let layers = self.stack.layers();
        match cursor {
            Cursor::Layer(layer) => layers.get(layer).map(|layer| layer.name.clone()),
            Cursor::Folder(_, folder) => Some(to_text(self.index(cursor)?.folder_path(folder)).into_owned()),
            Cursor::Entry(_, entry) => Some(to_text(&self.index(cursor)?.path(layers, entry)).into_owned()),
            Cursor::Member(..) => Some(self.stack.path_of(self.member(cursor)?)),
            Cursor::GoneFolder(folder) => {
                Some(to_text(self.before()?.index().folder_path(folder)).into_owned())
            }
            Cursor::Gone(entry) => Some(self.before()?.path(entry)),
            Cursor::Note(_) => None,
        }
    }

    /// The files at a cursor, or below it.
    pub(super) fn files(&self, cursor: Cursor) -> Option<Files> {
        let own = |layer: usize| match &self.kind {
            Kind::Layers(layers) => match &layers.get(layer)?.below {
                Below::Tree(index, _) => Some(Arc::clone(index)),
                Below::Closed | Below::Note(_) | Below::Broken => None,
            },
            Kind::Found(_) | Kind::Merged(_) => None,
        };
        match cursor {
            Cursor::Layer(layer) => {
                self.stack.layers().get(layer).filter(|layer| layer.file_count() > 0)?;
                Some(Files::Layer(layer))
            }
            Cursor::Folder(None, folder) => Some(Files::Below(folder)),
            Cursor::Folder(Some(layer), folder) => Some(Files::OfLayer(own(layer)?, folder)),
            Cursor::Entry(_, entry) => {
                self.index(cursor)?.copies(entry).first().map(|copy| Files::Copy(*copy))
            }
            Cursor::Member(..) => self.member(cursor).map(Files::Copy),
            Cursor::Note(_) | Cursor::GoneFolder(_) | Cursor::Gone(_) => None,
        }
    }

    /// The row of the folder or layer around a cursor.
    pub(super) fn above(&self, cursor: Cursor) -> Option<u64> {
        let (layer, folder) = match cursor {
            Cursor::Entry(layer, entry) => (layer, Some(self.index(cursor)?.folder_of(entry))),
            Cursor::Folder(layer, folder) => (layer, self.index(cursor)?.parent(folder)),
            Cursor::Member(layer, container, _) => return self.position(Cursor::Entry(layer, container)),
            Cursor::Note(layer) => (Some(layer), None),
            Cursor::Gone(entry) => return self.above_gone(self.before()?.index().folder_of(entry)),
            Cursor::GoneFolder(folder) => return self.above_gone(self.before()?.index().parent(folder)?),
            Cursor::Layer(_) => return None,
        };
        match (folder.filter(|folder| *folder != FolderId::ROOT), layer) {
            (Some(folder), _) => self.position(Cursor::Folder(layer, folder)),
            (None, Some(layer)) => self.position(Cursor::Layer(layer)),
            (None, None) => None,
        }
    }

    /// The row of a folder of the stack before, which may be gone or not.
    fn above_gone(&self, folder: FolderId) -> Option<u64> {
        match self.stack.index().find_folder(self.before()?.index().folder_path(folder)) {
            Some(FolderId::ROOT) => None,
            Some(there) => self.position(Cursor::Folder(None, there)),
            None => self.position(Cursor::GoneFolder(folder)),
        }
    }

    /// The stack in its real order, where another one is shown.
    pub(super) fn before(&self) -> Option<&'a Stack> {
        self.what_if.map(|what_if| &what_if.before.stack)
    }

    /// What another order makes of the path at a cursor, in words.
    pub(super) fn change(&self, cursor: Cursor) -> Option<String> {
        let what_if = self.what_if?;
        let (after, before) = match cursor {
            Cursor::Gone(entry) => (None, Some(entry)),
            _ => (Some(self.target(cursor)?.0), None),
        };
        let change = what_if.change(after, before)?;
        let what = match change.kind() {
            ChangeKind::Added => "This order adds the path",
            ChangeKind::Changed => "In this order another copy wins",
            ChangeKind::Removed => "No layer of this order holds the path",
        };
        Some(format!("{what}: {}", what_if.words(change)))
    }
}
