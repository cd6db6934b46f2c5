//! What is mounted and open. Changed only by the app; panels read it.

mod compared;
mod model;
mod picture;
mod strings;
mod trail;

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use palimpsest_core::asset::{Asset, StringTable};
use palimpsest_core::codec::chunks::MAX_CHUNK;
use palimpsest_core::codec::oodle::Oodle;
use palimpsest_core::error::{Error, Result};
use palimpsest_core::hash::NameBook;
use palimpsest_core::mount::{
    Answer, BundleAnswer, CopyDigest, CopyRef, EntryId, Index, IndexReport, Mounts, Stack,
};
use tempfile::TempDir;

pub use self::compared::{ComparedCopy, OpenComparison};
pub use self::model::{ModelState, Offers, Wanted};
pub use self::picture::{Drawing, Picture, PictureChoice, TextureDrawing, Tier};
pub use self::strings::{Found, Guessing, StringsState, Target, TextSearch};
pub use self::trail::{Step, Trail};
use crate::app::{Indexed, Lost};
use crate::command::{PathFor, Selection};
use crate::difference::Difference;
use crate::document::Document;
use crate::gpu::Caps;
use crate::grid::GridTab;
use crate::jobs::{Job, Load};
use crate::names::Names;
use crate::oodle::OodleChoice;
use crate::pictures::Pictures;
use crate::scenario::Scenario;
use crate::shadow::MapTab;

/// A mounted stack, and the demo install behind it where it is one.
#[derive(Debug)]
pub struct Mounted {
    /// What was asked for.
    pub mounts: Mounts,
    /// What people call it.
    pub title: String,
    /// The stack. Stands before the folder, which can be removed on every system only when nothing
    /// maps its files any more.
    pub stack: Stack,
    /// The demo install.
    pub demo: Option<Arc<TempDir>>,
    /// Who decodes Oodle's chunks beside the built-in decoder, or why the library does not.
    pub oodle: Result<Option<Arc<Oodle>>, Arc<Error>>,
}

impl Mounted {
    /// The same mount with another stack of it.
    #[must_use]
    pub fn with(&self, stack: Stack) -> Self {
        let Self { mounts, title, stack: _, demo, oodle } = self;
        Self { mounts: mounts.clone(), title: title.clone(), stack, demo: demo.clone(), oodle: oodle.clone() }
    }
}

/// Everything that is mounted and open.
#[derive(Debug, Default)]
pub struct Session {
    /// The stack that is shown.
    pub mounted: Option<Arc<Mounted>>,
    /// The stack that will be shown next.
    pub mounting: Option<(String, Load<Mounted>)>,
    /// Why the last mount failed.
    pub mount_error: Option<(String, Error)>,
    /// The stack with the members of its bundles, while those are read.
    pub bundles: Option<Load<Indexed>>,
    /// Another order of the layers, while one is tried.
    pub what_if: Option<WhatIf>,
    /// The trees of single layers.
    pub layer_trees: BTreeMap<usize, Load<Arc<Index>>>,
    /// Names for hashes.
    pub names: Option<Load<Names>>,
    /// The search through all texts.
    pub texts: TextSearch,
    /// Those that were known before, until others are.
    pub known: Arc<NameBook>,
    /// The tab with the shadow map.
    pub map: Option<MapTab>,
    /// The tab with a grid of textures.
    pub grid: Option<GridTab>,
    /// Small pictures of the stack's textures.
    pub pictures: Pictures,
    /// The tab that has the keys which belong to a tab.
    pub front: Front,
    /// The open tabs.
    pub open: Vec<OpenDocument>,
    /// The open comparisons, each a tab as well.
    pub comparisons: Vec<OpenComparison>,
    /// The active tab.
    pub active: Option<DocumentId>,
    /// The search.
    pub search: Search,
    /// What the palette finds.
    pub palette: Palette,
    /// What a path of the system is being asked for.
    pub path_for: PathFor,
    /// Where files were written last.
    pub written_to: Option<PathBuf>,
    /// The way back and forward.
    pub trail: Trail,
    /// What was said without a place of its own, newest last.
    pub notices: Vec<Notice>,
    /// What the graphics card can do; `None` without one.
    pub caps: Option<Caps>,
    /// What was mounted before, newest first.
    pub recent: Vec<Mounts>,
    /// Who is to decode Oodle's chunks.
    pub oodle: OodleChoice,
}

impl Session {
    /// An open tab.
    pub fn document(&self, id: DocumentId) -> Option<&OpenDocument> {
        self.open.iter().find(|open| open.id == id)
    }

