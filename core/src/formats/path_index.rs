//! The path index of Middle-earth: Shadow of War (`archivepatchloosefiles.txt`).
//!
//! | type | name | meaning |
//! |---|---|---|
//! | u32 | version | 1 |
//! | u32 | names_size | bytes of the names |
//! | | names | full paths that end with a NUL, without padding |
//! | u32 | row_count | rows |
//! | 8 bytes each | rows | [`Row`], sorted by hash |
//!
//! It is the first entry of 37 of the shipped archives and lists their loose files; it may name
//! paths that its archive does not hold. It carries no magic, so its file name decides. Sources:
//! notes on the engine's reader (73,038 of 73,038 rows hash as stated), two exported indexes.

use crate::asset::{Asset, Manifest, Member};
use crate::error::Result;
use crate::format::Format;
use crate::hash::string_hash;
use crate::parse::{Endian, Hash, Offset, Reader, Record as _, Warning, Writer};
use crate::path;
use crate::record;

/// The row of the format table.
pub static FORMAT: Format = Format {
    id: "path_index",
    title: "Path index",
    game: "Middle-earth: Shadow of War",
    extensions: &[],
    file_names: &["archivepatchloosefiles.txt"],
    magics: &[],
    parse,
    sample,
};

/// The only version that is read.
pub const VERSION: u32 = 1;

const NAMES_START: usize = 8;

record! {
    /// One path, 8 bytes.
    pub struct Row {
        /// StringHash of the path, as written with backslashes.
        hash: Hash,
        /// The path, bytes from the start of the names.
        name: Offset<u32>,
    }
}

fn parse(r: &mut Reader<'_>) -> Result<Asset> {
    let version = r.u32("version")?;
    if version != VERSION {
        return Err(r.unsupported(format!("version {version}, expected {VERSION}")));
    }
    let names_size = r.u32("names_size")?;
    let names = r.cstrs("names", names_size.into())?;
    let row_count = r.u32("row_count")?;
    let rows = r.table::<Row>("rows", row_count.into(), Some(row_note))?;
    if r.left() > 0 {
        let left = r.left();
        r.bytes("trailing", left)?;
        r.warn(format!("{left} bytes after the last row"));
    }
    r.fact("version", || version);
    r.fact("rows", || row_count);
    r.fact("names_size", || names_size);

    let mut members = Vec::with_capacity(rows.len());
    let mut before = None;
    for (index, row) in rows.iter().enumerate() {
        let offset = rows.offset_of(index);
        let mut warn = |field: &str, at: u64, text: String| {
            r.warn_at(|| Warning {
                field: format!("rows[{index}].{field}"),
                offset: offset + at,
                len: 4,
                text,
            });
        };
        if before.is_some_and(|before| before > row.hash) {
            warn("hash", 0, "the rows are not sorted by hash".to_owned());
        }
        before = Some(row.hash);
        let name = name_at(names, row.name.0);
        match name {
            Some(name) if string_hash(name) != row.hash.0 => {
                warn(
                    "hash",
                    0,
                    format!("0x{:08X}, the path hashes to 0x{:08X}", row.hash.0, string_hash(name)),
                );
            }
            Some(_) => {}
            None => warn("name", 4, format!("{:#X} is not the start of a name", row.name.0)),
        }
        let path = name.map(|name| path::to_text(name).into_owned()).unwrap_or_default();
        members.push(Member { path, hash: Some(row.hash.0) });
    }
    Ok(Asset::Manifest(Manifest { members }))
}

/// The name that starts at an offset; `None` inside another name or outside.
fn name_at(names: &[u8], offset: u32) -> Option<&[u8]> {
    let at = offset as usize;
    let starts = at == 0 || names.get(at - 1) == Some(&0);
    let ahead = names.get(at..).filter(|ahead| starts && !ahead.is_empty())?;
    ahead.get(..memchr::memchr(0, ahead).unwrap_or(ahead.len()))
}

/// What a row stands for in the structure panel: its path.
fn row_note(row: &[u8], index: &[u8]) -> String {
    let row = Row::read(row, Endian::Little);
    let names = index.get(NAMES_START..).unwrap_or_default();
    name_at(names, row.name.0).map(|name| path::to_text(name).into_owned()).unwrap_or_default()
}

/// Writes the index of these paths, in their given order, rows by hash.
pub fn write(paths: &[&str]) -> Vec<u8> {
    let word = |value: usize| u32::try_from(value).unwrap_or(u32::MAX);
    let mut names = Vec::new();
    let mut rows: Vec<_> = paths
        .iter()
        .map(|path| {
            let name = Offset(word(names.len()));
            names.extend_from_slice(path.as_bytes());
            names.push(0);
            Row { hash: Hash(string_hash(path.as_bytes())), name }
        })
        .collect();
    rows.sort_by_key(|row| row.hash);
    let mut w = Writer::new();
    w.value(VERSION).value(word(names.len())).bytes(&names).value(word(rows.len()));
    for row in &rows {
        w.record(row);
    }
    w.finish()
}

/// Three paths.
fn sample() -> Vec<u8> {
    write(&["database\\game\\game.gamedb", "textures\\sword_d.tex", "sounds\\sword.bnk"])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::inspect;
    use crate::task::Task;

    const NAME: &str = "archivepatchloosefiles.txt";

    fn parsed(bytes: Vec<u8>) -> (Manifest, Vec<String>) {
        let inspection = inspect(&bytes.into(), NAME, &Task::new());
        let Ok(Some(Asset::Manifest(manifest))) = inspection.asset else { panic!("{:?}", inspection.asset) };
        (manifest, inspection.warnings.lines().collect())
    }

    #[test]
    fn what_is_written_comes_back_sorted_by_hash() {
        let (manifest, warnings) = parsed(sample());
        assert_eq!(warnings, [""; 0]);
        assert!(manifest.members.is_sorted_by_key(|member| member.hash));
        let mut paths: Vec<_> = manifest.members.iter().map(|member| member.path.as_str()).collect();
        paths.sort_unstable();
        assert_eq!(paths, ["database\\game\\game.gamedb", "sounds\\sword.bnk", "textures\\sword_d.tex"]);
    }

    #[test]
    fn the_index_of_hot_chunk_has_its_shipped_size() {
        let mut paths = vec!["database\\game\\game.gamedb".to_owned()];
        for language in 0..14 {
            let folder = format!("database\\string\\l{language:03}");
            paths.extend([format!("{folder}\\string.strdb"), format!("{folder}\\string_uwp.strdb")]);
        }
        paths.push("globalbundles\\globaldatabase.bndl".to_owned());
        paths.extend((0..17).map(|n| format!("globalbundles\\globalresources_l{n:03}.bndl")));
        let paths: Vec<_> = paths.iter().map(String::as_str).collect();
        assert_eq!(paths.len(), 47);
        let bytes = write(&paths);
        assert_eq!(bytes.len(), 2136);
        assert_eq!(parsed(bytes).0.members.len(), 47);
    }

    #[test]
    fn wrong_hashes_and_offsets_are_warnings() {
        let mut bytes = sample();
        let rows = bytes.len() - 24;
        bytes[rows + 4] = 1;
        bytes[rows + 8] ^= 1;
        let (manifest, warnings) = parsed(bytes);
        assert_eq!(manifest.members.len(), 3);
        assert_eq!(manifest.members[0].path, "");
        assert!(warnings[0].contains("rows[0].name at 0x50: 0x1 is not the start of a name"), "{warnings:?}");
        assert!(warnings[1].contains("rows[1].hash"), "{warnings:?}");
    }
}
