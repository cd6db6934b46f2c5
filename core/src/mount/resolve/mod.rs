//! Which copy of a path wins, why, and what the engine's own search would do.

mod bundle;
mod digest;
mod words;

pub use bundle::{BundleAnswer, MemberAnswer, MemberSource};
pub use digest::{Class, CopyDigest};

use std::collections::HashSet;

use self::words::Words;
use super::Stack;
use super::index::{CopyRef, EntryId};
use super::layer::{EngineLookup, LayerKind, Stat};
use super::members::Declared;
use crate::path;

/// The whole answer about one path.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The path, as its winning copy spells it.
    pub path: String,
    /// Every copy: files in search order, then members of containers that win, then members of
    /// containers that do not.
    pub copies: Vec<CopyAnswer>,
    /// Position of the winner in `copies`; `None` where only containers hold the path that do not win
    /// themselves.
    pub winner: Option<usize>,
    /// Position of the first copy that the engine's own search reaches.
    pub engine_winner: Option<usize>,
    /// The rule that decided, in a sentence.
    pub rule: String,
    /// What is not proven about it, in a sentence.
    pub unproven: Option<String>,
    /// What the manifests that win say of the path.
    pub declared: Vec<Declared>,
}

impl Answer {
    /// Whether the engine's own search reaches the winner.
    pub fn winner_is_found(&self) -> bool {
        self.winner.is_some() && self.engine_winner == self.winner
    }
}

/// One copy of a path.
#[derive(Clone, Debug)]
pub struct CopyAnswer {
    /// The copy.
    pub copy: CopyRef,
    /// How the copy is shipped.
    pub kind: CopyKind,
    /// The path as this layer spells it.
    pub path: String,
    /// The path of the container that holds it, for a member.
    pub container: Option<String>,
    /// Place and sizes; the place of a member is that in its container.
    pub stat: Stat,
    /// Whether it wins.
    pub wins: bool,
    /// Whether the engine's own search in this layer reaches it, or the container that holds it.
    pub engine_finds: bool,
    /// Whether a manifest that wins states this size; `None` where none names the path.
    pub fits: Option<bool>,
    /// Why it wins or loses, in a sentence.
    pub why: String,
}

/// How a copy is shipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CopyKind {
    /// A file of an archive.
    Entry,
    /// A file on disk.
    Loose,
    /// A member of a bundle's container.
    Member,
}

impl CopyKind {
    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Entry => "entry",
            Self::Loose => "loose",
            Self::Member => "member",
        }
    }
}

impl Stack {
    /// The whole answer about a path, without reading its copies.
    pub fn resolve(&self, entry: EntryId) -> Answer {
        let bytes = self.index.path(&self.layers, entry);
        let refs = self.index.copies(entry);
        let words = Words::new(self, &bytes, refs);
        let declared = self.declared(&bytes);
        let sizes: HashSet<u64> = declared.iter().map(|declared| declared.size.into()).collect();
        let engine_winner = (0..refs.len()).find(|at| words.is_found(*at));
        let copies: Vec<_> = refs
            .iter()
            .enumerate()
            .filter_map(|(at, copy)| {
                let layer = self.layer(*copy)?;
                let stat = layer.stat(copy.file);
                let is_declared = || sizes.contains(&stat.size);
                Some(CopyAnswer {
                    copy: *copy,
                    kind: self.kind(*copy),
                    path: self.path_of(*copy),
                    container: words.holder(at).map(|holder| holder.path.clone()),
                    stat,
                    wins: words.winner == Some(at),
                    engine_finds: words.is_found(at),
                    fits: (!declared.is_empty()).then(is_declared),
                    why: words.why(at),
                })
            })
            .collect();
        let rule = words.rule(engine_winner);
        let Words { winner, unproven, .. } = words;
        Answer {
            path: path::to_text(&bytes).into_owned(),
            copies,
            winner,
            engine_winner,
            rule,
            unproven,
            declared,
        }
    }

    /// Whether the engine's own search reaches the first copy of a path, or the container of it.
    pub fn engine_finds_winner(&self, entry: EntryId) -> bool {
        let path = self.index.path(&self.layers, entry);
        self.index.copies(entry).first().is_some_and(|copy| self.engine_finds(*copy, &path))
    }

    /// Whether nothing is proven about which copy of a path is used: a file lies in the layer of a
    /// container that holds the path as well, or below it.
    pub fn is_unproven(&self, entry: EntryId) -> bool {
        let copies = self.index.copies(entry);
        copies.first().is_some_and(|first| !self.is_member(*first) && self.rival(*first, copies).is_some())
    }

    /// How a copy is shipped.
    pub fn kind(&self, copy: CopyRef) -> CopyKind {
        match self.layer(copy).map(|layer| layer.kind) {
            _ if self.is_member(copy) => CopyKind::Member,
            Some(LayerKind::Folder | LayerKind::File) => CopyKind::Loose,
            Some(LayerKind::Ltar | LayerKind::Vbd) | None => CopyKind::Entry,
        }
    }

    /// Whether a copy is a member of a container.
    pub fn is_member(&self, copy: CopyRef) -> bool {
        self.layer(copy).is_some_and(|layer| layer.section(copy.file).is_some())
    }

    /// Whether the container of a member wins its own path.
    fn is_live(&self, member: CopyRef) -> bool {
        let container = self.container_of(member);
        container.is_some_and(|container| self.winner_over(container) == Some(container))
    }

    /// The first member of a container that wins, in the layer of a file or above it.
    fn rival(&self, file: CopyRef, copies: &[CopyRef]) -> Option<CopyRef> {
        let is_rival =
            |copy: &&CopyRef| copy.layer <= file.layer && self.is_member(**copy) && self.is_live(**copy);
        copies.iter().find(is_rival).copied()
    }

    fn engine_finds(&self, copy: CopyRef, path: &[u8]) -> bool {
        match self.container_of(copy) {
            Some(container) => {
                let path =
                    self.layer(container).map(|layer| layer.path_of(container.file)).unwrap_or_default();
                self.engine_lookup(container, &path) == EngineLookup::Found(container.file)
            }
            None => self.engine_lookup(copy, path) == EngineLookup::Found(copy.file),
        }
    }

    fn engine_lookup(&self, copy: CopyRef, path: &[u8]) -> EngineLookup {
        self.layer(copy).map_or(EngineLookup::NoFolder, |layer| layer.engine_find(path))
    }
}
