//! Which copy of a path wins, why, and what the engine's own search would do.

use sha2::{Digest as _, Sha256};

use super::Stack;
use super::index::{CopyRef, EntryId};
use super::layer::{EngineLookup, Layer, LayerKind, Stat};
use crate::error::Result;
use crate::path::{self, split};
use crate::task::Task;

/// The whole answer about one path.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The path, as its winning copy spells it.
    pub path: String,
    /// Every copy, searched first first.
    pub copies: Vec<CopyAnswer>,
    /// Position of the winner in `copies`.
    pub winner: usize,
    /// Position of the first copy that the engine's own search reaches.
    pub engine_winner: Option<usize>,
    /// The rule that decided, in a sentence.
    pub rule: String,
}

impl Answer {
    /// Whether the engine's own search reaches the winner.
    pub fn winner_is_found(&self) -> bool {
        self.engine_winner == Some(self.winner)
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
    /// Place and sizes.
    pub stat: Stat,
    /// Whether it wins.
    pub wins: bool,
    /// Whether the engine's own search in this layer reaches it.
    pub engine_finds: bool,
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
}

impl CopyKind {
    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Entry => "entry",
            Self::Loose => "loose",
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
        let lookups: Vec<_> = refs.iter().map(|copy| self.engine_lookup(*copy, &bytes)).collect();
        let finds = |(copy, lookup): (&CopyRef, &EngineLookup)| *lookup == EngineLookup::Found(copy.file);
        let engine_winner = refs.iter().zip(&lookups).position(finds);
        let folder = path::to_text(split(&bytes).0).into_owned();
        let copies: Vec<_> = refs
            .iter()
            .zip(lookups)
            .enumerate()
            .filter_map(|(at, (copy, lookup))| {
                let layer = self.layer(*copy)?;
                Some(CopyAnswer {
                    copy: *copy,
                    kind: kind_of(layer),
                    path: self.path_of(*copy),
                    stat: layer.stat(copy.file),
                    wins: at == 0,
                    engine_finds: finds((copy, &lookup)),
                    why: self.why(at, refs, lookup, &folder),
                })
            })
            .collect();
        let rule = self.rule(refs, engine_winner);
        Answer { path: path::to_text(&bytes).into_owned(), copies, winner: 0, engine_winner, rule }
    }

    /// Whether the engine's own search reaches the winner of a path.
    pub fn engine_finds_winner(&self, entry: EntryId) -> bool {
        let path = self.index.path(&self.layers, entry);
        let winner = self.index.copies(entry).first();
        winner.is_some_and(|copy| self.engine_lookup(*copy, &path) == EngineLookup::Found(copy.file))
    }

    fn engine_lookup(&self, copy: CopyRef, path: &[u8]) -> EngineLookup {
        self.layer(copy).map_or(EngineLookup::NoFolder, |layer| layer.engine_find(path))
    }

    fn layer_name(&self, copy: CopyRef) -> &str {
        self.layer(copy).map_or("", |layer| &layer.name)
    }

    /// The rule that decided about the path as a whole.
    fn rule(&self, copies: &[CopyRef], engine_winner: Option<usize>) -> String {
        let name = |at: usize| copies.get(at).map_or("", |copy| self.layer_name(*copy));
        let rule = match copies {
            [_] => format!("{} is the only layer that holds the path.", name(0)),
            _ => format!("{} is the first layer from the top that holds the path.", name(0)),
        };
        match engine_winner {
            Some(0) => rule,
            Some(reached) => format!(
                "{rule} The engine's own search misses it there and would reach the copy in {}; \
                 whether the game gets to the winner another way is not proven.",
                name(reached)
            ),
            None => format!(
                "{rule} The engine's own search misses every copy; \
                 whether the game gets there another way is not proven."
            ),
        }
    }

    /// Why one copy wins or loses.
    fn why(&self, at: usize, copies: &[CopyRef], lookup: EngineLookup, folder: &str) -> String {
        let own = copies.get(at);
        let before = copies.first().filter(|_| at > 0);
        let why = match (own, before) {
            (Some(own), Some(first)) if own.layer == first.layer => {
                "a second record of the same path in the same layer".to_owned()
            }
            (Some(own), Some(first)) => {
                let (layer, above) = (own.layer, self.layer_name(*first));
                format!("layer {layer} is searched after {above}, layer {}", first.layer)
            }
            _ if copies.len() == 1 => "the only copy".to_owned(),
            _ => "the first layer from the top that holds the path".to_owned(),
        };
        match lookup {
            EngineLookup::Found(file) if own.is_some_and(|own| own.file == file) => why,
            EngineLookup::Found(_) => {
                format!("{why}; the engine's search reaches the other record of this path in the layer")
            }
            EngineLookup::NoFolder => {
                format!("{why}; the engine's search misses the folder {folder} in this layer")
            }
            EngineLookup::NoFile => {
                format!("{why}; the engine's search finds the folder in this layer and misses the file")
            }
        }
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

fn kind_of(layer: &Layer) -> CopyKind {
    match layer.kind {
        LayerKind::Ltar | LayerKind::Vbd => CopyKind::Entry,
        LayerKind::Folder | LayerKind::File => CopyKind::Loose,
    }
}
