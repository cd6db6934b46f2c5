//! Writing a DDS, through the crate `ddsfile`.

use ddsfile::{AlphaMode, Caps2, D3D10ResourceDimension, D3DFormat, Dds, NewD3dParams, NewDxgiParams};

use super::{to_dxgi, to_srgb};
use crate::asset::PixelFormat;
use crate::error::{Error, Result};

/// A surface to write as a DDS.
#[derive(Clone, Copy, Debug)]
pub struct NewSurface {
    /// How pixels are stored.
    pub format: PixelFormat,
    /// Pixels of the first level.
    pub width: u32,
    /// See `width`.
    pub height: u32,
    /// Slices of a volume; 1 for all others.
    pub depth: u32,
    /// Levels of each slice.
    pub levels: u32,
    /// Array slices; of a cube or an array of cubes its faces.
    pub slices: u32,
    /// Whether six slices make a cube.
    pub is_cube: bool,
    /// Whether the format is to say sRGB, where it has such a form.
    pub is_srgb: bool,
}

impl NewSurface {
    /// One level of one slice that says nothing of sRGB.
    pub const fn flat(format: PixelFormat, width: u32, height: u32) -> Self {
        Self { format, width, height, depth: 1, levels: 1, slices: 1, is_cube: false, is_srgb: false }
    }
}

const CUBE_FACES: u32 = 6;

/// Writes the header that fits a surface, followed by `data`: its levels, slice by slice and from the
/// largest down. Whatever old readers can express goes without the header of DX10, as in shipped files.
///
/// # Errors
/// `Malformed` when the crate refuses the sizes, or a cube has no six faces.
pub(in crate::formats) fn write(new: &NewSurface, data: &[&[u8]]) -> Result<Vec<u8>> {
    let malformed = |text: String| Error::malformed(text);
    if new.is_cube && !new.slices.is_multiple_of(CUBE_FACES) {
        return Err(malformed(format!("a cube of {} faces", new.slices)));
    }
    let mut dds = header(new).map_err(|error| malformed(error.to_string()))?;
    dds.data = data.concat();
    let mut bytes = Vec::with_capacity(dds.data.len() + 148);
    dds.write(&mut bytes).map_err(|error| malformed(error.to_string()))?;
    Ok(bytes)
}

fn header(new: &NewSurface) -> Result<Dds, ddsfile::Error> {
    let NewSurface { width, height, depth, slices, is_cube, .. } = *new;
    let (volume, levels) = ((depth > 1).then_some(depth), Some(new.levels));
    let code = match new.format {
        PixelFormat::Bc1Unorm => Some(D3DFormat::DXT1),
        PixelFormat::Bc2Unorm => Some(D3DFormat::DXT3),
        PixelFormat::Bc3Unorm => Some(D3DFormat::DXT5),
        _ => None,
    };
    let cube = Caps2::CUBEMAP | Caps2::CUBEMAP_ALLFACES;
    let caps2 = match (volume, is_cube) {
        (Some(_), _) => Some(Caps2::VOLUME),
        (None, true) => Some(cube),
        (None, false) => None,
    };
    let is_plain = slices == if is_cube { CUBE_FACES } else { 1 } && !new.is_srgb;
    if let Some(format) = code.filter(|_| is_plain) {
        let params = NewD3dParams { height, width, depth: volume, format, mipmap_levels: levels, caps2 };
        return Dds::new_d3d(params);
    }
    let resource_dimension = match volume {
        Some(_) => D3D10ResourceDimension::Texture3D,
        None => D3D10ResourceDimension::Texture2D,
    };
    Dds::new_dxgi(NewDxgiParams {
        height,
        width,
        depth: volume,
        format: if new.is_srgb { to_srgb(new.format) } else { to_dxgi(new.format) },
        mipmap_levels: levels,
        array_layers: (slices > 1).then_some(slices),
        caps2,
        is_cubemap: is_cube,
        resource_dimension,
        alpha_mode: AlphaMode::Unknown,
    })
}
