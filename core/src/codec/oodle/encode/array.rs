//! Packing arrays: raw, one repeated byte, or Huffman codes of at most 11 bits.

use super::bits::{Lsb, Msb};

/// The most bits of a code.
const MAX_LEN: usize = 11;
/// Arrays of this size and more have two groups, which decode faster.
const TWO_GROUPS: usize = 1024;

/// Appends the shortest form of `data`, with a long header.
pub(super) fn push(out: &mut Vec<u8>, data: &[u8]) {
    if let [first, rest @ ..] = data
        && !rest.is_empty()
        && rest.iter().all(|byte| byte == first)
    {
        push_packed(out, 3, data.len(), &[*first]);
        return;
    }
    match huffman(data).filter(|(_, packed)| packed.len() + 2 < data.len()) {
        Some((coding, packed)) => push_packed(out, coding, data.len(), &packed),
        None => push_raw(out, data),
    }
}

fn push_raw(out: &mut Vec<u8>, data: &[u8]) {
    let [.., high, middle, low] = data.len().to_be_bytes();
    out.extend([high, middle, low]);
    out.extend_from_slice(data);
}

fn push_packed(out: &mut Vec<u8>, coding: u8, size: usize, packed: &[u8]) {
    let word = (size as u64 - 1) << 18 | packed.len() as u64;
    let [.., b0, b1, b2, b3, b4] = word.to_be_bytes();
    out.extend([coding << 4 | b0, b1, b2, b3, b4]);
    out.extend_from_slice(packed);
}

/// About how many bits the data takes with Huffman codes, tables left aside.
pub(super) fn cost(data: impl Iterator<Item = u8>) -> usize {
    let counts = count(data);
    let lengths = code_lengths(&counts);
    counts.iter().zip(lengths).map(|(count, length)| *count as usize * usize::from(length)).sum()
}

/// Huffman codes with their table: the coding and the payload; `None` without two symbols.
fn huffman(data: &[u8]) -> Option<(u8, Vec<u8>)> {
    let lengths = code_lengths(&count(data.iter().copied()));
    if lengths.iter().filter(|length| **length > 0).count() < 2 {
        return None;
    }
    let mut out = table(&lengths);
    let codes = codes(&lengths);
    if data.len() < TWO_GROUPS {
        push_group(&mut out, &codes, data)?;
        return Some((2, out));
    }
    let (first, second) = data.split_at(data.len().div_ceil(2));
    let mut group = Vec::new();
    push_group(&mut group, &codes, first)?;
    let [low, middle, high, ..] = group.len().to_le_bytes();
    out.extend([low, middle, high]);
    out.extend(group);
    push_group(&mut out, &codes, second)?;
    Some((4, out))
}

/// Appends three streams that take turns; `None` when the first is too long for its size field.
fn push_group(out: &mut Vec<u8>, codes: &[(u32, u32); 256], data: &[u8]) -> Option<()> {
    let mut streams = [Lsb::default(), Lsb::default(), Lsb::default()];
    for turn in data.chunks(3) {
        for (stream, byte) in streams.iter_mut().zip(turn) {
            let (code, bits) = codes.get(usize::from(*byte)).copied().unwrap_or_default();
            stream.put(code, bits);
        }
    }
    let [first, second, third] = streams.map(Lsb::finish);
    out.extend(u16::try_from(first.len()).ok()?.to_le_bytes());
    out.extend(first);
    out.extend(third);
    out.extend(second.iter().rev());
    Some(())
}

pub(super) fn count(data: impl Iterator<Item = u8>) -> [u32; 256] {
    let mut counts = [0; 256];
    for byte in data {
        if let Some(count) = counts.get_mut(usize::from(byte)) {
            *count += 1;
        }
    }
    counts
}

