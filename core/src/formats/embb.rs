//! EMBB version 5, the container of a bundle in Middle-earth: Shadow of War (`.embb`).
//!
//! | offset | type | name | meaning |
//! |---|---|---|---|
//! | 0x00 | char\[4\] | magic | `EMBB`; `BBME` in the big-endian files of consoles |
//! | 0x04 | u32 | version | 5 |
//! | 0x08 | u32 | paths_size | bytes of the paths |
//! | 0x0C | u32 | member_count | members, n |
//! | 0x10 | | paths | each with a NUL, filled with NULs to a multiple of 4 |
//! | | u32\[n\] | path_offsets | [`PathRow`], in the order of the paths |
//! | | | sections | of each member a u32 `size` and as many bytes, without padding |
//!
//! Only the size words tell where the next section starts: the walk over them ends at the first that
//! cannot be, and what came before it stays. Sources: notes on the engine's loader (190,407 of 190,407
//! containers), a public unpacker, public ImHex patterns.

use std::ops::Range;

use super::bundle::{self, PathRow, Paths};
pub use super::bundle::{HEADER, SIZE_WORD};
use crate::asset::{Archive, ArchiveEntry, Asset, Kind};
use crate::error::Result;
use crate::format::Format;
use crate::parse::{Fact, Offset, Reader, Record as _, Writer};
use crate::path;

/// The row of the format table.
pub static FORMAT: Format = Format {
    id: "embb",
    title: "EMBB v5 bundle container",
    game: "Middle-earth: Shadow of War",
    kind: Kind::Archive,
    extensions: &["embb"],
    file_names: &[],
    magics: &[b"EMBB", b"BBME"],
    parse,
    sample,
};

/// The only version that is read.
pub const VERSION: u32 = 5;

/// Everything before the sections of a container.
#[derive(Debug)]
pub struct Head<'a> {
    paths: Paths<'a>,
    count: u64,
}

impl<'a> Head<'a> {
    /// Bytes of the paths behind a header, as it says itself.
    pub fn paths_size(header: &[u8; HEADER]) -> u64 {
        bundle::word(header, 0x08).unwrap_or_default() as u64
    }

    /// Bytes of a head with these paths; they, and no count, say how many members there are.
    pub fn size(paths: &[u8]) -> u64 {
        let count = Paths::scan(paths).len();
        (HEADER + paths.len() + count * PathRow::LAYOUT.size) as u64
    }

    /// Reads a head and judges its rules. Where the paths are more or fewer than the members that are
    /// counted, they count.
    ///
    /// # Errors
    /// A wrong magic or version, a big-endian file, paths that do not fit the file; `Cancelled`.
    pub fn read(r: &mut Reader<'a>) -> Result<Self> {
        let (paths_size, count) = r.group("header", |r| {
            if r.magic("magic", &[b"EMBB", b"BBME"])? == 1 {
                return Err(r.unsupported("a big-endian container of a console"));
            }
            let version = r.u32("version")?;
            if version != VERSION {
                return Err(r.unsupported(format!("version {version}, expected {VERSION}")));
            }
            let paths_size = r.u32("paths_size")?;
            let count = r.u32("member_count")?;
            let ahead = r.peek(paths_size as usize);
            let paths = Paths::scan(ahead).len() as u64;
            if ahead.len() == paths_size as usize && paths != u64::from(count) {
                r.warn(format!("{count} members, and {paths} paths"));
                return Ok((paths_size, paths));
            }
            Ok((paths_size, count.into()))
        })?;
        let paths = Paths::read(r, paths_size)?;
        let rows = r.table::<PathRow>("path_offsets", count, Some(row_note))?;
        paths.judge(r, &rows)?;
        Ok(Self { paths, count })
    }

    /// How many members there are.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The path of a member; empty where there is none.
    pub fn path(&self, member: usize) -> &'a [u8] {
        self.paths.get(member)
    }
}

/// Where the sections of a container lie, told by their size words alone.
#[derive(Clone, Debug)]
pub struct Sections {
    at: u64,
    end: u64,
}

