//! A texture made ready for upload, on a worker: stored blocks where the graphics card takes them,
//! decoded pixels where it does not.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use bytes::Bytes;
use half::f16;
use palimpsest_core::asset::{Image, PixelFormat, Texture};
use palimpsest_core::codec::pixels::{MOST_DECODED, decode_rgba8, decode_rgba32f};
use palimpsest_core::error::{Error, Result};
use palimpsest_core::task::Task;

use super::Caps;

/// Bytes of the largest level that is uploaded as it is stored.
const MOST_STORED: u64 = 512 << 20;

/// What of a texture is made ready.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Part {
    /// The array slice or the face.
    pub slice: u32,
    /// The slice of a volume, counted in the largest level.
    pub layer: u32,
    /// Who decodes it.
    pub decoding: Decoding,
}

impl Part {
    /// The slice, face or layer of a texture that this is.
    pub const fn shown(self, texture: &Texture) -> u32 {
        if texture.is_volume() { self.layer } else { self.slice }
    }

    /// The same of another slice, face or layer of a texture.
    #[must_use]
    pub const fn at(self, texture: &Texture, at: u32) -> Self {
        if texture.is_volume() { Self { layer: at, ..self } } else { Self { slice: at, ..self } }
    }
}

/// Who decodes a texture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Decoding {
    /// The graphics card, where it takes the format as it is stored.
    #[default]
    Card,
    /// The processor, always.
    Processor,
}

/// One slice of a texture, level by level.
#[derive(Clone, Debug)]
pub struct Pixels {
    /// Tells these pixels from all others; the key of what is uploaded.
    pub id: u64,
    /// How the levels are uploaded.
    pub format: wgpu::TextureFormat,
    /// Whether the processor decoded them.
    pub is_decoded: bool,
    /// The levels, largest first; each has half the side of the one before.
    pub levels: Vec<Level>,
    /// How many larger levels the texture has that the graphics card cannot hold, or that would fill
    /// the memory.
    pub skipped: u32,
    /// How many smaller levels a volume has, of one pixel each, that halve its depth alone.
    pub dropped: u32,
    /// How many rows of pixels the only level has though the file ends inside it, and how many it
    /// would have.
    pub cut: Option<(u32, u32)>,
    /// The share of each level that is missing, 0 to 1, where any is: zeros stand in its place.
    pub torn: Vec<f32>,
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
    /// Makes a part of a texture ready.
    ///
    /// # Errors
    /// `Malformed` when the texture carries not even a row of a level of it, `Cancelled`.
    pub fn new(texture: &Texture, part: Part, caps: &Caps, task: &Task) -> Result<Self> {
        let is_shown = |image: &&Image| image.slice == part.slice;
        // What there is of a level that is not whole is shown where nothing else is.
        let torn = || texture.torn.iter().map(|torn| &torn.image);
        let has_none = !texture.images.iter().chain(torn()).any(|image| is_shown(&image));
        let cut = texture.cut.as_ref().filter(|_| has_none).filter(is_shown);
        let rows = cut.and_then(|image| whole_rows(texture.format, image));
        let mut slice: Vec<&Image> =
            texture.images.iter().chain(torn()).filter(is_shown).chain(&rows).collect();
        slice.sort_by_key(|image| image.level);
        let upload = |image: &Image| Upload::of(texture.format, image, part.decoding, caps);
        let fits = |image: &&Image| {
            let upload = upload(image);
            image.width.max(image.height).next_multiple_of(4) <= caps.max_side
                && upload.bytes(texture.format, image) <= upload.most()
        };
        let skipped = slice.iter().take_while(|image| !fits(image)).count();
        let Some((first, smaller)) = slice.get(skipped..).and_then(<[_]>::split_first) else {
            return Err(nothing_to_show(texture, part.slice));
        };
        // What the first level decides holds for all: they are of one texture.
        let upload = upload(first);
        let most = first.width.max(first.height).max(1).ilog2() + 1;
        let levels = std::iter::once(first).chain(smaller).take(most as usize).map(|image| {
            task.check()?;
            let data = layer_of(texture.format, image, image.nearest_layer(part.layer));
            let data = upload.data(texture.format, image, data)?;
            Ok(Level { width: image.width, height: image.height, data })
        });
        let levels: Vec<Level> = levels.collect::<Result<_>>()?;
        let count = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        Ok(Self {
            id: next_id(),
            format: upload.format(),
            is_decoded: !matches!(upload, Upload::Stored(_)),
            skipped: count(skipped),
            dropped: count(slice.len() - skipped - levels.len()),
            levels,
            cut: rows
                .as_ref()
                .zip(cut)
                .map(|(rows, whole)| (rows.height, whole.height))
                .filter(|(rows, all)| rows < all),
            torn: missing_shares(texture, part.slice, skipped, most as usize),
            is_grey: texture.format.is_single_channel(),
            refusal: OnceLock::new(),
        })
    }

