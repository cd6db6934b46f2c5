//! The hash functions of the games, and the book that turns hashes back into names.

use crate::path::{self, cmp_fold, eq_fold};

/// The longest name that a book takes: the path of a folder, a separator and a leaf.
const LONGEST_NAME: usize = 2 * path::LONGEST + 1;

/// The value of each byte in [`string_hash`]; it folds letter case, not separators.
///
/// Source: the public FEAR 2 tools (the LithTech table, checked on bone names, path
/// indexes and string keys of the game).
const STRING_HASH_VALUES: [u8; 256] = string_hash_values();

#[expect(clippy::indexing_slicing, reason = "runs at compile time, where a bad index is an error")]
const fn string_hash_values() -> [u8; 256] {
    // From 37 on the values follow this order; everything else is 0.
    const PUNCTUATION: &[u8] = b" _-+=\\|[]{};:'\"/?,.<>!@#$%^&*()`~";
    let mut values = [0; 256];
    let mut i = 0;
    while i < 26 {
        values[(b'a' + i) as usize] = i + 1;
        values[(b'A' + i) as usize] = i + 1;
        i += 1;
    }
    i = 0;
    while i < 10 {
        values[(b'0' + i) as usize] = i + 27;
        i += 1;
    }
    i = 0;
    while (i as usize) < PUNCTUATION.len() {
        values[PUNCTUATION[i as usize] as usize] = i + 37;
        i += 1;
    }
    values
}

/// The engine's StringHash: `h = h * 919 + value(byte)` over all bytes, from 0, wrapping.
///
/// Letter case folds; `\` and `/` differ, so a path hashes as written.
pub fn string_hash(text: &[u8]) -> u32 {
    string_hash_from(0, text)
}

/// [`string_hash`] continued: the hash of `prefix + text` from the hash of the prefix.
pub fn string_hash_from(hash: u32, text: &[u8]) -> u32 {
    let value = |byte: u8| u32::from(*STRING_HASH_VALUES.get(usize::from(byte)).unwrap_or(&0));
    text.iter().fold(hash, |hash, &byte| hash.wrapping_mul(919).wrapping_add(value(byte)))
}

/// Jenkins' one-at-a-time hash of the bytes as written (RAGE schema names).
pub fn joaat(text: &[u8]) -> u32 {
    joaat_end(joaat_from(0, text.iter().copied()))
}

/// [`joaat`] of the lower-case text (RAGE asset names).
pub fn joaat_lower(text: &[u8]) -> u32 {
    joaat_end(joaat_from(0, text.iter().map(u8::to_ascii_lowercase)))
}

fn joaat_from(state: u32, bytes: impl Iterator<Item = u8>) -> u32 {
    bytes.fold(state, |state, byte| {
        let state = state.wrapping_add(u32::from(byte));
        let state = state.wrapping_add(state << 10);
        state ^ (state >> 6)
    })
}

fn joaat_end(state: u32) -> u32 {
    let hash = state.wrapping_add(state << 3);
    let hash = hash ^ (hash >> 11);
    hash.wrapping_add(hash << 15)
}

/// The in-memory name hash of `#VBD` archives; only the low four bits of each byte count.
///
/// Source: the MechCommander 2 shared source; the bucket is the hash modulo 1021.
pub fn vbd_name_hash(name: &[u8]) -> u32 {
    vbd_from(0, name) | 0x8000_0000
}

fn vbd_from(state: u32, name: &[u8]) -> u32 {
    name.iter().fold(state, |state, &byte| {
        let state = (state << 4).wrapping_add(u32::from(byte & 15));
        state ^ (state >> 28)
    })
}

/// The hashes of many texts that begin alike: the start is hashed once.
#[derive(Clone, Copy, Debug)]
pub struct PathHashes {
    string_hash: u32,
    joaat_lower: u32,
    vbd: u32,
}

impl PathHashes {
    /// Hashes the start of the texts.
    pub fn new(start: &[u8]) -> Self {
        Self {
            string_hash: string_hash(start),
            joaat_lower: joaat_from(0, start.iter().map(u8::to_ascii_lowercase)),
            vbd: vbd_from(0, start),
        }
    }

