//! How a file is packed: a line for people, a table of its chunks.

use palimpsest_core::codec::chunks::{Chain, Chunk};
use palimpsest_core::error::Result;
use serde_json::{Value, json};

use super::output::Output;
use crate::format::{count, number, size};

/// Chunks, codecs and what is left of the size.
pub(super) fn summary(chain: &Chain, stored: u64) -> String {
    let packing = chain.summary(u64::MAX);
    let share = stored.saturating_mul(100).div_ceil(chain.size().max(1));
    format!("{} ({share} %) in {}, {}", size(stored), count(packing.chunks, "chunk"), packing.codecs())
}

/// Every chunk up to the first header that cannot be read.
fn rows(chain: &Chain) -> impl Iterator<Item = (Chunk, String)> + '_ {
    let codec =
        |chunk: &Chunk| chain.codec(chunk).map_or_else(|| "stored".to_owned(), |codec| codec.to_string());
    chain.chunks().map_while(Result::ok).map(move |chunk| (chunk, codec(&chunk)))
}

/// The table of chunks: place in the archive, bytes there and when decoded, codec.
pub(super) fn print(chain: &Chain, out: &mut Output) -> Result<()> {
    out.line("")?;
    for (chunk, codec) in rows(chain) {
        let place = chain.offset_of(&chunk);
        let (stored, length) = (number(chunk.stored as u64), number(chunk.length as u64));
        out.line(format!("chunk {:>6}  {place:#012X} {stored:>8} {length:>8}  {codec}", chunk.index))?;
    }
    Ok(())
}

/// The same as JSON.
pub(super) fn to_json(chain: &Chain) -> Value {
    let row = |(chunk, codec): (Chunk, String)| {
        json!({
            "index": chunk.index,
            "offset": chain.offset_of(&chunk),
            "stored": chunk.stored,
            "length": chunk.length,
            "codec": codec,
        })
    };
    rows(chain).map(row).collect()
}
