//! Tables of texts that belong together: the same file in the folders of other languages, and in other layers.

use std::collections::HashMap;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicU64, AtomicUsize};
use std::sync::{Arc, Mutex, PoisonError};

use rayon::prelude::*;

use crate::asset::{Asset, StringTable};
use crate::error::{Error, Result};
use crate::hash::NameBook;
use crate::mount::{CopyRef, EntryId, Stack};
use crate::path::{canonical, has_ending, split, to_text};
use crate::strings::{Against, Column, Sheet, StringQuery};
use crate::task::Task;

/// The ending of tables of texts.
const ENDING: &[u8] = b".strdb";

/// The folders that others are held against, by their names; in the game it is `english`.
const ENGLISH: [&str; 4] = ["english", "en", "en-us", "en_us"];

/// Which tables a sheet sets side by side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Beside {
    /// One alone.
    #[default]
    Alone,
    /// The same file in the folders of all languages.
    Languages,
    /// All copies of the path, the lowest layer first.
    Layers,
}

/// A sheet, and what could not be read for it.
#[derive(Debug)]
pub struct SheetOf {
    /// The tables.
    pub sheet: Sheet,
    /// Why tables are missing, a sentence each.
    pub unread: Vec<String>,
}

/// A text that was found in the stack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextHit {
    /// The path of the table.
    pub path: String,
    /// The path's number.
    pub entry: EntryId,
    /// The row of the table.
    pub row: u32,
    /// The hash of the key.
    pub key: u32,
    /// The text, as much of it as is shown in a line.
    pub text: String,
}

/// What a search through all tables of a stack found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextHits {
    /// The hits, table by table.
    pub hits: Vec<TextHit>,
    /// Why tables were not searched, a sentence each.
    pub unread: Vec<String>,
}

/// Tables that were read for one search, for the next one; dropped when nobody searches any more.
#[derive(Debug, Default)]
pub struct TextCache {
    sheets: Mutex<HashMap<EntryId, Arc<Sheet>>>,
    /// Bytes of the texts that are kept.
    kept: AtomicU64,
}

impl TextCache {
    /// Bytes of texts that are kept at most; what is made of them takes about as much again.
    const FULL: u64 = 256 << 20;

    /// The sheet of a path, read where it is not kept.
    fn sheet(&self, entry: EntryId, read: impl FnOnce() -> Result<Sheet>) -> Result<Arc<Sheet>> {
        // A thread that panicked left whole sheets behind.
        let sheets = || self.sheets.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(sheet) = sheets().get(&entry) {
            return Ok(Arc::clone(sheet));
        }
        let sheet = Arc::new(read()?);
        let bytes: u64 = sheet.columns.iter().map(|column| column.table.units.len() as u64).sum();
        if self.kept.fetch_add(bytes, Relaxed) + bytes <= Self::FULL {
            sheets().insert(entry, Arc::clone(&sheet));
        }
        Ok(sheet)
    }
}

/// Letters of a hit that are kept.
const SHOWN: usize = 200;

impl Stack {
    /// The sheet of a copy of a table: alone, beside those of other languages, or beside those of other layers.
    ///
    /// # Errors
    /// When the copy itself cannot be read or is no table of texts; `Cancelled`.
    pub fn sheet(&self, copy: CopyRef, beside: Beside, task: &Task) -> Result<SheetOf> {
        self.sheet_with(copy, self.table(copy, task)?, beside, task)
    }

    /// The same for a copy that was read.
    ///
    /// # Errors
    /// `Cancelled`.
    pub fn sheet_with(
        &self,
        copy: CopyRef,
        own: Arc<StringTable>,
        beside: Beside,
        task: &Task,
    ) -> Result<SheetOf> {
        let path = self.path_of(copy);
        let winner_of =
            |path: &str| self.find(path).and_then(|entry| self.index().copies(entry).first().copied());
        let winner = winner_of(&path);
        let column = |title: String, path: String, copy: CopyRef, table: Arc<StringTable>| {
            let is_winner = winner_of(&path) == Some(copy);
            Column::new(title, path, table).of_copy(copy, is_winner)
        };
        let read = |wanted: Vec<(String, String, CopyRef)>| -> Result<(Vec<Column>, Vec<String>)> {
            task.set_total(wanted.len() as u64);
            let one = |(title, path, other): (String, String, CopyRef)| {
                let table = if other == copy { Ok(Arc::clone(&own)) } else { self.table(other, task) };
                task.step(1)?;
                Ok(match table {
                    Ok(table) => Ok(column(title, path, other, table)),
                    Err(error) if error.is_cancelled() => return Err(error),
                    Err(error) => Err(error.to_string()),
                })
            };
            let (mut columns, mut unread) = (Vec::new(), Vec::new());
            for found in wanted.into_par_iter().map(one).collect::<Result<Vec<_>>>()? {
                match found {
                    Ok(column) => columns.push(column),
                    Err(error) => unread.push(error),
                }
            }
            Ok((columns, unread))
        };
        let (sheet, unread) = match beside {
            Beside::Alone => {
                let title = self.layer_name(copy).to_owned();
                (Sheet::of_table(column(title, path, copy, own)), Vec::new())
            }
            Beside::Languages => {
                let languages = self.languages(&path).into_iter().filter_map(|(language, entry)| {
                    let of_entry = *self.index().copies(entry).first()?;
                    // Of the own path the copy that is asked for stands for itself.
                    let shown = if Some(of_entry) == winner { copy } else { of_entry };
                    Some((language, self.path(entry), shown))
                });
                let (columns, unread) = read(languages.collect())?;
                let own = columns.iter().position(|column| column.copy == Some(copy));
                let english = columns.iter().position(|column| is_english(&column.title));
                let against = english.or(own).map_or(Against::Nothing, Against::Column);
                (Sheet::of_tables(columns, against), unread)
            }
            Beside::Layers => {
                let copies = self.find(&path).map_or(&[][..], |entry| self.index().copies(entry));
                let named = |copy: &CopyRef| (self.layer_name(*copy).to_owned(), path.clone(), *copy);
                let (columns, unread) = read(copies.iter().rev().map(named).collect())?;
                (Sheet::of_tables(columns, Against::Before), unread)
            }
        };
        Ok(SheetOf { sheet, unread })
    }