    /// Whether [`string_hash`], [`joaat_lower`] or [`vbd_name_hash`] of the start and `rest` is
    /// `hash`.
    pub fn any_is(&self, rest: &[u8], hash: u32) -> bool {
        string_hash_from(self.string_hash, rest) == hash
            || joaat_end(joaat_from(self.joaat_lower, rest.iter().map(u8::to_ascii_lowercase))) == hash
            || vbd_from(self.vbd, rest) | 0x8000_0000 == hash
    }
}

/// Names by their StringHash: word lists, path indexes, paths of a stack.
///
/// Several names can share a hash; all of them are kept, in order of their text. Names that differ
/// only in letter case are one name to the engine, so the first spelling stays. All text lies in
/// one buffer: a book of every path of a game costs 12 bytes a name beside the letters. A book that
/// is full takes no more names; one of all paths of a game has 32 MB.
#[derive(Clone, Debug, Default)]
pub struct NameBook {
    text: String,
    rows: Vec<Row>,
}

#[derive(Clone, Copy, Debug)]
struct Row {
    hash: u32,
    start: u32,
    len: u32,
}

impl NameBook {
    /// Bytes of names and rows that a book may have.
    const FULL: usize = 256 << 20;

    /// An empty book.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds names; one that is there already, letter case aside, stays single.
    ///
    /// Costs one sort of the whole book, so add many names at once.
    pub fn extend<T: AsRef<str>>(&mut self, names: impl IntoIterator<Item = T>) {
        for name in names {
            self.push(name.as_ref());
        }
        self.settle();
    }

    /// Adds a name that [`settle`](Self::settle) brings into order; names that are longer than names
    /// are stay away.
    pub(crate) fn push(&mut self, name: &str) {
        let size = self.text.len() + name.len() + (self.rows.len() + 1) * size_of::<Row>();
        let place = (u32::try_from(self.text.len()), u32::try_from(name.len()));
        if let (Ok(start), Ok(len)) = place
            && size <= Self::FULL
            && name.len() <= LONGEST_NAME
        {
            self.rows.push(Row { hash: string_hash(name.as_bytes()), start, len });
            self.text.push_str(name);
        }
    }

    /// Brings the names into order after all were pushed.
    pub(crate) fn settle(&mut self) {
        let text = &self.text;
        // Stable, so that the spelling that came first stays.
        self.rows.sort_by(|a, b| {
            a.hash.cmp(&b.hash).then_with(|| cmp_fold(a.of(text).as_bytes(), b.of(text).as_bytes()))
        });
        self.rows.dedup_by(|later, first| {
            later.hash == first.hash && eq_fold(later.of(text).as_bytes(), first.of(text).as_bytes())
        });
    }

    /// Adds a word list: one name a line, spaces around it ignored, empty lines skipped.
    pub fn add_words(&mut self, list: &str) {
        self.extend(list.lines().map(str::trim).filter(|name| !name.is_empty()));
    }

    /// All known names with this hash, sorted; none where none is known.
    pub fn names(&self, hash: u32) -> impl Iterator<Item = &str> {
        let start = self.rows.partition_point(|row| row.hash < hash);
        let rows = self.rows.get(start..).unwrap_or_default();
        rows.iter().take_while(move |row| row.hash == hash).map(|row| row.of(&self.text))
    }

    /// All names, in the order of their hashes.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.rows.iter().map(|row| row.of(&self.text))
    }

    /// How many names the book holds.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether the book holds no name.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }
}

impl Row {
    fn of<'a>(&self, text: &'a str) -> &'a str {
        let start = self.start as usize;
        text.get(start..start + self.len as usize).unwrap_or_default()
    }
}

