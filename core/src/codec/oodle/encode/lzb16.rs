//! Packing a quantum of LZB16.

use super::matches::Finder;

/// The bytes at the end that are literals in every real stream.
const LAST: usize = 8;
/// The literals that the last command names at least, even where fewer are left.
const LAST_COUNT: usize = 9;
/// The longest number that an extension holds.
const MAX_NUMBER: usize = 0x3FFF;

/// Packs data as the commands of a quantum.
pub(super) fn pack(data: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut finder = Finder::new(data, 1);
    let end = data.len().saturating_sub(LAST);
    let (mut at, mut start) = (1, 0);
    while at < end {
        let mut found = finder.longest(at, end);
        if found.len == 0 {
            at += 1;
            continue;
        }
        found.len = found.len.min(146 + MAX_NUMBER);
        push_literals(
            &mut out,
            data.get(start..at).unwrap_or_default(),
            at - start,
            match_code(found.distance, found.len),
        );
        push_match(&mut out, found.distance, found.len);
        at += found.len;
        start = at;
    }
    let rest = data.get(start..).unwrap_or_default();
    push_literals(&mut out, rest, rest.len().max(LAST_COUNT), 0);
    out
}

fn push_literals(out: &mut Vec<u8>, literals: &[u8], count: usize, match_code: u8) {
    out.push(match_code << 4 | count.min(15) as u8);
    if count >= 15 {
        push_number(out, count - 15);
    }
    out.extend_from_slice(literals);
}

/// The high nibble of the command before a match.
fn match_code(distance: usize, len: usize) -> u8 {
    if distance < 8 || len > 18 { 15 } else { (len - 4) as u8 }
}

fn push_match(out: &mut Vec<u8>, distance: usize, len: usize) {
    let word = (distance as u16).to_le_bytes();
    if distance < 8 {
        out.push((0x80 | (len - 4).min(15) << 3 | distance) as u8);
        if len >= 19 {
            push_number(out, len - 19);
        }
    } else if len > 18 {
        let short = (len - 19).min(0x7F);
        out.push(short as u8);
        out.extend(word);
        if short == 0x7F {
            push_number(out, len - 146);
        }
    } else {
        out.extend(word);
    }
}

fn push_number(out: &mut Vec<u8>, number: usize) {
    if number < 0xC0 {
        out.push(number as u8);
    } else {
        out.extend([(0xC0 | number >> 8) as u8, number as u8]);
    }
}
