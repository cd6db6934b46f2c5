//! The rules of paths inside a stack: bytes on disk, text for people, one canonical spelling.
//!
//! Archives store names as bytes without a stated encoding (every shipped name is ASCII). The
//! engine compares them case-insensitively as `_stricmp` does: ASCII letters fold to lower case,
//! so digits < `\` < `_` < letters. It does not fold separators: `\` separates, and `/` is taken
//! for it only when a person types a path.

use std::borrow::Cow;
use std::cmp::Ordering;

use encoding_rs::WINDOWS_1252;

/// The separator that archives store.
pub const SEPARATOR: u8 = b'\\';

/// The longest name that counts, in bytes: a leaf name, or the full path of a folder. The engine
/// compares 0x105 characters and Windows opens 260, so a longer one is no name of a game.
pub const LONGEST: usize = 1024;

/// Whether the byte separates folders, for the engine's splitting and for people.
pub const fn is_separator(byte: u8) -> bool {
    byte == b'\\' || byte == b'/'
}

/// Compares two names as `_stricmp` does: byte by byte, ASCII letters in lower case.
///
/// Eight bytes at a time where both have them, since a mount compares every name of the stack.
#[inline]
pub fn cmp_fold(a: &[u8], b: &[u8]) -> Ordering {
    let (a_words, a_tail) = a.as_chunks::<8>();
    let (b_words, b_tail) = b.as_chunks::<8>();
    for (a, b) in a_words.iter().zip(b_words) {
        if a != b {
            let (a, b) = (fold_word(u64::from_be_bytes(*a)), fold_word(u64::from_be_bytes(*b)));
            if a != b {
                return a.cmp(&b);
            }
        }
    }
    // At least one side has only its tail left; what the other has beyond it decides by length.
    let words = 8 * a_words.len().min(b_words.len());
    let (a, b) = match (a_words.len().cmp(&b_words.len()), a.get(words..), b.get(words..)) {
        (Ordering::Equal, ..) | (_, None, _) | (_, _, None) => (a_tail, b_tail),
        (_, Some(a), Some(b)) => (a, b),
    };
    let fold = |bytes: &[u8]| tail_word(bytes);
    fold(a).cmp(&fold(b)).then(a.len().cmp(&b.len()))
}

/// Whether a name has an ending such as `.bndl`, letter case ignored.
pub fn has_ending(name: &[u8], ending: &[u8]) -> bool {
    name.len().checked_sub(ending.len()).and_then(|at| name.get(at..)).is_some_and(|end| eq_fold(end, ending))
}

/// Whether two names are the same to the engine.
pub fn eq_fold(a: &[u8], b: &[u8]) -> bool {
    a.eq_ignore_ascii_case(b)
}

/// Lower case of the ASCII letters among eight bytes.
#[inline]
const fn fold_word(word: u64) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const LOW: u64 = 0x7F7F_7F7F_7F7F_7F7F;
    let low = word & LOW;
    let from_a = low + ONES * (0x80 - b'A' as u64);
    let above_z = low + ONES * (0x80 - b'Z' as u64 - 1);
    let upper = from_a & !above_z & !word & !LOW;
    word | (upper >> 2)
}

/// The first eight bytes, folded, missing ones zero.
#[inline]
fn tail_word(bytes: &[u8]) -> u64 {
    let mut word = [0; 8];
    for (to, from) in word.iter_mut().zip(bytes) {
        *to = *from;
    }
    fold_word(u64::from_be_bytes(word))
}

/// A name in lower case, eight bytes a word, the last one filled with zeros.
#[inline]
pub fn folded_words(name: &[u8]) -> impl Iterator<Item = u64> {
    let (words, tail) = name.as_chunks::<8>();
    words.iter().map(|word| fold_word(u64::from_be_bytes(*word))).chain([tail_word(tail)])
}

/// Appends a name in lower case.
#[inline]
pub fn push_folded(out: &mut Vec<u8>, name: &[u8]) {
    let end = out.len() + name.len();
    out.reserve(name.len() + 8);
    folded_words(name).for_each(|word| out.extend_from_slice(&word.to_be_bytes()));
    out.truncate(end);
}