    /// Makes levels of red, green, blue and alpha, which stand for no file, ready as they are.
    pub fn of_levels(levels: Vec<Level>) -> Self {
        Self {
            id: next_id(),
            format: wgpu::TextureFormat::Rgba8Unorm,
            is_decoded: true,
            levels,
            skipped: 0,
            dropped: 0,
            cut: None,
            torn: Vec::new(),
            is_grey: false,
            refusal: OnceLock::new(),
        }
    }

    /// Bytes that a level may have in the format that is shown.
    pub const fn most_bytes(&self) -> u64 {
        if self.is_decoded { MOST_DECODED } else { MOST_STORED }
    }

    /// The size of the largest level in whole blocks, as it is uploaded.
    pub fn padded(&self) -> (u32, u32) {
        let (across, down) = self.format.block_dimensions();
        let size =
            |level: &Level| (level.width.next_multiple_of(across), level.height.next_multiple_of(down));
        self.levels.first().map_or((1, 1), size)
    }

    /// The part of a level's uploaded size that has pixels, 0 to 1, and half a texel, across and down.
    pub fn inside(&self, level: u32) -> [f32; 4] {
        let Some(own) = self.levels.get(level as usize) else { return [1.0, 1.0, 0.0, 0.0] };
        let (width, height) = self.padded();
        let at_level = |side: u32| (side >> level.min(31)).max(1) as f32;
        let (width, height) = (at_level(width), at_level(height));
        [own.width as f32 / width, own.height as f32 / height, 0.5 / width, 0.5 / height]
    }

    /// Bytes of all levels.
    pub fn bytes(&self) -> u64 {
        self.levels.iter().map(|level| level.data.len() as u64).sum()
    }
}

/// The share of each level of a slice that is missing; nothing where all are whole.
fn missing_shares(texture: &Texture, slice: u32, skipped: usize, levels: usize) -> Vec<f32> {
    if texture.torn.is_empty() {
        return Vec::new();
    }
    let share = |level: usize| {
        let torn = u32::try_from(level).ok().and_then(|level| texture.torn_image(slice, level));
        torn.map_or(0.0, |torn| torn.missing as f32 / (torn.image.data.len() as f32).max(1.0))
    };
    (skipped..skipped + levels).map(share).collect()
}

/// The number of the next pixels.
fn next_id() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// How levels get to the graphics card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Upload {
    /// As they are stored.
    Stored(wgpu::TextureFormat),
    /// Decoded to 8 bits a channel.
    Bytes,
    /// Decoded to half floats.
    Halves,
}

impl Upload {
    fn of(format: PixelFormat, image: &Image, decoding: Decoding, caps: &Caps) -> Self {
        let is_small = format.level_size(image.width, image.height, 1) <= MOST_STORED;
        match stored_format(format) {
            Some(stored)
                if decoding == Decoding::Card && is_small && (caps.has_bc || !stored.is_compressed()) =>
            {
                Self::Stored(stored)
            }
            _ if format.is_deep() => Self::Halves,
            _ => Self::Bytes,
        }
    }

