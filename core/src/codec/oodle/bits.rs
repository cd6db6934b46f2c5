//! Reading bits in the four orders that the streams use.
//!
//! | | from the front | from the back |
//! |---|---|---|
//! | most significant bit first | `Forward::msb` | `Backward::msb` |
//! | least significant bit first | `Forward::lsb` | `Backward::lsb` |
//!
//! A reader is a position in bits and nothing else: each window is loaded anew from memory, which is
//! cheaper than keeping a buffer filled when several readers run side by side. Behind the last byte
//! come zeros; whether a stream used exactly its bytes is asked at its end.

use crate::error::{Error, Result};

/// The bits that a window has at least.
pub(super) const WINDOW: u32 = 57;

/// Reads from the first byte up.
pub(super) type Forward<'a> = Bits<'a, false>;
/// Reads from the last byte down.
pub(super) type Backward<'a> = Bits<'a, true>;

/// A position in the bits of a slice.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bits<'a, const IS_BACKWARD: bool> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a, const IS_BACKWARD: bool> Bits<'a, IS_BACKWARD> {
    pub(super) const fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// How many bytes were begun.
    pub(super) const fn bytes_used(&self) -> usize {
        self.at.div_ceil(8)
    }

    /// Steps over bits.
    #[inline]
    pub(super) const fn skip(&mut self, bits: u32) {
        self.at += bits as usize;
    }

    /// The bits ahead, the next one on top.
    #[inline]
    pub(super) fn msb(&self) -> u64 {
        let word = self.word();
        let word = if IS_BACKWARD { u64::from_le_bytes(word) } else { u64::from_be_bytes(word) };
        word << (self.at % 8)
    }

    /// The bits ahead, the next one at the bottom.
    #[inline]
    pub(super) fn lsb(&self) -> u64 {
        let word = self.word();
        let word = if IS_BACKWARD { u64::from_be_bytes(word) } else { u64::from_le_bytes(word) };
        word >> (self.at % 8)
    }

    /// Eight bytes ahead, in the order of memory.
    #[inline]
    fn word(&self) -> [u8; 8] {
        let used = self.at / 8;
        let full = if IS_BACKWARD {
            let end = self.bytes.len().checked_sub(used);
            end.and_then(|end| self.bytes.get(..end)?.last_chunk())
        } else {
            self.bytes.get(used..).and_then(|ahead| ahead.first_chunk())
        };
        full.copied().unwrap_or_else(|| self.last_word(used))
    }

    /// The last bytes, with zeros where there are no more.
    #[cold]
    fn last_word(&self, used: usize) -> [u8; 8] {
        let mut word = [0; 8];
        if IS_BACKWARD {
            let left = self.bytes.get(..self.bytes.len().saturating_sub(used)).unwrap_or_default();
            for (to, from) in word.iter_mut().rev().zip(left.iter().rev()) {
                *to = *from;
            }
        } else {
            let left = self.bytes.get(used..).unwrap_or_default();
            for (to, from) in word.iter_mut().zip(left) {
                *to = *from;
            }
        }
        word
    }

    /// Reads up to [`WINDOW`] bits, the first one read on top.
    #[inline]
    pub(super) fn take(&mut self, bits: u32) -> u64 {
        debug_assert!(bits <= WINDOW, "a window has no more");
        let value = (self.msb() >> 1) >> (63 - bits);
        self.skip(bits);
        value
    }

    /// Reads one bit.
    #[inline]
    pub(super) fn flag(&mut self) -> bool {
        self.take(1) == 1
    }

    /// Reads up to 32 bits as a size, the first one read on top.
    #[inline]
    pub(super) fn number(&mut self, bits: u32) -> usize {
        debug_assert!(bits <= 32, "a size has no more");
        self.take(bits) as usize
    }

    /// Counts 0 bits in front of a 1 bit, and steps over all of them.
    ///
    /// # Errors
    /// When there are more than `most`.
    #[inline]
    pub(super) fn unary(&mut self, most: u32) -> Result<u32> {
        let zeros = self.zeros(most)?;
        self.skip(1);
        Ok(zeros)
    }

    /// Counts 0 bits in front of a 1 bit, and steps over them, but not over the 1.
    ///
    /// # Errors
    /// When there are more than `most`.
    #[inline]
    pub(super) fn zeros(&mut self, most: u32) -> Result<u32> {
        debug_assert!(most < WINDOW, "a window has no more");
        let zeros = self.msb().leading_zeros();
        if zeros > most {
            return Err(Error::malformed(format!("more than {most} zero bits where a number starts")));
        }
        self.skip(zeros);
        Ok(zeros)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BYTES: [u8; 10] = [0x81, 0x42, 0x24, 0x18, 0xFF, 0x00, 0x0F, 0xF0, 0xAA, 0x5C];

    /// The bits of the bytes as they should be read, one by one; `bit` takes one out of a byte.
    fn expected<const IS_BACKWARD: bool>(bit: impl Fn(u8, u32) -> u8) -> Vec<u64> {
        let mut bytes = BYTES.to_vec();
        if IS_BACKWARD {
            bytes.reverse();
        }
        bytes
            .iter()
            .flat_map(|byte| (0..8).map(|at| u64::from(bit(*byte, at) & 1)).collect::<Vec<_>>())
            .collect()
    }

    fn check<const IS_BACKWARD: bool>() {
        for step in [1, 3, 7, 8, 13, 57] {
            let (mut bits, mut at) = (Bits::<IS_BACKWARD>::new(&BYTES), 0);
            let msb = expected::<IS_BACKWARD>(|byte, at| byte >> (7 - at));
            let lsb = expected::<IS_BACKWARD>(|byte, at| byte >> at);
            let bit = |all: &[u64], at: usize| all.get(at).copied().unwrap_or(0);
            while at < 100 {
                let (high, low) = (bits.msb(), bits.lsb());
                for ahead in 0..WINDOW as usize {
                    assert_eq!(high >> (63 - ahead) & 1, bit(&msb, at + ahead), "{at} + {ahead}");
                    assert_eq!(low >> ahead & 1, bit(&lsb, at + ahead), "{at} + {ahead}");
                }
                let wanted = (0..step as usize).fold(0, |value, ahead| value << 1 | bit(&msb, at + ahead));
                assert_eq!(bits.take(step), wanted);
                at += step as usize;
            }
            assert_eq!(bits.bytes_used(), at.div_ceil(8));
        }
    }

    #[test]
    fn windows_hold_the_bits_in_order() {
        check::<false>();
        check::<true>();
    }

    #[test]
    fn unary_numbers_end_at_a_one() {
        let mut bits = Forward::new(&[0b0001_0100]);
        assert_eq!((bits.unary(3).unwrap(), bits.unary(1).unwrap()), (3, 1));
        assert!(bits.unary(20).is_err());
        assert_eq!(Forward::new(&[]).take(0), 0);
    }
}
