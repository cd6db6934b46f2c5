//! The stack: layers in the engine's search order, merged into one index.
//!
//! [`Stack`] is built once and then shared as it is. Everything that the window and
//! the command line say about a path comes from here.

mod archive;
mod bundles;
mod config;
mod content;
mod disk;
mod folder;
mod index;
mod indexed;
mod install;
mod layer;
mod link;
mod map;
mod member;
mod members;
mod names;
mod path_set;
mod resolve;
mod search;
mod shadow;
mod stamp;
mod what_if;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;

pub use bundles::{BundleCache, Bundles, Listed, Section};
pub use config::Line;
pub use content::Content;
pub use index::{CopyRef, EntryId, FolderId, Index};
pub use indexed::{IndexReport, IndexedPath, UnlistedFile};
pub use install::{Mounts, Plan, SkippedLine, Source, SourceKind};
pub use layer::{EngineLookup, Layer, LayerKind, Stat};
pub use members::Declared;
pub use resolve::{
    Answer, BundleAnswer, Class, CopyAnswer, CopyDigest, CopyKind, MemberAnswer, MemberSource,
};
pub use search::{Query, Scope};
pub use shadow::{Part, ShadowMap, Tally, Twins};
pub use what_if::{Change, ChangeKind, Changes, GoneFolder};

use crate::codec::oodle::Oodle;
use crate::error::{Error, Result};
use crate::path;
use crate::task::Task;
use folder::LooseListing;
use layer::{Listing, Nothing};
use members::Mentions;
use stamp::Stamp;

/// The most layers a stack may have.
const MAX_LAYERS: usize = u16::MAX as usize;

/// A mounted stack. Layers are shared by those who copy it.
#[derive(Clone, Debug)]
pub struct Stack {
    layers: Vec<Layer>,
    index: Arc<Index>,
    origins: Vec<PathBuf>,
    skipped: Vec<SkippedLine>,
    warnings: Vec<String>,
    oodle: Option<Arc<Oodle>>,
    /// Whether the index has the members of bundles.
    has_members: bool,
    mentions: Arc<Mentions>,
}

impl Stack {
    /// Mounts what is asked for. An archive that cannot be read becomes a broken layer with its
    /// reason; the rest mounts.
    ///
    /// # Errors
    /// When a path that a person gave names nothing; `Limit` for more than 65,535 layers or a list
    /// that is too large; `Cancelled`.
    pub fn mount(mounts: &Mounts, task: &Task) -> Result<Self> {
        let plan = Plan::new(mounts, task)?;
        if plan.sources.len() > MAX_LAYERS {
            return Err(Error::limit(format!("{} layers, at most {MAX_LAYERS}", plan.sources.len())));
        }
        task.set_total(plan.sources.len() as u64);
        let layers = plan
            .sources
            .par_iter()
            .map(|source| {
                let layer = open_layer(source, task)?;
                task.step(1).map(|()| layer)
            })
            .collect::<Result<Vec<_>>>()?;
        let index = Index::build(&layers, 0..layers.len(), task)?;
        let Plan { origins, skipped, warnings, .. } = plan;
        Ok(Self {
            layers,
            index: Arc::new(index),
            origins,
            skipped,
            warnings,
            oodle: None,
            has_members: false,
            mentions: Arc::default(),
        })
    }

    /// The layers, searched first first.
    pub fn layers(&self) -> &[Layer] {
        &self.layers
    }

    /// Every file and folder that the stack was made of: layers, lists and the folders of installs.
    pub fn origins(&self) -> impl Iterator<Item = &Path> {
        let layers = self.layers.iter().map(|layer| layer.path.as_path());
        layers.chain(self.origins.iter().map(PathBuf::as_path))
    }

    /// The merged listing of all layers.
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// The listing of one layer alone.
    ///
    /// # Errors
    /// `Cancelled`.
    pub fn index_of_layer(&self, layer: usize, task: &Task) -> Result<Index> {
        Index::build(&self.layers, layer..layer + 1, task)
    }

    /// The lines of lists that mounted nothing.
    pub fn skipped(&self) -> &[SkippedLine] {
        &self.skipped
    }

    /// What a person should know about the mount as a whole.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// The layers that are broken, with their reasons.
    pub fn broken(&self) -> impl Iterator<Item = (&Layer, &Error)> {
        self.layers.iter().filter_map(|layer| layer.broken.as_deref().map(|error| (layer, error)))
    }

    /// Finds a path as a person writes it: letter case ignored, `/` taken for `\`.
    pub fn find(&self, path: &str) -> Option<EntryId> {
        self.index.find(&self.layers, path)
    }

