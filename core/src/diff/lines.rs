//! Lines of text against each other, and the words inside lines that were changed.
//!
//! The longest common subsequence is found by the crate `similar`: maintained, without dependencies
//! and unsafe code, and it can be told when to settle for less than the shortest answer.

use std::collections::HashMap;
use std::ops::Range;
use std::time::{Duration, Instant};

use similar::{Algorithm, DiffTag, capture_diff_slices_deadline};

use crate::error::Result;
use crate::task::Task;

/// How long the shortest answer is looked for; then what is left counts as changed.
const PATIENCE: Duration = Duration::from_secs(3);

/// The same for somebody who waits.
const AT_ONCE: Duration = Duration::from_millis(4);

/// Bytes of the longest line whose words are compared.
const LONGEST: usize = 2000;

/// How the lines of two texts relate.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LineDiff {
    /// The texts from their first to their last lines; stretches that are the same take turns with
    /// those that differ.
    pub stretches: Vec<Stretch>,
    /// How many lines of the left side have another one in their place.
    pub changed: u64,
    /// How many lines the right side alone has.
    pub added: u64,
    /// How many lines the left side alone has.
    pub removed: u64,
}

/// Lines of both sides that belong together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// Lines of the left side, from 0.
    pub left: Range<usize>,
    /// Lines of the right side, from 0.
    pub right: Range<usize>,
    /// Whether they are the same.
    pub is_same: bool,
    /// The words that differ, for each line that stands in the place of another: the first of the
    /// left side for the first of the right side, and so on.
    pub words: Vec<WordDiff>,
}

impl Stretch {
    /// How many rows it takes with lines beside each other.
    pub fn rows(&self) -> usize {
        self.left.len().max(self.right.len())
    }
}

/// What differs inside a pair of lines, in bytes of each line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WordDiff {
    /// What the left line has in other words.
    pub left: Vec<Range<usize>>,
    /// What the right line has in other words.
    pub right: Vec<Range<usize>>,
}

/// Compares texts line by line.
///
/// # Errors
/// `Cancelled`.
pub fn lines(left: &[&str], right: &[&str], task: &Task) -> Result<LineDiff> {
    let deadline = Instant::now() + PATIENCE;
    let mut numbers: HashMap<&str, u32> = HashMap::new();
    let mut number = |line| {
        let next = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
        *numbers.entry(line).or_insert(next)
    };
    // Numbers are compared faster than texts.
    let left_numbers: Vec<_> = left.iter().map(|line| number(line)).collect();
    let right_numbers: Vec<_> = right.iter().map(|line| number(line)).collect();
    task.check()?;
    let ops = capture_diff_slices_deadline(Algorithm::Myers, &left_numbers, &right_numbers, Some(deadline));
    let mut diff = LineDiff::default();
    for op in ops {
        task.check()?;
        add(&mut diff, op.old_range(), op.new_range(), op.tag() == DiffTag::Equal);
    }
    for stretch in diff.stretches.iter_mut().filter(|stretch| !stretch.is_same) {
        task.check()?;
        let (of_left, of_right) = (left.get(stretch.left.clone()), right.get(stretch.right.clone()));
        let pairs = of_left.unwrap_or_default().iter().zip(of_right.unwrap_or_default());
        stretch.words = pairs.map(|(left, right)| words_until(left, right, deadline)).collect();
        let (pairs, before, after) =
            (stretch.words.len() as u64, stretch.left.len() as u64, stretch.right.len() as u64);
        diff.changed += pairs;
        diff.removed += before - pairs;
        diff.added += after - pairs;
    }
    Ok(diff)
}

/// Adds lines; those that differ join the ones before that differ.
fn add(diff: &mut LineDiff, left: Range<usize>, right: Range<usize>, is_same: bool) {
    match diff.stretches.last_mut() {
        Some(last) if last.is_same == is_same => {
            last.left.end = left.end;
            last.right.end = right.end;
        }
        _ => diff.stretches.push(Stretch { left, right, is_same, words: Vec::new() }),
    }
}

/// What differs between two texts, word by word; all of it where they are long.
pub fn words(left: &str, right: &str) -> WordDiff {
    words_until(left, right, Instant::now() + AT_ONCE)
}

