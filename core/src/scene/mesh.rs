//! What a mesh goes with: the skeleton that lists its objects among its parts, and textures of its name.
//!
//! The names of a skeleton's parts hash to the numbers of its mesh's objects, by measurement on the shipped
//! armour, all four of whose objects are parts. Textures are named after what they are drawn on, with an ending
//! that says what they are: `_d` for colours, `_n` for normals and `_s` for the surface.

use std::collections::HashSet;
use std::sync::Arc;

use rayon::prelude::*;

use super::TierName;
use crate::asset::{Asset, Mesh, Skeleton};
use crate::error::{Error, Result};
use crate::format::load;
use crate::hash::string_hash;
use crate::model::Model;
use crate::mount::{CopyRef, EntryId, Stack};
use crate::path::{canonical, split, to_text};
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

/// A file that belongs to another one.
#[derive(Clone, Debug)]
pub struct Offered<T> {
    /// The path.
    pub path: String,
    /// The path's number.
    pub entry: EntryId,
    /// The copy that wins.
    pub copy: CopyRef,
    /// How many objects of the mesh are parts of the skeleton.
    pub shared: usize,
    /// What it holds.
    pub asset: Arc<T>,
}

/// A skeleton that a mesh may hang on.
pub type SkeletonFile = Offered<Skeleton>;

/// A mesh that may hang on a skeleton.
pub type MeshFile = Offered<Mesh>;

/// What a texture is used for, by the end of its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TextureRole {
    /// Colours, `_d`.
    Diffuse,
    /// Directions, `_n`.
    Normals,
    /// How it shines, `_s`; what its channels stand for is assumed.
    Surface,
}

impl TextureRole {
    /// Every role.
    pub const ALL: [Self; 3] = [Self::Diffuse, Self::Normals, Self::Surface];

    /// The end of the name.
    pub const fn suffix(self) -> &'static str {
        match self {
            Self::Diffuse => "_d",
            Self::Normals => "_n",
            Self::Surface => "_s",
        }
    }

    /// What it is called.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Diffuse => "colours",
            Self::Normals => "normals",
            Self::Surface => "surface",
        }
    }

    /// The stem of a path and its role; `None` for paths whose names say no role.
    pub fn of(path: &str) -> Option<(&str, Self)> {
        let stem = TierName::of(path)?.stem;
        Self::ALL.into_iter().find_map(|role| {
            let (rest, end) = stem.split_at_checked(stem.len().checked_sub(role.suffix().len())?)?;
            end.eq_ignore_ascii_case(role.suffix()).then_some((rest, role))
        })
    }
}

/// A texture that a mesh may have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextureFile {
    /// The path.
    pub path: String,
    /// The copy that wins.
    pub copy: CopyRef,
    /// What its name says it is.
    pub role: Option<TextureRole>,
    /// How well its name fits that of the mesh: the characters that are the same, and more where it is the
    /// very name.
    fits: usize,
}

/// A texture for each role.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dress {
    /// In the order of [`TextureRole::ALL`].
    pub textures: [Option<TextureFile>; 3],
}

impl Dress {
    /// The textures whose names say that they are the mesh's: those of its very name, or else of the longest
    /// start of its name that ends before a `_`.
    pub fn of(offered: &[TextureFile]) -> Self {
        let best = |role: TextureRole| {
            let own = offered.iter().filter(|texture| texture.role == Some(role) && texture.fits > 0);
            own.max_by_key(|texture| texture.fits).cloned()
        };
        Self { textures: TextureRole::ALL.map(best) }
    }

