//! The DDS part that textures carry: header, optional DX10 header, levels.
//!
//! | offset | type | name |
//! |---|---|---|
//! | 0x00 | char\[4\] | magic `DDS ` |
//! | 0x04 | 124 bytes | [`DdsHeader`] |
//! | 0x80 | 20 bytes | [`Dx10Header`], when the FourCC is `DX10` |
//! | | | levels, slice by slice, from the largest level down |
//!
//! Source: Microsoft's DDS programming guide. What pixel masks and codes mean is left to the crate
//! `ddsfile`; the bytes are read here so that each has a name in the structure tree.

mod names;
mod texture;
mod write;

use ddsfile::{D3DFormat, DxgiFormat, FourCC, PixelFormatFlags};
use num_traits::FromPrimitive as _;

pub(super) use self::names::dxgi_format;
pub(super) use self::texture::{of_surface, state_facts};
pub use self::write::NewSurface;
pub(super) use self::write::write;
use crate::asset::{Image, PixelFormat};
use crate::error::Result;
use crate::parse::{Bits, Reader, Record as _, Warning};
use crate::record;

/// Where the DDS starts: its magic and the size word of its header.
pub(super) const DDS_START: [u8; 8] = *b"DDS \x7C\0\0\0";

/// More pixels along one side than a DDS can say.
const MAX_SIDE: u32 = 1 << 16;

/// More slices than graphics interfaces allow.
const MAX_SLICES: u32 = 2048;

record! {
    /// The header of a DDS, 124 bytes.
    pub(super) struct DdsHeader {
        /// Bytes of this header, 124.
        size: u32,
        /// Which fields are valid.
        flags: Bits => names::header_flags,
        /// Pixels.
        height: u32,
        /// Pixels.
        width: u32,
        /// Bytes of a row, or of the first level where compressed.
        pitch_or_linear_size: u32,
        /// Slices of a volume.
        depth: u32,
        /// Levels.
        mip_map_count: u32,
        /// Unused.
        reserved1: [u32; 11],
        /// Bytes of the pixel format, 32.
        format_size: u32,
        /// Which parts of the pixel format are valid.
        format_flags: Bits => names::format_flags,
        /// Four-character code of the format.
        four_cc: u32 => names::four_cc,
        /// Bits of a pixel.
        rgb_bit_count: u32,
        /// Bits of red.
        r_mask: Bits,
        /// Bits of green.
        g_mask: Bits,
        /// Bits of blue.
        b_mask: Bits,
        /// Bits of alpha.
        a_mask: Bits,
        /// Complexity.
        caps: Bits => names::caps,
        /// Cube faces and volume.
        caps2: Bits => names::caps2,
        /// Unused.
        caps3: Bits,
        /// Unused.
        caps4: Bits,
        /// Unused.
        reserved2: u32,
    }
}

record! {
    /// The header that follows when the four-character code is `DX10`, 20 bytes.
    pub(super) struct Dx10Header {
        /// DXGI format.
        dxgi_format: u32 => names::dxgi_format,
        /// 2, 3 and 4 for one, two and three dimensions.
        resource_dimension: u32 => names::dimension,
        /// Bit 2 for a cube.
        misc_flag: Bits => names::misc_flag,
        /// Slices; cubes, not faces, where it is a cube.
        array_size: u32,
        /// How alpha is meant.
        misc_flags2: u32 => names::alpha_mode,
    }
}

const CAPS2_CUBE: u32 = 0x200;
/// A bit for each face of a cube.
const CAPS2_FACES: u32 = 0xFC00;
const CAPS2_VOLUME: u32 = 0x20_0000;
const MISC_CUBE: u32 = 4;
const DIMENSION_3D: u32 = 4;
const CUBE_FACES: u32 = 6;

/// What a DDS carries.
pub(super) struct Surface {
    /// Where the DDS starts in the file.
    pub(super) offset: u64,
    pub(super) format: PixelFormat,
    /// Whether the format itself says sRGB.
    pub(super) is_srgb: bool,
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) depth: u32,
    pub(super) levels: u32,
    pub(super) slices: u32,
    pub(super) is_cube: bool,
    pub(super) images: Vec<Image>,
    /// The image after those, where the file ends inside it.
    pub(super) cut: Option<Image>,
}

