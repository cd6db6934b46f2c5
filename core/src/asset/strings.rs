//! Tables of texts by the hashes of their keys.

use std::ops::Range;

use bytes::Bytes;

/// A table of texts as one file carries it: nothing is decoded before it is asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StringTable {
    /// The rows, in the order of the file.
    pub rows: Vec<StringRow>,
    /// The texts, UTF-16 with the lowest byte first, each with a NUL behind it. Whole units.
    pub units: Bytes,
    /// Where texts end: the NULs, by their numbers among the units, ascending.
    ends: Vec<u32>,
    /// First byte of the rows in the file.
    pub row_offset: u64,
    /// First byte of the texts in the file.
    pub unit_offset: u64,
}

/// A key and where its text is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StringRow {
    /// The hash of the key.
    pub key: u32,
    /// The first unit of the text.
    pub start: u32,
}

/// The text of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StringText<'a> {
    /// The units without the NUL, two bytes each with the lowest first.
    pub units: &'a [[u8; 2]],
    /// Whether a NUL ends it.
    pub has_end: bool,
}

/// What is wrong with a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum StringFault {
    /// The text would begin past the end.
    PastEnd,
    /// No NUL ends the text.
    NoEnd,
    /// The text begins inside another one.
    Inside,
    /// Half of a pair of units stands alone, which is no character.
    LoneSurrogate,
    /// The key is smaller than the one before.
    Unsorted,
    /// The key is that of the row before.
    Duplicate,
}

impl StringFault {
    /// The fault in a few words.
    pub const fn words(self) -> &'static str {
        match self {
            Self::PastEnd => "begins past the end of the texts",
            Self::NoEnd => "no NUL ends the text",
            Self::Inside => "begins inside another text",
            Self::LoneSurrogate => "half of a surrogate pair alone",
            Self::Unsorted => "the key is smaller than the one before",
            Self::Duplicate => "the key is that of the row before",
        }
    }
}

/// Bytes of a row in its file.
pub const STRING_ROW: u64 = 8;

/// Bytes of a unit.
const UNIT: usize = 2;

impl StringTable {
    /// A table of rows and of texts; half a unit at the end is left out.
    pub fn new(rows: Vec<StringRow>, mut units: Bytes, [row_offset, unit_offset]: [u64; 2]) -> Self {
        units.truncate(units.len() / UNIT * UNIT);
        let ends = nuls(units.as_chunks::<UNIT>().0);
        Self { rows, units, ends, row_offset, unit_offset }
    }

