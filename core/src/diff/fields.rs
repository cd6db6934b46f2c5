//! The structure of two files against each other, field by field.

use std::collections::HashMap;

use super::Change;
use crate::error::Result;
use crate::parse::{Name, Place, Tree, Ty};
use crate::task::Task;

/// How many fields that differ are kept, and how many that do not; all are counted.
pub const MAX_FIELDS: usize = 100_000;

/// One of the two files: its structure, and the bytes that it describes.
#[derive(Clone, Copy, Debug)]
pub struct Side<'a> {
    /// The structure.
    pub tree: &'a Tree,
    /// The bytes.
    pub bytes: &'a [u8],
}

impl<'a> Side<'a> {
    fn own(self, place: Place) -> &'a [u8] {
        let range = self.tree.range(place);
        let range = usize::try_from(range.start).ok().zip(usize::try_from(range.end).ok());
        range.and_then(|(start, end)| self.bytes.get(start..end)).unwrap_or_default()
    }
}

/// How the fields of two files relate.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FieldDiff {
    /// Fields in the order of the files, up to [`MAX_FIELDS`] of those that differ and as many of
    /// the others. A record or a table that is the same on both sides is one row.
    pub rows: Vec<FieldPair>,
    /// Which of the rows differ.
    pub differing: Vec<usize>,
    /// How many rows differ, kept or not.
    pub changed: u64,
    /// How many rows there are, kept or not.
    pub count: u64,
}

/// A field and where it stands on both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FieldPair {
    /// Its place on the left side.
    pub left: Option<Place>,
    /// Its place on the right side.
    pub right: Option<Place>,
    /// How it relates.
    pub change: Change,
}

/// Joins the fields of two files by their paths. Fields of one name below one parent are joined in
/// order.
///
/// # Errors
/// `Cancelled`.
pub fn fields(left: Side<'_>, right: Side<'_>, task: &Task) -> Result<FieldDiff> {
    let mut join = Join { left, right, task, diff: FieldDiff::default() };
    join.siblings(&left.tree.roots().collect::<Vec<_>>(), &right.tree.roots().collect::<Vec<_>>())?;
    Ok(join.diff)
}

struct Join<'a> {
    left: Side<'a>,
    right: Side<'a>,
    task: &'a Task,
    diff: FieldDiff,
}

