//! Takes what jobs have finished into the session.

use std::sync::Arc;

use egui::Context;
use palimpsest_core::error::Result;
use palimpsest_core::extract::Report;
use palimpsest_core::mount::Mounts;
use std::path::Path;

use super::App;
use crate::command::PathFor;
use crate::format::{capitalised, count, number, size};
use crate::jobs::{Job, Load};
use crate::oodle::By;
use crate::session::{Mounted, Palette, Search};
use crate::settings::remember;

/// Takes the results of the jobs that have ended, and those jobs out of their list.
pub(super) fn ended<T>(jobs: &mut Vec<Job<T>>) -> Vec<Result<T>> {
    let mut ended = Vec::new();
    jobs.retain(|job| match job.poll() {
        None => true,
        Some(result) => {
            ended.push(result);
            false
        }
    });
    ended
}

impl App {
    /// Takes what jobs have finished.
    pub(super) fn poll(&mut self) {
        self.poll_mount();
        self.poll_documents();
        self.poll_pictures();
        self.poll_models();
        self.poll_strings();
        self.poll_comparisons();
        self.poll_searches();
        self.poll_dialogs();
        self.poll_extractions();
        for tree in self.session.layer_trees.values_mut() {
            tree.poll();
        }
        self.poll_names();
        self.poll_bundles();
        self.poll_what_if();
        self.poll_map();
        self.poll_grid();
        self.chores.retain(|chore| chore.poll().is_none());
        self.session.pictures.follow(self.session.mounted.as_ref());
        self.session.pictures.poll(&self.jobs);
    }

    fn poll_documents(&mut self) {
        let mut read = Vec::new();
        for open in &mut self.session.open {
            if open.load.poll()
                && let (Some(document), Some(copy)) = (open.load.ready(), open.copy_ref())
            {
                read.push(((self.stack_number, copy, open.is_stored), Arc::clone(document)));
            }
            open.digests.as_mut().map(Load::poll);
            open.bundle.as_mut().map(Load::poll);
            open.index_report.as_mut().map(Load::poll);
            open.pages.poll();
        }
        for (key, document) in read {
            let weight = document.weight();
            self.documents.insert(key, document, weight);
        }
    }

    fn poll_searches(&mut self) {
        let session = &mut self.session;
        if let Some(result) = session.search.job.as_ref().and_then(Job::poll) {
            session.search.job = None;
            match result {
                Ok(found) => session.search.results = Some(Arc::new(found)),
                Err(error) if error.is_cancelled() => {}
                Err(error) => session.search.error = Some(error.to_string()),
            }
        }
        if let Some(result) = session.palette.job.as_ref().and_then(Job::poll) {
            session.palette.job = None;
            // Half-typed words may make no query; they find nothing.
            session.palette.nearest = result.unwrap_or_default();
        }
    }

    fn poll_mount(&mut self) {
        let Some((_, load)) = &mut self.session.mounting else { return };
        if !load.poll() {
            return;
        }
        match self.session.mounting.take() {
            Some((_, Load::Ready(mounted))) => self.show_stack(mounted),
            Some((title, Load::Failed(error))) => {
                self.restores = None;
                if error.is_cancelled() {
                    self.say(false, format!("{title}: not mounted, as you asked"));
                } else {
                    self.say(true, format!("{title} was not mounted: {error}"));
                    self.session.mount_error = Some((title, error));
                }
            }
            _ => {}
        }
    }

    /// Shows a stack that is mounted.
    fn show_stack(&mut self, mounted: Mounted) {
        if mounted.demo.is_none() {
            remember(&mut self.session.recent, &mounted.mounts);
        }
        let mounted = Arc::new(mounted);
        self.session.mount_error = None;
        self.session.what_if = None;
        self.session.bundles = None;
        self.switch_to(Arc::clone(&mounted));
        self.read_bundles();
        if let Err(error) = &mounted.oodle {
            self.say(true, format!("The built-in decoder decodes: {error}"));
            // What was refused would be refused at every mount.
            self.session.oodle.by = By::BuiltIn;
        }
        match self.restores.take() {
            Some(restore) => self.lost = self.restore(restore),
            None => self.panels.forget(&self.session),
        }
        // What no layer holds as a file may be a member of a bundle.
        let is_there =
            |path: &mut String| self.session.stack().is_some_and(|stack| stack.find(path).is_some());
        if let Some(path) = self.opens_first.take_if(is_there) {
            self.open_path(&path);
        }
    }

