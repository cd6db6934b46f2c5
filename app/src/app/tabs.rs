//! Tabs with files: opened, shown, read, closed, and the way back and forward through them.

use std::ops::Range;
use std::sync::Arc;

use palimpsest_core::error::Error;
use palimpsest_core::mount::{CopyRef, EntryId};
use palimpsest_core::path::canonical;

use super::App;
use crate::answer::declaration;
use crate::command::{Selection, Selector};
use crate::document::Document;
use crate::jobs::Load;
use crate::session::{
    DocumentId, Front, ModelState, Mounted, OpenDocument, Pages, Picture, Step, StringsState,
};

impl App {
    pub(super) fn open_path(&mut self, path: &str) {
        let stack = self.session.stack();
        let found = stack.and_then(|stack| stack.follow(path).or_else(|| Some((stack.find(path)?, 0))));
        match found {
            Some((entry, copy)) => self.open(entry, copy, true),
            None if self.session.bundles.is_some() => {
                self.say(true, format!("No layer holds {path} as a file, and the bundles are not read yet"));
            }
            None => {
                let declared = stack.map(|stack| stack.declared(&canonical(path.as_bytes())));
                let named = declared.unwrap_or_default().into_iter().next();
                let named = named.zip(stack).map(|(named, stack)| declaration(stack, &named));
                let words = format!("No layer holds {path}. {}", named.unwrap_or_default());
                self.say(true, words.trim_end().trim_end_matches('.').to_owned());
            }
        }
    }

    /// Makes what is shown now a step of the way back and forward.
    pub(super) fn note_step(&mut self) {
        if let Some(step) = self.session.step() {
            self.session.trail.push(step);
        }
    }

    /// Opens a copy of a path: in its own tab, in the passing one, or where it is open already.
    pub(super) fn open(&mut self, entry: EntryId, copy: usize, stays: bool) {
        if self.session.mounted.is_none() {
            return;
        }
        if let Some(open) = self.session.open.iter_mut().find(|open| open.entry == entry) {
            open.stays |= stays;
            let (id, shown) = (open.id, open.copy);
            if shown != copy {
                self.show_copy(id, copy);
            }
            self.focus(id);
            return;
        }
        // The passing tab gives way.
        let passing = self.session.open.iter().find(|open| !open.stays).map(|open| open.id);
        let id = passing.unwrap_or_else(|| self.next_id());
        self.add_tab(id, entry, copy, stays);
        self.focus(id);
    }

    /// Opens a copy of a path, and selects bytes in it.
    pub(super) fn open_at(&mut self, entry: EntryId, copy: usize, range: Range<u64>) {
        self.open(entry, copy, false);
        if let Some(open) = self.session.open.iter_mut().find(|open| open.entry == entry) {
            open.selection = Some(Selection { range, by: Selector::Other });
        }
    }

    /// Shows a copy of a path in a tab with a number, which is made where there is none.
    pub(super) fn add_tab(&mut self, id: DocumentId, entry: EntryId, copy: usize, stays: bool) {
        let Some(mounted) = self.session.mounted.clone() else { return };
        let answer = mounted.stack.resolve(entry);
        let open = OpenDocument {
            id,
            mounted,
            entry,
            copy: copy.min(answer.copies.len().saturating_sub(1)),
            answer,
            is_stored: false,
            stays,
            load: Load::Failed(Error::not_found("not read yet")),
            digests: None,
            bundle: None,
            index_report: None,
            picture: Picture::default(),
            model: ModelState::default(),
            strings: StringsState::default(),
            selection: None,
            pages: Pages::default(),
        };
        match self.session.document_mut(id) {
            Some(slot) => *slot = open,
            None => self.session.open.push(open),
        }
        self.read(id);
        self.need_bundle(id);
    }

