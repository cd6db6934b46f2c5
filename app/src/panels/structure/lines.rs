//! What of a tree is unfolded, and the rows that this makes.

use std::collections::{BTreeSet, HashSet};

use palimpsest_core::parse::{Place, Tree, Ty};

/// Lists with more children than this start closed.
const FEW: usize = 32;

/// What was opened and closed by hand.
#[derive(Debug, Default)]
pub(super) struct Unfolded {
    /// Nodes that are open though they start closed, or closed though they start open.
    switched: HashSet<u32>,
    /// Open records of tables.
    records: BTreeSet<(u32, u64)>,
}

/// A run of rows.
struct Run {
    start: u64,
    depth: u16,
    kind: RunKind,
}

enum RunKind {
    Node(u32),
    /// Closed records of a table, from the given one on.
    Records(u32, u64),
    /// Fields of an open record.
    Fields(u32, u64),
}

pub(super) struct Lines {
    runs: Vec<Run>,
    count: u64,
}

impl Unfolded {
    pub(super) fn is_open(&self, tree: &Tree, place: Place) -> bool {
        match place.record {
            Some(record) => place.field.is_none() && self.records.contains(&(place.node, record)),
            None => starts_open(tree, place.node) != self.switched.contains(&place.node),
        }
    }

    pub(super) fn toggle(&mut self, tree: &Tree, place: Place) {
        match place {
            Place { node, record: Some(record), field: None } => {
                let was_open = self.records.remove(&(node, record));
                self.records.extend((!was_open).then_some((node, record)));
            }
            Place { node, record: None, .. } if !is_leaf(tree, place) => {
                let was_switched = self.switched.remove(&node);
                self.switched.extend((!was_switched).then_some(node));
            }
            _ => {}
        }
    }

    pub(super) fn lines(&self, tree: &Tree) -> Lines {
        let mut lines = Lines { runs: Vec::new(), count: 0 };
        for root in tree.roots() {
            self.add(&mut lines, tree, root, 0);
        }
        lines
    }

    fn add(&self, lines: &mut Lines, tree: &Tree, node: u32, depth: u16) {
        lines.push(RunKind::Node(node), depth, 1);
        if !self.is_open(tree, Place::node(node)) {
            return;
        }
        for child in tree.children(node) {
            self.add(lines, tree, child, depth + 1);
        }
        let Some(layout) = tree.layout(node) else { return };
        let count = tree.records(node);
        let mut next = 0;
        for (_, record) in self.records.range((node, 0)..(node, count)) {
            lines.push(RunKind::Records(node, next), depth + 1, record + 1 - next);
            lines.push(RunKind::Fields(node, *record), depth + 2, layout.fields.len() as u64);
            next = record + 1;
        }
        lines.push(RunKind::Records(node, next), depth + 1, count - next);
    }

    /// Unfolds everything around a place.
    pub(super) fn show(&mut self, tree: &Tree, place: Place) {
        for node in tree.ancestry(place.node) {
            let opens = node != place.node || place.record.is_some();
            if opens && !self.is_open(tree, Place::node(node)) {
                self.toggle(tree, Place::node(node));
            }
        }
        // A field is shown in its record; anything larger stays folded.
        if let (Some(record), Some(_)) = (place.record, place.field) {
            self.records.insert((place.node, record));
        }
    }
}

impl Lines {
    /// How many rows there are.
    pub(super) fn count(&self) -> u64 {
        self.count
    }

    fn push(&mut self, kind: RunKind, depth: u16, count: u64) {
        if count > 0 {
            self.runs.push(Run { start: self.count, depth, kind });
            self.count += count;
        }
    }

    pub(super) fn get(&self, row: u64) -> Option<(Place, u16)> {
        if row >= self.count {
            return None;
        }
        let run = self.runs.get(self.runs.partition_point(|run| run.start <= row).checked_sub(1)?)?;
        let inside = row - run.start;
        let place = match run.kind {
            RunKind::Node(node) => Place::node(node),
            RunKind::Records(node, first) => Place { node, record: Some(first + inside), field: None },
            RunKind::Fields(node, record) => {
                Place { node, record: Some(record), field: Some(usize::try_from(inside).ok()?) }
            }
        };
        Some((place, run.depth))
    }

    pub(super) fn of(&self, wanted: Place) -> Option<u64> {
        self.runs.iter().zip(self.runs.iter().skip(1).map(|run| run.start).chain([self.count])).find_map(
            |(run, end)| {
                let inside = match (&run.kind, wanted) {
                    (RunKind::Node(node), Place { record: None, .. }) if *node == wanted.node => 0,
                    (RunKind::Records(node, first), Place { record: Some(record), field: None, .. })
                        if *node == wanted.node =>
                    {
                        record.checked_sub(*first)?
                    }
                    (RunKind::Fields(node, record), Place { record: Some(of), field: Some(field), .. })
                        if (*node, *record) == (wanted.node, of) =>
                    {
                        field as u64
                    }
                    _ => return None,
                };
                (run.start + inside < end).then_some(run.start + inside)
            },
        )
    }
}

/// Whether a node is open before anybody touched it: groups at the top, unless they are long.
fn starts_open(tree: &Tree, node: u32) -> bool {
    let Some(of) = tree.get(node) else { return false };
    matches!(of.ty, Ty::Group) && of.depth < 2 && tree.children(node).take(FEW + 1).count() <= FEW
}

/// Whether a place has nothing to unfold.
pub(super) fn is_leaf(tree: &Tree, place: Place) -> bool {
    match (place.record, place.field) {
        (_, Some(_)) => true,
        (Some(_), None) => false,
        (None, None) => match tree.get(place.node).map(|node| node.ty) {
            Some(Ty::Group | Ty::List { .. }) => tree.children(place.node).next().is_none(),
            Some(Ty::Table { .. } | Ty::Records { .. }) => tree.records(place.node) == 0,
            _ => true,
        },
    }
}
