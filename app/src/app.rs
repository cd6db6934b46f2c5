//! The program: takes finished jobs, applies commands, draws the panels.

mod apply;
mod bundles;
mod compare;
mod grid;
mod keys;
mod map;
mod model;
mod names;
mod picture;
mod poll;
mod restore;
mod strings;
mod tabs;
mod what_if;
mod work;

pub use bundles::Indexed;
pub use restore::Lost;

use std::path::PathBuf;
use std::sync::Arc;

use egui::{CentralPanel, ColorImage, Context, Frame, Margin, Panel, Popup, Ui};
use egui_wgpu::RenderState;
use palimpsest_core::error::Result;
use palimpsest_core::extract::Report;
use palimpsest_core::mount::{BundleCache, CopyRef, Mounts};

use self::restore::Restore;
use crate::cache::Cache;
use crate::command::{Commands, PathFor};
use crate::document::Document;
use crate::gpu::{self, Caps};
use crate::jobs::{Job, Jobs};
use crate::layout::Layout;
use crate::oodle::OodleChoice;
use crate::panels::{Panels, ViewCtx};
use crate::session::{DocumentId, Session};
use crate::settings::Settings;
use crate::theme::{self, Theme};
use crate::thumbnail::Kept;

/// Bytes of documents that stay in memory while they are not shown.
const DOCUMENTS: u64 = 512 << 20;

/// Which document: the stack it belongs to, its copy, and whether its stored bytes are meant.
type DocumentKey = (u64, CopyRef, bool);

/// The program without its window.
#[derive(Debug)]
pub struct App {
    session: Session,
    panels: Panels,
    layout: Layout,
    commands: Commands,
    jobs: Jobs,
    documents: Cache<DocumentKey, Arc<Document>>,
    /// Dialogs that are open, and what their paths are for.
    dialogs: Vec<(Job<Option<PathBuf>>, PathFor)>,
    /// What is being extracted, each with its folder once it is done.
    extractions: Vec<Job<(Report, PathBuf)>>,
    next_document: u64,
    /// Counts the stacks that were shown, so that documents of different ones are told apart.
    stack_number: u64,
    /// A path to open once the stack is mounted.
    opens_first: Option<String>,
    /// What to show again once the stack is mounted again.
    restores: Option<Restore>,
    /// Lists of names to show beside hashes.
    word_lists: Vec<PathBuf>,
    /// Names that were tried and kept.
    kept_names: Vec<String>,
    cache: Option<BundleCache>,
    /// Texts that are made for the clipboard.
    texts: Vec<Job<String>>,
    /// Files of the program's own that are being written, and what is said then.
    writings: Vec<Job<String>>,
    /// Pictures that are made for the clipboard.
    copies: Vec<Job<ColorImage>>,
    /// Work that nobody waits for.
    chores: Vec<Job<()>>,
    /// What was open and may be there again once the bundles are read.
    lost: Lost,
}

/// What to show at first.
#[derive(Clone, Debug, Default)]
pub struct Start {
    /// What to mount.
    pub mounts: Option<Mounts>,
    /// Whether to mount the demo, below the rest.
    pub has_demo: bool,
    /// The path to open then.
    pub open: Option<String>,
    /// Lists of names to show beside hashes.
    pub names: Vec<PathBuf>,
    /// Who decodes Oodle's chunks, where it is not what was chosen last.
    pub oodle: Option<OodleChoice>,
    /// Where it is kept what bundles hold; `None` to read them each time.
    pub cache: Option<BundleCache>,
    /// Where small pictures are kept; `None` to make them each time.
    pub thumbnails: Option<Kept>,
}

