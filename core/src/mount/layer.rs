//! One layer of a stack: its name, what it lists, and how its files are read.

use std::fmt;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use bytes::Bytes;

use super::bundles::{Bundles, Section};
use super::config::Line;
use super::content::Content;
use super::map;
use super::stamp::Stamp;
use crate::error::{Error, Result};
use crate::path;

/// A mounted archive, folder or file.
#[derive(Clone, Debug)]
pub struct Layer {
    /// The name of the file or folder, as on disk.
    pub name: String,
    /// What it is.
    pub kind: LayerKind,
    /// The file or folder on disk.
    pub path: PathBuf,
    /// Bytes on disk.
    pub bytes: u64,
    /// The line of a list that mounts it.
    pub line: Option<Line>,
    /// Rules that it breaks, one line each.
    pub warnings: Vec<String>,
    /// Why nothing of it is mounted, where that is so; the error leaves naming the file to `name`
    /// and `path`.
    pub broken: Option<Arc<Error>>,
    /// Whether a leaf name has separators in it, as none of a shipped archive has.
    pub(super) has_odd_leaves: bool,
    /// Whether no leaf name has a letter in upper case.
    pub(super) is_lower_case: bool,
    pub(super) listing: Arc<dyn Listing>,
    /// What tells its file from another one at its path.
    pub(super) stamp: Option<Stamp>,
    /// Its bundles, once they were read.
    pub(super) bundles: Option<Arc<Bundles>>,
}

/// What a layer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LayerKind {
    /// An LTAR archive.
    Ltar,
    /// A `#VBD` archive.
    Vbd,
    /// A folder of loose files.
    Folder,
    /// One loose file.
    File,
}

impl LayerKind {
    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ltar => "ltar",
            Self::Vbd => "vbd",
            Self::Folder => "folder",
            Self::File => "file",
        }
    }
}

impl Layer {
    /// How many files it lists.
    pub fn file_count(&self) -> u32 {
        self.listing.file_count()
    }

    /// How many folders it lists, the root included.
    pub fn folder_count(&self) -> u32 {
        self.listing.folder_count()
    }

    /// The name without its extension.
    pub fn stem(&self) -> &str {
        match self.kind {
            LayerKind::Ltar | LayerKind::Vbd => {
                self.name.rsplit_once('.').map_or(&*self.name, |(stem, _)| stem)
            }
            LayerKind::Folder | LayerKind::File => &self.name,
        }
    }

    /// Its manifests and containers, once they were read.
    pub fn bundles(&self) -> Option<&Bundles> {
        self.bundles.as_deref()
    }

    /// Whether both are one mount of the same.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.listing, &other.listing)
    }

    /// Where a number behind those of the files leads to: the bundles, and the member in them.
    fn member(&self, file: u32) -> Option<(&Bundles, u32)> {
        Some((self.bundles()?, file.checked_sub(self.file_count())?))
    }

    /// The section that a number behind those of the files stands for, and the file of its container.
    pub fn section(&self, file: u32) -> Option<(Section, u32)> {
        let (bundles, member) = self.member(file)?;
        bundles.member(member)
    }

    /// The leaf name of a file or member, as stored.
    pub fn leaf(&self, file: u32) -> &[u8] {
        match self.member(file) {
            Some((bundles, member)) => path::split(bundles.path(member)).1,
            None => self.listing.leaf(file),
        }
    }

    /// The names of its files as they lie in one pool, each with a NUL behind it and all in lower
    /// case; `None` for layers that keep them in another way.
    pub(super) fn pool(&self) -> Option<&[u8]> {
        self.listing.pool().filter(|_| self.is_lower_case && !self.has_odd_leaves)
    }

    /// Where the leaf name of a file starts in the pool; `None` where the name is not in it.
    pub(super) fn pool_offset(&self, file: u32) -> Option<u32> {
        self.listing.pool_offset(file).filter(|_| file < self.file_count())
    }

    /// The full path of a file or member, as stored.
    pub fn path_of(&self, file: u32) -> Vec<u8> {
        if let Some((bundles, member)) = self.member(file) {
            return bundles.path(member).to_vec();
        }
        // Folders own their files in order, so the owner is the first that ends behind the file.
        let (mut low, mut high) = (0, self.listing.folder_count());
        while low < high {
            let middle = u32::midpoint(low, high);
            if self.listing.folder(middle).files.end <= file { low = middle + 1 } else { high = middle }
        }
        let folder = low;
        path::join(self.listing.folder(folder).path, self.leaf(file))
    }

    /// Place and sizes of a file; of a member, its place in its container.
    pub fn stat(&self, file: u32) -> Stat {
        match self.section(file) {
            Some((Section { offset, size, .. }, _)) => {
                Stat { offset: Some(offset), stored: size.into(), size: size.into() }
            }
            None => self.listing.stat(file),
        }
    }

    /// The decoded bytes of a file or member.
    ///
    /// # Errors
    /// When the data is outside the archive or the loose file is gone, or another size word stands before
    /// a member than once; the error names layer and path.
    pub fn content(&self, file: u32) -> Result<Content> {
        let whole = |file| self.listing.content(file).map_err(|error| self.blame(file, error));
        match self.section(file) {
            Some((Section { offset, size, .. }, container)) => {
                whole(container)?.member(offset, size).map_err(|error| self.blame(file, error))
            }
            None => whole(file),
        }
    }

    /// The bytes of a file as the layer stores them, headers of chunks included. A member has none of its
    /// own: its chunks hold others as well.
    ///
    /// # Errors
    /// See [`content`](Self::content); `Unsupported` for a member.
    pub fn stored(&self, file: u32) -> Result<Bytes> {
        if self.section(file).is_some() {
            let error = Error::unsupported("a member of a container has no stored bytes of its own");
            return Err(self.blame(file, error));
        }
        self.listing.stored(file).map_err(|error| self.blame(file, error))
    }

    /// Names the layer and the path of a file in an error.
    pub(crate) fn blame(&self, file: u32, error: Error) -> Error {
        error.of_path(&self.name, &path::to_text(&self.path_of(file)))
    }

    /// The archive itself, or the loose file, as it lies on disk.
    ///
    /// # Errors
    /// Whatever the operating system says; a folder is no file.
    pub fn file(&self) -> Result<Bytes> {
        map::open(&self.path, map::SMALL).map_err(|error| error.of(&self.name))
    }

    /// What the engine's own search finds in this layer for a path with backslashes.
    pub fn engine_find(&self, path: &[u8]) -> EngineLookup {
        self.listing.engine_find(path)
    }
}

