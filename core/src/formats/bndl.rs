//! BNDL version 6, the manifest of a bundle in Middle-earth: Shadow of War (`.bndl`).
//!
//! | offset | type | name | meaning |
//! |---|---|---|---|
//! | 0x00 | char\[4\] | magic | `BNDL`; `LDNB` in the big-endian files of consoles |
//! | 0x04 | u32 | version | 6 |
//! | 0x08 | u32 | paths_size | bytes of the paths, and so where the type stands behind their start |
//! | 0x0C | u32 | offsets_start | where the path offsets stand, bytes from the start of the paths |
//! | 0x10 | u32 | member_count | members, n |
//! | 0x14 | u32\[n\] | sizes | bytes of each member, [`SizeRow`] |
//! | | | paths | each with a NUL, filled with NULs to a multiple of 4 |
//! | | | type | a record of the game's category `Bundles/Types`, with a NUL, filled likewise |
//! | | u32\[n\] | path_offsets | [`PathRow`], in the order of the paths |
//!
//! A manifest is usually paired with a container (EMBB) of the same path stem. The length of the
//! type is `offsets_start - paths_size`, and not the constant that most files suggest. Sources: notes on
//! the engine's loader (225,338 of 225,338 manifests), a public unpacker, public ImHex patterns.

use super::bundle::{self, PathRow, Paths};
use crate::asset::{Asset, Kind, Manifest, Member};
use crate::error::Result;
use crate::format::Format;
use crate::parse::{Fact, Offset, Reader, Record as _, Table, Warning, Writer};
use crate::{path, record};

/// The row of the format table.
pub static FORMAT: Format = Format {
    id: "bndl",
    title: "BNDL v6 bundle manifest",
    game: "Middle-earth: Shadow of War",
    kind: Kind::Manifest,
    extensions: &["bndl"],
    file_names: &[],
    magics: &[b"BNDL", b"LDNB"],
    parse,
    sample,
};

/// The only version that is read.
pub const VERSION: u32 = 6;

/// Where the sizes start.
const HEADER: usize = 0x14;
/// Bytes that a member takes beside its path: its size and its path's offset.
const PER_MEMBER: u64 = 8;

record! {
    /// What a manifest says of one member, 4 bytes.
    pub struct SizeRow {
        /// Bytes of the member.
        size: u32,
    }
}

/// A manifest that was read.
#[derive(Debug)]
pub struct Bundle<'a> {
    paths: Paths<'a>,
    sizes: Table<'a, SizeRow>,
    /// The type, as stored; empty in manifests without members.
    pub kind: &'a [u8],
}

impl<'a> Bundle<'a> {
    /// The members in order: their paths, empty where there is none, and their sizes.
    pub fn members(&self) -> impl ExactSizeIterator<Item = (&'a [u8], u32)> + '_ {
        self.sizes.iter().enumerate().map(|(at, row)| (self.paths.get(at), row.size))
    }
}

impl Bundle<'_> {
    /// Bytes of the container that mirrors this manifest.
    pub fn predicted(&self) -> u64 {
        let sizes: u64 = self.sizes.iter().map(|row| bundle::SIZE_WORD + u64::from(row.size)).sum();
        let offsets = (self.sizes.len() * PathRow::LAYOUT.size) as u64;
        bundle::HEADER as u64 + self.paths.bytes() + offsets + sizes
    }
}

/// Reads a manifest and judges every rule.
///
/// # Errors
/// A wrong magic or version, a big-endian file, sizes that do not fit the file; `Cancelled`.
pub fn open<'a>(r: &mut Reader<'a>) -> Result<Bundle<'a>> {
    let (paths_size, offsets_start, count) = r.group("header", |r| {
        if r.magic("magic", &[b"BNDL", b"LDNB"])? == 1 {
            return Err(r.unsupported("a big-endian manifest of a console"));
        }
        let version = r.u32("version")?;
        if version != VERSION {
            return Err(r.unsupported(format!("version {version}, expected {VERSION}")));
        }
        let words = [r.u32("paths_size")?, r.u32("offsets_start")?, r.u32("member_count")?];
        settle(r, words)
    })?;
    let sizes = r.table::<SizeRow>("sizes", count.into(), None)?;
    let paths = Paths::read(r, paths_size)?;
    let kind = r.text("type", (offsets_start - paths_size).into())?;
    let rows = r.table::<PathRow>("path_offsets", count.into(), Some(row_note))?;
    paths.judge(r, &rows)?;
    if r.left() > 0 {
        let left = r.left();
        r.bytes("trailing", left)?;
        r.warn(format!("{left} bytes after the last path offset"));
    }
    let end = memchr::memchr(0, kind).unwrap_or(kind.len());
    Ok(Bundle { paths, sizes, kind: kind.get(..end).unwrap_or_default() })
}

