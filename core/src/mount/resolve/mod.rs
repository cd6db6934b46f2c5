//! Which copy of a path wins, why, and what the engine's own search would do.

mod bundle;
mod words;

pub use bundle::{BundleAnswer, MemberAnswer, MemberSource};

use sha2::{Digest as _, Sha256};

use self::words::Words;
use super::Stack;
use super::index::{CopyRef, EntryId};
use super::layer::{EngineLookup, LayerKind, Stat};
use super::members::Declared;
use crate::error::Result;
use crate::path;
use crate::task::Task;

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

/// How a copy relates to the winner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// It is the winner.
    Winner,
    /// The same bytes, stored the same way.
    Identical,
    /// The same bytes, packed differently.
    Repacked,
    /// Other bytes.
    Different,
    /// It, or the winner, cannot be read.
    Unreadable,
}

impl Class {
    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Winner => "winner",
            Self::Identical => "identical",
            Self::Repacked => "repacked",
            Self::Different => "different",
            Self::Unreadable => "unreadable",
        }
    }
}

/// What only reading a copy tells.
#[derive(Debug)]
pub struct CopyDigest {
    /// SHA-256 of the decoded bytes, or why they cannot be read; the error names layer and path.
    pub sha256: Result<[u8; 32]>,
    /// How it relates to the winner.
    pub class: Class,
}

impl Stack {
    /// The whole answer about a path, without reading its copies.
    pub fn resolve(&self, entry: EntryId) -> Answer {
        let bytes = self.index.path(&self.layers, entry);
        let refs = self.index.copies(entry);
        let words = Words::new(self, &bytes, refs);
        let declared = self.declared(&bytes);
        let engine_winner = words.finds.iter().position(|finds| *finds);
        let copies: Vec<_> = refs
            .iter()
            .enumerate()
            .filter_map(|(at, copy)| {
                let layer = self.layer(*copy)?;
                let stat = layer.stat(copy.file);
                let is_declared = || declared.iter().any(|declared| u64::from(declared.size) == stat.size);
                Some(CopyAnswer {
                    copy: *copy,
                    kind: self.kind(*copy),
                    path: self.path_of(*copy),
                    container: self.container_of(*copy).map(|container| self.path_of(container)),
                    stat,
                    wins: words.winner == Some(at),
                    engine_finds: words.finds.get(at) == Some(&true),
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

    fn layer_name(&self, copy: CopyRef) -> &str {
        self.layer(copy).map_or("", |layer| &layer.name)
    }

    /// Reads every copy of a path and compares it with the winner. A copy that cannot be read does
    /// not stop the others.
    ///
    /// # Errors
    /// `Cancelled`.
    pub fn digest(&self, entry: EntryId, task: &Task) -> Result<Vec<CopyDigest>> {
        let copies = self.index.copies(entry);
        task.set_total(copies.len() as u64);
        let mut digests: Vec<CopyDigest> = Vec::with_capacity(copies.len());
        let winner_bytes = copies.first().and_then(|copy| self.stored(*copy).ok());
        for copy in copies {
            let sha256 = self.sha256(*copy, task);
            task.step(1)?;
            let class = match (digests.first().map(|winner| &winner.sha256), &sha256) {
                (_, Err(_)) | (Some(Err(_)), _) => Class::Unreadable,
                (None, Ok(_)) => Class::Winner,
                (Some(Ok(winner)), Ok(own)) if winner != own => Class::Different,
                (Some(Ok(_)), Ok(_)) if self.stored(*copy).ok() == winner_bytes => Class::Identical,
                (Some(Ok(_)), Ok(_)) => Class::Repacked,
            };
            digests.push(CopyDigest { sha256, class });
        }
        Ok(digests)
    }

    /// SHA-256 of the decoded bytes of a copy, read piece by piece.
    fn sha256(&self, copy: CopyRef, task: &Task) -> Result<[u8; 32]> {
        let mut hash = Sha256::new();
        let hashed = self.content(copy)?.visit(task, |piece| {
            hash.update(piece);
            Ok(())
        });
        hashed.map_err(|error| self.blame(copy, error))?;
        Ok(hash.finalize().into())
    }
}
