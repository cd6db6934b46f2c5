//! Images of textures as PNG and OpenEXR, through the crate `image`.

use std::io::Cursor;

use glam::Vec3;
use image::codecs::openexr::OpenExrEncoder;
use image::codecs::png::PngEncoder;
use image::{ExtendedColorType, ImageEncoder as _};

use super::Channels;
use crate::asset::{Image, PixelFormat, Texture};
use crate::codec::pixels::{MOST_DECODED, decode_rgba8, decode_rgba32f};
use crate::error::{Error, Result};

/// Makes a PNG of an image, of a volume of one of its layers: 8 bits a channel, or 16 where the texture has
/// more; floats are clamped to 0..1. One channel alone is grey.
///
/// # Errors
/// `Malformed` when the image cannot be decoded, `NotFound` when the layer is not there,
/// `Limit` beyond 256 MB of pixels.
pub fn png(texture: &Texture, image: &Image, layer: u32, channels: Channels) -> Result<Vec<u8>> {
    png_and_cut(texture, image, layer, channels).map(|(png, _)| png)
}

/// The same, and whether floats below 0 or above 1 were clamped.
///
/// # Errors
/// See [`png`].
pub(super) fn png_and_cut(
    texture: &Texture,
    image: &Image,
    layer: u32,
    channels: Channels,
) -> Result<(Vec<u8>, bool)> {
    check_size(texture.format, image)?;
    let data = layer_of(texture.format, image, layer)?;
    let Image { width, height, .. } = *image;
    let mut out = Vec::new();
    let encoder = PngEncoder::new(&mut out);
    let form = Shape::of(texture.format, channels);
    let mut is_cut = false;
    let written = if texture.format.is_deep() {
        let mut pixels = decode_rgba32f(texture.format, width, height, data)?;
        is_cut = texture.format.is_float() && pixels.iter().any(|value| !(0.0..=1.0).contains(value));
        let values: Vec<u16> = form.apply(&mut pixels, 1.0).into_iter().map(to_16).collect();
        let colour = if form.is_grey() { ExtendedColorType::L16 } else { ExtendedColorType::Rgba16 };
        encoder.write_image(bytemuck::cast_slice(&values), width, height, colour)
    } else {
        let mut pixels = decode_rgba8(texture.format, width, height, data)?;
        let values = form.apply(&mut pixels, u8::MAX);
        let colour = if form.is_grey() { ExtendedColorType::L8 } else { ExtendedColorType::Rgba8 };
        encoder.write_image(&values, width, height, colour)
    };
    written.map_err(|error| Error::malformed(error.to_string()))?;
    Ok((out, is_cut))
}

/// Makes an OpenEXR of an image, of a volume of one of its layers: floats that are not clamped.
///
/// # Errors
/// `Unsupported` for textures whose values are no floats; see [`png`].
pub fn exr(texture: &Texture, image: &Image, layer: u32, channels: Channels) -> Result<Vec<u8>> {
    if !texture.format.is_float() {
        let text = format!(
            "exr files are made of floats, and this is {}; a png has all of it",
            texture.format.name()
        );
        return Err(Error::unsupported(text));
    }
    check_size(texture.format, image)?;
    let data = layer_of(texture.format, image, layer)?;
    let Image { width, height, .. } = *image;
    let mut pixels = decode_rgba32f(texture.format, width, height, data)?;
    let form = Shape::of(texture.format, channels);
    let mut values = form.apply(&mut pixels, 1.0);
    let colour = if form.is_grey() {
        values = values.into_iter().flat_map(|value| [value; 3]).collect();
        ExtendedColorType::Rgb32F
    } else {
        ExtendedColorType::Rgba32F
    };
    let mut out = Cursor::new(Vec::new());
    let written = OpenExrEncoder::new(&mut out);
    let written = written.write_image(bytemuck::cast_slice(&values), width, height, colour);
    written.map_err(|error| Error::malformed(error.to_string()))?;
    Ok(out.into_inner())
}

/// Makes a PNG of the colours of a texture without alpha: the largest level that is whole, as it is stored.
///
/// # Errors
/// See [`png`]; `NotFound` when no level is whole.
pub(super) fn base_colour_png(texture: &Texture) -> Result<Vec<u8>> {
    rgb_png(texture, |[r, g, b, _]| if texture.format.is_single_channel() { [r; 3] } else { [r, g, b] })
}

/// Makes a PNG of the normals of a texture as glTF has them: X in red, Y upwards in green, Z in blue.
///
/// The game stores X in green and Y in alpha, so that BC3 keeps them apart; Y is taken for the part along the
/// binormal of the vertex, which points where V grows, so that it is turned over. What has two channels has X
/// and Y in them.
///
/// # Errors
/// See [`base_colour_png`]; `Unsupported` for formats without alpha that have other than two channels.
pub(super) fn normal_png(texture: &Texture) -> Result<Vec<u8>> {
    let stored: fn([u8; 4]) -> [u8; 2] = match texture.format {
        PixelFormat::Bc5Unorm | PixelFormat::Rg8Unorm => |[x, y, ..]| [x, y],
        PixelFormat::Bc2Unorm
        | PixelFormat::Bc3Unorm
        | PixelFormat::Bc7Unorm
        | PixelFormat::Rgba8Unorm
        | PixelFormat::Bgra8Unorm
        | PixelFormat::Rgba16Float
        | PixelFormat::Rgba32Float => |[_, x, _, y]| [x, y],
        other => return Err(Error::unsupported(format!("normals in {}", other.name()))),
    };
    rgb_png(texture, |pixel| normal_of(stored(pixel)))
}