    /// Finds a layer by its name, letter case ignored, or by its number.
    pub fn find_layer(&self, layer: &str) -> Option<usize> {
        let named = |known: &Layer| known.name.eq_ignore_ascii_case(layer);
        let number = || layer.parse().ok().filter(|number| *number < self.layers.len());
        // Without its ending, where that is no other layer's name as well.
        let stem = |known: &Layer| {
            known.name.rsplit_once('.').is_some_and(|(stem, _)| stem.eq_ignore_ascii_case(layer))
        };
        let by_stem = || {
            let mut found = (0..).zip(&self.layers).filter(|(_, known)| stem(known)).map(|(at, _)| at);
            found.next().filter(|_| found.next().is_none())
        };
        self.layers.iter().position(named).or_else(number).or_else(by_stem)
    }

    /// The layer of a copy.
    pub fn layer(&self, copy: CopyRef) -> Option<&Layer> {
        self.layers.get(usize::from(copy.layer))
    }

    /// The name of the layer of a copy.
    pub fn layer_name(&self, copy: CopyRef) -> &str {
        self.layer(copy).map_or("", |layer| &layer.name)
    }

    /// The path of an entry as text, as its winning copy spells it.
    pub fn path(&self, entry: EntryId) -> String {
        path::to_text(&self.index.path(&self.layers, entry)).into_owned()
    }

    /// The path of a copy as text, as its own layer spells it.
    pub fn path_of(&self, copy: CopyRef) -> String {
        self.layer(copy)
            .map(|layer| path::to_text(&layer.path_of(copy.file)).into_owned())
            .unwrap_or_default()
    }

    /// The leaf name of an entry as text.
    pub fn leaf(&self, entry: EntryId) -> String {
        path::to_text(&self.index.leaf(&self.layers, entry)).into_owned()
    }

    /// The decoded bytes of a copy.
    ///
    /// # Errors
    /// When the data is outside its archive or the loose file is gone; the error names layer and
    /// path.
    pub fn content(&self, copy: CopyRef) -> Result<Content> {
        Ok(match self.known_layer(copy)?.content(copy.file)? {
            Content::Chunks(chain) => Content::Chunks(chain.decoded_by(self.oodle.clone())),
            plain @ Content::Plain(_) => plain,
        })
    }

    /// Has chunks of Oodle decoded by somebody else than the decoder here, from now on.
    pub fn set_oodle(&mut self, oodle: Option<Arc<Oodle>>) {
        self.oodle = oodle;
    }

    /// The bytes of a copy as its layer stores them.
    ///
    /// # Errors
    /// See [`content`](Self::content).
    pub fn stored(&self, copy: CopyRef) -> Result<bytes::Bytes> {
        self.known_layer(copy)?.stored(copy.file)
    }

    /// Names the layer and the path of a copy in an error about its content.
    #[must_use]
    pub fn blame(&self, copy: CopyRef, error: Error) -> Error {
        match self.layer(copy) {
            Some(layer) => layer.blame(copy.file, error),
            None => error,
        }
    }

    fn known_layer(&self, copy: CopyRef) -> Result<&Layer> {
        self.layer(copy).ok_or_else(|| Error::not_found("no such layer"))
    }
}

fn open_layer(source: &Source, task: &Task) -> Result<Layer> {
    let line = source.line.clone();
    let path = source.path.clone();
    let name = name_of(&path);
    // Taken before the file is opened: one that changes meanwhile has another stamp later.
    let stamp = Stamp::of(&path);
    let (kind, bytes, warnings, listing): (_, _, _, Result<Box<dyn Listing>>) = match source.kind {
        SourceKind::Archive => {
            let opened = archive::open(&path, task);
            (opened.kind, opened.bytes, opened.warnings, opened.listing)
        }
        SourceKind::Folder => match LooseListing::folder(&path, task) {
            Ok((listing, warnings)) => (LayerKind::Folder, listing.bytes(), warnings, Ok(Box::new(listing))),
            Err(error) => (LayerKind::Folder, 0, Vec::new(), Err(error)),
        },
        SourceKind::File => match LooseListing::file(&path) {
            Ok(listing) => (LayerKind::File, listing.bytes(), Vec::new(), Ok(Box::new(listing))),
            Err(error) => (LayerKind::File, 0, Vec::new(), Err(error)),
        },
    };
    let (listing, broken) = match listing {
        Ok(listing) => (listing, None),
        Err(error) if error.is_cancelled() => return Err(error),
        Err(error) => (Box::new(Nothing) as Box<dyn Listing>, Some(Arc::new(error))),
    };
    let has_odd_leaves = !listing.odd_leaves().is_empty();
    let is_lower_case = listing.is_lower_case();
    Ok(Layer {
        name,
        kind,
        path,
        bytes,
        line,
        warnings,
        broken,
        has_odd_leaves,
        is_lower_case,
        listing: listing.into(),
        stamp,
        bundles: None,
    })
}

/// The name of a file or folder as on disk, also of one that is given as `.` or `..`.
fn name_of(path: &Path) -> String {
    let name = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned());
    name(path)
        .or_else(|| path.canonicalize().ok().and_then(|path| name(&path)))
        .unwrap_or_else(|| path.display().to_string())
}
