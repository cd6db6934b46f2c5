//! What the tables of Huffman and tANS arrays share: the ranges of the symbols that they are about,
//! and numbers with a sign.

use super::bits::Forward;
use crate::error::{Error, Result};

/// The most zero bits of a unary number that any table may need.
const UNARY: u32 = 40;

/// The unary numbers of a table: one of each symbol in use, then those that describe the ranges.
pub(super) struct Unaries {
    values: [u8; 512],
    used: usize,
    extra: usize,
}

impl Unaries {
    /// Reads those of a table of `used` symbols, of 1..=256.
    pub(super) fn read(bits: &mut Forward<'_>, used: usize) -> Result<Self> {
        let extra = extra_count(bits, used);
        let mut values = [0; 512];
        for slot in values.iter_mut().take(used + extra) {
            // At most 40.
            *slot = bits.unary(UNARY)? as u8;
        }
        Ok(Self { values, used, extra })
    }

    /// One of each symbol in use, in ascending order of symbols.
    pub(super) fn of_symbols(&self) -> impl Iterator<Item = u8> + '_ {
        self.values.iter().copied().take(self.used)
    }

    /// Reads the ranges and lists the symbols in use, ascending; behind them are zeros.
    ///
    /// # Errors
    /// When the ranges do not hold exactly as many of the 256 symbols as are in use.
    pub(super) fn ranges(&self, bits: &mut Forward<'_>) -> Result<[u8; 256]> {
        let extra = self.values.get(self.used..self.used + self.extra).unwrap_or_default();
        ranges(bits, extra, self.used)
    }
}

/// How many unary numbers behind those of the symbols describe the ranges: truncated binary below
/// twice the number of symbols in use, or of those not in use, whichever are fewer.
fn extra_count(bits: &mut Forward<'_>, used: usize) -> usize {
    if used == 256 {
        return 0;
    }
    let end = 2 * used.min(257 - used);
    let width = usize::BITS - (end - 1).leading_zeros();
    let short = (1 << width) - end;
    let value = bits.number(width - 1);
    if value < short { value } else { 2 * value + bits.number(1) - short }
}

/// Reads the ranges, whose unary numbers are `extra`, and lists `used` symbols.
fn ranges(bits: &mut Forward<'_>, extra: &[u8], used: usize) -> Result<[u8; 256]> {
    let wrong = || Error::malformed(format!("the ranges of a table do not hold its {used} symbols"));
    // Bits to read, from a unary number: for a gap one more.
    let width = |unary: u8, most: u8| {
        (unary <= most)
            .then_some(u32::from(unary))
            .ok_or_else(|| Error::malformed("a range of symbols is too long"))
    };
    let gap = |bits: &mut Forward<'_>, unary: u8| {
        let width = width(unary, 7)? + 1;
        Ok::<_, Error>(bits.number(width) + (1 << width) - 1)
    };
    let mut symbols = [0; 256];
    let mut listed = 0;
    let mut list = |start: usize, len: usize| {
        let values = (0u8..=255).skip(start).take(len);
        if start + len > 256 || listed + len > used {
            return Err(wrong());
        }
        for (slot, symbol) in symbols.iter_mut().skip(listed).zip(values) {
            *slot = symbol;
        }
        listed += len;
        Ok(used - listed)
    };
    let (first, pairs) = extra.split_at(extra.len() % 2);
    let mut symbol = 0;
    if let [unary] = first {
        symbol = gap(bits, *unary)?;
    }
    let mut left = used;
    for pair in pairs.chunks_exact(2) {
        let &[len, behind] = pair else { continue };
        let width = width(len, 8)?;
        let len = bits.number(width) + (1 << width);
        left = list(symbol, len)?;
        symbol += len + gap(bits, behind)?;
    }
    if left == 0 {
        return Err(wrong());
    }
    list(symbol, left)?;
    Ok(symbols)
}

/// `0, -1, 1, -2, 2, …`
pub(super) fn zigzag(value: usize) -> i32 {
    let half = (value / 2) as i32;
    if value.is_multiple_of(2) { half } else { -half - 1 }
}
