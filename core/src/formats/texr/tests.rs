//! Textures as written, with parts missing, and with headers that disagree.

use bytes::Bytes;

use super::*;
use crate::format::inspect;
use crate::parse::Place;
use crate::task::Task;

/// Reads a texture that must be readable, and its warnings.
fn read(path: &str, bytes: &[u8]) -> (Texture, Vec<String>) {
    let inspection = inspect(&Bytes::copy_from_slice(bytes), path, &Task::new());
    let Ok(Some(Asset::Texture(texture))) = inspection.asset else { panic!("{:?}", inspection.asset) };
    (texture, inspection.warnings.lines().collect())
}

fn refusal(bytes: &[u8]) -> String {
    inspect(&Bytes::copy_from_slice(bytes), "a.tex", &Task::new()).asset.unwrap_err().to_string()
}

fn levels(format: PixelFormat, width: u32, height: u32, count: u32) -> Vec<Vec<u8>> {
    let size = |level: u32| format.level_size((width >> level).max(1), (height >> level).max(1), 1);
    (0..count).map(|level| vec![7; usize::try_from(size(level)).unwrap()]).collect()
}

fn written(format: PixelFormat, width: u32, height: u32, first_level: u32, count: u32) -> Vec<u8> {
    let levels = levels(format, width, height, count);
    write(&NewTexture { name: "a\\b_n.tex0", format, width, height, first_level, levels: &levels }).unwrap()
}

#[test]
fn every_format_comes_back_with_all_its_levels() {
    for format in PixelFormat::ALL {
        let (texture, warnings) = read("a.tex", &written(*format, 20, 10, 1, 5));
        assert_eq!(warnings, [""; 0], "{}", format.name());
        assert_eq!((texture.format, texture.levels, texture.images.len()), (*format, 5, 5));
        assert_eq!((texture.full_width, texture.full_height, texture.full_levels), (40, 20, 6));
        assert_eq!(texture.first_level, 1);
        let sizes: Vec<_> = texture.images.iter().map(|image| (image.width, image.height)).collect();
        assert_eq!(sizes, [(20, 10), (10, 5), (5, 2), (2, 1), (1, 1)]);
    }
}

#[test]
fn the_bytes_follow_the_shipped_file() {
    let bytes = written(PixelFormat::Bc3Unorm, 2048, 1024, 1, 12);
    assert_eq!(bytes[8..0x10], [12, 11, 0, 13, 1, 2, 0, 0]);
    let block = 0x12 + 10;
    let expected = [3, 0x00, 0x10, 0x00, 0x08, 1, 0, 13, 1, 77, 0, 0, 0, 0, 0, 0, 0, 2, 0, 1, 2, 0, 0];
    assert_eq!(bytes[block..block + 23], expected);
    assert_eq!(bytes.len() - block - 23 - 128, 2_796_240);
}

#[test]
fn the_structure_names_flags_formats_and_levels() {
    let bytes = Bytes::from(written(PixelFormat::Bc3Unorm, 2048, 1024, 1, 12));
    let tree = inspect(&bytes, "a.tex", &Task::new()).tree;
    let shown = |path: &str| {
        let mut places = (0..).take(tree.nodes().len()).map(Place::node);
        let place = places.find(|place| tree.path(*place) == path).unwrap();
        let meaning = tree.meaning(place, &bytes).unwrap_or_default();
        (tree.value(place, &bytes), meaning.into_owned())
    };
    let pair = |value: &str, meaning: &str| (value.to_owned(), meaning.to_owned());
    assert_eq!(shown("full.dxgi_format"), pair("77", "BC3_UNORM"));
    assert_eq!(shown("dds.header.four_cc"), pair("894720068", "DXT5"));
    assert_eq!(shown("dds.header.caps"), pair("0x00401008", "COMPLEX | TEXTURE | MIPMAP"));
    assert_eq!(shown("dds.header.r_mask"), pair("0x00000000", ""));
    assert_eq!(shown("dds.levels[0]").1, "level 0: 2048 × 1024");
    assert_eq!(shown("dds.levels[11]").1, "level 11: 1 × 1");
}

#[test]
fn a_texture_without_the_block_is_read_from_its_dds() {
    let mut bytes = written(PixelFormat::Bc1Unorm, 8, 8, 0, 4);
    bytes.drain(0x12 + 10..0x12 + 10 + 5);
    let (texture, warnings) = read("a.tex", &bytes);
    assert_eq!((texture.full_width, texture.full_levels, texture.images.len()), (8, 4, 4));
    assert!(warnings[0].contains("18 bytes before the DDS, expected 23"), "{warnings:?}");
}

