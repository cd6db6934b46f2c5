//! The directory of an archive: names, files and folders, decoded from the map when asked for.

use std::collections::BTreeMap;
use std::ops::Range;

use bytes::Bytes;

use super::{FileRecord, FolderRecord, GAP_PER_FILE, NAMES_START, VERSION};
use crate::error::Result;
use crate::parse::{Endian, Reader, Record as _, Warning};
use crate::path::{self, InPool, in_pool};

/// The directory of an archive. It keeps the archive's bytes and owns only what is derived.
#[derive(Clone, Debug)]
pub struct Directory {
    data: Bytes,
    names: Range<usize>,
    files: Range<usize>,
    folders: Range<usize>,
    flags: [u32; 3],
    /// The first file of each folder, and of the files that no folder claims behind them.
    first_file: Vec<u32>,
    /// Leaves that stand in for names outside the pool, and for those that are too long.
    unnamed: BTreeMap<u32, Box<[u8]>>,
    /// What judging found out about the leaf names.
    leaves: Leaves,
}

/// What is out of the ordinary about leaf names.
#[derive(Clone, Debug, Default)]
pub(super) struct Leaves {
    /// Files whose leaf names have separators in them, in order.
    pub(super) odd: Vec<u32>,
    /// Folders whose leaf names do not ascend, in order.
    pub(super) unsorted: Vec<u32>,
}

/// A folder and the files that belong to it.
#[derive(Clone, Debug)]
pub struct FolderEntry<'a> {
    /// Full path, as stored.
    pub path: &'a [u8],
    /// Its file records.
    pub files: Range<u32>,
}

impl Directory {
    /// Reads header, names and records; payloads are not touched.
    ///
    /// # Errors
    /// See [`open`](super::open).
    pub(super) fn read(r: &mut Reader<'_>) -> Result<Self> {
        let header = r.group("header", read_header)?;
        let names_start = r.pos();
        let names = r.cstrs("names", header.names_size.into())?;
        if names.last().is_some_and(|byte| *byte != 0) {
            r.warn("the last name has no NUL behind it");
        }
        let files_start = r.pos();
        r.table::<FileRecord>("files", header.file_count.into(), Some(file_note))?;
        let folders_start = r.pos();
        let folders = r.table::<FolderRecord>("folders", header.folder_count.into(), Some(folder_note))?;
        let folders_end = r.pos();
        read_gap(r, header.file_count.into())?;

        let mut first_file = Vec::with_capacity(folders.len() + 2);
        let mut owned = 0u32;
        for folder in folders.iter() {
            first_file.push(owned);
            owned = owned.saturating_add(folder.file_count).min(header.file_count);
        }
        first_file.extend([owned, header.file_count]);
        Ok(Self {
            data: r.data().clone(),
            names: range(names_start, files_start),
            files: range(files_start, folders_start),
            folders: range(folders_start, folders_end),
            flags: header.flags,
            first_file,
            unnamed: BTreeMap::new(),
            leaves: Leaves::default(),
        })
    }

    /// Gives a stand-in name to a file whose record leads to none.
    pub(super) fn name_unnamed(&mut self, file: u32) {
        self.unnamed.insert(file, format!("unnamed_{file:06}").into_bytes().into());
    }

    pub(super) fn set_leaves(&mut self, leaves: Leaves) {
        self.leaves = leaves;
    }

    /// The files whose leaf names have separators in them, in order; no shipped archive has one.
    pub fn odd_leaves(&self) -> &[u32] {
        &self.leaves.odd
    }

    /// Whether the leaf names of a folder ascend, as they do in every shipped archive.
    pub fn is_sorted(&self, folder: u32) -> bool {
        self.leaves.unsorted.binary_search(&folder).is_err()
    }

    /// How many files there are.
    pub fn file_count(&self) -> u32 {
        self.first_file.last().copied().unwrap_or(0)
    }

    pub(super) fn files_len(&self) -> usize {
        self.files.len() / FileRecord::LAYOUT.size
    }

    /// How many folder records there are, the root included.
    pub fn folder_count(&self) -> u32 {
        u32::try_from(self.folders.len() / FolderRecord::LAYOUT.size).unwrap_or(u32::MAX)
    }

    /// How many folders [`folder`](Self::folder) knows: one more than there are records when files
    /// are left that no folder claims; they count as lying in the root.
    pub fn listed_folders(&self) -> u32 {
        let count = self.folder_count();
        count + u32::from(!self.files_of(count).is_empty())
    }