    /// Shows a stack with nothing open; what belonged to the one before is let go, but for how tabs look,
    /// which may come back.
    pub(super) fn switch_to(&mut self, mounted: Arc<Mounted>) {
        self.stack_number += 1;
        let session = &mut self.session;
        session.layer_trees.clear();
        session.open.clear();
        session.comparisons.clear();
        session.active = None;
        session.search = Search::default();
        session.palette = Palette::default();
        session.trail.clear();
        session.mounted = Some(mounted);
        self.collect_names();
        self.panels.forget_stack();
    }

    fn poll_dialogs(&mut self) {
        let mut answers = Vec::new();
        self.dialogs.retain(|(job, path_for)| {
            let answer = job.poll();
            let is_open = answer.is_none();
            answers.extend(answer.map(|answer| (answer, path_for.clone())));
            is_open
        });
        for (answer, path_for) in answers {
            match (answer, path_for) {
                (Ok(Some(path)), PathFor::Mount) => self.mount(Mounts::of(path), false),
                (Ok(Some(path)), PathFor::Extract(files, _, conversion)) => {
                    self.extract(path, files, conversion);
                }
                (Ok(Some(path)), PathFor::OnTop) => self.put_on_top(Mounts::of(path)),
                (Ok(Some(path)), PathFor::Changes) => self.export_changes(Some(path)),
                (Ok(Some(path)), PathFor::Drawn(id, drawing)) => self.save_drawn(path, id, drawing),
                (Ok(Some(path)), PathFor::WordList) => self.add_word_list(path),
                (Ok(Some(path)), PathFor::Names(list)) => self.save_names(&path, &list),
                (Ok(None), _) => {}
                // A path can be typed where the system shows no dialog.
                (Err(error), path_for) => {
                    self.say(
                        false,
                        format!("{}; a path can be typed instead", capitalised(&error.to_string())),
                    );
                    self.type_path(path_for);
                }
            }
        }
    }

    /// Puts texts that are ready on the clipboard, and says what was written.
    pub(super) fn poll_writings(&mut self, ctx: &Context) {
        for result in ended(&mut self.texts) {
            match result {
                Ok(text) => self.copy_text(ctx, text),
                Err(error) if error.is_cancelled() => {}
                Err(error) => self.say(true, format!("Nothing was copied: {error}")),
            }
        }
        for result in ended(&mut self.writings) {
            match result {
                Ok(text) => self.say(false, text),
                Err(error) if error.is_cancelled() => {}
                Err(error) => self.say(true, format!("Nothing was written: {error}")),
            }
        }
    }

    fn poll_extractions(&mut self) {
        for result in ended(&mut self.extractions) {
            match result {
                Ok((report, out)) => self.tell(&report, &out),
                Err(error) if error.is_cancelled() => {
                    self.say(false, "The extraction was stopped; finished files stay.".to_owned());
                }
                Err(error) => self.say(true, format!("Nothing was extracted: {error}")),
            }
        }
    }

    fn tell(&mut self, report: &Report, out: &Path) {
        for (_, error) in &report.failed {
            self.say(true, format!("Not written: {error}"));
        }
        for (path, missing) in &report.incomplete {
            self.say(true, format!("{path}: {missing}"));
        }
        for (path, note) in &report.notes {
            self.say(false, format!("{path}: {note}"));
        }
        for path in &report.cut {
            self.say(false, format!("{path}: values below 0 or above 1 were cut; OpenEXR keeps them"));
        }
        for (path, file) in &report.renamed {
            self.say(false, format!("{path} was written as {}", file.display()));
        }
        for path in &report.left_out {
            self.say(
                false,
                format!("{path} was left out: another copy of the path in the layer was written"),
            );
        }
        let all = report.written + report.failed.len() as u64;
        let cut = match report.cut.len() {
            0 => String::new(),
            _ => "; values were cut, which OpenEXR keeps".to_owned(),
        };
        let why = match (report.failed.as_slice(), report.incomplete.as_slice()) {
            ([(_, error)], []) => format!(": {error}"),
            ([], [(path, missing)]) => format!(", not all that it promises: {path}: {missing}"),
            ([], [_, ..]) => format!(", {} not whole", number(report.incomplete.len() as u64)),
            _ => String::new(),
        };
        let (written, all) = (number(report.written), count(all, "file"));
        let text =
            format!("{written} of {all} written to {}, {}{cut}{why}", out.display(), size(report.bytes));
        self.say(!report.failed.is_empty() || !report.incomplete.is_empty(), text);
    }
}
