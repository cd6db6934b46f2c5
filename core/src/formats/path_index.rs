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

use std::collections::HashMap;
use std::sync::Arc;

use crate::asset::{Asset, Kind, Manifest, Member};
use crate::error::Result;
use crate::format::Format;
use crate::hash::string_hash;
use crate::parse::{Endian, Hash, Offset, Reader, Record as _, Warning, Writer};
use crate::path::{self, InPool};
use crate::record;

/// The row of the format table.
pub static FORMAT: Format = Format {
    id: "path_index",
    title: "Path index",
    game: "Middle-earth: Shadow of War",
    kind: Kind::Manifest,
    extensions: &[],
    file_names: &["archivepatchloosefiles.txt"],
    magics: &[],
    parse,
    sample,
};

/// The only version that is read.
pub const VERSION: u32 = 1;

const NAMES_START: usize = 8;

/// Rows between two looks at the task.
const STEP: usize = 4096;

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
    // Rows may share a name: it is copied and hashed once.
    let mut known: HashMap<u32, Known> = HashMap::new();
    for (index, row) in rows.iter().enumerate() {
        if index.is_multiple_of(STEP) {
            r.check()?;
        }
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
        let name = known.entry(row.name.0).or_insert_with(|| Known::at(names, row.name.0));
        match name.hash {
            Ok(hash) if hash != row.hash.0 => {
                warn("hash", 0, format!("0x{:08X}, the path hashes to 0x{hash:08X}", row.hash.0));
            }
            Ok(_) => {}
            Err(InPool::TooLong) => {
                warn("name", 4, format!("a name of more than {} bytes, which does not count", path::LONGEST));
            }
            Err(_) => warn("name", 4, format!("{:#X} is not the start of a name", row.name.0)),
        }
        members.push(Member { path: Arc::clone(&name.path), hash: Some(row.hash.0), size: None });
    }
    Ok(Asset::Manifest(Manifest { members, kind: None }))
}

/// A name that rows point to.
struct Known {
    path: Arc<str>,
    /// Its hash, or what is there instead of a name.
    hash: Result<u32, InPool<'static>>,
}

impl Known {
    fn at(names: &[u8], offset: u32) -> Self {
        let nothing = |found| Self { path: Arc::default(), hash: Err(found) };
        match name_at(names, offset) {
            InPool::Name(name) => Self { path: path::to_text(name).into(), hash: Ok(string_hash(name)) },
            InPool::TooLong => nothing(InPool::TooLong),
            InPool::Outside => nothing(InPool::Outside),
        }
    }
}

/// The name that starts at an offset; inside another name there is none.
fn name_at(names: &[u8], offset: u32) -> InPool<'_> {
    match (offset as usize).checked_sub(1) {
        Some(before) if names.get(before) != Some(&0) => InPool::Outside,
        _ => path::in_pool(names, offset),
    }
}

/// What a row stands for in the structure panel: its path.
fn row_note(row: &[u8], index: &[u8]) -> String {
    let row = Row::read(row, Endian::Little);
    let names = index.get(NAMES_START..).unwrap_or_default();
    name_at(names, row.name.0).name().map(|name| path::to_text(name).into_owned()).unwrap_or_default()
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
        let mut paths: Vec<_> = manifest.members.iter().map(|member| &*member.path).collect();
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
    fn rows_that_share_a_name_share_its_text_and_a_name_has_a_longest_length() {
        let index = |name: &str| {
            let mut bytes = write(&[name]);
            let row = bytes.split_off(bytes.len() - Row::LAYOUT.size);
            bytes.truncate(bytes.len() - 4);
            bytes.extend(1000u32.to_le_bytes());
            bytes.extend(row.repeat(1000));
            parsed(bytes)
        };
        let (manifest, warnings) = index(&"x".repeat(path::LONGEST));
        assert_eq!((manifest.members.len(), warnings.len()), (1000, 0));
        assert!(manifest.members.iter().all(|member| Arc::ptr_eq(&member.path, &manifest.members[0].path)));
        let (manifest, warnings) = index(&"x".repeat(path::LONGEST + 1));
        assert!(manifest.members.iter().all(|member| member.path.is_empty()));
        assert!(
            warnings[0].ends_with("a name of more than 1024 bytes, which does not count"),
            "{warnings:?}"
        );
    }

    #[test]
    fn wrong_hashes_and_offsets_are_warnings() {
        let mut bytes = sample();
        let rows = bytes.len() - 24;
        bytes[rows + 4] = 1;
        bytes[rows + 8] ^= 1;
        let (manifest, warnings) = parsed(bytes);
        assert_eq!(manifest.members.len(), 3);
        assert_eq!(&*manifest.members[0].path, "");
        assert!(warnings[0].contains("rows[0].name at 0x50: 0x1 is not the start of a name"), "{warnings:?}");
        assert!(warnings[1].contains("rows[1].hash"), "{warnings:?}");
    }
}