impl Sections {
    /// The sections from `at` to the end of a container.
    pub const fn new(at: u64, end: u64) -> Self {
        Self { at, end }
    }

    /// Where the next size word stands.
    pub const fn at(&self) -> u64 {
        self.at
    }

    /// Takes the next section by its size: where its bytes lie, or what is wrong with the size.
    ///
    /// # Errors
    /// When there is no byte, or one past the end.
    pub fn take(&mut self, size: u32) -> Result<Range<u64>, String> {
        let start = self.at + SIZE_WORD;
        let left = self.end.saturating_sub(start);
        if size == 0 {
            return Err("a section without a byte: the walk ends here".to_owned());
        }
        if u64::from(size) > left {
            return Err(format!("a section of {size} bytes, {left} are left: the walk ends here"));
        }
        self.at = start + u64::from(size);
        Ok(start..self.at)
    }
}

fn parse(r: &mut Reader<'_>) -> Result<Asset> {
    let head = Head::read(r)?;
    let ranges = read_sections(r, head.count())?;
    let entries: Vec<_> = ranges
        .into_iter()
        .enumerate()
        .map(|(member, range)| {
            let size = range.end - range.start;
            let path = path::to_text(head.path(member)).into_owned();
            ArchiveEntry { path, offset: range.start, stored: size, size }
        })
        .collect();
    if r.left() > 0 {
        let left = r.left();
        r.bytes("trailing", left)?;
        if entries.len() as u64 == head.count() {
            r.warn(format!("{left} bytes after the last section"));
        }
    }
    r.fact("version", || VERSION);
    r.fact("members", || {
        let fact = |entry: &ArchiveEntry| {
            let path = ("path", entry.path.clone().into());
            Fact::Map(vec![path, ("size", entry.size.into()), ("offset", entry.offset.into())])
        };
        entries.iter().map(fact).collect::<Vec<_>>()
    });
    Ok(Asset::Archive(Archive { folders: 0, entries }))
}

/// Reads sections up to the first that cannot be, which is a warning.
fn read_sections(r: &mut Reader<'_>, count: u64) -> Result<Vec<Range<u64>>> {
    let mut sections = Sections::new(r.pos(), r.pos() + r.left());
    // How many there are is known before they are read as a list.
    let (mut whole, mut ahead) = (0, sections.clone());
    let data = r.data();
    let size_at = |at: u64| {
        let at = usize::try_from(at).unwrap_or(usize::MAX);
        bundle::word(data, at).and_then(|size| u32::try_from(size).ok())
    };
    while whole < count && size_at(ahead.at()).is_some_and(|size| ahead.take(size).is_ok()) {
        whole += 1;
    }
    let ranges = r.list("sections", whole, SIZE_WORD, |r, index| {
        r.group(index, |r| {
            let size = r.u32("size")?;
            let range = sections.take(size).map_err(|text| r.malformed(text))?;
            r.bytes("data", size.into())?;
            Ok(range)
        })
    })?;
    if whole < count {
        let size = r.u32("size");
        let text = match size {
            Ok(size) => sections.take(size).err().unwrap_or_default(),
            Err(_) => format!("the file ends, {} of {count} sections are there", ranges.len()),
        };
        r.warn(format!("section {whole}: {text}"));
    }
    Ok(ranges)
}

fn row_note(row: &[u8], file: &[u8]) -> String {
    bundle::path_note(row, file, Some(HEADER))
}

/// Writes a container with these members.
pub fn write(members: &[(&str, &[u8])]) -> Vec<u8> {
    let word = |value: usize| u32::try_from(value).unwrap_or(u32::MAX);
    let paths: Vec<_> = members.iter().map(|(path, _)| *path).collect();
    let (paths, starts) = bundle::write(&paths);
    let mut w = Writer::new();
    w.bytes(b"EMBB").value(VERSION).value(word(paths.len())).value(word(members.len())).bytes(&paths);
    for start in starts {
        w.record(&PathRow { path: Offset(start) });
    }
    for (_, data) in members {
        w.value(word(data.len())).bytes(data);
    }
    w.finish()
}

