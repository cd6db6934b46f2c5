//! The copies of the innermost loop: literals, literals as differences, and matches.
//!
//! Nearly all are short. Those go in steps of 8 or 16 bytes and write more than they are asked for,
//! what is too much being written over later. Each checks its ranges once, and the steps then go
//! without checks. Long copies, and those near the ends, are calls of their own, which keeps the
//! loop small.

#![expect(unsafe_code, reason = "checks in every step make decoding much slower, see benches/codec.rs")]

/// Bytes that a short copy writes, and that have to lie behind literals.
pub(super) const SLACK: usize = 16;
/// The shortest distance; steps of eight bytes are exact from there on.
pub(super) const MIN_DISTANCE: usize = 8;

/// Writes the first `len` literals to `out[to..]`, as they are or added to the bytes `last` before.
#[inline(always)]
pub(super) fn put_literals<const HAS_DELTAS: bool>(
    out: &mut [u8],
    to: usize,
    literals: &[u8],
    len: usize,
    last: usize,
) {
    let has_room = to + SLACK <= out.len() && literals.len() >= SLACK;
    let reaches = !HAS_DELTAS || (MIN_DISTANCE..=to).contains(&last);
    if !(len <= SLACK && has_room && reaches) {
        put_more_literals::<HAS_DELTAS>(out, to, literals, len, last);
        return;
    }
    // SAFETY: the steps together are `SLACK` bytes long, and both slices have those; `last` bytes
    // before lies inside `out`, and no less than a step away.
    unsafe {
        let (to, from) = (out.as_mut_ptr().add(to), literals.as_ptr());
        if HAS_DELTAS {
            add_step(from, to, last);
            // The second step would often be read before it is complete.
            if len > 8 {
                add_step(from.add(8), to.add(8), last);
            }
        } else {
            step::<SLACK>(from, to);
        }
    }
}

#[cold]
#[inline(never)]
fn put_more_literals<const HAS_DELTAS: bool>(
    out: &mut [u8],
    to: usize,
    literals: &[u8],
    len: usize,
    last: usize,
) {
    let literals = literals.get(..len).unwrap_or_default();
    if !HAS_DELTAS {
        if let Some(to) = out.get_mut(to..to + len) {
            to.copy_from_slice(literals);
        }
        return;
    }
    let mut at = to;
    let (eights, rest) = literals.as_chunks::<8>();
    for eight in eights {
        let before = at.checked_sub(last).and_then(|at| out.get(at..)?.first_chunk::<8>()).copied();
        let sums = add(u64::from_le_bytes(*eight), u64::from_le_bytes(before.unwrap_or_default()));
        if let Some(slot) = out.get_mut(at..).and_then(|ahead| ahead.first_chunk_mut()) {
            *slot = sums.to_le_bytes();
        }
        at += 8;
    }
    for (at, byte) in (at..).zip(rest) {
        let before = at.checked_sub(last).and_then(|at| out.get(at)).copied().unwrap_or(0);
        if let Some(slot) = out.get_mut(at) {
            *slot = byte.wrapping_add(before);
        }
    }
}

/// Copies `len` bytes to `out[to..]` from `distance` before, at least [`MIN_DISTANCE`]; where they
/// overlap, they repeat.
#[inline(always)]
pub(super) fn copy_match(out: &mut [u8], to: usize, distance: usize, len: usize) {
    if !(to + len + SLACK <= out.len() && (MIN_DISTANCE..=to).contains(&distance)) {
        repeat_slowly(out, to, distance, len);
        return;
    }
    // SAFETY: two steps of 8 bytes start below `len`, or at the start, so all of them end at
    // `len + SLACK` or before, which lies inside `out`; `distance` bytes before lies inside `out` too,
    // and no less than a step away.
    unsafe {
        let mut to = out.as_mut_ptr().add(to);
        let end = to.add(len);
        loop {
            step::<8>(to.sub(distance), to);
            step::<8>(to.add(8).sub(distance), to.add(8));
            to = to.add(16);
            if to >= end {
                break;
            }
        }
    }
}

