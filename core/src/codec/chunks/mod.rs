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

mod header;
mod summary;
mod walk;
mod write;

pub use header::{Chunk, Chunks};
pub use summary::Summary;
pub use walk::Walk;
pub use write::{pack, push_chunk, store};

use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;
use rayon::prelude::*;

use super::oodle::Oodle;
use super::{Codec, decode_packed};
use crate::error::{Error, Result};
use crate::parse::Name;
use crate::task::Task;

/// The most bytes a chunk may hold, stored or decoded.
pub const MAX_CHUNK: usize = 0x10000;

/// How many chunks are decoded at a time, 2 MB at most.
const BATCH: usize = 32;

const HEADER: usize = 8;
const ALIGNMENT: usize = 4;

/// The data of one entry, decoded a chunk at a time.
#[derive(Clone, Debug)]
pub struct Chain {
    data: Bytes,
    /// Bytes of the whole decoded entry.
    whole: u64,
    /// The part of the decoded entry that is meant.
    part: Range<u64>,
    /// The word that has to stand right before that part.
    word: Option<u32>,
    /// Where the data starts in the archive.
    start: u64,
    oodle: Option<Arc<Oodle>>,
}

/// Bytes of such a word.
const WORD: u64 = 4;

impl Chain {
    /// The chain in `data` that decodes to `size` bytes.
    pub const fn new(data: Bytes, size: u64) -> Self {
        Self { data, whole: size, part: 0..size, word: None, start: 0, oodle: None }
    }

    /// A part of the decoded entry, cut to its end, as an entry of its own.
    #[must_use]
    pub fn part(self, range: Range<u64>) -> Self {
        let Range { start, end } = self.of_whole(&range);
        Self { part: start..end.max(start), word: None, ..self }
    }

    /// The same chain, before whose part a word has to stand. Whoever reads looks at it, by
    /// [`with_word`](Self::with_word).
    #[must_use]
    pub(crate) fn behind_word(self, word: u32) -> Self {
        Self { word: Some(word), ..self }
    }

    /// The word that has to stand right before the part, where it stands in the decoded entry, and the
    /// chain from there on.
    pub(crate) fn with_word(&self) -> Option<(u32, u64, Self)> {
        let start = self.part.start.checked_sub(WORD)?;
        Some((self.word?, start, Self { part: start..self.part.end, word: None, ..self.clone() }))
    }

    /// The same chain, whose data starts at an offset of an archive; errors count from there.
    #[must_use]
    pub fn starting_at(self, start: u64) -> Self {
        Self { start, ..self }
    }

    /// The same chain, whose chunks of Oodle are decoded by somebody else than the decoder here.
    #[must_use]
    pub fn decoded_by(self, oodle: Option<Arc<Oodle>>) -> Self {
        Self { oodle, ..self }
    }

    /// Bytes of the decoded entry, or of the part of it that is meant.
    pub const fn size(&self) -> u64 {
        self.part.end - self.part.start
    }