/// Three members.
fn sample() -> Vec<u8> {
    write(&[("characters\\orc\\orc_d.tex", b"TEXR and levels"), ("orc.mat", b"shader=skin"), ("a.b", b"1")])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::inspect;
    use crate::task::Task;

    fn parsed(bytes: &[u8]) -> (Result<Vec<ArchiveEntry>>, Vec<String>) {
        let inspection = inspect(&bytes.to_vec().into(), "a.embb", &Task::new());
        let entries = inspection.asset.map(|asset| match asset {
            Some(Asset::Archive(archive)) => archive.entries,
            other => panic!("{other:?}"),
        });
        (entries, inspection.warnings.lines().collect())
    }

    #[test]
    fn what_is_written_comes_back() {
        assert_eq!(write(&[]).len(), 16);
        for count in [0, 1, 2, 1500] {
            let members: Vec<_> =
                (0..count).map(|at| (format!("m\\{at}.mat"), vec![7u8; at % 9 + 1])).collect();
            let members: Vec<_> = members.iter().map(|(path, data)| (path.as_str(), &**data)).collect();
            let bytes = write(&members);
            let (entries, warnings) = parsed(&bytes);
            let read: Vec<_> = entries
                .as_ref()
                .unwrap()
                .iter()
                .map(|entry| {
                    let [start, size] =
                        [entry.offset, entry.size].map(|value| usize::try_from(value).unwrap());
                    (&*entry.path, &bytes[start..][..size])
                })
                .collect();
            assert_eq!((read, warnings.len()), (members, 0));
        }
    }

    #[test]
    fn a_section_that_cannot_be_ends_the_walk_and_those_before_it_stay() {
        // The second size word.
        let at = sample().len() - (4 + 1) - (4 + b"shader=skin".len());
        for (size, reason) in [(0u32, "without a byte"), (1 << 20, "1048576 bytes, 16 are left")] {
            let mut bytes = sample();
            bytes[at..at + 4].copy_from_slice(&size.to_le_bytes());
            let (entries, warnings) = parsed(&bytes);
            let paths: Vec<_> = entries.unwrap().into_iter().map(|entry| entry.path).collect();
            assert_eq!(paths, ["characters\\orc\\orc_d.tex"]);
            assert_eq!(warnings.len(), 1, "{warnings:?}");
            assert!(warnings[0].starts_with(&format!("size at {at:#X}: section 1: ")), "{warnings:?}");
            assert!(warnings[0].contains(reason), "{warnings:?}");
        }
        let (entries, warnings) = parsed(&sample()[..at + 2]);
        assert_eq!((entries.unwrap().len(), warnings.len()), (1, 1), "{warnings:?}");
    }

    #[test]
    fn a_flipped_count_or_offset_is_one_warning_and_no_member_is_lost() {
        let whole = parsed(&sample()).0.unwrap();
        let offsets = HEADER + bundle::word(&sample(), 8).unwrap();
        for bit in 0..8 {
            for (at, field) in
                [(0x0C, "header.member_count at 0xC"), (offsets + 4, "path_offsets[1].path at")]
            {
                let mut bytes = sample();
                bytes[at] ^= 1 << bit;
                let (entries, warnings) = parsed(&bytes);
                assert_eq!((entries.unwrap(), warnings.len()), (whole.clone(), 1), "{warnings:?}");
                assert!(warnings[0].starts_with(field), "{warnings:?}");
            }
        }
    }

    #[test]
    fn the_size_of_a_head_is_known_from_its_paths() {
        let sample = sample();
        let expected = HEADER + bundle::word(&sample, 8).unwrap() + 3 * 4;
        let paths = Head::paths_size(sample.first_chunk().unwrap());
        assert_eq!(HEADER as u64 + paths + 12, expected as u64);
        assert_eq!(Head::size(&sample[HEADER..expected - 12]), expected as u64);
    }
}
