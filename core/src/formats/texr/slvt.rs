//! SLVT version 4, a texture in a shell (`.slvt`) of Middle-earth: Shadow of War.
//!
//! | offset | type | name | meaning |
//! |---|---|---|---|
//! | 0x00 | char\[4\] | magic | `SLVT` |
//! | 0x04 | u32 | version | 4 |
//! | 0x08 | | unknown | a small header of unknown layout |
//! | | | texture | a [`super`] texture up to the end |
//!
//! No file of this kind has been seen, only described: the texture inside is found by its magic and
//! version within 256 bytes, and written right behind the version. A convention, not a proven layout.

use super::super::surface;
use crate::asset::{Asset, Kind};
use crate::error::Result;
use crate::format::Format;
use crate::parse::{Reader, Writer};

/// The row of the format table.
pub static FORMAT: Format = Format {
    id: "slvt",
    title: "SLVT v4 texture",
    game: "Middle-earth: Shadow of War",
    kind: Kind::Texture,
    extensions: &["slvt"],
    file_names: &[],
    magics: &[b"SLVT"],
    parse,
    sample,
};

/// The only version that is read.
pub const VERSION: u32 = 4;

/// How far the texture is searched for.
const SEARCHED: usize = 256;

/// The magic and the version of the texture inside.
const INSIDE: [u8; 8] = *b"TEXR\x08\0\0\0";

fn parse(r: &mut Reader<'_>) -> Result<Asset> {
    r.magic("magic", &[b"SLVT"])?;
    let version = r.u32("version")?;
    if version != VERSION {
        return Err(r.unsupported(format!("version {version}, expected {VERSION}")));
    }
    let Some(distance) = memchr::memmem::find(r.peek(SEARCHED + INSIDE.len()), &INSIDE) else {
        return Err(r.malformed(format!("no TEXR of version 8 follows within {SEARCHED} bytes")));
    };
    if distance > 0 {
        r.bytes("unknown", distance as u64)?;
        r.note(|| "what stands before the texture is not known".to_owned());
    }
    let texture = r.group("texture", super::read)?;
    surface::state_facts(r, Some(VERSION), &texture);
    Ok(Asset::Texture(texture))
}

/// Puts a texture into its shell.
pub fn write(texr: &[u8]) -> Vec<u8> {
    let mut w = Writer::new();
    w.bytes(b"SLVT").value(VERSION).bytes(texr);
    w.finish()
}

fn sample() -> Vec<u8> {
    write(&super::sample())
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;

    use super::*;
    use crate::format::inspect;
    use crate::task::Task;

    #[test]
    fn the_texture_is_found_behind_an_unknown_header() {
        for unknown in [0, 1, 24, SEARCHED] {
            let mut bytes = sample();
            bytes.splice(8..8, vec![0xEE; unknown]);
            let inspection = inspect(&Bytes::from(bytes), "a.slvt", &Task::new());
            let Ok(Some(Asset::Texture(texture))) = inspection.asset else { panic!("{unknown}") };
            assert_eq!((texture.width, texture.levels, texture.images.len()), (4, 3, 3));
            assert_eq!(inspection.warnings.lines().count(), 0);
        }
        let mut bytes = sample();
        bytes.splice(8..8, vec![0; SEARCHED + 1]);
        assert!(inspect(&Bytes::from(bytes), "a.slvt", &Task::new()).asset.is_err());
    }

    #[test]
    fn a_warning_about_the_texture_stands_at_its_own_offset() {
        let mut bytes = sample();
        bytes[8 + 8] = 9;
        let inspection = inspect(&Bytes::from(bytes), "a.slvt", &Task::new());
        let warnings: Vec<_> = inspection.warnings.lines().collect();
        assert!(warnings[0].contains("at 0x10"), "{warnings:?}");
    }
}
