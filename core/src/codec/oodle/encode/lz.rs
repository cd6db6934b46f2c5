//! Packing an LZ chunk of Kraken: lazy matching, recent distances, literals raw or as differences.

use super::array;
use super::bits::Msb;
use super::matches::{Finder, Match};

/// The first bytes of a chunk are raw, and no distance is shorter.
const FIRST: usize = 8;
/// The most long lengths that a chunk may have.
const MAX_LONGS: usize = 512;

/// What the parts of a chunk hold.
#[derive(Default)]
struct Parts {
    raw: Vec<u8>,
    deltas: Vec<u8>,
    commands: Vec<u8>,
    offsets: Vec<usize>,
    lengths: Vec<usize>,
}

/// Packs data as the first chunk of a stream; `None` where this form does not fit it.
pub(super) fn pack(data: &[u8]) -> Option<Vec<u8>> {
    let first: &[u8; FIRST] = data.first_chunk()?;
    let parts = Parts::of(data);
    let has_deltas = array::cost(parts.deltas.iter().copied()) < array::cost(parts.raw.iter().copied());
    let mut out = vec![0; 3];
    out.extend(first);
    array::push(&mut out, if has_deltas { &parts.deltas } else { &parts.raw });
    array::push(&mut out, &parts.commands);
    parts.push_numbers(&mut out)?;
    let size = out.len() - 3;
    let header = 0x80_0000 | usize::from(!has_deltas) << 19 | size;
    let [.., high, middle, low] = header.to_be_bytes();
    out.first_chunk_mut().map(|start| *start = [high, middle, low])?;
    (size < data.len() && size >= 13).then_some(out)
}

impl Parts {
    fn of(data: &[u8]) -> Self {
        let mut parts = Self::default();
        let mut finder = Finder::new(data, FIRST);
        let mut recent = [FIRST; 3];
        let (mut at, mut start) = (FIRST, FIRST);
        while at < data.len() {
            let found = best(&mut finder, at, data.len(), &recent);
            if found.len == 0 {
                at += 1;
                continue;
            }
            // A better match one byte later is worth a literal.
            let next = best(&mut finder, at + 1, data.len(), &recent);
            if gain(&next, &recent) > gain(&found, &recent) + 1 {
                at += 1;
                continue;
            }
            parts.push(data, start..at, found, &mut recent);
            at += found.len;
            start = at;
        }
        parts.push_literals(data, start..data.len(), recent[0]);
        parts
    }

    fn push_literals(&mut self, data: &[u8], range: std::ops::Range<usize>, last: usize) {
        let literals = data.get(range.clone()).unwrap_or_default();
        let before = data.get(range.start - last..).unwrap_or_default();
        self.raw.extend_from_slice(literals);
        self.deltas.extend(literals.iter().zip(before).map(|(byte, before)| byte.wrapping_sub(*before)));
    }

    fn push(&mut self, data: &[u8], literals: std::ops::Range<usize>, found: Match, recent: &mut [usize; 3]) {
        let count = literals.len();
        self.push_literals(data, literals, recent[0]);
        if count >= 3 {
            self.lengths.push(count - 3);
        }
        if found.len >= 17 {
            self.lengths.push(found.len - 17);
        }
        let known = recent.iter().position(|recent| *recent == found.distance);
        if known.is_none() {
            self.offsets.push(found.distance);
        }
        let place = known.unwrap_or(3);
        let last = place.min(2);
        recent.copy_within(..last, 1);
        recent[0] = found.distance;
        let command = count.min(3) | (found.len - 2).min(15) << 2 | place << 6;
        self.commands.push(command as u8);
    }

    /// Appends the codes of distances and lengths, and their bits.
    fn push_numbers(&self, out: &mut Vec<u8>) -> Option<()> {
        let mut sides = [Msb::default(), Msb::default()];
        let longs: Vec<usize> =
            self.lengths.iter().filter(|length| **length >= 255).map(|length| length - 255).collect();
        if longs.len() > MAX_LONGS {
            return None;
        }
        let [_, back] = &mut sides;
        back.put_with_zeros(longs.len() + 1, 0);
        let mut codes = Vec::with_capacity(self.offsets.len());
        for (at, distance) in self.offsets.iter().enumerate() {
            let value = distance + 248;
            let (high, low) = (value >> 4, value & 15);
            let bits = high.ilog2();
            codes.push(((bits as usize - 4) << 4 | low) as u8);
            sides.get_mut(at % 2)?.put(high, bits);
        }
        array::push(out, &codes);
        let codes: Vec<u8> = self.lengths.iter().map(|length| (*length).min(255) as u8).collect();
        array::push(out, &codes);
        for (at, long) in longs.iter().enumerate() {
            sides.get_mut(at % 2)?.put_with_zeros(long + 64, 6);
        }
        let [front, back] = sides;
        out.extend(front.finish());
        out.extend(back.finish_backward());
        Some(())
    }
}

/// The match at `at` that saves most.
fn best(finder: &mut Finder<'_>, at: usize, end: usize, recent: &[usize; 3]) -> Match {
    if at >= end {
        return Match::default();
    }
    let known = recent.iter().filter(|distance| **distance <= at).map(|distance| {
        let len = finder.common(at - distance, at, end);
        Match { distance: *distance, len: if len < 2 { 0 } else { len } }
    });
    let best = known.max_by_key(|known| known.len).unwrap_or_default();
    let found = finder.longest(at, end);
    if gain(&found, recent) > gain(&best, recent) { found } else { best }
}

/// About how many bytes a match saves: a new distance costs two and a bit.
fn gain(found: &Match, recent: &[usize; 3]) -> usize {
    let cost = if recent.contains(&found.distance) { 1 } else { 3 };
    found.len.saturating_sub(cost)
}