/// What differs between two lines, word by word; all of it where they are long.
fn words_until(left: &str, right: &str, deadline: Instant) -> WordDiff {
    if left.len().max(right.len()) > LONGEST {
        let all = |line: &str| std::iter::once(0..line.len()).collect();
        return WordDiff { left: all(left), right: all(right) };
    }
    let (left, right) = (split(left), split(right));
    let mut diff = WordDiff::default();
    for op in capture_diff_slices_deadline(Algorithm::Myers, &left, &right, Some(deadline)) {
        if op.tag() != DiffTag::Equal {
            cover(&mut diff.left, &left, op.old_range());
            cover(&mut diff.right, &right, op.new_range());
        }
    }
    diff
}

/// Adds the bytes of words to ranges of bytes.
fn cover(ranges: &mut Vec<Range<usize>>, words: &[&str], of: Range<usize>) {
    let len = |words: Option<&[&str]>| words.unwrap_or_default().iter().map(|word| word.len()).sum::<usize>();
    let start = len(words.get(..of.start));
    let end = start + len(words.get(of));
    match ranges.last_mut() {
        Some(last) if last.end == start => last.end = end,
        _ if start < end => ranges.push(start..end),
        _ => {}
    }
}

/// The words of a line: letters and digits that stand together, spaces, and every other sign alone.
fn split(line: &str) -> Vec<&str> {
    let kind = |c: char| match c {
        c if c.is_alphanumeric() || c == '_' => 0,
        c if c.is_whitespace() => 1,
        _ => 2,
    };
    let mut words = Vec::new();
    let mut start = 0;
    let mut before = None;
    for (at, c) in line.char_indices() {
        if before.is_some_and(|before| before != kind(c) || before == 2) {
            words.extend(line.get(start..at));
            start = at;
        }
        before = Some(kind(c));
    }
    words.extend(line.get(start..).filter(|rest| !rest.is_empty()));
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(start: usize, end: usize) -> Vec<Range<usize>> {
        std::iter::once(start..end).collect()
    }

    fn compare(left: &str, right: &str) -> LineDiff {
        let (left, right): (Vec<_>, Vec<_>) =
            (left.split_inclusive('\n').collect(), right.split_inclusive('\n').collect());
        lines(&left, &right, &Task::new()).unwrap()
    }

    #[test]
    fn lines_that_came_went_and_changed_are_told_apart() {
        let diff = compare("a\nold one\nc\nd\n", "a\nnew one\nand more\nc\n");
        let stretches: Vec<_> =
            diff.stretches.iter().map(|of| (of.left.clone(), of.right.clone(), of.is_same)).collect();
        assert_eq!(
            stretches,
            [(0..1, 0..1, true), (1..2, 1..3, false), (2..3, 3..4, true), (3..4, 4..4, false)]
        );
        assert_eq!((diff.changed, diff.added, diff.removed), (1, 1, 1));
        assert_eq!(diff.stretches[1].words, [WordDiff { left: one(0, 3), right: one(0, 3) }]);
        assert_eq!(diff.stretches[1].rows(), 2);
    }

    #[test]
    fn a_line_break_is_part_of_its_line() {
        let diff = compare("a\r\n", "a\n");
        assert_eq!(diff.stretches[0].words, [WordDiff { left: one(1, 3), right: one(1, 2) }]);
    }

    #[test]
    fn words_are_letters_spaces_and_single_signs() {
        assert_eq!(split("wet=12.5  ä_b\r\n"), ["wet", "=", "12", ".", "5", "  ", "ä_b", "\r\n"]);
        assert_eq!(split(""), Vec::<&str>::new());
        let diff = words_until("shader=skin", "shader=wet skin", Instant::now() + PATIENCE);
        assert_eq!(diff, WordDiff { left: vec![], right: one(7, 11) });
    }

    #[test]
    fn the_words_of_long_lines_are_not_looked_at() {
        let long = "a ".repeat(LONGEST);
        let diff = compare(&long, &format!("{long}b"));
        assert_eq!(diff.stretches[0].words[0].left, one(0, long.len()));
    }

    #[test]
    fn texts_without_a_common_line_are_one_stretch() {
        let text = |word: &str| (0..2000).map(|at| format!("{word}{at}\n")).collect::<Vec<_>>().concat();
        let diff = compare(&text("a"), &text("b"));
        assert_eq!((diff.stretches.len(), diff.changed), (1, 2000));
        assert_eq!(compare("", ""), LineDiff::default());
    }
}
