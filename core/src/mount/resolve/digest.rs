//! What only reading the copies of a path tells: their sums, and how they relate to the winner.

use sha2::{Digest as _, Sha256};

use super::Stack;
use crate::asset::{Asset, Texture};
use crate::error::Result;
use crate::format::{detect, load};
use crate::formats::texr;
use crate::mount::index::{CopyRef, EntryId};
use crate::task::Task;

/// The largest texture whose levels are compared one by one.
const LARGEST_TEXTURE: u64 = 64 << 20;

/// How a copy relates to the winner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// It is the winner.
    Winner,
    /// The same bytes, stored the same way.
    Identical,
    /// The same bytes, packed differently.
    Repacked,
    /// A texture of the same size and format of which some levels have the same pixels.
    Levels {
        /// How many levels of all slices are the same.
        same: u32,
        /// How many there are.
        of: u32,
    },
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
            Self::Levels { .. } => "levels",
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
        let path = self.path(entry);
        let mut winner_texture = None;
        for copy in copies {
            let sha256 = self.sha256(*copy, task);
            task.step(1)?;
            let class = match (digests.first().map(|winner| &winner.sha256), &sha256) {
                (_, Err(_)) | (Some(Err(_)), _) => Class::Unreadable,
                (None, Ok(_)) => Class::Winner,
                (Some(Ok(winner)), Ok(own)) if winner != own => {
                    let read = |copy: Option<&CopyRef>| self.texture(*copy?, &path, task);
                    let winner = winner_texture.get_or_insert_with(|| read(copies.first()));
                    let both = winner.as_ref().and_then(|winner| same_levels(winner, &read(Some(copy))?));
                    both.map_or(Class::Different, |(same, of)| Class::Levels { same, of })
                }
                (Some(Ok(_)), Ok(_)) if self.stored(*copy).ok() == winner_bytes => Class::Identical,
                (Some(Ok(_)), Ok(_)) => Class::Repacked,
            };
            task.check()?;
            digests.push(CopyDigest { sha256, class });
        }
        Ok(digests)
    }

    /// The texture that a copy is, where it is one that can be read.
    fn texture(&self, copy: CopyRef, path: &str, task: &Task) -> Option<Texture> {
        let is_texture = detect(path, &[]).is_some_and(|format| format.id == texr::FORMAT.id);
        let content =
            self.content(copy).ok().filter(|content| is_texture && content.len() <= LARGEST_TEXTURE)?;
        match load(&content.read(0..u64::MAX, task).ok()?, path, task) {
            Ok(Asset::Texture(texture)) => Some(texture),
            _ => None,
        }
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

/// How many levels of two textures are the same, of how many; `None` where none is, or where the textures
/// differ in more than that.
fn same_levels(a: &Texture, b: &Texture) -> Option<(u32, u32)> {
    let shape = |of: &Texture| (of.format, of.width, of.height, of.depth, of.levels, of.slices);
    (shape(a) == shape(b) && a.images.len() == b.images.len()).then_some(())?;
    let same = a.images.iter().zip(&b.images).filter(|(a, b)| a.data == b.data).count();
    let count = |len: usize| u32::try_from(len).unwrap_or(u32::MAX);
    (same > 0).then(|| (count(same), count(a.images.len())))
}
