//! The tab with the textures of a folder, or of what a search found, as a grid of small pictures.

use std::sync::Arc;

use palimpsest_core::error::Result;
use palimpsest_core::mount::{EntryId, FolderId, Stack};
use palimpsest_core::path::{split, to_text};
use palimpsest_core::scene::TierName;
use palimpsest_core::task::Task;

use crate::jobs::Load;
use crate::session::Mounted;
use crate::thumbnail::is_texture;

/// The tab; there is one at most.
#[derive(Debug, Default)]
pub struct GridTab {
    /// The folder that is shown while nothing is searched for: its path, empty for all.
    pub folder: Vec<u8>,
    /// The list that was last asked for.
    pub asked: Option<(Arc<Mounted>, GridOf)>,
    /// The list, until it is shown.
    pub load: Option<Load<Vec<Tile>>>,
    /// What is shown, which stays while another list is on its way.
    pub shown: Option<Grid>,
}

/// What a grid shows the textures of.
#[derive(Clone, Debug)]
pub enum GridOf {
    /// A folder and all below it, by its path.
    Folder(Vec<u8>),
    /// What a search found.
    Found(Arc<Vec<EntryId>>),
}

/// A list of textures, and its stack.
#[derive(Clone, Debug)]
pub struct Grid {
    /// The stack.
    pub mounted: Arc<Mounted>,
    /// What they are the textures of.
    pub of: GridOf,
    /// The textures, by their paths.
    pub tiles: Arc<Vec<Tile>>,
}

/// A texture in the grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tile {
    /// The path, of several tiers the one with the smallest levels.
    pub entry: EntryId,
    /// How many tiers of the stem are in the list.
    pub tiers: u8,
}

/// What can be done with the tab.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GridCommand {
    /// Open it, or bring it to the front.
    Show,
    /// Show a folder in it, by its path, as soon as nothing is searched for.
    Follow(Vec<u8>),
    /// End the search, open it and show a folder in it, by its path.
    ShowFolder(Vec<u8>),
    /// Close it.
    Close,
    /// List it again.
    Retry,
}

impl GridOf {
    /// Whether it is the same list of a stack.
    pub fn is(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Folder(own), Self::Folder(other)) => own == other,
            (Self::Found(own), Self::Found(other)) => Arc::ptr_eq(own, other),
            (Self::Folder(_), Self::Found(_)) | (Self::Found(_), Self::Folder(_)) => false,
        }
    }

    /// The textures, in the order of their paths. The tiers of a texture make one tile.
    ///
    /// # Errors
    /// `Cancelled`.
    pub fn tiles(&self, stack: &Stack, task: &Task) -> Result<Vec<Tile>> {
        let mut listing = Listing { stack, tiles: Vec::new(), last: None };
        match self {
            Self::Folder(path) => {
                let Some(folder) = stack.index().find_folder(path) else { return Ok(Vec::new()) };
                let entries = stack.index().entries_below(folder);
                task.set_total((entries.end - entries.start).into());
                entries.map(EntryId).try_for_each(|entry| listing.add(entry, task))?;
            }
            Self::Found(found) => {
                task.set_total(found.len() as u64);
                found.iter().try_for_each(|entry| listing.add(*entry, task))?;
            }
        }
        Ok(listing.tiles)
    }
}

/// A list that grows.
struct Listing<'a> {
    stack: &'a Stack,
    tiles: Vec<Tile>,
    /// The last texture, where it is a tier.
    last: Option<LastTier>,
}

struct LastTier {
    folder: FolderId,
    stem: String,
    family: &'static str,
    tier: usize,
}

impl Listing<'_> {
    fn add(&mut self, entry: EntryId, task: &Task) -> Result<()> {
        task.step(1)?;
        let (stack, index) = (self.stack, self.stack.index());
        let leaf = stack.leaf(entry);
        if !is_texture(&leaf) {
            return Ok(());
        }
        let own = TierName::of(&leaf).map(|TierName { stem, family, tier }| LastTier {
            folder: index.folder_of(entry),
            stem: stem.to_ascii_lowercase(),
            family,
            tier,
        });
        let goes_on = self.last.as_ref().zip(own.as_ref()).is_some_and(|(last, own)| {
            (last.folder, &last.stem, last.family) == (own.folder, &own.stem, own.family)
                && last.tier < own.tier
        });
        match self.tiles.last_mut().filter(|_| goes_on) {
            Some(tile) => tile.tiers = tile.tiers.saturating_add(1),
            None => self.tiles.push(Tile { entry, tiers: 1 }),
        }
        self.last = own;
        Ok(())
    }
}

impl Grid {
    /// What the textures are those of, for people.
    pub fn title(&self) -> String {
        match &self.of {
            GridOf::Folder(path) if path.is_empty() => "the whole stack".to_owned(),
            GridOf::Folder(path) => to_text(split(path).1).into_owned(),
            GridOf::Found(_) => "what the search found".to_owned(),
        }
    }

    /// The paths of the tiles, one of each texture.
    pub fn entries(&self) -> Vec<EntryId> {
        self.tiles.iter().map(|tile| tile.entry).collect()
    }
}
