//! Paths, kept once each, one after another, and found whatever their letter case, or in one spelling.

use std::fmt;
use std::hash::{BuildHasher as _, Hasher as _};

use hashbrown::{DefaultHashBuilder, HashTable};

use crate::path::{eq_fold, folded_words};

/// Paths, numbered as they were added.
#[derive(Default)]
pub(super) struct PathSet {
    text: Vec<u8>,
    /// Where each path ends.
    ends: Vec<u32>,
    table: HashTable<u32>,
    hasher: Hasher,
}

/// What counts as one path.
#[derive(Default)]
struct Hasher {
    state: DefaultHashBuilder,
    /// Whether letter case counts.
    is_exact: bool,
}

impl PathSet {
    /// A set in which spellings that differ in letter case are paths of their own.
    pub(super) fn of_spellings() -> Self {
        Self { hasher: Hasher { is_exact: true, ..Hasher::default() }, ..Self::default() }
    }

    /// A path by its number.
    pub(super) fn get(&self, name: u32) -> &[u8] {
        text_of(&self.text, &self.ends, name)
    }

    /// The number of a path; letter case is ignored where it does not count.
    pub(super) fn find(&self, path: &[u8]) -> Option<u32> {
        let same = |name: &u32| self.hasher.is_same(self.get(*name), path);
        self.table.find(self.hasher.hash(path), same).copied()
    }

    /// Adds a path that is not there yet.
    pub(super) fn add(&mut self, path: &[u8]) -> u32 {
        let name = count(self.ends.len());
        self.text.extend_from_slice(path);
        self.ends.push(count(self.text.len()));
        let (text, ends, hasher) = (&self.text, &self.ends, &self.hasher);
        let again = |name: &u32| hasher.hash(text_of(text, ends, *name));
        self.table.insert_unique(hasher.hash(path), name, again);
        name
    }

    /// Bytes of all paths.
    pub(super) fn text_len(&self) -> usize {
        self.text.len()
    }

    /// The paths one after another, and where each ends.
    pub(super) fn into_parts(self) -> (Vec<u8>, Vec<u32>) {
        (self.text, self.ends)
    }
}

/// A count or place of paths; more than four billion bytes of them are cut there.
fn count(len: usize) -> u32 {
    u32::try_from(len).unwrap_or(u32::MAX)
}

/// A path by its number in what a set is made of.
pub(super) fn text_of<'a>(text: &'a [u8], ends: &[u32], name: u32) -> &'a [u8] {
    let end = |at: u32| ends.get(at as usize).map(|end| *end as usize);
    let start = name.checked_sub(1).map_or(Some(0), end);
    start.zip(end(name)).and_then(|(start, end)| text.get(start..end)).unwrap_or_default()
}

impl Hasher {
    fn hash(&self, path: &[u8]) -> u64 {
        let mut state = self.state.build_hasher();
        if self.is_exact {
            state.write(path);
        } else {
            folded_words(path).for_each(|word| state.write_u64(word));
        }
        state.write_usize(path.len());
        state.finish()
    }

    fn is_same(&self, a: &[u8], b: &[u8]) -> bool {
        if self.is_exact { a == b } else { eq_fold(a, b) }
    }
}

impl fmt::Debug for PathSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PathSet({})", self.ends.len())
    }
}
