//! Files inside a file.

/// The directory of an archive.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Archive {
    /// Folders, the root included.
    pub folders: u64,
    /// Files in record order.
    pub entries: Vec<ArchiveEntry>,
}

/// One file of an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArchiveEntry {
    /// Full path, as stored.
    pub path: String,
    /// First byte in the archive.
    pub offset: u64,
    /// Bytes in the archive.
    pub stored: u64,
    /// Bytes when decoded.
    pub size: u64,
}
