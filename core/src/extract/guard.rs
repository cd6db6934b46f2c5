//! What is mounted is only ever read: no file is written into it.

use std::path::{Component, Path, PathBuf};

use crate::error::{Error, Result};
use crate::mount::Stack;

/// The files and folders that nothing may be written to.
#[derive(Debug)]
pub(super) struct Guard {
    /// With all links followed.
    mounted: Vec<PathBuf>,
}

impl Guard {
    /// Guards what a stack was made of, for files that go into a folder.
    ///
    /// # Errors
    /// `Usage` when the folder itself is mounted, lies in something that is, or belongs to an install.
    pub(super) fn new(stack: &Stack, out: &Path) -> Result<Self> {
        let mut guard = Self::of(stack);
        let target = real(out);
        let of = |error: Error| error.of(out.display().to_string());
        guard.check(&target).map_err(of)?;
        // One archive of a game may be mounted alone; what lies beside it is the game's all the same.
        let is_install = |folder: &&Path| folder.join("x64").join("default.archcfg").is_file();
        if let Some(install) = target.ancestors().find(is_install) {
            let text =
                format!("belongs to the install {}; files of a game are only ever read", install.display());
            return Err(of(Error::usage(text)));
        }
        // Links in the folder are not followed, so the others are out of reach.
        guard.mounted.retain(|mounted| mounted.starts_with(&target));
        Ok(guard)
    }

    /// Guards what a stack was made of.
    fn of(stack: &Stack) -> Self {
        Self { mounted: stack.origins().filter_map(|path| path.canonicalize().ok()).collect() }
    }

    /// Whether a file may be written.
    ///
    /// # Errors
    /// `Usage` when it is mounted or lies in something that is.
    pub(super) fn file(&self, file: &Path) -> Result<()> {
        if self.mounted.is_empty() {
            return Ok(());
        }
        self.check(&real(file)).map_err(|error| error.of(file.display().to_string()))
    }

    fn check(&self, target: &Path) -> Result<()> {
        let Some(mounted) = self.mounted.iter().find(|mounted| target.starts_with(mounted)) else {
            return Ok(());
        };
        let place = if mounted == target {
            "is mounted".to_owned()
        } else {
            format!("lies in {}, which is mounted", mounted.display())
        };
        Err(Error::usage(format!("{place}; files of a game are only ever read")))
    }
}

/// Whether a file may be written while a stack is mounted.
///
/// # Errors
/// `Usage` when it is mounted or lies in something that is.
pub fn check_target(stack: &Stack, file: &Path) -> Result<()> {
    Guard::of(stack).file(file)
}

/// Where a path leads when links and `..` are followed, as far as it exists; the rest is kept.
fn real(path: &Path) -> PathBuf {
    let mut real = PathBuf::new();
    // Only an empty path, or a system without a working folder, has no absolute one.
    for component in std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf()).components() {
        match component {
            Component::ParentDir => {
                real.pop();
            }
            component => real.push(component),
        }
        if let Ok(followed) = real.canonicalize() {
            real = followed;
        }
    }
    real
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_that_are_not_there_lead_where_they_would_be_made() {
        let root = tempfile::tempdir().unwrap();
        let there = root.path().canonicalize().unwrap();
        std::fs::create_dir(there.join("folder")).unwrap();
        for (path, expected) in [
            ("folder", "folder"),
            ("new/deep", "new/deep"),
            ("new/../folder/x", "folder/x"),
            ("folder/../new", "new"),
            ("new/a/../../folder/./x", "folder/x"),
        ] {
            assert_eq!(real(&root.path().join(path)), there.join(expected), "{path}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_before_the_folder_around_is_taken() {
        let root = tempfile::tempdir().unwrap();
        let there = root.path().canonicalize().unwrap();
        std::fs::create_dir_all(there.join("a/b")).unwrap();
        std::os::unix::fs::symlink(there.join("a/b"), there.join("link")).unwrap();
        assert_eq!(real(&there.join("link/x")), there.join("a/b/x"));
        assert_eq!(real(&there.join("link/../x")), there.join("a/x"));
        assert_eq!(real(&there.join("new/../link/x")), there.join("a/b/x"));
    }
}
