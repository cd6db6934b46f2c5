//! The grid of textures: follows the search, the folder that is chosen and the stack that is shown.

use std::sync::Arc;

use palimpsest_core::mount::Stack;
use palimpsest_core::path::split;

use super::App;
use crate::grid::{Grid, GridCommand, GridOf};
use crate::jobs::Load;
use crate::layout::Pane;
use crate::session::Front;

impl App {
    pub(super) fn grid(&mut self, command: GridCommand) {
        match command {
            GridCommand::Show => self.show_grid(),
            GridCommand::Follow(folder) => {
                if let Some(tab) = &mut self.session.grid {
                    tab.folder = folder;
                }
            }
            GridCommand::ShowFolder(folder) => {
                self.search(String::new());
                self.session.grid.get_or_insert_default().folder = folder;
                self.show_grid();
            }
            GridCommand::Close => {
                self.session.grid = None;
                self.show_front();
            }
            GridCommand::Retry => {
                if let Some(tab) = &mut self.session.grid {
                    tab.asked = None;
                }
            }
        }
        self.follow_list();
    }

    pub(super) fn show_grid(&mut self) {
        if self.session.grid.is_none() {
            let folder = self.panels.chosen_folder(&self.session);
            self.session.grid.get_or_insert_default().folder = folder;
        }
        self.session.front = Front::Grid;
        self.follow_list();
        self.layout.sync(&self.session);
        self.layout.show(Pane::Grid);
        let entry = self.session.active().map(|open| open.entry);
        self.panels.focus_grid(entry);
    }

    /// Lists what is to be shown, where that is not done yet.
    fn follow_list(&mut self) {
        let session = &mut self.session;
        let (Some(tab), Some(mounted)) = (&mut session.grid, &session.mounted) else { return };
        let of = match &session.search.results {
            Some(found) => GridOf::Found(Arc::clone(found)),
            None => GridOf::Folder(there(&mounted.stack, &tab.folder).to_vec()),
        };
        if tab.asked.as_ref().is_some_and(|(asked, was)| Arc::ptr_eq(asked, mounted) && was.is(&of)) {
            return;
        }
        // Numbers of paths mean nothing in another stack.
        tab.shown.take_if(|shown| !Arc::ptr_eq(&shown.mounted, mounted));
        tab.asked = Some((Arc::clone(mounted), of.clone()));
        let mounted = Arc::clone(mounted);
        let job = self.jobs.spawn("Listing textures", move |task| of.tiles(&mounted.stack, task));
        tab.load = Some(Load::Pending(job));
    }

    /// Takes the list that is ready.
    pub(super) fn poll_grid(&mut self) {
        self.follow_list();
        let Some(tab) = &mut self.session.grid else { return };
        if !tab.load.as_mut().is_some_and(Load::poll) {
            return;
        }
        match (tab.load.take(), &tab.asked) {
            (Some(Load::Ready(tiles)), Some((mounted, of))) => {
                let (mounted, of) = (Arc::clone(mounted), of.clone());
                tab.shown = Some(Grid { mounted, of, tiles: Arc::new(tiles) });
            }
            (load, _) => tab.load = load,
        }
    }
}

/// The folder of a path, or the first around it that a stack has.
fn there<'a>(stack: &Stack, mut path: &'a [u8]) -> &'a [u8] {
    while !path.is_empty() && stack.index().find_folder(path).is_none() {
        path = split(path).0;
    }
    path
}
