//! Decoding a level of 4,096 × 4,096 pixels of BC1, BC3 and BC7 to RGBA8.
//!
//! The reference is to copy the decoded bytes; beside it stands the crate `image_dds`, used as its
//! documentation shows.

#![expect(clippy::print_stdout, clippy::unwrap_used, reason = "a benchmark prints, and fails loudly")]

mod support;

use std::hint::black_box;

use image_dds::{ImageFormat, Surface};
use palimpsest_core::asset::PixelFormat;
use palimpsest_core::codec::pixels::decode_rgba8;
use support::{Contender, compare};

const SIDE: u32 = 4096;
const DECODED: usize = (SIDE * SIDE * 4) as usize;

fn main() {
    let raw = vec![7u8; DECODED];
    let mut copied = vec![0u8; DECODED];
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    for (format, other) in [
        (PixelFormat::Bc1Unorm, ImageFormat::BC1RgbaUnorm),
        (PixelFormat::Bc3Unorm, ImageFormat::BC3RgbaUnorm),
        (PixelFormat::Bc7Unorm, ImageFormat::BC7RgbaUnorm),
    ] {
        println!("{}", format.name());
        let data = noise(usize::try_from(format.level_size(SIDE, SIDE, 1)).unwrap());
        let decode = || decode_rgba8(format, SIDE, SIDE, &data).unwrap();
        let contenders = vec![
            Contender::new("copy the pixels", || {
                copied.copy_from_slice(black_box(&raw));
                black_box(&mut copied);
            }),
            Contender::new("decode, all threads", decode),
            Contender::new("decode, one thread", || pool.install(decode)),
            Contender::new("the crate image_dds", || {
                let (width, height, data) = (SIDE, SIDE, data.as_slice());
                Surface { width, height, depth: 1, layers: 1, mipmaps: 1, image_format: other, data }
                    .decode_rgba8()
                    .unwrap()
                    .data
            }),
        ];
        compare(7, contenders.into_iter().map(|contender| contender.bytes(DECODED as u64)).collect());
    }
}

/// Blocks of noise: every mode of BC7 as often as it is likely.
fn noise(len: usize) -> Vec<u8> {
    let mut state = 7u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state.to_be_bytes()
    };
    (0..len.div_ceil(8)).flat_map(|_| next()).take(len).collect()
}
