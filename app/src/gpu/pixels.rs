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
    /// `Malformed` when the texture carries no whole level, `Cancelled`.
    pub fn new(texture: &Texture, caps: &Caps, task: &Task) -> Result<Self> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let slice: Vec<&Image> =
            texture.images.iter().filter(|image| image.slice == 0 && image.depth == 1).collect();
        let fits = |image: &&&Image| image.width.max(image.height) <= caps.max_side;
        let images: Vec<&Image> = slice.iter().filter(fits).copied().collect();
        let Some(first) = images.first() else {
            return Err(Error::malformed("the texture carries no whole level that can be shown"));
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
