//! Small pictures on disk, as PNG under the SHA-256 of what they are made of.

use std::fs;
use std::io::Write as _;
use std::path::PathBuf;
use std::time::SystemTime;

use image::{ImageFormat, RgbaImage};
use palimpsest_core::asset::{Image, Texture};
use palimpsest_core::hash::hex;
use palimpsest_core::task::Task;
use sha2::{Digest as _, Sha256};

/// To be raised whenever pictures are made in another way.
const VERSION: u32 = 1;

/// Bytes that the folder may take before the oldest pictures go.
const LIMIT: u64 = 256 << 20;

/// The largest picture that is read.
const LARGEST: u64 = 4 << 20;

/// The folder.
#[derive(Clone, Debug)]
pub struct Kept {
    folder: PathBuf,
}

/// The name of a picture: the sum of everything that decides on its pixels.
pub(super) fn key(texture: &Texture, image: &Image, side: u32, is_opaque: bool) -> String {
    let mut sum = Sha256::new();
    for number in [VERSION, image.width, image.height, side, u32::from(is_opaque)] {
        sum.update(number.to_le_bytes());
    }
    sum.update(texture.format.name());
    sum.update(&image.data);
    hex(&sum.finalize())
}

impl Kept {
    /// The pictures in a folder, which is made when one is kept there.
    pub const fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// The folder for such files of the user; `None` on systems that have none.
    pub fn of_user() -> Option<Self> {
        dirs::cache_dir().map(|folder| Self::new(folder.join("palimpsest").join("thumbnails")))
    }

    fn path(&self, key: &str) -> PathBuf {
        self.folder.join(format!("{key}.png"))
    }

    /// A picture, where it is there and has the size of what was made.
    pub(super) fn load(&self, key: &str, size: (u32, u32)) -> Option<RgbaImage> {
        let path = self.path(key);
        // A picture that cannot be read is made anew.
        fs::metadata(&path).ok().filter(|metadata| metadata.is_file() && metadata.len() <= LARGEST)?;
        let mut reader =
            image::ImageReader::with_format(std::io::Cursor::new(fs::read(&path).ok()?), ImageFormat::Png);
        let mut limits = image::Limits::default();
        (limits.max_image_width, limits.max_image_height) = (Some(size.0), Some(size.1));
        reader.limits(limits);
        Some(reader.decode().ok()?.into_rgba8()).filter(|picture| picture.dimensions() == size)
    }

    /// Keeps a picture. Where that fails it is made anew the next time.
    pub(super) fn store(&self, key: &str, picture: &RgbaImage) {
        let mut png = Vec::new();
        let encoded = picture.write_to(&mut std::io::Cursor::new(&mut png), ImageFormat::Png);
        if encoded.is_err() || fs::create_dir_all(&self.folder).is_err() {
            return;
        }
        // Nobody sees a file that is half written.
        if let Ok(mut file) = tempfile::NamedTempFile::new_in(&self.folder)
            && file.write_all(&png).is_ok()
        {
            drop(file.persist(self.path(key)));
        }
    }

    /// Removes the oldest pictures where all of them take more room than they may.
    pub fn prune(&self, task: &Task) {
        self.prune_to(LIMIT, task);
    }

    fn prune_to(&self, limit: u64, task: &Task) {
        // What cannot be listed or removed is left to the next time.
        let Ok(files) = fs::read_dir(&self.folder) else { return };
        let mut found: Vec<(SystemTime, u64, PathBuf)> = Vec::new();
        for file in files.flatten() {
            if task.is_cancelled() {
                return;
            }
            let path = file.path();
            let is_ours = path.extension().is_some_and(|extension| extension == "png");
            if let Ok(metadata) = file.metadata()
                && is_ours
                && metadata.is_file()
            {
                found.push((metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH), metadata.len(), path));
            }
        }
        found.sort();
        let mut bytes: u64 = found.iter().map(|(_, size, _)| size).sum();
        for (_, size, path) in found {
            if bytes <= limit || task.is_cancelled() {
                return;
            }
            if fs::remove_file(path).is_ok() {
                bytes -= size;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn the_oldest_pictures_go_where_there_are_too_many_and_other_files_stay() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        for (age, name) in ["old.png", "older.png", "new.png", "other.txt"]
            .into_iter()
            .zip([20u64, 30, 10, 90])
            .map(|(name, age)| (age, name))
        {
            fs::write(at(name), [0; 100]).unwrap();
            let time = SystemTime::now() - Duration::from_secs(age);
            fs::File::options().write(true).open(at(name)).unwrap().set_modified(time).unwrap();
        }
        Kept::new(folder.path().to_path_buf()).prune_to(200, &Task::new());
        let there = ["old.png", "older.png", "new.png", "other.txt"].map(|name| at(name).exists());
        assert_eq!(there, [true, false, true, true]);
    }
}
