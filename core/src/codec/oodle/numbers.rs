//! The numbers that the commands of an LZ chunk use: distances and lengths.
//!
//! Their codes are two or three arrays; their low bits lie behind those, read in turns from the front
//! and from the back. Source: `formats/oodle.md` 5.2.

use super::array::{Array, Arrays};
use super::bits::{Backward, Bits, Forward};
use super::buffer::Buffer;
use super::lz::wrong;
use crate::error::Result;

/// The traditional codes from here on are of distances of 8 MB and more.
const FAR: u8 = 0xF0;

/// Distances and lengths in the order of their use; it keeps the memory that this takes.
#[derive(Debug, Default)]
pub(super) struct Numbers {
    codes: Buffer,
    low: Buffer,
    pub(super) distances: Vec<u32>,
    pub(super) lengths: Vec<u32>,
}

impl Numbers {
    /// Reads the numbers of a chunk of `size` decoded bytes, which are the rest of its bytes.
    pub(super) fn read(
        &mut self,
        arrays: &mut Arrays,
        mut input: &[u8],
        commands: usize,
        size: usize,
    ) -> Result<()> {
        let scale = match input.split_first() {
            Some((flag, rest)) if flag & 0x80 != 0 => {
                input = rest;
                Some(usize::from(*flag) - 127)
            }
            _ => None,
        };
        self.codes.take(arrays, &mut input, commands)?;
        let has_low = scale.is_some_and(|scale| scale != 1);
        if has_low {
            self.low.take(arrays, &mut input, self.codes.bytes().len())?;
            if self.low.bytes().len() != self.codes.bytes().len() {
                return Err(wrong("as many low parts of distances as there are codes"));
            }
        }
        let length_codes = Array::take(&mut input, size / 4)?;
        let (mut front, mut back) = (Forward::new(input), Backward::new(input));
        let zeros = back.zeros(18)?;
        let long_count = back.number(zeros + 1) - 1;
        if long_count > 512 {
            return Err(wrong("at most 512 long lengths"));
        }
        let codes = self.codes.bytes();
        self.distances.resize(codes.len(), 0);
        match scale {
            None => read_distances(&mut front, &mut back, codes, &mut self.distances),
            Some(scale) => {
                let low = if has_low { self.low.bytes() } else { &[] };
                for (at, (slot, code)) in self.distances.iter_mut().zip(codes).enumerate() {
                    let base =
                        if at % 2 == 0 { scaled(&mut front, *code) } else { scaled(&mut back, *code) }?;
                    let distance = base * scale as u64 + u64::from(low.get(at).copied().unwrap_or(0));
                    *slot = u32::try_from(distance).unwrap_or(u32::MAX);
                }
            }
        }
        // The codes have been used: their buffer takes those of the lengths.
        arrays.decode(&length_codes, self.codes.room(length_codes.size))?;
        let codes = self.codes.bytes();
        self.lengths.resize(codes.len(), 0);
        let mut longs = 0;
        for (length, code) in self.lengths.iter_mut().zip(codes) {
            *length = u32::from(*code) + 3;
            if *code == 255 {
                *length += if longs % 2 == 0 { long(&mut front) } else { long(&mut back) }?;
                longs += 1;
            }
        }
        if longs != long_count {
            return Err(wrong("as many long lengths as the chunk says"));
        }
        if front.bytes_used() + back.bytes_used() != input.len() {
            return Err(wrong("the bits of distances and lengths to end where they meet"));
        }
        Ok(())
    }
}

/// Reads the distances of traditional codes, from the front and from the back in turns.
fn read_distances(front: &mut Forward<'_>, back: &mut Backward<'_>, codes: &[u8], distances: &mut [u32]) {
    /// As many codes as one window for each side is enough for.
    const ROUND: usize = 6;
    let (rounds, rest) = distances.as_chunks_mut::<ROUND>();
    let (code_rounds, code_rest) = codes.as_chunks::<ROUND>();
    for (round, codes) in rounds.iter_mut().zip(code_rounds) {
        if codes.iter().any(|code| *code >= FAR) {
            read_some(front, back, codes, round);
            continue;
        }
        let mut windows = [front.msb(), back.msb()];
        let mut used = [0; 2];
        for (pair, codes) in round.as_chunks_mut::<2>().0.iter_mut().zip(codes.as_chunks::<2>().0) {
            for (((distance, code), window), used) in
                pair.iter_mut().zip(codes).zip(&mut windows).zip(&mut used)
            {
                let width = near_width(*code);
                *distance = near(*code, (*window >> (64 - width)) as u32);
                *window <<= width;
                *used += width;
            }
        }
        front.skip(used[0]);
        back.skip(used[1]);
    }
    read_some(front, back, code_rest, rest);
}

fn read_some(front: &mut Forward<'_>, back: &mut Backward<'_>, codes: &[u8], distances: &mut [u32]) {
    for (at, (distance, code)) in distances.iter_mut().zip(codes).enumerate() {
        *distance = if at % 2 == 0 { read_distance(front, *code) } else { read_distance(back, *code) };
    }
}

/// Reads a distance by its code in the traditional coding.
fn read_distance<const IS_BACKWARD: bool>(bits: &mut Bits<'_, IS_BACKWARD>, code: u8) -> u32 {
    if code < FAR {
        return near(code, bits.take(near_width(code)) as u32);
    }
    let width = u32::from(code - FAR) + 4;
    let high = (1 << width) + bits.take(width);
    let distance = (high << 12) + bits.take(12) + 8_322_816;
    u32::try_from(distance).unwrap_or(u32::MAX)
}

/// How many low bits a traditional code below [`FAR`] has, 4 to 18.
#[inline(always)]
fn near_width(code: u8) -> u32 {
    u32::from(code >> 4) + 4
}

/// The distance of a traditional code below [`FAR`] with its low bits.
#[inline(always)]
fn near(code: u8, low: u32) -> u32 {
    (((1 << near_width(code)) + low) << 4) + u32::from(code & 15) - 248
}

/// A distance from its code in the scaled coding, before it is scaled.
#[inline]
fn scaled<const IS_BACKWARD: bool>(bits: &mut Bits<'_, IS_BACKWARD>, code: u8) -> Result<u64> {
    let width = u32::from(code >> 3);
    if width > 26 {
        return Err(wrong("a code of a scaled distance of at most 26 bits"));
    }
    Ok((u64::from(8 + (code & 7)) << width) + bits.take(width) - 8)
}

/// The part of a long length that its code does not hold.
fn long<const IS_BACKWARD: bool>(bits: &mut Bits<'_, IS_BACKWARD>) -> Result<u32> {
    let zeros = bits.zeros(12)?;
    Ok(bits.take(zeros + 7) as u32 - 64)
}