    /// An open tab, to be changed.
    pub fn document_mut(&mut self, id: DocumentId) -> Option<&mut OpenDocument> {
        self.open.iter_mut().find(|open| open.id == id)
    }

    /// A comparison.
    pub fn comparison(&self, id: DocumentId) -> Option<&OpenComparison> {
        self.comparisons.iter().find(|open| open.id == id)
    }

    /// A comparison, to be changed.
    pub fn comparison_mut(&mut self, id: DocumentId) -> Option<&mut OpenComparison> {
        self.comparisons.iter_mut().find(|open| open.id == id)
    }

    /// The comparison in the active tab.
    pub fn active_comparison(&self) -> Option<&OpenComparison> {
        self.comparison(self.active?)
    }

    /// All tabs, those with comparisons last.
    pub fn tabs(&self) -> impl Iterator<Item = DocumentId> + '_ {
        self.open.iter().map(|open| open.id).chain(self.comparisons.iter().map(|open| open.id))
    }

    /// Whether a tab is open.
    pub fn is_open(&self, id: DocumentId) -> bool {
        self.tabs().any(|open| open == id)
    }

    /// The document in the active tab.
    pub fn active(&self) -> Option<&OpenDocument> {
        self.document(self.active?)
    }

    /// What is in front: a tab about the stack that is there, or else a path.
    pub fn front(&self) -> Front {
        match self.front {
            Front::Map if self.map.is_some() => Front::Map,
            Front::Grid if self.grid.is_some() => Front::Grid,
            _ => Front::Path,
        }
    }

    /// What is shown, as a step of the way back and forward.
    pub fn step(&self) -> Option<Step> {
        match self.front() {
            Front::Map => return Some(Step::Map),
            Front::Grid => return Some(Step::Grid),
            Front::Path => {}
        }
        if let Some(open) = self.active() {
            return Some(Step::Copy(open.entry, open.copy));
        }
        let open = self.active_comparison()?;
        Some(Step::Compared(open.entry, open.sides.each_ref().map(|side| side.copy)))
    }

    /// The stack that is shown.
    pub fn stack(&self) -> Option<&Stack> {
        self.mounted.as_ref().map(|mounted| &mounted.stack)
    }

    /// The names that are known so far.
    pub fn book(&self) -> Arc<NameBook> {
        Arc::clone(&self.known)
    }

    /// The names of a hash, where the book is ready.
    pub fn names_of(&self, hash: u32) -> Vec<&str> {
        self.known.names(hash).collect()
    }
}

/// The tab that has the keys which belong to a tab.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Front {
    /// The active one of those that show a path.
    #[default]
    Path,
    /// The shadow map.
    Map,
    /// The grid of textures.
    Grid,
}

/// A stack that is tried in another order.
#[derive(Debug)]
pub struct WhatIf {
    /// The stack as it is.
    pub real: Arc<Mounted>,
    /// The same with what was put on top of it.
    pub base: Arc<Mounted>,
    /// How many layers were put on top.
    pub added: usize,
    /// The order of the base's layers that is wanted.
    pub scenario: Scenario,
    /// The order that is shown and what it changes, once there is one.
    pub shown: Option<Arc<Difference>>,
    /// The order that is being resolved.
    pub job: Option<Job<Arc<Difference>>>,
    /// What is being put on top.
    pub on_top: Option<Load<Arc<Mounted>>>,
    /// What the order has no copies of; it comes back with the real one.
    pub lost: Lost,
}

impl WhatIf {
    /// Nothing is changed yet.
    pub fn of(real: Arc<Mounted>) -> Self {
        Self {
            scenario: Scenario::of(real.stack.layers().len()),
            base: Arc::clone(&real),
            real,
            added: 0,
            shown: None,
            job: None,
            on_top: None,
            lost: Lost::default(),
        }
    }
}

/// The number of a tab; never given twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DocumentId(pub u64);

