//! DDS, the texture container of DirectX (`.dds`): a header and levels, as textures of games carry them.
//!
//! | offset | type | name |
//! |---|---|---|
//! | 0x00 | char\[4\] | magic `DDS ` |
//! | 0x04 | 124 bytes | header |
//! | 0x80 | 20 bytes | header_dx10, when the FourCC is `DX10` |
//! | | | levels, slice by slice, from the largest level down |
//!
//! Source: Microsoft's DDS programming guide.

pub use super::surface::NewSurface;
use super::surface::{self, read};
use crate::asset::{Asset, Kind, PixelFormat};
use crate::error::Result;
use crate::format::Format;
use crate::parse::Reader;

/// The row of the format table.
pub static FORMAT: Format = Format {
    id: "dds",
    title: "DDS texture",
    game: "any",
    kind: Kind::Texture,
    extensions: &["dds"],
    file_names: &[],
    magics: &[b"DDS \x7C\0\0\0"],
    parse,
    sample,
};

fn parse(r: &mut Reader<'_>) -> Result<Asset> {
    let surface = read(r)?;
    let texture = surface::of_surface(r, surface, "");
    surface::state_facts(r, None, &texture);
    Ok(Asset::Texture(texture))
}

/// Writes the header that fits a surface, followed by its levels, slice by slice and from the largest down.
///
/// # Errors
/// `Malformed` when a size cannot be written, or a cube has no six faces.
pub fn write(new: &NewSurface, data: &[&[u8]]) -> Result<Vec<u8>> {
    surface::write(new, data)
}

