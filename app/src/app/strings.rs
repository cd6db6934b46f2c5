//! Tables of texts: set side by side, searched and ordered in the background.

use std::sync::{Arc, Mutex, PoisonError};

use palimpsest_core::asset::{Asset, StringTable};
use palimpsest_core::error::{Error, Result};
use palimpsest_core::mount::EntryId;
use palimpsest_core::scene::{Beside, TextHits};
use palimpsest_core::strings::{self, Guess, Order, Pattern, StringQuery, words_of};

use super::App;
use crate::command::StringsCommand;
use crate::document::Document;
use crate::jobs::Load;
use crate::session::{DocumentId, Found, Guessing, OpenDocument, StringsState, Target, TextSearch};

/// Hits of a search through all tables that are kept.
const MOST_HITS: usize = 2000;

impl App {
    pub(super) fn strings(&mut self, id: DocumentId, command: StringsCommand) {
        let Some(open) = self.session.document_mut(id) else { return };
        match command {
            StringsCommand::Beside(beside) => {
                if open.strings.beside != beside {
                    open.strings.beside = beside;
                    // Columns have other numbers.
                    open.strings.query.column = None;
                    open.strings.order = (Order::Table, false);
                    self.need_sheet(id);
                }
            }
            StringsCommand::Find(query) => {
                open.strings.query = *query;
                self.find_rows(id);
            }
            StringsCommand::Guess(pattern) => self.guess(id, pattern),
            StringsCommand::ForgetGuesses => open.strings.guessing = None,
            StringsCommand::Show(key, column) => {
                let number = open.strings.target.map_or(1, |before| before.number + 1);
                open.strings.target = Some(Target { number, key, column });
            }
            StringsCommand::Order(order, is_descending) => {
                open.strings.order = (order, is_descending);
                self.find_rows(id);
            }
        }
    }

    /// Forgets the sheet of a copy that is not shown any more; what is looked for stays.
    pub(super) fn forget_sheet(open: &mut OpenDocument) {
        let StringsState { beside, query, order, .. } = std::mem::take(&mut open.strings);
        open.strings = StringsState { beside, query, order, ..StringsState::default() };
    }

    /// Takes what is ready, and asks for the sheets of tables that were read.
    pub(super) fn poll_strings(&mut self) {
        let (mut read, mut made) = (Vec::new(), Vec::new());
        for open in &mut self.session.open {
            let strings = &mut open.strings;
            if let Some(guessing) = &mut strings.guessing {
                guessing.tried.poll();
            }
            if strings.sheet.as_mut().is_some_and(Load::poll) {
                made.push(open.id);
            }
            if strings.finding.as_mut().is_some_and(Load::poll) {
                match strings.finding.take() {
                    Some(Load::Ready(found)) => {
                        strings.found = found;
                        strings.refusal = None;
                    }
                    Some(Load::Failed(error)) if !error.is_cancelled() => {
                        strings.refusal = Some(error.to_string());
                    }
                    _ => {}
                }
            }
            if open.strings.sheet.is_none() && open.own_strings().is_some() {
                read.push(open.id);
            }
        }
        let texts = &mut self.session.texts;
        if texts.job.as_ref().is_some_and(|job| job.poll().is_some()) {
            texts.job = None;
        }
        for id in read {
            self.need_sheet(id);
        }
        for id in made {
            self.find_rows(id);
        }
    }

    /// Has the tables read that stand beside that of a tab.
    fn need_sheet(&mut self, id: DocumentId) {
        let Some(open) = self.session.document(id) else { return };
        let (Some(document), Some(copy)) = (open.document().cloned(), open.copy_ref()) else { return };
        let (mounted, beside) = (Arc::clone(&open.mounted), open.strings.beside);
        let name = match beside {
            Beside::Alone => format!("Reading {}", open.leaf()),
            Beside::Languages => format!("Reading {} in all languages", open.leaf()),
            Beside::Layers => format!("Reading {} of all layers", open.leaf()),
        };
        let job = self.jobs.spawn(name, move |task| {
            mounted.stack.sheet_with(copy, own_table(&document)?, beside, task).map(Arc::new)
        });
        if let Some(open) = self.session.document_mut(id) {
            open.strings.sheet = Some(Load::Pending(job));
            open.strings.finding = None;
            open.strings.found = Found::default();
        }
    }