    /// A table of keys and texts, in the order of the keys; rows of equal texts share one.
    pub fn of<'a>(rows: impl IntoIterator<Item = (u32, &'a [u16])>) -> Self {
        let mut rows: Vec<_> = rows.into_iter().collect();
        rows.sort_by_key(|(key, _)| *key);
        let mut starts = std::collections::HashMap::new();
        let mut units: Vec<u8> = Vec::new();
        let rows = rows.into_iter().map(|(key, text)| {
            let start = *starts.entry(text).or_insert_with(|| {
                let start = u32::try_from(units.len() / UNIT).unwrap_or(u32::MAX);
                units.extend(text.iter().chain([&0]).flat_map(|unit| unit.to_le_bytes()));
                start
            });
            StringRow { key, start }
        });
        let rows: Vec<_> = rows.collect();
        Self::new(rows, units.into(), [0, 0])
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The rows that have a key; one, but for tables in a bad state. Where keys are in order.
    pub fn find(&self, key: u32) -> Option<usize> {
        let at = self.rows.partition_point(|row| row.key < key);
        self.rows.get(at).filter(|row| row.key == key).map(|_| at)
    }

    /// The text that begins at a unit; `None` past the end.
    pub fn text_at(&self, start: u32) -> Option<StringText<'_>> {
        let end = self.end_of(start);
        let (range, has_end) = match end {
            Some(end) => (start as usize..end as usize, true),
            None => (start as usize..self.unit_count(), false),
        };
        if range.is_empty() && !has_end {
            return None;
        }
        Some(StringText { units: self.units.as_chunks::<UNIT>().0.get(range)?, has_end })
    }

    /// The text of a row; `None` where there is no such row, or its text is past the end.
    pub fn text(&self, row: usize) -> Option<StringText<'_>> {
        self.text_at(self.rows.get(row)?.start)
    }

    /// How many units all texts have, with their NULs.
    pub fn unit_count(&self) -> usize {
        self.units.len() / UNIT
    }

    /// Where texts end, by the numbers of their NULs among the units.
    pub fn ends(&self) -> &[u32] {
        &self.ends
    }

    /// The number of the text that holds a unit, counted by their NULs.
    pub fn number_of(&self, start: u32) -> usize {
        self.ends.partition_point(|end| *end < start)
    }

    /// The first unit of the text with a number.
    pub fn start_of(&self, number: usize) -> u32 {
        number.checked_sub(1).and_then(|before| self.ends.get(before)).map_or(0, |end| end + 1)
    }

    /// The bytes of a row in the file.
    pub fn row_range(&self, row: usize) -> Range<u64> {
        let start = self.row_offset + STRING_ROW * row as u64;
        start..start + STRING_ROW
    }

    /// The bytes of a row's text in the file, with its NUL.
    pub fn text_range(&self, row: usize) -> Option<Range<u64>> {
        let start = self.rows.get(row)?.start;
        let text = self.text_at(start)?;
        let at = |unit: usize| self.unit_offset + (unit * UNIT) as u64;
        let start = start as usize;
        Some(at(start)..at(start + text.units.len() + usize::from(text.has_end)))
    }

    /// What is wrong with a row. Long texts are looked through for [`StringFault::LoneSurrogate`].
    pub fn faults(&self, row: usize) -> Vec<StringFault> {
        let Some(own) = self.rows.get(row) else { return Vec::new() };
        let mut faults = self.faults_of_place(own.start);
        if self.text(row).is_some_and(|text| text.has_lone_surrogate()) {
            faults.push(StringFault::LoneSurrogate);
        }
        faults.extend(self.fault_of_key(row));
        faults
    }

    /// What is wrong with where a text is.
    pub fn faults_of_place(&self, start: u32) -> Vec<StringFault> {
        let Some(text) = self.text_at(start) else { return vec![StringFault::PastEnd] };
        let is_inside = self.start_of(self.number_of(start)) != start;
        let faults = [(!text.has_end, StringFault::NoEnd), (is_inside, StringFault::Inside)];
        faults.into_iter().filter_map(|(is_there, fault)| is_there.then_some(fault)).collect()
    }

    /// What is wrong with the key of a row, beside the one before.
    pub fn fault_of_key(&self, row: usize) -> Option<StringFault> {
        let before = self.rows.get(row.checked_sub(1)?)?.key;
        match self.rows.get(row)?.key.cmp(&before) {
            std::cmp::Ordering::Less => Some(StringFault::Unsorted),
            std::cmp::Ordering::Equal => Some(StringFault::Duplicate),
            std::cmp::Ordering::Greater => None,
        }
    }

    /// How many rows have the text that each row has.
    pub fn shared(&self) -> Vec<u32> {
        let mut order: Vec<u32> = (0u32..).zip(&self.rows).map(|(at, _)| at).collect();
        let start = |at: &u32| self.rows.get(*at as usize).map_or(0, |row| row.start);
        order.sort_unstable_by_key(start);
        let mut shared = vec![1; self.rows.len()];
        for run in order.chunk_by(|a, b| start(a) == start(b)) {
            let count = u32::try_from(run.len()).unwrap_or(u32::MAX);
            for at in run {
                if let Some(own) = shared.get_mut(*at as usize) {
                    *own = count;
                }
            }
        }
        shared
    }

    /// The NUL that ends a text.
    fn end_of(&self, start: u32) -> Option<u32> {
        self.ends.get(self.number_of(start)).copied()
    }
}

