//! Writing files of a stack into a folder, and never outside it nor into what is mounted.

mod convert;
mod guard;
mod names;
mod picked;

use std::cell::Cell;
use std::collections::HashSet;
use std::fs;
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use convert::convert;
use guard::Guard;
pub use guard::check_target;
use names::{Name, Names};
pub use picked::Picked;

use crate::asset::Kind;
use crate::error::{Error, Result};
use crate::export::{Conversion, Exported, Form};
use crate::hash::NameBook;
use crate::mount::{CopyRef, Stack};
use crate::scene::{Beside, TierName, languages_of};
use crate::task::Task;

/// What to write and where.
#[derive(Clone, Debug)]
pub struct Extraction {
    /// The folder; it is made where it is missing.
    pub out: PathBuf,
    /// Whether to write every file right into the folder, without subfolders.
    pub is_flat: bool,
    /// In which form files are written; what it adds to a name is its ending, as in `a.tex.png`.
    pub conversion: Conversion,
    /// Names of keys, for tables of texts.
    pub names: Arc<NameBook>,
}

/// What became of every file.
#[derive(Debug, Default)]
pub struct Report {
    /// How many files were written.
    pub written: u64,
    /// Bytes of all of them.
    pub bytes: u64,
    /// How many of them took the place of a file that was there.
    pub replaced: u64,
    /// The paths that could not be written, with their reasons; each error names layer and path, or
    /// the file that could not be written.
    pub failed: Vec<(String, Error)>,
    /// The paths of which less was written than their files promise, with what is missing.
    pub incomplete: Vec<(String, String)>,
    /// The paths whose written form says something otherwise than their files, with what it is.
    pub notes: Vec<(String, String)>,
    /// The paths whose pictures have values below 0 or above 1, which were cut.
    pub cut: Vec<String>,
    /// The paths whose file has another name than the path says, with that name below the folder.
    pub renamed: Vec<(String, PathBuf)>,
    /// The paths that were not written because another copy of the same path in the same layer was.
    pub left_out: Vec<String>,
}

impl Report {
    fn add(&mut self, path: String, name: Name, written: &Written) {
        self.written += 1;
        self.bytes += written.bytes;
        self.replaced += u64::from(written.is_replaced);
        if name.is_changed {
            self.renamed.push((path, name.file));
        }
    }
}

/// What is written into a file.
#[derive(Clone, Copy)]
enum Source<'a> {
    /// The bytes of the copy.
    Content,
    Made(&'a [u8]),
}

/// One file that was written.
struct Written {
    bytes: u64,
    is_replaced: bool,
}