    /// The folders beside that of a table that have a file of its name, and their files: the languages, in the
    /// order of their names. The table's own is among them.
    pub fn languages(&self, path: &str) -> Vec<(String, EntryId)> {
        let path = canonical(path.as_bytes()).into_owned();
        let (folder, leaf) = split(&path);
        let index = self.index();
        let Some(own) = index.find_folder(folder) else { return Vec::new() };
        let beside: Vec<_> = match index.parent(own) {
            Some(above) => index.subfolders(above).collect(),
            None => vec![own],
        };
        let language = |folder| {
            let path = index.folder_path(folder);
            let entry = index.find_bytes(self.layers(), &crate::path::join(path, leaf))?;
            Some((to_text(split(path).1).into_owned(), entry))
        };
        let mut found: Vec<_> = beside.into_iter().filter_map(language).collect();
        // English first: all others are read beside it.
        found.sort_by_cached_key(|(name, _)| (!is_english(name), name.to_lowercase()));
        found
    }

    /// A table of texts.
    ///
    /// # Errors
    /// When it cannot be read, is too large, or is no table of texts; `Cancelled`.
    pub fn table(&self, copy: CopyRef, task: &Task) -> Result<Arc<StringTable>> {
        match self.asset(copy, task)? {
            Asset::Strings(table) => Ok(Arc::new(table)),
            other => {
                let text = format!("a string table is wanted, and this is {}", other.kind().name());
                Err(self.blame(copy, Error::unsupported(text)))
            }
        }
    }

    /// Finds texts in all tables of the stack, in the copies that win. What is found is given to `sink` table by
    /// table, in any order; no more than `most` hits in all.
    ///
    /// # Errors
    /// `Usage` when the regular expression is none; `Cancelled`.
    pub fn find_texts(
        &self,
        query: &StringQuery,
        names: &NameBook,
        (cache, most): (&TextCache, usize),
        task: &Task,
        sink: &(dyn Fn(TextHits) + Sync),
    ) -> Result<()> {
        let is_table = |entry: &EntryId| has_ending(&self.index().leaf(self.layers(), *entry), ENDING);
        let entries: Vec<_> = self.index().entries().filter(is_table).collect();
        task.set_total(entries.len() as u64);
        let left = AtomicUsize::new(most);
        entries.into_par_iter().try_for_each(|entry| {
            let found = self.texts_in(entry, query, names, (cache, &left), task);
            task.step(1)?;
            match found {
                Ok(hits) if hits.hits.is_empty() => Ok(()),
                Ok(hits) => {
                    sink(hits);
                    Ok(())
                }
                Err(error) if error.is_cancelled() || error.is_usage() => Err(error),
                Err(error) => {
                    sink(TextHits { hits: Vec::new(), unread: vec![error.to_string()] });
                    Ok(())
                }
            }
        })
    }

    fn texts_in(
        &self,
        entry: EntryId,
        query: &StringQuery,
        names: &NameBook,
        (cache, left): (&TextCache, &AtomicUsize),
        task: &Task,
    ) -> Result<TextHits> {
        let Some(copy) = self.index().copies(entry).first().copied() else { return Ok(TextHits::default()) };
        if left.load(Relaxed) == 0 {
            return Ok(TextHits::default());
        }
        let path = self.path(entry);
        let sheet = cache.sheet(entry, || {
            let table = self.table(copy, task)?;
            Ok(Sheet::of_table(Column::new(String::new(), path.clone(), table)))
        })?;
        let rows = sheet.find_rows(query, names, task)?;
        let mut hits = Vec::new();
        for row in rows {
            if left.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(1)).is_err() {
                break;
            }
            let at = row as usize;
            let text = sheet.text(at, 0).map(|text| text.chars().take(SHOWN).collect()).unwrap_or_default();
            hits.push(TextHit { path: path.clone(), entry, row, key: sheet.key(at), text });
        }
        Ok(TextHits { hits, unread: Vec::new() })
    }
}

/// What the tables of all languages have in common: the path without the language's folder, in lower case; `None` of
/// files that are no tables by their names. See [`Stack::languages`].
pub(crate) fn languages_of(path: &str) -> Option<String> {
    let path = path.to_ascii_lowercase();
    let (folder, leaf) = path.rsplit_once('\\')?;
    let above = folder.rsplit_once('\\').map_or("", |(above, _)| above);
    has_ending(leaf.as_bytes(), ENDING).then(|| format!("{above}\\{leaf}"))
}

fn is_english(language: &str) -> bool {
    ENGLISH.iter().any(|name| name.eq_ignore_ascii_case(language))
}
