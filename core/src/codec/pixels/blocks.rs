//! Blocks of 4 × 4 pixels.

use rayon::prelude::*;

use super::Sample;
use crate::asset::PixelFormat;

/// Pixels along a side of a block.
const SIDE: usize = 4;

/// The pixels of a block, row by row.
type Tile<T> = [[T; 4]; SIDE * SIDE];

/// Decodes a level row of blocks by row of blocks; what lies outside the level is left out.
pub(super) fn decode_blocks<T: Sample>(format: PixelFormat, width: usize, data: &[u8], out: &mut [[T; 4]]) {
    match format {
        PixelFormat::Bc1Unorm => rows(width, data, out, |block: &[u8; 8]| of_8(block, bcdec_rs::bc1)),
        PixelFormat::Bc2Unorm => rows(width, data, out, |block: &[u8; 16]| of_8(block, bcdec_rs::bc2)),
        PixelFormat::Bc3Unorm => rows(width, data, out, |block: &[u8; 16]| of_8(block, bcdec_rs::bc3)),
        PixelFormat::Bc7Unorm => rows(width, data, out, |block: &[u8; 16]| of_8(block, bcdec_rs::bc7)),
        PixelFormat::Bc4Unorm => rows(width, data, out, |block: &[u8; 8]| {
            let mut values = [0; SIDE * SIDE];
            bcdec_rs::bc4(block, &mut values, SIDE, false);
            values.map(|r| [T::of_8(r), T::ZERO, T::ZERO, T::ONE])
        }),
        PixelFormat::Bc5Unorm => rows(width, data, out, |block: &[u8; 16]| {
            let mut values = [[0; 2]; SIDE * SIDE];
            bcdec_rs::bc5(block, values.as_flattened_mut(), 2 * SIDE, false);
            values.map(|[r, g]| [T::of_8(r), T::of_8(g), T::ZERO, T::ONE])
        }),
        PixelFormat::Bc6hUf16 => rows(width, data, out, |block: &[u8; 16]| of_half(block, false)),
        PixelFormat::Bc6hSf16 => rows(width, data, out, |block: &[u8; 16]| of_half(block, true)),
        _ => {}
    }
}

fn of_8<T: Sample>(block: &[u8], decode: fn(&[u8], &mut [u8], usize)) -> Tile<T> {
    let mut pixels = [[0; 4]; SIDE * SIDE];
    decode(block, pixels.as_flattened_mut(), 4 * SIDE);
    pixels.map(|pixel| pixel.map(T::of_8))
}

fn of_half<T: Sample>(block: &[u8], is_signed: bool) -> Tile<T> {
    let mut values = [[0.0; 3]; SIDE * SIDE];
    bcdec_rs::bc6h_float(block, values.as_flattened_mut(), 3 * SIDE, is_signed);
    values.map(|[r, g, b]| [T::of_float(r), T::of_float(g), T::of_float(b), T::ONE])
}

fn rows<T: Sample, const N: usize>(
    width: usize,
    data: &[u8],
    out: &mut [[T; 4]],
    decode: impl Fn(&[u8; N]) -> Tile<T> + Sync,
) {
    let across = width.div_ceil(SIDE).max(1);
    let blocks = data.as_chunks::<N>().0;
    out.par_chunks_mut((SIDE * width).max(1)).zip(blocks.par_chunks(across)).for_each(|(out, blocks)| {
        for (at, block) in blocks.iter().enumerate() {
            let tile = decode(block);
            for (row, pixels) in out.chunks_mut(width).zip(tile.chunks(SIDE)) {
                let row = row.get_mut(at * SIDE..).unwrap_or_default();
                for (pixel, decoded) in row.iter_mut().zip(pixels) {
                    *pixel = *decoded;
                }
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec::pixels::{decode_rgba8, decode_rgba32f};

    /// Blocks of noise.
    fn noise(len: usize) -> Vec<u8> {
        let mut state = 7u32;
        let mut next = || {
            state = state.wrapping_mul(0x0019_660D).wrapping_add(0x3C6E_F35F);
            state.to_le_bytes()[3]
        };
        (0..len).map(|_| next()).collect()
    }

    #[test]
    fn a_level_that_is_no_multiple_of_a_block_is_the_corner_of_one_that_is() {
        let formats = PixelFormat::ALL.iter().filter(|format| format.block_px() == 4);
        for format in formats {
            let data = noise(usize::try_from(format.level_size(20, 12, 1)).unwrap());
            let whole = decode_rgba8(*format, 20, 12, &data).unwrap();
            let part = decode_rgba8(*format, 18, 9, &data).unwrap();
            for (row, part) in whole.chunks(20 * 4).zip(part.chunks(18 * 4)) {
                assert_eq!(row[..18 * 4], *part, "{}", format.name());
            }
        }
    }

    #[test]
    fn signed_and_unsigned_halves_differ() {
        let data = noise(16 * 16);
        let [unsigned, signed] = [PixelFormat::Bc6hUf16, PixelFormat::Bc6hSf16]
            .map(|format| decode_rgba32f(format, 16, 16, &data).unwrap());
        assert!(unsigned.iter().all(|value| *value >= 0.0) && signed.iter().any(|value| *value < 0.0));
    }
}
