//! What the subcommands have in common: the mounted stack and the copy that is asked for.

use std::path::PathBuf;

use palimpsest_core::demo;
use palimpsest_core::error::{Error, Result};
use palimpsest_core::file;
use palimpsest_core::mount::{CopyRef, EntryId, Query, Stack};
use palimpsest_core::task::Task;
use tempfile::TempDir;

use super::args::MountArgs;
use super::output::Output;
use super::progress::with_progress;
use crate::headless::as_usage;
use crate::members;

/// A mounted stack, and the demo install behind it where it is one.
pub(super) struct Mounted {
    /// Before the folder, which can be removed on every system only when nothing maps its files.
    pub(super) stack: Stack,
    /// The word lists that can be opened.
    pub(super) word_lists: Vec<PathBuf>,
    demo: Option<TempDir>,
}

impl Mounted {
    /// Has the bundles read. What is wrong with one is named where it is asked for.
    ///
    /// # Errors
    /// `Cancelled`, which nobody does here.
    pub(super) fn read_bundles(&mut self, args: &MountArgs, out: &mut Output) -> Result<()> {
        // The demo lies in another folder each time.
        let cache = if self.demo.is_none() { members::cache() } else { None };
        let task = Task::new();
        let stack = &self.stack;
        let read = || stack.with_members(cache.as_ref(), &task);
        let before = stack.warnings().len();
        self.stack = with_progress(&task, "bundles", args.quiet, read)?;
        if !args.quiet {
            self.stack.warnings().iter().skip(before).for_each(|warning| out.warn(warning));
        }
        Ok(())
    }

    /// Has the bundles read where the stack, or the layer that is asked for, holds no file of a path: a
    /// member may have it. A link may lead to one.
    ///
    /// # Errors
    /// See [`read_bundles`](Self::read_bundles).
    pub(super) fn reach(
        &mut self,
        path: &str,
        of_layer: Option<&str>,
        args: &MountArgs,
        out: &mut Output,
    ) -> Result<()> {
        let is_layer =
            |name: &str| self.stack.layers().iter().any(|layer| layer.name.eq_ignore_ascii_case(name));
        let is_held = self.stack.follow_exactly(path).is_some() || copy(&self.stack, path, of_layer).is_ok();
        if is_held || is_layer(path) {
            return Ok(());
        }
        self.read_bundles(args, out)
    }
}

/// Mounts what the call asks for. Broken layers are named, and the rest goes on: what is asked of
/// other layers does not fail, see [`fail_for_broken`]. Word lists that cannot be opened are failures,
/// also of commands that show no hashes.
///
/// # Errors
/// `Usage` when there is nothing to mount or a path names nothing.
pub(super) fn mount(args: &MountArgs, out: &mut Output) -> Result<Mounted> {
    let sources = &args.sources;
    if sources.is_empty() {
        return Err(Error::usage("nothing to mount: name a folder or file with -m, or use --demo"));
    }
    let demo = sources.demo.then(write_demo).transpose()?;
    let below: Vec<_> = demo.iter().map(|demo| demo.path().to_path_buf()).collect();
    let mut stack = Stack::mount(&sources.above(&below), &Task::new()).map_err(as_usage)?;
    match sources.oodle().unwrap_or_default().open(&stack, &Task::new()) {
        Ok(oodle) => stack.set_oodle(oodle),
        Err(error) => out.failed(format!("{error}; the built-in decoder is used")),
    }
    for (layer, error) in stack.broken() {
        out.complain(format!("{}: {error}", layer.path.display()));
    }
    let mut word_lists = Vec::new();
    for list in &sources.names {
        match file::open(list) {
            Ok(_) => word_lists.push(list.clone()),
            Err(error) => out.failed(error),
        }
    }
    if !args.quiet {
        for warning in stack.warnings() {
            out.warn(warning);
        }
    }
    Ok(Mounted { stack, word_lists, demo })
}

/// Mounts what the call asks for, and has the bundles read.
///
/// # Errors
/// See [`mount`].
pub(super) fn mount_with_members(args: &MountArgs, out: &mut Output) -> Result<Mounted> {
    let mut mounted = mount(args, out)?;
    mounted.read_bundles(args, out)?;
    Ok(mounted)
}

/// Makes broken layers, which were named already, failures of a command that is about all layers.
pub(super) fn fail_for_broken(stack: &Stack, out: &mut Output) {
    if stack.broken().next().is_some() {
        out.fail();
    }
}

/// Writes the demo install into a folder that goes away with the value.
///
/// # Errors
/// Whatever the operating system says.
pub(super) fn write_demo() -> Result<TempDir> {
    let folder = tempfile::Builder::new().prefix("palimpsest-demo-").tempdir()?;
    demo::write(folder.path(), &Task::new())?;
    Ok(folder)
}

/// The query that the words of the call make.
///
/// # Errors
/// `Usage` that quotes the word at fault.
pub(super) fn query(words: &[String]) -> Result<Query> {
    Query::parse(&words.join(" "))
}

/// The position of a layer that the call names.
///
/// # Errors
/// `Usage` when there is no such layer.
pub(super) fn layer(stack: &Stack, name: &str) -> Result<usize> {
    stack.find_layer(name).ok_or_else(|| Error::usage(format!("{name}: no layer has this name or number")))
}

/// The copy of a path that the call asks for: the winner, or that of a layer; of a link the copy that it
/// leads to.
///
/// # Errors
/// `NotFound` when the stack, or that layer, does not hold the path; `Usage` for an unknown layer.
pub(super) fn copy(stack: &Stack, path: &str, of_layer: Option<&str>) -> Result<(EntryId, CopyRef)> {
    let wanted = of_layer.map(|name| layer(stack, name)).transpose()?;
    if let Some((entry, at)) = stack.follow_exactly(path)
        && let Some(copy) = stack.index().copies(entry).get(at)
    {
        return Ok((entry, *copy));
    }
    let entry = stack.find(path).ok_or_else(|| Error::not_found("no layer holds this path").of(path))?;
    let is_wanted = |copy: &&CopyRef| wanted.is_none_or(|wanted| usize::from(copy.layer) == wanted);
    let copy = stack.index().copies(entry).iter().find(is_wanted);
    let missing = || Error::not_found("this layer does not hold the path").of(path);
    copy.map(|copy| (entry, *copy)).ok_or_else(missing)
}