/// Reads a DDS up to the end of the file.
///
/// # Errors
/// A wrong magic, an unknown format, a size of zero or beyond every limit. Levels that are cut
/// short are a warning; the whole ones are returned.
pub(super) fn read(r: &mut Reader<'_>) -> Result<Surface> {
    let offset = r.pos();
    r.group("dds", |r| {
        r.magic("magic", &[b"DDS "])?;
        let start = r.pos();
        let header = r.record::<DdsHeader>("header")?;
        let dx10 = match header.four_cc {
            FourCC::DX10 => Some(r.record::<Dx10Header>("header_dx10")?),
            _ => None,
        };
        let mut surface = Surface { offset, ..describe(r, &header, dx10.as_ref())? };
        cap_levels(r, &mut surface, start);
        r.group("levels", |r| read_levels(r, &mut surface))?;
        if r.left() > 0 {
            let left = r.left();
            r.bytes("trailing", left)?;
            r.warn(format!("{left} bytes after the last level"));
        }
        Ok(surface)
    })
}

fn describe(r: &mut Reader<'_>, header: &DdsHeader, dx10: Option<&Dx10Header>) -> Result<Surface> {
    if header.format_flags.0 == 0 && header.four_cc != 0 {
        r.warn("the pixel format has a four-character code and no flags: read as if the flag were set");
    }
    let (format, is_srgb) = pixel_format(r, header, dx10)?;
    let is_volume =
        dx10.map_or(header.caps2.0 & CAPS2_VOLUME != 0, |dx10| dx10.resource_dimension == DIMENSION_3D);
    let is_cube = dx10.map_or(header.caps2.0 & CAPS2_CUBE != 0, |dx10| dx10.misc_flag.0 & MISC_CUBE != 0);
    let array_size = dx10.map_or(1, |dx10| dx10.array_size.max(1));
    let mut slices = array_size.saturating_mul(if is_cube { CUBE_FACES } else { 1 });
    if is_volume && slices > 1 {
        r.warn("volumes have neither faces nor slices: one volume is read");
        slices = 1;
    }
    let is_cube = is_cube && !is_volume;
    // Old headers may leave out faces of a cube.
    let faces = (header.caps2.0 & CAPS2_FACES).count_ones();
    let is_partial = is_cube && dx10.is_none() && (1..CUBE_FACES).contains(&faces);
    if is_partial {
        r.warn(format!("a cube with {faces} of {CUBE_FACES} faces: shown as slices"));
        slices = faces;
    }
    let surface = Surface {
        offset: 0,
        format,
        is_srgb,
        width: header.width,
        height: header.height,
        depth: if is_volume { header.depth.max(1) } else { 1 },
        levels: header.mip_map_count.max(1),
        slices,
        is_cube: is_cube && !is_partial,
        images: Vec::new(),
        cut: None,
    };
    let (width, height, depth) = (surface.width, surface.height, surface.depth);
    if width == 0 || height == 0 || width > MAX_SIDE || height > MAX_SIDE || depth > MAX_SIDE {
        return Err(r.malformed(format!("a texture of {width} × {height} × {depth} pixels")));
    }
    if surface.slices > MAX_SLICES {
        return Err(r.malformed(format!("{} slices, at most {MAX_SLICES}", surface.slices)));
    }
    Ok(surface)
}

/// Takes no more levels than halve the largest side down to one pixel; `header` is where the header
/// starts.
fn cap_levels(r: &mut Reader<'_>, surface: &mut Surface, header: u64) {
    let most = surface.width.max(surface.height).max(surface.depth).ilog2() + 1;
    let levels = surface.levels;
    if levels > most {
        surface.levels = most;
        let field = DdsHeader::LAYOUT.range_of("mip_map_count");
        r.warn_at(|| Warning {
            field: "dds.header.mip_map_count".to_owned(),
            offset: header + field.start,
            len: field.end - field.start,
            text: format!("{levels} levels, a texture of this size has at most {most}"),
        });
    }
}

