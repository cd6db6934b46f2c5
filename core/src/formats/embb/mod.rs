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
//! Only the size words tell where the next section starts, and the last section ends with the file. Where
//! that is not so, the walk ends at the first word that cannot be, or at the one that has to be wrong for
//! the others to fit the file; what came before it stays. Sources: notes on the engine's loader (190,407 of 190,407
//! containers), a public unpacker, public ImHex patterns.

pub(crate) mod repair;
mod sections;

use std::ops::Range;

use self::sections::size_at;
pub use self::sections::{Sections, Stop};
use super::bundle::{self, PathRow, Paths};
pub use super::bundle::{HEADER, SIZE_WORD};
use crate::asset::{Archive, ArchiveEntry, Asset, Kind};
use crate::error::Result;
use crate::format::Format;
use crate::parse::{Fact, Offset, Reader, Record as _, Warning, Writer};
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

fn parse(r: &mut Reader<'_>) -> Result<Asset> {
    let head = Head::read(r)?;
    let (ranges, stop) = read_sections(r, head.count())?;
    let entries: Vec<_> = ranges
        .into_iter()
        .enumerate()
        .map(|(member, range)| {
            let size = range.end - range.start;
            let path = path::to_text(head.path(member)).into_owned();
            ArchiveEntry { path, offset: range.start, stored: size, size }
        })
        .collect();
    read_rest(r, head.count(), stop)?;
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

/// Reads the sections, up to a size word that is wrong, and says what ended the walk before its time.
fn read_sections(r: &mut Reader<'_>, count: u64) -> Result<(Vec<Range<u64>>, Option<Stop>)> {
    let data = r.data();
    let mut sections = Sections::new(r.pos(), data.len() as u64, count);
    // How many there are is known before they are read as a list.
    let mut ahead = sections.clone();
    let mut stop = None;
    while stop.is_none() && ahead.is_open() {
        stop = ahead.take(size_at(data, ahead.at())).err();
    }
    let stop = match stop.or_else(|| ahead.left_over()) {
        Some(stop) => Some(repair::place(data, &sections, stop, || r.check())?),
        None => None,
    };
    let whole = stop.as_ref().map_or(count, |stop| stop.section);
    let ranges = r.list("sections", whole, SIZE_WORD, |r, index| {
        r.group(index, |r| {
            let size = r.u32("size")?;
            let range = sections.take(Some(size)).map_err(|stop| r.malformed(stop.text))?;
            r.bytes("data", size.into())?;
            Ok(range)
        })
    })?;
    Ok((ranges, stop))
}

/// Reads what lies behind the sections that are read, and warns where the walk ended before its time.
fn read_rest(r: &mut Reader<'_>, count: u64, stop: Option<Stop>) -> Result<()> {
    let Some(Stop { section, at, text }) = stop else { return Ok(()) };
    if section == count {
        r.bytes("trailing", r.left())?;
        r.warn(text);
        return Ok(());
    }
    let len = SIZE_WORD.min(r.left());
    if len == SIZE_WORD {
        r.u32("size")?;
    }
    let text = format!("section {section}: {text}");
    r.warn_at(|| Warning { field: "size".to_owned(), offset: at, len, text });
    if r.left() > 0 {
        r.bytes("trailing", r.left())?;
    }
    Ok(())
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
mod tests;
