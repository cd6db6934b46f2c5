//! Where the panels are: a tree of tiles that a person can split, move and resize.

use egui::style::ScrollAnimation;
use egui::{Color32, Stroke, Style, Ui, Visuals, WidgetText};
use egui_tiles::{
    Behavior, Container, Linear, LinearDir, SimplificationOptions, TabState, Tile, TileId, Tiles, Tree,
    UiResponse,
};
use serde::{Deserialize, Serialize};

use crate::command::Command;
use crate::grid::GridCommand;
use crate::panels::{Panels, ViewCtx};
use crate::session::{DocumentId, Front, OpenDocument, Session};
use crate::shadow::MapCommand;
use crate::widgets::menu;

/// What a tile shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Pane {
    /// The tree of the stack and the search.
    Browser,
    /// What stands where no tab is open.
    Start,
    /// The structure of the active tab.
    Structure,
    /// The copies of the active tab's path.
    Layers,
    /// Other orders of the layers.
    WhatIf,
    /// The tab with the shadow map.
    #[serde(skip)]
    Map,
    /// The tab with the grid of textures.
    #[serde(skip)]
    Grid,
    /// A tab.
    #[serde(skip)]
    Document(u64),
}

/// The tiles.
#[derive(Debug)]
pub struct Layout {
    tree: Tree<Pane>,
    /// The tab that was brought to the front last, and for how many frames more it is kept in sight: its
    /// group makes room for it, and then for the arrows beside it.
    revealed: Option<(Pane, u8)>,
}

/// Frames until a tab and the arrows beside it have their places.
const SETTLING: u8 = 4;

impl Default for Layout {
    fn default() -> Self {
        let mut tiles = Tiles::default();
        let mut tabs = |pane| {
            let pane = tiles.insert_pane(pane);
            tiles.insert_tab_tile(vec![pane])
        };
        let centre = tabs(Pane::Start);
        let (structure, layers) = (tabs(Pane::Structure), tabs(Pane::Layers));
        let left = [Pane::Browser, Pane::WhatIf].map(|pane| tiles.insert_pane(pane));
        let browser = tiles.insert_tab_tile(left.to_vec());
        let right = Linear::new_binary(LinearDir::Vertical, [structure, layers], 0.58);
        let right = tiles.insert_container(Container::Linear(right));
        let mut columns = Linear::new(LinearDir::Horizontal, vec![browser, centre, right]);
        for (tile, share) in [(browser, 0.23), (centre, 0.50), (right, 0.27)] {
            columns.shares.set_share(tile, share);
        }
        let root = tiles.insert_container(Container::Linear(columns));
        Self { tree: Tree::new(egui::Id::unique("layout"), root, tiles), revealed: None }
    }
}

impl Layout {
    /// The tiles as text, to be kept: the panels without the tabs.
    pub fn to_json(&self) -> Option<String> {
        let mut tree = self.tree.clone();
        let documents: Vec<_> = documents(&tree).map(|(tile, _)| tile).collect();
        let others = [Pane::Map, Pane::Grid].map(|pane| tree.tiles.find_pane(&pane));
        for tile in documents.into_iter().chain(others.into_iter().flatten()) {
            tree.remove_recursively(tile);
        }
        serde_json::to_string(&tree).ok()
    }

    /// The tiles from text; `None` when it is not the tiles of this version.
    pub fn from_json(text: &str) -> Option<Self> {
        let tree: Tree<Pane> = serde_json::from_str(text).ok()?;
        let panels = [Pane::Browser, Pane::Start, Pane::Structure, Pane::Layers, Pane::WhatIf];
        let has_all = panels.iter().all(|pane| tree.tiles.find_pane(pane).is_some());
        (has_all && tree.root().is_some()).then_some(Self { tree, revealed: None })
    }

    /// Gives every open tab a tile, and takes away those of closed ones.
    pub fn sync(&mut self, session: &Session) {
        let closed: Vec<_> =
            documents(&self.tree).filter(|(_, id)| !session.is_open(*id)).map(|(tile, _)| tile).collect();
        for tile in closed {
            self.tree.remove_recursively(tile);
        }
        for id in session.tabs() {
            if self.tree.tiles.find_pane(&Pane::Document(id.0)).is_none() {
                self.add(Pane::Document(id.0));
            }
        }
        for (pane, is_open) in [(Pane::Map, session.map.is_some()), (Pane::Grid, session.grid.is_some())] {
            match self.tree.tiles.find_pane(&pane) {
                None if is_open => self.add(pane),
                Some(tile) if !is_open => {
                    self.tree.remove_recursively(tile);
                }
                _ => {}
            }
        }
        if let Some(start) = self.tree.tiles.find_pane(&Pane::Start) {
            let is_free = session.tabs().next().is_none() && session.map.is_none() && session.grid.is_none();
            self.tree.tiles.set_visible(start, is_free);
        }
    }

