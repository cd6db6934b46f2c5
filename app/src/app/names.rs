//! Names of hashes: collected in the background, added by people, and saved.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use palimpsest_core::extract::write_file;

use super::App;
use crate::command::{NamesCommand, PathFor};
use crate::dialogs;
use crate::format::count;
use crate::jobs::Load;
use crate::names::Names;

impl App {
    pub(super) fn names(&mut self, command: NamesCommand) {
        match command {
            NamesCommand::PickList => {
                self.pick(dialogs::word_list(&self.jobs, "Load a word list"), PathFor::WordList);
            }
            NamesCommand::AddList(path) => self.add_word_list(path),
            NamesCommand::Keep(names) => self.keep_names(names),
            NamesCommand::PickFile(list) => {
                let dialog = dialogs::save(&self.jobs, "Save the names", "names.txt");
                self.pick(dialog, PathFor::Names(list));
            }
            NamesCommand::Save(path, list) => self.save_names(&path, &list),
        }
    }

    /// Has the names of the stack's paths collected, with those of word lists and those that were kept; until
    /// they are there the names that were known before are shown.
    pub(super) fn collect_names(&mut self) {
        let Some(mounted) = self.session.mounted.clone() else { return };
        let (lists, kept) = (self.word_lists.clone(), self.kept_names.clone());
        self.session.names =
            Some(Load::Pending(self.jobs.spawn("Collecting names", move |task| {
                Names::of_stack(&mounted.stack, &lists, &kept, task)
            })));
    }

    pub(super) fn poll_names(&mut self) {
        let Some(names) = &mut self.session.names else { return };
        if !names.poll() {
            return;
        }
        let Some(names) = names.ready() else { return };
        self.session.known = Arc::clone(&names.book);
        let failed: Vec<_> =
            names.failed.iter().map(|error| format!("The word list was not read: {error}")).collect();
        for text in failed {
            self.say(true, text);
        }
        // What is looked for by name may be found now.
        let tabs: Vec<_> = self.session.open.iter().map(|open| open.id).collect();
        for id in tabs {
            self.find_rows(id);
        }
    }

    /// Takes the names of a word list.
    pub(super) fn add_word_list(&mut self, path: PathBuf) {
        if !self.word_lists.contains(&path) {
            self.word_lists.push(path);
        }
        self.collect_names();
    }

    /// Takes names for as long as the program runs.
    fn keep_names(&mut self, names: Vec<String>) {
        self.say(false, format!("Kept {}", count(names.len() as u64, "name")));
        self.kept_names.extend(names);
        self.collect_names();
    }

    /// Writes a word list.
    pub(super) fn save_names(&mut self, path: &Path, list: &str) {
        let told = path.display().to_string();
        let names = count(list.lines().count() as u64, "name");
        let Some(mounted) = self.session.mounted.clone() else { return };
        match write_file(&mounted.stack, path, list.as_bytes()) {
            Ok(()) => self.say(false, format!("Wrote {names} to {told}")),
            Err(error) => self.say(true, format!("The names were not written: {error}")),
        }
    }
}
