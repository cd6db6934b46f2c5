//! Run-length arrays: data from the front of a buffer, commands from its back.
//!
//! | last byte | command | action |
//! |---|---|---|
//! | 0x00, 0x30..=0xFF | 1 byte | copy `!c & 15` bytes of data, then a run of `c >> 4` |
//! | 0x10..=0x2F | 2 bytes, d = v - 0x1000 | copy `d & 63`, then a run of `d >> 6` |
//! | 0x01 | 1 byte | the next byte of data is what runs repeat from here on |
//! | 0x09..=0x0F | 2 bytes | a run of `(v - 0x8FF) * 128` |
//! | 0x02..=0x08 | 2 bytes | copy `(v - 0x1FF) * 64` |
//!
//! `v` is the u16 in the last two bytes. Source: `formats/oodle.md` 4.4.

use crate::error::{Error, Result};

/// Runs the commands of a buffer, which fill all of `out`.
pub(super) fn decode(mut buffer: &[u8], out: &mut [u8]) -> Result<()> {
    let cut = || Error::malformed("the commands of a run-length array are cut");
    let full = || Error::malformed("a run-length array is longer than it should be");
    let mut fill = 0;
    let mut left = out;
    while let Some((&last, before)) = buffer.split_last() {
        let (copy, run) = match last {
            0x01 => {
                let (&next, between) = before.split_first().ok_or_else(cut)?;
                (fill, buffer) = (next, between);
                continue;
            }
            0x00 | 0x30.. => {
                buffer = before;
                (usize::from(!last & 15), usize::from(last >> 4))
            }
            _ => {
                let (&low, before) = before.split_last().ok_or_else(cut)?;
                buffer = before;
                let value = usize::from(last) << 8 | usize::from(low);
                match last {
                    0x10.. => ((value - 0x1000) & 63, (value - 0x1000) >> 6),
                    0x09.. => (0, (value - 0x8FF) * 128),
                    _ => ((value - 0x1FF) * 64, 0),
                }
            }
        };
        let (data, between) = buffer.split_at_checked(copy).ok_or_else(cut)?;
        buffer = between;
        let (copied, behind) = left.split_at_mut_checked(copy).ok_or_else(full)?;
        copied.copy_from_slice(data);
        let (filled, behind) = behind.split_at_mut_checked(run).ok_or_else(full)?;
        filled.fill(fill);
        left = behind;
    }
    if left.is_empty() { Ok(()) } else { Err(Error::malformed("a run-length array ends early")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(buffer: &[u8], size: usize) -> Result<Vec<u8>> {
        let mut out = vec![0xEE; size];
        decode(buffer, &mut out).map(|()| out)
    }

    #[test]
    fn every_command_does_what_the_table_says() {
        // Commands stand at the back, the first one last: set the byte of runs, copy 2 and run 3.
        assert_eq!(run(&[b'x', b'a', b'b', 0x3D, 0x01], 5).unwrap(), b"abxxx");
        // Two bytes: copy 5, then a run of 20 zeros.
        let value = 0x1000u16 + (20 << 6 | 5);
        let buffer = [b"hello", value.to_le_bytes().as_slice()].concat();
        assert_eq!(run(&buffer, 25).unwrap(), [b"hello".as_slice(), &[0; 20]].concat());
        // A run of 256, and a copy of 64.
        assert_eq!(run(&(0x8FFu16 + 2).to_le_bytes(), 256).unwrap(), [0; 256]);
        let data: Vec<u8> = (0..64).collect();
        assert_eq!(run(&[data.as_slice(), &(0x1FFu16 + 1).to_le_bytes()].concat(), 64).unwrap(), data);
        // 15 bytes without a run.
        assert_eq!(run(b"0123456789abcde\0", 15).unwrap(), b"0123456789abcde");
    }

    #[test]
    fn data_and_commands_have_to_meet_and_fill_the_output() {
        assert!(run(&[b'a', b'b', 0x3D], 4).is_err(), "shorter than its run");
        assert!(run(&[b'a', b'b', 0x3D], 6).is_err(), "longer than its run");
        assert!(run(&[b'a', 0x3D], 5).is_err(), "data that is not there");
        assert!(run(&[0x01], 1).is_err() && run(&[0x09], 128).is_err(), "a cut command");
    }
}
