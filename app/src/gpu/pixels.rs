//! A texture made ready for upload, on a worker: stored blocks where the graphics card takes them,
//! decoded pixels where it does not.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use bytes::Bytes;
use palimpsest_core::asset::{Image, PixelFormat, Texture};
use palimpsest_core::codec::pixels::decode_rgba8;
use palimpsest_core::error::{Error, Result};
use palimpsest_core::task::Task;

use super::Caps;

/// Bytes of the largest level that is decoded to RGBA8: 8,192 × 8,192 pixels.
const MOST_DECODED: u64 = 256 << 20;

/// Bytes of the largest level that is uploaded as it is stored.
const MOST_STORED: u64 = 512 << 20;

/// One slice of a texture, level by level.
#[derive(Clone, Debug)]
pub struct Pixels {
    /// Tells these pixels from all others; the key of what is uploaded.
    pub id: u64,
    /// How the levels are stored.
    pub format: wgpu::TextureFormat,
    /// The levels, largest first; each has half the side of the one before.
    pub levels: Vec<Level>,
    /// How many larger levels the texture has that the graphics card cannot hold, or that would fill
    /// the memory.
    pub skipped: u32,
    /// How many smaller levels a volume has, of one pixel each, that halve its depth alone.
    pub dropped: u32,
    /// Slices of the largest shown level where the texture is a volume, 1 otherwise; the first is
    /// shown.
    pub depth: u32,
    /// How many rows of pixels the only level has though the file ends inside it, and how many it
    /// would have.
    pub cut: Option<(u32, u32)>,
    /// Whether only red is stored, to be shown as grey.
    pub is_grey: bool,
    /// Why the graphics card refused the picture, once it did.
    pub refusal: OnceLock<String>,
}

/// One level.
#[derive(Clone, Debug)]
pub struct Level {
    /// Pixels.
    pub width: u32,
    /// Pixels.
    pub height: u32,
    /// Rows of pixels, or of blocks.
    pub data: Bytes,
}

impl Pixels {
    /// Makes the first slice of a texture ready, of a volume the first slice of each level.
    ///
    /// # Errors
    /// `Malformed` when the texture carries not even a row of a level, `Cancelled`.
    pub fn new(texture: &Texture, caps: &Caps, task: &Task) -> Result<Self> {
        let is_shown = |image: &&Image| image.slice == 0;
        // What there is of a level that is not whole is shown where nothing else is.
        let cut = texture.cut.as_ref().filter(|_| texture.images.is_empty()).filter(is_shown);
        let part = cut.and_then(|image| whole_rows(texture.format, image));
        let slice: Vec<&Image> = texture.images.iter().filter(is_shown).chain(&part).collect();
        let stored =
            |image: &Image| stored_format(texture.format).filter(|_| is_stored(texture, image, caps));
        let fits = |image: &&Image| {
            let decoded = 4 * u64::from(image.width) * u64::from(image.height);
            image.width.max(image.height) <= caps.max_side
                && (stored(image).is_some() || decoded <= MOST_DECODED)
        };
        let skipped = slice.iter().take_while(|image| !fits(image)).count();
        let Some((first, smaller)) = slice.get(skipped..).and_then(<[_]>::split_first) else {
            return Err(nothing_to_show(texture));
        };
        // What the first level decides holds for all: they are of one texture.
        let stored = stored(first);
        let most = first.width.max(first.height).max(1).ilog2() + 1;
        let levels = std::iter::once(first).chain(smaller).take(most as usize).map(|image| {
            task.check()?;
            let data = first_slice(texture.format, image);
            let data = match stored {
                Some(_) => data,
                None => decode_rgba8(texture.format, image.width, image.height, &data)?.into(),
            };
            Ok(Level { width: image.width, height: image.height, data })
        });
        let levels: Vec<Level> = levels.collect::<Result<_>>()?;
        let count = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        Ok(Self {
            id: next_id(),
            format: stored.unwrap_or(wgpu::TextureFormat::Rgba8Unorm),
            skipped: count(skipped),
            dropped: count(slice.len() - skipped - levels.len()),
            depth: first.depth,
            levels,
            cut: part
                .as_ref()
                .zip(cut)
                .map(|(part, whole)| (part.height, whole.height))
                .filter(|(rows, all)| rows < all),
            is_grey: texture.format.is_single_channel(),
            refusal: OnceLock::new(),
        })
    }

    /// Makes levels of red, green, blue and alpha, which stand for no file, ready as they are.
    pub fn of_levels(levels: Vec<Level>) -> Self {
        Self {
            id: next_id(),
            format: wgpu::TextureFormat::Rgba8Unorm,
            levels,
            skipped: 0,
            dropped: 0,
            depth: 1,
            cut: None,
            is_grey: false,
            refusal: OnceLock::new(),
        }
    }

    /// Bytes that a level may have in the format that is shown.
    pub const fn most_bytes(&self) -> u64 {
        match self.format {
            wgpu::TextureFormat::Rgba8Unorm => MOST_DECODED,
            _ => MOST_STORED,
        }
    }

    /// Bytes of all levels.
    pub fn bytes(&self) -> u64 {
        self.levels.iter().map(|level| level.data.len() as u64).sum()
    }
}

/// The number of the next pixels.
fn next_id() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// Whether the graphics card takes an image as it is stored.
fn is_stored(texture: &Texture, image: &Image, caps: &Caps) -> bool {
    let block = texture.format.block_px();
    let is_whole = image.width.is_multiple_of(block) && image.height.is_multiple_of(block);
    let size = texture.format.level_size(image.width, image.height, 1);
    caps.has_bc && is_whole && size <= MOST_STORED
}

