//! What goes with a mesh or a skeleton: the skeleton that lists the mesh's objects among its parts, and the reverse.
//!
//! The names of a skeleton's parts hash to the numbers of its mesh's objects, by measurement on the shipped
//! armour, all four of whose objects are parts.

use std::collections::HashSet;
use std::sync::Arc;

use rayon::prelude::*;

use super::Dress;
use crate::asset::{Asset, Mesh, Skeleton};
use crate::error::{Error, Result};
use crate::format::load;
use crate::hash::string_hash;
use crate::model::Model;
use crate::mount::{CopyRef, EntryId, Stack};
use crate::path::{canonical, has_ending, split};
use crate::task::Task;

/// The largest file that is read to see whether it belongs.
const LARGEST: u64 = 64 << 20;

/// How far files are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// In the folder of the file that they may belong to.
    Folder,
    /// In the whole stack.
    Stack,
}

/// A file that goes with a mesh or a skeleton.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Companion {
    /// The path.
    pub path: String,
    /// The copy that wins.
    pub copy: CopyRef,
    /// How many objects of the mesh are parts of the skeleton, at least one.
    pub shared: usize,
}

/// The files that go with a mesh or a skeleton.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Companions {
    /// Those that share most first; of equal ones those of the same name, then those of the same folder.
    pub found: Vec<Companion>,
    /// Why others are not known, a sentence for each file that could not be read.
    pub unread: Vec<String>,
}

/// A mesh, a skeleton, or both.
#[derive(Clone, Debug, Default)]
pub struct Pair {
    /// The mesh.
    pub mesh: Option<Arc<Mesh>>,
    /// The skeleton.
    pub skeleton: Option<Arc<Skeleton>>,
}

impl Pair {
    /// What a file holds, with what goes with it.
    ///
    /// # Errors
    /// `Unsupported` when they are no mesh and skeleton.
    pub fn new(own: Asset, companion: Option<Asset>) -> Result<Self> {
        let words = |asset: &Asset| match asset {
            Asset::Mesh(_) => "a mesh hangs on a skeleton",
            Asset::Skeleton(_) => "on a skeleton hangs a mesh",
            _ => "only a mesh and a skeleton go together",
        };
        let wanted = words(&own);
        match (own, companion) {
            (Asset::Mesh(mesh), None) => Ok(Self { mesh: Some(Arc::new(mesh)), skeleton: None }),
            (Asset::Skeleton(skeleton), None) => Ok(Self { mesh: None, skeleton: Some(Arc::new(skeleton)) }),
            (Asset::Mesh(mesh), Some(Asset::Skeleton(skeleton)))
            | (Asset::Skeleton(skeleton), Some(Asset::Mesh(mesh))) => {
                Ok(Self { mesh: Some(Arc::new(mesh)), skeleton: Some(Arc::new(skeleton)) })
            }
            (own, companion) => {
                let kind = companion.as_ref().unwrap_or(&own).kind().name();
                Err(Error::unsupported(format!("{wanted}, and this is {kind}")))
            }
        }
    }
}

/// A mesh or a skeleton with what goes with it.
#[derive(Debug)]
pub struct Joined {
    /// Both, as far as they are there.
    pub model: Model,
    /// The path of the skeleton that the mesh was joined with, or of the mesh that hangs on the skeleton.
    pub companion: Option<String>,
    /// The textures that the names say.
    pub dress: Dress,
    /// Why files are not known that could have been better companions, a sentence each.
    pub unread: Vec<String>,
}

impl Stack {
    /// A mesh or a skeleton with what fits it best in its folder, or with the very copy that is to go with it.
    ///
    /// # Errors
    /// When a copy cannot be read, is too large, or is neither a mesh nor a skeleton; `Cancelled`.
    pub fn joined(&self, copy: CopyRef, companion: Option<CopyRef>, task: &Task) -> Result<Joined> {
        self.joined_with(copy, self.asset(copy, task)?, companion, task)
    }

    /// A mesh or a skeleton by itself, with the textures that the names say.
    ///
    /// # Errors
    /// See [`joined`](Self::joined).
    pub fn alone(&self, copy: CopyRef, task: &Task) -> Result<Joined> {
        self.pair_up(copy, self.asset(copy, task)?, None, task)
    }

    /// The same as [`joined`](Self::joined) for a copy that was read.
    ///
    /// # Errors
    /// See [`joined`](Self::joined).
    pub fn joined_with(
        &self,
        copy: CopyRef,
        own: Asset,
        companion: Option<CopyRef>,
        task: &Task,
    ) -> Result<Joined> {
        let mut unread = Vec::new();
        let companion = match (companion, &own) {
            (None, Asset::Mesh(_) | Asset::Skeleton(_)) => {
                let companions = self.companions(&self.path_of(copy), &own, Reach::Folder, task)?;
                unread = companions.unread;
                companions.found.first().map(|best| best.copy)
            }
            (companion, _) => companion,
        };
        Ok(Joined { unread, ..self.pair_up(copy, own, companion, task)? })
    }

