//! Oodle streams: those in `data/oodle`, our own encoder's, and hundreds of thousands of damaged ones.

#![expect(clippy::unwrap_used, reason = "helpers of tests say what they did and fail loudly")]

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use palimpsest_core::codec::oodle::{Decoder, encode};
use sha2::{Digest as _, Sha256};

/// A stream and the bytes that it decodes to.
struct Vector {
    name: String,
    stream: Vec<u8>,
    size: usize,
    sha256: String,
}

fn vectors() -> Vec<Vector> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/oodle");
    let index = fs::read_to_string(folder.join("index.tsv")).unwrap();
    let vector = |line: &str| {
        let [name, size, sha256] = line.split('\t').collect::<Vec<_>>().try_into().unwrap();
        Vector {
            name: name.to_owned(),
            stream: fs::read(folder.join(name)).unwrap(),
            size: size.parse().unwrap(),
            sha256: sha256.to_owned(),
        }
    };
    index.lines().map(vector).collect()
}

#[test]
fn vectors_decode_to_their_hashes() {
    let vectors = vectors();
    assert_eq!(vectors.len(), 12);
    let mut decoder = Decoder::default();
    for vector in vectors {
        let mut out = vec![0; vector.size];
        decoder.decode(&vector.stream, &mut out).unwrap_or_else(|error| panic!("{}: {error}", vector.name));
        assert_eq!(format!("{:x}", Sha256::digest(&out)), vector.sha256, "{}", vector.name);
    }
}

#[test]
fn a_stream_has_to_fill_its_output_and_end_with_it() {
    for vector in vectors() {
        let mut decoder = Decoder::default();
        let mut try_decode = |stream: &[u8], size: usize| decoder.decode(stream, &mut vec![0; size]);
        let Vector { name, stream, size, .. } = vector;
        let longer = [stream.as_slice(), &[0]].concat();
        assert!(try_decode(&longer, size).is_err(), "{name}: a byte behind the end");
        assert!(try_decode(&stream[..stream.len() - 1], size).is_err(), "{name}: cut");
        // A byte that fills a quantum does so whatever its size.
        let is_fill = name.contains("_fill");
        assert!(try_decode(&stream, size + 1).is_err() || is_fill, "{name}: a byte more is asked for");
    }
}

/// A small generator, the same on every run.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % end.max(1)
    }

    fn byte(&mut self) -> u8 {
        u8::try_from(self.below(256)).unwrap()
    }
}

/// Streams to damage: the vectors, and small ones of every shape that the encoder makes.
fn seeds() -> Vec<(Vec<u8>, usize)> {
    let mut random = Random(3);
    let words = ["sword", "orc", "keep_wall", "\\", "_d.tex", " ", "0000", "\n"];
    let mut makes: Vec<Vec<u8>> = Vec::new();
    for len in [300, 700, 1500, 2047, 2048, 3000, 5000] {
        makes.push((0..len).flat_map(|_| words[random.below(words.len())].bytes()).take(len).collect());
        makes.push((0..len).map(|at| u8::try_from(at / 3 % 40).unwrap().wrapping_mul(7)).collect());
        makes.push((0..len).map(|_| u8::try_from(random.below(6) * random.below(6)).unwrap()).collect());
        makes.push((0..len).map(|at| u8::try_from(at % 256).unwrap() ^ u8::from(at % 50 == 0)).collect());
    }
    let own = makes.into_iter().filter_map(|data| Some((encode(&data)?, data.len())));
    let small = vectors().into_iter().filter(|vector| vector.size <= 10_033);
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/corpus/oodle/synthetic");
    let files = fs::read_dir(corpus).into_iter().flatten().map(|file| file.unwrap().path());
    let streams = files.filter(|path| path.extension().is_some_and(|ending| ending == "krk"));
    let made = streams.filter_map(|path| {
        let size = usize::try_from(fs::metadata(path.with_extension("raw")).ok()?.len()).ok()?;
        (size <= 8192).then(|| (fs::read(path).unwrap(), size))
    });
    own.chain(small.map(|vector| (vector.stream, vector.size))).chain(made).collect()
}

/// Damages a stream in one of the ways that streams are damaged; the size that is asked for may be
/// wrong too.
fn damage(stream: &mut Vec<u8>, size: usize, random: &mut Random) -> usize {
    for _ in 0..=random.below(4) {
        let at = random.below(stream.len());
        match random.below(7) {
            0 | 1 => stream[at] ^= 1 << random.below(8),
            2 => stream[at] = [0x00, 0xFF, 0x80, 0x7F][random.below(4)],
            3 => stream[at] = random.byte(),
            4 => stream.truncate(at.max(1)),
            5 => {
                let from = random.below(stream.len());
                stream[at] = stream[from];
            }
            // The headers at the start decide most.
            _ => {
                let head = random.below(stream.len().min(24));
                stream[head] = random.byte();
            }
        }
    }
    match random.below(10) {
        0 => random.below(2 * size),
        1 => size + 1,
        _ => size,
    }
}

#[test]
fn damaged_streams_are_errors_or_bytes() {
    const STREAMS: usize = 2_000_000;
    const GUARD: usize = 64;
    let seeds = seeds();
    let mut random = Random(11);
    let mut decoder = Decoder::default();
    let mut buffer = vec![0xA5; 32_768 + 2 * GUARD];
    let (mut decoded, mut slowest) = (0, Duration::ZERO);
    for at in 0..STREAMS {
        let (stream, size) = &seeds[at % seeds.len()];
        let mut stream = stream.clone();
        let size = damage(&mut stream, *size, &mut random).min(32_768);
        buffer[GUARD + size..].fill(0xA5);
        let started = Instant::now();
        let result = decoder.decode(&stream, &mut buffer[GUARD..GUARD + size]);
        slowest = slowest.max(started.elapsed());
        decoded += usize::from(result.is_ok());
        assert!(buffer[..GUARD].iter().chain(&buffer[GUARD + size..][..GUARD]).all(|byte| *byte == 0xA5));
    }
    println!(
        "{STREAMS} streams from {} seeds, {decoded} decoded all the same, slowest {slowest:?}",
        seeds.len()
    );
    assert!(slowest < Duration::from_secs(2), "{slowest:?}");
    assert!(decoded > 0 && decoded < STREAMS / 2);
}
