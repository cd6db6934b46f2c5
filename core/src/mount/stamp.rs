//! What tells a file from the one that lay at its path before.

use std::fs::{self, Metadata};
use std::path::Path;
use std::time::UNIX_EPOCH;

use serde::{Deserialize, Serialize};

/// Size and times of a file, and what else the system knows of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Stamp {
    size: u64,
    seconds: u64,
    nanoseconds: u32,
    /// When anything of the file was changed, its times included, which no program can set.
    changed: (i64, i64),
    /// The number of the file, and of the disk that it lies on.
    file: (u64, u64),
}

impl Stamp {
    /// The stamp of what lies at a path; `None` where that cannot be told.
    pub(super) fn of(path: &Path) -> Option<Self> {
        let metadata = fs::metadata(path).ok()?;
        let time = metadata.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
        Some(Self {
            size: metadata.len(),
            seconds: time.as_secs(),
            nanoseconds: time.subsec_nanos(),
            changed: changed(&metadata),
            file: file(&metadata),
        })
    }
}

#[cfg(unix)]
fn changed(metadata: &Metadata) -> (i64, i64) {
    use std::os::unix::fs::MetadataExt as _;
    (metadata.ctime(), metadata.ctime_nsec())
}

#[cfg(unix)]
fn file(metadata: &Metadata) -> (u64, u64) {
    use std::os::unix::fs::MetadataExt as _;
    (metadata.ino(), metadata.dev())
}

/// Other systems do not tell.
#[cfg(not(unix))]
const fn changed(_: &Metadata) -> (i64, i64) {
    (0, 0)
}

/// Other systems do not tell.
#[cfg(not(unix))]
const fn file(_: &Metadata) -> (u64, u64) {
    (0, 0)
}
