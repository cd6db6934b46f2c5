//! Members of containers, held against the size words before them.
//!
//! Where a member lies was read at some time before: with the cache, by a mount long ago. The word before
//! it tells whether its container is what it was then.

use std::ops::Range;

use bytes::Bytes;

use crate::codec::chunks::Chain;
use crate::error::{Error, Result};
use crate::formats::embb::SIZE_WORD;
use crate::task::Task;

/// Compares the bytes at `at`, right before a member, with the size that stood there.
///
/// # Errors
/// When they say something else, or are too few.
pub(super) fn judge(found: &[u8], at: u64, size: u32) -> Result<()> {
    let found = found.first_chunk().map(|word| u32::from_le_bytes(*word));
    if found == Some(size) {
        return Ok(());
    }
    Err(changed(at, size, found))
}

/// The error that another size stands before a member than once, or that it has no room any more.
pub(super) fn changed(at: u64, size: u32, found: Option<u32>) -> Error {
    let found = match found {
        Some(found) => {
            format!("{found} bytes are stated for the member, {size} were when its container was read")
        }
        None => format!("the container ends before the {size} bytes of the member do"),
    };
    Error::malformed(format!(
        "{found}: the archive was changed since, and mounting again reads it anew; where its time was kept, \
         remove palimpsest/bundles from the user's cache folder first"
    ))
    .at(at)
}

/// A packed member with the word before it.
#[derive(Debug)]
pub(super) struct Packed<'a> {
    member: &'a Chain,
    /// The member from the word on.
    whole: Chain,
    /// The size that stood there, and where.
    size: u32,
    at: u64,
}

/// Bytes of the word, in memory.
const WORD: usize = size_of::<u32>();

impl<'a> Packed<'a> {
    /// A chain as a member; `None` where it is none.
    pub(super) fn of(member: &'a Chain) -> Option<Self> {
        let (size, at, whole) = member.with_word()?;
        Some(Self { member, whole, size, at })
    }

    /// Decodes a range up to the first fault. The word lies in the chunk of the first byte as a rule, so that
    /// both are read at once.
    pub(super) fn read_up_to(&self, range: Range<u64>, task: &Task) -> (Bytes, Option<Error>) {
        let is_start = range.start == 0;
        let end = if is_start { range.end.saturating_add(SIZE_WORD) } else { SIZE_WORD };
        let (bytes, error) = self.whole.read_up_to(0..end, task);
        let word = bytes.slice(..bytes.len().min(WORD));
        match (judge(&word, self.at, self.size), error) {
            (Err(_), Some(error)) if word.len() < WORD => (Bytes::new(), Some(error)),
            (Err(changed), _) => (Bytes::new(), Some(changed)),
            (Ok(()), error) if is_start || error.is_some() => (bytes.slice(word.len()..), error),
            (Ok(()), _) => self.member.read_up_to(range, task),
        }
    }

    /// Decodes everything and hands it over piece by piece.
    ///
    /// # Errors
    /// See [`Content::visit`](super::Content::visit).
    pub(super) fn visit(&self, task: &Task, mut sink: impl FnMut(&[u8]) -> Result<()>) -> Result<()> {
        let mut word = Vec::with_capacity(WORD);
        self.whole.visit(0..u64::MAX, task, |piece| {
            let (own, behind) = piece.split_at(piece.len().min(WORD - word.len()));
            if !own.is_empty() {
                word.extend_from_slice(own);
                if word.len() == WORD {
                    judge(&word, self.at, self.size)?;
                }
            }
            if behind.is_empty() { Ok(()) } else { sink(behind) }
        })?;
        judge(&word, self.at, self.size)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec::chunks::{MAX_CHUNK, pack};
    use crate::mount::Content;

    /// A container of two members, the word of the second across two chunks, and where that starts.
    fn container() -> (Vec<u8>, usize) {
        let text: Vec<u8> = b"the wall of the keep ".iter().copied().cycle().take(3 * MAX_CHUNK).collect();
        let mut bytes = text[..MAX_CHUNK - 2].to_vec();
        bytes.extend(70_000u32.to_le_bytes());
        bytes.extend(&text[..70_000]);
        (bytes, MAX_CHUNK + 2)
    }

    fn contents(bytes: &[u8]) -> [Content; 2] {
        let chain = Chain::new(pack(bytes).into(), bytes.len() as u64);
        [Content::Plain(Bytes::copy_from_slice(bytes)), Content::Chunks(chain)]
    }

    fn visited(content: &Content) -> Result<Vec<u8>> {
        let mut all = Vec::new();
        content.visit(&Task::new(), |piece| {
            all.extend_from_slice(piece);
            Ok(())
        })?;
        Ok(all)
    }

    #[test]
    fn members_are_read_where_their_word_says_what_it_said() {
        let (bytes, start) = container();
        let own = &bytes[start..];
        for content in contents(&bytes) {
            let member = content.member(start as u64, 70_000).unwrap();
            assert_eq!((member.len(), visited(&member).unwrap()), (70_000, own.to_vec()));
            for range in [0..70_000, 0..9, 5..40, 65_000..70_000, 0..u64::MAX] {
                let end = usize::try_from(range.end).unwrap().min(own.len());
                let expected = &own[usize::try_from(range.start).unwrap()..end];
                assert_eq!(member.read(range, &Task::new()).unwrap(), expected);
            }
        }
    }

    #[test]
    fn another_word_is_an_error_and_no_bytes() {
        let (mut bytes, start) = container();
        bytes[start - 1] = 1;
        for content in contents(&bytes) {
            let place = format!("at {:#X}: 16847216 bytes are stated for the member, 70000 were ", start - 4);
            match content.member(start as u64, 70_000) {
                Err(error) => assert!(error.to_string().starts_with(&place), "{error}"),
                Ok(member) => {
                    let errors = [
                        member.read(0..10, &Task::new()).unwrap_err(),
                        member.read(10..20, &Task::new()).unwrap_err(),
                        visited(&member).unwrap_err(),
                    ];
                    for error in errors {
                        assert!(error.to_string().starts_with(&place), "{error}");
                    }
                }
            }
        }
        let (whole, _) = container();
        for content in contents(&whole[..whole.len() - 1]) {
            let error = content.member(start as u64, 70_000).unwrap_err().to_string();
            assert!(error.contains("the container ends before the 70000 bytes of the member do"), "{error}");
        }
    }
}
