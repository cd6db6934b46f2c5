//! Multi-arrays: an array made of pieces of several others.
//!
//! | bytes | meaning |
//! |---|---|
//! | u8 | bit 7 set; low 6 bits: how many source arrays there are |
//! | | the source arrays |
//! | u16 | `mode`: bit 15, and bytes of the bits at the end in its low 14 bits |
//! | | indexes, and the bits of each interval: in one array of nibbles, or in two arrays |
//! | | the bits of the intervals, in turns from the front and from the back |
//!
//! An index says which source array the next piece comes from, its interval how long the piece is;
//! index 0 ends the array. Source: `formats/oodle.md` 4.6, for one output array.

use super::array::{Array, Arrays, cut};
use super::bits::{Backward, Forward};
use crate::error::{Error, Result};

/// Decodes a multi-array of one output array to all of `out`.
pub(super) fn decode(arrays: &mut Arrays, payload: &[u8], out: &mut [u8], depth: u32) -> Result<()> {
    let (&first, mut rest) = payload.split_first().ok_or_else(|| cut(1, payload))?;
    let count = usize::from(first & 0x3F);
    // What the source arrays hold goes to the output, all of it.
    arrays.with_spare(out.len(), |arrays, sources| {
        let mut starts = [0usize; 65];
        let mut total = 0;
        for end in starts.iter_mut().skip(1).take(count) {
            let left = sources.get_mut(total..).unwrap_or_default();
            let array = Array::take(&mut rest, left.len())?;
            arrays.decode_at(&array, left.get_mut(..array.size).unwrap_or_default(), depth)?;
            total += array.size;
            *end = total;
        }
        let (mode, behind) = rest.split_first_chunk::<2>().ok_or_else(|| cut(2, rest))?;
        let mode = u16::from_le_bytes(*mode);
        rest = behind;
        let indexes = Array::take(&mut rest, total)?;
        let logs = if mode & 0x8000 == 0 { Some(Array::take(&mut rest, indexes.size)?) } else { None };
        if logs.is_some_and(|logs| logs.size + 1 != indexes.size) || indexes.size < 2 {
            return Err(wrong());
        }
        let logs_size = logs.map_or(0, |logs| logs.size);
        arrays.with_spare(indexes.size + logs_size, |arrays, buffer| {
            let (index_buffer, log_buffer) = buffer.split_at_mut(indexes.size);
            arrays.decode_at(&indexes, index_buffer, depth)?;
            if let Some(logs) = &logs {
                arrays.decode_at(logs, log_buffer, depth)?;
            }
            let bits_size = usize::from(mode & 0x3FFF);
            if rest.len() != bits_size {
                return Err(wrong());
            }
            let sources = sources.get(..total).unwrap_or_default();
            let (front, back) = (Forward::new(rest), Backward::new(rest));
            let intervals = Intervals { front, back, is_back: false, len: rest.len() };
            let pieces = Pieces { sources, starts, count };
            if logs.is_some() {
                pieces.join(index_buffer.iter().copied(), log_buffer.iter().copied(), intervals, out)
            } else {
                let (low, high) =
                    (index_buffer.iter().map(|byte| byte & 15), index_buffer.iter().map(|byte| byte >> 4));
                pieces.join(low, high, intervals, out)
            }
        })
    })
}

/// The numbers that say how long pieces are.
struct Intervals<'a> {
    front: Forward<'a>,
    back: Backward<'a>,
    is_back: bool,
    /// Bytes of all of them.
    len: usize,
}

impl Intervals<'_> {
    /// The next interval, of as many bits below its top bit as `log` says.
    fn next(&mut self, log: u8) -> Result<usize> {
        let log = u32::from(log);
        if log > 16 {
            return Err(wrong());
        }
        let low = if self.is_back { self.back.number(log) } else { self.front.number(log) };
        self.is_back = !self.is_back;
        Ok((1 << log) + low)
    }
}

/// The source arrays behind each other, and where each of them was left.
struct Pieces<'a> {
    sources: &'a [u8],
    /// Where each starts and the one before it ends.
    starts: [usize; 65],
    count: usize,
}

impl Pieces<'_> {
    fn join(
        mut self,
        indexes: impl ExactSizeIterator<Item = u8>,
        mut logs: impl ExactSizeIterator<Item = u8>,
        mut intervals: Intervals<'_>,
        out: &mut [u8],
    ) -> Result<()> {
        let ends = self.starts;
        let has_log_at_end = indexes.len() == logs.len();
        let last = indexes.len() - 1;
        let mut left = out;
        for (at, index) in indexes.enumerate() {
            let index = usize::from(index);
            if (index == 0) != (at == last) || index > self.count {
                return Err(wrong());
            }
            if index == 0 && !has_log_at_end {
                break;
            }
            let interval = intervals.next(logs.next().ok_or_else(wrong)?)?;
            if index == 0 {
                break;
            }
            let (Some(start), Some(end)) = (self.starts.get_mut(index - 1), ends.get(index)) else {
                return Err(wrong());
            };
            let piece = self.sources.get(*start..*start + interval).filter(|_| *start + interval <= *end);
            let piece = piece.ok_or_else(wrong)?;
            let (own, behind) = left.split_at_mut_checked(piece.len()).ok_or_else(wrong)?;
            own.copy_from_slice(piece);
            *start += interval;
            left = behind;
        }
        let used_up = (1..=self.count).all(|at| self.starts.get(at - 1) == ends.get(at));
        let bits_used = intervals.front.bytes_used() + intervals.back.bytes_used();
        let all_used = used_up && logs.next().is_none() && bits_used == intervals.len;
        if left.is_empty() && all_used { Ok(()) } else { Err(wrong()) }
    }
}

fn wrong() -> Error {
    Error::malformed("the pieces of a multi-array do not make it up")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two sources, whose pieces take turns; indexes and logs share an array of nibbles.
    fn payload(indexes: &[u8]) -> Vec<u8> {
        let mut payload = vec![0x82, 0, 0, 4];
        payload.extend(b"abcd");
        payload.extend([0, 0, 2]);
        payload.extend(b"XY");
        payload.extend(0x8001u16.to_le_bytes());
        payload.extend([0, 0, u8::try_from(indexes.len()).unwrap()]);
        payload.extend(indexes);
        // The low bits of both pieces of two bytes, from the front.
        payload.push(0);
        payload
    }

    fn run(indexes: &[u8], size: usize) -> Result<Vec<u8>> {
        let mut out = vec![0; size];
        decode(&mut Arrays::default(), &payload(indexes), &mut out, 1).map(|()| out)
    }

    #[test]
    fn pieces_are_joined_in_the_order_of_their_indexes() {
        assert_eq!(run(&[0x11, 0x02, 0x11, 0x02, 0x00], 6).unwrap(), b"abXcdY");
    }

    #[test]
    fn sources_have_to_be_used_up_and_the_end_to_be_marked() {
        assert!(run(&[0x11, 0x02, 0x11, 0x00], 5).is_err(), "a source with a rest");
        assert!(run(&[0x11, 0x02, 0x11, 0x02], 6).is_err(), "no end");
        assert!(run(&[0x11, 0x03, 0x11, 0x02, 0x00], 6).is_err(), "a source that is not there");
        assert!(run(&[0x11, 0x02, 0x11, 0x02, 0x00], 7).is_err(), "another size");
    }
}