    fn pair_up(&self, copy: CopyRef, own: Asset, companion: Option<CopyRef>, task: &Task) -> Result<Joined> {
        let blame = |error| self.blame(companion.unwrap_or(copy), error);
        let other = companion.map(|companion| self.asset(companion, task)).transpose()?;
        let Pair { mesh, skeleton } = Pair::new(own, other).map_err(blame)?;
        let model = Model::new(mesh, skeleton, task).map_err(|error| self.blame(copy, error))?;
        let companion = companion.map(|companion| self.path_of(companion));
        let dress = Dress::of(&self.textures_near(&self.path_of(copy)));
        Ok(Joined { model, companion, dress, unread: Vec::new() })
    }

    /// The skeletons that list objects of a mesh among their parts, or the meshes whose objects are parts of a
    /// skeleton. Only their names are kept: there may be many.
    ///
    /// # Errors
    /// `Cancelled`.
    pub fn companions(&self, path: &str, own: &Asset, reach: Reach, task: &Task) -> Result<Companions> {
        let ending = match own {
            Asset::Mesh(_) => b".skel",
            Asset::Skeleton(_) => b".mesh",
            _ => return Ok(Companions::default()),
        };
        let near = self.entries_near(path);
        let entries: Vec<EntryId> = match reach {
            Reach::Folder => near.clone().map(EntryId).collect(),
            Reach::Stack => self.index().entries().collect(),
        };
        let wanted: Vec<EntryId> = entries
            .into_par_iter()
            .filter(|entry| has_ending(&self.index().leaf(self.layers(), *entry), ending))
            .collect();
        // In a folder there are few, and whoever asks may count something else.
        let is_counted = reach == Reach::Stack;
        if is_counted {
            task.set_total(wanted.len() as u64);
        }
        let objects = objects(own);
        let look = |entry: &EntryId| {
            let copy = *self.index().copies(*entry).first()?;
            let asset = self.asset(copy, task);
            let stepped = if is_counted { task.step(1) } else { task.check() };
            Some(match (asset, stepped) {
                (_, Err(error)) => Err(error),
                (Err(error), _) if error.is_cancelled() => Err(error),
                (Err(error), _) => Ok((*entry, copy, Err(error.to_string()))),
                (Ok(asset), _) if asset.kind() == own.kind() => return None,
                (Ok(asset), _) => match self::objects(&asset).intersection(&objects).count() {
                    0 => return None,
                    shared => Ok((*entry, copy, Ok(shared))),
                },
            })
        };
        let looked_at: Vec<_> = wanted.par_iter().filter_map(look).collect::<Result<_>>()?;
        let stem = stem_of(path);
        let (mut found, mut unread) = (Vec::new(), Vec::new());
        for (entry, copy, shared) in looked_at {
            match shared {
                Ok(shared) => {
                    let path = self.path(entry);
                    let has_name = stem_of(&path).eq_ignore_ascii_case(stem);
                    let is_far = (!has_name, !near.contains(&entry.0));
                    found.push((is_far, Companion { path, copy, shared }));
                }
                Err(error) => unread.push(error),
            }
        }
        found.sort_by(|(far, a), (farther, b)| {
            b.shared.cmp(&a.shared).then(far.cmp(farther)).then_with(|| a.path.cmp(&b.path))
        });
        Ok(Companions { found: found.into_iter().map(|(_, companion)| companion).collect(), unread })
    }

    /// A file as what may belong to another one, whether it does or not.
    ///
    /// # Errors
    /// When it cannot be read, or is too large; `Cancelled`.
    pub fn asset(&self, copy: CopyRef, task: &Task) -> Result<Asset> {
        let content = self.content(copy)?;
        if content.len() > LARGEST {
            let text = format!("{} bytes, at most {LARGEST} are read beside another file", content.len());
            return Err(self.blame(copy, Error::limit(text)));
        }
        let read = content.read(0..content.len(), task);
        let asset = read.and_then(|bytes| load(&bytes, &self.path_of(copy), task));
        asset.map_err(|error| self.blame(copy, error))
    }

    /// The paths in the folder of a path.
    pub(super) fn entries_near(&self, path: &str) -> std::ops::Range<u32> {
        let path = canonical(path.as_bytes()).into_owned();
        let folder = self.index().find_folder(split(&path).0);
        folder.map_or(0..0, |folder| self.index().entries_in(folder))
    }
}

/// The numbers of a mesh's objects, or the hashes of the names of a skeleton's parts.
fn objects(asset: &Asset) -> HashSet<u32> {
    match asset {
        Asset::Mesh(mesh) => mesh.objects.iter().copied().collect(),
        Asset::Skeleton(skeleton) => {
            skeleton.parts.iter().map(|part| string_hash(part.name.as_bytes())).collect()
        }
        _ => HashSet::new(),
    }
}

/// A path without its ending.
pub(super) fn stem_of(path: &str) -> &str {
    path.rsplit_once('.').map_or(path, |(stem, _)| stem)
}
