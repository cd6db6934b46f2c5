//! The textures of a mesh.
//!
//! They are named after what they are drawn on, with an ending that says what they are: `_d` for colours, `_n` for
//! normals and `_s` for the surface.

use super::TierName;
use super::mesh::stem_of;
use crate::mount::{CopyRef, EntryId, Stack};
use crate::path::{canonical, split};

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

impl Stack {
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
