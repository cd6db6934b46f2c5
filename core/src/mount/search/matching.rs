//! Whether a path meets a query.
//!
//! Words are looked for in the folder's path once per folder, and then in the leaf name alone; the
//! few words with a separator in them may lie across both. Whatever needs the file's bytes comes
//! last.

use std::borrow::Cow;

use memchr::memmem;

use super::parse::{Branch, Query, Term, Test};
use crate::format::detect;
use crate::hash::{joaat_lower, string_hash, vbd_name_hash};
use crate::mount::Stack;
use crate::mount::index::{CopyRef, EntryId, FolderId};
use crate::path::{self, SEPARATOR};
use crate::task::Task;

/// How many bytes of a file tell its format.
const HEAD: u64 = 64;

/// A query against the entries of one folder.
pub(super) struct Matcher<'a> {
    stack: &'a Stack,
    query: &'a Query,
    /// For each branch and term: whether the folder's path has the word already.
    in_folder: Vec<Vec<bool>>,
    /// The folder's path in lower case with a separator behind, then the leaf of the entry.
    path: Vec<u8>,
    /// Where the leaf starts.
    leaf: usize,
}

impl<'a> Matcher<'a> {
    pub(super) fn new(stack: &'a Stack, query: &'a Query, folder: FolderId) -> Self {
        let mut path = stack.index().folder_path(folder).to_ascii_lowercase();
        if !path.is_empty() {
            path.push(SEPARATOR);
        }
        let has = |term: &Term| match &term.test {
            Test::Word(word) => memmem::find(&path, word).is_some(),
            _ => false,
        };
        let in_folder = query.branches.iter().map(|branch| branch.terms.iter().map(has).collect()).collect();
        Self { stack, query, in_folder, leaf: path.len(), path }
    }

    /// Whether the query finds the path.
    pub(super) fn finds(&mut self, entry: EntryId) -> bool {
        self.set_leaf(entry);
        let copies = self.stack.index().copies(entry);
        let branches = self.query.branches.iter().zip(&self.in_folder);
        branches.into_iter().any(|(branch, in_folder)| {
            if !self.path_meets(branch, in_folder, copies.len()) {
                return false;
            }
            let picks = branch.terms.iter().any(|term| term.test.picks_copies());
            let asked = if picks { copies.len() } else { 1 };
            copies.iter().take(asked).enumerate().any(|(at, copy)| self.copy_meets(branch, at, *copy))
        })
    }

    /// Whether the query finds one copy of the path.
    pub(super) fn finds_copy(&mut self, entry: EntryId, at: usize) -> bool {
        self.set_leaf(entry);
        let copies = self.stack.index().copies(entry);
        let Some(copy) = copies.get(at) else { return false };
        let branches = self.query.branches.iter().zip(&self.in_folder);
        branches.into_iter().any(|(branch, in_folder)| {
            self.path_meets(branch, in_folder, copies.len()) && self.copy_meets(branch, at, *copy)
        })
    }

    fn set_leaf(&mut self, entry: EntryId) {
        self.path.truncate(self.leaf);
        let leaf: Cow<'_, [u8]> = self.stack.index().leaf(self.stack.layers(), entry);
        self.path.extend_from_slice(&leaf);
        if let Some(leaf) = self.path.get_mut(self.leaf..) {
            leaf.make_ascii_lowercase();
        }
    }

    fn leaf(&self) -> &[u8] {
        self.path.get(self.leaf..).unwrap_or_default()
    }

    /// The tests that look at the path alone.
    fn path_meets(&self, branch: &Branch, in_folder: &[bool], copies: usize) -> bool {
        branch.terms.iter().zip(in_folder).all(|(term, in_folder)| {
            let meets = match &term.test {
                Test::Word(word) => *in_folder || self.has_word(word),
                Test::Pattern(pattern, also_leaf) => {
                    pattern.is_match(&self.path) || (*also_leaf && pattern.is_match(self.leaf()))
                }
                Test::Extension(extension) => self.leaf().ends_with(extension),
                Test::Copies(comparison) => comparison.accepts(copies as u64),
                Test::Hash(hash) => {
                    [string_hash, joaat_lower, vbd_name_hash].iter().any(|of| of(&self.path) == *hash)
                }
                Test::Layer(..) | Test::Format(_) | Test::Size(_) | Test::Wins(_) => return true,
            };
            meets != term.is_not
        })
    }

    /// Whether the word ends in the leaf; it was looked for in the folder before.
    fn has_word(&self, word: &[u8]) -> bool {
        let reach = word.len().saturating_sub(1).min(self.leaf);
        let has_separator = memchr::memchr(SEPARATOR, word).is_some();
        let from = if has_separator { self.leaf - reach } else { self.leaf };
        self.path.get(from..).is_some_and(|path| memmem::find(path, word).is_some())
    }

    /// The tests that look at one copy.
    fn copy_meets(&self, branch: &Branch, at: usize, copy: CopyRef) -> bool {
        let Some(layer) = self.stack.layer(copy) else { return false };
        let cheap = branch.terms.iter().all(|term| {
            let meets = match &term.test {
                Test::Layer(names, number) => {
                    names.is_match(layer.name.as_bytes())
                        || names.is_match(layer.stem().as_bytes())
                        || *number == Some(copy.layer)
                }
                Test::Size(comparison) => comparison.accepts(layer.stat(copy.file).size),
                Test::Wins(wins) => (at == 0) == *wins,
                _ => return true,
            };
            meets != term.is_not
        });
        cheap
            && branch.terms.iter().all(|term| match term.test {
                Test::Format(id) => (self.format(copy) == Some(id)) != term.is_not,
                _ => true,
            })
    }

    fn format(&self, copy: CopyRef) -> Option<&'static str> {
        // A copy that cannot be read is judged by its name.
        let head = self.stack.content(copy).map(|content| content.read_up_to(0..HEAD, &Task::new()).0);
        let head = head.unwrap_or_default();
        detect(&path::to_text(&self.path), &head).map(|format| format.id)
    }
}
