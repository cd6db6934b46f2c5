//! Kraken streams of any bytes: the first two say how many bytes are asked for.

#![no_main]

use libfuzzer_sys::fuzz_target;
use palimpsest_core::codec::oodle::Decoder;

fuzz_target!(|data: &[u8]| {
    let Some((size, stream)) = data.split_first_chunk() else { return };
    let mut out = vec![0; usize::from(u16::from_le_bytes(*size))];
    // The header is given, so that every input reaches the decoder.
    let stream = [&[0x8C, 0x06], stream].concat();
    let _ = Decoder::default().decode(&stream, &mut out);
});
