//! Whether a path meets a query.
//!
//! Words are looked for in the folder's path once per folder, and then in the leaf name alone; the
//! few words with a separator in them may lie across both. Whatever needs the file's bytes comes
//! last.

use memchr::memmem::Finder;

use super::parse::{Branch, Query, Term, Test};
use crate::format::detect;
use crate::hash::PathHashes;
use crate::mount::Stack;
use crate::mount::index::{CopyRef, EntryId, FolderId};
use crate::path::{self, SEPARATOR};
use crate::task::Task;

/// How many bytes of a file tell its format.
const HEAD: u64 = 64;

/// A query and what can be said about its terms for the whole stack.
pub(super) struct Prepared<'a> {
    stack: &'a Stack,
    query: &'a Query,
    has_hash: bool,
    /// Whether a term looks at more than folder and leaf on their own.
    needs_path: bool,
    /// For each branch and term: the layers that a term about layers means.
    layers: Vec<Vec<Vec<bool>>>,
}

impl<'a> Prepared<'a> {
    pub(super) fn new(stack: &'a Stack, query: &'a Query) -> Self {
        let meant = |term: &Term| match &term.test {
            Test::Layer(names, number) => (0u16..)
                .zip(stack.layers())
                .map(|(at, layer)| {
                    let covers = |name: &str| names.covers(name.to_ascii_lowercase().as_bytes());
                    covers(&layer.name) || covers(layer.stem()) || *number == Some(at)
                })
                .collect(),
            _ => Vec::new(),
        };
        let terms = |branch: &Branch| branch.terms.iter().map(meant).collect();
        let all_terms = || query.branches.iter().flat_map(|branch| &branch.terms);
        let needs_path = |term: &Term| match &term.test {
            Test::Word(word) => has_separator(word),
            Test::Glob(glob) => glob.is_for_path(),
            Test::Expression(_) | Test::Format(_) => true,
            _ => false,
        };
        Self {
            stack,
            query,
            has_hash: all_terms().any(|term| matches!(term.test, Test::Hash(_))),
            needs_path: all_terms().any(needs_path),
            layers: query.branches.iter().map(terms).collect(),
        }
    }
}

/// A query against the entries of one folder.
pub(super) struct Matcher<'a> {
    of: &'a Prepared<'a>,
    /// For each branch and term: whether the folder's path has the word already.
    in_folder: Vec<Vec<bool>>,
    hashes: Option<PathHashes>,
    /// The folder's path in lower case with a separator behind, then the entry's leaf where a term
    /// needs the whole path.
    path: Vec<u8>,
    /// Bytes of the folder in it.
    folder: usize,
    /// A leaf in lower case, for layers that store other letters.
    folded: Vec<u8>,
}

impl<'a> Matcher<'a> {
    pub(super) fn new(of: &'a Prepared<'a>, folder: FolderId) -> Self {
        let mut path = of.stack.index().folder_path(folder).to_ascii_lowercase();
        if !path.is_empty() {
            path.push(SEPARATOR);
        }
        let has = |term: &Term| match &term.test {
            Test::Word(word) => word.find(&path).is_some(),
            _ => false,
        };
        let in_folder =
            of.query.branches.iter().map(|branch| branch.terms.iter().map(has).collect()).collect();
        let hashes = of.has_hash.then(|| PathHashes::new(&path));
        Self { of, in_folder, hashes, folder: path.len(), path, folded: Vec::new() }
    }

    /// Whether the query finds the path.
    pub(super) fn finds(&mut self, entry: EntryId) -> bool {
        let copies = self.of.stack.index().copies(entry);
        self.with_leaf(entry, |this, leaf| {
            this.branches().any(|(at, branch)| {
                if !this.path_meets(leaf, at, branch, copies.len()) {
                    return false;
                }
                let picks = branch.terms.iter().any(|term| term.test.picks_copies());
                let asked = if picks { copies.len() } else { 1 };
                let mut copies = copies.iter().take(asked).enumerate();
                copies.any(|(copy_at, copy)| this.copy_meets(at, branch, copy_at, *copy))
            })
        })
    }

