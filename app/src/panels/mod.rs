//! The panels: each draws a part of the session and sends commands. They keep view state only.

mod actions;
mod browser;
mod bundle;
mod camera;
mod channels;
mod compare;
mod document;
mod facts;
mod grid;
mod hex;
mod layers;
mod listing;
mod map;
mod model;
mod overlays;
mod path_index;
mod start;
mod status;
mod strings;
mod structure;
mod text;
mod texture;
mod top;
mod what_if;

use std::sync::Arc;

pub(crate) use actions::shortcuts;
use egui::Ui;
pub(crate) use model::still_overlay;
pub use model::{ModelPage, Show};
use palimpsest_core::asset::Kind;
use palimpsest_core::format::detect;
use palimpsest_core::mount::{Answer, EntryId, FolderId, Stack};

use crate::command::{Command, Commands, CompareView, Look, Tree};
use crate::jobs::{Load, Running};
use crate::session::{DocumentId, Front, Session};
use crate::theme::{self, Theme};
use crate::widgets::card;

/// What panels may look at.
#[derive(Debug)]
pub struct ViewCtx<'a> {
    /// What is mounted and open.
    pub session: &'a Session,
    /// Where commands go.
    pub commands: &'a Commands,
    /// The colours.
    pub theme: &'a Theme,
    /// The jobs that are under way.
    pub running: &'a [Arc<Running>],
}

impl ViewCtx<'_> {
    /// Sends a command.
    pub fn send(&self, command: Command) {
        self.commands.send(command);
    }
}

/// All panels.
#[derive(Debug, Default)]
pub struct Panels {
    browser: browser::BrowserPanel,
    documents: document::DocumentPanels,
    comparisons: compare::ComparePanels,
    structure: structure::StructurePanel,
    layers: layers::LayersPanel,
    what_if: what_if::WhatIfPanel,
    map: map::MapPanel,
    grid: grid::GridPanel,
    start: start::StartPanel,
    overlays: overlays::Overlays,
}

impl Panels {
    /// The panel that finds and lists paths.
    pub fn browser_ui(&mut self, ui: &mut Ui, ctx: &ViewCtx<'_>) {
        self.browser.ui(ui, ctx);
    }

    /// A tab.
    pub fn document_ui(&mut self, ui: &mut Ui, id: DocumentId, ctx: &ViewCtx<'_>) {
        match ctx.session.comparison(id) {
            Some(open) => self.comparisons.ui(ui, open, ctx),
            None => self.documents.ui(ui, id, ctx),
        }
    }

    /// The structure of the active tab.
    pub fn structure_ui(&mut self, ui: &mut Ui, ctx: &ViewCtx<'_>) {
        self.structure.ui(ui, ctx);
    }

    /// The copies of the active tab's path.
    pub fn layers_ui(&mut self, ui: &mut Ui, ctx: &ViewCtx<'_>) {
        self.layers.ui(ui, ctx);
    }

    /// Other orders of the layers.
    pub fn what_if_ui(&mut self, ui: &mut Ui, ctx: &ViewCtx<'_>) {
        self.what_if.ui(ui, ctx);
    }

    /// Whether what is dropped on the window is put on top of the stack, as a simulation.
    pub fn takes_drops(&self, ctx: &egui::Context) -> bool {
        self.what_if.takes_drops(ctx)
    }

    /// What stands where no tab is open.
    pub fn start_ui(&mut self, ui: &mut Ui, ctx: &ViewCtx<'_>) {
        self.start.ui(ui, ctx);
    }

    /// The tab with the shadow map.
    pub fn map_ui(&mut self, ui: &mut Ui, ctx: &ViewCtx<'_>) {
        self.map.ui(ui, ctx);
    }

    /// The tab with the grid of textures.
    pub fn grid_ui(&mut self, ui: &mut Ui, ctx: &ViewCtx<'_>) {
        self.grid.ui(ui, ctx);
    }

    /// The bar at the top.
    pub fn top_ui(ui: &mut Ui, ctx: &ViewCtx<'_>) {
        top::ui(ui, ctx);
    }

    /// The bar at the bottom.
    pub fn status_ui(ui: &mut Ui, ctx: &ViewCtx<'_>) {
        status::ui(ui, ctx);
    }

    /// The windows over everything.
    pub fn overlays_ui(&mut self, ui: &Ui, ctx: &ViewCtx<'_>) {
        self.overlays.ui(ui, ctx);
    }

    /// Opens or closes a window over everything.
    pub fn show(&mut self, overlay: crate::command::Overlay, is_shown: bool) {
        self.overlays.show(overlay, is_shown);
    }

    /// Gives the keyboard to the field of a window that opens, before it is drawn for the first time, and
    /// types into it what was typed already.
    pub fn type_ahead(&mut self, ctx: &egui::Context, text: &str) {
        self.overlays.type_text(text);
        ctx.memory_mut(|memory| memory.request_focus(overlays::field_id()));
    }

    /// Writes into the field of a window that opens what it begins with.
    pub fn prefill(&mut self, text: &str) {
        self.overlays.prefill(text);
    }

    /// Whether a window over everything is open, which then has the keyboard.
    pub fn has_overlay(&self) -> bool {
        self.overlays.is_open()
    }

    /// Puts the keyboard into the search field.
    pub fn focus_search(ctx: &egui::Context) {
        ctx.memory_mut(|memory| memory.request_focus(browser::search_id()));
    }

    /// Gives the keyboard to the shadow map as soon as that is there.
    pub fn focus_map(&mut self) {
        self.map.take_keyboard();
    }

    /// Gives the keyboard to the grid of textures as soon as that is there, with a texture chosen.
    pub fn focus_grid(&mut self, entry: Option<EntryId>) {
        self.grid.take_keyboard(entry);
    }