/// A tab: a path and the copy of it that is shown.
#[derive(Debug)]
pub struct OpenDocument {
    /// The tab's number.
    pub id: DocumentId,
    /// The stack that the path belongs to, which stays alive with the tab.
    pub mounted: Arc<Mounted>,
    /// The path.
    pub entry: EntryId,
    /// The whole answer about the path.
    pub answer: Answer,
    /// The position of the copy that is shown.
    pub copy: usize,
    /// Whether the bytes are shown as the layer stores them.
    pub is_stored: bool,
    /// Whether the tab stays when another path is looked at.
    pub stays: bool,
    /// The copy, read and parsed.
    pub load: Load<Arc<Document>>,
    /// How the copies differ, once somebody asked.
    pub digests: Option<Load<Vec<CopyDigest>>>,
    /// What the bundle is made of that the path belongs to, where it is one.
    pub bundle: Option<Load<BundleAnswer>>,
    /// A path index against its archive, where the copy that is shown is one.
    pub index_report: Option<Load<IndexReport>>,
    /// What of a texture is shown.
    pub picture: Picture,
    /// What of a mesh or a skeleton is shown.
    pub model: ModelState,
    /// What of a table of texts is shown.
    pub strings: StringsState,
    /// Selected bytes.
    pub selection: Option<Selection>,
    /// Parts of a file that is too large to be read at once.
    pub pages: Pages,
}

impl OpenDocument {
    /// The last component of the path.
    pub fn leaf(&self) -> &str {
        self.answer.path.rsplit(['\\', '/']).next().unwrap_or_default()
    }

    /// The copy that is shown.
    pub fn copy_ref(&self) -> Option<CopyRef> {
        self.answer.copies.get(self.copy).map(|copy| copy.copy)
    }

    /// The link to the copy that is shown.
    pub fn link(&self) -> Option<String> {
        Some(self.mounted.stack.link(self.entry, self.copy_ref()?))
    }

    /// The texts that the tab's own file holds.
    pub fn own_strings(&self) -> Option<&StringTable> {
        match self.document()?.inspection.asset.as_ref().ok()?.as_ref()? {
            Asset::Strings(table) if !self.is_stored => Some(table),
            _ => None,
        }
    }

    /// The document, where it is read.
    pub fn document(&self) -> Option<&Arc<Document>> {
        self.load.ready()
    }
}

/// Parts of a large file, as many as fit a limit.
#[derive(Debug, Default)]
pub struct Pages {
    pages: BTreeMap<u64, Load<Bytes>>,
}

impl Pages {
    /// Bytes of a page: those of a chunk, so that a bad chunk is a gap of its own.
    pub const SIZE: u64 = MAX_CHUNK as u64;
    /// How many pages are kept.
    const MOST: usize = 256;

    /// The pages that hold a range.
    pub fn numbers(range: &Range<u64>) -> Range<u64> {
        range.start / Self::SIZE..range.end.div_ceil(Self::SIZE)
    }

    /// A page by its number.
    pub fn get(&self, number: u64) -> Option<&Load<Bytes>> {
        self.pages.get(&number)
    }

    /// Adds a page that is on its way; the pages farthest from it make room.
    pub fn insert(&mut self, number: u64, job: Job<Bytes>) {
        self.pages.insert(number, Load::Pending(job));
        while self.pages.len() > Self::MOST {
            let farthest = self.pages.keys().copied().max_by_key(|other| other.abs_diff(number));
            farthest.and_then(|farthest| self.pages.remove(&farthest));
        }
    }

    /// Takes finished pages; whether anything changed.
    pub fn poll(&mut self) -> bool {
        self.pages.values_mut().fold(false, |changed, page| page.poll() | changed)
    }
}

/// A search as it is typed.
#[derive(Debug, Default)]
pub struct Search {
    /// The query.
    pub text: String,
    /// What is wrong with it; the last results stay.
    pub error: Option<String>,
    /// The search that is under way.
    pub job: Option<Job<Vec<EntryId>>>,
    /// What the last query found; `None` while nothing is searched for.
    pub results: Option<Arc<Vec<EntryId>>>,
}

/// The paths that the palette lists.
#[derive(Debug, Default)]
pub struct Palette {
    /// The words.
    pub text: String,
    /// The search that is under way.
    pub job: Option<Job<Nearest>>,
    /// What the last words found.
    pub nearest: Nearest,
}

/// The paths that fit words best, and how many fit at all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Nearest {
    /// The best ones, best first, each with the position of the copy that is meant.
    pub entries: Vec<(EntryId, usize)>,
    /// How many fit.
    pub count: usize,
}

/// Something that was said without a place of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// How grave it is.
    pub is_error: bool,
    /// What.
    pub text: String,
    /// When.
    pub at: Instant,
    /// Whether it is of no interest any more once it was read.
    pub is_passing: bool,
}

impl Notice {
    /// How much longer the status bar shows it.
    pub fn left(&self) -> Option<Duration> {
        let all = Duration::from_secs(if self.is_error { 30 } else { 10 });
        all.checked_sub(self.at.elapsed())
    }
}