/// The size of the paths, the start of the offsets and the count, as the header says them. One that
/// disagrees with the paths and with the length of the file, where the others agree, is made up for.
fn settle(r: &mut Reader<'_>, words: [u32; 3]) -> Result<(u32, u32, u32)> {
    let [paths_size, offsets_start, count] = words;
    let left = r.left();
    // The texts behind the sizes of so many members.
    let texts = |count: u64, size: u32| {
        let start = usize::try_from(count).unwrap_or(usize::MAX).saturating_mul(SizeRow::LAYOUT.size);
        r.peek(start.saturating_add(size as usize)).get(start..).unwrap_or_default()
    };
    let is_right = |count: u64, start: u32| {
        paths_size <= start && Paths::end(texts(count, paths_size), count) == Some(paths_size as usize)
    };
    if PER_MEMBER * u64::from(count) + u64::from(offsets_start) == left {
        let end = Paths::end(texts(count.into(), offsets_start), count.into());
        let end = end.and_then(|end| u32::try_from(end).ok()).unwrap_or(paths_size);
        if end > offsets_start {
            let text = format!("{paths_size:#X}, and the offsets start at {offsets_start:#X}");
            return Err(r.malformed(text));
        }
        if end != paths_size {
            warn(r, "paths_size", 0x08, format!("{paths_size:#X}, the last path ends at {end:#X}"));
        }
        return Ok((end, offsets_start, count));
    }
    let text = format!("{count} members and {offsets_start:#X} bytes of names do not make up the file");
    let members = left.saturating_sub(offsets_start.into());
    let found = u32::try_from(members / PER_MEMBER).ok();
    if let Some(found) =
        found.filter(|found| members.is_multiple_of(PER_MEMBER) && is_right((*found).into(), offsets_start))
    {
        warn(r, "member_count", 0x10, format!("{text}; {found} members do"));
        return Ok((paths_size, offsets_start, found));
    }
    let names = left.checked_sub(PER_MEMBER * u64::from(count)).and_then(|names| u32::try_from(names).ok());
    if let Some(names) = names.filter(|names| is_right(count.into(), *names)) {
        warn(r, "offsets_start", 0x0C, format!("{text}; {names:#X} bytes do"));
        return Ok((paths_size, names, count));
    }
    Err(r.malformed(text))
}

/// Warns about a word of the header.
fn warn(r: &mut Reader<'_>, field: &str, offset: u64, text: String) {
    r.warn_at(|| Warning { field: format!("header.{field}"), offset, len: size_of::<u32>() as u64, text });
}

fn parse(r: &mut Reader<'_>) -> Result<Asset> {
    let bundle = open(r)?;
    r.fact("version", || VERSION);
    r.fact("type", || path::to_text(bundle.kind).into_owned());
    let members: Vec<_> = bundle
        .members()
        .map(|(path, size)| Member { path: path::to_text(path).into(), hash: None, size: Some(size.into()) })
        .collect();
    r.fact("members", || {
        let fact = |member: &Member| {
            let path = ("path", member.path.to_string().into());
            Fact::Map(vec![path, ("size", member.size.unwrap_or_default().into())])
        };
        members.iter().map(fact).collect::<Vec<_>>()
    });
    Ok(Asset::Manifest(Manifest { members, kind: Some(path::to_text(bundle.kind).into()) }))
}

fn row_note(row: &[u8], file: &[u8]) -> String {
    let start = bundle::word(file, 0x10)
        .and_then(|count| HEADER.checked_add(count.checked_mul(SizeRow::LAYOUT.size)?));
    bundle::path_note(row, file, start)
}

/// Writes the manifest of a bundle of a type with these members.
pub fn write(kind: &str, members: &[(&str, u32)]) -> Vec<u8> {
    let word = |value: usize| u32::try_from(value).unwrap_or(u32::MAX);
    let paths: Vec<_> = members.iter().map(|(path, _)| *path).collect();
    let (paths, starts) = bundle::write(&paths);
    let mut names = Writer::new();
    names.bytes(&paths);
    if !kind.is_empty() {
        names.cstr(kind.as_bytes()).align(4, 0);
    }
    let mut w = Writer::new();
    w.bytes(b"BNDL")
        .value(VERSION)
        .value(word(paths.len()))
        .value(word(names.len()))
        .value(word(members.len()));
    for (_, size) in members {
        w.record(&SizeRow { size: *size });
    }
    w.bytes(&names.finish());
    for start in starts {
        w.record(&PathRow { path: Offset(start) });
    }
    w.finish()
}

