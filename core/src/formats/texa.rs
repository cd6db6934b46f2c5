//! TEXA version 1, an array of textures (`.texa`, `.texa0`, `.texauhd`) of Middle-earth: Shadow of War.
//!
//! | offset | type | name | meaning |
//! |---|---|---|---|
//! | 0x00 | char\[4\] | magic | `TEXA` |
//! | 0x04 | u32 | version | 1 |
//! | 0x08 | u32 | slice_count | slices (convention) |
//! | | u16, text | name | its own path (convention) |
//! | | u16, text | slices | the path that each slice was made from (convention) |
//! | | | dds | a DDS with the header of DX10; its array size counts the slices |
//!
//! No file of this kind has been seen, only described: own path, one path a slice and a DDS follow the
//! version, in a layout that is not known. What is marked as convention is how files are written here.
//! Where a file is laid out in another way, the DDS is found by its first bytes, and whatever looks like a
//! path before it is taken for one.

use super::surface::{self, DDS_START, NewSurface};
use crate::asset::{Asset, Kind, PixelFormat};
use crate::error::{Error, Result};
use crate::format::Format;
use crate::parse::{Fact, Reader, Writer};
use crate::path::to_text;

/// The row of the format table.
pub static FORMAT: Format = Format {
    id: "texa",
    title: "TEXA v1 texture array",
    game: "Middle-earth: Shadow of War",
    kind: Kind::Texture,
    extensions: &["texa", "texa0", "texauhd"],
    file_names: &[],
    magics: &[b"TEXA"],
    parse,
    sample,
};

/// The only version that is read.
pub const VERSION: u32 = 1;

/// How far the DDS is searched for.
const SEARCHED: usize = 1 << 20;

/// The most bytes of a path.
const LONGEST: usize = crate::path::LONGEST;

/// The shortest run of letters that is taken for a path.
const SHORTEST: usize = 4;

fn parse(r: &mut Reader<'_>) -> Result<Asset> {
    r.magic("magic", &[b"TEXA"])?;
    let version = r.u32("version")?;
    if version != VERSION {
        return Err(r.unsupported(format!("version {version}, expected {VERSION}")));
    }
    let Some(distance) = memchr::memmem::find(r.peek(SEARCHED), &DDS_START) else {
        return Err(r.malformed(format!("no DDS follows within {SEARCHED} bytes")));
    };
    let head = r.peek(distance);
    let (name, slice_paths) = if let Some(count) = known_paths(head) {
        read_paths(r, count)?
    } else {
        let mut found = find_paths(head).into_iter();
        r.bytes("unknown", distance as u64)?;
        r.warn("the layout before the DDS is not known; what looks like a path is taken for one");
        (found.next().unwrap_or_default(), found.collect())
    };
    let surface = surface::read(r)?;
    let slices = surface.slices as usize;
    if slice_paths.len() != slices {
        r.warn(format!("{} paths of slices, and {slices} slices", slice_paths.len()));
    }
    let mut texture = surface::of_surface(r, surface, &name);
    texture.slice_paths = slice_paths;
    texture.slice_paths.resize(slices, String::new());
    surface::state_facts(r, Some(VERSION), &texture);
    r.fact("slices", || texture.slice_paths.iter().cloned().map(Fact::Text).collect::<Vec<_>>());
    Ok(Asset::Texture(texture))
}

/// How many paths of slices a head has that is laid out as it is written here, to its last byte.
fn known_paths(head: &[u8]) -> Option<u32> {
    let (count, mut left) = head.split_first_chunk()?;
    let count = u32::from_le_bytes(*count);
    for _ in 0..=count {
        let (size, behind) = left.split_first_chunk()?;
        let (path, behind) = behind.split_at_checked(u16::from_le_bytes(*size).into())?;
        left = Some(behind).filter(|_| is_printable(path))?;
    }
    left.is_empty().then_some(count)
}

fn read_paths(r: &mut Reader<'_>, count: u32) -> Result<(String, Vec<String>)> {
    r.u32("slice_count")?;
    let size = r.u16("name_size")?;
    let name = to_text(r.text("name", size.into())?).into_owned();
    let paths = r.list("slices", count.into(), size_of::<u16>() as u64, |r, index| {
        r.group(index, |r| {
            let size = r.u16("path_size")?;
            Ok(to_text(r.text("path", size.into())?).into_owned())
        })
    })?;
    Ok((name, paths))
}

fn is_printable(text: &[u8]) -> bool {
    text.iter().all(|byte| matches!(byte, b' '..=b'~'))
}

