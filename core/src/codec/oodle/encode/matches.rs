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
        self.learn(at);
        let mut best = Match::default();
        let mut place = self.hash(at).and_then(|hash| self.newest.get(hash)).copied().unwrap_or(NONE);
        for _ in 0..DEPTH {
            if place == NONE {
                break;
            }
            let from = place as usize;
            if at - from >= self.min_distance {
                let len = self.common(from, at, end);
                if len > best.len {
                    best = Match { distance: at - from, len };
                }
            }
            place = self.older.get(from).copied().unwrap_or(NONE);
        }
        if best.len < MIN_MATCH { Match::default() } else { best }
    }

    /// How many bytes from `at` on are those from `from` on.
    pub(super) fn common(&self, from: usize, at: usize, end: usize) -> usize {
        let rest = self.data.get(at..end).unwrap_or_default();
        self.data.get(from..).unwrap_or_default().iter().zip(rest).take_while(|(a, b)| a == b).count()
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