impl Join<'_> {
    /// Joins the nodes below two that were joined.
    fn siblings(&mut self, left: &[u32], right: &[u32]) -> Result<()> {
        self.task.check()?;
        let left_keys = keys(self.left.tree, left);
        let right_keys = keys(self.right.tree, right);
        let partners: HashMap<_, usize> =
            right_keys.iter().enumerate().map(|(at, key)| (key.clone(), at)).collect();
        let joined: Vec<Option<usize>> = left_keys.iter().map(|key| partners.get(key).copied()).collect();
        let mut has_partner = vec![false; right.len()];
        joined.iter().flatten().filter_map(|at| has_partner.get_mut(*at).map(|has| *has = true)).count();
        let mut next = 0;
        for (node, partner) in left.iter().zip(&joined) {
            let Some(partner) = *partner else {
                self.alone(*node, Change::Removed)?;
                continue;
            };
            // What the right side alone has stands where it stands there.
            while next < partner {
                self.alone_at(right, &has_partner, next)?;
                next += 1;
            }
            next = next.max(partner + 1);
            if let Some(partner) = right.get(partner) {
                self.pair(*node, *partner)?;
            }
        }
        (next..right.len()).try_for_each(|at| self.alone_at(right, &has_partner, at))
    }

    fn alone_at(&mut self, right: &[u32], has_partner: &[bool], at: usize) -> Result<()> {
        match (right.get(at), has_partner.get(at)) {
            (Some(node), Some(false)) => self.alone(*node, Change::Added),
            _ => Ok(()),
        }
    }

    /// A node that one side alone has, with what is below it.
    fn alone(&mut self, node: u32, change: Change) -> Result<()> {
        self.task.check()?;
        let side = if change == Change::Added { self.right } else { self.left };
        let children: Vec<_> = side.tree.children(node).collect();
        if children.is_empty() {
            let place = Some(Place::node(node));
            let (left, right) = if change == Change::Added { (None, place) } else { (place, None) };
            self.add(left, right, change);
            return Ok(());
        }
        children.into_iter().try_for_each(|child| self.alone(child, change))
    }

    fn pair(&mut self, left: u32, right: u32) -> Result<()> {
        let children = |side: Side<'_>, node| side.tree.children(node).collect::<Vec<_>>();
        let (below_left, below_right) = (children(self.left, left), children(self.right, right));
        if !below_left.is_empty() || !below_right.is_empty() {
            return self.siblings(&below_left, &below_right);
        }
        let (left, right) = (Place::node(left), Place::node(right));
        let is_same = self.is_same(left, right);
        let layouts = (self.left.tree.layout(left.node), self.right.tree.layout(right.node));
        if let (false, (Some(layout), Some(other))) = (is_same, layouts)
            && layout.name == other.name
        {
            return self.records(left.node, right.node, layout.fields.len());
        }
        self.add(Some(left), Some(right), if is_same { Change::Same } else { Change::Changed });
        Ok(())
    }

    /// Joins two tables record by record, and records that differ field by field.
    fn records(&mut self, left: u32, right: u32, fields: usize) -> Result<()> {
        let (before, after) = (self.left.tree.records(left), self.right.tree.records(right));
        for record in 0..before.max(after) {
            if record.is_multiple_of(4096) {
                self.task.check()?;
            }
            let place = |node, field| Place { node, record: Some(record), field };
            let (of_left, of_right) = (place(left, None), place(right, None));
            if record >= after {
                self.add(Some(of_left), None, Change::Removed);
            } else if record >= before {
                self.add(None, Some(of_right), Change::Added);
            } else if self.is_same(of_left, of_right) {
                self.add(Some(of_left), Some(of_right), Change::Same);
            } else {
                for field in 0..fields {
                    let (left, right) = (place(left, Some(field)), place(right, Some(field)));
                    let change = if self.is_same(left, right) { Change::Same } else { Change::Changed };
                    self.add(Some(left), Some(right), change);
                }
            }
        }
        Ok(())
    }

    fn is_same(&self, left: Place, right: Place) -> bool {
        // Byte order and kind of number are part of the type of a node.
        let ty = |side: Side<'_>, place: Place| match side.tree.get(place.node).map(|node| node.ty) {
            Some(Ty::Value { scalar, endian, count }) => Some((Some(scalar), Some(endian), count)),
            Some(Ty::Table { endian, .. } | Ty::Records { endian, .. }) => Some((None, Some(endian), 0)),
            other => other.map(|_| (None, None, 0)),
        };
        ty(self.left, left) == ty(self.right, right) && self.left.own(left) == self.right.own(right)
    }

    fn add(&mut self, left: Option<Place>, right: Option<Place>, change: Change) {
        let kept = if change == Change::Same {
            self.diff.count - self.diff.changed
        } else {
            self.diff.changed += 1;
            self.diff.changed - 1
        };
        self.diff.count += 1;
        if kept < MAX_FIELDS as u64 {
            self.diff.differing.extend((change != Change::Same).then_some(self.diff.rows.len()));
            self.diff.rows.push(FieldPair { left, right, change });
        }
    }
}

