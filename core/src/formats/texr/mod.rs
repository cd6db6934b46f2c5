//! TEXR version 8, the texture of Middle-earth: Shadow of War (`.tex`, `.tex0`, `.texuhd`).
//!
//! | offset | type | name | meaning |
//! |---|---|---|---|
//! | 0x00 | char\[4\] | magic | `TEXR`; `RXET` in the big-endian files of consoles |
//! | 0x04 | u32 | version | 8; 3 in Shadow of Mordor |
//! | 0x08 | u8 | levels | levels that this file carries |
//! | 0x09 | u8 | unknown_09 | 11 where `levels` is 12 |
//! | 0x0A | u8 | unknown_0a | 0 |
//! | 0x0B | u8 | full_levels | levels of the full-size texture |
//! | 0x0C | u8\[4\] | unknown_0c | 1 2 0 0; the first byte is the sRGB flag or the first level |
//! | 0x10 | u16 | name_size | bytes of the name, no NUL |
//! | 0x12 | | name | path of the higher tier, of itself, or empty |
//! | | 23 bytes | full | [`FullSize`] |
//! | | | dds | a DDS whose header describes the first carried level |
//!
//! One shipped file is the authority for every offset; the names of the unknown fields say where
//! they stand. Which bit is sRGB cannot be told from one file, so the name's suffix decides (`_d`
//! yes; `_n`, `_s`, `_m` no), as it does on nearly all shipped files. When the DDS does not follow
//! where it should, it is searched for in the first 4 KiB.

pub mod slvt;

use super::surface::{self, DDS_START, NewSurface, Surface};
use crate::asset::{Asset, Kind, PixelFormat, Texture};
use crate::error::{Error, Result};
use crate::format::Format;
use crate::parse::{Reader, Record as _, Warning, Writer};
use crate::path;
use crate::record;

/// The row of the format table.
pub static FORMAT: Format = Format {
    id: "texr",
    title: "TEXR v8 texture",
    game: "Middle-earth: Shadow of War",
    kind: Kind::Texture,
    extensions: &["tex", "tex0", "texuhd"],
    file_names: &[],
    magics: &[b"TEXR", b"RXET"],
    parse,
    sample,
};

/// The only version that is read.
pub const VERSION: u32 = 8;

/// Where `levels` stands in the header.
const LEVELS_AT: u64 = 8;

/// How far the DDS is searched for.
const SEARCHED: usize = 4096;

record! {
    /// The full-size texture, 23 bytes.
    pub struct FullSize {
        /// Probably the number of dimensions, 3 for a 2D texture.
        dimension: u8,
        /// Pixels.
        width: u16,
        /// Pixels.
        height: u16,
        /// Slices of a volume.
        depth: u16,
        /// Levels.
        levels: u8,
        /// Array slices.
        array_size: u8,
        /// DXGI format, always one without sRGB.
        dxgi_format: u32 => surface::dxgi_format,
        /// 0 in the file that was seen.
        unknown_0d: u32,
        /// 2 in the file that was seen.
        unknown_11: u16,
        /// The same as `unknown_0c` of the header.
        unknown_13: [u8; 4],
    }
}

fn parse(r: &mut Reader<'_>) -> Result<Asset> {
    let texture = read(r)?;
    surface::state_facts(r, Some(VERSION), &texture);
    Ok(Asset::Texture(texture))
}

fn read(r: &mut Reader<'_>) -> Result<Texture> {
    let start = r.pos();
    let levels = r.group("header", read_header)?;
    let name_size = r.u16("name_size")?;
    let name = path::to_text(r.text("name", name_size.into())?).into_owned();
    let full_at = r.pos();
    let full = read_full(r)?;
    let surface = surface::read(r)?;
    if surface.levels != u32::from(levels) {
        let text = format!("the header carries {levels} levels, the DDS {}", surface.levels);
        r.warn_at(|| Warning { field: "header.levels".to_owned(), offset: start + LEVELS_AT, len: 1, text });
    }
    if let Some(full) = &full {
        hold_against(r, full, full_at, &surface);
    }
    let full = full.unwrap_or_else(|| full_of(&surface));
    let first_level = first_level(r, &full, full_at, &surface);
    Ok(Texture {
        full_width: full.width.into(),
        full_height: full.height.into(),
        full_levels: full.levels.into(),
        first_level,
        ..surface::of_surface(r, surface, &name)
    })
}