    /// Whether the query finds one copy of the path.
    pub(super) fn finds_copy(&mut self, entry: EntryId, copy_at: usize) -> bool {
        let copies = self.of.stack.index().copies(entry);
        let Some(copy) = copies.get(copy_at) else { return false };
        self.with_leaf(entry, |this, leaf| {
            this.branches().any(|(at, branch)| {
                this.path_meets(leaf, at, branch, copies.len()) && this.copy_meets(at, branch, copy_at, *copy)
            })
        })
    }

    fn branches(&self) -> impl Iterator<Item = (usize, &'a Branch)> + use<'a> {
        self.of.query.branches.iter().enumerate()
    }

    /// Asks about the entry's leaf in lower case. Most layers store it so, and it is not copied.
    fn with_leaf(&mut self, entry: EntryId, ask: impl FnOnce(&Self, &[u8]) -> bool) -> bool {
        let stack = self.of.stack;
        let Some(winner) = stack.index().copies(entry).first() else { return false };
        let leaf = stack.index().leaf(stack.layers(), entry);
        if self.of.needs_path {
            self.path.truncate(self.folder);
            path::push_folded(&mut self.path, &leaf);
        }
        if stack.layer(*winner).is_some_and(|layer| layer.is_lower_case) {
            return ask(self, &leaf);
        }
        let mut folded = std::mem::take(&mut self.folded);
        folded.clear();
        path::push_folded(&mut folded, &leaf);
        let answer = ask(self, &folded);
        self.folded = folded;
        answer
    }

    /// The tests that look at the path alone.
    fn path_meets(&self, leaf: &[u8], at: usize, branch: &Branch, copies: usize) -> bool {
        let in_folder = self.in_folder.get(at).map(Vec::as_slice).unwrap_or_default();
        branch.terms.iter().zip(in_folder).all(|(term, in_folder)| {
            let meets = match &term.test {
                Test::Word(word) => *in_folder || self.has_word(word, leaf),
                Test::Glob(glob) => {
                    (glob.is_for_leaf() && glob.covers(leaf))
                        || (glob.is_for_path() && glob.covers(&self.path))
                }
                Test::Expression(expression) => expression.is_match(&self.path),
                Test::Extension(extension) => leaf.ends_with(extension),
                Test::Copies(comparison) => comparison.accepts(copies as u64),
                Test::Hash(hash) => self.hashes.is_some_and(|hashes| hashes.any_is(leaf, *hash)),
                Test::Layer(..) | Test::Format(_) | Test::Size(_) | Test::Wins(_) => return true,
            };
            meets != term.is_not
        })
    }

    /// Whether the word ends in the leaf; it was looked for in the folder before.
    fn has_word(&self, word: &Finder<'_>, leaf: &[u8]) -> bool {
        if !has_separator(word) {
            return word.find(leaf).is_some();
        }
        let reach = word.needle().len().saturating_sub(1).min(self.folder);
        self.path.get(self.folder - reach..).is_some_and(|path| word.find(path).is_some())
    }

    /// The tests that look at one copy.
    fn copy_meets(&self, at: usize, branch: &Branch, copy_at: usize, copy: CopyRef) -> bool {
        let Some(layer) = self.of.stack.layer(copy) else { return false };
        let meant = self.of.layers.get(at).map(Vec::as_slice).unwrap_or_default();
        let cheap = branch.terms.iter().zip(meant).all(|(term, meant)| {
            let meets = match &term.test {
                Test::Layer(..) => meant.get(usize::from(copy.layer)) == Some(&true),
                Test::Size(comparison) => comparison.accepts(layer.stat(copy.file).size),
                Test::Wins(wins) => (copy_at == 0) == *wins,
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
        let content = self.of.stack.content(copy);
        let head = content.map(|content| content.read_up_to(0..HEAD, &Task::new()).0).unwrap_or_default();
        detect(&path::to_text(&self.path), &head).map(|format| format.id)
    }
}

/// Whether a word may lie across folder and leaf.
fn has_separator(word: &Finder<'_>) -> bool {
    memchr::memchr(SEPARATOR, word.needle()).is_some()
}