    /// The headers of the chunks that hold the part that is meant, in order; nothing is decoded. An error
    /// is the last item.
    pub fn chunks(&self) -> Chunks<'_> {
        Chunks::of(self)
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
        let wanted = range.end.min(self.size()).saturating_sub(range.start).min(FIRST_CAPACITY);
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
        let range = self.of_whole(&range);
        if range.is_empty() {
            return Ok(());
        }
        let end = range.end;
        let mut chunks =
            self.chunks().skip_while(|chunk| chunk.as_ref().is_ok_and(|chunk| chunk.end() <= range.start));
        let mut buffer = Vec::new();
        let mut batch = Vec::with_capacity(BATCH);
        loop {
            batch.clear();
            // An error of a header waits until what lies before it was handed over.
            let mut fault = None;
            while batch.len() < BATCH && batch.last().is_none_or(|last: &Chunk| last.end() < end) {
                match chunks.next() {
                    Some(Ok(chunk)) => batch.push(chunk),
                    Some(Err(error)) => fault = Some(error),
                    None => break,
                }
                if fault.is_some() {
                    break;
                }
            }
            for (chunk, bytes) in batch.iter().zip(self.decode(&batch, &mut buffer, task)) {
                task.check()?;
                let from = within(range.start.saturating_sub(chunk.at), chunk.length);
                let to = within(end - chunk.at, chunk.length);
                sink(bytes?.get(from..to).unwrap_or_default())?;
            }
            if let Some(fault) = fault {
                return Err(fault);
            }
            if batch.last().is_none_or(|last| last.end() >= end) {
                return Ok(());
            }
        }
    }

    /// Decodes a few chunks, in parallel where there are several, each to its own part of the buffer.
    /// Stored ones are handed over as they lie.
    fn decode<'a>(&'a self, chunks: &[Chunk], buffer: &'a mut Vec<u8>, task: &Task) -> Vec<Result<&'a [u8]>> {
        let oodle = self.oodle.as_deref().unwrap_or(&Oodle::BuiltIn);
        let packed = |chunk: &Chunk| if chunk.is_stored() { 0 } else { chunk.length };
        let size = chunks.iter().map(packed).sum();
        if buffer.len() < size {
            buffer.resize(size, 0);
        }
        let mut rest = buffer.as_mut_slice();
        let mut parts = Vec::with_capacity(chunks.len());
        for chunk in chunks {
            let (own, behind) = rest.split_at_mut(packed(chunk).min(rest.len()));
            parts.push((chunk, own));
            rest = behind;
        }
        let decode = |(chunk, out): (&Chunk, &'a mut [u8])| {
            let bytes = self.data.get(chunk.data()).unwrap_or_default();
            if chunk.is_stored() {
                return Ok(bytes.get(..chunk.length).unwrap_or_default());
            }
            task.check()?;
            decode_packed(bytes, out, oodle).map_err(|error| self.blame(chunk, error))?;
            Ok(&*out)
        };
        if size > MAX_CHUNK {
            parts.into_par_iter().map(decode).collect()
        } else {
            parts.into_iter().map(decode).collect()
        }
    }

    /// The bytes of a range that lies in a single stored chunk: they need no copy.
    fn in_one_stored_chunk(&self, range: &Range<u64>) -> Option<Bytes> {
        let range = self.of_whole(range);
        let end = range.end;
        let holds = |chunk: &Chunk| chunk.end() > range.start;
        let chunk = self.chunks().map_while(Result::ok).find(holds)?;
        if !chunk.is_stored() || range.start >= end || end > chunk.end() {
            return None;
        }
        let start = chunk.data().start;
        let from = within(range.start - chunk.at, chunk.length);
        let to = within(end - chunk.at, chunk.length);
        Some(self.data.slice(start + from..start + to))
    }

    /// A range of the part that is meant, counted from the start of the entry and cut to the part's end.
    fn of_whole(&self, range: &Range<u64>) -> Range<u64> {
        let at = |offset: u64| self.part.start.saturating_add(offset).min(self.part.end);
        at(range.start)..at(range.end)
    }

    /// Places an error in a chunk: its number in the chain, its offset in the archive.
    fn blame(&self, chunk: &Chunk, error: Error) -> Error {
        error.at(self.offset_of(chunk)).in_fields(vec![Name::Field("chunks"), Name::Index(chunk.index)])
    }

    /// Where the header of a chunk starts in the archive.
    pub const fn offset_of(&self, chunk: &Chunk) -> u64 {
        self.start.saturating_add(chunk.offset as u64)
    }

    /// Reads ranges that ascend, each chunk decoded at most once.
    pub fn walk(&self) -> Walk<'_> {
        Walk::new(self)
    }

    /// How the chunks are packed that hold a byte before `end` of the part that is meant; headers alone
    /// are read.
    pub fn summary(&self, end: u64) -> Summary {
        Summary::of(self, end)
    }

    /// The codec of a packed chunk, `None` for a stored one.
    pub fn codec(&self, chunk: &Chunk) -> Option<Codec> {
        (!chunk.is_stored()).then(|| Codec::of(self.data.get(chunk.data()).unwrap_or_default()))
    }
}

