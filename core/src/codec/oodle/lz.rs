//! LZ chunks of Kraken: literals and matches, told apart by one-byte commands.
//!
//! | bytes | meaning |
//! |---|---|
//! | 8 raw bytes | only in the first chunk behind a restart: its first bytes |
//! | array | literals |
//! | array | commands: bits 0-1 literals, bits 2-5 match length, bits 6-7 distance |
//! | array | codes of new distances; with a byte 0x80 and up before it scaled, then a second array |
//! | array | codes of lengths that do not fit a command |
//! | rest | the low bits of distances and lengths, in turns from the front and from the back |
//!
//! Source: `formats/oodle.md` 5.

use std::hint::select_unpredictable;

use super::array::{Arrays, cut};
use super::buffer::Buffer;
use super::copy::{MIN_DISTANCE, SLACK, copy_match, put_literals};
use super::numbers::Numbers;
use crate::error::{Error, Result};

/// The least bytes of a chunk.
const MIN_PACKED: usize = 13;
/// Stands for a length that is not there; no chunk holds as much.
const TOO_LONG: u32 = 1 << 30;

/// Decodes LZ chunks; it keeps the memory that this takes.
#[derive(Debug, Default)]
pub(super) struct Chunks {
    pub(super) arrays: Arrays,
    literals: Buffer,
    commands: Buffer,
    numbers: Numbers,
}

impl Chunks {
    /// Decodes a chunk to `out[at..]`; what stands before `at` is all that matches may reach.
    pub(super) fn decode(
        &mut self,
        mut input: &[u8],
        has_deltas: bool,
        out: &mut [u8],
        at: usize,
    ) -> Result<()> {
        if input.len() < MIN_PACKED {
            return Err(cut(MIN_PACKED, input));
        }
        let size = out.len() - at;
        let mut at = at;
        if at == 0 {
            let (first, rest) = input.split_first_chunk::<8>().ok_or_else(|| cut(8, input))?;
            *out.first_chunk_mut().ok_or_else(|| wrong("a chunk shorter than its first 8 bytes"))? = *first;
            (input, at) = (rest, 8);
        }
        if input.first().is_some_and(|byte| byte & 0x80 != 0) {
            return Err(Error::unsupported("a Kraken chunk with the excess flag"));
        }
        self.literals.take(&mut self.arrays, &mut input, size)?;
        self.commands.take(&mut self.arrays, &mut input, size)?;
        self.numbers.read(&mut self.arrays, input, self.commands.bytes().len(), size)?;
        let commands = Commands {
            literals: self.literals.with_slack(),
            distances: &self.numbers.distances,
            lengths: &self.numbers.lengths,
        };
        if has_deltas {
            commands.run::<true>(self.commands.bytes(), out, at)
        } else {
            commands.run::<false>(self.commands.bytes(), out, at)
        }
    }
}

/// What commands take from, in turn.
struct Commands<'a> {
    /// With [`SLACK`] bytes behind them.
    literals: &'a [u8],
    distances: &'a [u32],
    lengths: &'a [u32],
}

impl Commands<'_> {
    /// Runs commands, which fill `out[at..]` together with the literals behind the last one.
    fn run<const HAS_DELTAS: bool>(self, commands: &[u8], out: &mut [u8], mut at: usize) -> Result<()> {
        let Self { mut literals, mut distances, mut lengths } = self;
        let [mut first, mut second, mut third] = [MIN_DISTANCE as u32; 3];
        for command in commands {
            // No branch could predict the counts of literals, nor which distance is taken.
            let short = usize::from(command & 3);
            let long = lengths.first().copied().unwrap_or(TOO_LONG) as usize;
            let count = select_unpredictable(short == 3, long, short);
            lengths = lengths.get(usize::from(short == 3)..).unwrap_or_default();
            let mut len = usize::from(command >> 2 & 15) + 2;
            if len == 17 {
                let (next, rest) = lengths.split_first().ok_or_else(no_length)?;
                (len, lengths) = (14 + *next as usize, rest);
            }
            let last = first as usize;
            let recent = command >> 6;
            let new = distances.first().copied().unwrap_or(0);
            distances = distances.get(usize::from(recent == 3)..).unwrap_or_default();
            let older = select_unpredictable(recent == 2, third, new);
            let recent_one = select_unpredictable(recent == 1, second, older);
            let chosen = select_unpredictable(recent == 0, first, recent_one);
            third = select_unpredictable(recent >= 2, second, third);
            second = select_unpredictable(recent >= 1, first, second);
            first = chosen;
            let (to, distance) = (at + count, chosen as usize);
            if count + SLACK > literals.len() || count + len > out.len() - at {
                return Err(wrong("a command to stay inside its chunk"));
            }
            if distance < MIN_DISTANCE || distance > to {
                return Err(wrong("a distance from 8 to all that was decoded"));
            }
            put_literals::<HAS_DELTAS>(out, at, literals, count, last);
            copy_match(out, to, distance, len);
            literals = literals.get(count..).unwrap_or_default();
            at = to + len;
        }
        let left = out.len() - at;
        if literals.len() != left + SLACK {
            return Err(wrong("as many literals as the chunk needs"));
        }
        put_literals::<HAS_DELTAS>(out, at, literals, left, first as usize);
        if !distances.is_empty() || !lengths.is_empty() {
            return Err(wrong("commands that use all distances and lengths"));
        }
        Ok(())
    }
}

fn no_length() -> Error {
    wrong("as many lengths as commands need")
}

pub(super) fn wrong(expected: &'static str) -> Error {
    Error::malformed(format!("expected {expected}"))
}
