//! What stays when a stack is mounted again: the tabs with their copies, the open folders, the search.

use super::App;
use crate::panels::Panels;
use crate::session::Session;

/// What was shown, by names, which mean the same in the stack that comes.
#[derive(Debug)]
pub(super) struct Restore {
    tabs: Vec<Tab>,
    /// What was open before, and the stack that is left lacked.
    pub(super) lost: Lost,
    /// Links to both copies of each comparison.
    comparisons: Vec<[String; 2]>,
    /// The active tab among those with files and then those with comparisons.
    active: Option<usize>,
    search: String,
    /// Paths of the folders that are open.
    folders: Vec<Vec<u8>>,
}

/// What a stack has no copies of, to be opened again in one that has.
#[derive(Clone, Debug, Default)]
pub struct Lost {
    tabs: Vec<Tab>,
    comparisons: Vec<[String; 2]>,
}

impl Lost {
    /// Adds what was lost later.
    pub(super) fn extend(&mut self, other: Self) {
        self.tabs.extend(other.tabs);
        self.comparisons.extend(other.comparisons);
    }
}

/// A tab by the names of what it shows.
#[derive(Clone, Debug)]
struct Tab {
    /// The link to the copy.
    link: String,
    stays: bool,
    /// Whether it shows whatever copy wins.
    is_winner: bool,
}

impl Restore {
    /// What a session shows.
    pub(super) fn of(session: &Session, panels: &Panels) -> Self {
        let tabs = session.open.iter().map(|open| Tab {
            link: open.link().unwrap_or_default(),
            stays: open.stays,
            is_winner: false,
        });
        Self {
            tabs: tabs.collect(),
            lost: Lost::default(),
            comparisons: session.comparisons.iter().map(|open| open.links().unwrap_or_default()).collect(),
            active: session.tabs().position(|tab| Some(tab) == session.active),
            search: session.search.text.clone(),
            folders: panels.open_folders(session),
        }
    }
}

impl Restore {
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
        let (mut active, mut lost) = (None, Lost::default());
        let files = restore.tabs.len();
        for (at, tab) in restore.tabs.into_iter().chain(restore.lost.tabs).enumerate() {
            let found = self.session.stack().and_then(|stack| stack.follow(&tab.link));
            let Some((entry, copy)) = found else {
                lost.tabs.push(tab);
                continue;
            };
            let copy = if tab.is_winner { 0 } else { copy };
            // While the others are opened, none gives way to the next.
            self.open(entry, copy, true);
            if let Some(open) = self.session.open.iter_mut().find(|open| open.entry == entry) {
                open.stays = tab.stays;
                if at < files && Some(at) == restore.active {
                    active = Some(open.id);
                }
            }
        }
        let comparisons = restore.comparisons.into_iter().chain(restore.lost.comparisons);
        for (at, links) in comparisons.enumerate() {
            let follow = |link: &String| self.session.stack().and_then(|stack| stack.follow_exactly(link));
            let [Some((entry, left)), Some((other, right))] = links.each_ref().map(follow) else {
                lost.comparisons.push(links);
                continue;
            };
            if entry == other {
                let id = self.compare_quietly(entry, [left, right]);
                active = id.filter(|_| Some(files + at) == restore.active).or(active);
            }
        }
        if let Some(id) = active {
            self.focus(id);
        }
        // The way back begins here.
        self.note_step();
        if !restore.search.is_empty() {
            self.search(restore.search);
        }
        lost
    }

    /// Opens again what could not be opened before; what is in front stays there.
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
