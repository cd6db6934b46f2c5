//! Whether a path meets a query.
//!
//! Words are looked for in the folder's path once per folder, and in the leaf names once per pool of
//! names; the few words with a separator in them may lie across both. Whatever needs the file's
//! bytes comes last.

use memchr::memmem::Finder;
use rayon::prelude::*;

use super::parse::{Branch, LayerName, Query, Term, Test};
use super::places::Places;
use crate::error::{Error, Result};
use crate::format::detect;
use crate::hash::PathHashes;
use crate::mount::Stack;
use crate::mount::index::{CopyRef, EntryId, FolderId, own_leaf};
use crate::mount::layer::Layer;
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
    /// For each layer: bytes of its pool of names, 0 where there is none.
    pools: Vec<usize>,
    /// For each branch and term.
    terms: Vec<Vec<Known>>,
}

/// What is known about a term for each layer.
#[derive(Default)]
struct Known {
    /// Whether a term about layers means it.
    is_meant: Vec<bool>,
    /// Where a word occurs in its names.
    places: Vec<Option<Places>>,
}

impl<'a> Prepared<'a> {
    /// # Errors
    /// `Usage` for a field that there is not, and for a layer that the stack has not.
    pub(super) fn new(stack: &'a Stack, query: &'a Query) -> Result<Self> {
        query.check_fields()?;
        let meant = |term: &Term| match &term.test {
            Test::Layer(name) => meant_layers(stack, name),
            _ => Ok(Vec::new()),
        };
        // A word across folder and leaf cannot be found in either alone.
        let places = |term: &Term| match &term.test {
            Test::Word(word) if !has_separator(word) => {
                stack.layers().par_iter().map(|layer| Places::find(word, layer.pool()?)).collect()
            }
            _ => Vec::new(),
        };
        let known = |term: &Term| Ok(Known { is_meant: meant(term)?, places: places(term) });
        let terms = |branch: &Branch| branch.terms.iter().map(known).collect::<Result<_>>();
        let all_terms = || query.branches.iter().flat_map(|branch| &branch.terms);
        let needs_path = |term: &Term| match &term.test {
            Test::Word(word) => has_separator(word),
            Test::Glob(glob) => glob.is_for_path(),
            Test::Expression(_) | Test::Format(_) => true,
            _ => false,
        };
        Ok(Self {
            stack,
            query,
            has_hash: all_terms().any(|term| matches!(term.test, Test::Hash(_))),
            needs_path: all_terms().any(needs_path),
            pools: stack.layers().iter().map(|layer| layer.pool().map_or(0, <[u8]>::len)).collect(),
            terms: query.branches.iter().map(terms).collect::<Result<_>>()?,
        })
    }
}

/// For each layer of the stack: whether the name means it.
fn meant_layers(stack: &Stack, name: &LayerName) -> Result<Vec<bool>> {
    let is_meant: Vec<_> = (0..).zip(stack.layers()).map(|(at, layer)| name.means(layer, at)).collect();
    if is_meant.contains(&true) {
        return Ok(is_meant);
    }
    Err(Error::usage(format!("layer:{}: no layer has this name or number", name.text)))
}

/// The leaf name of an entry, in lower case.
enum Leaf<'a> {
    /// One that lies in the pool of its layer and is looked at only when it has to be.
    Pooled { layer: &'a Layer, copy: CopyRef, offset: u32 },
    /// One from a layer that may store other letters.
    Folded(&'a [u8]),
}

impl Leaf<'_> {
    fn bytes(&self) -> &[u8] {
        match self {
            Self::Pooled { layer, copy, .. } => layer.leaf(copy.file),
            Self::Folded(bytes) => bytes,
        }
    }
}

