//! Packing an LZ chunk of Kraken: recent distances, literals raw or as differences.

use std::ops::Range;

use super::array;
use super::bits::Msb;
use super::parse::{Prices, Recent, Step, cheapest, lazy};

/// The first bytes of a chunk are raw, and no distance is shorter.
pub(super) const FIRST: usize = 8;
/// The most long lengths that a chunk may have.
const MAX_LONGS: usize = 512;

/// What the parts of a chunk hold.
#[derive(Debug, Default)]
pub(super) struct Parts {
    raw: Vec<u8>,
    deltas: Vec<u8>,
    /// Whether the differences pack better.
    pub(super) has_deltas: bool,
    pub(super) commands: Vec<u8>,
    offsets: Vec<usize>,
    lengths: Vec<usize>,
}

/// Packs data as the first chunk of a stream; `None` where this form does not fit it.
pub(super) fn pack(data: &[u8]) -> Option<Vec<u8>> {
    let first: &[u8; FIRST] = data.first_chunk()?;
    let lazy = Parts::of(data, &lazy(data));
    let parts = Parts::of(data, &cheapest(data, &Prices::of(&lazy)));
    let mut out = vec![0; 3];
    out.extend(first);
    array::push(&mut out, parts.literals());
    array::push(&mut out, &parts.commands);
    parts.push_numbers(&mut out)?;
    let size = out.len() - 3;
    let header = 0x80_0000 | usize::from(!parts.has_deltas) << 19 | size;
    let [.., high, middle, low] = header.to_be_bytes();
    out.first_chunk_mut().map(|start| *start = [high, middle, low])?;
    (size < data.len() && size >= 13).then_some(out)
}

impl Parts {
    pub(super) fn of(data: &[u8], steps: &[Step]) -> Self {
        let mut parts = Self::default();
        let mut recent = Recent::default();
        let mut start = FIRST;
        for Step { at, found } in steps {
            parts.push_literals(data, start..*at, recent.last());
            let run = at - start;
            let place = recent.take(found.distance);
            parts.lengths.extend(run.checked_sub(3));
            parts.lengths.extend(found.len.checked_sub(17));
            if place == 3 {
                parts.offsets.push(found.distance);
            }
            parts.commands.push(Self::command(run, found.len, place));
            start = at + found.len;
        }
        parts.push_literals(data, start..data.len(), recent.last());
        let costs = [&parts.raw, &parts.deltas].map(|literals| array::cost(literals.iter().copied()));
        parts.has_deltas = costs[1] < costs[0];
        parts
    }

    fn push_literals(&mut self, data: &[u8], range: Range<usize>, last: usize) {
        let literals = data.get(range.clone()).unwrap_or_default();
        let before = data.get(range.start - last..).unwrap_or_default();
        self.raw.extend_from_slice(literals);
        self.deltas.extend(literals.iter().zip(before).map(|(byte, before)| byte.wrapping_sub(*before)));
    }

    /// The literals in the form that packs better.
    pub(super) fn literals(&self) -> &[u8] {
        if self.has_deltas { &self.deltas } else { &self.raw }
    }

    /// The command for a match behind a run of literals.
    pub(super) fn command(run: usize, len: usize, place: usize) -> u8 {
        (run.min(3) | (len - 2).min(15) << 2 | place << 6) as u8
    }

    /// The code of a distance, its low bits, and how many they are.
    pub(super) fn offset_code(distance: usize) -> (u8, usize, u32) {
        let value = distance + 248;
        let (high, low) = (value >> 4, value & 15);
        let bits = high.ilog2();
        (((bits as usize - 4) << 4 | low) as u8, high, bits)
    }

    pub(super) fn offset_codes(&self) -> impl Iterator<Item = u8> {
        self.offsets.iter().map(|distance| Self::offset_code(*distance).0)
    }

    pub(super) fn length_codes(&self) -> impl Iterator<Item = u8> {
        self.lengths.iter().map(|length| (*length).min(255) as u8)
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
        for (at, distance) in self.offsets.iter().enumerate() {
            let (_, high, bits) = Self::offset_code(*distance);
            sides.get_mut(at % 2)?.put(high, bits);
        }
        array::push(out, &self.offset_codes().collect::<Vec<u8>>());
        array::push(out, &self.length_codes().collect::<Vec<u8>>());
        for (at, long) in longs.iter().enumerate() {
            sides.get_mut(at % 2)?.put_with_zeros(long + 64, 6);
        }
        let [front, back] = sides;
        out.extend(front.finish());
        out.extend(back.finish_backward());
        Some(())
    }
}