/// Place and sizes of a file in its layer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stat {
    /// First byte in the archive; `None` for loose files.
    pub offset: Option<u64>,
    /// Bytes in the archive or on disk.
    pub stored: u64,
    /// Bytes when decoded.
    pub size: u64,
}

/// The outcome of the engine's own search in one layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EngineLookup {
    /// It reaches this file.
    Found(u32),
    /// It finds no such folder.
    NoFolder,
    /// It finds the folder, and no such file in it.
    NoFile,
}

/// A folder of a listing.
#[derive(Clone, Debug)]
pub(super) struct Folder<'a> {
    /// Full path, as stored; several folders may have the same.
    pub(super) path: &'a [u8],
    /// Its files.
    pub(super) files: Range<u32>,
}

/// What a layer lists and how it reads. Files are numbered from 0; each belongs to one folder, and
/// folders own them in order.
pub(super) trait Listing: fmt::Debug + Send + Sync {
    /// How many folders there are.
    fn folder_count(&self) -> u32;
    /// A folder.
    fn folder(&self, folder: u32) -> Folder<'_>;
    /// How many files there are.
    fn file_count(&self) -> u32;
    /// The leaf name of a file.
    fn leaf(&self, file: u32) -> &[u8];
    /// The pool that leaf names lie in, where there is one.
    fn pool(&self) -> Option<&[u8]> {
        None
    }
    /// Where the leaf name of a file starts in the pool; `None` where the name is not in it.
    fn pool_offset(&self, _file: u32) -> Option<u32> {
        None
    }
    /// The files whose leaf names have separators in them, in order.
    fn odd_leaves(&self) -> &[u32];
    /// Whether no leaf name has a letter in upper case.
    fn is_lower_case(&self) -> bool;
    /// Whether the leaf names of a folder ascend without repeats, and none of them is odd.
    fn is_sorted(&self, folder: u32) -> bool;
    /// The bytes that it was read from, where those are part of a file.
    fn directory(&self) -> &[u8] {
        &[]
    }
    /// Place and sizes of a file.
    fn stat(&self, file: u32) -> Stat;
    /// The decoded bytes of a file.
    fn content(&self, file: u32) -> Result<Content>;
    /// The bytes of a file as stored.
    fn stored(&self, file: u32) -> Result<Bytes>;
    /// What the engine's own search finds.
    fn engine_find(&self, path: &[u8]) -> EngineLookup;
}

/// The listing of a layer that could not be read.
#[derive(Debug)]
pub(super) struct Nothing;

impl Listing for Nothing {
    fn folder_count(&self) -> u32 {
        0
    }

    fn folder(&self, _folder: u32) -> Folder<'_> {
        Folder { path: &[], files: 0..0 }
    }

    fn file_count(&self) -> u32 {
        0
    }

    fn leaf(&self, _file: u32) -> &[u8] {
        &[]
    }

    fn odd_leaves(&self) -> &[u32] {
        &[]
    }

    fn is_lower_case(&self) -> bool {
        true
    }

    fn is_sorted(&self, _folder: u32) -> bool {
        true
    }

    fn stat(&self, _file: u32) -> Stat {
        Stat::default()
    }

    fn content(&self, _file: u32) -> Result<Content> {
        Err(Error::not_found("the layer is broken"))
    }

    fn stored(&self, _file: u32) -> Result<Bytes> {
        Err(Error::not_found("the layer is broken"))
    }

    fn engine_find(&self, _path: &[u8]) -> EngineLookup {
        EngineLookup::NoFolder
    }
}