impl Extraction {
    /// Writes copies of a stack, each to its own path below the folder; a file
    /// that is there is replaced once the new one is complete. One bad file does not stop the rest; what was
    /// read of it before the fault is not kept. Where tiers are joined, those of a texture make one file, and so do
    /// the tables of all languages where they are set side by side.
    ///
    /// # Errors
    /// `Usage` when the folder lies in what is mounted, also one that is not there yet; when it cannot
    /// be made; `Cancelled`, with everything that was finished kept.
    pub fn run(&self, stack: &Stack, picked: &Picked, task: &Task) -> Result<Report> {
        task.set_total(picked.copies.len() as u64);
        let guard = Guard::new(stack, &self.out)?;
        fs::create_dir_all(&self.out).map_err(|error| of(error, &self.out))?;
        let mut names = Names::default();
        let mut joined = HashSet::new();
        let left_out = picked.left_out.iter().map(|copy| stack.path_of(*copy)).collect();
        let mut report = Report { left_out, ..Report::default() };
        for copy in &picked.copies {
            task.check()?;
            let path = stack.path_of(*copy);
            if self.set_of(&path).is_some_and(|set| !joined.insert(set)) {
                // The whole set is in the file of the first.
                task.step(1)?;
                continue;
            }
            let mut write = |path: String, source: Source<'_>| {
                let name = names.name(&path, self.is_flat);
                let allowed = guard.file(&self.out.join(&name.file));
                match allowed.and_then(|()| self.write(stack, *copy, source, &name.file, task)) {
                    Ok(written) => report.add(path, name, &written),
                    Err(error) if error.is_cancelled() => return Err(error),
                    Err(error) => report.failed.push((path, error)),
                }
                Ok(())
            };
            if self.conversion.form == Form::Native {
                write(path.clone(), Source::Content)?;
            } else {
                let is_cut = Cell::new(false);
                let mut sink = |file: Exported| {
                    is_cut.set(is_cut.get() || file.is_cut);
                    // A file of the form has its ending already.
                    let has_ending = path.to_ascii_lowercase().ends_with(&file.ending);
                    let ending = if has_ending { "" } else { &file.ending };
                    write(format!("{path}{ending}"), Source::Made(&file.bytes))
                };
                let converted = convert(stack, *copy, &self.conversion, &self.names, task, &mut sink);
                report.cut.extend(is_cut.get().then(|| path.clone()));
                match converted {
                    Ok(told) => {
                        let of_path = |text: String| (path.clone(), text);
                        report.incomplete.extend(told.missing.into_iter().map(of_path));
                        report.notes.extend(told.notes.into_iter().map(of_path));
                    }
                    Err(error) if error.is_cancelled() => return Err(error),
                    Err(error) => report.failed.push((path, error)),
                }
            }
            task.step(1)?;
        }
        Ok(report)
    }

    /// What the files have in common that make one: all tiers of a texture, all languages of a table.
    fn set_of(&self, path: &str) -> Option<(String, &'static str)> {
        let Conversion { form, is_joined, texts, .. } = self.conversion;
        if texts.beside == Beside::Languages && form.is_of(Kind::Strings) {
            return languages_of(path).map(|set| (set, "strings"));
        }
        is_joined.then(|| chain_of(path))
    }

    fn write(
        &self,
        stack: &Stack,
        copy: CopyRef,
        source: Source<'_>,
        name: &Path,
        task: &Task,
    ) -> Result<Written> {
        let content = match source {
            Source::Content => Some(stack.content(copy)?),
            Source::Made(_) => None,
        };
        let folder = self.folder_for(name)?;
        let target = self.out.join(name);
        // Written aside and moved into place: nobody ever sees half a file, and a link that stands
        // there is replaced instead of followed.
        let mut file = BufWriter::new(new_file(&folder).map_err(|error| of(error, &folder))?);
        let mut bytes = 0;
        let mut sink = |piece: &[u8]| {
            bytes += piece.len() as u64;
            file.write_all(piece).map_err(|error| of(error, &target))
        };
        let written = match (content, source) {
            (Some(content), _) => content.visit(task, sink),
            (None, Source::Made(made)) => sink(made),
            (None, Source::Content) => Ok(()),
        };
        written.map_err(|error| stack.blame(copy, error))?;
        let is_replaced = target.symlink_metadata().is_ok();
        let file = file.into_inner().map_err(|error| of(error.into_error(), &target))?;
        file.persist(&target).map_err(|error| of(error.error, &target))?;
        Ok(Written { bytes, is_replaced })
    }

    /// Makes the folders of a file one by one. A link among them could lead outside, so it is refused.
    fn folder_for(&self, name: &Path) -> Result<PathBuf> {
        let mut folder = self.out.clone();
        for component in name.parent().into_iter().flat_map(Path::components) {
            folder.push(component);
            match folder.symlink_metadata() {
                Ok(metadata) if metadata.is_dir() => {}
                Ok(metadata) => {
                    let text = if metadata.is_symlink() {
                        "in the way of a folder; a link is not followed"
                    } else {
                        "a file, in the way of a folder"
                    };
                    return Err(Error::usage(text).of(folder.display().to_string()));
                }
                Err(_) => fs::create_dir(&folder).map_err(|error| of(error, &folder))?,
            }
        }
        Ok(folder)
    }
}

/// What the tiers of a texture have in common; of other files the path.
fn chain_of(path: &str) -> (String, &'static str) {
    let tier = TierName::of(path).map(|tier| (tier.stem, tier.family));
    let (stem, family) = tier.unwrap_or((path, ""));
    (stem.to_ascii_lowercase(), family)
}

/// A file under a passing name, readable by whom the system's settings say.
fn new_file(folder: &Path) -> std::io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".palimpsest-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder)
}

fn of(error: std::io::Error, path: &Path) -> Error {
    Error::from(error).of(path.display().to_string())
}

/// Writes a file of the program's own, such as a list, into a folder that is made where it is missing; what is
/// mounted is never written to.
///
/// # Errors
/// `Usage` when the file is mounted, or lies in what is or in an install; whatever the operating system
/// says.
pub fn write_file(stack: &Stack, file: &Path, bytes: &[u8]) -> Result<()> {
    let folder =
        file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or_else(|| Path::new("."));
    Guard::new(stack, folder)?.file(file)?;
    fs::create_dir_all(folder).map_err(|error| of(error, folder))?;
    // A link that stands there is replaced instead of followed, and so is one of several names of a file.
    let mut new = new_file(folder).map_err(|error| of(error, folder))?;
    new.write_all(bytes).map_err(|error| of(error, file))?;
    new.persist(file).map(drop).map_err(|error| of(error.error, file))
}