    /// The name pool.
    pub fn names(&self) -> &[u8] {
        self.data.get(self.names.clone()).unwrap_or_default()
    }

    /// Whether no name has a letter in upper case.
    pub fn is_lower_case(&self) -> bool {
        // Without a way out of the loop, so that it runs on many bytes at once.
        !self.names().iter().fold(false, |found, byte| found | byte.is_ascii_uppercase())
    }

    /// The three flags of the header.
    pub fn flags(&self) -> [u32; 3] {
        self.flags
    }

    /// The archive that the directory describes.
    pub fn data(&self) -> &Bytes {
        &self.data
    }

    /// Bytes of header, names and records.
    pub fn head_size(&self) -> usize {
        self.folders.end
    }

    /// A file record.
    #[inline]
    pub fn file(&self, file: u32) -> Option<FileRecord> {
        self.file_bytes(file).map(|bytes| FileRecord::read(bytes, Endian::Little))
    }

    #[inline]
    fn file_bytes(&self, file: u32) -> Option<&[u8]> {
        slot(&self.data, &self.files, file, FileRecord::LAYOUT.size)
    }

    /// A folder record.
    pub fn folder_record(&self, folder: u32) -> Option<FolderRecord> {
        slot(&self.data, &self.folders, folder, FolderRecord::LAYOUT.size)
            .map(|bytes| FolderRecord::read(bytes, Endian::Little))
    }

    /// The leaf name of a file, as stored; a stand-in where its record leads to none.
    #[inline]
    pub fn leaf(&self, file: u32) -> &[u8] {
        match self.name_offset(file).and_then(|offset| self.name(offset)) {
            Some(name) => name,
            None => self.unnamed.get(&file).map_or(&[], |name| name),
        }
    }

    /// Where the leaf name of a file starts in the pool; `None` where a stand-in is its name.
    #[inline]
    pub fn pooled_name(&self, file: u32) -> Option<u32> {
        let is_pooled = self.unnamed.is_empty() || !self.unnamed.contains_key(&file);
        self.name_offset(file).filter(|_| is_pooled)
    }

    /// Where the leaf name of a file starts in the pool, or where its record says so wrongly.
    #[inline]
    fn name_offset(&self, file: u32) -> Option<u32> {
        self.file_bytes(file).and_then(<[u8]>::first_chunk).map(|bytes| u32::from_le_bytes(*bytes))
    }

    /// The full path of a folder, as stored; empty where its record leads to none.
    pub fn folder_path(&self, folder: u32) -> &[u8] {
        self.folder_record(folder).and_then(|record| self.name(record.name.0)).unwrap_or_default()
    }

    /// The files of a folder, up to [`listed_folders`](Self::listed_folders).
    pub fn files_of(&self, folder: u32) -> Range<u32> {
        let first = |at: u32| self.first_file.get(at as usize).copied();
        match (first(folder), folder.checked_add(1).and_then(first)) {
            (Some(start), Some(end)) => start..end,
            _ => 0..0,
        }
    }

    /// A folder, up to [`listed_folders`](Self::listed_folders).
    pub fn folder(&self, folder: u32) -> FolderEntry<'_> {
        FolderEntry { path: self.folder_path(folder), files: self.files_of(folder) }
    }

    /// All folders with their files.
    pub fn folders(&self) -> impl Iterator<Item = FolderEntry<'_>> {
        (0..self.listed_folders()).map(|folder| self.folder(folder))
    }

    /// The name at an offset of the name pool, without its NUL; `None` outside and where the text is
    /// longer than a name may be.
    #[inline]
    pub fn name(&self, offset: u32) -> Option<&[u8]> {
        in_pool(self.names(), offset).name()
    }

    /// The name at an offset of the name pool, and whether a separator is in it.
    #[inline]
    pub(super) fn name_and_oddity(&self, offset: u32) -> Option<(&[u8], bool)> {
        let names = self.names();
        let ahead = names.get(offset as usize..).filter(|ahead| !ahead.is_empty())?;
        let near = ahead.get(..=path::LONGEST).unwrap_or(ahead);
        match memchr::memchr3(0, b'\\', b'/', near) {
            Some(end) if near.get(end) == Some(&0) => Some((near.get(..end)?, false)),
            Some(_) => Some((self.name(offset)?, true)),
            None => Some((self.name(offset)?, false)),
        }
    }

    /// What is wrong with an offset that leads to no name.
    pub(super) fn no_name(&self, offset: u32) -> String {
        match in_pool(self.names(), offset) {
            InPool::TooLong => format!("a name of more than {} bytes, which does not count", path::LONGEST),
            _ => format!("{offset:#X} is outside the name pool"),
        }
    }

    /// Where the record of a file starts in the archive.
    pub(crate) fn file_offset(&self, file: u32) -> u64 {
        self.files.start as u64 + u64::from(file) * FileRecord::LAYOUT.size as u64
    }

    /// Where the record of a folder starts in the archive.
    pub(super) fn folder_offset(&self, folder: u32) -> u64 {
        self.folders.start as u64 + u64::from(folder) * FolderRecord::LAYOUT.size as u64
    }
}

