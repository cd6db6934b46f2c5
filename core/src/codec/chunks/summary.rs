//! How an entry is packed, in a few numbers.

use super::{Chain, Chunk};
use crate::codec::Codec;
use crate::error::Result;

/// How the chunks of an entry are packed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// How many chunks were looked at.
    pub chunks: u64,
    /// How often each codec packed one of them, in the order of their first chunk; `None` is for
    /// chunks that are stored as they are.
    pub codecs: Vec<(Option<Codec>, u64)>,
    /// Whether these are all chunks of the entry.
    pub is_whole: bool,
}

impl Summary {
    pub(super) fn of(chain: &Chain, end: u64) -> Self {
        let mut summary = Self::default();
        let end = chain.of_whole(&(0..end)).end;
        let is_wanted = |chunk: &Result<Chunk>| chunk.as_ref().is_ok_and(|chunk| chunk.at < end);
        let mut seen = 0;
        for chunk in chain.chunks().take_while(is_wanted).flatten() {
            let codec = chain.codec(&chunk);
            match summary.codecs.iter_mut().find(|(known, _)| *known == codec) {
                Some((_, count)) => *count += 1,
                None => summary.codecs.push((codec, 1)),
            }
            summary.chunks += 1;
            seen = chunk.end();
        }
        summary.is_whole = seen >= chain.part.end;
        summary
    }

    /// Whether a chunk is packed.
    pub fn is_packed(&self) -> bool {
        self.codecs.iter().any(|(codec, _)| codec.is_some())
    }

    /// The codecs by name, such as `Oodle Kraken, Oodle LZB16`; `stored` alone where nothing is
    /// packed.
    pub fn codecs(&self) -> String {
        let packed: Vec<_> =
            self.codecs.iter().filter_map(|(codec, _)| codec.map(|codec| codec.to_string())).collect();
        if packed.is_empty() { "stored".to_owned() } else { packed.join(", ") }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{MAX_CHUNK, pack};
    use super::*;
    use crate::codec::oodle;

    #[test]
    fn codecs_are_counted_in_the_order_of_their_chunks() {
        // Two chunks of text, and a tail that is too short to be packed with Kraken.
        let text = b"the wall of the keep ".repeat(2 * MAX_CHUNK / 20);
        let size = 2 * MAX_CHUNK + 500;
        let chain = Chain::new(pack(&text[..size]).into(), size as u64);
        let summary = chain.summary(u64::MAX);
        let expected = [(Some(Codec::Oodle(oodle::KRAKEN)), 2), (Some(Codec::Oodle(oodle::LZB16)), 1)];
        assert_eq!((summary.chunks, summary.codecs.as_slice(), summary.is_whole), (3, &expected[..], true));
        assert_eq!(summary.codecs(), "Oodle Kraken, Oodle LZB16");
        let first = chain.summary(1);
        assert_eq!((first.chunks, first.is_whole), (1, false));
        assert_eq!(Chain::new(pack(b"short").into(), 5).summary(5).codecs(), "stored");
    }
}
