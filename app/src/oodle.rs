//! Who decodes Oodle's chunks, as the user chose: the built-in decoder, the user's own library, or both.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

use palimpsest_core::codec::oodle::{Library, Oodle, find_beside};
use palimpsest_core::error::{Error, Result};
use palimpsest_core::mount::Stack;
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
    /// When there is no library, or it is refused; the text says why.
    pub fn open(&self, stack: &Stack) -> Result<Option<Arc<Oodle>>> {
        let decoders: fn(Library) -> Oodle = match self.by {
            By::BuiltIn => return Ok(None),
            By::Library => Oodle::Library,
            By::Compare => Oodle::Compare,
        };
        let beside = || stack.origins().find_map(find_beside);
        let path = self.path.clone().or_else(beside).ok_or_else(|| {
            Error::not_found("no Oodle library lies beside what is mounted; name the file of one")
        })?;
        check(&path)?;
        Ok(Some(Arc::new(decoders(Library::open(&path)?))))
    }
}

/// Has a process of its own open a library: one that crashes takes that process with it.
fn check(path: &Path) -> Result<()> {
    let ended = Command::new(std::env::current_exe()?)
        .arg(CHECK)
        .arg(path)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()?;
    // A refusal is told better by the one who opens it next.
    if matches!(ended.code(), Some(0..=2)) {
        return Ok(());
    }
    let text = format!("the library ends the program that opens it ({ended})");
    Err(Error::unsupported(text).of(path.display().to_string()))
}