    /// The texture of a role.
    pub fn get(&self, role: TextureRole) -> Option<&TextureFile> {
        self.textures.iter().flatten().find(|texture| texture.role == Some(role))
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
}

impl Stack {
    /// A mesh with the skeleton that fits it best in its folder, or a skeleton alone; or either with the very
    /// copy that is to go with it.
    ///
    /// # Errors
    /// When a copy cannot be read, is too large, or is neither a mesh nor a skeleton; `Cancelled`.
    pub fn joined(&self, copy: CopyRef, companion: Option<CopyRef>, task: &Task) -> Result<Joined> {
        let path = self.path_of(copy);
        let other = companion.map(|companion| self.asset(companion, task)).transpose()?;
        let mut other_path = companion.map(|companion| self.path_of(companion));
        let (mesh, skeleton) = match (self.asset(copy, task)?, other) {
            (Asset::Mesh(mesh), Some(Asset::Skeleton(skeleton)))
            | (Asset::Skeleton(skeleton), Some(Asset::Mesh(mesh))) => {
                (Some(Arc::new(mesh)), Some(Arc::new(skeleton)))
            }
            (Asset::Mesh(mesh), None) => {
                let best = self.skeletons_of(&path, &mesh, Reach::Folder, task)?.into_iter().next();
                other_path = best.as_ref().map(|best| best.path.clone());
                (Some(Arc::new(mesh)), best.map(|best| best.asset))
            }
            (Asset::Skeleton(skeleton), None) => (None, Some(Arc::new(skeleton))),
            (own, other) => {
                let kind = |asset: &Asset| asset.kind().name();
                let other =
                    other.as_ref().map_or_else(String::new, |other| format!(" with a {}", kind(other)));
                let text = format!("a {}{other}: no mesh with a skeleton", kind(&own));
                return Err(self.blame(copy, Error::unsupported(text)));
            }
        };
        let model = Model::new(mesh, skeleton, task).map_err(|error| self.blame(copy, error))?;
        Ok(Joined { model, companion: other_path, dress: Dress::of(&self.textures_near(&path)) })
    }

    /// The skeletons that list objects of a mesh among their parts, those that list most first, of equal ones
    /// those with the name of the mesh, and its folder. Files that cannot be read are passed over.
    ///
    /// # Errors
    /// `Cancelled`.
    pub fn skeletons_of(
        &self,
        path: &str,
        mesh: &Mesh,
        reach: Reach,
        task: &Task,
    ) -> Result<Vec<SkeletonFile>> {
        let objects: HashSet<u32> = mesh.objects.iter().copied().collect();
        self.offered(path, "skel", reach, task, |asset| match asset {
            Asset::Skeleton(skeleton) => Some((parts(&skeleton).intersection(&objects).count(), skeleton)),
            _ => None,
        })
    }

