//! What to mount and in which order: installs, lists, archives, folders and files.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::config::{self, Line};
use super::disk::Disk;
use crate::error::{Error, Result};
use crate::file;
use crate::task::Task;

/// The folder of an install that has its list in it.
const LIST_FOLDER: &str = "x64";
const LIST_NAME: &str = "default.archcfg";
const ARCHIVE_EXTENSION: &str = "arch06";
const LIST_EXTENSION: &str = "archcfg";

/// Bytes of the largest list that is read; the game's own has three thousand.
const LARGEST_LIST: u64 = 4 << 20;

/// What a person asks to mount. Later mounts are searched before earlier ones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mounts {
    /// Install folders, lists, archives, folders of loose files, loose files.
    pub paths: Vec<PathBuf>,
    /// Archives that are mounted before everything else, like the engine's `-arch`.
    pub arch: Vec<PathBuf>,
    /// The list to read instead of an install's own, like the engine's `-archcfg`.
    pub archcfg: Option<PathBuf>,
}

impl Mounts {
    /// One path and nothing else.
    pub fn of(path: impl Into<PathBuf>) -> Self {
        Self { paths: vec![path.into()], ..Self::default() }
    }
}

/// What will become a layer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The file or folder on disk.
    pub path: PathBuf,
    /// How it is mounted.
    pub kind: SourceKind,
    /// The line of a list that names it.
    pub line: Option<Line>,
}

/// How a source is mounted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SourceKind {
    /// Files inside a file.
    Archive,
    /// A folder of loose files.
    Folder,
    /// One loose file.
    File,
}

/// A line of a list that mounted nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkippedLine {
    /// Its number, from 1.
    pub line: u32,
    /// The path as written.
    pub text: String,
    /// Why it mounted nothing.
    pub reason: String,
}

/// The sources in search order, and what was noticed on the way.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// The first is searched first.
    pub sources: Vec<Source>,
    /// The lists and the folders of installs that the sources come from.
    pub origins: Vec<PathBuf>,
    /// The lines of all lists that mounted nothing.
    pub skipped: Vec<SkippedLine>,
    /// What a person should know about the order.
    pub warnings: Vec<String>,
}

impl Plan {
    /// Looks at the disk and orders what is asked for as the engine would.
    ///
    /// # Errors
    /// `NotFound` when a path that a person gave does not exist, `Io` when a list is there, or may be
    /// there, and cannot be read, `Limit` when it is too large; `Cancelled`. What a list names is never
    /// an error: such lines are skipped and remembered.
    pub fn new(mounts: &Mounts, task: &Task) -> Result<Self> {
        let mut plan = Self::default();
        let mut disk = Disk::default();
        // Built in mounting order: each new source goes in front of those before it.
        for arch in &mounts.arch {
            let path = existing(arch)?;
            plan.sources.push(Source { path, kind: SourceKind::Archive, line: None });
        }
        let mut list = mounts.archcfg.as_deref();
        let has_install = mounts.paths.iter().any(|path| !matches!(install_list(&mut disk, path), Ok(None)));
        if let Some(path) = list.filter(|_| !has_install) {
            plan.add_list(&mut disk, &existing(path)?, task)?;
            list = None;
        }
        for path in &mounts.paths {
            plan.add(&mut disk, &existing(path)?, list, task)?;
        }
        plan.sources.reverse();
        plan.drop_repeats();
        Ok(plan)
    }

    fn add(&mut self, disk: &mut Disk, path: &Path, list: Option<&Path>, task: &Task) -> Result<()> {
        let extension = extension(path);
        if path.is_dir() {
            self.origins.push(path.to_path_buf());
            let list = match (install_list(disk, path), list) {
                (Ok(None), _) => None,
                // What replaces an install's own list makes up for one that cannot be read.
                (_, Some(list)) => Some(existing(list)?),
                (own, None) => own?,
            };
            if let Some(list) = list {
                self.origins.extend(install_around(path));
                return self.add_list(disk, &list, task);
            }
            let archives = archives_in(path)?;
            if archives.is_empty() {
                self.sources.push(Source { path: path.to_path_buf(), kind: SourceKind::Folder, line: None });
                return Ok(());
            }
            self.warnings.push(format!(
                "{} has no x64/{LIST_NAME}: its {} archives are mounted in the order of their names, which is a guess",
                path.display(),
                archives.len()
            ));
            let archive = |path| Source { path, kind: SourceKind::Archive, line: None };
            self.sources.extend(archives.into_iter().map(archive));
            Ok(())
        } else if extension == LIST_EXTENSION {
            self.add_list(disk, path, task)
        } else {
            let kind = if is_archive(path, &extension)? { SourceKind::Archive } else { SourceKind::File };
            self.sources.push(Source { path: path.to_path_buf(), kind, line: None });
            Ok(())
        }
    }

