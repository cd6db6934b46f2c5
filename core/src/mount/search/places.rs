//! Where a word occurs in a pool of names.
//!
//! Names in a pool are short, and looking into each on its own costs more than the search. So the
//! pool is searched once as a whole, and each entry then asks one bit.

use memchr::memmem::Finder;

/// For each byte of a pool: whether the name that starts there has the word in it.
#[derive(Debug)]
pub(super) struct Places(Vec<u64>);

impl Places {
    /// The places of a word in a pool of names, each with a NUL behind it; `None` for a word that
    /// names do not have to contain, or that reaches over their ends.
    pub(super) fn find(word: &Finder<'_>, pool: &[u8]) -> Option<Self> {
        if word.needle().is_empty() || memchr::memchr(0, word.needle()).is_some() {
            return None;
        }
        let mut places = Self(vec![0; pool.len().div_ceil(64)]);
        let mut done = 0;
        while let Some(ahead) = pool.get(done..)
            && let Some(found) = word.find(ahead)
        {
            // Names that start behind the last one's end, and up to here, have the word.
            let skipped = ahead.get(..found).unwrap_or_default();
            let start = memchr::memrchr(0, skipped).map_or(done, |nul| done + nul + 1);
            done += found + 1;
            places.mark(start, done);
        }
        Some(places)
    }

    /// Whether the name that starts at `offset` has the word in it.
    #[inline]
    pub(super) fn has(&self, offset: u32) -> bool {
        self.0.get(offset as usize / 64).is_some_and(|bits| bits >> (offset % 64) & 1 == 1)
    }

    fn mark(&mut self, start: usize, end: usize) {
        let mut at = start;
        while at < end {
            let len = (64 - at % 64).min(end - at);
            if let Some(bits) = self.0.get_mut(at / 64) {
                *bits |= (u64::MAX >> (64 - len)) << (at % 64);
            }
            at += len;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What each offset should answer: the word lies between it and the end of its name.
    fn expected(word: &str, pool: &[u8]) -> Vec<bool> {
        let rest = |at: usize| pool[at..].split(|byte| *byte == 0).next().unwrap_or_default();
        (0..pool.len()).map(|at| memchr::memmem::find(rest(at), word.as_bytes()).is_some()).collect()
    }

    #[test]
    fn a_place_is_marked_when_its_name_has_the_word() {
        let long = format!("{}\0sword\0{}\0", "a".repeat(150), "b_sword".repeat(30));
        for pool in ["", "\0", "sword_d.tex\0body\0aaa\0swosword\0", "no end", "aaaa", &long] {
            for word in ["s", "a", "aa", "sword", "swords", "d.tex", "end"] {
                let places = Places::find(&Finder::new(word), pool.as_bytes()).unwrap();
                let found: Vec<_> = (0..pool.len()).map(|at| places.has(at.try_into().unwrap())).collect();
                assert_eq!(found, expected(word, pool.as_bytes()), "{word} in {pool:?}");
                assert!(!places.has(pool.len().try_into().unwrap()));
            }
        }
    }

    #[test]
    fn words_that_no_name_bounds_have_no_places() {
        assert!(Places::find(&Finder::new(""), b"a\0").is_none());
        assert!(Places::find(&Finder::new("a\0b"), b"a\0b\0").is_none());
    }
}
