//! Who decodes Oodle's chunks, as the user chose: the built-in decoder, the user's own library, or both.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use palimpsest_core::codec::oodle::{Library, Oodle, find_beside};
use palimpsest_core::error::{Error, Result};
use palimpsest_core::mount::Stack;
use palimpsest_core::task::Task;
use serde::{Deserialize, Serialize};

/// The subcommand that opens a library and does nothing else.
pub const CHECK: &str = "check-oodle";

/// Who decodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum By {
    /// The decoder of this program.
    #[default]
    BuiltIn,
    /// The user's library.
    Library,
    /// Both; chunks that they decode to different bytes are errors.
    Compare,
}

/// Who decodes, and where the library lies.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct OodleChoice {
    /// Who decodes.
    pub by: By,
    /// The library; `None` for the one beside the install that is mounted.
    pub path: Option<PathBuf>,
}

impl OodleChoice {
    /// Opens the library for a stack; `None` where only the built-in decoder is wanted.
    ///
    /// # Errors
    /// When there is no library, or it is refused; the text says why. `Cancelled`.
    pub fn open(&self, stack: &Stack, task: &Task) -> Result<Option<Arc<Oodle>>> {
        let decoders: fn(Library) -> Oodle = match self.by {
            By::BuiltIn => return Ok(None),
            By::Library => Oodle::Library,
            By::Compare => Oodle::Compare,
        };
        let beside = || stack.origins().find_map(find_beside);
        let path = self.path.clone().or_else(beside).ok_or_else(|| {
            Error::not_found("no Oodle library lies beside what is mounted; name the file of one")
        })?;
        check(&path, task)?;
        Ok(Some(Arc::new(decoders(Library::open(&path)?))))
    }
}

/// What the process says that opened a library, so that no library says it by chance.
const OPENED: i32 = 84;
const REFUSED: i32 = 85;

/// How long a library may take to decode one small stream.
const PATIENCE: Duration = Duration::from_secs(5);

/// Has a process of its own open a library: one that crashes, ends or hangs takes that process with it.
fn check(path: &Path, task: &Task) -> Result<()> {
    // What is no file is told better by the one who opens it.
    if !path.is_file() {
        return Ok(());
    }
    let mut child = Command::new(std::env::current_exe()?)
        .arg(CHECK)
        .arg(path)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    let started = Instant::now();
    let ended = loop {
        if let Some(ended) = child.try_wait()? {
            break Some(ended);
        }
        if started.elapsed() > PATIENCE || task.is_cancelled() {
            child.kill()?;
            child.wait()?;
            task.check()?;
            break None;
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    let text = match ended.map(|ended| (ended, ended.code())) {
        Some((_, Some(OPENED | REFUSED))) => return Ok(()),
        Some((ended, _)) => format!("the library ends the program that opens it ({ended})"),
        None => "the library does not answer".to_owned(),
    };
    Err(Error::unsupported(text).of(path.display().to_string()))
}

/// Opens a library and ends the process with what became of it.
pub fn answer(path: &Path) -> ! {
    // Whoever asks may be gone by the time that a library hangs.
    let watch = std::thread::Builder::new().name("watch".to_owned()).spawn(|| {
        std::thread::sleep(2 * PATIENCE);
        std::process::abort();
    });
    drop(watch);
    let is_opened = Library::open(path).is_ok();
    std::process::exit(if is_opened { OPENED } else { REFUSED })
}