impl App {
    /// The program in a context, with the graphics card where there is one.
    ///
    /// # Errors
    /// When the operating system gives no thread.
    pub fn new(ctx: &Context, gpu: Option<&RenderState>, settings: &Settings, start: Start) -> Result<Self> {
        theme::install(ctx);
        if let Some(state) = gpu {
            gpu::install(state);
        }
        let wake = ctx.clone();
        let session = Session {
            caps: gpu.map(Caps::of),
            recent: settings.recent(),
            oodle: start.oodle.unwrap_or_else(|| settings.oodle.clone()),
            ..Session::default()
        };
        let mut app = Self {
            session,
            panels: Panels::default(),
            layout: settings.layout(),
            commands: Commands::default(),
            jobs: Jobs::new(move || wake.request_repaint())?,
            documents: Cache::new(DOCUMENTS),
            dialogs: Vec::new(),
            extractions: Vec::new(),
            next_document: 0,
            stack_number: 0,
            opens_first: start.open,
            restores: None,
            word_lists: start.names,
            kept_names: Vec::new(),
            cache: start.cache,
            texts: Vec::new(),
            writings: Vec::new(),
            copies: Vec::new(),
            chores: Vec::new(),
            lost: Lost::default(),
        };
        app.keep_pictures(start.thumbnails);
        if start.has_demo || start.mounts.is_some() {
            app.mount(start.mounts.unwrap_or_default(), start.has_demo);
        }
        Ok(app)
    }

    /// Has small pictures kept on disk, and those removed that are too many.
    fn keep_pictures(&mut self, kept: Option<Kept>) {
        if let Some(kept) = kept.clone() {
            let job = self.jobs.spawn("Tidying small pictures", move |task| {
                kept.prune(task);
                Ok(())
            });
            self.chores.push(job);
        }
        self.session.pictures.keep_in(kept);
    }

    /// What is mounted and open.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// The commands that will be applied next; for those who drive the program without a pointer.
    pub fn commands(&self) -> &Commands {
        &self.commands
    }

    /// What to remember.
    pub fn settings(&self) -> Settings {
        Settings::new(&self.session.recent, &self.layout, &self.session.oodle)
    }

    /// Whether nothing is on its way.
    pub fn is_idle(&self) -> bool {
        self.jobs.running().is_empty() && self.commands.is_empty()
    }

    /// Takes finished jobs and applies commands.
    pub fn logic(&mut self, ctx: &Context) {
        // What was asked for means the stack that was shown then.
        self.apply_all(ctx);
        self.poll();
        self.poll_writings(ctx);
        self.poll_copies(ctx);
        self.apply_all(ctx);
    }

    /// Draws everything, then applies what was asked for.
    pub fn ui(&mut self, ui: &mut Ui) {
        let running = self.jobs.running();
        let Self { session, panels, layout, commands, .. } = self;
        let ctx = ViewCtx { session, commands, theme: Theme::of(ui.ctx()), running: &running };
        let had_popup = Popup::is_any_open(ui.ctx());
        draw(ui, panels, layout, &ctx);
        keys::keys(ui, panels, had_popup, &ctx);
        keys::drops(ui, panels, &ctx);
        let context = ui.ctx().clone();
        self.apply_all(&context);
    }

    fn next_id(&mut self) -> DocumentId {
        self.next_document += 1;
        DocumentId(self.next_document)
    }
}

/// Draws all panels of a session.
pub fn draw(ui: &mut Ui, panels: &mut Panels, layout: &mut Layout, ctx: &ViewCtx<'_>) {
    let bar = Frame::new().fill(ctx.theme.panel).inner_margin(Margin::symmetric(12, 0));
    Panel::top("top").exact_size(38.0).frame(bar).show(ui, |ui| Panels::top_ui(ui, ctx));
    Panel::bottom("status").exact_size(26.0).frame(bar).show(ui, |ui| Panels::status_ui(ui, ctx));
    layout.sync(ctx.session);
    let ground = Frame::new().fill(ctx.theme.canvas);
    CentralPanel::default().frame(ground).show(ui, |ui| layout.ui(ui, panels, ctx));
    panels.overlays_ui(ui, ctx);
}

impl eframe::App for App {
    fn logic(&mut self, ctx: &Context, _frame: &mut eframe::Frame) {
        Self::logic(self, ctx);
    }

    fn ui(&mut self, ui: &mut Ui, _frame: &mut eframe::Frame) {
        Self::ui(self, ui);
    }

    fn save(&mut self, storage: &mut dyn eframe::Storage) {
        if let Ok(text) = serde_json::to_string(&self.settings()) {
            storage.set_string(crate::settings::KEY, text);
        }
    }
}
