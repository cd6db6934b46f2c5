//! The headers of a DDS, and what they say of the pixels below.

use ddsfile::{D3DFormat, FourCC, PixelFormatFlags};

use super::{Surface, from_dxgi, names};
use crate::asset::PixelFormat;
use crate::error::{Error, Result};
use crate::parse::{Bits, Reader, Record as _};
use crate::record;

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

pub(super) const CAPS2_CUBE: u32 = 0x200;
/// A bit for each face of a cube.
const CAPS2_FACES: u32 = 0xFC00;
pub(super) const CAPS2_VOLUME: u32 = 0x20_0000;
pub(super) const MISC_CUBE: u32 = 4;
const DIMENSION_1D: u32 = 2;
pub(super) const DIMENSION_3D: u32 = 4;
/// Bytes of the header.
const HEADER_SIZE: u32 = 124;
/// Bytes of a pixel format.
const FORMAT_SIZE: u32 = 32;
const CUBE_FACES: u32 = 6;

/// The headers, and where the first one starts.
pub(super) struct Headers {
    start: u64,
    header: DdsHeader,
    dx10: Option<Dx10Header>,
}

impl Headers {
    /// Reads both headers, and warns about fields that say what cannot be.
    ///
    /// # Errors
    /// When the file ends inside them.
    pub(super) fn read(r: &mut Reader<'_>) -> Result<Self> {
        let start = r.pos();
        let header = r.record::<DdsHeader>("header")?;
        let dx10 = match header.four_cc {
            FourCC::DX10 => Some(r.record::<Dx10Header>("header_dx10")?),
            _ => None,
        };
        let headers = Self { start, header, dx10 };
        headers.check(r);
        Ok(headers)
    }

    fn warn(&self, r: &mut Reader<'_>, field: &'static str, text: impl Into<String>) {
        r.warn_in::<DdsHeader>(("header", self.start), field, text);
    }

    fn warn_dx10(&self, r: &mut Reader<'_>, field: &'static str, text: impl Into<String>) {
        r.warn_in::<Dx10Header>(("header_dx10", self.start + DdsHeader::LAYOUT.size as u64), field, text);
    }

    fn blame(&self, r: &Reader<'_>, field: &'static str, error: Error) -> Error {
        r.blame_in::<DdsHeader>(("header", self.start), field, error)
    }

    fn blame_dx10(&self, r: &Reader<'_>, field: &'static str, error: Error) -> Error {
        r.blame_in::<Dx10Header>(("header_dx10", self.start + DdsHeader::LAYOUT.size as u64), field, error)
    }

    /// Warns about fields that say what cannot be, and that nothing depends on.
    fn check(&self, r: &mut Reader<'_>) {
        let Self { header, dx10, .. } = self;
        if header.size != HEADER_SIZE {
            self.warn(r, "size", format!("a header of {} bytes, it has {HEADER_SIZE}", header.size));
        }
        if header.format_size != FORMAT_SIZE {
            let text = format!("a pixel format of {} bytes, it has {FORMAT_SIZE}", header.format_size);
            self.warn(r, "format_size", text);
        }
        if header.format_flags.0 == 0 && header.four_cc != 0 {
            let text = "a four-character code and no flags: read as if the flag were set";
            self.warn(r, "format_flags", text);
        }
        let Some(dx10) = dx10 else { return };
        if !(DIMENSION_1D..=DIMENSION_3D).contains(&dx10.resource_dimension) {
            let text = format!("dimension {}, known are 2, 3 and 4", dx10.resource_dimension);
            self.warn_dx10(r, "resource_dimension", text);
        }
        if dx10.array_size == 0 {
            self.warn_dx10(r, "array_size", "no slices: read as one");
        }
    }

    /// What there is to read.
    ///
    /// # Errors
    /// An unknown format, a size of zero or beyond every limit.
    pub(super) fn describe(&self, r: &mut Reader<'_>) -> Result<Surface> {
        let header = &self.header;
        let (format, is_srgb) = self.pixel_format(r)?;
        let (slices, is_cube) = self.slices(r)?;
        let surface = Surface {
            offset: 0,
            format,
            is_srgb,
            width: header.width,
            height: header.height,
            depth: if self.is_volume() { header.depth.max(1) } else { 1 },
            levels: header.mip_map_count.max(1),
            slices,
            is_cube,
            images: Vec::new(),
            cut: None,
        };
        let (width, height, depth) = (surface.width, surface.height, surface.depth);
        for (field, side) in [("width", width), ("height", height), ("depth", depth)] {
            if side == 0 || side > MAX_SIDE {
                let text = format!("a texture of {width} × {height} × {depth} pixels");
                return Err(self.blame(r, field, Error::malformed(text)));
            }
        }
        if is_cube && width != height {
            self.warn(r, "height", format!("the faces of a cube are square, these {width} × {height}"));
        }
        Ok(surface)
    }

