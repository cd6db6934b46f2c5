//! Bytes against bytes at the same offsets.

use std::ops::Range;

use crate::error::Result;
use crate::task::Task;

/// How many places are kept; all are counted.
pub const MAX_PLACES: usize = 100_000;

/// As many equal bytes end a place; fewer of them between two that differ are chance.
const APART: u64 = 8;

/// Bytes that are compared between two looks at the task.
const BLOCK: usize = 64 << 10;

/// Where two runs of bytes differ.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ByteDiff {
    /// Bytes that both sides have, all of them compared.
    pub compared: u64,
    /// How many of those differ.
    pub differing: u64,
    /// In how many places they lie: what differs with fewer than eight equal bytes between.
    pub count: u64,
    /// The first [`MAX_PLACES`] of the places, in order.
    pub places: Vec<Range<u64>>,
}

impl ByteDiff {
    fn add(&mut self, at: u64) {
        self.differing += 1;
        // Where places are left out, the last one that is kept still ends where it ends.
        let is_open = self.count == self.places.len() as u64;
        if let Some(last) = self.places.last_mut().filter(|_| is_open)
            && at < last.end + APART
        {
            last.end = at + 1;
            return;
        }
        self.count += 1;
        if self.places.len() < MAX_PLACES {
            self.places.push(at..at + 1);
        }
    }
}

/// Compares two runs of bytes, offset by offset, as far as both reach. Each compared byte is a step.
///
/// # Errors
/// `Cancelled`.
pub fn bytes(left: &[u8], right: &[u8], task: &Task) -> Result<ByteDiff> {
    let mut diff = ByteDiff { compared: left.len().min(right.len()) as u64, ..ByteDiff::default() };
    let mut start = 0;
    for (left, right) in left.chunks(BLOCK).zip(right.chunks(BLOCK)) {
        let len = left.len().min(right.len());
        let (left, right) = (left.get(..len).unwrap_or(left), right.get(..len).unwrap_or(right));
        if left != right {
            compare_block(left, right, start, &mut diff);
        }
        start += len as u64;
        task.step(len as u64)?;
    }
    Ok(diff)
}

fn compare_block(left: &[u8], right: &[u8], start: u64, diff: &mut ByteDiff) {
    const WORD: usize = 8;
    for (at, (left, right)) in (start..).step_by(WORD).zip(left.chunks(WORD).zip(right.chunks(WORD))) {
        if left == right {
            continue;
        }
        for (at, _) in (at..).zip(left.iter().zip(right)).filter(|(_, (left, right))| left != right) {
            diff.add(at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compare(left: &[u8], right: &[u8]) -> ByteDiff {
        bytes(left, right, &Task::new()).unwrap()
    }

    #[test]
    fn what_is_close_is_one_place() {
        let left = [0; 40];
        let mut right = left;
        for at in [3, 5, 13, 22, 39] {
            right[at] = 1;
        }
        let diff = compare(&left, &right);
        assert_eq!(diff.places, [3..14, 22..23, 39..40]);
        assert_eq!((diff.compared, diff.differing, diff.count), (40, 5, 3));
    }

    #[test]
    fn places_go_on_across_blocks() {
        let left = vec![0; 3 * BLOCK];
        let mut right = left.clone();
        right[BLOCK - 2..BLOCK + 2].fill(1);
        let places = compare(&left, &right).places;
        assert_eq!((places.len(), places.first()), (1, Some(&(BLOCK as u64 - 2..BLOCK as u64 + 2))));
    }

    #[test]
    fn only_what_both_have_is_compared() {
        assert_eq!(compare(b"", b"abc"), ByteDiff::default());
        let diff = compare(b"abcde", b"abc");
        assert_eq!((diff.compared, diff.count), (3, 0));
        assert_eq!(compare(b"abX", b"abcde").places.first(), Some(&(2..3)));
    }

    #[test]
    fn places_are_bounded_and_all_are_counted() {
        let left = vec![0; 16 * (MAX_PLACES + 10)];
        let mut right = left.clone();
        right.iter_mut().step_by(16).for_each(|byte| *byte = 1);
        let diff = compare(&left, &right);
        assert_eq!((diff.places.len(), diff.count), (MAX_PLACES, MAX_PLACES as u64 + 10));
        assert_eq!(diff.differing, diff.count);
    }

    #[test]
    fn a_cancelled_comparison_stops() {
        let task = Task::new();
        task.cancel();
        assert!(bytes(&[0; 10], &[0; 10], &task).unwrap_err().is_cancelled());
    }
}