fn read_header(r: &mut Reader<'_>) -> Result<u8> {
    if r.magic("magic", &[b"TEXR", b"RXET"])? == 1 {
        return Err(r.unsupported("a big-endian texture of a console build"));
    }
    match r.u32("version")? {
        VERSION => {}
        3 => return Err(r.unsupported("version 3, the texture of Middle-earth: Shadow of Mordor")),
        version => return Err(r.unsupported(format!("version {version}, expected {VERSION}"))),
    }
    let levels = r.u8("levels")?;
    r.u8("unknown_09")?;
    r.u8("unknown_0a")?;
    r.u8("full_levels")?;
    r.value::<[u8; 4]>("unknown_0c")?;
    r.note(|| "the first byte is sRGB (assumed) or the first carried level".to_owned());
    Ok(levels)
}

/// Reads the full size, or whatever stands between the name and the DDS.
fn read_full(r: &mut Reader<'_>) -> Result<Option<FullSize>> {
    const SIZE: usize = 23;
    let ahead = r.peek(SIZE + DDS_START.len());
    if ahead.get(SIZE..) == Some(&DDS_START) {
        return r.record::<FullSize>("full").map(Some);
    }
    let Some(distance) = memchr::memmem::find(r.peek(SEARCHED), &DDS_START) else {
        return Err(r.malformed(format!("no DDS follows within {SEARCHED} bytes")));
    };
    r.bytes("unknown", distance as u64)?;
    r.warn(format!("{distance} bytes before the DDS, expected {SIZE}: the full size is not known"));
    Ok(None)
}

/// Warns where the full size says something else of the texture than its DDS.
fn hold_against(r: &mut Reader<'_>, full: &FullSize, full_at: u64, surface: &Surface) {
    let own = surface::from_dxgi(full.dxgi_format).map(|(format, _)| format);
    if own != Some(surface.format) {
        let text = format!("DXGI format {}, the DDS has {}", full.dxgi_format, surface.format.name());
        r.warn_in::<FullSize>(("full", full_at), "dxgi_format", text);
    }
    let slices = if surface.is_cube { surface.slices / 6 } else { surface.slices };
    let counts = [surface.slices, slices];
    // What an array of cubes counts has not been seen.
    if !counts.contains(&full.array_size.into()) && surface.slices <= u8::MAX.into() {
        let text = format!("{} slices, the DDS has {}", full.array_size, surface.slices);
        r.warn_in::<FullSize>(("full", full_at), "array_size", text);
    }
    let is_flat = full.depth <= 1;
    if is_flat != (surface.depth <= 1) {
        let text = format!("a depth of {}, the DDS has {}", full.depth, surface.depth);
        r.warn_in::<FullSize>(("full", full_at), "depth", text);
    }
}

/// The full size of a texture that is taken to be complete.
fn full_of(surface: &Surface) -> FullSize {
    let short = |value: u32| u16::try_from(value).unwrap_or(u16::MAX);
    FullSize {
        dimension: 3,
        width: short(surface.width),
        height: short(surface.height),
        depth: short(surface.depth),
        levels: u8::try_from(surface.levels).unwrap_or(u8::MAX),
        array_size: 1,
        dxgi_format: surface::to_dxgi(surface.format) as u32,
        unknown_0d: 0,
        unknown_11: 2,
        unknown_13: [0; 4],
    }
}

