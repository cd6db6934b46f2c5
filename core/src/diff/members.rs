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

/// A member of a file that is compared.
#[derive(Clone, Copy, Debug, Default)]
pub struct Listed<'a> {
    /// Its path.
    pub path: &'a str,
    /// Its bytes, where that is told.
    pub size: Option<u64>,
    /// What is in it, where the file holds it.
    pub content: Option<&'a [u8]>,
}

/// A member and where it stands on both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemberPair {
    /// Its position on the left side.
    pub left: Option<usize>,
    /// Its position on the right side.
    pub right: Option<usize>,
    /// How it relates; `Changed` when its size is another one, or what is in it.
    pub change: Change,
}

/// Joins members by their paths, without regard to case. A path that a side has several times is
/// joined in order.
///
/// # Errors
/// `Cancelled`.
pub fn members(left: &[Listed<'_>], right: &[Listed<'_>], task: &Task) -> Result<MemberDiff> {
    let mut joined: BTreeMap<(String, usize), [Option<usize>; 2]> = BTreeMap::new();
    for (side, members) in [left, right].into_iter().enumerate() {
        let mut seen: BTreeMap<String, usize> = BTreeMap::new();
        for (at, member) in members.iter().enumerate() {
            if at.is_multiple_of(4096) {
                task.check()?;
            }
            let path = member.path.to_ascii_lowercase();
            let times = seen.entry(path.clone()).or_default();
            if let Some(place) = joined.entry((path, *times)).or_default().get_mut(side) {
                *place = Some(at);
            }
            *times += 1;
        }
    }
    let rows = joined.into_values().map(|[left_at, right_at]| {
        let left = left_at.and_then(|at| left.get(at));
        let right = right_at.and_then(|at| right.get(at));
        let change = match (left, right) {
            (Some(left), Some(right)) if left.size == right.size && left.content == right.content => {
                Change::Same
            }
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

    fn listed<'a>(members: &[(&'a str, Option<u64>)]) -> Vec<Listed<'a>> {
        members.iter().map(|(path, size)| Listed { path, size: *size, content: None }).collect()
    }

    #[test]
    fn members_are_joined_by_path_whatever_their_order_and_case() {
        let left = [("b\\two.tex", Some(2)), ("a.tex", Some(1)), ("gone.tex", None)];
        let right = [("A.TEX", Some(1)), ("b\\two.tex", Some(3)), ("c.tex", Some(9))];
        let diff = members(&listed(&left), &listed(&right), &Task::new()).unwrap();
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
        let (left, right) = (listed(&[("a", Some(1)), ("a", Some(2))]), listed(&[("a", Some(1))]));
        let diff = members(&left, &right, &Task::new()).unwrap();
        assert_eq!(
            diff.rows.iter().map(|row| row.change).collect::<Vec<_>>(),
            [Change::Same, Change::Removed]
        );
    }

    #[test]
    fn members_of_one_size_differ_by_what_is_in_them() {
        let of = |content| [Listed { path: "a", size: Some(1), content }];
        let changes = |left, right| members(&of(left), &of(right), &Task::new()).unwrap().differing.len();
        assert_eq!(changes(Some(&b"1"[..]), Some(&b"1"[..])), 0);
        assert_eq!(changes(Some(&b"1"[..]), Some(&b"2"[..])), 1);
    }
}
