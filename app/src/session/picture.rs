//! What of a texture a tab shows.

use std::sync::Arc;

use egui::Color32;
use palimpsest_core::asset::{Asset, Texture};
use palimpsest_core::codec::pixels::Histogram;
use palimpsest_core::mount::CopyRef;
use palimpsest_core::scene::Tiers;

use super::OpenDocument;
use crate::gpu::pixels::{Part, Pixels};
use crate::gpu::texture::Shading;
use crate::headless::ModelStill;
use crate::jobs::Load;

/// What of a texture is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PictureChoice {
    /// Which file the levels come from.
    pub tier: Tier,
    /// Which slice, and who decodes it.
    pub part: Part,
}

/// Which file the levels of a texture come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tier {
    /// All files of the stem, joined.
    #[default]
    Joined,
    /// One of them, by its position among the tiers.
    File(usize),
}

/// How what a tab shows is drawn as a picture of its own.
#[derive(Clone, Debug)]
pub enum Drawing {
    /// A texture.
    Texture(TextureDrawing),
    /// A mesh or a skeleton.
    Model(Arc<ModelStill>),
}

/// How a texture is drawn.
#[derive(Clone, Copy, Debug)]
pub struct TextureDrawing {
    /// The level of the shown texture.
    pub level: u32,
    /// Red, green, blue, alpha.
    pub channels: [bool; 4],
    /// How values become colours.
    pub shading: Shading,
    /// The two colours behind alpha.
    pub ground: [Color32; 2],
}

/// The picture of a tab.
#[derive(Debug, Default)]
pub struct Picture {
    /// What is asked for.
    pub choice: PictureChoice,
    /// The files of the stem, once they were asked for; a texture without tiers has an error here.
    pub tiers: Option<Load<Arc<Tiers>>>,
    /// The pixels where they are other ones than the document has.
    pub pixels: Option<Load<Arc<Pixels>>>,
    /// Small pixels of all slices, while those are looked at together.
    pub sheet: Option<Load<Arc<Vec<Arc<Pixels>>>>>,
    /// How often values occur at one level of what is shown, once that was asked for.
    pub histogram: Option<(u32, Load<Arc<Histogram>>)>,
}

impl Picture {
    /// The tiers, where they are known and there is more than one.
    pub fn tiers(&self) -> Option<&Arc<Tiers>> {
        self.tiers.as_ref().and_then(Load::ready).filter(|tiers| tiers.has_several())
    }
}

impl OpenDocument {
    /// The texture that the picture is made of.
    pub fn shown_texture(&self) -> Option<&Texture> {
        let Asset::Texture(own) = self.document()?.inspection.asset.as_ref().ok()?.as_ref()? else {
            return None;
        };
        let Some(tiers) = self.picture.tiers() else { return Some(own) };
        let found = match self.picture.choice.tier {
            Tier::Joined => tiers.joined.as_ref(),
            Tier::File(at) => tiers.files.get(at).and_then(|file| file.texture.as_ref()?.as_ref().ok()),
        };
        found.or(Some(own))
    }

    /// The level of the shown texture that this very file carries, as a level of its own.
    pub fn own_level(&self, shown: u32) -> Option<u32> {
        let Some(tiers) = self.picture.tiers() else { return Some(shown) };
        let own = tiers.files.iter().position(|file| file.copy == self.copy_ref())?;
        if self.supplier(shown) != Some(own) {
            return None;
        }
        match self.picture.choice.tier {
            Tier::File(_) => Some(shown),
            Tier::Joined => {
                (shown + tiers.joined.as_ref()?.first_level).checked_sub(tiers.files.get(own)?.first_level?)
            }
        }
    }

    /// The file that a level of the shown texture comes from: its ending and its copy.
    pub fn tier_of(&self, shown: u32) -> Option<(String, CopyRef)> {
        let file = self.picture.tiers()?.files.get(self.supplier(shown)?)?;
        Some((file.path.rsplit_once('.')?.1.to_owned(), file.copy?))
    }

    /// The position among the tiers of the file that supplies a level of the shown texture.
    fn supplier(&self, shown: u32) -> Option<usize> {
        let tiers = self.picture.tiers()?;
        match self.picture.choice.tier {
            Tier::File(at) => Some(at),
            Tier::Joined => {
                let level = shown + tiers.joined.as_ref()?.first_level;
                tiers.levels.get(level as usize)?.files.first().copied()
            }
        }
    }

    /// The pixels that are shown: those that were asked for, or until they are there those of the file.
    pub fn shown_pixels(&self) -> Option<Result<&Arc<Pixels>, String>> {
        match &self.picture.pixels {
            Some(Load::Ready(pixels)) => return Some(Ok(pixels)),
            Some(Load::Failed(error)) if !error.is_cancelled() => return Some(Err(error.to_string())),
            _ => {}
        }
        self.document()?.picture.as_ref().map(|picture| picture.as_ref().map_err(ToString::to_string))
    }
}
