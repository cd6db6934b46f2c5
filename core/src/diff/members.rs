//! The members of two lists or archives against each other, by their paths.

use std::collections::BTreeMap;

use super::Change;
use crate::error::Result;
use crate::task::Task;

/// How the members of two files relate.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MemberDiff {
    /// Every member once, by path.
    pub rows: Vec<MemberPair>,
    /// Which of the rows are anything but the same.
    pub differing: Vec<usize>,
}

/// A member and where it stands on both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemberPair {
    /// Its position on the left side.
    pub left: Option<usize>,
    /// Its position on the right side.
    pub right: Option<usize>,
    /// How it relates; `Changed` when its size is another one.
    pub change: Change,
}

/// Joins members by their paths, without regard to case. A path that a side has several times is
/// joined in order.
///
/// # Errors
/// `Cancelled`.
pub fn members(
    left: &[(&str, Option<u64>)],
    right: &[(&str, Option<u64>)],
    task: &Task,
) -> Result<MemberDiff> {
    let mut joined: BTreeMap<(String, usize), [Option<usize>; 2]> = BTreeMap::new();
    for (side, members) in [left, right].into_iter().enumerate() {
        let mut seen: BTreeMap<String, usize> = BTreeMap::new();
        for (at, (path, _)) in members.iter().enumerate() {
            if at.is_multiple_of(4096) {
                task.check()?;
            }
            let path = path.to_ascii_lowercase();
            let times = seen.entry(path.clone()).or_default();
            if let Some(place) = joined.entry((path, *times)).or_default().get_mut(side) {
                *place = Some(at);
            }
            *times += 1;
        }
    }
    let rows = joined.into_values().map(|[left_at, right_at]| {
        let size = |of: &[(&str, Option<u64>)], at: usize| of.get(at).and_then(|(_, size)| *size);
        let change = match (left_at, right_at) {
            (Some(left_at), Some(right_at)) if size(left, left_at) == size(right, right_at) => Change::Same,
            (Some(_), Some(_)) => Change::Changed,
            (None, _) => Change::Added,
            (_, None) => Change::Removed,
        };
        MemberPair { left: left_at, right: right_at, change }
    });
    let rows: Vec<_> = rows.collect();
    let differs = |(at, row): (usize, &MemberPair)| (row.change != Change::Same).then_some(at);
    let differing = rows.iter().enumerate().filter_map(differs).collect();
    Ok(MemberDiff { rows, differing })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_joined_by_path_whatever_their_order_and_case() {
        let left = [("b\\two.tex", Some(2)), ("a.tex", Some(1)), ("gone.tex", None)];
        let right = [("A.TEX", Some(1)), ("b\\two.tex", Some(3)), ("c.tex", Some(9))];
        let diff = members(&left, &right, &Task::new()).unwrap();
        let rows: Vec<_> = diff.rows.iter().map(|row| (row.left, row.right, row.change)).collect();
        let expected = [
            (Some(1), Some(0), Change::Same),
            (Some(0), Some(1), Change::Changed),
            (None, Some(2), Change::Added),
            (Some(2), None, Change::Removed),
        ];
        assert_eq!((rows.as_slice(), diff.differing), (&expected[..], vec![1, 2, 3]));
    }

    #[test]
    fn a_path_that_comes_twice_is_joined_in_order() {
        let diff = members(&[("a", Some(1)), ("a", Some(2))], &[("a", Some(1))], &Task::new()).unwrap();
        assert_eq!(
            diff.rows.iter().map(|row| row.change).collect::<Vec<_>>(),
            [Change::Same, Change::Removed]
        );
    }
}
