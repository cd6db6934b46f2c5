//! A layer over an archive and its map, and the engine's own search in it.

use std::cmp::Ordering;
use std::path::Path;

use bytes::Bytes;

use super::content::Content;
use super::layer::{EngineLookup, Folder, LayerKind, Listing, Stat};
use super::map;
use crate::codec::chunks::Chain;
use crate::error::{Error, Result};
use crate::formats::ltar::{self, Directory, FileRecord};
use crate::parse::{Name, Reader, Record as _};
use crate::path::{cmp_fold, split};
use crate::task::Task;

/// How many characters the engine compares of a folder's path.
const COMPARED: usize = 0x105;

/// An archive that could be opened.
#[derive(Debug)]
pub(super) struct Opened {
    pub(super) kind: LayerKind,
    pub(super) bytes: u64,
    pub(super) warnings: Vec<String>,
    pub(super) listing: Result<Box<dyn Listing>>,
}

/// Opens an archive of any kind by its first bytes; one that cannot be read is remembered as such.
pub(super) fn open(path: &Path, task: &Task) -> Opened {
    let broken =
        |bytes, kind, error: Error| Opened { kind, bytes, warnings: Vec::new(), listing: Err(error) };
    let data = match map::open(path, map::SMALL) {
        Ok(data) => data,
        Err(error) => return broken(0, LayerKind::Ltar, error),
    };
    let bytes = data.len() as u64;
    if data.starts_with(b"#VBD") {
        return broken(bytes, LayerKind::Vbd, Error::unsupported("#VBD archives cannot be read yet"));
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let mut reader = Reader::new(&data, &name, task);
    match ltar::open(&mut reader) {
        Ok(directory) => {
            let warnings = reader.into_warnings().lines().collect();
            let listing = ArchiveListing { directory };
            Opened { kind: LayerKind::Ltar, bytes, warnings, listing: Ok(Box::new(listing)) }
        }
        Err(error) => broken(bytes, LayerKind::Ltar, error),
    }
}

#[derive(Debug)]
struct ArchiveListing {
    directory: Directory,
}

impl ArchiveListing {
    fn bytes(&self, file: u32) -> Result<Bytes> {
        let stat = self.stat(file);
        let start = stat.offset.unwrap_or_default();
        let data = self.directory.data();
        let range = usize::try_from(start)
            .ok()
            .zip(start.checked_add(stat.stored).and_then(|end| usize::try_from(end).ok()));
        if let Some((start, end)) = range.filter(|(_, end)| *end <= data.len()) {
            return Ok(data.slice(start..end));
        }
        let end = data.len();
        let text = format!(
            "{start:#X} and {} stored bytes reach past the end of the archive at {end:#X}",
            stat.stored
        );
        let field = vec![Name::Field("files"), Name::Index(file.into()), Name::Field("offset")];
        let at = self.directory.file_offset(file) + FileRecord::LAYOUT.range_of("offset").start;
        Err(Error::malformed(text).at(at).in_fields(field))
    }
}

impl Listing for ArchiveListing {
    fn folder_count(&self) -> u32 {
        self.directory.listed_folders()
    }

    fn folder(&self, folder: u32) -> Folder<'_> {
        let folder = self.directory.folder(folder);
        Folder { path: folder.path, files: folder.files }
    }

    fn file_count(&self) -> u32 {
        self.directory.file_count()
    }

    fn leaf(&self, file: u32) -> &[u8] {
        self.directory.leaf(file)
    }

    fn pool(&self) -> Option<&[u8]> {
        Some(self.directory.names())
    }

    fn pool_offset(&self, file: u32) -> Option<u32> {
        self.directory.pooled_name(file)
    }

    fn odd_leaves(&self) -> &[u32] {
        self.directory.odd_leaves()
    }

    fn is_lower_case(&self) -> bool {
        self.directory.is_lower_case()
    }

    fn is_sorted(&self, folder: u32) -> bool {
        self.directory.is_sorted(folder)
    }

    fn directory(&self) -> &[u8] {
        self.directory.data().get(..self.directory.head_size()).unwrap_or_default()
    }

    fn stat(&self, file: u32) -> Stat {
        self.directory.file(file).map_or_else(Stat::default, |record| Stat {
            offset: Some(record.offset.0),
            stored: record.stored,
            size: record.size,
        })
    }

    fn content(&self, file: u32) -> Result<Content> {
        let bytes = self.bytes(file)?;
        let is_plain = self.directory.file(file).is_some_and(|record| record.level == 0);
        let stat = self.stat(file);
        let chain = |bytes| Chain::new(bytes, stat.size).starting_at(stat.offset.unwrap_or_default());
        Ok(if is_plain { Content::Plain(bytes) } else { Content::Chunks(chain(bytes)) })
    }

    fn stored(&self, file: u32) -> Result<Bytes> {
        self.bytes(file)
    }

    /// Replays the engine: the path splits at its last separator; a binary search over the folders
    /// as they stand on disk, whose order is not the one it compares by, then one over the leaves.
    fn engine_find(&self, path: &[u8]) -> EngineLookup {
        let (folder, leaf) = split(path);
        let limited = |path: &'_ [u8]| path.len().min(COMPARED);
        let compare = |at: u32| {
            let known = self.directory.folder_path(at);
            let (a, b) = (folder.get(..limited(folder)), known.get(..limited(known)));
            cmp_fold(a.unwrap_or_default(), b.unwrap_or_default())
        };
        let Some(found) = engine_search(0, self.directory.folder_count(), compare) else {
            return EngineLookup::NoFolder;
        };
        let files = self.directory.files_of(found);
        let compare = |at: u32| cmp_fold(leaf, self.directory.leaf(at));
        match engine_search(files.start, files.end, compare) {
            Some(file) => EngineLookup::Found(file),
            None => EngineLookup::NoFile,
        }
    }
}

/// A binary search with the middle rounded down.
fn engine_search(low: u32, high: u32, compare: impl Fn(u32) -> Ordering) -> Option<u32> {
    let (mut low, mut high) = (low, high);
    while low < high {
        let middle = u32::midpoint(low, high);
        match compare(middle) {
            Ordering::Less => high = middle,
            Ordering::Equal => return Some(middle),
            Ordering::Greater => low = middle + 1,
        }
    }
    None
}
