//! Reading what bundles hold while the stack is shown already, and showing it once it is known.

use std::sync::Arc;

use palimpsest_core::error::{Error, Result};
use palimpsest_core::mount::{EntryId, FolderId, Stack};
use palimpsest_core::task::Task;

use super::App;
use crate::command::PathFor;
use crate::files::Files;
use crate::jobs::Load;
use crate::session::{DocumentId, Mounted, Palette};

/// A stack that has read its bundles, and what became of the paths of the one before.
#[derive(Debug)]
pub struct Indexed {
    mounted: Mounted,
    moves: Moves,
}

/// The new number of every path.
#[derive(Debug)]
pub(super) struct Moves(Vec<EntryId>);

impl Moves {
    /// Every path of a stack is in one with members as well, and in the same order.
    fn between(old: &Stack, new: &Stack, task: &Task) -> Result<Self> {
        let mut moves = Vec::with_capacity(old.index().entry_count() as usize);
        let mut next = new.index().entries();
        for entry in old.index().entries() {
            if entry.0.is_multiple_of(4096) {
                task.check()?;
            }
            let copy = old.index().copies(entry).first();
            // A file stays the first copy of its path.
            let same = next.find(|new_entry| new.index().copies(*new_entry).first() == copy);
            moves.push(same.unwrap_or(EntryId(u32::MAX)));
        }
        Ok(Self(moves))
    }

    pub(super) fn of(&self, entry: EntryId) -> EntryId {
        self.0.get(entry.0 as usize).copied().unwrap_or(EntryId(u32::MAX))
    }
}

impl App {
    /// Has the bundles of the stack read, where that was not done yet.
    pub(super) fn read_bundles(&mut self) {
        let Some(mounted) = self.session.mounted.clone() else { return };
        if mounted.stack.has_members() || self.session.bundles.is_some() {
            return;
        }
        // The demo lies in another folder each time.
        let cache = self.cache.clone().filter(|_| mounted.demo.is_none());
        let job = self.jobs.spawn("Indexing members", move |task| {
            let stack = mounted.stack.with_members(cache.as_ref(), task)?;
            let moves = Moves::between(&mounted.stack, &stack, task)?;
            Ok(Indexed { mounted: mounted.with(stack), moves })
        });
        self.session.bundles = Some(Load::Pending(job));
    }

    /// Has it worked out what the bundle is made of that a tab's path belongs to.
    pub(super) fn need_bundle(&mut self, id: DocumentId) {
        let Some(open) = self.session.open.iter_mut().find(|open| open.id == id) else { return };
        let (mounted, entry) = (Arc::clone(&open.mounted), open.entry);
        if mounted.stack.is_bundle(entry) {
            let name = format!("Resolving {}", open.leaf());
            let missing = || Error::not_found("the path belongs to no bundle");
            let job =
                self.jobs.spawn(name, move |task| mounted.stack.bundle(entry, task)?.ok_or_else(missing));
            open.bundle = Some(Load::Pending(job));
        }
    }

    /// Has a path index held against its archive, where a tab shows one.
    pub(super) fn need_index_report(&mut self, id: DocumentId) {
        let Some(open) = self.session.open.iter_mut().find(|open| open.id == id) else { return };
        let (mounted, copy) = (Arc::clone(&open.mounted), open.copy_ref());
        open.index_report = None;
        if let Some(copy) = copy.filter(|_| mounted.stack.is_path_index(open.entry)) {
            let job = self
                .jobs
                .spawn("Reading the path indexes", move |task| mounted.stack.index_report(copy, task));
            open.index_report = Some(Load::Pending(job));
        }
    }

    pub(super) fn poll_bundles(&mut self) {
        if !self.session.bundles.as_mut().is_some_and(Load::poll) {
            return;
        }
        let ended = self.session.bundles.take();
        match ended {
            Some(Load::Ready(indexed)) => self.show_members(indexed),
            Some(Load::Failed(error)) if error.is_cancelled() => {
                self.say(
                    false,
                    "The bundles were not read, as you asked; Stack → Read the bundles reads them."
                        .to_owned(),
                );
            }
            Some(Load::Failed(error)) => self.say(true, format!("The bundles were not read: {error}")),
            Some(Load::Pending(_)) | None => {}
        }
        self.reopen();
        if let Some(path) = self.opens_first.take() {
            self.open_path(&path);
        }
    }

    /// Goes on with a stack that has more copies: what is open stays open.
    fn show_members(&mut self, indexed: Indexed) {
        let Indexed { mounted, moves } = indexed;
        let mounted = Arc::new(mounted);
        let session = &mut self.session;
        let Some(before) = session.mounted.replace(Arc::clone(&mounted)) else { return };
        let (old, new) = (&before.stack, &mounted.stack);
        let folder = |folder: FolderId| new.index().find_folder(old.index().folder_path(folder));
        for open in &mut session.open {
            let copy = open.copy_ref();
            open.entry = moves.of(open.entry);
            let answer = new.resolve(open.entry);
            if answer.copies.len() != open.answer.copies.len() {
                open.digests = None;
            }
            open.copy = answer.copies.iter().position(|other| Some(other.copy) == copy).unwrap_or(0);
            open.answer = answer;
            open.mounted = Arc::clone(&mounted);
        }
        for open in &mut session.comparisons {
            open.move_to(Arc::clone(&mounted), moves.of(open.entry));
        }
        session.trail.move_to(|entry| moves.of(entry));
        session.palette = Palette::default();
        if let Some(found) = &mut session.search.results {
            *found = Arc::new(found.iter().map(|entry| moves.of(*entry)).collect());
        }
        let pending = self.dialogs.iter_mut().map(|(_, path_for)| path_for);
        for path_for in pending.chain([&mut session.path_for]) {
            if let PathFor::Extract(files, ..) = path_for {
                *files = moved(files, &moves, folder);
            }
        }
        let tabs: Vec<_> = session.open.iter().map(|open| open.id).collect();
        let trees: Vec<_> = std::mem::take(&mut session.layer_trees).into_keys().collect();
        self.panels.move_to(&before.stack, &mounted.stack, |entry| moves.of(entry));
        for layer in trees {
            self.need_layer_tree(layer);
        }
        for id in tabs {
            self.need_bundle(id);
            self.need_index_report(id);
        }
        self.compare_new_copies();
        self.collect_names();
        let text = self.session.search.text.clone();
        self.search(text);
    }
}

/// The same files in a stack with more paths.
fn moved(files: &Files, moves: &Moves, folder: impl Fn(FolderId) -> Option<FolderId>) -> Files {
    match files {
        Files::Found(found) => Files::Found(Arc::new(found.iter().map(|entry| moves.of(*entry)).collect())),
        Files::Textures(listed) => {
            Files::Textures(Arc::new(listed.iter().map(|entry| moves.of(*entry)).collect()))
        }
        Files::Below(below) => Files::Below(folder(*below).unwrap_or(FolderId::ROOT)),
        files => files.clone(),
    }
}