fn read_levels(r: &mut Reader<'_>, surface: &mut Surface) -> Result<()> {
    for slice in 0..surface.slices {
        for level in 0..surface.levels {
            let at_level = |pixels: u32| (pixels >> level.min(31)).max(1);
            let (width, height, depth) =
                (at_level(surface.width), at_level(surface.height), at_level(surface.depth));
            let size = surface.format.level_size(width, height, depth);
            let (offset, left) = (r.pos(), r.left());
            if size > left {
                let data = r.bytes("cut_short", left)?;
                r.warn(format!("level {level} of slice {slice} needs {size} bytes, {left} are left"));
                surface.cut = Some(Image { slice, level, width, height, depth, offset, data });
                return Ok(());
            }
            let data = r.bytes(surface.images.len() as u64, size)?;
            r.note(|| match surface.slices {
                1 => format!("level {level}: {width} × {height}"),
                _ => format!("slice {slice}, level {level}: {width} × {height}"),
            });
            surface.images.push(Image { slice, level, width, height, depth, offset, data });
        }
    }
    Ok(())
}

/// The format and whether it says sRGB. The newest field is to blame when there is none.
fn pixel_format(
    r: &Reader<'_>,
    header: &DdsHeader,
    dx10: Option<&Dx10Header>,
) -> Result<(PixelFormat, bool)> {
    if let Some(dx10) = dx10 {
        let number = dx10.dxgi_format;
        let unknown = || match names::dxgi_format(number) {
            name if name.is_empty() => r.unsupported(format!("the DXGI format number {number}")),
            name => r.unsupported(format!("the DXGI format {name}")),
        };
        return from_dxgi(number).ok_or_else(unknown);
    }
    let flags = PixelFormatFlags::from_bits_truncate(header.format_flags.0);
    let has_code = header.four_cc != 0 && (flags.contains(PixelFormatFlags::FOURCC) || flags.is_empty());
    let mask = |mask: Bits| (mask.0 != 0).then_some(mask.0);
    let legacy = ddsfile::PixelFormat {
        size: header.format_size,
        flags,
        fourcc: has_code.then_some(FourCC(header.four_cc)),
        rgb_bit_count: Some(header.rgb_bit_count),
        r_bit_mask: mask(header.r_mask),
        g_bit_mask: mask(header.g_mask),
        b_bit_mask: mask(header.b_mask),
        a_bit_mask: mask(header.a_mask),
    };
    let format = match D3DFormat::try_from_pixel_format(&legacy) {
        Some(D3DFormat::DXT1) => PixelFormat::Bc1Unorm,
        Some(D3DFormat::DXT2 | D3DFormat::DXT3) => PixelFormat::Bc2Unorm,
        Some(D3DFormat::DXT4 | D3DFormat::DXT5) => PixelFormat::Bc3Unorm,
        Some(D3DFormat::A8R8G8B8) => PixelFormat::Bgra8Unorm,
        Some(D3DFormat::X8R8G8B8) => PixelFormat::Bgrx8Unorm,
        Some(D3DFormat::A8B8G8R8) => PixelFormat::Rgba8Unorm,
        Some(D3DFormat::L8) => PixelFormat::R8Unorm,
        Some(D3DFormat::R16F) => PixelFormat::R16Float,
        Some(D3DFormat::R32F) => PixelFormat::R32Float,
        Some(D3DFormat::A16B16G16R16F) => PixelFormat::Rgba16Float,
        Some(D3DFormat::A32B32G32R32F) => PixelFormat::Rgba32Float,
        Some(other) => return Err(r.unsupported(format!("the pixel format {other:?}"))),
        None => match header.four_cc {
            FourCC::ATI1 | FourCC::BC4_UNORM if has_code => PixelFormat::Bc4Unorm,
            FourCC::ATI2 if has_code => PixelFormat::Bc5Unorm,
            code if has_code => {
                let code = code.to_le_bytes().escape_ascii().to_string();
                return Err(r.unsupported(format!("the pixel format with the code {code:?}")));
            }
            _ => {
                return Err(
                    r.unsupported(format!("the pixel format with flags {:#X}", header.format_flags.0))
                );
            }
        },
    };
    Ok((format, false))
}

