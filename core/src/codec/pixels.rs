//! Decoding of texture levels to RGBA, of 8 bits or of floats.
//!
//! Blocks are decoded by the crate `bcdec_rs`. It was chosen because it is safe Rust, covers BC1 to BC7
//! with both kinds of BC6H, and is kept by the author of `image_dds`, whose tools use it daily. That crate,
//! which wraps it, was measured beside it: it decodes on one thread, allocates its result twice, and takes
//! signed BC6H for unsigned. Rows of blocks are independent, so that all threads share them here.

mod blocks;
mod histogram;

use half::f16;
use rayon::prelude::*;

use self::blocks::decode_blocks;
pub use self::histogram::{Channel, Histogram, PARTS};
use crate::asset::PixelFormat;
use crate::error::{Error, Result};

/// Bytes of the largest level that is made a picture, of 8 or 16 bits a channel: 8,192 × 8,192 pixels of 8
/// bits. [`decode_rgba8`] and [`decode_rgba32f`] leave it to their callers.
pub const MOST_DECODED: u64 = 256 << 20;

/// Decodes one level of `width × height` pixels to RGBA, 4 bytes a pixel, row by row from the top.
///
/// Values are taken as stored: no colour space is applied, alpha stays straight, floats are
/// clamped to 0..1. Channels that the format lacks are 0, alpha 255.
///
/// # Errors
/// `Malformed` when `data` is shorter than the level, or the level has no pixel.
pub fn decode_rgba8(format: PixelFormat, width: u32, height: u32, data: &[u8]) -> Result<Vec<u8>> {
    decode(format, width, height, data)
}

/// The same as floats, which are not clamped; 8 and 10 bits become 0..1.
///
/// # Errors
/// See [`decode_rgba8`].
pub fn decode_rgba32f(format: PixelFormat, width: u32, height: u32, data: &[u8]) -> Result<Vec<f32>> {
    decode(format, width, height, data)
}

fn decode<T: Sample>(format: PixelFormat, width: u32, height: u32, data: &[u8]) -> Result<Vec<T>> {
    let wanted = format.level_size(width, height, 1);
    let there = usize::try_from(wanted).ok().and_then(|wanted| data.get(..wanted));
    let pixels = usize::try_from(u64::from(width) * u64::from(height)).ok().filter(|pixels| *pixels > 0);
    let Some((data, pixels)) = there.zip(pixels) else {
        let text = format!(
            "a {} level of {width} × {height} needs {wanted} bytes, {} are there",
            format.name(),
            data.len()
        );
        return Err(Error::malformed(text));
    };
    let mut out = vec![[T::ZERO; 4]; pixels];
    let width = width as usize;
    match format.block_px() {
        1 => decode_pixels(format, data, &mut out),
        _ => decode_blocks(format, width, data, &mut out),
    }
    Ok(out.into_flattened())
}

/// What a channel of a decoded pixel is.
trait Sample: Copy + Send + Sync {
    const ZERO: Self;
    const ONE: Self;
    fn of_8(value: u8) -> Self;
    fn of_10(value: u32) -> Self;
    fn of_float(value: f32) -> Self;
}

impl Sample for u8 {
    const ZERO: Self = 0;
    const ONE: Self = 255;

    fn of_8(value: u8) -> Self {
        value
    }

    fn of_10(value: u32) -> Self {
        Self::try_from((value * 255 + 511) / 1023).unwrap_or(Self::MAX)
    }

    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 255 by then")]
    fn of_float(value: f32) -> Self {
        // What is no number becomes 0.
        (value.clamp(0.0, 1.0) * 255.0).round() as Self
    }
}

impl Sample for f32 {
    const ZERO: Self = 0.0;
    const ONE: Self = 1.0;

    fn of_8(value: u8) -> Self {
        Self::from(value) / 255.0
    }

    fn of_10(value: u32) -> Self {
        value as Self / 1023.0
    }

    fn of_float(value: f32) -> Self {
        value
    }
}

/// Pixels that one task decodes.
const TASK: usize = 1 << 14;

fn decode_pixels<T: Sample>(format: PixelFormat, data: &[u8], out: &mut [[T; 4]]) {
    let (zero, one) = (T::ZERO, T::ONE);
    let half = |bytes: [u8; 2]| T::of_float(f16::from_le_bytes(bytes).to_f32());
    let float = |bytes: [u8; 4]| T::of_float(f32::from_le_bytes(bytes));
    match format {
        PixelFormat::R8Unorm => each(data, out, |[r]: &[u8; 1]| [T::of_8(*r), zero, zero, one]),
        PixelFormat::Rg8Unorm => each(data, out, |[r, g]: &[u8; 2]| [T::of_8(*r), T::of_8(*g), zero, one]),
        PixelFormat::Rgba8Unorm => each(data, out, |rgba: &[u8; 4]| rgba.map(T::of_8)),
        PixelFormat::Bgra8Unorm => each(data, out, |[b, g, r, a]: &[u8; 4]| [*r, *g, *b, *a].map(T::of_8)),
        PixelFormat::Bgrx8Unorm => {
            each(data, out, |[b, g, r, _]: &[u8; 4]| [T::of_8(*r), T::of_8(*g), T::of_8(*b), one]);
        }
        PixelFormat::Rgb10a2Unorm => each(data, out, |stored: &[u8; 4]| {
            let stored = u32::from_le_bytes(*stored);
            let [r, g, b] = [0, 10, 20].map(|shift| T::of_10(stored >> shift & 0x3FF));
            [r, g, b, T::of_8(u8::try_from(stored >> 30).unwrap_or(3) * 0x55)]
        }),
        PixelFormat::R16Float => each(data, out, |r: &[u8; 2]| [half(*r), zero, zero, one]),
        PixelFormat::R32Float => each(data, out, |r: &[u8; 4]| [float(*r), zero, zero, one]),
        PixelFormat::Rgba16Float => each(data, out, |[r, s, g, h, b, c, a, d]: &[u8; 8]| {
            [[*r, *s], [*g, *h], [*b, *c], [*a, *d]].map(half)
        }),
        PixelFormat::Rgba32Float => each(data, out, |stored: &[u8; 16]| {
            let mut pixel = [zero; 4];
            for (channel, bytes) in pixel.iter_mut().zip(stored.as_chunks().0) {
                *channel = float(*bytes);
            }
            pixel
        }),
        _ => {}
    }
}