    /// Reads the copy that a tab shows, or takes it from the cache.
    pub(super) fn read(&mut self, id: DocumentId) {
        self.need_index_report(id);
        let Some(open) = self.session.document_mut(id) else { return };
        let Some(copy) = open.copy_ref() else { return };
        let (entry, is_stored, mounted) = (open.entry, open.is_stored, Arc::clone(&open.mounted));
        open.pages = Pages::default();
        Self::forget_picture(open);
        Self::forget_model(open);
        Self::forget_sheet(open);
        let name = format!("Reading {}", open.leaf());
        let load = self.load(name, mounted, entry, copy, is_stored);
        if let Some(open) = self.session.document_mut(id) {
            open.load = load;
        }
    }

    /// A copy from the cache, or on its way from its layer.
    pub(super) fn load(
        &mut self,
        name: String,
        mounted: Arc<Mounted>,
        entry: EntryId,
        copy: CopyRef,
        is_stored: bool,
    ) -> Load<Arc<Document>> {
        if let Some(document) = self.documents.get(&(self.stack_number, copy, is_stored)) {
            return Load::Ready(document);
        }
        let caps = self.session.caps.clone();
        Load::Pending(self.jobs.spawn(name, move |task| {
            let stack = &mounted.stack;
            let document = if is_stored {
                Document::read_stored(stack, entry, copy, task)
            } else {
                Document::read(stack, entry, copy, caps.as_ref(), task)
            };
            document.map(Arc::new)
        }))
    }

    pub(super) fn show_copy(&mut self, id: DocumentId, copy: usize) {
        let Some(open) = self.session.document_mut(id) else { return };
        if copy >= open.answer.copies.len() || copy == open.copy {
            return;
        }
        open.copy = copy;
        open.is_stored = false;
        self.read(id);
    }

    pub(super) fn step_copy(&mut self, by: isize) {
        let Some(open) = self.session.active() else {
            self.step_compared(by);
            return;
        };
        if let Some(copy) = open.copy.checked_add_signed(by) {
            self.show_copy(open.id, copy);
        }
    }

    pub(super) fn show_stored(&mut self, id: DocumentId, is_stored: bool) {
        if let Some(open) = self.session.document_mut(id) {
            open.is_stored = is_stored;
            open.selection = None;
            self.read(id);
        }
    }

    pub(super) fn reload(&mut self, id: DocumentId) {
        self.compare_again(id);
        let Some(open) = self.session.document(id) else { return };
        if let Some(copy) = open.copy_ref() {
            self.documents.remove(&(self.stack_number, copy, open.is_stored));
            self.read(id);
        }
    }

    pub(super) fn focus(&mut self, id: DocumentId) {
        self.session.front = Front::Path;
        if self.session.active != Some(id) {
            self.session.active = Some(id);
        }
        self.layout.sync(&self.session);
        self.layout.focus(id);
    }

    pub(super) fn close(&mut self, id: DocumentId) {
        let before: Vec<_> = self.session.tabs().collect();
        self.session.open.retain(|open| open.id != id);
        self.session.comparisons.retain(|open| open.id != id);
        if self.session.active == Some(id) {
            // The neighbour takes over.
            let at = before.iter().position(|tab| *tab == id);
            let next = at.and_then(|at| before.get(at + 1).or_else(|| before.get(at.checked_sub(1)?)));
            self.session.active = next.copied();
        }
        self.panels.forget(&self.session);
        self.show_front();
    }

    /// Brings to the front what has the keys once a tab was closed: another one where it had them.
    pub(super) fn show_front(&mut self) {
        let session = &self.session;
        match (session.front(), session.active) {
            (Front::Path, Some(active)) => self.focus(active),
            (Front::Path, None) if session.map.is_some() => self.show_map(),
            (Front::Path, None) if session.grid.is_some() => self.show_grid(),
            _ => {}
        }
    }

    pub(super) fn go(&mut self, is_back: bool) {
        match self.session.trail.go(is_back) {
            Some(Step::Copy(entry, copy)) => self.open(entry, copy, false),
            Some(Step::Compared(entry, copies)) => {
                if let Some(id) = self.compare_quietly(entry, copies) {
                    self.focus(id);
                }
            }
            Some(Step::Map) => self.show_map(),
            Some(Step::Grid) => self.show_grid(),
            None => {}
        }
    }
}