/// A cube of 2 × 2 pixels with two levels.
fn sample() -> Vec<u8> {
    let format = PixelFormat::Rgba8Unorm;
    let new = NewSurface { levels: 2, slices: 6, is_cube: true, ..NewSurface::flat(format, 2, 2) };
    let face: Vec<u8> = (0..20).collect();
    // The sizes are those above, which fit.
    write(&new, &[face.as_slice(); 6]).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;

    use super::*;
    use crate::asset::Texture;
    use crate::format::inspect;
    use crate::task::Task;

    fn read(bytes: Vec<u8>) -> (Texture, Vec<String>) {
        let inspection = inspect(&Bytes::from(bytes), "a_d.dds", &Task::new());
        let Ok(Some(Asset::Texture(texture))) = inspection.asset else { panic!("{:?}", inspection.asset) };
        (texture, inspection.warnings.lines().collect())
    }

    #[test]
    fn faults_and_doubts_name_their_field() {
        let new = NewSurface::flat(PixelFormat::R8Unorm, 4, 4);
        let whole = write(&new, &[&[0; 16]]).unwrap();
        let with = |at: usize, value: u32| {
            let mut bytes = whole.clone();
            bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
            inspect(&Bytes::from(bytes), "a.dds", &Task::new())
        };
        for (at, value, field) in [
            (0x10, 0, "dds.header.width"),
            (0x0C, u32::MAX, "dds.header.height"),
            (0x54, u32::from_le_bytes(*b"ABCD"), "dds.header.four_cc"),
            (0x54, 0, "dds.header.format_flags"),
            (0x80, 1000, "dds.header_dx10.dxgi_format"),
            (0x8C, 65_535, "dds.header_dx10.array_size"),
        ] {
            let error = with(at, value).asset.unwrap_err();
            assert_eq!(error.field_path(), field);
            // Flags stand before the code that is not there.
            let at = if field.ends_with("flags") { 0x50 } else { at };
            assert_eq!(error.offset(), Some(at as u64), "{field}");
        }
        for (at, value, warning) in [
            (0x4C, 0, "dds.header.format_size at 0x4C: a pixel format of 0 bytes, it has 32"),
            (0x84, 0, "dds.header_dx10.resource_dimension at 0x84: dimension 0, known are 2, 3 and 4"),
            (0x8C, 0, "dds.header_dx10.array_size at 0x8C: no slices: read as one"),
        ] {
            let inspection = with(at, value);
            assert_eq!(inspection.warnings.lines().collect::<Vec<_>>(), [warning]);
            assert!(inspection.asset.is_ok());
        }
    }

    #[test]
    fn the_smaller_levels_of_a_volume_stand_in_for_its_last_slice() {
        let size = |level: u32| (4 >> level) * (4 >> level) * (5 >> level);
        let data = vec![0; (0..3).map(size).sum()];
        let new = NewSurface { depth: 5, levels: 3, ..NewSurface::flat(PixelFormat::R8Unorm, 4, 4) };
        let (volume, _) = read(write(&new, &[&data]).unwrap());
        let nearest = |layer| [0, 1, 2].map(|level| volume.image(0, level).unwrap().nearest_layer(layer));
        assert_eq!((nearest(4), nearest(1)), ([4, 1, 0], [1, 0, 0]));
        assert!(volume.images.iter().all(|image| {
            image.layer(volume.format, image.nearest_layer(4)).is_some_and(|layer| !layer.is_empty())
        }));
    }

    #[test]
    fn a_byte_that_is_no_alpha_is_none_and_faces_are_counted() {
        let base = |slices: u32, depth: u32| {
            let (format, is_cube) = (PixelFormat::Bgrx8Unorm, false);
            let size = NewSurface { depth, slices, is_cube, ..NewSurface::flat(format, 1, 1) };
            write(&size, &[&[0; 12]]).unwrap()
        };
        let mut plain = base(1, 1);
        // 32 bits of red, green and blue, and no four-character code.
        let words = [0x40, 0, 32, 0xFF_0000, 0xFF00, 0xFF, 0].map(u32::to_le_bytes).concat();
        plain[0x50..0x6C].copy_from_slice(&words);
        plain.drain(0x80..0x94);
        assert_eq!(read(plain.clone()).0.format, PixelFormat::Bgrx8Unorm);
        // Three faces of a cube.
        plain[0x70..0x74].copy_from_slice(&0x1E00u32.to_le_bytes());
        let (texture, warnings) = read(plain);
        assert_eq!((texture.slices, texture.is_cube, texture.images.len()), (3, false, 3));
        assert!(warnings[0].contains("a cube with 3 of 6 faces"), "{warnings:?}");
        // A volume that says it is an array as well.
        let mut volume = base(1, 3);
        volume[0x8C..0x90].copy_from_slice(&3u32.to_le_bytes());
        let (texture, warnings) = read(volume);
        assert_eq!((texture.slices, texture.depth, texture.images.len()), (1, 3, 1));
        assert!(warnings[0].contains("volumes have neither faces nor slices"), "{warnings:?}");
    }

    #[test]
    fn arrays_cubes_and_volumes_of_every_format_come_back() {
        for format in PixelFormat::ALL {
            for (depth, slices, is_cube) in
                [(1, 1, false), (1, 4, false), (1, 6, true), (1, 12, true), (4, 1, false)]
            {
                let (width, height, levels) = (20, if is_cube { 20 } else { 10 }, 3);
                let new =
                    NewSurface { depth, levels, slices, is_cube, ..NewSurface::flat(*format, width, height) };
                let size =
                    |level: u32| format.level_size(width >> level, height >> level, (depth >> level).max(1));
                let level = |level| vec![u8::try_from(level).unwrap(); usize::try_from(size(level)).unwrap()];
                let slice: Vec<u8> = (0..levels).flat_map(level).collect();
                let data = vec![slice.as_slice(); slices as usize];
                let (texture, warnings) = read(write(&new, &data).unwrap());
                assert_eq!(warnings, [""; 0], "{} {depth} {slices}", format.name());
                assert_eq!((texture.format, texture.depth, texture.slices), (*format, depth, slices));
                assert_eq!((texture.is_cube, texture.images.len()), (is_cube, (slices * levels) as usize));
            }
        }
        let new = NewSurface { slices: 5, is_cube: true, ..NewSurface::flat(PixelFormat::R8Unorm, 1, 1) };
        assert!(write(&new, &[]).is_err());
    }

    #[test]
    fn a_name_says_whether_colours_are_srgb() {
        let (texture, _) = read(sample());
        assert!(texture.is_srgb && texture.srgb_reason.contains("_d"));
    }
}
