//! The rows of two texts beside each other, with long stretches that are the same folded.

use std::collections::HashSet;

use palimpsest_core::diff::{Change, Stretch};

/// Lines around a difference that stay visible.
const AROUND: usize = 3;

/// What a row shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Row {
    /// Lines by their positions, where a side has one.
    Lines {
        /// The stretch.
        stretch: usize,
        /// The row inside the stretch.
        inside: usize,
    },
    /// This many lines of a stretch that are folded.
    Folded(usize, usize),
}

/// The rows of a text.
#[derive(Debug, Default)]
pub(super) struct Folds {
    runs: Vec<Run>,
    count: u64,
    /// Stretches that were unfolded.
    open: HashSet<usize>,
    /// Whether all are.
    all_open: bool,
}

/// Rows that follow each other: lines of a stretch, or one row for those that are folded.
#[derive(Debug)]
struct Run {
    /// The first row.
    start: u64,
    stretch: usize,
    /// The first row inside the stretch.
    inside: usize,
    /// How many lines are folded.
    folded: Option<usize>,
}

impl Folds {
    /// Makes the rows of stretches.
    pub(super) fn build(&mut self, stretches: &[Stretch]) {
        self.runs.clear();
        self.count = 0;
        for (at, stretch) in stretches.iter().enumerate() {
            let rows = stretch.rows();
            // At the ends of a text nothing stands on the other side.
            let before = if at == 0 { 0 } else { AROUND };
            let after = if at + 1 == stretches.len() { 0 } else { AROUND };
            let hidden = rows.saturating_sub(before + after);
            let is_open = self.all_open || self.open.contains(&at);
            if !stretch.is_same || hidden < 2 || is_open {
                self.push(at, 0, None, rows);
                continue;
            }
            self.push(at, 0, None, before);
            self.push(at, before, Some(hidden), 1);
            self.push(at, before + hidden, None, after);
        }
    }

    fn push(&mut self, stretch: usize, inside: usize, folded: Option<usize>, rows: usize) {
        if rows > 0 {
            self.runs.push(Run { start: self.count, stretch, inside, folded });
            self.count += rows as u64;
        }
    }

    /// How many rows there are.
    pub(super) fn count(&self) -> u64 {
        self.count
    }

    /// What a row shows.
    pub(super) fn get(&self, row: u64) -> Option<Row> {
        if row >= self.count {
            return None;
        }
        let run = self.runs.get(self.runs.partition_point(|run| run.start <= row).checked_sub(1)?)?;
        Some(match run.folded {
            Some(lines) => Row::Folded(run.stretch, lines),
            None => Row::Lines {
                stretch: run.stretch,
                inside: run.inside + usize::try_from(row - run.start).ok()?,
            },
        })
    }

    /// The first row of a stretch.
    pub(super) fn row_of(&self, stretch: usize) -> Option<u64> {
        let at = self.runs.partition_point(|run| run.stretch < stretch);
        self.runs.get(at).filter(|run| run.stretch == stretch).map(|run| run.start)
    }

    /// Unfolds a stretch.
    pub(super) fn unfold(&mut self, stretch: usize) {
        self.open.insert(stretch);
    }

    /// Whether everything is unfolded.
    pub(super) fn is_all_open(&self) -> bool {
        self.all_open
    }

    /// Unfolds everything, or folds it again.
    pub(super) fn open_all(&mut self, all_open: bool) {
        self.all_open = all_open;
        self.open.clear();
    }
}

/// The lines of a row inside a stretch, from 0, and how they relate.
pub(super) fn lines_of(stretch: &Stretch, inside: usize) -> (Option<usize>, Option<usize>, Change) {
    let line = |range: &std::ops::Range<usize>| (inside < range.len()).then_some(range.start + inside);
    let (left, right) = (line(&stretch.left), line(&stretch.right));
    let change = match (left, right) {
        _ if stretch.is_same => Change::Same,
        (Some(_), Some(_)) => Change::Changed,
        (None, _) => Change::Added,
        (_, None) => Change::Removed,
    };
    (left, right, change)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn same(range: std::ops::Range<usize>) -> Stretch {
        Stretch { left: range.clone(), right: range, is_same: true, words: Vec::new() }
    }

    fn stretches() -> Vec<Stretch> {
        let differs = Stretch { left: 20..21, right: 20..23, is_same: false, words: Vec::new() };
        vec![same(0..20), differs, same(23..28)]
    }

    #[test]
    fn long_stretches_are_folded_but_for_what_stands_around_differences() {
        let (mut folds, stretches) = (Folds::default(), stretches());
        folds.build(&stretches);
        let rows: Vec<_> = (0..folds.count()).filter_map(|row| folds.get(row)).collect();
        let lines = |stretch, inside| Row::Lines { stretch, inside };
        let expected = [
            Row::Folded(0, 17),
            lines(0, 17),
            lines(0, 18),
            lines(0, 19),
            lines(1, 0),
            lines(1, 1),
            lines(1, 2),
            lines(2, 0),
            lines(2, 1),
            lines(2, 2),
            Row::Folded(2, 2),
        ];
        assert_eq!(rows, expected);
        assert_eq!((folds.row_of(1), folds.row_of(3), folds.get(11)), (Some(4), None, None));
        folds.unfold(0);
        folds.build(&stretches);
        assert_eq!((folds.count(), folds.get(0)), (27, Some(lines(0, 0))));
        folds.open_all(true);
        folds.build(&stretches);
        assert_eq!((folds.count(), folds.is_all_open()), (28, true));
    }

    #[test]
    fn lines_without_a_partner_came_or_went() {
        let stretches = stretches();
        assert_eq!(lines_of(&stretches[1], 0), (Some(20), Some(20), Change::Changed));
        assert_eq!(lines_of(&stretches[1], 1), (None, Some(21), Change::Added));
        assert_eq!(lines_of(&stretches[2], 4), (Some(27), Some(27), Change::Same));
    }
}
