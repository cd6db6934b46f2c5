//! Real files, where they are: a folder beside the checkout that is no part of the project.

#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "helpers of tests say what they skip and fail loudly"
)]

mod meshes;
mod oodle;
mod shadow_of_war;

use std::path::{Path, PathBuf};

/// A file of the corpus, or `None` and a line on standard output where there is no corpus.
fn corpus(file: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/corpus").join(file);
    if path.exists() {
        return Some(path);
    }
    println!("skipped: {} is not there", path.display());
    None
}
