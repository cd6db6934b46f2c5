//! The copies of the innermost loop: literals, literals as differences, and matches.
//!
//! Nearly all are short. Those go in steps of 8 or 16 bytes and write more than they are asked for,
//! what is too much being written over later. Each looks at its ranges once and takes the part of the
//! output that it is about, so that the steps need few checks. Long runs of literals, and copies near
//! the ends, are calls of their own, which keeps the loop small.

/// Bytes behind the last one that steps may touch.
pub(super) const SLACK: usize = 16;
/// The shortest distance that steps of eight bytes are exact for.
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
    if len <= SLACK
        && to + SLACK <= out.len()
        && let Some(literals) = literals.first_chunk::<SLACK>()
    {
        if !HAS_DELTAS {
            if let Some(slot) = out.get_mut(to..).and_then(|ahead| ahead.first_chunk_mut()) {
                *slot = *literals;
            }
            return;
        }
        if (MIN_DISTANCE..=to).contains(&last)
            && let Some(part) = out.get_mut(to - last..to + SLACK)
        {
            let (first, second) = literals.split_at(8);
            let sums = add(first, part);
            if let Some(slot) = part.get_mut(last..).and_then(|ahead| ahead.first_chunk_mut()) {
                *slot = sums;
            }
            // The second step would often be read before it is complete.
            if len > 8 {
                let sums = add(second, part.get(8..).unwrap_or_default());
                if let Some(slot) = part.last_chunk_mut() {
                    *slot = sums;
                }
            }
            return;
        }
    }
    put_more_literals::<HAS_DELTAS>(out, to, literals, len, last);
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
    let eights = literals.chunks_exact(8);
    let rest = eights.remainder();
    for eight in eights {
        let sums = add(eight, at.checked_sub(last).and_then(|at| out.get(at..)).unwrap_or_default());
        if let Some(slot) = out.get_mut(at..).and_then(|ahead| ahead.first_chunk_mut()) {
            *slot = sums;
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

/// Adds the first eight bytes of two slices.
#[inline(always)]
fn add(a: &[u8], b: &[u8]) -> [u8; 8] {
    const TOP: u64 = 0x8080_8080_8080_8080;
    let eight = |bytes: &[u8]| bytes.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes));
    let (a, b) = (eight(a), eight(b));
    // Each byte without a carry into the next.
    (((a & !TOP) + (b & !TOP)) ^ ((a ^ b) & TOP)).to_le_bytes()
}

/// Copies `len` bytes to `out[to..]` from `distance` before, at least [`MIN_DISTANCE`]; where they
/// overlap, they repeat.
#[inline(always)]
pub(super) fn copy_match(out: &mut [u8], to: usize, distance: usize, len: usize) {
    let rounded = len.next_multiple_of(SLACK);
    let part =
        if (MIN_DISTANCE..=to).contains(&distance) { out.get_mut(to - distance..to + rounded) } else { None };
    let Some(part) = part else {
        repeat_slowly(out, to, distance, len);
        return;
    };
    let mut at = 0;
    if distance >= SLACK {
        while let Some(step) = part.get_mut(at..at + distance + SLACK) {
            let bytes: [u8; SLACK] = step.first_chunk().copied().unwrap_or_default();
            if let Some(slot) = step.last_chunk_mut() {
                *slot = bytes;
            }
            at += SLACK;
        }
        return;
    }
    while let Some(step) = part.get_mut(at..at + distance + 8) {
        let bytes: [u8; 8] = step.first_chunk().copied().unwrap_or_default();
        if let Some(slot) = step.last_chunk_mut() {
            *slot = bytes;
        }
        at += 8;
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
