//! Oodle streams: real ones of other games, and made ones that exercise what those do not.

use std::fs;

use palimpsest_core::codec::oodle::Decoder;
use sha2::{Digest as _, Sha256};

use super::corpus;

fn decode(stream: &[u8], size: usize) -> Vec<u8> {
    let mut out = vec![0; size];
    Decoder::default().decode(stream, &mut out).unwrap();
    out
}

/// A stream with its decoded size before it.
fn decode_sized(file: &[u8]) -> Vec<u8> {
    let (size, stream) = file.split_first_chunk().unwrap();
    decode(stream, u32::from_le_bytes(*size) as usize)
}

#[test]
fn real_streams_decode_to_their_hashes() {
    let Some(index) = corpus("oodle/genuine.json") else { return };
    let index: serde_json::Value = serde_json::from_slice(&fs::read(&index).unwrap()).unwrap();
    let streams = index.as_array().unwrap();
    assert_eq!(streams.len(), 112);
    for stream in streams {
        let name = stream["file"].as_str().unwrap();
        let decoded = decode_sized(&fs::read(corpus(&format!("oodle/{name}")).unwrap()).unwrap());
        assert_eq!(decoded.len() as u64, stream["decoded_size"], "{name}");
        assert_eq!(format!("{:x}", Sha256::digest(&decoded)), stream["decoded_sha256"], "{name}");
    }
}

#[test]
fn made_streams_decode_to_their_originals() {
    let Some(folder) = corpus("oodle/synthetic") else { return };
    let mut count = 0;
    for file in fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "krk") {
            let raw = fs::read(path.with_extension("raw")).unwrap();
            let decoded = decode(&fs::read(&path).unwrap(), raw.len());
            assert!(decoded == raw, "{}", path.display());
            count += 1;
        }
    }
    assert!(count >= 33, "{count} streams");
}
