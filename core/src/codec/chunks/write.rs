//! Writing chains.

use super::{ALIGNMENT, HEADER, MAX_CHUNK};
use crate::codec::oodle;

const FILLER: u8 = b'X';

/// Writes a chain of stored chunks, each as long as possible.
pub fn store(data: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(data.len() + HEADER * data.len().div_ceil(MAX_CHUNK) + ALIGNMENT);
    for chunk in data.chunks(MAX_CHUNK) {
        push_chunk(&mut out, chunk.len(), chunk);
    }
    out
}

/// Writes a chain as the game's data has it: each chunk packed with Oodle where that makes it smaller.
pub fn pack(data: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(data.len() / 2);
    for chunk in data.chunks(MAX_CHUNK) {
        push_chunk(&mut out, chunk.len(), oodle::encode(chunk).as_deref().unwrap_or(chunk));
    }
    out
}

/// Appends one chunk of a chain: `bytes` that decode to `length`, stored or packed, and filler.
pub fn push_chunk(chain: &mut Vec<u8>, length: usize, bytes: &[u8]) {
    let word = |value: usize| u32::try_from(value).unwrap_or(u32::MAX).to_le_bytes();
    chain.extend(word(bytes.len()));
    chain.extend(word(length));
    chain.extend_from_slice(bytes);
    chain.resize(chain.len().next_multiple_of(ALIGNMENT), FILLER);
}