    const fn format(self) -> wgpu::TextureFormat {
        match self {
            Self::Stored(format) => format,
            Self::Bytes => wgpu::TextureFormat::Rgba8Unorm,
            Self::Halves => wgpu::TextureFormat::Rgba16Float,
        }
    }

    /// Bytes of a level.
    const fn bytes(self, format: PixelFormat, image: &Image) -> u64 {
        let pixels = image.width as u64 * image.height as u64;
        match self {
            Self::Stored(_) => format.level_size(image.width, image.height, 1),
            Self::Bytes => 4 * pixels,
            Self::Halves => 8 * pixels,
        }
    }

    const fn most(self) -> u64 {
        match self {
            Self::Stored(_) => MOST_STORED,
            Self::Bytes | Self::Halves => MOST_DECODED,
        }
    }

    fn data(self, format: PixelFormat, image: &Image, stored: Bytes) -> Result<Bytes> {
        let Image { width, height, .. } = *image;
        Ok(match self {
            Self::Stored(_) => stored,
            Self::Bytes => decode_rgba8(format, width, height, &stored)?.into(),
            Self::Halves => {
                let halves = decode_rgba32f(format, width, height, &stored)?;
                halves.into_iter().flat_map(|value| f16::from_f32(value).to_le_bytes()).collect()
            }
        })
    }
}

/// The bytes of one layer of an image, as many as there are.
fn layer_of(format: PixelFormat, image: &Image, layer: u32) -> Bytes {
    let size = format.level_size(image.width, image.height, 1);
    let start = u64::from(layer).saturating_mul(size);
    let at = |offset: u64| usize::try_from(offset.min(image.data.len() as u64)).unwrap_or(usize::MAX);
    image.data.slice(at(start)..at(start.saturating_add(size)))
}

/// The rows of an image that are whole, as an image of its own.
pub fn whole_rows(format: PixelFormat, image: &Image) -> Option<Image> {
    let row = format.level_size(image.width, 1, 1).max(1);
    let rows = u32::try_from(image.data.len() as u64 / row).ok()?.saturating_mul(format.block_px());
    (rows > 0).then(|| Image { height: rows.min(image.height), ..image.clone() })
}

