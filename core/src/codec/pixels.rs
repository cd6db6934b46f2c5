//! Decoding of texture levels to 8-bit RGBA, through the crate `image_dds`.
//!
//! The crate was chosen because it covers every format here in safe Rust, block compression
//! included, and is released along with the tools that use it daily.

use image_dds::{ImageFormat, Surface};

use crate::asset::PixelFormat;
use crate::error::{Error, Result};

/// Decodes one level of `width × height` pixels to RGBA, 4 bytes a pixel, row by row from the top.
///
/// Values are taken as stored: no colour space is applied, alpha stays straight, floats are
/// clamped to 0..1. Channels that the format lacks are 0, alpha 255.
///
/// # Errors
/// `Malformed` when `data` is shorter than the level, or the level has no pixel.
pub fn decode_rgba8(format: PixelFormat, width: u32, height: u32, data: &[u8]) -> Result<Vec<u8>> {
    let wanted = format.level_size(width, height, 1);
    if (data.len() as u64) < wanted || width == 0 || height == 0 {
        let text = format!(
            "a {} level of {width} × {height} needs {wanted} bytes, {} are there",
            format.name(),
            data.len()
        );
        return Err(Error::malformed(text));
    }
    let Some(image_format) = image_format(format) else { return Ok(rgb10a2_to_rgba8(data, wanted)) };
    let surface = Surface { width, height, depth: 1, layers: 1, mipmaps: 1, image_format, data };
    let decoded = surface.decode_rgba8().map_err(|error| Error::malformed(error.to_string()))?;
    let mut pixels = decoded.data;
    if let PixelFormat::R8Unorm | PixelFormat::Bc4Unorm | PixelFormat::R16Float | PixelFormat::R32Float =
        format
    {
        // The crate repeats a single channel over all three; keep what is stored.
        for pixel in pixels.as_chunks_mut::<4>().0 {
            *pixel = [pixel[0], 0, 0, 255];
        }
    }
    Ok(pixels)
}

/// Rounds 10 bits to 8, and repeats the 2 of alpha.
fn rgb10a2_to_rgba8(data: &[u8], len: u64) -> Vec<u8> {
    let data = usize::try_from(len).ok().and_then(|len| data.get(..len)).unwrap_or(data);
    let to_8 = |bits: u32| u8::try_from(((bits & 0x3FF) * 255 + 511) / 1023).unwrap_or(u8::MAX);
    let pixel = |stored: &[u8; 4]| {
        let stored = u32::from_le_bytes(*stored);
        let alpha = u8::try_from(stored >> 30).unwrap_or(3) * 0x55;
        [to_8(stored), to_8(stored >> 10), to_8(stored >> 20), alpha]
    };
    data.as_chunks().0.iter().flat_map(pixel).collect()
}

/// The format as the crate knows it; `None` for the one that it does not.
const fn image_format(format: PixelFormat) -> Option<ImageFormat> {
    Some(match format {
        PixelFormat::Bc1Unorm => ImageFormat::BC1RgbaUnorm,
        PixelFormat::Bc2Unorm => ImageFormat::BC2RgbaUnorm,
        PixelFormat::Bc3Unorm => ImageFormat::BC3RgbaUnorm,
        PixelFormat::Bc4Unorm => ImageFormat::BC4RUnorm,
        PixelFormat::Bc5Unorm => ImageFormat::BC5RgUnorm,
        PixelFormat::Bc6hUf16 => ImageFormat::BC6hRgbUfloat,
        PixelFormat::Bc6hSf16 => ImageFormat::BC6hRgbSfloat,
        PixelFormat::Bc7Unorm => ImageFormat::BC7RgbaUnorm,
        PixelFormat::R8Unorm => ImageFormat::R8Unorm,
        PixelFormat::Rg8Unorm => ImageFormat::Rg8Unorm,
        PixelFormat::Rgba8Unorm => ImageFormat::Rgba8Unorm,
        PixelFormat::Bgra8Unorm => ImageFormat::Bgra8Unorm,
        PixelFormat::Rgb10a2Unorm => return None,
        PixelFormat::R16Float => ImageFormat::R16Float,
        PixelFormat::R32Float => ImageFormat::R32Float,
        PixelFormat::Rgba16Float => ImageFormat::Rgba16Float,
        PixelFormat::Rgba32Float => ImageFormat::Rgba32Float,
    })
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
        assert_eq!(one(PixelFormat::R8Unorm, &[9]), [9, 0, 0, 255]);
        assert_eq!(one(PixelFormat::Rg8Unorm, &[9, 8]), [9, 8, 0, 255]);
        assert_eq!(one(PixelFormat::R16Float, &[0x00, 0x3C]), [255, 0, 0, 255]);
        let stored = (1023u32 | 512 << 10 | 1 << 20 | 2 << 30).to_le_bytes();
        assert_eq!(one(PixelFormat::Rgb10a2Unorm, &stored), [255, 128, 0, 170]);
    }

    #[test]
    fn every_format_decodes_and_refuses_too_few_bytes() {
        for format in PixelFormat::ALL {
            let size = usize::try_from(format.level_size(5, 3, 1)).unwrap();
            assert_eq!(decode_rgba8(*format, 5, 3, &vec![0; size]).unwrap().len(), 60, "{}", format.name());
            assert!(decode_rgba8(*format, 5, 3, &vec![0; size - 1]).is_err(), "{}", format.name());
        }
        assert!(decode_rgba8(PixelFormat::R8Unorm, 0, 3, &[]).is_err());
    }
}
