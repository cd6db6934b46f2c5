//! LTAR version 4, the archive of Middle-earth: Shadow of War (`.arch06`).
//!
//! | offset | type | name | meaning |
//! |---|---|---|---|
//! | 0x00 | char\[4\] | magic | `LTAR`; `RATL` in the big-endian files of consoles |
//! | 0x04 | u32 | version | 4; 3 is the `.arch05` of Shadow of Mordor |
//! | 0x08 | u32 | names_size | bytes of the name pool |
//! | 0x0C | u32 | folder_count | folders, the root included |
//! | 0x10 | u32 | file_count | files |
//! | 0x14 | u32 | is_retail | 1 |
//! | 0x18 | u32 | is_downloadable | 0 |
//! | 0x1C | u32 | has_crc | 0 |
//! | 0x20 | u8\[16\] | guid | zero |
//! | 0x30 | | names | texts that end with a NUL: leaf names and full folder paths, each once |
//! | | 30 bytes each | files | [`FileRecord`] |
//! | | 16 bytes each | folders | [`FolderRecord`], in the order of their paths with a `\` behind |
//! | | | gap | 6 zero bytes per file |
//! | | | data | the entries, chunk chains |
//!
//! Files belong to folders in record order: folder 0 owns the first `file_count` records, the next
//! folder those that follow. Names fold case; both tables are sorted for the engine's binary search.
//! Unknown: what the three flags and the value 9 switch. Sources: notes on the engine's reader
//! (game version 1.21), two public unpackers, public ImHex patterns, and the parsed directory of
//! one shipped archive, which the tests rebuild record for record.

mod directory;
mod judge;
mod write;

pub use directory::{Directory, FolderEntry};
pub use write::{Builder, Packing};

use crate::asset::{Archive, ArchiveEntry, Asset, Kind};
use crate::error::Result;
use crate::format::Format;
use crate::parse::{Fact, MAX_RECORDED, Offset, Reader, Record as _, Ty, Warning};
use crate::path;
use crate::record;

/// The row of the format table.
pub static FORMAT: Format = Format {
    id: "ltar",
    title: "LTAR v4 archive",
    game: "Middle-earth: Shadow of War",
    kind: Kind::Archive,
    extensions: &["arch06"],
    file_names: &[],
    magics: &[b"LTAR", b"RATL"],
    parse,
    sample,
};

/// The only version that is read.
pub const VERSION: u32 = 4;

/// Where the name pool starts.
pub const NAMES_START: usize = 0x30;

/// No folder, in the links of a folder record.
pub const NONE: u32 = 0xFFFF_FFFF;

/// Bytes of the gap before the data, per file.
pub const GAP_PER_FILE: u64 = 6;

record! {
    /// One file, 30 bytes.
    pub struct FileRecord {
        /// Leaf name, bytes from the start of the name pool.
        name: Offset<u32>,
        /// First byte of the data, from the start of the archive.
        offset: Offset<u64>,
        /// Bytes of the data in the archive.
        stored: u64,
        /// Bytes of the file when decoded.
        size: u64,
        /// What reads it: 1 a chunk chain, 0 the whole file at once.
        reader: u8 => reader_name,
        /// 0 for plain bytes, anything else for the reader above; 9 in every shipped archive.
        level: u8 => level_name,
    }
}

record! {
    /// One folder, 16 bytes.
    pub struct FolderRecord {
        /// Full path, bytes from the start of the name pool; the root's is empty.
        name: Offset<u32>,
        /// Index of its first subfolder, 0xFFFFFFFF for none.
        first_child: u32 => link_name,
        /// Index of the next folder in the same folder, 0xFFFFFFFF for none.
        next_sibling: u32 => link_name,
        /// How many file records belong to it.
        file_count: u32,
    }
}

/// The value of [`FileRecord::reader`] in every shipped archive: a chunk chain.
pub const READER_CHUNKS: u8 = 1;

/// The value of [`FileRecord::level`] in every shipped archive.
pub const LEVEL: u8 = 9;

/// Bytes that the paths of a listing may have together; those of all shipped archives have half.
const MOST_LISTED: usize = 64 << 20;
/// What reads an entry.
fn reader_name(reader: u32) -> String {
    match reader {
        0 => "whole file",
        1 => "chunk chain",
        _ => "",
    }
    .to_owned()
}