/// The bytes of an image's first slice.
fn first_slice(format: PixelFormat, image: &Image) -> Bytes {
    let size = format.level_size(image.width, image.height, 1).min(image.data.len() as u64);
    image.data.slice(..usize::try_from(size).unwrap_or(usize::MAX))
}

/// The rows of an image that are whole, as an image of its own.
fn whole_rows(format: PixelFormat, image: &Image) -> Option<Image> {
    let row = format.level_size(image.width, 1, 1).max(1);
    let rows = u32::try_from(image.data.len() as u64 / row).ok()?.saturating_mul(format.block_px());
    (rows > 0).then(|| Image { height: rows.min(image.height), ..image.clone() })
}

fn nothing_to_show(texture: &Texture) -> Error {
    let (images, cut) = (&texture.images, &texture.cut);
    let text = match (images.first(), cut) {
        (Some(image), _) => format!(
            "every level is larger than can be shown: {} × {} pixels is the smallest",
            images.iter().map(|image| image.width).min().unwrap_or(image.width),
            images.iter().map(|image| image.height).min().unwrap_or(image.height)
        ),
        (None, Some(cut)) => format!(
            "the file ends before the first row of level {}, {} × {} pixels",
            cut.level, cut.width, cut.height
        ),
        (None, None) => "the texture carries no level".to_owned(),
    };
    Error::malformed(text)
}

/// The format that takes the stored blocks as they are.
const fn stored_format(format: PixelFormat) -> Option<wgpu::TextureFormat> {
    Some(match format {
        PixelFormat::Bc1Unorm => wgpu::TextureFormat::Bc1RgbaUnorm,
        PixelFormat::Bc2Unorm => wgpu::TextureFormat::Bc2RgbaUnorm,
        PixelFormat::Bc3Unorm => wgpu::TextureFormat::Bc3RgbaUnorm,
        PixelFormat::Bc4Unorm => wgpu::TextureFormat::Bc4RUnorm,
        PixelFormat::Bc5Unorm => wgpu::TextureFormat::Bc5RgUnorm,
        PixelFormat::Bc6hUf16 => wgpu::TextureFormat::Bc6hRgbUfloat,
        PixelFormat::Bc6hSf16 => wgpu::TextureFormat::Bc6hRgbFloat,
        PixelFormat::Bc7Unorm => wgpu::TextureFormat::Bc7RgbaUnorm,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A texture with all its levels, each of zeros.
    fn texture(format: PixelFormat, (width, height, depth): (u32, u32, u32), levels: u32) -> Texture {
        let image = |level: u32| {
            let at_level = |side: u32| (side >> level.min(31)).max(1);
            let (width, height, depth) = (at_level(width), at_level(height), at_level(depth));
            let size = usize::try_from(format.level_size(width, height, depth)).unwrap();
            Image { slice: 0, level, width, height, depth, offset: 0, data: vec![0; size].into() }
        };
        Texture {
            name: String::new(),
            format,
            width,
            height,
            depth,
            full_width: width,
            full_height: height,
            full_levels: levels,
            first_level: 0,
            levels,
            slices: 1,
            is_cube: false,
            slice_paths: Vec::new(),
            dds_offset: 0,
            is_srgb: false,
            srgb_reason: "",
            images: (0..levels).map(image).collect(),
            cut: None,
        }
    }

    fn pixels(texture: &Texture, has_bc: bool) -> Result<Pixels> {
        let caps = Caps { has_bc, max_side: 32_768, adapter: String::new() };
        Pixels::new(texture, &caps, &Task::new())
    }

    fn sizes(pixels: &Pixels) -> Vec<(u32, u32)> {
        pixels.levels.iter().map(|level| (level.width, level.height)).collect()
    }

    #[test]
    fn a_volume_shows_the_first_slice_of_each_level() {
        let volume = texture(PixelFormat::Bc3Unorm, (4, 4, 64), 7);
        for has_bc in [true, false] {
            let pixels = pixels(&volume, has_bc).unwrap();
            assert_eq!(sizes(&pixels), [(4, 4), (2, 2), (1, 1)]);
            assert_eq!((pixels.depth, pixels.skipped, pixels.dropped), (64, 0, 4));
            assert!(pixels.levels.iter().all(|level| level.data.len() <= 64));
        }
    }

    #[test]
    fn no_texture_has_more_levels_than_its_size_allows() {
        assert_eq!(pixels(&texture(PixelFormat::Rgba8Unorm, (4, 4, 1), 32), true).unwrap().levels.len(), 3);
        assert_eq!(pixels(&texture(PixelFormat::R8Unorm, (1, 1, 1), 9), true).unwrap().levels.len(), 1);
    }

    #[test]
    fn levels_that_would_fill_the_memory_are_skipped() {
        // Sides that are no multiples of four have to be decoded, to eight times the bytes.
        let large = texture(PixelFormat::Bc1Unorm, (8200, 8198, 1), 14);
        let decoded = pixels(&large, true).unwrap();
        assert_eq!((decoded.skipped, sizes(&decoded)[0]), (1, (4100, 4099)));
        assert_eq!(decoded.format, wgpu::TextureFormat::Rgba8Unorm);
        let whole = texture(PixelFormat::Bc1Unorm, (8200, 8200, 1), 1);
        assert_eq!(pixels(&whole, true).unwrap().format, wgpu::TextureFormat::Bc1RgbaUnorm);
        let error = pixels(&whole, false).unwrap_err().to_string();
        assert_eq!(error, "every level is larger than can be shown: 8200 × 8200 pixels is the smallest");
    }
}
