//! The system's own dialogs, asked for on this thread and waited for on another.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use palimpsest_core::error::{Error, Result};

use crate::jobs::{Job, Jobs};

/// Nobody reads and cancels a dialog in less.
const FASTEST_PERSON: Duration = Duration::from_millis(250);

/// Asks for a folder; `None` when the person thought better of it.
pub fn folder(jobs: &Jobs, title: &str) -> Job<Option<PathBuf>> {
    folder_from(jobs, title, None)
}

/// Asks for a folder, from another one on.
pub fn folder_from(jobs: &Jobs, title: &str, from: Option<&Path>) -> Job<Option<PathBuf>> {
    let dialog = rfd::AsyncFileDialog::new().set_title(title);
    let dialog = match from {
        Some(from) => dialog.set_directory(from),
        None => dialog,
    };
    wait(jobs, dialog.pick_folder())
}

/// Asks for a file; `None` when the person thought better of it.
pub fn file(jobs: &Jobs, title: &str) -> Job<Option<PathBuf>> {
    let dialog = rfd::AsyncFileDialog::new()
        .set_title(title)
        .add_filter("Archives and lists", &["arch06", "archcfg"])
        .add_filter("All files", &["*"])
        .pick_file();
    wait(jobs, dialog)
}

/// Asks for a word list; `None` when the person thought better of it.
pub fn word_list(jobs: &Jobs, title: &str) -> Job<Option<PathBuf>> {
    let dialog = rfd::AsyncFileDialog::new()
        .set_title(title)
        .add_filter("Word lists", &["txt", "lst", "csv"])
        .add_filter("All files", &["*"])
        .pick_file();
    wait(jobs, dialog)
}

/// Asks for a file to write; `None` when the person thought better of it.
pub fn save(jobs: &Jobs, title: &str, name: &str) -> Job<Option<PathBuf>> {
    wait(jobs, rfd::AsyncFileDialog::new().set_title(title).set_file_name(name).save_file())
}

fn wait(
    jobs: &Jobs,
    dialog: impl Future<Output = Option<rfd::FileHandle>> + Send + 'static,
) -> Job<Option<PathBuf>> {
    let answer = move || -> Result<Option<PathBuf>> {
        let asked = Instant::now();
        let chosen = pollster::block_on(dialog).map(|file| file.path().to_path_buf());
        // A system without dialogs answers like a person who cancels, but faster than any person.
        if chosen.is_none() && asked.elapsed() < FASTEST_PERSON {
            return Err(Error::unsupported("the system shows no file dialog"));
        }
        Ok(chosen)
    };
    jobs.spawn_alone("A dialog is open", answer)
}