/// The names of nodes, each with how often it came before.
fn keys(tree: &Tree, nodes: &[u32]) -> Vec<(Name, u32)> {
    let mut seen: HashMap<Name, u32> = HashMap::new();
    let names = nodes.iter().filter_map(|node| tree.get(*node)).map(|node| node.name.clone());
    let key = |name: Name| {
        let times = seen.entry(name.clone()).or_default();
        *times += 1;
        (name, *times)
    };
    names.map(key).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::Reader;
    use crate::record;

    record! {
        /// Two numbers.
        struct Point {
            /// Across.
            x: u16,
            /// Down.
            y: u16,
        }
    }

    /// A tree of a count, as many points, and what names come after them.
    fn read(bytes: &[u8], names: &[&'static str]) -> Tree {
        let (task, bytes) = (Task::new(), bytes::Bytes::copy_from_slice(bytes));
        let mut reader = Reader::recording(&bytes, "a", &task);
        let count = u64::from(reader.u8("count").unwrap());
        reader.table::<Point>("points", count, None).unwrap();
        reader
            .group("tail", |reader| {
                for name in names {
                    reader.u8(name)?;
                }
                Ok(())
            })
            .unwrap();
        reader.finish().0
    }

    fn compare(left: (&[u8], &[&'static str]), right: (&[u8], &[&'static str])) -> Vec<(String, Change)> {
        let (one, other) = (read(left.0, left.1), read(right.0, right.1));
        let (left, right) = (Side { tree: &one, bytes: left.0 }, Side { tree: &other, bytes: right.0 });
        let diff = fields(left, right, &Task::new()).unwrap();
        assert_eq!(diff.differing.len() as u64, diff.changed);
        assert!(diff.differing.iter().all(|at| diff.rows[*at].change != Change::Same));
        let path = |row: &FieldPair| match (row.left, row.right) {
            (Some(place), _) => one.path(place),
            (None, Some(place)) => other.path(place),
            (None, None) => String::new(),
        };
        diff.rows.iter().map(|row| (path(row), row.change)).collect()
    }

    fn rows(expected: &[(&str, Change)]) -> Vec<(String, Change)> {
        expected.iter().map(|(path, change)| ((*path).to_owned(), *change)).collect()
    }

    #[test]
    fn records_that_differ_are_told_field_by_field() {
        let left = [2, 1, 0, 2, 0, 3, 0, 4, 0, 7];
        let right = [3, 1, 0, 2, 0, 3, 0, 5, 0, 6, 0, 6, 0, 7];
        let expected = [
            ("count", Change::Changed),
            ("points[0]", Change::Same),
            ("points[1].x", Change::Same),
            ("points[1].y", Change::Changed),
            ("points[2]", Change::Added),
            ("tail.a", Change::Same),
        ];
        assert_eq!(compare((&left, &["a"]), (&right, &["a"])), rows(&expected));
    }

    #[test]
    fn fields_of_one_side_stand_where_they_stand_there() {
        let expected = [
            ("count", Change::Same),
            ("points", Change::Same),
            ("tail.a", Change::Same),
            ("tail.new", Change::Added),
            ("tail.old", Change::Removed),
            ("tail.b", Change::Same),
            ("tail.b", Change::Changed),
        ];
        let left: (&[u8], &[&str]) = (&[0, 1, 2, 3, 4], &["a", "old", "b", "b"]);
        let right: (&[u8], &[&str]) = (&[0, 1, 9, 3, 5], &["a", "new", "b", "b"]);
        let mut all = compare(left, right);
        all.sort_by_key(|(path, _)| expected.iter().position(|(known, _)| known == path));
        assert_eq!(all, rows(&expected));
    }

    #[test]
    fn what_is_left_out_is_counted() {
        let tree = Tree::default();
        let side = Side { tree: &tree, bytes: &[] };
        let mut join = Join { left: side, right: side, task: &Task::new(), diff: FieldDiff::default() };
        for _ in 0..MAX_FIELDS + 5 {
            join.add(None, None, Change::Same);
        }
        join.add(None, None, Change::Changed);
        assert_eq!((join.diff.rows.len(), join.diff.changed), (MAX_FIELDS + 1, 1));
        assert_eq!(join.diff.count, MAX_FIELDS as u64 + 6);
    }
}
