//! Textures: levels of pixels in a stored format.

use bytes::Bytes;

/// A texture as one file carries it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Texture {
    /// The path that the file gives itself or its sibling; empty where it gives none.
    pub name: String,
    /// How pixels are stored.
    pub format: PixelFormat,
    /// Pixels of the first carried level, and slices where it is a volume.
    pub width: u32,
    /// See `width`.
    pub height: u32,
    /// See `width`; 1 for all but volumes.
    pub depth: u32,
    /// Pixels and levels of the full-size texture, of which this file may carry a part.
    pub full_width: u32,
    /// See `full_width`.
    pub full_height: u32,
    /// See `full_width`.
    pub full_levels: u32,
    /// How many levels of the full-size texture come before the first carried one.
    pub first_level: u32,
    /// Levels of each slice.
    pub levels: u32,
    /// Array slices; faces of a cube count as slices.
    pub slices: u32,
    /// Whether six slices make a cube, in the order +X, −X, +Y, −Y, +Z, −Z.
    pub is_cube: bool,
    /// The path of the file that each slice was made from; empty where the file names none.
    pub slice_paths: Vec<String>,
    /// Whether colours are meant to be sRGB, and how that is known.
    pub is_srgb: bool,
    /// See `is_srgb`.
    pub srgb_reason: &'static str,
    /// Whether the stored format itself says sRGB.
    pub is_stored_srgb: bool,
    /// Where the DDS starts in the file.
    pub dds_offset: u64,
    /// The carried images that are whole, slice by slice, from the largest level down.
    pub images: Vec<Image>,
    /// The image after those, where the file ends inside it: its data is too short.
    pub cut: Option<Image>,
    /// Carried images with bytes that cannot be read, in the order of `images`.
    pub torn: Vec<Torn>,
}

impl Texture {
    /// The image of a slice at a carried level, where it is whole.
    pub fn image(&self, slice: u32, level: u32) -> Option<&Image> {
        let at = self.images.binary_search_by_key(&(slice, level), Image::place).ok()?;
        self.images.get(at)
    }

    /// The image of a slice at a carried level, where bytes of it are missing.
    pub fn torn_image(&self, slice: u32, level: u32) -> Option<&Torn> {
        let at = self.torn.binary_search_by_key(&(slice, level), |torn| torn.image.place()).ok()?;
        self.torn.get(at)
    }

    /// Whether it is a volume, whose levels have fewer slices the smaller they are.
    pub const fn is_volume(&self) -> bool {
        self.depth > 1
    }

    /// Slices of the array, faces, or slices of the largest level of a volume.
    pub fn slice_count(&self) -> u32 {
        self.slices.max(self.depth)
    }
}

/// An image of which bytes inside it are missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Torn {
    /// The image. Bytes that are missing are zero.
    pub image: Image,
    /// How many are missing.
    pub missing: u64,
}

/// One level of one slice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// The slice it belongs to.
    pub slice: u32,
    /// The carried level, 0 for the largest one in this file.
    pub level: u32,
    /// Pixels.
    pub width: u32,
    /// Pixels.
    pub height: u32,
    /// Slices of a volume, 1 otherwise.
    pub depth: u32,
    /// First byte in the file.
    pub offset: u64,
    /// The stored pixels, row by row (or block row by block row) from the top.
    pub data: Bytes,
}

impl Image {
    /// The slice and the level, by which the images of a texture are in order.
    const fn place(&self) -> (u32, u32) {
        (self.slice, self.level)
    }

    /// The slice of this level that shows a slice of the largest level of a volume.
    pub fn nearest_layer(&self, layer: u32) -> u32 {
        (layer >> self.level.min(31)).min(self.depth.saturating_sub(1))
    }

    /// The stored pixels of one slice of a volume; of all else, slice 0 is everything.
    pub fn layer(&self, format: PixelFormat, layer: u32) -> Option<&[u8]> {
        let size = format.level_size(self.width, self.height, 1);
        let start = size.checked_mul(layer.into())?;
        let range = usize::try_from(start).ok()?..usize::try_from(start.checked_add(size)?).ok()?;
        self.data.get(range).filter(|_| layer < self.depth)
    }
}