struct Header {
    names_size: u32,
    folder_count: u32,
    file_count: u32,
    flags: [u32; 3],
}

fn read_header(r: &mut Reader<'_>) -> Result<Header> {
    if r.magic("magic", &[b"LTAR", b"RATL"])? == 1 {
        return Err(r.unsupported("a big-endian archive of a console build"));
    }
    let version = r.u32("version")?;
    match version {
        VERSION => {}
        3 => {
            return Err(r.unsupported(
                "version 3, the archive of Middle-earth: Shadow of Mordor (.arch05) and FEAR 2; only version 4 is read",
            ));
        }
        1 | 2 => return Err(r.unsupported(format!("version {version}, an archive of the FEAR games"))),
        _ => return Err(r.unsupported(format!("version {version}, of a game that is not known"))),
    }
    let header = Header {
        names_size: r.u32("names_size")?,
        folder_count: r.u32("folder_count")?,
        file_count: r.u32("file_count")?,
        flags: [("is_retail", 1), ("is_downloadable", 0), ("has_crc", 0)]
            .map(|(name, expected)| read_flag(r, name, expected))
            .into_iter()
            .collect::<Result<Vec<_>>>()?
            .try_into()
            .unwrap_or_default(),
    };
    let guid: [u8; 16] = r.value("guid")?;
    if guid != [0; 16] {
        r.warn("zero in every shipped archive");
    }
    Ok(header)
}

fn read_flag(r: &mut Reader<'_>, name: &'static str, expected: u32) -> Result<u32> {
    let flag = r.u32(name)?;
    if flag != expected {
        r.warn(format!("{flag}, expected {expected}"));
    }
    Ok(flag)
}

/// Reads the gap where it is there: archives that lack it are read all the same.
fn read_gap(r: &mut Reader<'_>, file_count: u64) -> Result<()> {
    let size = (file_count * GAP_PER_FILE).min(r.left());
    let ahead = r.peek(usize::try_from(size).unwrap_or(usize::MAX));
    let zeros = ahead.iter().take_while(|byte| **byte == 0).count() as u64;
    let start = r.pos();
    if size > 0 && zeros == size {
        r.padding("gap", size)?;
    }
    if zeros < file_count * GAP_PER_FILE {
        r.warn_at(|| Warning {
            field: "gap".to_owned(),
            offset: start,
            len: size,
            text: format!("{zeros} zero bytes, expected {GAP_PER_FILE} per file"),
        });
    }
    Ok(())
}

fn range(start: u64, end: u64) -> Range<usize> {
    // Both are positions in a buffer in memory.
    usize::try_from(start).unwrap_or(0)..usize::try_from(end).unwrap_or(0)
}

#[inline]
fn slot<'a>(data: &'a Bytes, table: &Range<usize>, index: u32, size: usize) -> Option<&'a [u8]> {
    let start = table.start + index as usize * size;
    if start + size <= table.end { data.get(start..start + size) } else { None }
}

/// What a file record stands for in the structure panel: its leaf name.
fn file_note(record: &[u8], archive: &[u8]) -> String {
    name_note(FileRecord::read(record, Endian::Little).name.0, archive)
}

/// What a folder record stands for in the structure panel: its path.
fn folder_note(record: &[u8], archive: &[u8]) -> String {
    name_note(FolderRecord::read(record, Endian::Little).name.0, archive)
}

fn name_note(offset: u32, archive: &[u8]) -> String {
    let names = archive.get(NAMES_START..).unwrap_or_default();
    match in_pool(names, offset) {
        InPool::Name(name) => path::to_text(name).into_owned(),
        InPool::TooLong => "too long".to_owned(),
        InPool::Outside => "outside the pool".to_owned(),
    }
}
