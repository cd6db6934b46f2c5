//! Files as bytes: the only place that maps memory.

use std::fs::File;
use std::path::Path;

use bytes::Bytes;
use memmap2::Mmap;

use crate::error::{Error, Result};

/// Files up to this size are read instead of mapped: cheaper, and safe from later truncation.
const READ_BELOW: u64 = 64 * 1024;

/// The bytes of a file. Large files are mapped, so that only the pages that are looked at are read.
///
/// A map must not shrink under its reader: a file that is truncated by another program while it is
/// open ends this one with a bus error on Unix. The README says so.
///
/// # Errors
/// Whatever the operating system says; the error names the file.
#[expect(unsafe_code, reason = "a memory map is the way to open archives of gigabytes at once")]
pub(super) fn open(path: &Path) -> Result<Bytes> {
    let map = || -> std::io::Result<Bytes> {
        // Looked at before it is opened: opening a pipe would wait for its writer.
        let metadata = path.metadata()?;
        if !metadata.is_file() {
            return Err(std::io::Error::new(std::io::ErrorKind::InvalidInput, "not a regular file"));
        }
        if metadata.len() < READ_BELOW {
            return std::fs::read(path).map(Bytes::from);
        }
        // SAFETY: the map is read-only and private to this process. Another process may change or
        // truncate the file, which no program can prevent; every parser checks what it reads, so
        // changed bytes give errors, and truncation is documented above.
        let map = unsafe { Mmap::map(&File::open(path)?)? };
        Ok(Bytes::from_owner(map))
    };
    map().map_err(|error| Error::from(error).of(path.display().to_string()))
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
            assert_eq!(open(&path).unwrap(), vec![7; len]);
        }
    }

    #[test]
    fn missing_files_and_folders_are_errors_that_name_them() {
        let folder = tempfile::tempdir().unwrap();
        assert!(open(&folder.path().join("nothing")).unwrap_err().to_string().contains("nothing: "));
        assert!(open(folder.path()).is_err());
    }
}
