//! The chunk chain that holds the data of an archive entry.
//!
//! | bytes | meaning |
//! |---|---|
//! | u32 | `stored`: bytes of this chunk in the archive, at most 0x10000 |
//! | u32 | `length`: bytes it decodes to, at most 0x10000 |
//! | stored | the bytes: as they are when `stored >= length`, packed otherwise |
//! | 0-3 | `X` up to the next multiple of 4, counted from the start of the entry |
//!
//! The chain ends when the entry's size is reached. Sources: notes on the game's own reader, two
//! public unpackers, and the directory of a shipped archive.

use std::ops::Range;

use bytes::Bytes;

use super::{codec_name, decode_packed};
use crate::error::{Error, ErrorKind, Result};
use crate::parse::Name;
use crate::task::Task;

/// The most bytes a chunk may hold, stored or decoded.
pub const MAX_CHUNK: usize = 0x10000;

const HEADER: usize = 8;
const ALIGNMENT: usize = 4;
const FILLER: u8 = b'X';

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

    /// Where its bytes lie, from the start of the entry.
    pub const fn data(&self) -> Range<usize> {
        self.offset + HEADER..self.offset + HEADER + self.stored
    }
}

/// The data of one entry, decoded a chunk at a time.
#[derive(Clone, Debug)]
pub struct Chain {
    data: Bytes,
    size: u64,
    /// Where the data starts in the archive.
    start: u64,
}

impl Chain {
    /// The chain in `data` that decodes to `size` bytes.
    pub const fn new(data: Bytes, size: u64) -> Self {
        Self { data, size, start: 0 }
    }

    /// The same chain, whose data starts at an offset of an archive; errors count from there.
    #[must_use]
    pub fn starting_at(self, start: u64) -> Self {
        Self { start, ..self }
    }

    /// Bytes of the decoded entry.
    pub const fn size(&self) -> u64 {
        self.size
    }

    /// The chunk headers in order; nothing is decoded. An error is the last item.
    pub fn chunks(&self) -> Chunks<'_> {
        Chunks { chain: self, index: 0, offset: 0, at: 0, failed: false }
    }

    /// Decodes the bytes of `range`, touching only the chunks that hold them.
    ///
    /// # Errors
    /// What is wrong with the first bad chunk up to the end of `range`; `Cancelled`.
    pub fn read(&self, range: Range<u64>, task: &Task) -> Result<Bytes> {
        let (bytes, error) = self.read_up_to(range, task);
        error.map_or(Ok(bytes), Err)
    }

    /// Decodes the bytes of `range` up to the first bad chunk, and says what is wrong with it.
    pub fn read_up_to(&self, range: Range<u64>, task: &Task) -> (Bytes, Option<Error>) {
        const FIRST_CAPACITY: u64 = 1 << 20;
        if !task.is_cancelled()
            && let Some(bytes) = self.in_one_stored_chunk(&range)
        {
            return (bytes, None);
        }
        let wanted = range.end.min(self.size).saturating_sub(range.start).min(FIRST_CAPACITY);
        let mut out = Vec::with_capacity(usize::try_from(wanted).unwrap_or(0));
        let result = self.visit(range, task, |part| {
            out.extend_from_slice(part);
            Ok(())
        });
        (out.into(), result.err())
    }

    /// Decodes the bytes of `range` and hands them over a chunk at a time, in order.
    ///
    /// # Errors
    /// What is wrong with the first bad chunk, after everything before it was handed over; what
    /// `sink` says; `Cancelled`.
    pub fn visit(
        &self,
        range: Range<u64>,
        task: &Task,
        mut sink: impl FnMut(&[u8]) -> Result<()>,
    ) -> Result<()> {
        let end = range.end.min(self.size);
        if range.start >= end {
            return Ok(());
        }
        let mut scratch = Vec::new();
        for chunk in self.chunks() {
            let chunk = chunk?;
            task.check()?;
            let chunk_end = chunk.at + chunk.length as u64;
            if chunk_end > range.start {
                let from = within(range.start.saturating_sub(chunk.at), chunk.length);
                let to = within(end - chunk.at, chunk.length);
                let bytes = self.data.get(chunk.data()).unwrap_or_default();
                if chunk.is_stored() {
                    sink(bytes.get(from..to).unwrap_or_default())?;
                } else {
                    scratch.clear();
                    decode_packed(bytes, chunk.length, &mut scratch)
                        .map_err(|error| self.blame(&chunk, error))?;
                    sink(scratch.get(from..to).unwrap_or_default())?;
                }
            }
            if chunk_end >= end {
                break;
            }
        }
        Ok(())
    }

    /// The bytes of a range that lies in a single stored chunk: they need no copy.
    fn in_one_stored_chunk(&self, range: &Range<u64>) -> Option<Bytes> {
        let end = range.end.min(self.size);
        let holds = |chunk: &Chunk| chunk.at + chunk.length as u64 > range.start;
        let chunk = self.chunks().map_while(Result::ok).find(holds)?;
        if !chunk.is_stored() || range.start >= end || end > chunk.at + chunk.length as u64 {
            return None;
        }
        let start = chunk.data().start;
        let from = within(range.start - chunk.at, chunk.length);
        let to = within(end - chunk.at, chunk.length);
        Some(self.data.slice(start + from..start + to))
    }

    /// Places an error in a chunk: its number in the chain, its offset in the archive.
    fn blame(&self, chunk: &Chunk, error: Error) -> Error {
        let offset = self.start.saturating_add(chunk.offset as u64);
        error.at(offset).in_fields(vec![Name::Field("chunks"), Name::Index(chunk.index)])
    }

    /// The codec of a packed chunk, `None` for a stored one.
    pub fn codec(&self, chunk: &Chunk) -> Option<&'static str> {
        (!chunk.is_stored()).then(|| codec_name(self.data.get(chunk.data()).unwrap_or_default()))
    }
}