/// The colour of a normal whose X and Y are stored.
fn normal_of(stored: [u8; 2]) -> [u8; 3] {
    let [x, down] = stored.map(|value| f32::from(value) / 127.5 - 1.0);
    let normal = Vec3::new(x, -down, (1.0 - x * x - down * down).max(0.0).sqrt());
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 255 by then")]
    let byte = |part: f32| ((part + 1.0) * 127.5).round() as u8;
    normal.normalize_or(Vec3::Z).to_array().map(byte)
}

/// A PNG of the largest level that is whole, pixel by pixel.
fn rgb_png(texture: &Texture, colour: impl Fn([u8; 4]) -> [u8; 3]) -> Result<Vec<u8>> {
    let whole = (0..texture.levels).find_map(|level| texture.image(0, level));
    let image = whole.ok_or_else(|| Error::not_found("no level is whole"))?;
    check_size(texture.format, image)?;
    let Image { width, height, .. } = *image;
    let data = layer_of(texture.format, image, 0)?;
    let pixels = decode_rgba8(texture.format, width, height, data)?;
    let pixels: Vec<u8> = pixels.as_chunks::<4>().0.iter().flat_map(|pixel| colour(*pixel)).collect();
    let mut out = Vec::new();
    let written = PngEncoder::new(&mut out).write_image(&pixels, width, height, ExtendedColorType::Rgb8);
    written.map_err(|error| Error::malformed(error.to_string()))?;
    Ok(out)
}

/// Refuses images whose pixels would fill the memory.
fn check_size(format: PixelFormat, image: &Image) -> Result<()> {
    let Image { width, height, level, .. } = *image;
    let bytes = u64::from(width) * u64::from(height) * if format.is_deep() { 8 } else { 4 };
    if bytes <= MOST_DECODED {
        return Ok(());
    }
    let text = format!(
        "level {level} of {width} × {height} pixels takes {bytes} bytes, at most {MOST_DECODED} are made a picture; a dds has all of it"
    );
    Err(Error::limit(text))
}

/// The stored bytes of one layer of an image.
fn layer_of(format: PixelFormat, image: &Image, layer: u32) -> Result<&[u8]> {
    let missing = || Error::not_found(format!("no layer {layer} of {}", image.depth));
    image.layer(format, layer).ok_or_else(missing)
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 65,535 by then")]
fn to_16(value: f32) -> u16 {
    (value.clamp(0.0, 1.0) * f32::from(u16::MAX)).round() as u16
}

/// Which channels a picture has.
enum Shape {
    All,
    /// One, as grey.
    Grey(usize),
    /// The only one is off.
    Black,
    Some([bool; 4]),
}

impl Shape {
    fn of(format: PixelFormat, channels: Channels) -> Self {
        if format.is_single_channel() {
            let is_off = matches!(channels, Channels::Shown([false, ..]));
            return if is_off { Self::Black } else { Self::Grey(0) };
        }
        match channels {
            Channels::Untouched | Channels::Shown([true, true, true, true]) => Self::All,
            Channels::Shown(shown) => match shown.map(usize::from).iter().sum::<usize>() {
                1 => Self::Grey(shown.iter().position(|is_shown| *is_shown).unwrap_or(0)),
                _ => Self::Some(shown),
            },
        }
    }

    const fn is_grey(&self) -> bool {
        matches!(self, Self::Grey(_) | Self::Black)
    }

    /// The values of the picture; `one` is what is opaque.
    fn apply<T: Copy + Default>(&self, pixels: &mut Vec<T>, one: T) -> Vec<T> {
        match self {
            Self::All => std::mem::take(pixels),
            Self::Black => vec![T::default(); pixels.len() / 4],
            Self::Grey(channel) => pixels.iter().skip(*channel).step_by(4).copied().collect(),
            Self::Some(shown) => {
                let [_, _, _, has_alpha] = *shown;
                for pixel in pixels.as_chunks_mut::<4>().0 {
                    for (value, is_shown) in pixel.iter_mut().zip(shown) {
                        if !is_shown {
                            *value = T::default();
                        }
                    }
                    if !has_alpha {
                        pixel[3] = one;
                    }
                }
                std::mem::take(pixels)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normals_point_out_and_up() {
        assert_eq!(normal_of([128, 128]), [128, 127, 255]);
        assert_eq!(normal_of([255, 128]), [255, 127, 128], "to the right");
        assert_eq!(normal_of([128, 0]), [128, 255, 128], "up is where V gets smaller");
        assert_eq!(normal_of([0, 255]), [37, 37, 128], "no longer than one");
    }
}
