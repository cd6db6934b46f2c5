//! How a file is packed: a line for people, a table of its chunks.

use palimpsest_core::codec::chunks::{Chain, Chunk};
use palimpsest_core::error::{Error, Result};
use serde_json::{Value, json};

use super::output::Output;
use crate::format::{count, number, percent, size};

/// Chunks, codecs and what is left of the size.
pub(super) fn summary(chain: &Chain, stored: u64) -> String {
    let packing = chain.summary(u64::MAX);
    let how = if packing.is_packed() { packing.codecs() } else { "not packed".to_owned() };
    let share = percent(stored, chain.size());
    format!("{} ({share} %) in {}, {how}", size(stored), count(packing.chunks, "chunk"))
}

/// How many chunks are listed; the largest file of the game has a third of that.
const MOST: usize = 65_536;

/// The chunks up to the first header that cannot be read, and up to [`MOST`].
fn rows(chain: &Chain) -> impl Iterator<Item = (Chunk, String)> + '_ {
    let codec =
        |chunk: &Chunk| chain.codec(chunk).map_or_else(|| "stored".to_owned(), |codec| codec.to_string());
    chain.chunks().map_while(Result::ok).take(MOST).map(move |chunk| (chunk, codec(&chunk)))
}

/// The table of chunks: place in the archive, bytes there and when decoded, codec, and what is wrong.
pub(super) fn print(chain: &Chain, fault: Option<&Error>, out: &mut Output) -> Result<()> {
    out.line("")?;
    out.line("chunk    offset   stored  decoded  codec")?;
    for (chunk, codec) in rows(chain) {
        let place = chain.offset_of(&chunk);
        let (stored, length) = (number(chunk.stored as u64), number(chunk.length as u64));
        let wrong =
            wrong(chain, &chunk, fault).map_or_else(String::new, |error| format!("  {}", error.reason()));
        out.line(format!("{:>5}  {place:08X} {stored:>8} {length:>8}  {codec}{wrong}", chunk.index))?;
    }
    match chain.summary(u64::MAX).chunks.saturating_sub(MOST as u64) {
        0 => Ok(()),
        more => out.line(format!("and {}", count(more, "more chunk"))),
    }
}

/// What is wrong with a chunk, where it is the one at fault.
fn wrong<'a>(chain: &Chain, chunk: &Chunk, fault: Option<&'a Error>) -> Option<&'a Error> {
    fault.filter(|error| error.offset() == Some(chain.offset_of(chunk)))
}

/// The same as JSON.
pub(super) fn to_json(chain: &Chain, fault: Option<&Error>) -> Value {
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
