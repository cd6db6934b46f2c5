//! What of a mesh or a skeleton a tab shows.

use std::collections::BTreeMap;
use std::sync::Arc;

use palimpsest_core::asset::{Asset, Mesh};
use palimpsest_core::model::{Hit, Quality};
use palimpsest_core::mount::CopyRef;
use palimpsest_core::scene::{Companions, Dress, Reach, TextureFile, TextureRole};

use super::OpenDocument;
use crate::gpu::mesh::Drawable;
use crate::gpu::pixels::Pixels;
use crate::jobs::{Job, Load};

/// The mesh or the skeleton of a tab, and what goes with it.
#[derive(Debug, Default)]
pub struct ModelState {
    /// What is drawn.
    pub drawable: Option<Load<Arc<Drawable>>>,
    /// The same with something else that goes with it, while that is made ready.
    pub joining: Option<Job<Arc<Drawable>>>,
    /// What is asked for to go with it: a skeleton for a mesh, a mesh for a skeleton.
    pub wanted: Wanted,
    /// What may go with it.
    pub offers: Option<Load<Arc<Offers>>>,
    /// Which textures are asked for, by the slot of the material; those that the names say where none is.
    pub worn: BTreeMap<(i32, TextureRole), Option<CopyRef>>,
    /// What is abnormal about the mesh that is drawn, by the number of what is drawn.
    pub quality: Option<(u64, Load<Arc<Quality>>)>,
    /// The vertex that is looked for under the pointer.
    pub picking: Option<Job<Option<Hit>>>,
    /// The vertex that was clicked: its group, and its number there.
    pub picked: Option<(usize, u32)>,
    /// The pixels of textures.
    pub pixels: BTreeMap<CopyRef, Load<Arc<Pixels>>>,
}

/// What is asked for to go with a mesh or a skeleton.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Wanted {
    /// What fits best in the same folder.
    #[default]
    Best,
    /// Nothing.
    Nothing,
    /// This very copy.
    Copy(CopyRef),
}

/// What may go with a mesh or a skeleton.
#[derive(Debug)]
pub struct Offers {
    /// Skeletons or meshes.
    pub companions: Companions,
    /// Textures in the folder.
    pub textures: Vec<TextureFile>,
    /// Those of them that the names say.
    pub dress: Dress,
    /// How far companions were looked for.
    pub reach: Reach,
}

impl ModelState {
    /// What is drawn, where it is ready.
    pub fn drawable(&self) -> Option<&Arc<Drawable>> {
        self.drawable.as_ref().and_then(Load::ready)
    }

    /// What may go with it, where that is known.
    pub fn offers(&self) -> Option<&Arc<Offers>> {
        self.offers.as_ref().and_then(Load::ready)
    }

    /// What is abnormal about the mesh that is drawn, as far as that is known.
    pub fn quality(&self) -> Option<&Load<Arc<Quality>>> {
        self.quality.as_ref().map(|(_, quality)| quality)
    }

    /// The copy that goes with it; `None` where nothing does.
    pub fn companion(&self) -> Option<CopyRef> {
        match self.wanted {
            Wanted::Best => self.offers()?.companions.found.first().map(|companion| companion.copy),
            Wanted::Nothing => None,
            Wanted::Copy(copy) => Some(copy),
        }
    }

    /// The texture of a role on a slot of the material.
    pub fn texture(&self, slot: i32, role: TextureRole) -> Option<CopyRef> {
        match self.worn.get(&(slot, role)) {
            Some(worn) => *worn,
            None => self.offers()?.dress.get(role).map(|texture| texture.copy),
        }
    }

    /// The pixels of what a slot of the material wears, where they are ready.
    pub fn pixels(&self, slot: i32) -> [Option<Arc<Pixels>>; 3] {
        TextureRole::ALL.map(|role| {
            let copy = self.texture(slot, role)?;
            self.pixels.get(&copy)?.ready().cloned()
        })
    }
}

impl OpenDocument {
    /// Whether the tab shows a mesh or a skeleton that can be drawn.
    pub fn is_model(&self) -> bool {
        let asset = self.document().map(|document| &document.inspection.asset);
        !self.is_stored && matches!(asset, Some(Ok(Some(Asset::Mesh(_) | Asset::Skeleton(_)))))
    }

    /// The mesh that the tab's own file holds.
    pub fn own_mesh(&self) -> Option<&Mesh> {
        match self.document()?.inspection.asset.as_ref().ok()?.as_ref()? {
            Asset::Mesh(mesh) => Some(mesh),
            _ => None,
        }
    }
}