/// A format by its DXGI number, and whether that says sRGB.
pub(super) fn from_dxgi(number: u32) -> Option<(PixelFormat, bool)> {
    let named = DxgiFormat::from_u32(number)?;
    let linear = match named {
        DxgiFormat::BC1_UNorm_sRGB => DxgiFormat::BC1_UNorm,
        DxgiFormat::BC2_UNorm_sRGB => DxgiFormat::BC2_UNorm,
        DxgiFormat::BC3_UNorm_sRGB => DxgiFormat::BC3_UNorm,
        DxgiFormat::BC7_UNorm_sRGB => DxgiFormat::BC7_UNorm,
        DxgiFormat::B8G8R8A8_UNorm_sRGB => DxgiFormat::B8G8R8A8_UNorm,
        DxgiFormat::B8G8R8X8_UNorm_sRGB => DxgiFormat::B8G8R8X8_UNorm,
        DxgiFormat::R8G8B8A8_UNorm_sRGB => DxgiFormat::R8G8B8A8_UNorm,
        other => other,
    };
    let format = PixelFormat::ALL.iter().find(|format| to_dxgi(**format) == linear)?;
    Some((*format, linear != named))
}

/// The DXGI format of pixels that says sRGB, where there is one.
fn to_srgb(format: PixelFormat) -> DxgiFormat {
    match format {
        PixelFormat::Bc1Unorm => DxgiFormat::BC1_UNorm_sRGB,
        PixelFormat::Bc2Unorm => DxgiFormat::BC2_UNorm_sRGB,
        PixelFormat::Bc3Unorm => DxgiFormat::BC3_UNorm_sRGB,
        PixelFormat::Bc7Unorm => DxgiFormat::BC7_UNorm_sRGB,
        PixelFormat::Bgra8Unorm => DxgiFormat::B8G8R8A8_UNorm_sRGB,
        PixelFormat::Bgrx8Unorm => DxgiFormat::B8G8R8X8_UNorm_sRGB,
        PixelFormat::Rgba8Unorm => DxgiFormat::R8G8B8A8_UNorm_sRGB,
        other => to_dxgi(other),
    }
}

/// The DXGI format of pixels, without sRGB.
pub(super) const fn to_dxgi(format: PixelFormat) -> DxgiFormat {
    match format {
        PixelFormat::Bc1Unorm => DxgiFormat::BC1_UNorm,
        PixelFormat::Bc2Unorm => DxgiFormat::BC2_UNorm,
        PixelFormat::Bc3Unorm => DxgiFormat::BC3_UNorm,
        PixelFormat::Bc4Unorm => DxgiFormat::BC4_UNorm,
        PixelFormat::Bc5Unorm => DxgiFormat::BC5_UNorm,
        PixelFormat::Bc6hUf16 => DxgiFormat::BC6H_UF16,
        PixelFormat::Bc6hSf16 => DxgiFormat::BC6H_SF16,
        PixelFormat::Bc7Unorm => DxgiFormat::BC7_UNorm,
        PixelFormat::R8Unorm => DxgiFormat::R8_UNorm,
        PixelFormat::Rg8Unorm => DxgiFormat::R8G8_UNorm,
        PixelFormat::Rgba8Unorm => DxgiFormat::R8G8B8A8_UNorm,
        PixelFormat::Bgra8Unorm => DxgiFormat::B8G8R8A8_UNorm,
        PixelFormat::Bgrx8Unorm => DxgiFormat::B8G8R8X8_UNorm,
        PixelFormat::Rgb10a2Unorm => DxgiFormat::R10G10B10A2_UNorm,
        PixelFormat::R16Float => DxgiFormat::R16_Float,
        PixelFormat::R32Float => DxgiFormat::R32_Float,
        PixelFormat::Rgba16Float => DxgiFormat::R16G16B16A16_Float,
        PixelFormat::Rgba32Float => DxgiFormat::R32G32B32A32_Float,
    }
}