impl StringText<'_> {
    /// The units as numbers.
    pub fn values(&self) -> impl ExactSizeIterator<Item = u16> + Clone + '_ {
        self.units.iter().map(|unit| u16::from_le_bytes(*unit))
    }

    /// The characters; `U+FFFD` for half of a pair.
    pub fn chars(&self) -> impl Iterator<Item = char> + Clone + '_ {
        char::decode_utf16(self.values()).map(|letter| letter.unwrap_or(char::REPLACEMENT_CHARACTER))
    }

    /// Whether half of a pair stands alone.
    pub fn has_lone_surrogate(&self) -> bool {
        // Nearly no text has any.
        self.units.iter().any(|[_, high]| high & 0xF8 == 0xD8)
            && char::decode_utf16(self.values()).any(|letter| letter.is_err())
    }
}

/// As it is read: `U+FFFD` for half of a pair.
impl std::fmt::Display for StringText<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        use std::fmt::Write as _;
        self.chars().try_for_each(|letter| f.write_char(letter))
    }
}

/// The NULs among units, by their numbers.
fn nuls(units: &[[u8; 2]]) -> Vec<u32> {
    const BLOCK: usize = 32;
    let mut ends = Vec::new();
    for (block, units) in units.chunks(BLOCK).enumerate() {
        // Most blocks have none, which is told without a branch for each unit.
        let product = units.iter().fold(false, |any, unit| any | (u16::from_le_bytes(*unit) == 0));
        if product {
            let numbers = (0..units.len()).filter(|at| units.get(*at) == Some(&[0; 2]));
            ends.extend(numbers.filter_map(|at| u32::try_from(block * BLOCK + at).ok()));
        }
    }
    ends
}

#[cfg(test)]
mod tests {
    use super::*;

    fn utf16(text: &str) -> Vec<u16> {
        text.encode_utf16().collect()
    }

    #[test]
    fn equal_texts_are_shared_and_keys_are_in_order() {
        let [one, other, empty] = ["Urfael", "Azkâr 🗡", ""].map(utf16);
        let table = StringTable::of([(9, &*one), (3, &*other), (5, &*one), (4, &*empty)]);
        let rows: Vec<_> = table.rows.iter().map(|row| row.key).collect();
        assert_eq!(rows, [3, 4, 5, 9]);
        let text = |row| table.text(row).unwrap().to_string();
        assert_eq!([text(0), text(1), text(2), text(3)], ["Azkâr 🗡", "", "Urfael", "Urfael"]);
        assert_eq!(table.shared(), [1, 1, 2, 2]);
        assert_eq!(table.ends().len(), 3);
        assert_eq!((table.find(5), table.find(6)), (Some(2), None));
        assert!((0..4).all(|row| table.faults(row).is_empty()));
        assert_eq!(table.text_range(0), Some(0..18));
    }

    #[test]
    fn what_is_wrong_with_a_row_is_told() {
        use StringFault::{Duplicate, Inside, LoneSurrogate, NoEnd, PastEnd, Unsorted};
        let units: Vec<u8> =
            [0x41, 0x42, 0, 0xD83D, 0, 0x43].into_iter().flat_map(u16::to_le_bytes).chain([7]).collect();
        let rows = [(4, 0), (4, 1), (2, 3), (7, 5), (8, 6), (9, 700)];
        let rows = rows.map(|(key, start)| StringRow { key, start }).to_vec();
        let table = StringTable::new(rows, units.into(), [100, 200]);
        let faults: Vec<_> = (0..6).map(|row| table.faults(row)).collect();
        assert_eq!(
            faults,
            [
                vec![],
                vec![Inside, Duplicate],
                vec![LoneSurrogate, Unsorted],
                vec![NoEnd],
                vec![PastEnd],
                vec![PastEnd]
            ]
        );
        let text = |row| table.text(row).map(|text| text.to_string());
        assert_eq!(
            [text(1), text(2), text(3), text(4)].map(|text| text.unwrap_or_default()),
            ["B", "\u{FFFD}", "C", ""]
        );
        assert_eq!((table.row_range(1), table.text_range(3)), (108..116, Some(210..212)));
    }

    #[test]
    fn every_nul_is_found() {
        let units: Vec<[u8; 2]> =
            (0..200u16).map(|at| u16::to_le_bytes(if at % 37 == 5 { 0 } else { at << 8 })).collect();
        let expected: Vec<u32> = (0..200).filter(|at| at % 37 == 5 || *at == 0).collect();
        assert_eq!(nuls(&units), expected);
    }
}
