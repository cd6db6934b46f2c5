//! Arrays: runs of bytes in one of six codings, which everything else in a Kraken stream is made of.
//!
//! | type | coding | payload |
//! |---|---|---|
//! | 0 | raw | the bytes |
//! | 1 | tANS | [`tans`](super::tans) |
//! | 2, 4 | Huffman, one or two groups | [`huffman`](super::huffman) |
//! | 3 | run lengths | [`rle`] |
//! | 5 | several arrays, or a multi-array | here and in [`multi`] |
//!
//! A header of 2 or 3 bytes has bit 7 set, one of 3 or 5 bytes has not; it gives the type and both
//! sizes. Source: `formats/oodle.md` 4.1.

use super::huffman::Huffman;
use super::tans::Tans;
use super::{multi, rle};
use crate::error::{Error, ErrorKind, Result};

/// How deep arrays may lie in each other; real ones lie two deep.
const MAX_DEPTH: u32 = 16;

/// An array that was found and not decoded yet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Array<'a> {
    coding: u8,
    /// Bytes when decoded.
    pub(super) size: usize,
    payload: &'a [u8],
}

impl<'a> Array<'a> {
    /// Takes the array at the start of `input`, which may decode to `limit` bytes.
    pub(super) fn take(input: &mut &'a [u8], limit: usize) -> Result<Self> {
        let (coding, packed, size) = Self::header(input)?;
        if size > limit {
            return Err(Error::malformed(format!("an array of {size} bytes, where {limit} fit")));
        }
        let (payload, rest) = input.split_at_checked(packed).ok_or_else(|| cut(packed, input))?;
        *input = rest;
        Ok(Self { coding, size, payload })
    }

    /// Takes the header: the coding and the sizes of the payload and of what it decodes to.
    fn header(input: &mut &'a [u8]) -> Result<(u8, usize, usize)> {
        let first = *input.first().ok_or_else(|| cut(1, input))?;
        let is_short = first & 0x80 != 0;
        let coding = first >> 4 & 7;
        let size = match (coding, is_short) {
            (0, true) => {
                let size = take_be::<2>(input)? & 0xFFF;
                (size, size)
            }
            (0, false) => {
                let size = take_be::<3>(input)?;
                if size >= 0x40000 {
                    return Err(Error::malformed("a raw array of 256 KB or more"));
                }
                (size, size)
            }
            (1..=5, true) => {
                let bits = take_be::<3>(input)?;
                let packed = bits & 0x3FF;
                (packed, packed + (bits >> 10 & 0x3FF) + 1)
            }
            (1..=5, false) => {
                let bits = take_be::<5>(input)?;
                let (packed, size) = (bits & 0x3FFFF, (bits >> 18 & 0x3FFFF) + 1);
                if packed >= size {
                    return Err(Error::malformed("a packed array that is no smaller than what it holds"));
                }
                (packed, size)
            }
            _ => return Err(Error::malformed(format!("an array of the unknown coding {coding}"))),
        };
        Ok((coding, size.0, size.1))
    }
}

/// Takes `N` bytes as a number, the high byte first.
pub(super) fn take_be<const N: usize>(input: &mut &[u8]) -> Result<usize> {
    let (bytes, rest) = input.split_first_chunk::<N>().ok_or_else(|| cut(N, input))?;
    *input = rest;
    Ok(bytes.iter().fold(0, |value, byte| value << 8 | usize::from(*byte)))
}

/// The input ends where `wanted` more bytes should follow.
pub(super) fn cut(wanted: usize, input: &[u8]) -> Error {
    Error::new(ErrorKind::Eof { wanted: wanted as u64, left: input.len() as u64 })
}

/// Decodes arrays; it keeps the memory that this takes.
#[derive(Debug, Default)]
pub(super) struct Arrays {
    huffman: Huffman,
    tans: Tans,
    /// Buffers for arrays inside arrays.
    spare: Vec<Vec<u8>>,
}

impl Arrays {
    /// Decodes an array to all of `out`, which is as long as the array says.
    pub(super) fn decode(&mut self, array: &Array<'_>, out: &mut [u8]) -> Result<()> {
        self.decode_at(array, out, 0)
    }

    /// Decodes an array that lies `depth` deep in others.
    pub(super) fn decode_at(&mut self, array: &Array<'_>, out: &mut [u8], depth: u32) -> Result<()> {
        debug_assert_eq!(array.size, out.len(), "the caller makes room");
        if depth > MAX_DEPTH {
            return Err(Error::limit("arrays inside arrays, more than 16 deep"));
        }
        match array.coding {
            0 => out.copy_from_slice(array.payload),
            1 => self.tans.decode(array.payload, out)?,
            2 => self.huffman.decode(array.payload, 1, out)?,
            4 => self.huffman.decode(array.payload, 2, out)?,
            3 => self.run_lengths(array.payload, out, depth)?,
            _ => self.several(array.payload, out, depth)?,
        }
        Ok(())
    }

    fn run_lengths(&mut self, payload: &[u8], out: &mut [u8], depth: u32) -> Result<()> {
        match payload {
            [] => Err(Error::malformed("a run-length array without bytes")),
            [byte] => {
                out.fill(*byte);
                Ok(())
            }
            [0, commands @ ..] => rle::decode(commands, out),
            mut rest => {
                let array = Array::take(&mut rest, out.len())?;
                self.with_spare(array.size + rest.len(), |this, commands| {
                    let (coded, raw) = commands.split_at_mut(array.size);
                    this.decode_at(&array, coded, depth + 1)?;
                    raw.copy_from_slice(rest);
                    rle::decode(commands, out)
                })
            }
        }
    }

    /// Arrays behind each other, or one that takes pieces of several in turns.
    fn several(&mut self, payload: &[u8], out: &mut [u8], depth: u32) -> Result<()> {
        let (&first, mut rest) = payload.split_first().ok_or_else(|| cut(6, payload))?;
        let count = first & 0x7F;
        if payload.len() < 6 || count < 2 && first & 0x80 == 0 {
            return Err(Error::malformed("an array of arrays is too short"));
        }
        if first & 0x80 != 0 {
            return multi::decode(self, payload, out, depth + 1);
        }
        let mut left = out;
        for _ in 0..count {
            let array = Array::take(&mut rest, left.len())?;
            let (own, behind) = left.split_at_mut(array.size);
            self.decode_at(&array, own, depth + 1)?;
            left = behind;
        }
        if left.is_empty() && rest.is_empty() {
            return Ok(());
        }
        Err(Error::malformed("the arrays of an array do not fill it exactly"))
    }

    /// Lends a buffer of `size` bytes.
    pub(super) fn with_spare<T>(&mut self, size: usize, run: impl FnOnce(&mut Self, &mut [u8]) -> T) -> T {
        let mut buffer = self.spare.pop().unwrap_or_default();
        if buffer.len() < size {
            buffer.resize(size, 0);
        }
        let result = run(self, buffer.get_mut(..size).unwrap_or_default());
        self.spare.push(buffer);
        result
    }
}