/// Decodes pixel by pixel.
fn each<T: Sample, const N: usize>(
    data: &[u8],
    out: &mut [[T; 4]],
    decode: impl Fn(&[u8; N]) -> [T; 4] + Sync,
) {
    let stored = data.as_chunks().0;
    out.par_chunks_mut(TASK).zip(stored.par_chunks(TASK)).for_each(|(out, stored)| {
        for (pixel, stored) in out.iter_mut().zip(stored) {
            *pixel = decode(stored);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_decode_on_levels_smaller_than_a_block() {
        // One BC1 block of pure red: both endpoints 0xF800, all indices 0.
        let block = [0x00, 0xF8, 0x00, 0xF8, 0, 0, 0, 0];
        for (width, height) in [(1, 1), (2, 2), (5, 5), (20, 10), (250, 250), (64, 16)] {
            let size = PixelFormat::Bc1Unorm.level_size(width, height, 1);
            let data = block.repeat(usize::try_from(size).unwrap() / 8);
            let pixels = decode_rgba8(PixelFormat::Bc1Unorm, width, height, &data).unwrap();
            assert_eq!(pixels.len(), (4 * width * height) as usize);
            assert!(pixels.as_chunks().0.iter().all(|pixel| *pixel == [255, 0, 0, 255]), "{width}");
        }
    }

    #[test]
    fn channels_keep_their_places() {
        let one = |format, data: &[u8]| decode_rgba8(format, 1, 1, data).unwrap();
        assert_eq!(one(PixelFormat::Rgba8Unorm, &[1, 2, 3, 4]), [1, 2, 3, 4]);
        assert_eq!(one(PixelFormat::Bgra8Unorm, &[1, 2, 3, 4]), [3, 2, 1, 4]);
        assert_eq!(one(PixelFormat::Bgrx8Unorm, &[1, 2, 3, 4]), [3, 2, 1, 255]);
        assert_eq!(one(PixelFormat::R8Unorm, &[9]), [9, 0, 0, 255]);
        assert_eq!(one(PixelFormat::Rg8Unorm, &[9, 8]), [9, 8, 0, 255]);
        assert_eq!(one(PixelFormat::R16Float, &[0x00, 0x3C]), [255, 0, 0, 255]);
        let stored = (1023u32 | 512 << 10 | 1 << 20 | 2 << 30).to_le_bytes();
        assert_eq!(one(PixelFormat::Rgb10a2Unorm, &stored), [255, 128, 0, 170]);
        let half = [0x00, 0x3C, 0x00, 0xBC, 0x00, 0x38, 0x00, 0x40];
        assert_eq!(one(PixelFormat::Rgba16Float, &half), [255, 0, 128, 255]);
    }

    #[test]
    fn floats_are_not_clamped_and_numbers_are_exact() {
        let one = |format, data: &[u8]| decode_rgba32f(format, 1, 1, data).unwrap();
        let half = [0x00, 0x3C, 0x00, 0xBC, 0x00, 0x38, 0x00, 0x40];
        assert_eq!(one(PixelFormat::Rgba16Float, &half), [1.0, -1.0, 0.5, 2.0]);
        let floats: Vec<u8> =
            [0.25f32, 1e6, f32::INFINITY, -0.5].iter().flat_map(|f| f.to_le_bytes()).collect();
        assert_eq!(one(PixelFormat::Rgba32Float, &floats), [0.25, 1e6, f32::INFINITY, -0.5]);
        assert_eq!(one(PixelFormat::R8Unorm, &[51]), [0.2, 0.0, 0.0, 1.0]);
        let nan = f32::NAN.to_le_bytes();
        assert_eq!(decode_rgba8(PixelFormat::R32Float, 1, 1, &nan).unwrap(), [0, 0, 0, 255]);
    }

    #[test]
    fn every_format_decodes_and_refuses_too_few_bytes() {
        for format in PixelFormat::ALL {
            let size = usize::try_from(format.level_size(5, 3, 1)).unwrap();
            assert_eq!(decode_rgba8(*format, 5, 3, &vec![0; size]).unwrap().len(), 60, "{}", format.name());
            assert_eq!(decode_rgba32f(*format, 5, 3, &vec![0; size]).unwrap().len(), 60, "{}", format.name());
            assert!(decode_rgba8(*format, 5, 3, &vec![0; size - 1]).is_err(), "{}", format.name());
        }
        assert!(decode_rgba8(PixelFormat::R8Unorm, 0, 3, &[]).is_err());
    }
}