fn nothing_to_show(texture: &Texture, slice: u32) -> Error {
    let images: Vec<_> = texture.images.iter().filter(|image| image.slice == slice).collect();
    let text = match (images.first(), &texture.cut) {
        (None, _) if !texture.images.is_empty() => {
            format!("no level of slice {slice} is there: the file ends before it")
        }
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

/// The format that takes levels as they are stored. Floats of 32 bits are no picture that every graphics card
/// can smooth.
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
        PixelFormat::R8Unorm => wgpu::TextureFormat::R8Unorm,
        PixelFormat::Rg8Unorm => wgpu::TextureFormat::Rg8Unorm,
        PixelFormat::Rgba8Unorm => wgpu::TextureFormat::Rgba8Unorm,
        PixelFormat::Bgra8Unorm => wgpu::TextureFormat::Bgra8Unorm,
        PixelFormat::Rgb10a2Unorm => wgpu::TextureFormat::Rgb10a2Unorm,
        PixelFormat::R16Float => wgpu::TextureFormat::R16Float,
        PixelFormat::Rgba16Float => wgpu::TextureFormat::Rgba16Float,
        PixelFormat::Bgrx8Unorm | PixelFormat::R32Float | PixelFormat::Rgba32Float => return None,
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
            is_stored_srgb: false,
            images: (0..levels).map(image).collect(),
            cut: None,
            torn: Vec::new(),
        }
    }

    fn pixels(texture: &Texture, has_bc: bool) -> Result<Pixels> {
        let caps = Caps { has_bc, max_side: 32_768, adapter: String::new() };
        Pixels::new(texture, Part::default(), &caps, &Task::new())
    }

    fn sizes(pixels: &Pixels) -> Vec<(u32, u32)> {
        pixels.levels.iter().map(|level| (level.width, level.height)).collect()
    }

    #[test]
    fn a_volume_shows_a_layer_of_each_level() {
        let volume = texture(PixelFormat::Bc3Unorm, (4, 4, 64), 7);
        for has_bc in [true, false] {
            let pixels = pixels(&volume, has_bc).unwrap();
            assert_eq!(sizes(&pixels), [(4, 4), (2, 2), (1, 1)]);
            assert_eq!((pixels.skipped, pixels.dropped), (0, 4));
            assert!(pixels.levels.iter().all(|level| level.data.len() <= 64));
        }
        let mut plain = texture(PixelFormat::R8Unorm, (1, 1, 4), 3);
        plain.images[0].data = vec![0, 1, 2, 3].into();
        plain.images[1].data = vec![4, 5].into();
        let part = Part { layer: 3, ..Part::default() };
        let caps = Caps { has_bc: true, max_side: 64, adapter: String::new() };
        assert_eq!(*Pixels::new(&plain, part, &caps, &Task::new()).unwrap().levels[0].data, [3]);
    }

    #[test]
    fn slices_are_made_ready_alone_and_the_one_that_is_not_there_is_an_error() {
        let mut array = texture(PixelFormat::R8Unorm, (1, 1, 1), 1);
        let second = Image { slice: 1, data: vec![9].into(), ..array.images[0].clone() };
        array.images.push(second);
        array.slices = 3;
        let caps = Caps { has_bc: true, max_side: 64, adapter: String::new() };
        let of = |slice| Pixels::new(&array, Part { slice, ..Part::default() }, &caps, &Task::new());
        assert_eq!(*of(1).unwrap().levels[0].data, [9]);
        assert!(of(2).is_err());
    }

    #[test]
    fn no_texture_has_more_levels_than_its_size_allows() {
        assert_eq!(pixels(&texture(PixelFormat::Rgba8Unorm, (4, 4, 1), 32), true).unwrap().levels.len(), 3);
        assert_eq!(pixels(&texture(PixelFormat::R8Unorm, (1, 1, 1), 9), true).unwrap().levels.len(), 1);
    }

    #[test]
    fn levels_that_would_fill_the_memory_are_skipped() {
        // Decoded to eight times the bytes.
        let large = texture(PixelFormat::Bc1Unorm, (8200, 8198, 1), 14);
        let decoded = pixels(&large, false).unwrap();
        assert_eq!((decoded.skipped, sizes(&decoded)[0]), (1, (4100, 4099)));
        assert_eq!(decoded.format, wgpu::TextureFormat::Rgba8Unorm);
        assert_eq!(pixels(&large, true).unwrap().format, wgpu::TextureFormat::Bc1RgbaUnorm);
        let whole = texture(PixelFormat::Bc1Unorm, (8200, 8200, 1), 1);
        let error = pixels(&whole, false).unwrap_err().to_string();
        assert_eq!(error, "every level is larger than can be shown: 8200 × 8200 pixels is the smallest");
    }

    #[test]
    fn blocks_over_the_edge_are_no_part_of_the_picture() {
        let odd = pixels(&texture(PixelFormat::Bc1Unorm, (17, 10, 1), 3), true).unwrap();
        assert_eq!(odd.padded(), (20, 12));
        assert_eq!(odd.inside(0), [17.0 / 20.0, 10.0 / 12.0, 0.5 / 20.0, 0.5 / 12.0]);
        assert_eq!(odd.inside(1), [8.0 / 10.0, 5.0 / 6.0, 0.5 / 10.0, 0.5 / 6.0]);
    }
}