/// A distance inside a chunk, at most the chunk's length.
fn within(distance: u64, length: usize) -> usize {
    usize::try_from(distance).map_or(length, |distance| distance.min(length))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn data(len: usize) -> Vec<u8> {
        (0..=250u8).cycle().step_by(7).take(len).collect()
    }

    /// Bytes that can be packed well.
    fn stripes(len: usize) -> Vec<u8> {
        let rows = (0..=255u8).cycle().flat_map(|row| (0..64u8).map(move |at| row.wrapping_add(at % 7)));
        rows.take(len).collect()
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
    fn what_is_packed_comes_back_in_order() {
        let data = stripes(50 * MAX_CHUNK + 700);
        let (chain, size) = (pack(&data), data.len() as u64);
        assert!(chain.len() < data.len() / 4);
        assert_eq!(read(&chain, size, 0..size).unwrap(), data);
        let part = MAX_CHUNK as u64 - 3..40 * MAX_CHUNK as u64 + 3;
        assert_eq!(read(&chain, size, part).unwrap(), data[MAX_CHUNK - 3..40 * MAX_CHUNK + 3]);
    }

    #[test]
    fn a_bad_packed_chunk_ends_what_is_read_and_harms_no_other() {
        let data = stripes(40 * MAX_CHUNK);
        let (mut chain, size) = (pack(&data), data.len() as u64);
        let bad = Chain::new(chain.clone().into(), size).chunks().nth(35).unwrap().unwrap();
        chain[bad.data()].fill(0xFF);
        let chain = Chain::new(chain.into(), size);
        let (bytes, error) = chain.read_up_to(10..size, &Task::new());
        assert_eq!(bytes, data[10..35 * MAX_CHUNK]);
        let error = error.unwrap().to_string();
        assert!(error.starts_with(&format!("chunks[35] at {:#X}: ", bad.offset)), "{error}");
        let behind = 36 * MAX_CHUNK as u64..size;
        assert_eq!(chain.read(behind, &Task::new()).unwrap(), data[36 * MAX_CHUNK..]);
    }

    #[test]
    fn packed_chunks_name_their_codec() {
        let mut chain = Vec::new();
        push_chunk(&mut chain, 100, &[0x8C, 0x06, 1, 2, 3]);
        let error = read(&chain, 100, 0..100).unwrap_err().to_string();
        assert!(error.starts_with("chunks[0] at 0x0: Oodle Kraken: "), "{error}");
        let chain = Chain::new(chain.into(), 100);
        let chunk = chain.chunks().next().unwrap().unwrap();
        assert_eq!(chain.codec(&chunk), Some(Codec::Oodle(crate::codec::oodle::KRAKEN)));
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

    #[test]
    fn a_part_is_an_entry_of_its_own() {
        let data = stripes(4 * MAX_CHUNK);
        let chain = Chain::new(pack(&data).into(), data.len() as u64);
        for part in [0..10, 65_530..65_540, 70_000..200_000, 131_072..262_144, 262_140..262_150] {
            let own = &data[part.start..part.end.min(data.len())];
            let chain = chain.clone().part(part.start as u64..part.end as u64);
            assert_eq!(chain.size(), own.len() as u64);
            let read = |chain: &Chain, range| chain.read(range, &Task::new()).unwrap();
            let end = own.len().min(7);
            assert_eq!(
                (read(&chain, 0..u64::MAX), read(&chain, 3..7)),
                (own.to_vec().into(), own[3..end].to_vec().into())
            );
            assert_eq!(read(&chain.clone().part(1..3), 0..9), own[1..3]);
            let chunks = chain.chunks().flatten().count() as u64;
            assert_eq!((chain.summary(u64::MAX).chunks, chain.summary(u64::MAX).is_whole), (chunks, true));
            assert!(chunks <= 3, "{part:?}");
        }
    }
}
