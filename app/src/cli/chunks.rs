//! How a file is packed: a line for people, a table of its chunks.

use palimpsest_core::codec::chunks::{Chain, Chunk, Summary};
use palimpsest_core::error::{Error, Result};
use serde_json::{Value, json};

use super::output::Output;
use crate::format::{count, number, percent, size};

/// How many chunks are listed; the largest file of the game has a third of that.
const MOST: usize = 65_536;

/// The chunks up to the first header that cannot be read, and up to [`MOST`].
fn rows(chain: &Chain) -> impl Iterator<Item = (Chunk, String)> + '_ {
    let codec =
        |chunk: &Chunk| chain.codec(chunk).map_or_else(|| "stored".to_owned(), |codec| codec.to_string());
    chain.chunks().map_while(Result::ok).take(MOST).map(move |chunk| (chunk, codec(&chunk)))
}

/// The chunks of a file, and what all of them together say.
pub(super) struct Packing {
    chain: Chain,
    /// What the layer stores of the file, in bytes.
    stored: u64,
    all: Summary,
}

impl Packing {
    /// Reads the headers of all chunks.
    pub(super) fn new(chain: Chain, stored: u64) -> Self {
        Self { all: chain.summary(u64::MAX), chain, stored }
    }

    /// How many chunks there are.
    pub(super) const fn chunk_count(&self) -> u64 {
        self.all.chunks
    }

    /// Chunks, codecs and what is left of the size.
    pub(super) fn line(&self) -> String {
        let how = if self.all.is_packed() { self.all.codecs() } else { "not packed".to_owned() };
        let share = percent(self.stored, self.chain.size());
        format!("{} ({share} %) in {}, {how}", size(self.stored), count(self.all.chunks, "chunk"))
    }

    /// The table of chunks: place in the archive, bytes there and when decoded, codec, and what is
    /// wrong.
    pub(super) fn print(&self, fault: Option<&Error>, out: &mut Output) -> Result<()> {
        let chain = &self.chain;
        out.line("")?;
        out.line("chunk    offset   stored  decoded  codec")?;
        for (chunk, codec) in rows(chain) {
            let place = chain.offset_of(&chunk);
            let (stored, length) = (number(chunk.stored as u64), number(chunk.length as u64));
            let wrong =
                wrong(chain, &chunk, fault).map_or_else(String::new, |error| format!("  {}", error.reason()));
            out.line(format!("{:>5}  {place:08X} {stored:>8} {length:>8}  {codec}{wrong}", chunk.index))?;
        }
        match self.all.chunks.saturating_sub(MOST as u64) {
            0 => Ok(()),
            more => out.line(format!("and {}", count(more, "more chunk"))),
        }
    }

    /// The same table as JSON.
    pub(super) fn to_json(&self, fault: Option<&Error>) -> Value {
        let chain = &self.chain;
        let row = |(chunk, codec): (Chunk, String)| {
            json!({
                "index": chunk.index,
                "offset": chain.offset_of(&chunk),
                "stored": chunk.stored,
                "length": chunk.length,
                "codec": codec,
                "error": wrong(chain, &chunk, fault).map(Error::reason),
            })
        };
        rows(chain).map(row).collect()
    }
}

/// What is wrong with a chunk, where it is the one at fault.
fn wrong<'a>(chain: &Chain, chunk: &Chunk, fault: Option<&'a Error>) -> Option<&'a Error> {
    fault.filter(|error| error.offset() == Some(chain.offset_of(chunk)))
}
