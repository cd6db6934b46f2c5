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
    /// For each [`BLOCK`] of units how many texts end before it.
    ends_before: Vec<u32>,
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

/// Units that are looked through at once.
const BLOCK: usize = 32;

impl StringTable {
    /// A table of rows and of texts; half a unit at the end is left out.
    pub fn new(rows: Vec<StringRow>, mut units: Bytes, [row_offset, unit_offset]: [u64; 2]) -> Self {
        units.truncate(units.len() / UNIT * UNIT);
        let (ends, ends_before) = nuls(units.as_chunks::<UNIT>().0);
        Self { rows, units, ends, ends_before, row_offset, unit_offset }
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
        self.text_in(start, self.number_of(start))
    }

    /// The whole text with a number, see [`number_of`](Self::number_of); `None` past the end.
    pub fn text_of(&self, number: usize) -> Option<StringText<'_>> {
        self.text_in(self.start_of(number), number)
    }

    /// The text from a unit to the end of the text with a number.
    fn text_in(&self, start: u32, number: usize) -> Option<StringText<'_>> {
        let end = self.ends.get(number);
        let range = start as usize..end.map_or_else(|| self.unit_count(), |end| *end as usize);
        if range.is_empty() && end.is_none() {
            return None;
        }
        Some(StringText { units: self.units.as_chunks::<UNIT>().0.get(range)?, has_end: end.is_some() })
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
        let block = start as usize / BLOCK;
        let before =
            |block: usize| self.ends_before.get(block).map_or(self.ends.len(), |count| *count as usize);
        let first = before(block);
        let of_block = self.ends.get(first..before(block + 1)).unwrap_or_default();
        first + of_block.partition_point(|end| *end < start)
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

    /// Whether anything is wrong with a row.
    pub fn has_fault(&self, row: usize) -> bool {
        let Some(own) = self.rows.get(row) else { return false };
        let number = self.number_of(own.start);
        self.start_of(number) != own.start
            || self.text_of(number).is_none_or(|text| !text.has_end || text.has_lone_surrogate())
            || self.fault_of_key(row).is_some()
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
        let mut counts = vec![0u32; self.ends.len() + 1];
        let mut inside: Vec<u32> = Vec::new();
        let place = |row: &StringRow| {
            let number = self.number_of(row.start);
            (number, self.start_of(number) == row.start)
        };
        for row in &self.rows {
            match place(row) {
                (number, true) => {
                    if let Some(count) = counts.get_mut(number) {
                        *count = count.saturating_add(1);
                    }
                }
                (_, false) => inside.push(row.start),
            }
        }
        inside.sort_unstable();
        let of_row = |row: &StringRow| {
            if let (number, true) = place(row) {
                return counts.get(number).copied().unwrap_or(1);
            }
            let first = inside.partition_point(|start| *start < row.start);
            let rest = inside.get(first..).unwrap_or_default();
            let count = rest.partition_point(|start| *start == row.start);
            u32::try_from(count).unwrap_or(u32::MAX)
        };
        self.rows.iter().map(of_row).collect()
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

    /// Adds the characters to `out`; `U+FFFD` for half of a pair.
    pub fn push_to(&self, out: &mut String) {
        out.reserve(self.units.len());
        let mut rest = self.units;
        while !rest.is_empty() {
            let ascii = rest.iter().take_while(|[low, high]| *high == 0 && low.is_ascii());
            let ascii = ascii.count();
            let (own, others) = rest.split_at(ascii);
            out.extend(own.iter().map(|[low, _]| char::from(*low)));
            let count = others.iter().take_while(|[low, high]| *high != 0 || !low.is_ascii()).count();
            let (own, others) = others.split_at(count);
            out.extend(StringText { units: own, has_end: false }.chars());
            rest = others;
        }
    }

    /// Whether half of a pair stands alone.
    pub fn has_lone_surrogate(&self) -> bool {
        // Nearly no text has any.
        let is_half = |unit: &[u8; 2]| u16::from_le_bytes(*unit) & 0xF800 == 0xD800;
        let has_half = |units: &[[u8; 2]]| units.iter().fold(false, |any, unit| any | is_half(unit));
        self.units.chunks(BLOCK).any(has_half)
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

/// The NULs among units, by their numbers, and for each [`BLOCK`] of units how many are before it.
fn nuls(units: &[[u8; 2]]) -> (Vec<u32>, Vec<u32>) {
    let (mut ends, mut before) = (Vec::new(), Vec::with_capacity(units.len().div_ceil(BLOCK)));
    for (block, units) in units.chunks(BLOCK).enumerate() {
        before.push(u32::try_from(ends.len()).unwrap_or(u32::MAX));
        // Most blocks have none, which is told without a branch for each unit.
        let any = units.iter().fold(false, |any, unit| any | (u16::from_le_bytes(*unit) == 0));
        if any {
            let numbers = (0..units.len()).filter(|at| units.get(*at) == Some(&[0; 2]));
            ends.extend(numbers.filter_map(|at| u32::try_from(block * BLOCK + at).ok()));
        }
    }
    (ends, before)
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
        assert!((0..7).all(|row| table.has_fault(row) != table.faults(row).is_empty()));
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
        assert_eq!(nuls(&units).0, expected);
        let table = StringTable::new(Vec::new(), units.concat().into(), [0, 0]);
        for start in (0..300).chain([u32::MAX]) {
            assert_eq!(table.number_of(start), expected.partition_point(|end| *end < start), "{start}");
        }
    }

    #[test]
    fn rows_that_have_a_text_are_counted_inside_others_and_past_the_end_as_well() {
        let units = utf16("ab\0c\0").into_iter().flat_map(u16::to_le_bytes).collect::<Vec<_>>();
        let rows = [0, 3, 1, 0, 1, 1, 9, 9, 5].map(|start| StringRow { key: 0, start }).to_vec();
        let table = StringTable::new(rows, units.into(), [0, 0]);
        assert_eq!(table.shared(), [2, 1, 3, 2, 3, 3, 2, 2, 1]);
    }
}