/// How many full-size levels come before the carried ones: by counting back from the 1 × 1 level
/// where the chain reaches it, otherwise by the ratio of the sizes.
fn first_level(r: &mut Reader<'_>, full: &FullSize, full_at: u64, surface: &Surface) -> u32 {
    let (width, height) = (u32::from(full.width), u32::from(full.height));
    let by_ratio = (0..16)
        .find(|level| (width >> level).max(1) == surface.width && (height >> level).max(1) == surface.height);
    let is_complete = surface.width.max(surface.height) >> (surface.levels - 1).min(31) == 1;
    let by_count = if is_complete { u32::from(full.levels).checked_sub(surface.levels) } else { None };
    if by_ratio.is_none() || (by_count.is_some() && by_count != by_ratio) {
        let text = format!(
            "the full size {width} × {height} with {} levels does not lead to the carried {} × {} with {}",
            full.levels, surface.width, surface.height, surface.levels
        );
        let len = FullSize::LAYOUT.size as u64;
        r.warn_at(|| Warning { field: "full".to_owned(), offset: full_at, len, text });
    }
    by_count.or(by_ratio).unwrap_or(0)
}

/// A texture to write: the carried levels of a 2D texture, from the largest down.
#[derive(Clone, Debug)]
pub struct NewTexture<'a> {
    /// The name to store.
    pub name: &'a str,
    /// How the levels are stored.
    pub format: PixelFormat,
    /// Pixels of the first carried level.
    pub width: u32,
    /// See `width`.
    pub height: u32,
    /// How many larger levels other tiers hold.
    pub first_level: u32,
    /// The stored bytes of each level.
    pub levels: &'a [Vec<u8>],
}

/// Writes a texture as the shipped ones are written.
///
/// # Errors
/// `Limit` when a size does not fit the format, `Malformed` when the DDS cannot be written.
pub fn write(new: &NewTexture<'_>) -> Result<Vec<u8>> {
    let small = |value: u32| u8::try_from(value).ok().ok_or_else(|| too_large(value));
    let short = |value: u32| u16::try_from(value).ok().ok_or_else(|| too_large(value));
    let carried = u32::try_from(new.levels.len()).unwrap_or(u32::MAX);
    let levels = small(carried)?;
    let full_levels = small(carried.saturating_add(new.first_level))?;
    let unknown = [u8::from(new.first_level > 0), 2, 0, 0];
    let mut w = Writer::new();
    w.bytes(b"TEXR").value(VERSION);
    w.value([levels, levels.saturating_sub(1), 0, full_levels]).value(unknown);
    w.value(short(u32::try_from(new.name.len()).unwrap_or(u32::MAX))?).bytes(new.name.as_bytes());
    w.record(&FullSize {
        dimension: 3,
        width: short(new.width << new.first_level.min(15))?,
        height: short(new.height << new.first_level.min(15))?,
        depth: 1,
        levels: full_levels,
        array_size: 1,
        dxgi_format: surface::to_dxgi(new.format) as u32,
        unknown_0d: 0,
        unknown_11: 2,
        unknown_13: unknown,
    });
    let &NewTexture { format, width, height, .. } = new;
    let dds = NewSurface { levels: carried, ..NewSurface::flat(format, width, height) };
    let data: Vec<_> = new.levels.iter().map(Vec::as_slice).collect();
    w.bytes(&surface::write(&dds, &data)?);
    Ok(w.finish())
}

fn too_large(value: u32) -> Error {
    Error::limit(format!("{value} does not fit a TEXR field"))
}

/// Three levels of a four-level texture: 4 × 4, 2 × 2 and 1 × 1 pixels of BC3.
fn sample() -> Vec<u8> {
    let block: Vec<u8> = (0..16).collect();
    let levels = vec![block; 3];
    let new = NewTexture {
        name: "textures\\sample_d.tex0",
        format: PixelFormat::Bc3Unorm,
        width: 4,
        height: 4,
        first_level: 1,
        levels: &levels,
    };
    // The sizes are those above, which fit.
    write(&new).unwrap_or_default()
}

#[cfg(test)]
mod tests;