/// Whether an entry is plain bytes.
fn level_name(level: u32) -> String {
    if level == 0 { "plain" } else { "" }.to_owned()
}

/// Where a link to no folder leads.
fn link_name(folder: u32) -> String {
    if folder == NONE { "none" } else { "" }.to_owned()
}

/// Reads the directory of an archive and judges every rule; payloads are not touched.
///
/// # Errors
/// A wrong magic or version, a big-endian file, tables that do not fit the file, or folders whose
/// paths would fill the memory; `Cancelled`.
pub fn open(r: &mut Reader<'_>) -> Result<Directory> {
    let mut directory = Directory::read(r)?;
    judge::judge(r, &mut directory)?;
    Ok(directory)
}

fn parse(r: &mut Reader<'_>) -> Result<Asset> {
    let directory = open(r)?;
    r.fact("version", || VERSION);
    r.fact("folders", || directory.folder_count());
    r.fact("files", || directory.file_count());
    r.fact("pool_bytes", || directory.names().len() as u64);
    r.fact("flags", || directory.flags().map(Fact::from).to_vec());
    record_data(r, &directory);
    let mut archive = Archive {
        folders: directory.folder_count().into(),
        entries: Vec::with_capacity(directory.files_len()),
    };
    let mut listed = 0;
    for folder in directory.folders() {
        r.check()?;
        for file in folder.files {
            let Some(record) = directory.file(file) else { continue };
            let path = path::join(folder.path, directory.leaf(file));
            listed += path.len();
            if listed > MOST_LISTED {
                warn_unlisted(r, &directory, file);
                return Ok(Asset::Archive(archive));
            }
            archive.entries.push(ArchiveEntry {
                path: path::to_text(&path).into_owned(),
                offset: record.offset.0,
                stored: record.stored,
                size: record.size,
            });
        }
    }
    Ok(Asset::Archive(archive))
}

/// Warns that the listing ends before a file.
fn warn_unlisted(r: &mut Reader<'_>, directory: &Directory, file: u32) {
    r.warn_at(|| Warning {
        field: format!("files[{file}]"),
        offset: directory.file_offset(file),
        len: FileRecord::LAYOUT.size as u64,
        text: format!("not listed from here on: the paths before have {} MB", MOST_LISTED >> 20),
    });
}

/// Records the data area: a node per entry in file order, bytes between entries stay unexplained.
fn record_data(r: &mut Reader<'_>, directory: &Directory) {
    if !r.is_recording() {
        return;
    }
    let (start, end) = (r.pos(), r.pos() + r.left());
    let mut entries: Vec<_> = (0..directory.file_count())
        .filter_map(|file| directory.file(file).map(|record| (record.offset.0, record.stored, file)))
        .filter(|(offset, stored, _)| {
            *stored > 0 && *offset >= start && end.saturating_sub(*offset) >= *stored
        })
        .collect();
    entries.sort_unstable();
    let count = entries.len() as u64;
    let shown = entries.iter().take(usize::try_from(MAX_RECORDED).unwrap_or(usize::MAX));
    let last = entries.last().map_or(start, |(offset, stored, _)| offset + stored);
    let _ = r.group("data", |r| {
        for (index, (offset, stored, file)) in (0..).zip(shown) {
            r.put(index, Ty::Bytes, *offset, *stored);
            r.note(|| path::to_text(directory.leaf(*file)).into_owned());
        }
        if let Some((offset, stored, _)) =
            entries.get(usize::try_from(MAX_RECORDED - 1).unwrap_or(usize::MAX))
            && count > MAX_RECORDED
        {
            let from = offset + stored;
            r.put("rest", Ty::Rest { count: count - MAX_RECORDED }, from, last.saturating_sub(from));
        }
        r.seek(end)
    });
}

/// A small archive with every feature: folders in folders, a shared leaf name, several chunks.
fn sample() -> Vec<u8> {
    let mut builder = Builder::new();
    builder.add("dlc\\blade.txt", b"Unlocked");
    builder.add("dlc4\\blade.txt", b"");
    builder.add("textures\\orc\\SWORD_D.tex", &vec![7; 70_000]);
    builder.add("readme.txt", b"read me");
    builder.finish()
}

#[cfg(test)]
mod tests;
