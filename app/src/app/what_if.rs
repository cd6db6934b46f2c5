//! Other orders of the layers: they are made in the background, shown, and taken back.

use std::path::PathBuf;
use std::sync::Arc;

use palimpsest_core::extract::write_file;
use palimpsest_core::mount::Mounts;

use super::App;
use super::restore::Restore;
use crate::command::PathFor;
use crate::dialogs;
use crate::difference::Difference;
use crate::format::count;
use crate::jobs::{Job, Load};
use crate::scenario::Scenario;
use crate::session::WhatIf;

impl App {
    /// Shows the stack in another order, as a simulation.
    pub(super) fn arrange(&mut self, scenario: Scenario) {
        let Some(mounted) = self.session.mounted.clone().filter(|_| self.session.bundles.is_none()) else {
            return;
        };
        let what_if = self.session.what_if.get_or_insert_with(|| WhatIf::of(mounted));
        if scenario.is_real() && what_if.added == 0 {
            self.end_what_if();
            return;
        }
        what_if.scenario = scenario;
        self.simulate();
    }

    /// Puts more on top of the stack, as a simulation.
    pub(super) fn put_on_top(&mut self, mounts: Mounts) {
        let Some(mounted) = self.session.mounted.clone().filter(|_| self.session.bundles.is_none()) else {
            return;
        };
        let what_if = self.session.what_if.get_or_insert_with(|| WhatIf::of(mounted));
        let base = Arc::clone(&what_if.base);
        let job = self.jobs.spawn("Mounting on top", move |task| {
            let stack = base.stack.with_on_top(&mounts, task)?;
            Ok(Arc::new(base.with(stack)))
        });
        what_if.on_top = Some(Load::Pending(job));
    }

    fn simulate(&mut self) {
        let Some(what_if) = &mut self.session.what_if else { return };
        let (base, real, order) =
            (Arc::clone(&what_if.base), Arc::clone(&what_if.real), what_if.scenario.order());
        let job = self.jobs.spawn("Resolving another order", move |task| {
            let stack = base.stack.arranged(&order, task)?;
            Difference::between(real, Arc::new(base.with(stack)), task).map(Arc::new)
        });
        what_if.job = Some(job);
    }

    pub(super) fn poll_what_if(&mut self) {
        let Some(what_if) = &mut self.session.what_if else { return };
        if what_if.on_top.as_mut().is_some_and(Load::poll) {
            match what_if.on_top.take() {
                Some(Load::Ready(base)) => {
                    let added = base.stack.layers().len() - what_if.base.stack.layers().len();
                    what_if.scenario.grow(added);
                    what_if.added += added;
                    what_if.base = base;
                    self.simulate();
                }
                Some(Load::Failed(error)) if !error.is_cancelled() => {
                    self.say(true, format!("Nothing was put on top: {error}"));
                    self.drop_idle_what_if();
                }
                _ => self.drop_idle_what_if(),
            }
        }
        let Some(what_if) = &mut self.session.what_if else { return };
        match what_if.job.as_ref().and_then(Job::poll) {
            Some(Ok(difference)) => {
                what_if.job = None;
                let mounted = Arc::clone(&difference.after);
                what_if.shown = Some(difference);
                let mut restore = Restore::of(&self.session, &self.panels);
                restore.follow_winners(&self.session);
                if let Some(what_if) = &mut self.session.what_if {
                    restore.lost = std::mem::take(&mut what_if.lost);
                }
                self.switch_to(mounted);
                let lost = self.restore(restore);
                if let Some(what_if) = &mut self.session.what_if {
                    what_if.lost = lost;
                }
            }
            Some(Err(error)) => {
                what_if.job = None;
                if !error.is_cancelled() {
                    self.say(true, format!("The order was not resolved: {error}"));
                }
                self.drop_idle_what_if();
            }
            None => {}
        }
    }

    /// A simulation that never came to be shown is none.
    fn drop_idle_what_if(&mut self) {
        if self.session.what_if.as_ref().is_some_and(|what_if| what_if.shown.is_none()) {
            self.session.what_if = None;
        }
    }

    /// Goes back to the order as it is.
    pub(super) fn end_what_if(&mut self) {
        let Some(what_if) = self.session.what_if.take() else { return };
        if what_if.shown.is_none() {
            return;
        }
        let mut restore = Restore::of(&self.session, &self.panels);
        restore.follow_winners(&self.session);
        restore.lost = what_if.lost;
        self.switch_to(what_if.real);
        self.restore(restore);
    }

    pub(super) fn pick_on_top(&mut self, is_folder: bool) {
        let ask = if is_folder { dialogs::folder } else { dialogs::file };
        self.dialogs.push((ask(&self.jobs, "Put on top of the stack"), PathFor::OnTop));
    }

    pub(super) fn pick_changes_file(&mut self) {
        let job = dialogs::save(&self.jobs, "Save the changes", "changes.tsv");
        self.dialogs.push((job, PathFor::Changes));
    }

    /// Makes the paths that change a text, for a file or for the clipboard.
    pub(super) fn export_changes(&mut self, file: Option<PathBuf>) {
        let shown = self.session.what_if.as_ref().and_then(|what_if| what_if.shown.clone());
        let Some(difference) = shown else { return };
        let Some(file) = file else {
            self.texts.push(self.jobs.spawn("Listing the changes", move |task| difference.to_text(task)));
            return;
        };
        let job = self.jobs.spawn("Writing the changes", move |task| {
            let text = difference.to_text(task)?;
            write_file(&difference.after.stack, &file, text.as_bytes())?;
            let changes = count(text.lines().count().saturating_sub(1) as u64, "change");
            Ok(format!("{changes} written to {}", file.display()))
        });
        self.writings.push(job);
    }
}