/// The text with a NUL behind it that starts at an offset of a pool of names.
///
/// Only as much is looked at as a name may be long, so that many names that start in one long text
/// cost no more than others.
#[inline]
pub fn in_pool(pool: &[u8], offset: u32) -> InPool<'_> {
    let Some(ahead) = pool.get(offset as usize..).filter(|ahead| !ahead.is_empty()) else {
        return InPool::Outside;
    };
    let near = ahead.get(..=LONGEST).unwrap_or(ahead);
    match memchr::memchr(0, near) {
        Some(end) => InPool::Name(near.get(..end).unwrap_or_default()),
        None if ahead.len() <= LONGEST => InPool::Name(ahead),
        None => InPool::TooLong,
    }
}

/// What an offset of a pool of names leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InPool<'a> {
    /// A name, without its NUL.
    Name(&'a [u8]),
    /// A text of more than [`LONGEST`] bytes.
    TooLong,
    /// Nothing: the offset is outside.
    Outside,
}

impl<'a> InPool<'a> {
    /// The name, where it is one.
    #[inline]
    pub fn name(self) -> Option<&'a [u8]> {
        match self {
            Self::Name(name) => Some(name),
            Self::TooLong | Self::Outside => None,
        }
    }
}

/// Splits at the last separator of either kind: the folder without it, and the leaf.
pub fn split(path: &[u8]) -> (&[u8], &[u8]) {
    match memchr::memrchr2(b'\\', b'/', path) {
        Some(at) => (path.get(..at).unwrap_or_default(), path.get(at + 1..).unwrap_or_default()),
        None => (&[], path),
    }
}

/// The folder and the leaf joined with a separator; the root folder is empty.
pub fn join(folder: &[u8], leaf: &[u8]) -> Vec<u8> {
    let mut path = Vec::with_capacity(folder.len() + 1 + leaf.len());
    path.extend_from_slice(folder);
    if !folder.is_empty() {
        path.push(SEPARATOR);
    }
    path.extend_from_slice(leaf);
    path
}

/// Whether a stored path is in the one spelling that the index groups by, letter case aside: `\`
/// between components, none of them empty.
pub fn is_canonical(path: &[u8]) -> bool {
    // Where the next component starts; a separator there has nothing before it.
    let mut component = 0;
    for at in memchr::memchr2_iter(b'\\', b'/', path) {
        if at == component || path.get(at) != Some(&SEPARATOR) {
            return false;
        }
        component = at + 1;
    }
    path.is_empty() || component < path.len()
}

/// The canonical spelling: `\` for `/`, no empty components. Letter case stays.
pub fn canonical(path: &[u8]) -> Cow<'_, [u8]> {
    if is_canonical(path) {
        return Cow::Borrowed(path);
    }
    let mut out = Vec::with_capacity(path.len());
    for component in path.split(|&byte| is_separator(byte)).filter(|part| !part.is_empty()) {
        if !out.is_empty() {
            out.push(SEPARATOR);
        }
        out.extend_from_slice(component);
    }
    Cow::Owned(out)
}

/// Names as text: UTF-8 where they are valid UTF-8, Windows-1252 otherwise.
///
/// Windows-1252 gives every byte a character, so no two names of one kind look the same and
/// [`from_text`] finds the bytes again.
pub fn to_text(name: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(name) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => WINDOWS_1252.decode_without_bom_handling(name).0,
    }
}