    /// The path of the folder of the merged tree that is chosen, or around what is chosen; empty for the root.
    pub fn chosen_folder(&self, session: &Session) -> Vec<u8> {
        self.browser.chosen_folder(session)
    }

    /// Gives the keyboard to what is in front, a comparison among it, or else to the list of paths, where nothing
    /// else has it.
    pub fn keep_keyboard(&self, ctx: &egui::Context, session: &Session) {
        if !self.has_overlay() && ctx.memory(|memory| memory.focused().is_none()) {
            let comparison = session.active_comparison().filter(|open| open.is_compared());
            let wanted = match (session.front(), comparison) {
                (Front::Grid, _) => grid::focus_id(),
                (Front::Map, _) => map::focus_id(),
                (Front::Path, Some(open)) => compare::focus_id(open.id),
                (Front::Path, None) => browser::list_id(),
            };
            ctx.memory_mut(|memory| memory.request_focus(wanted));
        }
    }

    /// Shows the merged tree, or a tree for every layer.
    pub fn show_tree(&mut self, tree: Tree) {
        self.browser.show_tree(tree);
    }

    /// Brings a folder of the merged tree into view.
    pub fn show_folder(&mut self, session: &Session, folder: FolderId) {
        self.browser.show_folder(session, folder);
    }

    /// The paths of the folders that are open in the merged tree, those that are gone among them.
    pub fn open_folders(&self, session: &Session) -> Vec<Vec<u8>> {
        self.browser.open_folders(session)
    }

    /// Opens folders of the merged tree, those that the stack has, or had before another order.
    pub fn set_open_folders(&mut self, session: &Session, paths: &[Vec<u8>]) {
        self.browser.set_open_folders(session, paths);
    }

    /// Goes on with another stack of the same layers, in which paths have other numbers.
    pub fn move_to(&mut self, old: &Stack, new: &Stack, moved: impl Fn(EntryId) -> EntryId) {
        self.browser.move_to(old, new, moved);
    }

    /// Looks at the picture of the active tab in another way; what is to be done with what is looked at.
    pub fn look(&mut self, ctx: &egui::Context, session: &Session, look: Look) -> Option<Command> {
        self.comparisons.look(session, look);
        self.documents.look(ctx, session, look)
    }

    /// Looks at the active comparison in another way.
    pub fn view_comparison(&mut self, session: &Session, view: CompareView) {
        self.comparisons.view(session, view);
    }

    /// Goes to the next difference of the active comparison, or to the one before.
    pub fn step_difference(&mut self, session: &Session, by: isize) {
        self.comparisons.step(session, by);
    }

    /// The keys that mean something in a single panel while no text is typed.
    pub fn keys(&mut self, ui: &Ui, ctx: &ViewCtx<'_>) {
        self.comparisons.keys(ui, ctx);
        self.documents.keys(ui, ctx);
    }

    /// Forgets what belongs to tabs that are closed.
    pub fn forget(&mut self, session: &Session) {
        self.documents.retain(|id| session.document(id).is_some());
        self.comparisons.retain(|id| session.comparison(id).is_some());
        self.structure.retain(|id| session.document(id).is_some());
    }

    /// Forgets what belongs to a stack that is not shown any more.
    pub fn forget_stack(&mut self) {
        self.browser.clear();
    }
}

/// What stands where a stack would: one that is on its way, or what to do; `hint` says the latter.
fn no_stack_ui(ui: &mut Ui, hint: &str, ctx: &ViewCtx<'_>) {
    match &ctx.session.mounting {
        Some((title, Load::Pending(job))) => {
            if card::loading_ui(ui, &format!("Mounting {title}"), job.task()) {
                job.task().cancel();
            }
        }
        _ => card::empty_ui(ui, theme::icon::LAYERS, "Nothing is mounted", hint),
    }
}

/// The icon of a file, by what its name says it is.
fn icon_of(leaf: &str) -> egui_material_icons::MaterialIcon {
    let format = detect(leaf, &[]);
    match format.map(|format| format.kind) {
        Some(Kind::Texture) => theme::icon::TEXTURE,
        Some(Kind::Archive) => theme::icon::ARCHIVE,
        Some(Kind::Manifest) => theme::icon::LIST,
        Some(Kind::Mesh) => theme::icon::MESH,
        Some(Kind::Skeleton) => theme::icon::SKELETON,
        Some(Kind::Strings) => theme::icon::STRINGS,
        Some(Kind::Text) => theme::icon::TEXT,
        None => theme::icon::FILE,
    }
}

/// The mark of the copy that wins: no crown for one of whom nobody knows.
fn winner_mark(answer: &Answer, theme: &Theme) -> (egui_material_icons::MaterialIcon, egui::Color32) {
    match &answer.unproven {
        Some(_) => (theme::icon::UNPROVEN, theme.warning),
        None => (theme::icon::WINNER, theme.accent),
    }
}

/// A button that is an icon; `name` is what it does, with its key.
fn icon_button(ui: &mut Ui, icon: egui_material_icons::MaterialIcon, name: &str) -> egui::Response {
    let button = egui::Button::new(icon.rich_text().size(16.0)).frame_when_inactive(false);
    let response = ui.add(button).on_hover_text(name);
    response.widget_info(|| egui::WidgetInfo::labeled(egui::accesskit::Role::Button, true, name));
    response
}

/// One of several that can be chosen, or something that can be switched on.
fn choice(ui: &mut Ui, is_chosen: bool, name: &str) -> egui::Response {
    ui.add(egui::Button::selectable(is_chosen, egui::RichText::new(name).size(theme::DENSE)))
}