    /// Puts a new tab beside the others, in the group that has the newest of them.
    fn add(&mut self, pane: Pane) {
        let newest = documents(&self.tree).max_by_key(|(_, id)| *id).map(|(tile, _)| tile);
        let beside = newest.or_else(|| self.tree.tiles.find_pane(&Pane::Start));
        let group = beside.and_then(|tile| self.tree.tiles.parent_of(tile)).or_else(|| self.tree.root());
        let tile = self.tree.tiles.insert_pane(pane);
        if let Some(Tile::Container(container)) = group.and_then(|group| self.tree.tiles.get_mut(group)) {
            container.add_child(tile);
        }
    }

    /// Brings a tab to the front of its group.
    pub fn focus(&mut self, id: DocumentId) {
        self.show(Pane::Document(id.0));
    }

    /// Brings a panel to the front of its group, and its tab into sight.
    pub fn show(&mut self, pane: Pane) {
        self.tree.make_active(|_, tile| matches!(tile, Tile::Pane(of) if *of == pane));
        if self.revealed.is_none_or(|(revealed, _)| revealed != pane) {
            self.revealed = Some((pane, SETTLING));
        }
    }

    /// Draws all tiles.
    pub fn ui(&mut self, ui: &mut Ui, panels: &mut Panels, ctx: &ViewCtx<'_>) {
        let mut reveals = None;
        if let Some((pane, left @ 1..)) = &mut self.revealed {
            *left -= 1;
            reveals = Some(*pane);
            ui.request_repaint();
        }
        self.tree.ui(&mut Tiling { panels, reveals, ctx }, ui);
    }
}

fn documents(tree: &Tree<Pane>) -> impl Iterator<Item = (TileId, DocumentId)> + '_ {
    let mut documents: Vec<_> = tree
        .tiles
        .iter()
        .filter_map(|(tile, of)| match of {
            Tile::Pane(Pane::Document(id)) => Some((*tile, DocumentId(*id))),
            _ => None,
        })
        .collect();
    documents.sort_by_key(|(_, id)| *id);
    documents.into_iter()
}

/// What can be done with a tab; `passing` is the document in it where that gives way to the next one.
fn tab_menu_ui(ui: &mut Ui, id: DocumentId, path: &str, passing: Option<&OpenDocument>, ctx: &ViewCtx<'_>) {
    let others: Vec<_> = ctx.session.tabs().filter(|other| *other != id).collect();
    if menu::item(ui, "Keep open", "", passing.is_some()) {
        ctx.send(Command::Keep(id));
    }
    if menu::item(ui, "Close", "Ctrl+W", true) {
        ctx.send(Command::Close(id));
    }
    if menu::item(ui, "Close the others", "", !others.is_empty()) {
        for other in others {
            ctx.send(Command::Close(other));
        }
    }
    if menu::item(ui, "Copy path", "Ctrl+C", true) {
        ctx.send(Command::CopyText(path.to_owned()));
    }
}

/// What the button of a tab about the stack does: the commands that show and close it, and its hint.
fn stack_tab_button(
    response: egui::Response,
    [show, close]: [Command; 2],
    hint: &str,
    ctx: &ViewCtx<'_>,
) -> egui::Response {
    if response.clicked() {
        ctx.send(show);
    }
    if response.middle_clicked() {
        ctx.send(close);
    }
    response.on_hover_text(hint)
}

/// How the tiles look and what they show.
struct Tiling<'a, 'b> {
    panels: &'a mut Panels,
    /// The pane whose tab is brought into sight.
    reveals: Option<Pane>,
    ctx: &'a ViewCtx<'b>,
}

impl Behavior<Pane> for Tiling<'_, '_> {
    fn pane_ui(&mut self, ui: &mut Ui, _tile: TileId, pane: &mut Pane) -> UiResponse {
        ui.painter().rect_filled(ui.max_rect(), 0.0, self.ctx.theme.panel);
        match pane {
            Pane::Browser => self.panels.browser_ui(ui, self.ctx),
            Pane::Start => self.panels.start_ui(ui, self.ctx),
            Pane::Structure => self.panels.structure_ui(ui, self.ctx),
            Pane::Layers => self.panels.layers_ui(ui, self.ctx),
            Pane::WhatIf => self.panels.what_if_ui(ui, self.ctx),
            Pane::Map => self.panels.map_ui(ui, self.ctx),
            Pane::Grid => self.panels.grid_ui(ui, self.ctx),
            Pane::Document(id) => self.panels.document_ui(ui, DocumentId(*id), self.ctx),
        }
        UiResponse::None
    }

    fn tab_title_for_pane(&mut self, pane: &Pane) -> WidgetText {
        match pane {
            Pane::Browser => "Paths".into(),
            Pane::Start => "Start".into(),
            Pane::Structure => "Structure".into(),
            Pane::Layers => "Layers of this path".into(),
            Pane::WhatIf => "What if".into(),
            Pane::Map => "Shadow map".into(),
            Pane::Grid => "Textures".into(),
            Pane::Document(id) => match self.ctx.session.document(DocumentId(*id)) {
                Some(open) if open.stays => open.leaf().into(),
                Some(open) => egui::RichText::new(open.leaf()).italics().into(),
                None => self
                    .ctx
                    .session
                    .comparison(DocumentId(*id))
                    .map_or_else(|| "closed".into(), |open| open.title().into()),
            },
        }
    }

