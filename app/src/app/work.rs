//! What jobs of the program do, away from its thread: mounting, and ranking paths.

use std::sync::Arc;

use palimpsest_core::demo;
use palimpsest_core::error::{Error, Result};
use palimpsest_core::mount::{Mounts, Query, Stack};
use palimpsest_core::task::Task;

use crate::oodle::OodleChoice;
use crate::session::{Mounted, Nearest};

/// Mounts a stack, with the demo below it where that is wanted.
pub(super) fn mount(
    mounts: Mounts,
    has_demo: bool,
    title: String,
    oodle: &OodleChoice,
    task: &Task,
) -> Result<Mounted> {
    let demo = has_demo.then(|| {
        let folder = tempfile::Builder::new().prefix("palimpsest-demo-").tempdir()?;
        demo::write(folder.path(), task)?;
        Ok::<_, Error>(folder)
    });
    let demo = demo.transpose()?;
    let mut all = mounts.clone();
    if let Some(demo) = &demo {
        all.paths.insert(0, demo.path().to_path_buf());
    }
    let mut stack = Stack::mount(&all, task)?;
    let oodle = oodle.open(&stack, task);
    task.check()?;
    stack.set_oodle(oodle.as_ref().ok().cloned().flatten());
    Ok(Mounted { mounts, title, stack, demo: demo.map(Arc::new), oodle: oodle.map_err(Arc::new) })
}

/// The paths that words fit best: those whose leaf names have more of the words, then the shorter.
pub(super) fn nearest(stack: &Stack, text: &str, most: usize, task: &Task) -> Result<Nearest> {
    const RANKED: usize = 20_000;
    if text.trim().is_empty() {
        return Ok(Nearest::default());
    }
    if let Some(copy) = stack.follow(text) {
        return Ok(Nearest { entries: vec![copy], count: 1 });
    }
    let mut entries = stack.search(&Query::parse(text)?, task)?;
    let count = entries.len();
    let words: Vec<_> = text.to_lowercase().split_whitespace().map(str::to_owned).collect();
    entries.truncate(RANKED);
    entries.sort_by_cached_key(|entry| {
        let leaf = stack.leaf(*entry).to_lowercase();
        let hits = words.iter().filter(|word| leaf.contains(*word)).count();
        (std::cmp::Reverse(hits), leaf.len())
    });
    entries.truncate(most);
    Ok(Nearest { entries: entries.into_iter().map(|entry| (entry, 0)).collect(), count })
}
