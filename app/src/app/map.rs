//! The tab with the shadow map: opened and closed, and made anew for each stack that is shown.

use std::sync::Arc;

use palimpsest_core::mount::{FolderId, ShadowMap, Stack, Twins};

use super::App;
use crate::jobs::Load;
use crate::layout::Pane;
use crate::session::Front;
use crate::shadow::{MapCommand, Mapped};

/// Up to this many bytes are compared without being asked.
const COMPARED: u64 = 64 << 20;

impl App {
    pub(super) fn map(&mut self, command: MapCommand) {
        match command {
            MapCommand::Show => self.show_map(),
            MapCommand::Close => {
                self.session.map = None;
                self.show_front();
            }
            MapCommand::Retry => {
                if let Some(tab) = &mut self.session.map {
                    tab.of = None;
                }
                self.follow_stack();
            }
            MapCommand::Compare => self.compare_shadowed(),
        }
    }

    pub(super) fn show_map(&mut self) {
        self.session.map.get_or_insert_default();
        self.session.front = Front::Map;
        self.follow_stack();
        self.layout.sync(&self.session);
        self.layout.show(Pane::Map);
        self.panels.focus_map();
    }

    /// Makes the map of the stack that is shown, where that is not done yet.
    fn follow_stack(&mut self) {
        let session = &mut self.session;
        let (Some(tab), Some(mounted)) = (&mut session.map, &session.mounted) else { return };
        let before = tab.of.replace(Arc::clone(mounted));
        if before.as_ref().is_some_and(|before| Arc::ptr_eq(before, mounted)) {
            return;
        }
        if before.as_ref().is_none_or(|before| before.mounts != mounted.mounts) {
            tab.shown = None;
        }
        // With its bundles read, a stack has the same files as before.
        if before.is_none_or(|before| before.stack.has_members() || !mounted.stack.has_members()) {
            tab.twins = None;
        }
        self.load_map();
    }

    fn load_map(&mut self) {
        let Some(tab) = &mut self.session.map else { return };
        let Some(mounted) = tab.of.clone() else { return };
        let twins = tab.twins.as_ref().and_then(Load::ready).cloned();
        let job =
            self.jobs.spawn("Mapping the stack", move |task| ShadowMap::new(&mounted.stack, twins, task));
        tab.load = Some(Load::Pending(job));
    }

    fn compare_shadowed(&mut self) {
        let Some(tab) = &mut self.session.map else { return };
        let Some(mounted) = tab.of.clone() else { return };
        if matches!(tab.twins, Some(Load::Pending(_) | Load::Ready(_))) {
            return;
        }
        let job = self
            .jobs
            .spawn("Comparing shadowed copies", move |task| Twins::find(&mounted.stack, task).map(Arc::new));
        tab.twins = Some(Load::Pending(job));
    }

    /// Takes what the jobs of the map have finished.
    pub(super) fn poll_map(&mut self) {
        self.follow_stack();
        let Some(tab) = &mut self.session.map else { return };
        if tab.load.as_mut().is_some_and(Load::poll) {
            match (tab.load.take(), &tab.of) {
                (Some(Load::Ready(map)), Some(mounted)) => {
                    let asks = (1..=COMPARED).contains(&map.comparable()) && tab.twins.is_none();
                    tab.shown = Some(Mapped { mounted: Arc::clone(mounted), map: Arc::new(map) });
                    if asks {
                        self.compare_shadowed();
                    }
                }
                (load, _) => tab.load = load,
            }
        }
        let Some(tab) = &mut self.session.map else { return };
        if tab.twins.as_mut().is_some_and(Load::poll) {
            let failed = match &tab.twins {
                Some(Load::Failed(error)) if !error.is_cancelled() => Some(error.to_string()),
                _ => None,
            };
            if tab.twins.as_ref().is_some_and(|twins| twins.ready().is_some()) {
                self.load_map();
            }
            if let Some(error) = failed {
                self.say(true, format!("The shadowed copies were not compared: {error}"));
            }
        }
    }

    /// Shows a folder in the merged tree.
    pub(super) fn show_folder(&mut self, path: &[u8]) {
        let find = |stack: &Stack| stack.index().find_folder(path).filter(|folder| *folder != FolderId::ROOT);
        let Some(folder) = self.session.stack().and_then(find) else { return };
        // What a search found is a list without folders.
        self.search(String::new());
        self.panels.show_folder(&self.session, folder);
    }
}
