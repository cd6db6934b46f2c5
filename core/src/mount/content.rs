//! The decoded bytes of one copy, read by range.

use std::ops::Range;

use bytes::Bytes;

use super::member::{self, Packed};
use crate::codec::chunks::{Chain, Walk};
use crate::error::{Error, ErrorKind, Result};
use crate::formats::embb::SIZE_WORD;
use crate::task::Task;

/// The decoded bytes of one copy. Making one decodes nothing; a range costs only what holds it.
#[derive(Clone, Debug)]
pub enum Content {
    /// Bytes that lie as they are in a file.
    Plain(Bytes),
    /// A chain of chunks in an archive.
    Chunks(Chain),
}

impl Content {
    /// Bytes when decoded.
    pub fn len(&self) -> u64 {
        match self {
            Self::Plain(bytes) => bytes.len() as u64,
            Self::Chunks(chain) => chain.size(),
        }
    }

    /// A member of a container as content of its own. The size word before it has to be the one that was
    /// read when the member was found; of packed content that is seen when it is read.
    ///
    /// # Errors
    /// When another word stands there, or the content ends before the member does.
    pub(super) fn member(self, offset: u64, size: u32) -> Result<Self> {
        let range = offset..offset.saturating_add(size.into());
        let at = offset.saturating_sub(SIZE_WORD);
        if range.end > self.len() {
            return Err(member::changed(at, size, None));
        }
        match self {
            Self::Plain(bytes) => {
                member::judge(&slice(&bytes, at..offset), at, size)?;
                Ok(Self::Plain(slice(&bytes, range)))
            }
            Self::Chunks(chain) => Ok(Self::Chunks(chain.part(range).behind_word(size))),
        }
    }

    /// Whether there is no byte.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Decodes the bytes of a range, cut to the content's end.
    ///
    /// # Errors
    /// What is wrong with the first bad chunk that the range reaches, or with the size word before a
    /// member; `Cancelled`.
    pub fn read(&self, range: Range<u64>, task: &Task) -> Result<Bytes> {
        let (bytes, error) = self.read_up_to(range, task);
        error.map_or(Ok(bytes), Err)
    }

    /// Decodes the bytes of a range up to the first fault, and says what is wrong there.
    pub fn read_up_to(&self, range: Range<u64>, task: &Task) -> (Bytes, Option<Error>) {
        match self {
            Self::Plain(bytes) => (slice(bytes, range), None),
            Self::Chunks(chain) => match Packed::of(chain) {
                Some(member) => member.read_up_to(range, task),
                None => chain.read_up_to(range, task),
            },
        }
    }

    /// Reads ranges that ascend: what lies between them is not decoded. The size word before a member is
    /// not looked at.
    pub fn walk(&self) -> ContentWalk<'_> {
        match self {
            Self::Plain(bytes) => ContentWalk::Plain(bytes),
            Self::Chunks(chain) => ContentWalk::Chunks(chain.walk()),
        }
    }

    /// Decodes everything and hands it over piece by piece, in order, so that no size is too large.
    ///
    /// # Errors
    /// What is wrong with the first bad piece, after everything before it was handed over, or with the
    /// size word before a member; what `sink` says; `Cancelled`.
    pub fn visit(&self, task: &Task, mut sink: impl FnMut(&[u8]) -> Result<()>) -> Result<()> {
        const PIECE: usize = 1 << 20;
        match self {
            Self::Plain(bytes) => bytes.chunks(PIECE).try_for_each(|piece| {
                task.check()?;
                sink(piece)
            }),
            Self::Chunks(chain) => match Packed::of(chain) {
                Some(member) => member.visit(task, sink),
                None => chain.visit(0..u64::MAX, task, sink),
            },
        }
    }
}

/// The bytes of a range, cut to the end.
fn slice(bytes: &Bytes, range: Range<u64>) -> Bytes {
    let at = |offset: u64| usize::try_from(offset).unwrap_or(usize::MAX).min(bytes.len());
    bytes.slice(at(range.start)..at(range.end).max(at(range.start)))
}

/// Reads ranges of content that ascend.
#[derive(Debug)]
pub enum ContentWalk<'a> {
    /// Bytes that lie as they are.
    Plain(&'a Bytes),
    /// A chain of chunks.
    Chunks(Walk<'a>),
}

impl ContentWalk<'_> {
    /// Reads as many bytes as `out` has from `at` on, which is at least where the read before began.
    ///
    /// # Errors
    /// `Eof` past the end; what is wrong with a chunk.
    pub fn read(&mut self, at: u64, out: &mut [u8]) -> Result<()> {
        match self {
            Self::Plain(bytes) => {
                let wanted = out.len() as u64;
                let own = slice(bytes, at..at.saturating_add(wanted));
                if own.len() < out.len() {
                    return Err(Error::new(ErrorKind::Eof { wanted, left: own.len() as u64 }));
                }
                out.copy_from_slice(&own);
                Ok(())
            }
            Self::Chunks(walk) => walk.read(at, out),
        }
    }
}
