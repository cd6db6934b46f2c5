//! Files as bytes: the only place that maps memory.

use std::fs::File;
use std::io;
use std::path::Path;

use bytes::Bytes;
use memmap2::Mmap;

use crate::error::Result;

/// Archives up to this size are read instead of mapped: cheaper, and safe from later truncation.
pub(super) const SMALL: u64 = 64 << 10;

/// Loose files up to this size are read: people save into them while they are shown.
pub(super) const LOOSE: u64 = 64 << 20;

/// The bytes of a file. Those of `mapped` bytes or more are mapped, so that only the pages that are looked
/// at are read.
///
/// A map must not shrink under its reader: a file that is truncated by another program while it is
/// open ends this one with a bus error on Unix. The README says so.
///
/// # Errors
/// Whatever the operating system says. The error leaves the name to the caller, who knows the file
/// as a layer.
#[expect(unsafe_code, reason = "a memory map is the way to open archives of gigabytes at once")]
pub(super) fn open(path: &Path, mapped: u64) -> Result<Bytes> {
    // Looked at before it is opened: opening a pipe would wait for its writer.
    let metadata = path.metadata()?;
    if !metadata.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file").into());
    }
    if metadata.len() < mapped {
        return Ok(std::fs::read(path)?.into());
    }
    // SAFETY: the map is read-only and private to this process. Another process may change or
    // truncate the file, which no program can prevent; every parser checks what it reads, so
    // changed bytes give errors, and truncation is documented above.
    let map = unsafe { Mmap::map(&File::open(path)?)? };
    Ok(Bytes::from_owner(map))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_large_and_empty_files_are_their_bytes() {
        let folder = tempfile::tempdir().unwrap();
        for len in [0, 1, 64 * 1024, 100_000] {
            let path = folder.path().join(len.to_string());
            std::fs::write(&path, vec![7; len]).unwrap();
            assert_eq!(open(&path, SMALL).unwrap(), vec![7; len]);
        }
    }

    #[test]
    fn missing_files_and_folders_are_errors() {
        let folder = tempfile::tempdir().unwrap();
        assert!(open(&folder.path().join("nothing"), SMALL).is_err());
        assert!(open(folder.path(), SMALL).is_err());
    }
}