    /// Guesses names of the keys of a tab; `{*}` stands for the words of the names that are known of them.
    fn guess(&mut self, id: DocumentId, pattern: String) {
        let names = self.session.book();
        let Some(open) = self.session.document_mut(id) else { return };
        let Some(sheet) = open.strings.sheet().cloned() else { return };
        let hits: Arc<Mutex<Vec<Guess>>> = Arc::default();
        let sink = Arc::clone(&hits);
        let job = self.jobs.spawn("Guessing names", move |task| {
            let keys: Vec<u32> = (0..sheet.sheet.len()).map(|row| sheet.sheet.key(row)).collect();
            let words = words_of(keys.iter().flat_map(|key| names.names(*key)));
            strings::guess(&Pattern::parse(&pattern)?, &words, &keys, task, &|hit| {
                sink.lock().unwrap_or_else(PoisonError::into_inner).push(hit);
            })
        });
        if let Some(open) = self.session.document_mut(id) {
            open.strings.guessing = Some(Guessing { tried: Load::Pending(job), hits });
        }
    }

    /// Finds a text in all tables of the stack; what was looked for before is stopped. Nothing to look for drops
    /// the tables that were read.
    pub(super) fn find_texts(&mut self, text: String, is_exact: bool) {
        let cache = std::mem::take(&mut self.session.texts.cache);
        self.session.texts = TextSearch { text, is_exact, ..TextSearch::default() };
        let Some(mounted) = self.session.mounted.clone() else { return };
        let search = &mut self.session.texts;
        if search.text.trim().is_empty() {
            return;
        }
        search.cache = Arc::clone(&cache);
        let query = StringQuery { text: search.text.clone(), is_exact, ..StringQuery::default() };
        let (hits, names, wake) =
            (Arc::clone(&search.hits), Arc::clone(&self.session.known), self.jobs.waker());
        search.job = Some(self.jobs.spawn("Finding a text in all tables", move |task| {
            let sink = |found: TextHits| {
                let mut hits = hits.lock().unwrap_or_else(PoisonError::into_inner);
                hits.hits.extend(found.hits);
                hits.unread.extend(found.unread);
                drop(hits);
                wake();
            };
            mounted.stack.find_texts(&query, &names, (&cache, MOST_HITS), task, &sink)
        }));
    }

    /// Opens a table at a key.
    pub(super) fn open_text(&mut self, entry: EntryId, key: u32) {
        self.open(entry, 0, true);
        let open = self.session.open.iter().find(|open| open.entry == entry).map(|open| open.id);
        if let Some(id) = open {
            self.strings(id, StringsCommand::Find(Box::default()));
            self.strings(id, StringsCommand::Show(key, 0));
        }
    }

    /// Has the rows found and ordered that are looked for; what was asked for before is stopped.
    pub(super) fn find_rows(&mut self, id: DocumentId) {
        let names = self.session.book();
        let Some(open) = self.session.document(id) else { return };
        let Some(sheet) = open.strings.sheet().cloned() else { return };
        let (query, (order, is_descending)): (StringQuery, _) =
            (open.strings.query.clone(), open.strings.order);
        let job = self.jobs.spawn(format!("Finding texts in {}", open.leaf()), move |task| {
            let mut rows = sheet.sheet.find_rows(&query, &names, task)?;
            sheet.sheet.order(&mut rows, order, is_descending, &names, task)?;
            Ok(Arc::new(rows))
        });
        if let Some(open) = self.session.document_mut(id) {
            open.strings.finding = Some(Load::Pending(job));
        }
    }
}

/// The table of a file, to be asked for where nobody waits: its rows are copied.
fn own_table(document: &Document) -> Result<Arc<StringTable>> {
    match &document.inspection.asset {
        Ok(Some(Asset::Strings(table))) => Ok(Arc::new(table.clone())),
        _ => Err(Error::not_found("the file holds no texts")),
    }
}
