//! A texture made ready for upload, on a worker: stored blocks where the graphics card takes them,
//! decoded pixels where it does not.

use std::sync::atomic::{AtomicU64, Ordering};

use bytes::Bytes;
use palimpsest_core::asset::{Image, PixelFormat, Texture};
use palimpsest_core::codec::pixels::decode_rgba8;
use palimpsest_core::error::{Error, Result};
use palimpsest_core::task::Task;

use super::Caps;

/// One slice of a texture, level by level.
#[derive(Clone, Debug)]
pub struct Pixels {
    /// Tells these pixels from all others; the key of what is uploaded.
    pub id: u64,
    /// How the levels are stored.
    pub format: wgpu::TextureFormat,
    /// The levels, largest first; each has half the side of the one before.
    pub levels: Vec<Level>,
    /// How many larger levels the texture has that the graphics card cannot hold.
    pub skipped: u32,
    /// How many rows of pixels the only level has though the file ends inside it, and how many it
    /// would have.
    pub cut: Option<(u32, u32)>,
    /// Whether only red is stored, to be shown as grey.
    pub is_grey: bool,
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
    /// Makes the first slice of a texture ready.
    ///
    /// # Errors
    /// `Malformed` when the texture carries not even a row of a level, `Cancelled`.
    pub fn new(texture: &Texture, caps: &Caps, task: &Task) -> Result<Self> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let is_shown = |image: &&Image| image.slice == 0 && image.depth == 1;
        // What there is of a level that is not whole is shown where nothing else is.
        let cut = texture.cut.as_ref().filter(|_| texture.images.is_empty()).filter(is_shown);
        let part = cut.and_then(|image| whole_rows(texture.format, image));
        let slice: Vec<&Image> = texture.images.iter().filter(is_shown).chain(&part).collect();
        let fits = |image: &&&Image| image.width.max(image.height) <= caps.max_side;
        let images: Vec<&Image> = slice.iter().filter(fits).copied().collect();
        let Some(first) = images.first() else {
            return Err(nothing_to_show(texture));
        };
        let block = texture.format.block_px();
        let stored = stored_format(texture.format).filter(|_| {
            caps.has_bc && first.width.is_multiple_of(block) && first.height.is_multiple_of(block)
        });
        let levels = images.iter().map(|image| {
            task.check()?;
            let data = match stored {
                Some(_) => image.data.clone(),
                None => decode_rgba8(texture.format, image.width, image.height, &image.data)?.into(),
            };
            Ok(Level { width: image.width, height: image.height, data })
        });
        Ok(Self {
            id: NEXT.fetch_add(1, Ordering::Relaxed),
            format: stored.unwrap_or(wgpu::TextureFormat::Rgba8Unorm),
            levels: levels.collect::<Result<_>>()?,
            skipped: u32::try_from(slice.len() - images.len()).unwrap_or(u32::MAX),
            cut: part.as_ref().zip(cut).map(|(part, whole)| (part.height, whole.height)),
            is_grey: matches!(
                texture.format,
                PixelFormat::R8Unorm | PixelFormat::Bc4Unorm | PixelFormat::R16Float | PixelFormat::R32Float
            ),
        })
    }

    /// Bytes of all levels.
    pub fn bytes(&self) -> u64 {
        self.levels.iter().map(|level| level.data.len() as u64).sum()
    }
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
        (Some(image), _) if image.depth > 1 => "volumes are not shown as pictures yet".to_owned(),
        (Some(image), _) => format!(
            "every level is larger than the graphics card takes: {} × {} pixels is the smallest",
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