    fn add_list(&mut self, disk: &mut Disk, list: &Path, task: &Task) -> Result<()> {
        let bytes = file::read(list, LARGEST_LIST)?;
        let base =
            list.parent().filter(|base| !base.as_os_str().is_empty()).unwrap_or_else(|| Path::new("."));
        self.origins.push(list.to_path_buf());
        self.origins.extend(install_around(base));
        for Line { number, text } in config::lines(&bytes) {
            task.check()?;
            match disk.find(base, &text) {
                Some(path) => {
                    let kind = if path.is_dir() { SourceKind::Folder } else { SourceKind::Archive };
                    self.sources.push(Source { path, kind, line: Some(Line { number, text }) });
                }
                None => self.skip(number, text, "no such file or folder".to_owned()),
            }
        }
        Ok(())
    }

    fn skip(&mut self, line: u32, text: String, reason: String) {
        self.skipped.push(SkippedLine { line, text, reason });
    }

    /// Mounts each file and folder once, where it is searched first.
    fn drop_repeats(&mut self) {
        let mut first: HashMap<PathBuf, String> = HashMap::new();
        let mut repeats = Vec::new();
        self.sources.retain(|source| {
            let identity = source.path.canonicalize().unwrap_or_else(|_| source.path.clone());
            let line = source.line.as_ref();
            let place =
                line.map_or_else(|| "another mount".to_owned(), |line| format!("line {}", line.number));
            if let Some(place) = first.get(&identity) {
                repeats.push((source.clone(), place.clone()));
                return false;
            }
            first.insert(identity, place);
            true
        });
        for (source, place) in repeats {
            let reason = format!("the same file as {place}, which is searched first");
            match source.line {
                Some(Line { number, text }) => self.skip(number, text, reason),
                None => self.warnings.push(format!("{}: mounted once, {reason}", source.path.display())),
            }
        }
        self.skipped.sort_by_key(|skipped| skipped.line);
    }
}

/// The list of an install folder, or of its `x64` folder; `None` only where there is none.
///
/// # Errors
/// When nobody can say whether there is a list, or what is there is no file that can be read: to
/// guess the order then would give wrong answers.
fn install_list(disk: &mut Disk, path: &Path) -> Result<Option<PathBuf>> {
    if !path.is_dir() {
        return Ok(None);
    }
    let inside = match disk.find_name(path, LIST_FOLDER) {
        Some(folder) => list_in(disk, &folder)?,
        None => None,
    };
    if inside.is_some() { Ok(inside) } else { list_in(disk, path) }
}

/// The list right inside a folder, see [`install_list`].
fn list_in(disk: &mut Disk, folder: &Path) -> Result<Option<PathBuf>> {
    let list = disk.find_name(folder, LIST_NAME);
    let known = list.clone().unwrap_or_else(|| folder.join(LIST_NAME));
    let of_list = |error: io::Error| Error::from(error).of(known.display().to_string());
    match list {
        Some(list) if list.metadata().map_err(of_list)?.is_file() => Ok(Some(list)),
        Some(_) => Err(of_list(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"))),
        None => match fs::read_dir(folder) {
            Err(error) if !is_absence(&error) => Err(of_list(error)),
            _ => Ok(None),
        },
    }
}

/// Whether an error says that there is no such folder.
fn is_absence(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

/// The install around its `x64` folder, where a folder is one.
fn install_around(folder: &Path) -> Option<PathBuf> {
    let folder = folder.canonicalize().ok()?;
    let is_named_so = folder.file_name()?.eq_ignore_ascii_case(LIST_FOLDER);
    folder.parent().filter(|_| is_named_so).map(Path::to_path_buf)
}

/// The archives right inside a folder, by name without letter case.
fn archives_in(folder: &Path) -> Result<Vec<PathBuf>> {
    let of_folder = |error| Error::from(error).of(folder.display().to_string());
    let mut archives = Vec::new();
    for entry in fs::read_dir(folder).map_err(of_folder)? {
        let path = entry.map_err(of_folder)?.path();
        if extension(&path) == ARCHIVE_EXTENSION && path.is_file() {
            archives.push(path);
        }
    }
    archives.sort_by_key(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        (name.to_lowercase(), name.into_owned())
    });
    Ok(archives)
}

/// Whether a file that a person gave is an archive: by its ending, otherwise by its first bytes.
fn is_archive(path: &Path, extension: &str) -> Result<bool> {
    use std::io::Read as _;
    let is_named_so = extension.strip_prefix("arch0").is_some_and(|version| version.len() == 1);
    if is_named_so || extension == "mw4" {
        return Ok(true);
    }
    let mut head = [0; 4];
    let read = fs::File::open(path).and_then(|mut file| file.read(&mut head));
    let read = read.map_err(|error| Error::from(error).of(path.display().to_string()))?;
    Ok(matches!(head.get(..read), Some(b"LTAR" | b"RATL" | b"#VBD")))
}

fn extension(path: &Path) -> String {
    path.extension().unwrap_or_default().to_string_lossy().to_lowercase()
}

fn existing(path: &Path) -> Result<PathBuf> {
    let error = match path.metadata() {
        Ok(metadata) if metadata.is_file() || metadata.is_dir() => return Ok(path.to_path_buf()),
        Ok(_) => Error::not_found("neither a file nor a folder"),
        Err(_) => Error::not_found("no such file or folder"),
    };
    Err(error.of(path.display().to_string()))
}
