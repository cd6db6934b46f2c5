//! Oodle streams: Kraken and LZB16, written from a specification of the bits alone.
//!
//! ```text
//! stream ── blocks of 256 KB ── quanta ─┬─ raw, fill
//!                                       ├─ LZB16: commands of whole bytes      (lzb16)
//!                                       └─ Kraken: LZ chunks of 128 KB         (lz)
//!                                                  └─ arrays: raw, tANS, Huffman, run lengths,
//!                                                     several of these         (array, …)
//! ```
//!
//! | byte | meaning |
//! |---|---|
//! | 0 | low nibble 0xC; bit 6: the block is stored; bit 7: the decoder starts afresh |
//! | 1 | bits 0-6: the kind of decoder; bit 7: quanta have checksums, which are not checked |
//!
//! No dependable description says how checksums are made, and no stream that was seen has them.
//! Source: `formats/oodle.md`, and nothing else.

#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::inline_always,
    reason = "fields of a few bits, and steps of the innermost loops"
)]

mod array;
mod bits;
mod buffer;
mod choice;
mod copy;
mod encode;
mod huffman;
mod library;
mod lz;
mod lzb16;
mod multi;
mod numbers;
mod rle;
mod symbols;
mod tans;

pub use choice::Oodle;
pub use encode::encode;
pub use library::{Library, find_beside};

use array::{Array, cut, take_be};

use crate::error::{Error, Result};

/// Decoded bytes of a block.
const BLOCK: usize = 0x40000;
/// Decoded bytes of a quantum of LZB16; one of Kraken is a block.
const LZB16_QUANTUM: usize = 0x4000;
/// Decoded bytes of an LZ chunk of Kraken.
const LZ_CHUNK: usize = 0x20000;

/// The kinds of decoders that can be read.
pub(super) const LZB16: u8 = 2;
pub(super) const KRAKEN: u8 = 6;

/// Decodes streams; it keeps the memory that this takes, so that the next stream needs none.
#[derive(Debug, Default)]
pub struct Decoder {
    chunks: lz::Chunks,
}

/// The two bytes at the start of a block.
#[derive(Clone, Copy, Debug)]
struct BlockHeader {
    is_stored: bool,
    is_restart: bool,
    kind: u8,
    has_checksums: bool,
}

impl Decoder {
    /// Decodes a stream to all of `out`. After an error the bytes of `out` mean nothing.
    ///
    /// # Errors
    /// What is wrong with the stream; `Unsupported` for other kinds of decoders.
    pub fn decode(&mut self, mut stream: &[u8], out: &mut [u8]) -> Result<()> {
        let input = &mut stream;
        let mut at = 0;
        let mut restart = 0;
        while at < out.len() {
            let header = BlockHeader::take(input)?;
            if header.is_restart {
                restart = at;
            }
            let end = out.len().min(at + BLOCK);
            // What lies before the restart is out of reach.
            let block = out.get_mut(restart..end).unwrap_or_default();
            self.block(input, header, block, at - restart)?;
            at = end;
        }
        if input.is_empty() {
            return Ok(());
        }
        Err(Error::malformed(format!("{} bytes behind the end of the stream", input.len())))
    }

    /// Decodes a block to `out[at..]`.
    fn block(&mut self, input: &mut &[u8], header: BlockHeader, out: &mut [u8], mut at: usize) -> Result<()> {
        if header.is_stored {
            return take_raw(input, out.get_mut(at..).unwrap_or_default());
        }
        let size = if header.kind == KRAKEN { BLOCK } else { LZB16_QUANTUM };
        while at < out.len() {
            let end = out.len().min(at + size);
            let quantum = out.get_mut(..end).unwrap_or_default();
            match header.kind {
                KRAKEN => self.kraken_quantum(input, header.has_checksums, quantum, at)?,
                LZB16 => lzb16_quantum(input, header.has_checksums, quantum, at)?,
                kind => return Err(Error::unsupported(format!("the codec Oodle {}", kind_name(kind)))),
            }
            at = end;
        }
        Ok(())
    }

    /// Decodes a quantum of Kraken to `out[at..]`.
    fn kraken_quantum(
        &mut self,
        input: &mut &[u8],
        has_checksums: bool,
        out: &mut [u8],
        mut at: usize,
    ) -> Result<()> {
        let mut packed = match Quantum::take::<3>(input, 18)? {
            Quantum::Packed(size) => match take_packed(input, size, has_checksums, from(out, at))? {
                Some(packed) => packed,
                None => return Ok(()),
            },
            Quantum::Special(1) => return fill(input, from(out, at)),
            Quantum::Special(_) => return Err(Error::malformed("a quantum of an unknown kind")),
        };
        while at < out.len() {
            let end = out.len().min(at + LZ_CHUNK);
            self.kraken_chunk(&mut packed, out.get_mut(..end).unwrap_or_default(), at)?;
            at = end;
        }
        if packed.is_empty() { Ok(()) } else { Err(Error::malformed("bytes behind the chunks of a quantum")) }
    }

