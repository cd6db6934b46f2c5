//! The entries of a folder with those that another order removes, each at its place.

use std::ops::Range;

use palimpsest_core::mount::EntryId;

use crate::difference::Gone;

/// A run of entries that are there, and of entries that are gone and stand between them or at its end.
#[derive(Clone, Debug)]
pub(super) struct Mixed<'a> {
    entries: Range<u32>,
    gone: &'a [Gone],
}

/// One of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    There(EntryId),
    /// Its number in the stack before.
    Gone(EntryId),
}

impl<'a> Mixed<'a> {
    pub(super) const fn new(entries: Range<u32>, gone: &'a [Gone]) -> Self {
        Self { entries, gone }
    }

    pub(super) fn len(&self) -> u64 {
        u64::from(self.entries.end - self.entries.start) + self.gone.len() as u64
    }

    /// Cuts off the run that ends with an entry.
    pub(super) fn split_behind(&mut self, entry: EntryId) -> Self {
        let end = (entry.0 + 1).clamp(self.entries.start, self.entries.end);
        let (before, behind) = self.gone.split_at(self.gone_up_to(entry));
        let first = Self { entries: self.entries.start..end, gone: before };
        (self.entries.start, self.gone) = (end, behind);
        first
    }

    pub(super) fn get(&self, row: u64) -> Option<Place> {
        // How many of those that are gone stand up to this row.
        let (mut low, mut high) = (0, self.gone.len());
        while low < high {
            let middle = usize::midpoint(low, high);
            if self.row_of_gone(middle)? <= row { low = middle + 1 } else { high = middle }
        }
        if let Some(last) = low.checked_sub(1)
            && self.row_of_gone(last) == Some(row)
        {
            return Some(Place::Gone(self.gone.get(last)?.entry));
        }
        let entry = self.entries.start + u32::try_from(row - low as u64).ok()?;
        (entry < self.entries.end).then_some(Place::There(EntryId(entry)))
    }

    /// The row of an entry that is there.
    pub(super) fn of_entry(&self, entry: EntryId) -> Option<u64> {
        let at = self.entries.contains(&entry.0).then(|| entry.0 - self.entries.start)?;
        Some(u64::from(at) + self.gone_up_to(entry) as u64)
    }

    /// The row of an entry that is gone.
    pub(super) fn of_gone(&self, entry: EntryId) -> Option<u64> {
        self.row_of_gone(self.gone.binary_search_by_key(&entry, |gone| gone.entry).ok()?)
    }

    fn row_of_gone(&self, at: usize) -> Option<u64> {
        let before = self.gone.get(at)?.place.0.saturating_sub(self.entries.start);
        Some(u64::from(before) + at as u64)
    }

    /// How many that are gone stand before an entry.
    fn gone_up_to(&self, entry: EntryId) -> usize {
        self.gone.partition_point(|gone| gone.place <= entry)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(mixed: &Mixed<'_>) -> Vec<Place> {
        (0..mixed.len()).map(|row| mixed.get(row).unwrap()).collect()
    }

    #[test]
    fn what_is_gone_stands_at_its_place() {
        let there = |at| Place::There(EntryId(at));
        let lost = |at| Place::Gone(EntryId(at));
        let gone = [(70, 10), (71, 12), (72, 12), (73, 13)]
            .map(|(entry, place)| Gone { entry: EntryId(entry), place: EntryId(place) });
        let mut mixed = Mixed::new(10..13, &gone);
        let all = [lost(70), there(10), there(11), lost(71), lost(72), there(12), lost(73)];
        assert_eq!(rows(&mixed), all);
        assert_eq!(mixed.get(7), None);
        for (row, place) in (0..).zip(all) {
            let found = match place {
                Place::There(entry) => mixed.of_entry(entry),
                Place::Gone(entry) => mixed.of_gone(entry),
            };
            assert_eq!(found, Some(row));
        }
        let first = mixed.split_behind(EntryId(11));
        assert_eq!(rows(&first), all[..3]);
        assert_eq!(rows(&mixed), all[3..]);
        assert_eq!(rows(&Mixed::new(4..4, &[])), []);
    }
}