    fn is_volume(&self) -> bool {
        let flag = self.header.caps2.0 & CAPS2_VOLUME != 0;
        self.dx10.as_ref().map_or(flag, |dx10| dx10.resource_dimension == DIMENSION_3D)
    }

    fn says_cube(&self) -> bool {
        let flag = self.header.caps2.0 & CAPS2_CUBE != 0;
        self.dx10.as_ref().map_or(flag, |dx10| dx10.misc_flag.0 & MISC_CUBE != 0)
    }

    /// How many slices there are, and whether they are the faces of cubes.
    fn slices(&self, r: &mut Reader<'_>) -> Result<(u32, bool)> {
        let is_cube = self.says_cube();
        let array_size = self.dx10.as_ref().map_or(1, |dx10| dx10.array_size.max(1));
        let slices = array_size.saturating_mul(if is_cube { CUBE_FACES } else { 1 });
        if self.is_volume() {
            if slices > 1 {
                r.warn("volumes have neither faces nor slices: one volume is read");
            }
            return Ok((1, false));
        }
        // Old headers may leave out faces of a cube.
        let faces = (self.header.caps2.0 & CAPS2_FACES).count_ones();
        if is_cube && self.dx10.is_none() && (1..CUBE_FACES).contains(&faces) {
            self.warn(r, "caps2", format!("a cube with {faces} of {CUBE_FACES} faces: shown as slices"));
            return Ok((faces, false));
        }
        if slices > MAX_SLICES {
            let error = Error::malformed(format!("{slices} slices, at most {MAX_SLICES}"));
            return Err(self.blame_dx10(r, "array_size", error));
        }
        Ok((slices, is_cube))
    }

    /// Takes no more levels than halve the largest side down to one pixel.
    pub(super) fn cap_levels(&self, r: &mut Reader<'_>, surface: &mut Surface) {
        let most = surface.width.max(surface.height).max(surface.depth).ilog2() + 1;
        let levels = surface.levels;
        if levels > most {
            surface.levels = most;
            let text = format!("{levels} levels, a texture of this size has at most {most}");
            self.warn(r, "mip_map_count", text);
        }
    }

    /// The format and whether it says sRGB.
    fn pixel_format(&self, r: &Reader<'_>) -> Result<(PixelFormat, bool)> {
        let Self { header, dx10, .. } = self;
        if let Some(dx10) = dx10 {
            let number = dx10.dxgi_format;
            let text = match names::dxgi_format(number) {
                name if name.is_empty() => format!("the DXGI format number {number}"),
                name => format!("the DXGI format {name}"),
            };
            return from_dxgi(number)
                .ok_or_else(|| self.blame_dx10(r, "dxgi_format", Error::unsupported(text)));
        }
        let unsupported = |field, text| self.blame(r, field, Error::unsupported(text));
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
            Some(other) => {
                let field = if has_code { "four_cc" } else { "format_flags" };
                return Err(unsupported(field, format!("the pixel format {other:?}")));
            }
            None => match header.four_cc {
                FourCC::ATI1 | FourCC::BC4_UNORM if has_code => PixelFormat::Bc4Unorm,
                FourCC::ATI2 if has_code => PixelFormat::Bc5Unorm,
                code if has_code => {
                    let code = code.to_le_bytes().escape_ascii().to_string();
                    return Err(unsupported("four_cc", format!("the pixel format with the code {code:?}")));
                }
                _ => {
                    let DdsHeader { rgb_bit_count: bits, r_mask: r, g_mask: g, b_mask: b, a_mask: a, .. } =
                        header;
                    let masks = [r, g, b, a].map(|mask| format!("{:X}", mask.0)).join(" ");
                    let flags = header.format_flags.0;
                    let text =
                        format!("the pixel format with flags {flags:#X}, {bits} bits and the masks {masks}");
                    return Err(unsupported("format_flags", text));
                }
            },
        };
        Ok((format, false))
    }
}
