//! Writing archives: names, links and order as the game's own archives have them.

use std::collections::{BTreeMap, HashSet};

use super::judge::cmp_with_separator;
use super::{FileRecord, FolderRecord, GAP_PER_FILE, LEVEL, NONE, READER_CHUNKS, VERSION};
use crate::codec::chunks;
use crate::parse::{Offset, Record as _, Writer};
use crate::path::{self, cmp_fold, eq_fold};

/// How the data of an entry lies in the archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packing {
    /// As a chunk chain, like every shipped entry.
    Chunks,
    /// As plain bytes.
    Plain,
}

/// Collects files and writes the archive.
#[derive(Clone, Debug, Default)]
pub struct Builder {
    files: Vec<NewFile>,
}

#[derive(Clone, Debug)]
struct NewFile {
    path: Vec<u8>,
    packing: Packing,
    data: Vec<u8>,
    size: u64,
}

impl NewFile {
    fn folder(&self) -> &[u8] {
        path::split(&self.path).0
    }

    fn leaf(&self) -> &[u8] {
        path::split(&self.path).1
    }
}

impl Builder {
    /// An archive without files.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file as a chain of chunks, packed as the game's own data is.
    pub fn add(&mut self, path: &str, data: &[u8]) -> &mut Self {
        self.add_packed(path, Packing::Chunks, chunks::pack(data), data.len() as u64)
    }

    /// Adds a file whose data is packed already and decodes to `size` bytes.
    pub fn add_packed(&mut self, path: &str, packing: Packing, data: Vec<u8>, size: u64) -> &mut Self {
        let path = path::canonical(path.as_bytes()).into_owned();
        self.files.push(NewFile { path, packing, data, size });
        self
    }

    /// Writes the archive. A path that was added twice is kept once, the later file.
    pub fn finish(mut self) -> Vec<u8> {
        // Names enter the pool in the order of full paths, as in the shipped archives.
        self.files.sort_by(|a, b| cmp_fold(&a.path, &b.path));
        self.files.dedup_by(|later, kept| {
            let same = eq_fold(&later.path, &kept.path);
            if same {
                std::mem::swap(later, kept);
            }
            same
        });
        let mut pool = Pool::default();
        let mut folders = Folders::default();
        pool.add(b"");
        folders.add(&mut pool, b"");
        for file in &self.files {
            pool.add(file.leaf());
            folders.add(&mut pool, file.folder());
        }
        folders.paths.sort_by(|a, b| cmp_with_separator(a, b));
        self.files.sort_by(|a, b| {
            cmp_with_separator(a.folder(), b.folder()).then_with(|| cmp_fold(a.leaf(), b.leaf()))
        });
        self.write(&pool, &folders.paths)
    }

    fn write(&self, pool: &Pool, folders: &[Vec<u8>]) -> Vec<u8> {
        let mut w = Writer::new();
        w.bytes(b"LTAR").value(VERSION);
        w.value(word(pool.text.len())).value(word(folders.len())).value(word(self.files.len()));
        w.value([1u32, 0, 0]).value([0u8; 16]).bytes(&pool.text);
        let gap = self.files.len() as u64 * GAP_PER_FILE;
        let tables = self.files.len() * FileRecord::LAYOUT.size + folders.len() * FolderRecord::LAYOUT.size;
        let mut offset = (w.len() + tables) as u64 + gap;
        for file in &self.files {
            let stored = file.data.len() as u64;
            w.record(&FileRecord {
                name: Offset(pool.offset(file.leaf())),
                offset: Offset(offset),
                stored,
                size: file.size,
                reader: READER_CHUNKS,
                level: if file.packing == Packing::Plain { 0 } else { LEVEL },
            });
            offset += stored;
        }
        for record in self.folder_records(pool, folders) {
            w.record(&record);
        }
        w.fill(usize::try_from(gap).unwrap_or(0), 0);
        for file in &self.files {
            w.bytes(&file.data);
        }
        w.finish()
    }

    /// The records of all folders; both `folders` and the files are in the order of folders on disk.
    fn folder_records(&self, pool: &Pool, folders: &[Vec<u8>]) -> Vec<FolderRecord> {
        let mut groups = self.files.chunk_by(|a, b| eq_fold(a.folder(), b.folder())).peekable();
        let mut records: Vec<FolderRecord> = Vec::with_capacity(folders.len());
        // The folders around the current one, each with the newest folder right below it.
        let mut open: Vec<(usize, Option<usize>)> = Vec::new();
        for (at, path) in folders.iter().enumerate() {
            let is_here = |group: &&[NewFile]| group.first().is_some_and(|file| eq_fold(file.folder(), path));
            let file_count = word(groups.next_if(is_here).map_or(0, <[NewFile]>::len));
            records.push(FolderRecord {
                name: Offset(pool.offset(path)),
                first_child: NONE,
                next_sibling: NONE,
                file_count,
            });
            let parent = path::split(path).0;
            while open
                .pop_if(|(above, _)| !folders.get(*above).is_some_and(|above| eq_fold(above, parent)))
                .is_some()
            {}
            if let Some((above, newest)) = open.last_mut() {
                match newest.and_then(|newest| records.get_mut(newest)) {
                    Some(sibling) => sibling.next_sibling = word(at),
                    None => {
                        if let Some(above) = records.get_mut(*above) {
                            above.first_child = word(at);
                        }
                    }
                }
                *newest = Some(at);
            }
            open.push((at, None));
        }
        records
    }
}

fn word(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// The folders of an archive, each once whatever its letter case.
#[derive(Default)]
struct Folders {
    paths: Vec<Vec<u8>>,
    folded: HashSet<Vec<u8>>,
}

impl Folders {
    /// Adds a folder and those around it, outermost first.
    fn add(&mut self, pool: &mut Pool, folder: &[u8]) {
        if !self.folded.insert(folder.to_ascii_lowercase()) {
            return;
        }
        self.add(pool, path::split(folder).0);
        pool.add(folder);
        self.paths.push(folder.to_vec());
    }
}

/// The name pool: each text once.
#[derive(Default)]
struct Pool {
    text: Vec<u8>,
    offsets: BTreeMap<Vec<u8>, u32>,
}

impl Pool {
    fn add(&mut self, name: &[u8]) {
        if !self.offsets.contains_key(name) {
            self.offsets.insert(name.to_vec(), word(self.text.len()));
            self.text.extend_from_slice(name);
            self.text.push(0);
        }
    }

    fn offset(&self, name: &[u8]) -> u32 {
        self.offsets.get(name).copied().unwrap_or(0)
    }
}