/// A distance inside a chunk, at most the chunk's length.
fn within(distance: u64, length: usize) -> usize {
    usize::try_from(distance).map_or(length, |distance| distance.min(length))
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

impl Chunks<'_> {
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
        let missing = chain.size - at;
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
        if self.failed || self.at >= self.chain.size {
            return None;
        }
        let chunk = self.read();
        match &chunk {
            Ok(chunk) => {
                self.index += 1;
                self.at += chunk.length as u64;
                self.offset = (chunk.offset + HEADER + chunk.stored).next_multiple_of(ALIGNMENT);
            }
            Err(_) => self.failed = true,
        }
        Some(chunk)
    }
}

/// Writes a chain of stored chunks, each as long as possible.
pub fn store(data: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(data.len() + HEADER * data.len().div_ceil(MAX_CHUNK) + ALIGNMENT);
    for chunk in data.chunks(MAX_CHUNK) {
        push_chunk(&mut out, chunk.len(), chunk);
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

#[cfg(test)]
mod tests {
    use super::*;

    fn data(len: usize) -> Vec<u8> {
        (0..=250u8).cycle().step_by(7).take(len).collect()
    }

    fn read(chain: &[u8], size: u64, range: Range<u64>) -> Result<Bytes> {
        Chain::new(Bytes::copy_from_slice(chain), size).read(range, &Task::new())
    }

    #[test]
    fn what_is_stored_comes_back() {
        for len in [0, 1, 3, 4, MAX_CHUNK - 1, MAX_CHUNK, MAX_CHUNK + 1, 3 * MAX_CHUNK + 5] {
            let data = data(len);
            let chain = store(&data);
            assert_eq!(chain.len() % 4, 0);
            assert_eq!(read(&chain, len as u64, 0..len as u64).unwrap(), data);
        }
    }

    #[test]
    fn ranges_touch_only_their_chunks() {
        let data = data(2 * MAX_CHUNK + 100);
        let mut chain = store(&data);
        // The second chunk breaks: what lies before it stays readable.
        let second = MAX_CHUNK + HEADER;
        chain[second..second + 4].copy_from_slice(&[0xFF; 4]);
        let size = data.len() as u64;
        assert_eq!(read(&chain, size, 10..4096).unwrap(), data[10..4096]);
        let error = read(&chain, size, 0..size).unwrap_err().to_string();
        let text = "chunks[1] at 0x10008: stored 0xFFFFFFFF and length 0x10000, at most 0x10000 each";
        assert_eq!(error, text);
        let whole = Chain::new(chain.into(), size).read_up_to(5..size, &Task::new());
        assert_eq!(whole.0, data[5..MAX_CHUNK]);
        assert!(whole.1.is_some());
    }

    #[test]
    fn errors_count_from_the_start_of_the_archive() {
        let chain = Chain::new(Bytes::from_static(&[0xFF; 8]), 1).starting_at(0x1000);
        let error = chain.read(0..1, &Task::new()).unwrap_err();
        assert_eq!((error.offset(), error.field_path().as_str()), (Some(0x1000), "chunks[0]"));
    }

    #[test]
    fn ranges_may_cross_chunks_and_the_end() {
        let data = data(2 * MAX_CHUNK + 100);
        let (chain, size) = (store(&data), data.len() as u64);
        let at = MAX_CHUNK as u64;
        assert_eq!(read(&chain, size, at - 3..at + 5).unwrap(), data[MAX_CHUNK - 3..MAX_CHUNK + 5]);
        assert_eq!(read(&chain, size, size - 2..u64::MAX).unwrap(), data[data.len() - 2..]);
        assert_eq!(read(&chain, size, size..size + 9).unwrap().len(), 0);
    }

    #[test]
    fn a_range_in_one_stored_chunk_shares_the_memory() {
        let chain = Bytes::from(store(&data(100)));
        let part = Chain::new(chain.clone(), 100).read(1..99, &Task::new()).unwrap();
        assert_eq!(part.as_ptr(), chain[HEADER + 1..].as_ptr());
    }

    #[test]
    fn packed_chunks_name_their_codec() {
        let mut chain = Vec::new();
        push_chunk(&mut chain, 100, &[0x8C, 0x06, 1, 2, 3]);
        let error = read(&chain, 100, 0..100).unwrap_err().to_string();
        assert!(error.starts_with("chunks[0] at 0x0: not supported: the codec Oodle Kraken"), "{error}");
        let chain = Chain::new(chain.into(), 100);
        let chunk = chain.chunks().next().unwrap().unwrap();
        assert_eq!(chain.codec(&chunk), Some("Oodle Kraken"));
    }

    #[test]
    fn chains_that_end_early_or_late_are_errors() {
        let chain = store(&data(100));
        let reason = |chain: &[u8], size| read(chain, size, 0..size).unwrap_err().reason();
        assert_eq!(reason(&chain, 101), "needs 8 bytes, 0 are left");
        assert_eq!(reason(&chain, 99), "the chunk holds 100 bytes, the entry has only 99 left");
        assert_eq!(reason(&chain[..50], 100), "needs 108 bytes, 50 are left");
        assert_eq!(reason(&[0; 8], 1), "the chunk holds nothing, yet the entry goes on");
        assert_eq!(reason(&chain, u64::MAX), "needs 8 bytes, 0 are left");
    }

    #[test]
    fn a_cancelled_read_stops() {
        let chain = Chain::new(store(&data(100)).into(), 100);
        let task = Task::new();
        task.cancel();
        assert!(chain.read(0..100, &task).unwrap_err().is_cancelled());
    }
}