#[cold]
#[inline(never)]
fn repeat_slowly(out: &mut [u8], to: usize, distance: usize, len: usize) {
    repeat(out, to, distance, len);
}

/// Copies `len` bytes to `out[to..]` from `distance` before; where they overlap, they repeat.
pub(super) fn repeat(out: &mut [u8], to: usize, distance: usize, len: usize) {
    let from = to - distance;
    let mut done = 0;
    while done < len {
        // Each round doubles what there is to copy from.
        let count = (distance + done).min(len - done);
        out.copy_within(from..from + count, to + done);
        done += count;
    }
}

/// Adds eight literals to the bytes `last` before.
///
/// # Safety
/// All three places hold 8 bytes, and those before end where the sums begin, or earlier.
#[inline(always)]
unsafe fn add_step(from: *const u8, to: *mut u8, last: usize) {
    // SAFETY: as the caller promises; the words are read and written without alignment.
    unsafe {
        let own = from.cast::<u64>().read_unaligned();
        let before = to.sub(last).cast::<u64>().read_unaligned();
        to.cast::<u64>().write_unaligned(add(own, before));
    }
}

/// Adds eight bytes to eight bytes, each without a carry into the next.
#[inline(always)]
const fn add(a: u64, b: u64) -> u64 {
    const TOP: u64 = 0x8080_8080_8080_8080;
    ((a & !TOP) + (b & !TOP)) ^ ((a ^ b) & TOP)
}

/// Copies `N` bytes at once.
///
/// # Safety
/// Both places hold `N` bytes.
#[inline(always)]
unsafe fn step<const N: usize>(from: *const u8, to: *mut u8) {
    // SAFETY: as the caller promises; an array of bytes has no alignment to keep.
    unsafe { to.cast::<[u8; N]>().write_unaligned(from.cast::<[u8; N]>().read_unaligned()) };
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(len: usize, step: usize) -> Vec<u8> {
        (0..len).map(|at| (at * step) as u8).collect()
    }

    #[test]
    fn copies_are_those_of_single_bytes() {
        let source = bytes(200, 91);
        for (to, room) in [(8, 100), (9, 40), (40, 17), (40, 0)] {
            for len in [0, 1, 7, 8, 9, 16, 17, 24, 40] {
                for distance in [8, 9, 15, 16, 31, 40].into_iter().filter(|distance| *distance <= to) {
                    let before = bytes(to + len + room, 37);
                    let expected = |byte: &dyn Fn(&[u8], usize) -> u8| {
                        let mut out = before.clone();
                        for at in to..to + len {
                            out[at] = byte(&out, at);
                        }
                        out.truncate(to + len);
                        out
                    };
                    let done = |copy: &dyn Fn(&mut [u8])| {
                        let mut out = before.clone();
                        copy(&mut out);
                        out.truncate(to + len);
                        out
                    };
                    let copied = done(&|out| put_literals::<false>(out, to, &source[..len + room], len, 0));
                    assert_eq!(copied, expected(&|_, at| source[at - to]));
                    let added =
                        done(&|out| put_literals::<true>(out, to, &source[..len + room], len, distance));
                    assert_eq!(added, expected(&|out, at| source[at - to].wrapping_add(out[at - distance])));
                    let matched = done(&|out| copy_match(out, to, distance, len));
                    assert_eq!(matched, expected(&|out, at| out[at - distance]));
                }
            }
        }
    }

    #[test]
    fn a_repeated_part_repeats() {
        for distance in 1..20 {
            for len in 0..70 {
                let (mut out, mut expected) = (bytes(100, 7), bytes(100, 7));
                repeat(&mut out, 20, distance, len);
                for at in 20..20 + len {
                    expected[at] = expected[at - distance];
                }
                assert_eq!(out, expected);
            }
        }
    }
}
