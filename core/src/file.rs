//! Small files, read whole and never beyond a limit.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use crate::error::{Error, Result};

/// Opens a file to be read.
///
/// # Errors
/// When it is no regular file, whatever the operating system says otherwise; the error names the
/// file.
pub fn open(path: &Path) -> Result<File> {
    // Looked at before it is opened: opening a pipe would wait for its writer.
    let open = || match path.metadata()? {
        metadata if metadata.is_file() => File::open(path),
        _ => Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file")),
    };
    open().map_err(|error| Error::from(error).of(path.display().to_string()))
}

/// The bytes of a file of at most `most` bytes.
///
/// # Errors
/// `Limit` when the file is larger, and those of [`open`]; the error names the file.
pub fn read(path: &Path, most: u64) -> Result<Vec<u8>> {
    let read = || {
        let mut bytes = Vec::new();
        // Not by the size that the system states, which may change.
        open(path)?.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > most {
            return Err(Error::limit(format!("the file has more than {most} bytes")));
        }
        Ok(bytes)
    };
    read().map_err(|error| error.of(path.display().to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_up_to_its_limit() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        std::fs::write(&path, "text").unwrap();
        assert_eq!(read(&path, 4).unwrap(), b"text");
        let error = read(&path, 3).unwrap_err().to_string();
        assert!(error.ends_with("a.txt: over a limit: the file has more than 3 bytes"), "{error}");
        // A file of holes, larger than any memory.
        File::options().write(true).open(&path).unwrap().set_len(1 << 40).unwrap();
        assert!(read(&path, 3).is_err());
        assert!(read(&folder.path().join("none"), 3).unwrap_err().to_string().contains("none: "));
        assert!(read(folder.path(), 3).unwrap_err().to_string().ends_with(": not a regular file"));
    }
}
