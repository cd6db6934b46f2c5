//! Decoding chunks of 64 KB of six kinds of data, and LZB16 chunks of 700 bytes, on one thread.
//!
//! The reference is to copy the decoded bytes. Chunks are packed by our own encoder; where a corpus
//! of real streams stands beside the checkout, those are decoded as well.

#![expect(clippy::print_stdout, clippy::unwrap_used, reason = "a benchmark prints, and fails loudly")]

#[path = "support/data.rs"]
mod data;
mod support;

use std::fs;
use std::hint::black_box;
use std::path::Path;

use data::{SIZE, blocks, machine_code, pixels, sources, vertices};
use palimpsest_core::codec::chunks::{Chain, MAX_CHUNK, pack};
use palimpsest_core::codec::oodle::{Decoder, encode};
use palimpsest_core::task::Task;
use support::{Contender, compare};

fn main() {
    let kinds: [(&str, Vec<u8>, usize); 7] = [
        ("text", sources(), MAX_CHUNK),
        ("BC1 blocks", blocks(texpresso::Format::Bc1), MAX_CHUNK),
        ("BC3 blocks", blocks(texpresso::Format::Bc3), MAX_CHUNK),
        ("RGBA8 pixels", pixels(1024, 1024), MAX_CHUNK),
        ("vertices", vertices(), MAX_CHUNK),
        ("machine code", machine_code(), MAX_CHUNK),
        ("text in LZB16 chunks", sources(), 700),
    ];
    for (name, data, size) in kinds {
        let chunks: Vec<Chunk> = data.chunks(size).filter_map(Chunk::pack).collect();
        measure(name, &chunks);
    }
    for folder in ["kraken", "synthetic", "silesia", "lzb16"] {
        let chunks = corpus(folder);
        if !chunks.is_empty() {
            measure(&format!("corpus, {folder}"), &chunks);
        }
    }
    threads();
}

/// An entry of 256 MB, read whole by one thread and by two.
fn threads() {
    const ENTRY: usize = 256 << 20;
    let packed = pack(&sources());
    // The same chunks again and again, each at a multiple of four as in every chain.
    let chain = Chain::new(packed.repeat(ENTRY / SIZE).into(), ENTRY as u64);
    let pools = [1, 2].map(|count| rayon::ThreadPoolBuilder::new().num_threads(count).build().unwrap());
    let read = |pool: &rayon::ThreadPool| {
        pool.install(|| {
            let mut sum = 0;
            let sink = |bytes: &[u8]| {
                sum += black_box(bytes).len();
                Ok(())
            };
            chain.visit(0..ENTRY as u64, &Task::new(), sink).unwrap();
            assert_eq!(sum, ENTRY);
        });
    };
    println!("an entry of 256 MB of text in {} chunks", chain.chunks().count());
    let names = ["one thread", "two threads"];
    let contenders = names
        .iter()
        .zip(&pools)
        .map(|(name, pool)| Contender::new(name, move || read(pool)).bytes(ENTRY as u64));
    compare(5, contenders.collect());
}

/// A packed chunk.
struct Chunk {
    packed: Vec<u8>,
    size: usize,
}

impl Chunk {
    fn pack(data: &[u8]) -> Option<Self> {
        encode(data).map(|packed| Self { packed, size: data.len() })
    }
}

fn measure(name: &str, chunks: &[Chunk]) {
    let decoded: usize = chunks.iter().map(|chunk| chunk.size).sum();
    let packed: usize = chunks.iter().map(|chunk| chunk.packed.len()).sum();
    println!(
        "{name}: {} chunks, {decoded} bytes, packed to {:.1} %",
        chunks.len(),
        100.0 * packed as f64 / decoded as f64
    );
    let longest = chunks.iter().map(|chunk| chunk.size).max().unwrap_or(0);
    let raw = vec![7u8; longest];
    let mut copied = vec![0; longest];
    let mut out = vec![0; longest];
    let mut decoder = Decoder::default();
    // Small sets are decoded often enough to be measured.
    let repeats = (SIZE / decoded).max(1);
    let bytes = (repeats * decoded) as u64;
    compare(
        9,
        vec![
            Contender::new("copy", || {
                for chunk in std::iter::repeat_n(chunks, repeats).flatten() {
                    copied[..chunk.size].copy_from_slice(black_box(&raw[..chunk.size]));
                    black_box(&mut copied);
                }
            })
            .bytes(bytes),
            Contender::new("decode", || {
                for chunk in std::iter::repeat_n(chunks, repeats).flatten() {
                    decoder.decode(&chunk.packed, &mut out[..chunk.size]).unwrap();
                }
            })
            .bytes(bytes),
        ],
    );
}

/// The streams of a folder of the corpus; none where there is no corpus.
fn corpus(folder: &str) -> Vec<Chunk> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/corpus/oodle").join(folder);
    let Ok(files) = fs::read_dir(folder) else { return Vec::new() };
    files
        .map(|file| file.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension != "raw" && extension != "json"))
        .map(|path| {
            let file = fs::read(&path).unwrap();
            if let Ok(raw) = fs::read(path.with_extension("raw")) {
                return Chunk { packed: file, size: raw.len() };
            }
            let (size, packed) = file.split_first_chunk().unwrap();
            Chunk { packed: packed.to_vec(), size: u32::from_le_bytes(*size) as usize }
        })
        .collect()
}
