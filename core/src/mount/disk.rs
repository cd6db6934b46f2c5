//! Names on disk: found as Windows finds them, on every system.

use std::collections::HashMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::path::is_separator;

/// The names on disk, as they are when a list is read: each folder is looked into once.
#[derive(Debug, Default)]
pub(super) struct Disk {
    /// For each folder its names under their lower case, the first in byte order where several
    /// differ in case alone.
    folders: HashMap<PathBuf, HashMap<String, OsString>>,
}

impl Disk {
    /// Finds a file or folder by a path as an archive list writes it: relative to `base`, with `\` or
    /// `/`, `.` and `..`, compared with the disk case-insensitively, component by component.
    ///
    /// An exact name wins over others; among several that differ in case the first in byte order.
    pub(super) fn find(&mut self, base: &Path, line: &str) -> Option<PathBuf> {
        let mut found = match line.chars().next() {
            Some(first) if first == '\\' || first == '/' => PathBuf::from(std::path::MAIN_SEPARATOR_STR),
            Some(_) if has_drive(line) => {
                if !cfg!(windows) {
                    return None;
                }
                PathBuf::from(format!("{}{}", line.get(..2)?, std::path::MAIN_SEPARATOR))
            }
            _ => base.to_path_buf(),
        };
        let rest = if has_drive(line) { line.get(2..)? } else { line };
        for component in rest.split(|c: char| u8::try_from(c).is_ok_and(is_separator)) {
            match component {
                "" | "." => {}
                ".." => found = parent(&found)?,
                name => found = self.find_name(&found, name)?,
            }
        }
        found.exists().then_some(found)
    }

    /// A name in a folder, its letter case ignored.
    pub(super) fn find_name(&mut self, folder: &Path, name: &str) -> Option<PathBuf> {
        let exact = folder.join(name);
        if exact.symlink_metadata().is_ok() && !cfg!(windows) {
            return Some(exact);
        }
        if !self.folders.contains_key(folder) {
            self.folders.insert(folder.to_path_buf(), names_in(folder));
        }
        self.folders.get(folder)?.get(&name.to_lowercase()).map(|name| folder.join(name))
    }
}

/// The names in a folder under their lower case; none where it cannot be read.
fn names_in(folder: &Path) -> HashMap<String, OsString> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    let mut names: Vec<_> = entries.map(|entry| entry.file_name()).collect();
    // The last one that is collected under a key stays.
    names.sort_by(|a, b| b.cmp(a));
    names.into_iter().map(|name| (name.to_string_lossy().to_lowercase(), name)).collect()
}

/// Whether a line starts with a drive letter, as in `C:\Games`.
fn has_drive(line: &str) -> bool {
    matches!(line.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic())
}

/// The folder around a path, also of a relative one such as `.`.
fn parent(path: &Path) -> Option<PathBuf> {
    match (path.file_name(), path.parent()) {
        (Some(_), Some(parent)) if parent.as_os_str().is_empty() => Some(PathBuf::from(".")),
        (Some(_), Some(parent)) => Some(parent.to_path_buf()),
        _ => Some(path.join("..")).filter(|path| path.exists()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(base: &Path, line: &str) -> Option<PathBuf> {
        Disk::default().find(base, line)
    }

    #[test]
    fn names_are_found_whatever_their_case_and_separators() {
        let root = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(root.path().join("x64/Mods")).unwrap();
        std::fs::write(root.path().join("Patch_01.arch06"), b"").unwrap();
        std::fs::write(root.path().join("x64/Mods/A.arch06"), b"").unwrap();
        let x64 = root.path().join("x64");
        assert_eq!(find(&x64, "..\\PATCH_01.ARCH06").unwrap().file_name().unwrap(), "Patch_01.arch06");
        assert_eq!(find(&x64, "./mods//a.ARCH06").unwrap().file_name().unwrap(), "A.arch06");
        assert_eq!(find(&x64, "mods\\..\\MODS").unwrap().file_name().unwrap(), "Mods");
        assert_eq!(find(&x64, "mods\\nothing"), None);
        assert_eq!(find(&x64, "nothing\\..\\mods"), None);
    }

    #[test]
    fn a_drive_of_another_system_names_nothing() {
        if !cfg!(windows) {
            assert_eq!(find(Path::new("/"), "C:\\Games"), None);
        }
    }

    #[cfg(unix)]
    #[test]
    fn an_exact_name_wins_over_others() {
        let root = tempfile::tempdir().unwrap();
        for name in ["a", "A"] {
            std::fs::write(root.path().join(name), b"").unwrap();
        }
        for name in ["a", "A"] {
            assert_eq!(find(root.path(), name).unwrap().file_name().unwrap(), name);
        }
        std::fs::write(root.path().join("bB"), b"").unwrap();
        std::fs::write(root.path().join("bb"), b"").unwrap();
        assert_eq!(find(root.path(), "BB").unwrap().file_name().unwrap(), "bB");
    }

    #[cfg(unix)]
    #[test]
    fn a_folder_is_looked_into_once() {
        let root = tempfile::tempdir().unwrap();
        std::fs::write(root.path().join("Patch.arch06"), b"").unwrap();
        let mut disk = Disk::default();
        assert_eq!(disk.find(root.path(), "nothing.arch06"), None);
        std::fs::rename(root.path().join("Patch.arch06"), root.path().join("Other.arch06")).unwrap();
        assert_eq!(disk.find(root.path(), "OTHER.ARCH06"), None, "the names are those of the first look");
        assert_eq!(disk.folders.len(), 1);
    }
}
