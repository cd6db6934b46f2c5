//! The bundles of archives, kept in files from one mount to the next.
//!
//! | bytes | meaning |
//! |---|---|
//! | 8 | `PLMPBNDL` |
//! | u32 | version of what follows |
//! | 32 | SHA-256 of the rest |
//! | | the archive's path, size, times and directory, and its [`Parts`], in the encoding of `postcard` |
//!
//! A file counts only when its sum is right, the archive is as it was, and every number in it leads to
//! something that is there.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::{Bundles, Parts};
use crate::error::{Error, Result};
use crate::hash::hex;
use crate::mount::layer::{Layer, LayerKind};
use crate::mount::stamp::Stamp;

const MAGIC: &[u8; 8] = b"PLMPBNDL";
/// To be raised whenever [`Parts`] or the reading of bundles change.
const VERSION: u32 = 7;
const HEADER: usize = 8 + 4 + 32;
/// The largest file that is read; those of shipped archives have a tenth.
const LARGEST: u64 = 256 << 20;

/// A folder of what was read before.
#[derive(Clone, Debug)]
pub struct BundleCache {
    folder: PathBuf,
}

/// What an archive has to be still.
#[derive(PartialEq, Eq, Serialize, Deserialize)]
struct Key {
    path: String,
    stamp: Stamp,
    /// SHA-256 of the directory.
    directory: [u8; 32],
}

impl Key {
    /// The key of an archive as it was when it was mounted; `None` for layers of another kind, which are
    /// read anew each time, and for a file that is another one by now, or was changed since.
    fn of(layer: &Layer) -> Option<Self> {
        if layer.kind != LayerKind::Ltar {
            return None;
        }
        let stamp = layer.stamp.filter(|stamp| Stamp::of(&layer.path) == Some(*stamp))?;
        let path = fs::canonicalize(&layer.path).ok()?.to_string_lossy().into_owned();
        Some(Self { path, stamp, directory: Sha256::digest(layer.listing.directory()).into() })
    }

    fn file_name(&self) -> String {
        format!("{}.bundles", hex(&Sha256::digest(&self.path)))
    }
}

impl BundleCache {
    /// The cache in a folder, which is made when something is kept there.
    pub const fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// What is known of a layer, where it still holds.
    pub(in crate::mount) fn load(&self, layer: &Layer) -> Option<Bundles> {
        let key = Key::of(layer)?;
        let path = self.folder.join(key.file_name());
        // A cache that cannot be read is no cache.
        let is_fit = |metadata: &fs::Metadata| metadata.is_file() && metadata.len() <= LARGEST;
        fs::metadata(&path).ok().filter(is_fit)?;
        let file = fs::read(&path).ok()?;
        let (header, body) = file.split_at_checked(HEADER)?;
        let is_ours = header.starts_with(MAGIC) && header.get(8..12) == Some(&VERSION.to_le_bytes());
        if !is_ours || header.get(12..) != Some(Sha256::digest(body).as_slice()) {
            return None;
        }
        let (known, parts): (Key, Parts) = postcard::from_bytes(body).ok()?;
        (known == key).then(|| Bundles::of(parts, layer.file_count()))?
    }

    /// Keeps what is known of a layer, where the archive is still the one that was read.
    ///
    /// # Errors
    /// Whatever the operating system says.
    pub(in crate::mount) fn store(&self, layer: &Layer, bundles: &Bundles) -> Result<()> {
        let Some(key) = Key::of(layer) else { return Ok(()) };
        let of = |error: std::io::Error, path: &Path| Error::from(error).of(path.display().to_string());
        fs::create_dir_all(&self.folder).map_err(|error| of(error, &self.folder))?;
        let body = postcard::to_allocvec(&(&key, &bundles.parts))
            .map_err(|error| Error::malformed(error.to_string()))?;
        // Nobody sees a file that is half written.
        let mut file =
            tempfile::NamedTempFile::new_in(&self.folder).map_err(|error| of(error, &self.folder))?;
        let path = self.folder.join(key.file_name());
        for part in [&MAGIC[..], &VERSION.to_le_bytes(), Sha256::digest(&body).as_slice(), &body] {
            file.write_all(part).map_err(|error| of(error, &path))?;
        }
        file.persist(&path).map_err(|error| of(error.error, &path))?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;
    use crate::formats::embb;
    use crate::formats::ltar::Builder;
    use crate::mount::{Mounts, Stack};
    use crate::task::Task;

    #[test]
    fn archives_with_other_directories_have_other_keys() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.arch06");
        let key = |name: &str| {
            let mut builder = Builder::new();
            builder.add(name, b"1234");
            fs::write(&path, builder.finish()).unwrap();
            let stack = Stack::mount(&Mounts::of(&path), &Task::new()).unwrap();
            Key::of(&stack.layers()[0]).unwrap()
        };
        let [one, same, other] = ["x.embb", "x.embb", "y.embb"].map(key);
        assert_eq!((&one.path, one.directory), (&same.path, same.directory));
        assert_eq!(one.path, other.path);
        assert_ne!(one.directory, other.directory);
    }

    #[test]
    #[cfg(unix)]
    fn an_archive_that_was_changed_since_with_its_time_kept_has_no_key() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.arch06");
        fs::write(&path, Builder::new().finish()).unwrap();
        let stack = Stack::mount(&Mounts::of(&path), &Task::new()).unwrap();
        let key = || Key::of(&stack.layers()[0]);
        assert!(key().is_some());
        let file = fs::OpenOptions::new().write(true).open(&path).unwrap();
        let started = Instant::now();
        // The clock of file systems is a coarse one.
        while key().is_some() && started.elapsed() < Duration::from_secs(5) {
            file.set_modified(fs::metadata(&path).unwrap().modified().unwrap()).unwrap();
        }
        assert!(key().is_none(), "what was mounted is not what lies there now");
    }

    #[test]
    fn an_archive_that_another_one_took_the_place_of_is_not_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.arch06");
        let write = |path: &Path, member: &str| {
            let mut builder = Builder::new();
            builder.add("x.embb", &embb::write(&[(member, b"1")]));
            fs::write(path, builder.finish()).unwrap();
        };
        write(&path, "m\\a.mat");
        let stack = Stack::mount(&Mounts::of(&path), &Task::new()).unwrap();
        // While it is mounted, as a tool that patches does it.
        write(&folder.path().join("new"), "m\\b.mat");
        fs::rename(folder.path().join("new"), &path).unwrap();
        let cache = BundleCache::new(folder.path().join("cache"));
        stack.with_members(Some(&cache), &Task::new()).unwrap();
        let again = Stack::mount(&Mounts::of(&path), &Task::new()).unwrap();
        let again = again.with_members(Some(&cache), &Task::new()).unwrap();
        assert!(again.find("m\\b.mat").is_some() && again.find("m\\a.mat").is_none());
    }
}
