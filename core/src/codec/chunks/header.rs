//! The headers of a chain, read one by one.

use std::ops::Range;

use super::{ALIGNMENT, Chain, HEADER, MAX_CHUNK};
use crate::error::{Error, ErrorKind, Result};

/// The header of one chunk and where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chunk {
    /// Its number in the chain, from 0.
    pub index: u64,
    /// Where its header starts, bytes from the start of the entry.
    pub offset: usize,
    /// Where its first byte comes out, bytes from the start of the decoded entry.
    pub at: u64,
    /// Bytes in the archive, without the header.
    pub stored: usize,
    /// Bytes it decodes to.
    pub length: usize,
}

impl Chunk {
    /// Whether its bytes are stored as they are.
    pub const fn is_stored(&self) -> bool {
        self.stored >= self.length
    }

    /// Where the byte behind its last one comes out.
    pub(super) const fn end(&self) -> u64 {
        self.at + self.length as u64
    }

    /// Where its bytes lie, from the start of the entry.
    pub const fn data(&self) -> Range<usize> {
        self.offset + HEADER..self.offset + HEADER + self.stored
    }
}

/// Iterator over the chunk headers of a [`Chain`].
#[derive(Clone, Debug)]
pub struct Chunks<'a> {
    chain: &'a Chain,
    index: u64,
    offset: usize,
    at: u64,
    failed: bool,
}

impl<'a> Chunks<'a> {
    pub(super) const fn of(chain: &'a Chain) -> Self {
        Self { chain, index: 0, offset: 0, at: 0, failed: false }
    }

    fn read(&self) -> Result<Chunk> {
        let chain = self.chain;
        let data = &chain.data;
        let word = |at: usize| {
            let bytes = data.get(at..)?.first_chunk()?;
            usize::try_from(u32::from_le_bytes(*bytes)).ok()
        };
        let (index, offset, at) = (self.index, self.offset, self.at);
        let mut chunk = Chunk { index, offset, at, stored: 0, length: 0 };
        let left = data.len().saturating_sub(offset);
        let eof = |wanted: usize| Error::new(ErrorKind::Eof { wanted: wanted as u64, left: left as u64 });
        let (Some(stored), Some(length)) = (word(offset), word(offset + 4)) else {
            return Err(chain.blame(&chunk, eof(HEADER)));
        };
        (chunk.stored, chunk.length) = (stored, length);
        if stored > MAX_CHUNK || length > MAX_CHUNK {
            let text = format!("stored {stored:#X} and length {length:#X}, at most {MAX_CHUNK:#X} each");
            return Err(chain.blame(&chunk, Error::malformed(text)));
        }
        if length == 0 {
            return Err(
                chain.blame(&chunk, Error::malformed("the chunk holds nothing, yet the entry goes on"))
            );
        }
        if HEADER + stored > left {
            return Err(chain.blame(&chunk, eof(HEADER + stored)));
        }
        let missing = chain.whole - at;
        if length as u64 > missing {
            let text = format!("the chunk holds {length} bytes, the entry has only {missing} left");
            return Err(chain.blame(&chunk, Error::malformed(text)));
        }
        Ok(chunk)
    }
}

impl Iterator for Chunks<'_> {
    type Item = Result<Chunk>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.failed && self.at < self.chain.part.end {
            let chunk = self.read();
            match &chunk {
                Ok(chunk) => {
                    self.index += 1;
                    self.at += chunk.length as u64;
                    self.offset = (chunk.offset + HEADER + chunk.stored).next_multiple_of(ALIGNMENT);
                    if chunk.end() <= self.chain.part.start {
                        continue;
                    }
                }
                Err(_) => self.failed = true,
            }
            return Some(chunk);
        }
        None
    }
}
