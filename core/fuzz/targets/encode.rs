//! What is packed comes back.

#![no_main]

use libfuzzer_sys::fuzz_target;
use palimpsest_core::codec::oodle::{Decoder, encode};

fuzz_target!(|data: &[u8]| {
    // Longer than any input that the fuzzer makes, so that both codecs are reached.
    let data = data.repeat(4096 / data.len().max(1) + 1);
    let Some(packed) = encode(&data) else { return };
    let mut out = vec![0; data.len()];
    Decoder::default().decode(&packed, &mut out).unwrap();
    assert!(out == data);
});
