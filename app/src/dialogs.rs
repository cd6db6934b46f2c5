//! The system's own dialogs, asked for on this thread and waited for on another.

use std::path::PathBuf;

use palimpsest_core::error::Result;

use crate::jobs::{Job, Jobs};

/// Asks for a folder; `None` when the person thought better of it.
pub fn folder(jobs: &Jobs, title: &str) -> Job<Option<PathBuf>> {
    let dialog = rfd::AsyncFileDialog::new().set_title(title).pick_folder();
    wait(jobs, dialog)
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

fn wait(
    jobs: &Jobs,
    dialog: impl Future<Output = Option<rfd::FileHandle>> + Send + 'static,
) -> Job<Option<PathBuf>> {
    let answer = move || -> Result<Option<PathBuf>> {
        Ok(pollster::block_on(dialog).map(|file| file.path().to_path_buf()))
    };
    jobs.spawn_alone("A dialog is open", answer)
}