macro_rules! pixel_formats {
    ($($(#[doc = $doc:literal])+ $variant:ident = $name:literal, $block:literal px, $bytes:literal B;)+) => {
        /// How pixels are stored. The colour space is no part of it.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum PixelFormat {
            $($(#[doc = $doc])+ $variant,)+
        }

        impl PixelFormat {
            /// Every format.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// The name, as the DXGI enumeration spells it.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)+ }
            }

            /// Pixels along each side of a block: 4 where compressed, 1 otherwise.
            pub const fn block_px(self) -> u32 {
                match self { $(Self::$variant => $block,)+ }
            }

            /// Bytes of a block, or of a pixel where there are no blocks.
            pub const fn block_size(self) -> u32 {
                match self { $(Self::$variant => $bytes,)+ }
            }
        }
    };
}

pixel_formats! {
    /// Colour with one bit of alpha, 4 bits a pixel.
    Bc1Unorm = "BC1_UNORM", 4 px, 8 B;
    /// Colour with 4 bits of alpha, 8 bits a pixel.
    Bc2Unorm = "BC2_UNORM", 4 px, 16 B;
    /// Colour with interpolated alpha, 8 bits a pixel.
    Bc3Unorm = "BC3_UNORM", 4 px, 16 B;
    /// One channel, 4 bits a pixel.
    Bc4Unorm = "BC4_UNORM", 4 px, 8 B;
    /// Two channels, 8 bits a pixel.
    Bc5Unorm = "BC5_UNORM", 4 px, 16 B;
    /// Positive half floats, 8 bits a pixel.
    Bc6hUf16 = "BC6H_UF16", 4 px, 16 B;
    /// Signed half floats, 8 bits a pixel.
    Bc6hSf16 = "BC6H_SF16", 4 px, 16 B;
    /// Colour and alpha of high quality, 8 bits a pixel.
    Bc7Unorm = "BC7_UNORM", 4 px, 16 B;
    /// One byte.
    R8Unorm = "R8_UNORM", 1 px, 1 B;
    /// Two bytes.
    Rg8Unorm = "R8G8_UNORM", 1 px, 2 B;
    /// Red, green, blue, alpha.
    Rgba8Unorm = "R8G8B8A8_UNORM", 1 px, 4 B;
    /// Blue, green, red, alpha.
    Bgra8Unorm = "B8G8R8A8_UNORM", 1 px, 4 B;
    /// Blue, green, red, and a byte that means nothing.
    Bgrx8Unorm = "B8G8R8X8_UNORM", 1 px, 4 B;
    /// Red, green, blue of 10 bits each, alpha of 2, from the lowest bit up.
    Rgb10a2Unorm = "R10G10B10A2_UNORM", 1 px, 4 B;
    /// One half float.
    R16Float = "R16_FLOAT", 1 px, 2 B;
    /// One float.
    R32Float = "R32_FLOAT", 1 px, 4 B;
    /// Four half floats.
    Rgba16Float = "R16G16B16A16_FLOAT", 1 px, 8 B;
    /// Four floats.
    Rgba32Float = "R32G32B32A32_FLOAT", 1 px, 16 B;
}

impl PixelFormat {
    /// Whether values are of floating point, which can be larger than 1.
    pub const fn is_float(self) -> bool {
        matches!(
            self,
            Self::Bc6hUf16
                | Self::Bc6hSf16
                | Self::R16Float
                | Self::R32Float
                | Self::Rgba16Float
                | Self::Rgba32Float
        )
    }

    /// Whether channels have more than 8 bits.
    pub const fn is_deep(self) -> bool {
        self.is_float() || matches!(self, Self::Rgb10a2Unorm)
    }

    /// Whether only red is stored, which stands for grey.
    pub const fn is_single_channel(self) -> bool {
        matches!(self, Self::R8Unorm | Self::Bc4Unorm | Self::R16Float | Self::R32Float)
    }

    /// Bytes of a level: whole blocks, the last ones padded.
    pub const fn level_size(self, width: u32, height: u32, depth: u32) -> u64 {
        let across = width.div_ceil(self.block_px()) as u64;
        let down = height.div_ceil(self.block_px()) as u64;
        across.saturating_mul(down).saturating_mul(depth as u64).saturating_mul(self.block_size() as u64)
    }
}
