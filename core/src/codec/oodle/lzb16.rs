//! LZB16: literals and matches in whole bytes, without entropy coding.
//!
//! | byte | meaning |
//! |---|---|
//! | control | low nibble: literals, 15 for 15 + a number; high nibble: match |
//! | match 0..=14 | 4 to 18 bytes, from the u16 distance behind the literals |
//! | match 15, e >= 0x80 | `1LLLLDDD`: distance D, 4 + L bytes, 19 + a number for L = 15 |
//! | match 15, e < 0x80 | u16 distance, 19 + e bytes, 146 + a number for e = 0x7F |
//!
//! A number is a byte below 0xC0, or two bytes. Source: `formats/oodle.md` 7.

use super::array::cut;
use super::copy::repeat;
use crate::error::{Error, Result};

/// Decodes a quantum from all of `input` to `out[at..]`; matches may reach what stands before.
pub(super) fn decode(mut input: &[u8], out: &mut [u8], mut at: usize) -> Result<()> {
    while at < out.len() {
        let control = u8(&mut input)?;
        let mut literals = usize::from(control & 15);
        if literals == 15 {
            literals += number(&mut input)?;
        }
        // The count of the last literals may be larger than what is left.
        let literals = literals.min(out.len() - at);
        let (own, rest) = input.split_at_checked(literals).ok_or_else(|| cut(literals, input))?;
        input = rest;
        out.get_mut(at..at + literals).unwrap_or_default().copy_from_slice(own);
        at += literals;
        if at == out.len() {
            break;
        }
        let (distance, len) = take_match(&mut input, control >> 4)?;
        if distance == 0 || distance > at {
            return Err(Error::malformed(format!("a match {distance} bytes back, after {at} bytes")));
        }
        let end = at + len;
        if end > out.len() {
            return Err(Error::malformed("a match to stay inside its quantum"));
        }
        repeat(out, at, distance, len);
        at = end;
    }
    if input.is_empty() {
        Ok(())
    } else {
        Err(Error::malformed(format!("{} bytes behind the end", input.len())))
    }
}

/// Takes the distance and length of a match.
fn take_match(input: &mut &[u8], code: u8) -> Result<(usize, usize)> {
    if code < 15 {
        return Ok((u16(input)?, usize::from(code) + 4));
    }
    let first = u8(input)?;
    if first & 0x80 != 0 {
        let distance = usize::from(first & 7);
        let len = usize::from(first >> 3 & 15) + 4;
        return Ok((distance, if len == 19 { len + number(input)? } else { len }));
    }
    let distance = u16(input)?;
    let len = 19 + usize::from(first);
    Ok((distance, if first == 0x7F { len + number(input)? } else { len }))
}

/// Takes the distance of a match that is a whole quantum.
pub(super) fn take_far_distance(input: &mut &[u8]) -> Result<usize> {
    let (word, rest) = input.split_first_chunk().ok_or_else(|| cut(2, input))?;
    *input = rest;
    let word = usize::from(u16::from_be_bytes(*word));
    if word >= 0x8000 {
        return Ok(word - 0x8000 + 1);
    }
    let mut far = 0usize;
    for shift in (0..32).step_by(7) {
        let byte = usize::from(u8(input)?);
        far += if byte & 0x80 == 0 { byte + 0x80 } else { byte - 0x80 } << shift;
        if byte & 0x80 != 0 {
            return Ok(0x8000 + word + (far << 15) + 1);
        }
    }
    Err(Error::malformed("a distance of more than 35 bits"))
}

fn u8(input: &mut &[u8]) -> Result<u8> {
    let (byte, rest) = input.split_first().ok_or_else(|| cut(1, input))?;
    *input = rest;
    Ok(*byte)
}

fn u16(input: &mut &[u8]) -> Result<usize> {
    let (bytes, rest) = input.split_first_chunk().ok_or_else(|| cut(2, input))?;
    *input = rest;
    Ok(usize::from(u16::from_le_bytes(*bytes)))
}

/// A number of one byte, or of two from 0xC0 on.
fn number(input: &mut &[u8]) -> Result<usize> {
    let first = u8(input)?;
    if first < 0xC0 {
        return Ok(usize::from(first));
    }
    Ok(usize::from(first & 0x3F) << 8 | usize::from(u8(input)?))
}