/// Whatever looks like a path: printable letters up to a NUL, or as many as two bytes before them say.
fn find_paths(head: &[u8]) -> Vec<String> {
    let looks_like_one = |text: &[u8]| {
        (SHORTEST..=LONGEST).contains(&text.len())
            && is_printable(text)
            && text.iter().any(|byte| matches!(byte, b'\\' | b'/' | b'.'))
    };
    let mut found = Vec::new();
    let mut left = head;
    while !left.is_empty() {
        let counted = left.split_first_chunk().and_then(|(size, behind)| {
            behind.split_at_checked(u16::from_le_bytes(*size).into()).filter(|(text, _)| looks_like_one(text))
        });
        let ended = || {
            let end = left.iter().position(|byte| !is_printable(&[*byte]))?;
            let (text, behind) = left.split_at_checked(end)?;
            (behind.first() == Some(&0) && looks_like_one(text)).then_some((text, behind))
        };
        left = match counted.or_else(ended) {
            Some((text, behind)) => {
                found.push(to_text(text).into_owned());
                behind
            }
            None => left.get(1..).unwrap_or_default(),
        };
    }
    found
}

/// Writes an array: `new` describes the DDS and counts the slices, `data` are their levels, slice by slice
/// and from the largest down.
///
/// # Errors
/// `Limit` when a path is too long, `Malformed` when the DDS cannot be written.
pub fn write(name: &str, slice_paths: &[&str], new: &NewSurface, data: &[&[u8]]) -> Result<Vec<u8>> {
    let mut w = Writer::new();
    w.bytes(b"TEXA").value(VERSION);
    w.value(u32::try_from(slice_paths.len()).unwrap_or(u32::MAX));
    for path in std::iter::once(&name).chain(slice_paths) {
        let size = u16::try_from(path.len()).ok().filter(|size| usize::from(*size) <= LONGEST);
        let size = size.ok_or_else(|| Error::limit(format!("a path of {} bytes", path.len())))?;
        w.value(size).bytes(path.as_bytes());
    }
    w.bytes(&surface::write(new, data)?);
    Ok(w.finish())
}

/// Two slices of 4 × 4 pixels with three levels.
fn sample() -> Vec<u8> {
    let format = PixelFormat::Bc1Unorm;
    let new = NewSurface { levels: 3, slices: 2, ..NewSurface::flat(format, 4, 4) };
    let slice: Vec<u8> = (0..24).collect();
    let paths = ["textures\\grass_d.tga", "textures\\mud_d.tga"];
    // The sizes are those above, which fit.
    write("textures\\ground_d.texa", &paths, &new, &[slice.as_slice(); 2]).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;

    use super::*;
    use crate::asset::Texture;
    use crate::format::inspect;
    use crate::task::Task;

    fn read(bytes: Vec<u8>) -> (Texture, Vec<String>) {
        let inspection = inspect(&Bytes::from(bytes), "a.texa", &Task::new());
        let Ok(Some(Asset::Texture(texture))) = inspection.asset else { panic!("{:?}", inspection.asset) };
        (texture, inspection.warnings.lines().collect())
    }

    fn head_of(sample: &[u8]) -> usize {
        memchr::memmem::find(sample, &DDS_START).unwrap()
    }

    #[test]
    fn what_is_written_comes_back_with_its_paths() {
        let (texture, warnings) = read(sample());
        assert_eq!(warnings, [""; 0]);
        assert_eq!(texture.name, "textures\\ground_d.texa");
        assert_eq!(texture.slice_paths, ["textures\\grass_d.tga", "textures\\mud_d.tga"]);
        assert_eq!((texture.slices, texture.images.len(), texture.is_srgb), (2, 6, true));
    }

    #[test]
    fn paths_of_another_layout_are_found_as_far_as_they_look_like_paths() {
        let sample = sample();
        let dds = &sample[head_of(&sample)..];
        let ended = b"TEXA\x01\0\0\0\x07\xFFown\\path.texa\0\x01\x02a\\b.tga\0\0\0c\\d.tga\0".as_slice();
        let counted = b"TEXA\x01\0\0\0\0\0\0\0\x0D\0own\\path.texa\x07\0a\\b.tga\x07\0c\\d.tga\0\0";
        for head in [ended, counted] {
            let (texture, warnings) = read([head, dds].concat());
            assert_eq!((&*texture.name, texture.slices), ("own\\path.texa", 2));
            assert_eq!(texture.slice_paths, ["a\\b.tga", "c\\d.tga"]);
            assert_eq!(warnings.len(), 1, "{warnings:?}");
        }
        // None at all.
        let (texture, warnings) = read([b"TEXA\x01\0\0\0\xFF\xFF", dds].concat());
        assert_eq!((texture.slice_paths.len(), warnings.len()), (2, 2), "{warnings:?}");
    }

    #[test]
    fn a_count_that_is_wrong_is_a_warning_and_the_dds_counts() {
        let mut bytes = sample();
        // The array size of the header of DX10.
        let at = head_of(&bytes) + 128 + 12;
        bytes[at] = 1;
        let (texture, warnings) = read(bytes);
        assert_eq!((texture.slices, texture.slice_paths.len()), (1, 1));
        assert!(warnings.iter().any(|line| line.contains("2 paths of slices, and 1 slices")), "{warnings:?}");
    }
}
