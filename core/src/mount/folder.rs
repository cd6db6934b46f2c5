//! A layer over loose files: a folder with all that is in it, or a single file.

use std::ffi::OsString;
use std::ops::Range;
use std::path::{Path, PathBuf};

use bytes::Bytes;
use walkdir::WalkDir;

use super::content::Content;
use super::layer::{EngineLookup, Folder, Listing, Stat};
use super::map;
use crate::error::{Error, Result};
use crate::path::{SEPARATOR, cmp_fold, eq_fold, is_separator, split};
use crate::task::Task;

/// Loose files as they were when the folder was mounted.
#[derive(Debug)]
pub(super) struct LooseListing {
    folders: Vec<LooseFolder>,
    files: Vec<LooseFile>,
    odd_leaves: Vec<u32>,
}

#[derive(Debug)]
struct LooseFolder {
    disk: PathBuf,
    path: Vec<u8>,
    files: Range<u32>,
}

#[derive(Debug)]
struct LooseFile {
    name: OsString,
    size: u64,
}

impl LooseListing {
    /// Lists a folder and everything below it; what cannot be looked at is a warning.
    ///
    /// # Errors
    /// When the folder itself cannot be read; `Cancelled`.
    pub(super) fn folder(root: &Path, task: &Task) -> Result<(Self, Vec<String>)> {
        std::fs::read_dir(root)?;
        let mut listing = Self { folders: Vec::new(), files: Vec::new(), odd_leaves: Vec::new() };
        let mut warnings = Vec::new();
        let mut found: Vec<(PathBuf, Vec<u8>, Vec<LooseFile>)> = Vec::new();
        // Folders that are open: their depth below the root and their place in `found`.
        let mut open: Vec<usize> = Vec::new();
        for entry in WalkDir::new(root).follow_links(true) {
            task.check()?;
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    warnings.push(error.to_string());
                    continue;
                }
            };
            open.truncate(entry.depth());
            let above = open.last().and_then(|at| found.get_mut(*at));
            let kind = entry.file_type();
            if kind.is_dir() {
                let path = above
                    .map_or_else(Vec::new, |above| child(&above.1, entry.file_name().as_encoded_bytes()));
                open.push(found.len());
                found.push((entry.path().to_path_buf(), path, Vec::new()));
            } else if kind.is_file() {
                match (above, entry.metadata()) {
                    (Some(above), Ok(metadata)) => {
                        above.2.push(LooseFile { name: entry.file_name().to_owned(), size: metadata.len() });
                    }
                    (_, Err(error)) => warnings.push(error.to_string()),
                    (None, Ok(_)) => {}
                }
            } else {
                warnings.push(format!("{}: neither a file nor a folder", entry.path().display()));
            }
        }
        found.sort_by(|a, b| cmp_fold(&a.1, &b.1).then_with(|| a.1.cmp(&b.1)));
        for (disk, path, mut files) in found {
            files.sort_by(|a, b| {
                let (a, b) = (a.name.as_encoded_bytes(), b.name.as_encoded_bytes());
                cmp_fold(a, b).then_with(|| a.cmp(b))
            });
            listing.push(disk, path, files);
        }
        Ok((listing, warnings))
    }

    /// Lists one file under its own name.
    ///
    /// # Errors
    /// When the file cannot be looked at.
    pub(super) fn file(path: &Path) -> Result<Self> {
        let metadata = path.metadata()?;
        let name = path.file_name().unwrap_or_default().to_owned();
        let disk = path.parent().map(Path::to_path_buf).unwrap_or_default();
        let mut listing = Self { folders: Vec::new(), files: Vec::new(), odd_leaves: Vec::new() };
        listing.push(disk, Vec::new(), vec![LooseFile { name, size: metadata.len() }]);
        Ok(listing)
    }

    fn push(&mut self, disk: PathBuf, path: Vec<u8>, files: Vec<LooseFile>) {
        let count = |len: usize| u32::try_from(len).unwrap_or(u32::MAX);
        let start = count(self.files.len());
        for (at, file) in (start..).zip(&files) {
            if file.name.as_encoded_bytes().iter().copied().any(is_separator) {
                self.odd_leaves.push(at);
            }
        }
        self.files.extend(files);
        self.folders.push(LooseFolder { disk, path, files: start..count(self.files.len()) });
    }

    /// Bytes of all files.
    pub(super) fn bytes(&self) -> u64 {
        self.files.iter().map(|file| file.size).sum()
    }

    fn disk_path(&self, file: u32) -> Option<PathBuf> {
        let owner = self.folders.partition_point(|folder| folder.files.end <= file);
        let folder = self.folders.get(owner)?;
        Some(folder.disk.join(&self.files.get(file as usize)?.name))
    }
}

/// The path of a folder in a folder; names with separators in them stay as they are.
fn child(folder: &[u8], name: &[u8]) -> Vec<u8> {
    let mut path = folder.to_vec();
    if !path.is_empty() {
        path.push(SEPARATOR);
    }
    path.extend_from_slice(name);
    path
}

impl Listing for LooseListing {
    fn folder_count(&self) -> u32 {
        u32::try_from(self.folders.len()).unwrap_or(u32::MAX)
    }

    fn folder(&self, folder: u32) -> Folder<'_> {
        match self.folders.get(folder as usize) {
            Some(folder) => Folder { path: &folder.path, files: folder.files.clone() },
            None => Folder { path: &[], files: 0..0 },
        }
    }

    fn file_count(&self) -> u32 {
        u32::try_from(self.files.len()).unwrap_or(u32::MAX)
    }

    fn leaf(&self, file: u32) -> &[u8] {
        self.files.get(file as usize).map_or(&[], |file| file.name.as_encoded_bytes())
    }

    fn odd_leaves(&self) -> &[u32] {
        &self.odd_leaves
    }

    fn is_lower_case(&self) -> bool {
        let is_lower = |file: &LooseFile| !file.name.as_encoded_bytes().iter().any(u8::is_ascii_uppercase);
        self.files.iter().all(is_lower)
    }

    /// Not known: names that differ only in letter case follow each other.
    fn is_sorted(&self, _folder: u32) -> bool {
        false
    }

    fn stat(&self, file: u32) -> Stat {
        let size = self.files.get(file as usize).map_or(0, |file| file.size);
        Stat { offset: None, stored: size, size }
    }

    fn content(&self, file: u32) -> Result<Content> {
        self.stored(file).map(Content::Plain)
    }

    fn stored(&self, file: u32) -> Result<Bytes> {
        let path = self.disk_path(file).ok_or_else(|| Error::not_found(format!("no file {file}")))?;
        map::open(&path, map::LOOSE)
    }

    /// The engine asks the operating system for the file, and Windows ignores letter case.
    fn engine_find(&self, path: &[u8]) -> EngineLookup {
        let (folder, leaf) = split(path);
        let mut same = self.folders.iter().filter(|known| eq_fold(&known.path, folder)).peekable();
        if same.peek().is_none() {
            return EngineLookup::NoFolder;
        }
        let file = same.flat_map(|known| known.files.clone()).find(|file| eq_fold(self.leaf(*file), leaf));
        file.map_or(EngineLookup::NoFile, EngineLookup::Found)
    }
}