#[test]
fn a_name_size_that_points_too_far_is_repaired_or_refused() {
    let mut bytes = written(PixelFormat::Bc1Unorm, 8, 8, 0, 4);
    bytes[0x10] = 200;
    assert_eq!(refusal(&bytes), "name at 0x12: no DDS follows within 4096 bytes");
}

#[test]
fn whole_levels_stay_when_the_last_is_cut() {
    let bytes = written(PixelFormat::Bc3Unorm, 16, 16, 0, 5);
    let (texture, warnings) = read("a.tex", &bytes[..bytes.len() - 17]);
    assert_eq!(texture.images.len(), 3);
    assert!(warnings[0].contains("level 3 of slice 0 needs 16 bytes, 15 are left"), "{warnings:?}");
    let mut longer = bytes;
    longer.push(0);
    assert!(read("a.tex", &longer).1[0].contains("1 bytes after the last level"));
}

#[test]
fn levels_and_sizes_that_disagree_are_warnings() {
    let mut bytes = written(PixelFormat::Bc3Unorm, 16, 16, 1, 5);
    bytes[8] = 9;
    assert!(
        read("a.tex", &bytes).1[0].contains("header.levels at 0x8: the header carries 9 levels, the DDS 5")
    );
    bytes[8] = 5;
    bytes[0x12 + 10 + 1] = 99;
    assert!(
        read("a.tex", &bytes).1[0].contains("full at 0x1C: the full size 99 × 32 with 6 levels does not")
    );
}

#[test]
fn a_full_size_that_disagrees_with_the_dds_is_told_at_its_field() {
    let bytes = written(PixelFormat::Bc1Unorm, 4, 4, 0, 3);
    let full = 0x12 + "a\\b_n.tex0".len();
    for (field, value, words) in [
        ("dxgi_format", 77, "DXGI format 77, the DDS has BC1_UNORM"),
        ("array_size", 4, "4 slices, the DDS has 1"),
        ("depth", 9, "a depth of 9, the DDS has 1"),
    ] {
        let at = full + usize::try_from(FullSize::LAYOUT.range_of(field).start).unwrap();
        let mut bytes = bytes.clone();
        bytes[at] = value;
        let (_, warnings) = read("a.tex", &bytes);
        assert!(warnings.iter().any(|line| line.contains(field) && line.contains(words)), "{warnings:?}");
    }
}

#[test]
fn the_suffix_of_the_path_decides_about_srgb() {
    let bytes = written(PixelFormat::Bc3Unorm, 4, 4, 0, 1);
    let is_srgb = |path| read(path, &bytes).0.is_srgb;
    assert!(is_srgb("x\\sword_D.tex"));
    assert!(!is_srgb("x\\sword_n.tex"));
    assert!(!is_srgb("x\\sword.tex"), "the stored name ends in _n");
}

#[test]
fn other_textures_are_refused_by_name() {
    let patched = |at: usize, byte: u8| {
        let mut bytes = written(PixelFormat::Bc3Unorm, 4, 4, 0, 1);
        bytes[at] = byte;
        refusal(&bytes)
    };
    assert!(patched(4, 3).contains("Shadow of Mordor"));
    assert!(patched(4, 7).contains("version 7, expected 8"));
    let dds = 0x12 + 10 + 23;
    assert!(patched(dds + 84, b'Q').contains("the pixel format with the code \"QXT5\""));
    assert!(patched(dds + 16, 0).contains("a texture of 0 × 4"));
}

#[test]
fn sizes_that_do_not_fit_are_not_written() {
    let new = NewTexture {
        name: "",
        format: PixelFormat::R8Unorm,
        width: 1 << 15,
        height: 1,
        first_level: 1,
        levels: &[],
    };
    assert!(write(&new).is_err());
}

#[test]
fn more_levels_than_the_size_allows_are_capped_with_a_warning() {
    let mut bytes = written(PixelFormat::Bc3Unorm, 4, 4, 0, 3);
    let dds = 0x12 + 10 + 23;
    bytes[dds + 28] = 32;
    bytes[8] = 32;
    let (texture, warnings) = read("a.tex", &bytes);
    assert_eq!((texture.levels, texture.images.len()), (3, 3));
    let expected = format!(
        "dds.header.mip_map_count at {:#X}: 32 levels, a texture of this size has at most 3",
        dds + 28
    );
    assert_eq!(warnings[0], expected);
}