/// Three members, one without a byte.
fn sample() -> Vec<u8> {
    write(
        "Bundles/Types/Presentation",
        &[("characters\\orc\\orc_d.tex", 8_000), ("characters\\orc\\orc.mat", 13), ("a.b", 0)],
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::inspect;
    use crate::task::Task;

    fn parsed(bytes: Vec<u8>) -> (Result<Manifest>, Vec<String>) {
        let inspection = inspect(&bytes.into(), "a.bndl", &Task::new());
        let manifest = inspection.asset.map(|asset| match asset {
            Some(Asset::Manifest(manifest)) => manifest,
            other => panic!("{other:?}"),
        });
        (manifest, inspection.warnings.lines().collect())
    }

    fn listed(manifest: &Manifest) -> Vec<(&str, u64)> {
        manifest.members.iter().map(|member| (&*member.path, member.size.unwrap())).collect()
    }

    #[test]
    fn what_is_written_comes_back() {
        for count in [0, 1, 2, 1500] {
            let members: Vec<_> = (0..count).map(|at| (format!("m\\{at}.mat"), at)).collect();
            let members: Vec<_> = members.iter().map(|(path, size)| (path.as_str(), *size)).collect();
            for kind in ["", "Bundles/Types/Sound_1"] {
                let (manifest, warnings) = parsed(write(kind, &members));
                let manifest = manifest.unwrap();
                assert_eq!(manifest.kind.as_deref(), Some(kind));
                let expected: Vec<_> = members.iter().map(|(path, size)| (*path, u64::from(*size))).collect();
                assert_eq!((listed(&manifest), warnings.len()), (expected, 0));
            }
        }
    }

    #[test]
    fn a_type_of_the_shipped_length_puts_the_offsets_28_behind_the_type() {
        let bytes = write("Bundles/Types/Presentation", &[("a.tex", 1)]);
        assert_eq!(bundle::word(&bytes, 0x0C).unwrap() - bundle::word(&bytes, 0x08).unwrap(), 28);
        assert_eq!(bytes.len(), 20 + 8 + bundle::word(&bytes, 0x0C).unwrap());
    }

    #[test]
    fn a_flipped_count_or_offset_is_one_warning_there_and_no_member_is_lost() {
        let whole = parsed(sample()).0.unwrap();
        let rows = sample().len() - 3 * 4;
        let header = [("paths_size", 0x08), ("offsets_start", 0x0C), ("member_count", 0x10)];
        let header = header.map(|(field, at)| (at, format!("header.{field} at {at:#X}: ")));
        let rows = [0, 1, 2].map(|row| {
            let at = rows + 4 * row;
            (at, format!("path_offsets[{row}].path at {at:#X}: "))
        });
        for (at, place) in header.into_iter().chain(rows) {
            for bit in 0..32 {
                let mut bytes = sample();
                bytes[at + bit / 8] ^= 1 << (bit % 8);
                let (manifest, warnings) = parsed(bytes);
                assert_eq!(manifest.unwrap(), whole, "{place}bit {bit}");
                assert!(warnings.len() == 1 && warnings[0].starts_with(&place), "{place}{warnings:?}");
            }
        }
    }

    #[test]
    fn other_versions_and_consoles_are_named() {
        let refused = |at: usize, with: &[u8]| {
            let mut bytes = sample();
            bytes[at..at + with.len()].copy_from_slice(with);
            parsed(bytes).0.unwrap_err().to_string()
        };
        assert!(refused(4, &[4]).contains("version 4, expected 6"));
        assert!(refused(0, b"LDNB").contains("big-endian"));
        assert!(refused(8, &[0; 8]).contains("3 members and 0x0 bytes of names do not make up the file"));
    }

    #[test]
    fn paths_that_reach_behind_the_start_of_the_offsets_are_an_error() {
        let mut w = Writer::new();
        w.bytes(b"BNDL").value(VERSION).value([4u32, 0, 9, 1]).bytes(b"abc\0");
        let error = parsed(w.finish()).0.unwrap_err().to_string();
        assert!(error.contains("9 members and 0x0 bytes of names do not make up the file"), "{error}");
    }
}
