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

#[test]
fn a_stream_of_many_blocks_decodes_to_a_sound_tar_archive() {
    let Some(file) = corpus("oodle/silesia/xml.kraken") else { return };
    let decoded = decode_sized(&fs::read(file).unwrap());
    assert_eq!(decoded.len(), 5_345_280);
    let octal = |digits: &[u8]| {
        let digits = String::from_utf8_lossy(digits).trim_matches(['\0', ' ']).to_owned();
        usize::from_str_radix(&digits, 8).unwrap()
    };
    let (mut at, mut files) = (0, 0);
    while let Some(header) = decoded.get(at..at + 512).filter(|header| header[0] != 0) {
        // The sum of the header, its own field taken for spaces.
        let sum: usize = header.iter().map(|byte| usize::from(*byte)).sum();
        let field: usize = header[148..156].iter().map(|byte| usize::from(*byte)).sum();
        assert_eq!(sum - field + 8 * usize::from(b' '), octal(&header[148..156]), "{at:#X}");
        at += 512 + octal(&header[124..136]).next_multiple_of(512);
        files += 1;
    }
    assert!(files > 10 && decoded[at..].iter().all(|byte| *byte == 0), "{files} files");
}