/// The best code lengths of at most 11 bits, by package-merge; 0 for symbols that do not occur.
fn code_lengths(counts: &[u32; 256]) -> [u8; 256] {
    let mut lengths = [0; 256];
    let mut leaves: Vec<(u64, u8)> = (0u8..=255)
        .zip(counts)
        .filter(|(_, count)| **count > 0)
        .map(|(symbol, count)| (u64::from(*count), symbol))
        .collect();
    if leaves.len() < 2 {
        return lengths;
    }
    leaves.sort_unstable();
    // Each row holds the symbols and the pairs of the row before, by weight.
    let mut rows: Vec<Vec<bool>> = Vec::with_capacity(MAX_LEN);
    let mut weights: Vec<u64> = Vec::new();
    for _ in 0..MAX_LEN {
        let pairs = weights.chunks_exact(2).map(|pair| (pair.iter().sum(), false));
        let mut row: Vec<(u64, bool)> =
            leaves.iter().map(|(weight, _)| (*weight, true)).chain(pairs).collect();
        row.sort_by_key(|(weight, _)| *weight);
        weights = row.iter().map(|(weight, _)| *weight).collect();
        rows.push(row.into_iter().map(|(_, is_leaf)| is_leaf).collect());
    }
    // A symbol's length is the number of rows in which it is taken.
    let mut taken = 2 * leaves.len() - 2;
    for row in rows.iter().rev() {
        let own = row.iter().take(taken).filter(|is_leaf| **is_leaf).count();
        for (_, symbol) in leaves.iter().take(own) {
            if let Some(length) = lengths.get_mut(usize::from(*symbol)) {
                *length += 1;
            }
        }
        taken = 2 * (taken - own);
    }
    lengths
}

/// The code of each symbol with its first bit at the bottom, and its bits.
fn codes(lengths: &[u8; 256]) -> [(u32, u32); 256] {
    let mut codes = [(0, 0); 256];
    let mut next = 0u32;
    for bits in 1..=MAX_LEN as u32 {
        next <<= 1;
        for (code, length) in codes.iter_mut().zip(lengths) {
            if u32::from(*length) == bits {
                *code = (next.reverse_bits() >> (32 - bits), bits);
                next += 1;
            }
        }
    }
    codes
}

/// The shortest form of a table of code lengths.
fn table(lengths: &[u8; 256]) -> Vec<u8> {
    let forms = (0..4).map(|rice| dense(lengths, rice)).chain([sparse(lengths)]);
    forms.flatten().min_by_key(Vec::len).unwrap_or_default()
}

/// Symbols with their lengths; `None` when there are too many.
fn sparse(lengths: &[u8; 256]) -> Option<Vec<u8>> {
    let used = || (0usize..).zip(lengths).filter(|(_, length)| **length > 0);
    let count = used().count();
    let most = lengths.iter().max().map_or(0, |length| usize::from(*length).saturating_sub(1));
    let width = usize::BITS - most.leading_zeros();
    let mut bits = Msb::default();
    bits.put(0b00, 2);
    bits.put(count, 8);
    bits.put(width as usize, 3);
    for (symbol, length) in used() {
        bits.put(symbol, 8);
        bits.put(usize::from(*length) - 1, width);
    }
    (count < 256).then(|| bits.finish())
}

/// Runs of lengths against a running average; `None` when a difference is too large for `rice`.
fn dense(lengths: &[u8; 256], rice: u32) -> Option<Vec<u8>> {
    let mut bits = Msb::default();
    bits.put(0b01, 2);
    bits.put(rice as usize, 2);
    bits.put(usize::from(lengths.first().is_some_and(|length| *length > 0)), 1);
    let mut average = 32i32;
    for run in lengths.chunk_by(|a, b| (*a > 0) == (*b > 0)) {
        bits.put_with_zeros(run.len() + 1, 1);
        for length in run.iter().filter(|length| **length > 0) {
            let length = i32::from(*length);
            let delta = length - ((average + 2) >> 2);
            let value = usize::try_from(if delta < 0 { -2 * delta - 1 } else { 2 * delta }).ok()?;
            if value >> rice > 20 >> rice {
                return None;
            }
            bits.put_unary(value >> rice);
            bits.put(value, rice);
            average = length + ((3 * average + 2) >> 2);
        }
    }
    Some(bits.finish())
}
