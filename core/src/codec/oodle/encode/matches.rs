//! Finding what was there before.

/// Bytes that are hashed, the shortest match that is looked for.
pub(super) const MIN_MATCH: usize = 4;
const HASH_BITS: u32 = 14;
/// How many earlier places are tried.
const DEPTH: usize = 32;
const NONE: u32 = u32::MAX;

/// A match at the current position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Match {
    pub(super) distance: usize,
    pub(super) len: usize,
}

/// Chains of positions whose next bytes have one hash.
#[derive(Debug)]
pub(super) struct Finder<'a> {
    data: &'a [u8],
    newest: Vec<u32>,
    older: Vec<u32>,
    /// Positions below this are in the chains.
    known: usize,
    min_distance: usize,
}

impl<'a> Finder<'a> {
    /// A finder of matches that reach back at least `min_distance` bytes.
    pub(super) fn new(data: &'a [u8], min_distance: usize) -> Self {
        Self {
            data,
            newest: vec![NONE; 1 << HASH_BITS],
            older: vec![NONE; data.len()],
            known: 0,
            min_distance,
        }
    }

    fn hash(&self, at: usize) -> Option<usize> {
        let word = u32::from_le_bytes(*self.data.get(at..)?.first_chunk()?);
        Some((word.wrapping_mul(0x9E37_79B1) >> (32 - HASH_BITS)) as usize)
    }

    /// The longest match at `at` that ends at `end` or before. Positions are asked in order.
    pub(super) fn longest(&mut self, at: usize, end: usize) -> Match {
        let mut best = Match::default();
        self.visit(at, end, |found| best = found);
        best
    }

    /// All matches at `at`, each longer and farther than the one before. Positions are asked in order.
    pub(super) fn all(&mut self, at: usize, end: usize, out: &mut Vec<Match>) {
        out.clear();
        self.visit(at, end, |found| out.push(found));
    }

    /// Shows each match that is longer than those before it.
    fn visit(&mut self, at: usize, end: usize, mut show: impl FnMut(Match)) {
        self.learn(at);
        let mut best = MIN_MATCH - 1;
        let mut place = self.hash(at).and_then(|hash| self.newest.get(hash)).copied().unwrap_or(NONE);
        for _ in 0..DEPTH {
            if place == NONE {
                break;
            }
            let from = place as usize;
            if at - from >= self.min_distance && self.may_be_longer(from, at, best) {
                let len = self.common(from, at, end);
                if len > best {
                    best = len;
                    show(Match { distance: at - from, len });
                }
            }
            place = self.older.get(from).copied().unwrap_or(NONE);
        }
    }

    /// Whether the byte behind `len` bytes is the same.
    fn may_be_longer(&self, from: usize, at: usize, len: usize) -> bool {
        self.data.get(from + len) == self.data.get(at + len)
    }

    /// How many bytes from `at` on are those from `from` on.
    pub(super) fn common(&self, from: usize, at: usize, end: usize) -> usize {
        let rest = self.data.get(at..end).unwrap_or_default();
        let before = self.data.get(from..from + rest.len()).unwrap_or_default();
        let words = before.as_chunks::<8>().0.iter().zip(rest.as_chunks::<8>().0);
        let same = 8 * words.take_while(|(a, b)| a == b).count();
        let (before, rest) = (before.get(same..).unwrap_or_default(), rest.get(same..).unwrap_or_default());
        same + before.iter().zip(rest).take_while(|(a, b)| a == b).count()
    }

    /// Adds the positions below `end` to the chains.
    fn learn(&mut self, end: usize) {
        while self.known < end {
            if let Some(hash) = self.hash(self.known)
                && let (Some(newest), Some(older)) =
                    (self.newest.get_mut(hash), self.older.get_mut(self.known))
            {
                *older = std::mem::replace(newest, self.known as u32);
            }
            self.known += 1;
        }
    }
}