    /// The meshes whose objects are parts of a skeleton, in the order of
    /// [`skeletons_of`](Self::skeletons_of).
    ///
    /// # Errors
    /// `Cancelled`.
    pub fn meshes_of(
        &self,
        path: &str,
        skeleton: &Skeleton,
        reach: Reach,
        task: &Task,
    ) -> Result<Vec<MeshFile>> {
        let parts = parts(skeleton);
        self.offered(path, "mesh", reach, task, |asset| match asset {
            Asset::Mesh(mesh) => {
                let objects: HashSet<u32> = mesh.objects.iter().copied().collect();
                Some((objects.intersection(&parts).count(), mesh))
            }
            _ => None,
        })
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

    fn offered<T: Send + Sync>(
        &self,
        path: &str,
        ending: &str,
        reach: Reach,
        task: &Task,
        belongs: impl Fn(Asset) -> Option<(usize, T)> + Sync,
    ) -> Result<Vec<Offered<T>>> {
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
        let read = |entry: &EntryId| {
            let copy = *self.index().copies(*entry).first()?;
            let found = match self.asset(copy, task) {
                Ok(asset) => belongs(asset).filter(|(shared, _)| *shared > 0),
                Err(error) if error.is_cancelled() => return Some(Err(error)),
                // A file that cannot be read belongs to nothing; it tells why where it is opened.
                Err(_) => None,
            };
            let stepped = if is_counted { task.step(1) } else { task.check() };
            if let Err(error) = stepped {
                return Some(Err(error));
            }
            let (shared, asset) = found?;
            let path = self.path(*entry);
            Some(Ok(Offered { path, entry: *entry, copy, shared, asset: Arc::new(asset) }))
        };
        let mut found: Vec<_> = wanted.par_iter().filter_map(read).collect::<Result<_>>()?;
        let stem = stem_of(path);
        let is_far = |offered: &Offered<T>| {
            let has_name = stem_of(&offered.path).eq_ignore_ascii_case(stem);
            (!has_name, !near.contains(&offered.entry.0))
        };
        found.sort_by(|a, b| {
            (b.shared.cmp(&a.shared)).then(is_far(a).cmp(&is_far(b))).then(a.path.cmp(&b.path))
        });
        Ok(found)
    }

    /// The textures in the folder of a mesh and in its folder `textures`, those that fit its name best first.
    pub fn textures_near(&self, path: &str) -> Vec<TextureFile> {
        let stem = stem_of(path);
        let near = self.entries_near(path);
        let folder = canonical(path.as_bytes()).into_owned();
        let below = crate::path::join(split(&folder).0, b"textures");
        let below = self.index().find_folder(&below).map_or(0..0, |folder| self.index().entries_in(folder));
        let texture = |entry: EntryId| {
            let path = self.path(entry);
            // The first tier stands for all.
            let tier = TierName::of(&path).filter(|tier| tier.tier == 0)?;
            let copy = *self.index().copies(entry).first()?;
            let (own, role) = match TextureRole::of(&path) {
                Some((own, role)) => (own, Some(role)),
                None => (tier.stem, None),
            };
            let fits = fit(leaf_of(own), leaf_of(stem));
            Some(TextureFile { path, copy, role, fits })
        };
        let mut found: Vec<_> = near.chain(below).map(EntryId).filter_map(texture).collect();
        found.sort_by(|a, b| b.fits.cmp(&a.fits).then(a.path.cmp(&b.path)));
        found
    }

    /// The paths in the folder of a path.
    fn entries_near(&self, path: &str) -> std::ops::Range<u32> {
        let path = canonical(path.as_bytes()).into_owned();
        let folder = self.index().find_folder(split(&path).0);
        folder.map_or(0..0, |folder| self.index().entries_in(folder))
    }
}

/// The hashes of the names of a skeleton's parts.
fn parts(skeleton: &Skeleton) -> HashSet<u32> {
    skeleton.parts.iter().map(|part| string_hash(part.name.as_bytes())).collect()
}

fn has_ending(leaf: &[u8], ending: &str) -> bool {
    to_text(leaf).rsplit_once('.').is_some_and(|(_, own)| own.eq_ignore_ascii_case(ending))
}

/// A path without its ending.
fn stem_of(path: &str) -> &str {
    path.rsplit_once('.').map_or(path, |(stem, _)| stem)
}

fn leaf_of(path: &str) -> &str {
    path.rsplit(['\\', '/']).next().unwrap_or(path)
}

/// How well the name of a texture fits that of a mesh.
fn fit(texture: &str, mesh: &str) -> usize {
    let Some((start, rest)) = mesh.split_at_checked(texture.len()) else { return 0 };
    match (start.eq_ignore_ascii_case(texture), rest) {
        (true, "") => usize::MAX,
        (true, rest) if rest.starts_with('_') => texture.len(),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_name_says_what_a_texture_is() {
        assert_eq!(TextureRole::of("a\\sword_D.tex"), Some(("a\\sword", TextureRole::Diffuse)));
        assert_eq!(TextureRole::of("sword_n.texuhd"), Some(("sword", TextureRole::Normals)));
        assert_eq!(TextureRole::of("sword.tex"), None);
        assert_eq!(TextureRole::of("sword_d.mesh"), None);
        assert_eq!(TextureRole::of("é.tex"), None);
    }

    #[test]
    fn the_very_name_fits_best_and_then_the_longest_start() {
        assert!(fit("drake", "drake") > fit("drake_old", "drake_old_flawed"));
        assert!(fit("drake_old", "drake_old_flawed") > fit("drake", "drake_old_flawed"));
        assert_eq!(fit("dra", "drake"), 0);
        assert_eq!(fit("drake_blade", "drake"), 0);
    }
}