/// The byte spellings that show as this text: UTF-8 first, then Windows-1252 where it differs.
pub fn from_text(text: &str) -> (&[u8], Option<Vec<u8>>) {
    if text.is_ascii() {
        return (text.as_bytes(), None);
    }
    let (bytes, _, unmappable) = WINDOWS_1252.encode(text);
    (text.as_bytes(), (!unmappable).then(|| bytes.into_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_fold_ascii_letters_only_and_sort_like_stricmp() {
        let sorted: [&[u8]; 10] = [
            b"",
            b"DLC",
            b"dlc1",
            b"dlc4",
            b"dlc\\",
            b"dlc_",
            b"dlca",
            b"dlca_long_name_with_many_letters_0",
            b"DLCA_LONG_NAME_WITH_MANY_LETTERS_1",
            b"\xE9",
        ];
        for (i, a) in sorted.iter().enumerate() {
            for (j, b) in sorted.iter().enumerate() {
                assert_eq!(cmp_fold(a, b), i.cmp(&j), "{a:?} {b:?}");
            }
        }
        assert_eq!(cmp_fold(b"Characters\\SWORD_D.tex", b"characters\\sword_d.TEX"), Ordering::Equal);
        assert_ne!(cmp_fold(b"\xC9", b"\xE9"), Ordering::Equal);
    }

    #[test]
    fn folding_by_words_equals_folding_by_bytes() {
        for byte in 0..=255u8 {
            let folded = fold_word(u64::from_be_bytes([byte; 8])).to_be_bytes();
            assert_eq!(folded, [byte.to_ascii_lowercase(); 8]);
        }
        for name in [&b""[..], b"Ab", b"ABCDEFGH", b"Characters\\Orc_01.MAT"] {
            let mut out = b"X".to_vec();
            push_folded(&mut out, name);
            assert_eq!(out, [b"X", &name.to_ascii_lowercase()[..]].concat());
        }
        let names: Vec<Vec<u8>> = (0..40).map(|n| (0..n).map(|i| b"aB9\\_\x00Z["[i % 8]).collect()).collect();
        for a in &names {
            for b in &names {
                let expected = a.to_ascii_lowercase().cmp(&b.to_ascii_lowercase());
                assert_eq!(cmp_fold(a, b), expected, "{a:?} {b:?}");
            }
        }
    }

    #[test]
    fn paths_split_at_the_last_separator_of_either_kind() {
        assert_eq!(split(b"a\\b/c.tex"), (&b"a\\b"[..], &b"c.tex"[..]));
        assert_eq!(split(b"c.tex"), (&b""[..], &b"c.tex"[..]));
        assert_eq!(join(b"a\\b", b"c"), b"a\\b\\c");
        assert_eq!(join(b"", b"c"), b"c");
    }

    #[test]
    fn names_in_a_pool_end_at_their_nul_and_have_a_longest_length() {
        let long = |len| [vec![b'x'; len], b"\0end".to_vec()].concat();
        let pool = long(LONGEST);
        assert_eq!(in_pool(&pool, 0), InPool::Name(&pool[..LONGEST]));
        assert_eq!(in_pool(&pool, u32::try_from(LONGEST).unwrap()), InPool::Name(b""));
        assert_eq!(in_pool(&pool, u32::try_from(LONGEST).unwrap() + 1), InPool::Name(b"end"));
        assert_eq!(in_pool(&pool, u32::try_from(pool.len()).unwrap()), InPool::Outside);
        assert_eq!(in_pool(&long(LONGEST + 1), 0), InPool::TooLong);
        assert_eq!(in_pool(&[b'x'; LONGEST + 1], 0), InPool::TooLong);
        assert_eq!(in_pool(&[b'x'; LONGEST], 0).name().unwrap().len(), LONGEST);
    }

    #[test]
    fn canonical_paths_have_one_separator_and_no_empty_component() {
        assert_eq!(&*canonical(b"/a//b.TEX"), b"a\\b.TEX");
        assert!(matches!(canonical(b"a\\b.tex"), Cow::Borrowed(_)));
        for odd in [&b"\\a"[..], b"a\\", b"a\\\\b", b"a/b"] {
            assert!(!is_canonical(odd), "{odd:?}");
        }
    }

    #[test]
    fn names_of_any_bytes_become_text_and_back() {
        let name: Vec<u8> = (1..=255).collect();
        let text = to_text(&name);
        let (_, latin) = from_text(&text);
        assert_eq!(latin.as_deref(), Some(&name[..]));
        assert_eq!(to_text("Málo".as_bytes()), "Málo");
    }
}