/// Bytes as hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    let digits = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    digits.filter_map(|digit| char::from_digit(digit.into(), 16)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn string_hash_agrees_with_the_known_values() {
        assert_eq!(string_hash(b""), 0);
        assert_eq!(string_hash(b"UI_1Sword_Starting_N"), 0xDCDB4713);
        assert_eq!(string_hash(b"ui_1sword_starting_n"), 0xDCDB4713);
        assert_eq!(string_hash(b"Root"), 0x4179E86A);
        assert_eq!(string_hash(b"sword_handle"), 0x54043431);
        assert_eq!(string_hash(b"sword_tip"), 0xD5659912);
        assert_eq!(string_hash(b"TribeDef_Goblin"), 0xE2D0F0F6);
        assert_eq!(string_hash(b"TribeDef_Machine"), 0xEBB642C8);
        assert_eq!(string_hash(br"materials\0dev\engine\deferred_debug.mat"), 58863867);
    }

    #[test]
    fn every_byte_has_the_value_of_the_table() {
        let value = |text: &str| text.bytes().map(|b| STRING_HASH_VALUES[b as usize]).collect::<Vec<_>>();
        assert_eq!(value("AZaz09"), [1, 26, 1, 26, 27, 36]);
        assert_eq!(value(" _-+=\\|[]{}"), (37..=47).collect::<Vec<_>>());
        assert_eq!(value(";:'\"/?,.<>"), (48..=57).collect::<Vec<_>>());
        assert_eq!(value("!@#$%^&*()`~"), (58..=69).collect::<Vec<_>>());
        let known = STRING_HASH_VALUES.iter().filter(|value| **value > 0);
        assert_eq!(known.count(), 95);
    }

    #[test]
    fn separators_hash_apart() {
        assert_ne!(string_hash(b"a\\b"), string_hash(b"a/b"));
    }

    #[test]
    fn joaat_agrees_with_the_known_values() {
        assert_eq!(joaat(b"CMapData"), 0xD3593FA6);
        assert_eq!(joaat(b"CEntityDef"), 0xCE501483);
        assert_eq!(joaat_lower(b"CMapData"), joaat(b"cmapdata"));
        assert_eq!(joaat(b""), 0);
    }

    #[test]
    fn vbd_name_hash_agrees_with_the_known_values() {
        assert_eq!(vbd_name_hash(b""), 0x80000000);
        assert_eq!(vbd_name_hash(b"a"), 0x80000001);
        assert_eq!(vbd_name_hash(b"resource\\core.mw4"), 0x8077DAE4);
        assert_eq!(vbd_name_hash(b"resource/core.mw4"), 0x8077DAD4);
        assert_eq!(vbd_name_hash(b"tables\\mechtable.mpt"), 0xAE51F916);
        assert_eq!(vbd_name_hash(b"mechs\\atlas\\atlas.data{GameModel}"), 0xE9CB738B);
    }

    #[test]
    fn hashes_go_on_from_a_common_start() {
        let (start, rest) = (&b"Resource\\"[..], &b"Core.mw4"[..]);
        let whole = b"Resource\\Core.mw4";
        let hashes = PathHashes::new(start);
        for hash in [string_hash(whole), joaat_lower(whole), vbd_name_hash(whole)] {
            assert!(hashes.any_is(rest, hash));
            assert!(!hashes.any_is(rest, hash ^ 1));
        }
    }

    #[test]
    fn a_full_book_takes_no_more_names() {
        let mut book = NameBook::new();
        let name = |at: u32| format!("{at:06}{}", "x".repeat(LONGEST_NAME - 6));
        book.extend([name(0) + "x"]);
        assert!(book.is_empty(), "longer than any name");
        book.extend((0..150_000).map(name));
        assert!(book.text.len() + book.rows.len() * size_of::<Row>() <= NameBook::FULL);
        assert!(book.len() > 100_000 && book.len() < 150_000, "{}", book.len());
        assert_eq!(book.names(string_hash(name(7).as_bytes())).collect::<Vec<_>>(), [name(7)]);
    }

    #[test]
    fn the_book_keeps_all_names_of_a_hash() {
        let mut book = NameBook::new();
        book.add_words("Root\r\n\n  sword_tip \nROOT\n");
        // Bytes beyond the table count as 0, so these two names collide.
        book.extend(["\u{e9}x", "\u{e8}x"]);
        assert_eq!(book.len(), 4);
        assert_eq!(book.names(0x4179E86A).collect::<Vec<_>>(), ["Root"]);
        assert_eq!(book.names(string_hash("\u{e9}x".as_bytes())).count(), 2);
        assert_eq!(book.names(1).count(), 0);
    }
}