    fn is_tab_closable(&self, tiles: &Tiles<Pane>, tile: TileId) -> bool {
        matches!(tiles.get(tile), Some(Tile::Pane(Pane::Document(_) | Pane::Map | Pane::Grid)))
    }

    fn on_tab_close(&mut self, tiles: &mut Tiles<Pane>, tile: TileId) -> bool {
        match tiles.get(tile) {
            Some(Tile::Pane(Pane::Document(id))) => self.ctx.send(Command::Close(DocumentId(*id))),
            Some(Tile::Pane(Pane::Map)) => self.ctx.send(Command::Map(MapCommand::Close)),
            Some(Tile::Pane(Pane::Grid)) => self.ctx.send(Command::Grid(GridCommand::Close)),
            _ => {}
        }
        // The tile goes when the session has let go of the tab.
        false
    }

    fn on_tab_button(
        &mut self,
        tiles: &mut Tiles<Pane>,
        tile: TileId,
        response: egui::Response,
    ) -> egui::Response {
        if let Some(Tile::Pane(pane)) = tiles.get(tile)
            && self.reveals == Some(*pane)
        {
            response.scroll_to_me_animation(None, ScrollAnimation::none());
        }
        let of_stack = match tiles.get(tile) {
            Some(Tile::Pane(Pane::Map)) => Some((
                [MapCommand::Show, MapCommand::Close].map(Command::Map),
                "What becomes of the stored bytes",
            )),
            Some(Tile::Pane(Pane::Grid)) => Some((
                [GridCommand::Show, GridCommand::Close].map(Command::Grid),
                "The textures of a folder, or of what the search found",
            )),
            _ => None,
        };
        if let Some((commands, hint)) = of_stack {
            return stack_tab_button(response, commands, hint, self.ctx);
        }
        let Some(Tile::Pane(Pane::Document(id))) = tiles.get(tile) else { return response };
        let id = DocumentId(*id);
        if response.clicked() {
            self.ctx.send(Command::Focus(id));
        }
        if response.double_clicked() {
            self.ctx.send(Command::Keep(id));
        }
        if response.middle_clicked() {
            self.ctx.send(Command::Close(id));
        }
        let session = self.ctx.session;
        let open = session.document(id);
        let path = open.map(|open| &open.answer.path);
        let Some(path) = path.or_else(|| session.comparison(id).map(|open| &open.answer.path)) else {
            return response;
        };
        let passing = open.filter(|open| !open.stays);
        response.context_menu(|ui| tab_menu_ui(ui, id, path, passing, self.ctx));
        response.on_hover_text(path)
    }

    fn simplification_options(&self) -> SimplificationOptions {
        SimplificationOptions { all_panes_must_have_tabs: true, ..SimplificationOptions::default() }
    }

    fn tab_bar_height(&self, _style: &Style) -> f32 {
        28.0
    }

    fn gap_width(&self, _style: &Style) -> f32 {
        1.0
    }

    fn min_size(&self) -> f32 {
        120.0
    }

    fn tab_title_spacing(&self, _visuals: &Visuals) -> f32 {
        12.0
    }

    fn tab_bar_color(&self, _visuals: &Visuals) -> Color32 {
        self.ctx.theme.canvas
    }

    fn tab_bg_color(
        &self,
        _visuals: &Visuals,
        _tiles: &Tiles<Pane>,
        _tile: TileId,
        state: &TabState,
    ) -> Color32 {
        if state.active { self.ctx.theme.panel } else { self.ctx.theme.canvas }
    }

    fn tab_outline_stroke(
        &self,
        _visuals: &Visuals,
        _tiles: &Tiles<Pane>,
        _tile: TileId,
        _state: &TabState,
    ) -> Stroke {
        Stroke::NONE
    }

    fn tab_bar_hline_stroke(&self, _visuals: &Visuals) -> Stroke {
        Stroke::NONE
    }

    fn tab_text_color(
        &self,
        _visuals: &Visuals,
        tiles: &Tiles<Pane>,
        tile: TileId,
        state: &TabState,
    ) -> Color32 {
        let theme = self.ctx.theme;
        let is_focused = match tiles.get(tile) {
            Some(Tile::Pane(Pane::Map)) => self.ctx.session.front() == Front::Map,
            Some(Tile::Pane(Pane::Grid)) => self.ctx.session.front() == Front::Grid,
            Some(Tile::Pane(Pane::Document(id))) => {
                self.ctx.session.active == Some(DocumentId(*id)) && self.ctx.session.front() == Front::Path
            }
            _ => state.active,
        };
        if is_focused { theme.text } else { theme.muted }
    }

    fn resize_stroke(&self, _style: &Style, state: egui_tiles::ResizeState) -> Stroke {
        match state {
            egui_tiles::ResizeState::Idle => Stroke::new(1.0, self.ctx.theme.hairline),
            egui_tiles::ResizeState::Hovering | egui_tiles::ResizeState::Dragging => {
                Stroke::new(2.0, self.ctx.theme.muted)
            }
        }
    }
}