/// A query against the entries of one folder.
pub(super) struct Matcher<'a> {
    of: &'a Prepared<'a>,
    /// For each branch and term: whether the folder's path has the word already.
    in_folder: Vec<Vec<bool>>,
    /// Whether the query finds everything in the folder, or nothing, where its path tells.
    folder_decides: Option<bool>,
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
        let branches = &of.query.branches;
        let in_folder: Vec<Vec<bool>> =
            branches.iter().map(|branch| branch.terms.iter().map(has).collect()).collect();
        let folder_decides = decided(branches, &in_folder);
        let hashes = of.has_hash.then(|| PathHashes::new(&path));
        Self { of, in_folder, folder_decides, hashes, folder: path.len(), path, folded: Vec::new() }
    }

    /// Whether the query finds the path.
    pub(super) fn finds(&mut self, entry: EntryId) -> bool {
        if let Some(finds) = self.folder_decides {
            return finds;
        }
        let copies = self.of.stack.index().copies(entry);
        self.with_leaf(copies, |this, leaf| {
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
        if let Some(finds) = self.folder_decides {
            return finds;
        }
        self.with_leaf(copies, |this, leaf| {
            this.branches().any(|(at, branch)| {
                this.path_meets(leaf, at, branch, copies.len()) && this.copy_meets(at, branch, copy_at, *copy)
            })
        })
    }

    fn branches(&self) -> impl Iterator<Item = (usize, &'a Branch)> + use<'a> {
        self.of.query.branches.iter().enumerate()
    }

    /// Asks about the leaf of an entry, as its winning copy spells it.
    fn with_leaf(&mut self, copies: &[CopyRef], ask: impl FnOnce(&Self, &Leaf<'_>) -> bool) -> bool {
        let stack = self.of.stack;
        let Some(winner) = copies.first() else { return false };
        let Some(layer) = stack.layer(*winner) else { return false };
        let leaf = || own_leaf(stack.layers(), *winner);
        if self.of.needs_path {
            self.path.truncate(self.folder);
            path::push_folded(&mut self.path, &leaf());
        }
        let pool = self.of.pools.get(usize::from(winner.layer)).copied().unwrap_or(0);
        if pool > 0
            && let Some(offset) = layer.pool_offset(winner.file).filter(|at| (*at as usize) < pool)
        {
            return ask(self, &Leaf::Pooled { layer, copy: *winner, offset });
        }
        let mut folded = std::mem::take(&mut self.folded);
        folded.clear();
        path::push_folded(&mut folded, &leaf());
        let answer = ask(self, &Leaf::Folded(&folded));
        self.folded = folded;
        answer
    }

    /// The tests that look at the path alone.
    fn path_meets(&self, leaf: &Leaf<'_>, at: usize, branch: &Branch, copies: usize) -> bool {
        let in_folder = self.in_folder.get(at).map(Vec::as_slice).unwrap_or_default();
        let known = self.of.terms.get(at).map(Vec::as_slice).unwrap_or_default();
        branch.terms.iter().zip(in_folder).zip(known).all(|((term, in_folder), known)| {
            let meets = match &term.test {
                Test::Word(word) => *in_folder || self.has_word(word, known, leaf),
                Test::Glob(glob) => {
                    (glob.is_for_leaf() && glob.covers(leaf.bytes()))
                        || (glob.is_for_path() && glob.covers(&self.path))
                }
                Test::Expression(expression) => expression.is_match(&self.path),
                Test::Extension(extension) => leaf.bytes().ends_with(extension),
                Test::Copies(comparison) => comparison.accepts(copies as u64),
                Test::Hash(hash) => self.hashes.is_some_and(|hashes| hashes.any_is(leaf.bytes(), *hash)),
                Test::Layer(_) | Test::Format(_) | Test::Size(_) | Test::Wins(_) => return true,
            };
            meets != term.is_not
        })
    }

    /// Whether the word ends in the leaf; it was looked for in the folder before.
    fn has_word(&self, word: &Finder<'_>, known: &Known, leaf: &Leaf<'_>) -> bool {
        if has_separator(word) {
            let reach = word.needle().len().saturating_sub(1).min(self.folder);
            return self.path.get(self.folder - reach..).is_some_and(|path| word.find(path).is_some());
        }
        if let Leaf::Pooled { copy, offset, .. } = leaf
            && let Some(Some(places)) = known.places.get(usize::from(copy.layer))
        {
            return places.has(*offset);
        }
        word.find(leaf.bytes()).is_some()
    }

    /// The tests that look at one copy.
    fn copy_meets(&self, at: usize, branch: &Branch, copy_at: usize, copy: CopyRef) -> bool {
        let Some(layer) = self.of.stack.layer(copy) else { return false };
        let known = self.of.terms.get(at).map(Vec::as_slice).unwrap_or_default();
        let cheap = branch.terms.iter().zip(known).all(|(term, known)| {
            let meets = match &term.test {
                Test::Layer(_) => known.is_meant.get(usize::from(copy.layer)) == Some(&true),
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

/// What a query says of all entries of a folder, from the words that its path has.
fn decided(branches: &[Branch], in_folder: &[Vec<bool>]) -> Option<bool> {
    let mut branches = branches.iter().zip(in_folder).map(|(branch, in_folder)| {
        let terms = branch.terms.iter().zip(in_folder);
        let mut known = terms.map(|(term, in_folder)| in_folder.then_some(!term.is_not));
        if known.clone().any(|known| known == Some(false)) {
            return Some(false);
        }
        known.all(|known| known == Some(true)).then_some(true)
    });
    if branches.clone().any(|branch| branch == Some(true)) {
        return Some(true);
    }
    branches.all(|branch| branch == Some(false)).then_some(false)
}

/// Whether a word may lie across folder and leaf.
fn has_separator(word: &Finder<'_>) -> bool {
    memchr::memchr(SEPARATOR, word.needle()).is_some()
}
