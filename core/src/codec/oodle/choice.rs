//! Who decodes Oodle's streams: the decoder here, the user's own library, or both.

use std::cell::RefCell;

use super::library::Library;
use super::{Decoder, LZB16};
use crate::error::{Error, Result};

thread_local! {
    /// The memory of this thread's decoder, which it keeps from chunk to chunk.
    static DECODER: RefCell<Decoder> = RefCell::default();
    /// What the library makes of a stream that both decode.
    static OTHER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Who decodes.
#[derive(Debug, Default)]
pub enum Oodle {
    /// The decoder here.
    #[default]
    BuiltIn,
    /// The user's library; the decoder here takes what that refuses.
    Library(Library),
    /// Both; streams that they decode to different bytes are errors.
    Compare(Library),
}

impl Oodle {
    /// Decodes a stream to all of `out`. After an error the bytes of `out` mean nothing.
    ///
    /// # Errors
    /// What is wrong with the stream, or where the two decoders differ.
    pub fn decode(&self, stream: &[u8], out: &mut [u8]) -> Result<()> {
        match self {
            Self::BuiltIn => built_in(stream, out),
            Self::Library(library) => library.decode(stream, out).or_else(|_| built_in(stream, out)),
            Self::Compare(library) => {
                built_in(stream, out)?;
                OTHER.with_borrow_mut(|other| {
                    other.clear();
                    other.resize(out.len(), 0);
                    compare(library.decode(stream, other), stream, out, other)
                })
            }
        }
    }

    /// The library that takes part.
    pub fn library(&self) -> Option<&Library> {
        match self {
            Self::BuiltIn => None,
            Self::Library(library) | Self::Compare(library) => Some(library),
        }
    }
}

fn built_in(stream: &[u8], out: &mut [u8]) -> Result<()> {
    DECODER.with_borrow_mut(|decoder| decoder.decode(stream, out))
}

fn compare(result: Result<()>, stream: &[u8], own: &[u8], other: &[u8]) -> Result<()> {
    if let Err(error) = result {
        // Some versions do not decode LZB16 where a stream may be damaged.
        let is_old_codec = stream.get(1).is_some_and(|kind| kind & 0x7F == LZB16);
        let text = format!("the built-in decoder reads it, and {}", error.reason());
        return if is_old_codec { Ok(()) } else { Err(Error::malformed(text)) };
    }
    match own.iter().zip(other).position(|(own, other)| own != other) {
        None => Ok(()),
        Some(at) => Err(Error::malformed(format!(
            "the Oodle library and the built-in decoder differ from byte {at:#X} of the chunk on"
        ))),
    }
}
