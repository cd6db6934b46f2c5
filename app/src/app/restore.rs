//! What stays when a stack is mounted again: the tabs with their copies, the open folders, the search.

use super::App;
use crate::panels::Panels;
use crate::session::{DocumentId, Front, Session};

/// What was shown, by names, which mean the same in the stack that comes. Tabs keep their numbers, and with
/// them their places.
#[derive(Debug)]
pub(super) struct Restore {
    tabs: Vec<Tab>,
    /// What was open before, and the stack that is left lacked.
    pub(super) lost: Lost,
    comparisons: Vec<Compared>,
    active: Option<DocumentId>,
    front: Front,
    search: String,
    /// Paths of the folders that are open.
    folders: Vec<Vec<u8>>,
}

/// What a stack has no copies of, to be opened again in one that has.
#[derive(Clone, Debug, Default)]
pub struct Lost {
    tabs: Vec<Tab>,
    comparisons: Vec<Compared>,
    /// The tab among them that was the active one, and the one that is active in its place.
    active: Option<(DocumentId, Option<DocumentId>)>,
}

/// A tab by the names of what it shows.
#[derive(Clone, Debug)]
struct Tab {
    id: DocumentId,
    /// The link to the copy.
    link: String,
    stays: bool,
    /// Whether it shows whatever copy wins.
    is_winner: bool,
}

/// A comparison by the links to both copies.
#[derive(Clone, Debug)]
struct Compared {
    id: DocumentId,
    links: [String; 2],
}

impl Restore {
    /// What a session shows.
    pub(super) fn of(session: &Session, panels: &Panels) -> Self {
        let tabs = session.open.iter().map(|open| Tab {
            id: open.id,
            link: open.link().unwrap_or_default(),
            stays: open.stays,
            is_winner: false,
        });
        let comparisons = session
            .comparisons
            .iter()
            .map(|open| Compared { id: open.id, links: open.links().unwrap_or_default() });
        Self {
            tabs: tabs.collect(),
            lost: Lost::default(),
            comparisons: comparisons.collect(),
            active: session.active,
            front: session.front(),
            search: session.search.text.clone(),
            folders: panels.open_folders(session),
        }
    }

    /// Lets tabs that show a winner show the winner of the stack that comes.
    pub(super) fn follow_winners(&mut self, session: &Session) {
        for (tab, open) in self.tabs.iter_mut().zip(&session.open) {
            tab.is_winner = open.answer.winner == Some(open.copy);
        }
    }
}

impl App {
    /// Shows again what the stack that is mounted now still has; gives back what it lacks.
    pub(super) fn restore(&mut self, restore: Restore) -> Lost {
        self.panels.set_open_folders(&self.session, &restore.folders);
        let mut lost = Lost::default();
        for tab in restore.tabs.into_iter().chain(restore.lost.tabs) {
            let found = self.session.stack().and_then(|stack| stack.follow(&tab.link));
            let Some((entry, copy)) = found else {
                lost.tabs.push(tab);
                continue;
            };
            if !self.session.open.iter().any(|open| open.entry == entry) {
                self.add_tab(tab.id, entry, if tab.is_winner { 0 } else { copy }, tab.stays);
            }
        }
        for compared in restore.comparisons.into_iter().chain(restore.lost.comparisons) {
            let follow = |link: &String| self.session.stack().and_then(|stack| stack.follow_exactly(link));
            let [Some((entry, left)), Some((other, right))] = compared.links.each_ref().map(follow) else {
                lost.comparisons.push(compared);
                continue;
            };
            if entry == other && !self.session.comparisons.iter().any(|open| open.entry == entry) {
                self.add_comparison(compared.id, entry, [left, right]);
            }
        }
        lost.active = self.restore_active(restore.active, restore.lost.active);
        match restore.front {
            Front::Map => self.show_map(),
            Front::Grid => self.show_grid(),
            Front::Path => {}
        }
        self.panels.forget(&self.session);
        // The way back begins here.
        self.note_step();
        if !restore.search.is_empty() {
            self.search(restore.search);
        }
        lost
    }

    /// Makes the tab the active one that was it, also where it was lost for a while and nothing else was
    /// looked at since. What is still lost, and what is active in its place.
    fn restore_active(
        &mut self,
        active: Option<DocumentId>,
        lost: Option<(DocumentId, Option<DocumentId>)>,
    ) -> Option<(DocumentId, Option<DocumentId>)> {
        let waiting = lost.filter(|(_, stands_in)| *stands_in == active).map(|(id, _)| id);
        let back = waiting.filter(|id| self.session.is_open(*id));
        let wanted = back.or(active).filter(|id| self.session.is_open(*id));
        let shown = wanted.or_else(|| self.session.tabs().last());
        match shown {
            Some(id) => self.focus(id),
            None => self.layout.sync(&self.session),
        }
        if back.is_some() {
            return None;
        }
        let missing = waiting.or_else(|| active.filter(|_| wanted.is_none()));
        missing.map(|id| (id, shown))
    }

    /// Opens again what could not be opened before.
    pub(super) fn reopen(&mut self) {
        let lost = std::mem::take(&mut self.lost);
        if lost.tabs.is_empty() && lost.comparisons.is_empty() {
            return;
        }
        let mut restore = Restore::of(&self.session, &self.panels);
        restore.lost = lost;
        self.restore(restore);
    }
}
