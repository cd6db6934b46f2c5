//! The DDS part that textures carry: header, optional DX10 header, levels.
//!
//! | offset | type | name |
//! |---|---|---|
//! | 0x00 | char\[4\] | magic `DDS ` |
//! | 0x04 | 124 bytes | [`headers::DdsHeader`] |
//! | 0x80 | 20 bytes | [`headers::Dx10Header`], when the FourCC is `DX10` |
//! | | | levels, slice by slice, from the largest level down |
//!
//! Source: Microsoft's DDS programming guide. What pixel masks and codes mean is left to the crate
//! `ddsfile`; the bytes are read here so that each has a name in the structure tree.

mod headers;
mod names;
mod texture;
mod write;

use ddsfile::DxgiFormat;
use num_traits::FromPrimitive as _;

use self::headers::Headers;
pub(super) use self::names::dxgi_format;
pub(super) use self::texture::{of_surface, state_facts};
pub use self::write::NewSurface;
pub(super) use self::write::write;
use crate::asset::{Image, PixelFormat};
use crate::error::Result;
use crate::parse::Reader;

/// Where the DDS starts: its magic and the size word of its header.
pub(super) const DDS_START: [u8; 8] = *b"DDS \x7C\0\0\0";

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
        let headers = Headers::read(r)?;
        let mut surface = Surface { offset, ..headers.describe(r)? };
        headers.cap_levels(r, &mut surface);
        r.group("levels", |r| read_levels(r, &mut surface))?;
        if r.left() > 0 {
            let left = r.left();
            r.bytes("trailing", left)?;
            r.warn(format!("{left} bytes after the last level"));
        }
        Ok(surface)
    })
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
