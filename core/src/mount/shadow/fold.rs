//! Bytes by folder: sums up to each folder, so that those of a range are one difference.

use std::ops::Range;

use super::Tally;
use crate::mount::index::FolderId;

/// Bytes by folder.
#[derive(Debug, Default)]
pub(super) struct Fold {
    /// The folders that hold files themselves, ascending, each with the sum up to its end.
    sums: Vec<(u32, Tally)>,
    /// Who shadows how much, by folder.
    casts: Vec<Cast>,
}

#[derive(Debug)]
struct Cast {
    folder: u32,
    by: u16,
    bytes: u64,
}

impl Fold {
    /// Adds a file of a folder; folders ascend.
    pub(super) fn add(&mut self, folder: FolderId, tally: Tally) {
        let before = self.sums.last().map(|(_, sum)| *sum).unwrap_or_default();
        match self.sums.last_mut() {
            Some((last, sum)) if *last == folder.0 => *sum = sum.plus(tally),
            _ => self.sums.push((folder.0, before.plus(tally))),
        }
    }

    /// Adds bytes of a folder that a layer shadows.
    pub(super) fn cast(&mut self, folder: FolderId, by: u16, bytes: u64) {
        let own = self.casts.iter_mut().rev().take_while(|cast| cast.folder == folder.0);
        match own.into_iter().find(|cast| cast.by == by) {
            Some(cast) => cast.bytes = cast.bytes.wrapping_add(bytes),
            None => self.casts.push(Cast { folder: folder.0, by, bytes }),
        }
    }

    /// The bytes of the folders in a range.
    pub(super) fn sum(&self, folders: Range<u32>) -> Tally {
        self.up_to(folders.end).minus(self.up_to(folders.start))
    }

    /// The bytes of all folders before one.
    pub(super) fn up_to(&self, end: u32) -> Tally {
        let count = self.sums.partition_point(|(folder, _)| *folder < end);
        let last = count.checked_sub(1).and_then(|at| self.sums.get(at));
        last.map(|(_, sum)| *sum).unwrap_or_default()
    }

    /// The layers that shadow bytes of the folders in a range, most first.
    pub(super) fn casters(&self, folders: Range<u32>) -> Vec<(usize, u64)> {
        let at = |end: u32| self.casts.partition_point(|cast| cast.folder < end);
        let mut casters: Vec<(usize, u64)> = Vec::new();
        for cast in self.casts.get(at(folders.start)..at(folders.end)).unwrap_or_default() {
            match casters.iter_mut().find(|(by, _)| *by == usize::from(cast.by)) {
                Some((_, bytes)) => *bytes = bytes.wrapping_add(cast.bytes),
                None => casters.push((cast.by.into(), cast.bytes)),
            }
        }
        casters.sort_by_key(|(by, bytes)| (std::cmp::Reverse(*bytes), *by));
        casters
    }
}
