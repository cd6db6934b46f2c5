//! Packing chunks as the game's data is packed: Kraken, LZB16 for short ones, or not at all.
//!
//! It makes what the decoder reads and what a file needs to be small; it does not try to be as small
//! as the library's best. No decoder but the one here has read its streams.

mod array;
pub(super) mod bits;
mod lz;
mod lzb16;
mod matches;
mod parse;

use super::{KRAKEN, LZB16};
use crate::codec::chunks::MAX_CHUNK;

/// Chunks up to this size are stored.
const STORED: usize = 256;
/// Chunks of this size and more are packed with Kraken.
const KRAKEN_FROM: usize = 2048;

/// Packs one chunk of at most 64 KB; `None` when it is better stored as it is.
pub fn encode(data: &[u8]) -> Option<Vec<u8>> {
    if data.len() <= STORED || data.len() > MAX_CHUNK {
        return None;
    }
    let packed = if data.len() < KRAKEN_FROM { lzb16_stream(data) } else { kraken_stream(data) };
    Some(packed).filter(|packed| packed.len() < data.len())
}

fn lzb16_stream(data: &[u8]) -> Vec<u8> {
    let quantum = lzb16::pack(data);
    let [.., high, low] = quantum.len().wrapping_sub(1).to_be_bytes();
    let mut out = vec![0x8C, LZB16, high, low];
    out.extend(quantum);
    out
}

/// One block of one quantum of one chunk: matches, or entropy coding alone where that is shorter.
fn kraken_stream(data: &[u8]) -> Vec<u8> {
    let mut plain = Vec::new();
    array::push(&mut plain, data);
    let quantum = lz::pack(data).filter(|chunk| chunk.len() < plain.len()).unwrap_or(plain);
    let [.., high, middle, low] = quantum.len().wrapping_sub(1).to_be_bytes();
    let mut out = vec![0x8C, KRAKEN, high, middle, low];
    out.extend(quantum);
    out
}

#[cfg(test)]
mod tests {
    use super::super::Decoder;
    use super::*;

    /// Bytes of a seeded generator.
    fn noise(len: usize) -> Vec<u8> {
        let mut state = 1u32;
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 24) as u8
        };
        (0..len).map(|_| next()).collect()
    }

    fn text(len: usize) -> Vec<u8> {
        let words = ["sword", "shield", "orc", "ranger", "\\", "_d.tex", " ", "\n"];
        let picks = noise(len);
        picks.iter().flat_map(|pick| words[usize::from(*pick) % words.len()].bytes()).take(len).collect()
    }

    fn ramp(len: usize) -> Vec<u8> {
        (0..len).map(|at| (at / 4 * (at % 4 + 1)) as u8).collect()
    }

    fn runs(len: usize) -> Vec<u8> {
        let long = std::iter::repeat_n(7, len / 2).chain(noise(40)).chain(std::iter::repeat(9));
        long.take(len).collect()
    }

    fn check(data: &[u8]) -> Option<usize> {
        let packed = encode(data)?;
        assert!(packed.len() < data.len());
        let mut out = vec![0; data.len()];
        Decoder::default().decode(&packed, &mut out).unwrap();
        assert!(out == data, "{} bytes", data.len());
        Some(packed.len())
    }

    #[test]
    fn what_is_packed_comes_back() {
        for make in [noise, text, ramp, runs, |len| vec![3; len]] {
            for len in
                [0, 1, 256, 257, 300, 2047, 2048, 2049, 5000, 40_000, MAX_CHUNK - 1, MAX_CHUNK, MAX_CHUNK + 1]
            {
                check(&make(len));
            }
        }
    }

    #[test]
    fn chunks_are_packed_as_the_game_packs_them() {
        let start = |len: usize| encode(&text(len)).map(|packed| [packed[0], packed[1]]);
        assert_eq!(start(256), None);
        assert_eq!(start(257), Some([0x8C, LZB16]));
        assert_eq!(start(2047), Some([0x8C, LZB16]));
        assert_eq!(start(2048), Some([0x8C, KRAKEN]));
        assert_eq!(encode(&noise(5000)), None);
    }

    #[test]
    fn packing_is_worth_it() {
        assert!(check(&text(MAX_CHUNK)).unwrap() < MAX_CHUNK / 4);
        assert!(check(&runs(MAX_CHUNK)).unwrap() < 200);
        assert!(check(&text(1500)).unwrap() < 900);
    }
}