    /// Decodes an LZ chunk, or what stands for one, to `out[at..]`.
    fn kraken_chunk(&mut self, input: &mut &[u8], out: &mut [u8], at: usize) -> Result<()> {
        let own = from(out, at);
        // No chunk is shorter.
        if input.len() < 4 {
            return Err(cut(4, input));
        }
        let mut rest = *input;
        let header = take_be::<3>(&mut rest)?;
        if header >> 23 == 0 {
            let array = Array::take(input, own.len())?;
            if array.size != own.len() {
                return Err(Error::malformed("a chunk of entropy-coded bytes that is too short"));
            }
            return self.chunks.arrays.decode(&array, own);
        }
        let (size, mode) = (header & 0x7FFFF, header >> 19 & 15);
        let (packed, rest) = rest.split_at_checked(size).ok_or_else(|| cut(size, rest))?;
        *input = rest;
        match mode {
            0 | 1 if size < own.len() => self.chunks.decode(packed, mode == 0, out, at),
            0 if size == own.len() => {
                own.copy_from_slice(packed);
                Ok(())
            }
            _ => Err(Error::malformed(format!(
                "a chunk of {size} bytes in mode {mode} for {} bytes",
                own.len()
            ))),
        }
    }
}

impl BlockHeader {
    fn take(input: &mut &[u8]) -> Result<Self> {
        let (&[first, second], rest) = input.split_first_chunk().ok_or_else(|| cut(2, input))?;
        if first & 0x3F != 0x0C {
            return Err(Error::malformed(format!(
                "a block that begins with {first:02X}, which is not Oodle's"
            )));
        }
        *input = rest;
        Ok(Self {
            is_stored: first & 0x40 != 0,
            is_restart: first & 0x80 != 0,
            kind: second & 0x7F,
            has_checksums: second & 0x80 != 0,
        })
    }
}

/// The header of a quantum.
enum Quantum {
    /// Its compressed bytes.
    Packed(usize),
    /// The two bits above a size of all ones.
    Special(usize),
}

impl Quantum {
    /// Takes a header of `N` bytes, the size in its low `bits`.
    fn take<const N: usize>(input: &mut &[u8], bits: u32) -> Result<Self> {
        let (value, mask) = (take_be::<N>(input)?, (1 << bits) - 1);
        Ok(if value & mask == mask { Self::Special(value >> bits) } else { Self::Packed((value & mask) + 1) })
    }
}

/// Decodes a quantum of LZB16 to `out[at..]`.
fn lzb16_quantum(input: &mut &[u8], has_checksums: bool, out: &mut [u8], at: usize) -> Result<()> {
    match Quantum::take::<2>(input, 14)? {
        Quantum::Packed(size) => match take_packed(input, size, has_checksums, from(out, at))? {
            Some(packed) => lzb16::decode(packed, out, at),
            None => Ok(()),
        },
        Quantum::Special(0) => {
            let distance = lzb16::take_far_distance(input)?;
            if distance > at {
                return Err(Error::malformed(format!("a match {distance} bytes back, after {at} bytes")));
            }
            copy::repeat(out, at, distance, out.len() - at);
            Ok(())
        }
        Quantum::Special(1) => fill(input, from(out, at)),
        Quantum::Special(2) => take_raw(input, from(out, at)),
        Quantum::Special(_) => Err(Error::malformed("a quantum of an unknown kind")),
    }
}

/// The name of a kind of decoder, by the second byte of a block.
pub(super) const fn kind_name(kind: u8) -> &'static str {
    match kind & 0x7F {
        0 => "LZHLW",
        1 => "LZNIB",
        LZB16 => "LZB16",
        3 => "LZBLW",
        4 => "LZA",
        5 => "LZNA",
        KRAKEN => "Kraken",
        7..=9 => "LZH",
        10 => "Mermaid or Selkie",
        11 => "BitKnit",
        12 => "Leviathan",
        _ => "of an unknown kind",
    }
}

/// Takes the compressed bytes of a quantum; raw ones are copied to `out` at once.
fn take_packed<'a>(
    input: &mut &'a [u8],
    size: usize,
    has_checksum: bool,
    out: &mut [u8],
) -> Result<Option<&'a [u8]>> {
    if has_checksum {
        *input = input.get(3..).ok_or_else(|| cut(3, input))?;
    }
    if size > out.len() {
        return Err(Error::malformed(format!(
            "a quantum of {size} compressed bytes for {} bytes",
            out.len()
        )));
    }
    if size == out.len() {
        return take_raw(input, out).map(|()| None);
    }
    let (packed, rest) = input.split_at_checked(size).ok_or_else(|| cut(size, input))?;
    *input = rest;
    Ok(Some(packed))
}

/// Takes raw bytes, as many as `out` has.
fn take_raw(input: &mut &[u8], out: &mut [u8]) -> Result<()> {
    let (bytes, rest) = input.split_at_checked(out.len()).ok_or_else(|| cut(out.len(), input))?;
    *input = rest;
    out.copy_from_slice(bytes);
    Ok(())
}

/// Takes one byte, which is all that `out` holds.
fn fill(input: &mut &[u8], out: &mut [u8]) -> Result<()> {
    let (byte, rest) = input.split_first().ok_or_else(|| cut(1, input))?;
    *input = rest;
    out.fill(*byte);
    Ok(())
}

/// The part of `out` from `at` on.
fn from(out: &mut [u8], at: usize) -> &mut [u8] {
    out.get_mut(at..).unwrap_or_default()
}
