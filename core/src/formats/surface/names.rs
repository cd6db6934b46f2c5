//! What the numbers of a DDS header are called.
//!
//! Flags go without their common prefix. Source: Microsoft's DDS programming guide, pages
//! `DDS_HEADER`, `DDS_PIXELFORMAT` and `DDS_HEADER_DXT10`.

use ddsfile::{D3DFormat, DxgiFormat, FourCC, PixelFormat};
use num_traits::FromPrimitive as _;

/// The `DDSD_` flags.
pub(super) fn header_flags(bits: u32) -> String {
    const NAMES: [(u32, &str); 8] = [
        (0x1, "CAPS"),
        (0x2, "HEIGHT"),
        (0x4, "WIDTH"),
        (0x8, "PITCH"),
        (0x1000, "PIXELFORMAT"),
        (0x2_0000, "MIPMAPCOUNT"),
        (0x8_0000, "LINEARSIZE"),
        (0x80_0000, "DEPTH"),
    ];
    flags(bits, &NAMES)
}

/// The `DDPF_` flags.
pub(super) fn format_flags(bits: u32) -> String {
    const NAMES: [(u32, &str); 6] = [
        (0x1, "ALPHAPIXELS"),
        (0x2, "ALPHA"),
        (0x4, "FOURCC"),
        (0x40, "RGB"),
        (0x200, "YUV"),
        (0x2_0000, "LUMINANCE"),
    ];
    flags(bits, &NAMES)
}

/// The `DDSCAPS_` flags.
pub(super) fn caps(bits: u32) -> String {
    flags(bits, &[(0x8, "COMPLEX"), (0x1000, "TEXTURE"), (0x40_0000, "MIPMAP")])
}

/// The `DDSCAPS2_` flags.
pub(super) fn caps2(bits: u32) -> String {
    const NAMES: [(u32, &str); 8] = [
        (super::headers::CAPS2_CUBE, "CUBEMAP"),
        (0x400, "POSITIVEX"),
        (0x800, "NEGATIVEX"),
        (0x1000, "POSITIVEY"),
        (0x2000, "NEGATIVEY"),
        (0x4000, "POSITIVEZ"),
        (0x8000, "NEGATIVEZ"),
        (super::headers::CAPS2_VOLUME, "VOLUME"),
    ];
    flags(bits, &NAMES)
}

/// The `DDS_RESOURCE_MISC_` flags.
pub(super) fn misc_flag(bits: u32) -> String {
    flags(bits, &[(super::headers::MISC_CUBE, "TEXTURECUBE")])
}

/// The `DDS_DIMENSION_` numbers.
pub(super) fn dimension(number: u32) -> String {
    let name = match number {
        2 => "TEXTURE1D",
        3 => "TEXTURE2D",
        super::headers::DIMENSION_3D => "TEXTURE3D",
        _ => "",
    };
    name.to_owned()
}

/// The `DDS_ALPHA_MODE_` numbers, the only part of their word.
pub(super) fn alpha_mode(number: u32) -> String {
    let name = match number {
        0 => "UNKNOWN",
        1 => "STRAIGHT",
        2 => "PREMULTIPLIED",
        3 => "OPAQUE",
        4 => "CUSTOM",
        _ => "",
    };
    name.to_owned()
}

/// The letters of a four-character code, or the format that a small number stands for.
pub(super) fn four_cc(code: u32) -> String {
    let letters = code.to_le_bytes();
    if letters.iter().all(u8::is_ascii_graphic) {
        return letters.escape_ascii().to_string();
    }
    let coded = PixelFormat { fourcc: Some(FourCC(code)), ..PixelFormat::default() };
    match D3DFormat::try_from_pixel_format(&coded) {
        Some(format) if code != 0 => format!("{format:?}"),
        _ => String::new(),
    }
}

/// The name of a DXGI format.
pub(crate) fn dxgi_format(number: u32) -> String {
    DxgiFormat::from_u32(number).map_or_else(String::new, |format| format!("{format:?}").to_uppercase())
}

/// The names of the bits that are set, and those without a name as a number.
fn flags(bits: u32, names: &[(u32, &str)]) -> String {
    let set = names.iter().filter(|(bit, _)| bits & bit != 0);
    let mut shown: Vec<_> = set.clone().map(|(_, name)| (*name).to_owned()).collect();
    let rest = set.fold(bits, |rest, (bit, _)| rest & !bit);
    if rest != 0 && !shown.is_empty() {
        shown.push(format!("{rest:#X}"));
    }
    shown.join(" | ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_the_names_of_the_documentation() {
        assert_eq!(header_flags(0xA1007), "CAPS | HEIGHT | WIDTH | PIXELFORMAT | MIPMAPCOUNT | LINEARSIZE");
        assert_eq!(caps(0x40_1018), "COMPLEX | TEXTURE | MIPMAP | 0x10");
        assert_eq!([caps(0), caps(0x10), caps2(0x20_0000)], ["", "", "VOLUME"]);
        assert_eq!([four_cc(0), four_cc(894_720_068), four_cc(113)], ["", "DXT5", "A16B16G16R16F"]);
        assert_eq!([dxgi_format(77), dxgi_format(5000)], ["BC3_UNORM", ""]);
    }
}
