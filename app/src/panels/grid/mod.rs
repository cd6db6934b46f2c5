//! The textures of a folder, or of what a search found, as a grid of small pictures.

mod bar;
mod handles;
mod tile;

use std::sync::Arc;

use egui::{Id, Key, Modifiers, Rect, Sense, Ui, Vec2, WidgetInfo, pos2, vec2};
use palimpsest_core::mount::EntryId;

use self::handles::Handles;
use super::{ViewCtx, no_stack_ui};
use crate::command::Command;
use crate::files::Files;
use crate::grid::{Grid, GridCommand, GridOf, Tile};
use crate::jobs::Load;
use crate::pictures::{Viewer, Wanted};
use crate::session::Front;
use crate::theme;
use crate::widgets::rows::Rows;
use crate::widgets::{card, keys};

/// Points along a side of a picture.
const SIDES: [f32; 3] = [80.0, 128.0, 224.0];

/// Points around a picture, and the height of the two lines below it.
const MARGIN: f32 = 8.0;
const LINES: f32 = 34.0;

/// The panel.
#[derive(Debug)]
pub(super) struct GridPanel {
    /// Which of the sides pictures have.
    size: usize,
    rows: Rows,
    /// The texture that the keys stand on.
    chosen: Option<EntryId>,
    /// The list that the rows are scrolled in; another one begins at its start.
    listed: Option<Grid>,
    handles: Handles,
    /// What was asked for last.
    seen: Vec<Wanted>,
    /// Whether it is to have the keyboard once it is drawn.
    takes_keyboard: bool,
    /// A texture to choose once it is listed.
    wanted: Option<EntryId>,
}

impl Default for GridPanel {
    fn default() -> Self {
        Self {
            size: 1,
            rows: Rows::default(),
            chosen: None,
            listed: None,
            handles: Handles::default(),
            seen: Vec::new(),
            takes_keyboard: false,
            wanted: None,
        }
    }
}

/// The keys that lead from tile to tile.
const STEPS: [Key; 8] = [
    Key::ArrowLeft,
    Key::ArrowRight,
    Key::ArrowUp,
    Key::ArrowDown,
    Key::PageUp,
    Key::PageDown,
    Key::Home,
    Key::End,
];

/// How tiles lie in the panel.
#[derive(Clone, Copy)]
struct Raster {
    /// Points along a side of a picture.
    side: f32,
    columns: usize,
    /// Points of a tile, its margin included.
    tile: Vec2,
}

impl Raster {
    fn new(width: f32, side: f32) -> Self {
        let least = side + 2.0 * MARGIN;
        let columns = ((width / least) as usize).max(1);
        // What is left over is shared out.
        let tile = vec2((width / columns as f32).floor(), side + LINES + 2.0 * MARGIN);
        Self { side, columns, tile }
    }

    fn rows(self, count: usize) -> u64 {
        count.div_ceil(self.columns) as u64
    }

    fn row(self, at: usize) -> u64 {
        (at / self.columns) as u64
    }

    /// The tile that a key leads to, from a tile among `count`, with so many rows to a page.
    fn step(self, at: Option<usize>, key: Key, count: usize, page: usize) -> usize {
        let last = count.saturating_sub(1);
        let Some(at) = at else { return if key == Key::End { last } else { 0 } };
        let page = page.saturating_mul(self.columns);
        let back = |by: usize| at.checked_sub(by).unwrap_or(at % self.columns);
        // The last row may be a short one.
        let ahead = |by: usize| match at.saturating_add(by) {
            to if to <= last => to,
            _ if self.row(at) == self.row(last) => at,
            _ => last,
        };
        match key {
            Key::ArrowLeft => at.saturating_sub(1),
            Key::ArrowRight => (at + 1).min(last),
            Key::ArrowUp => back(self.columns),
            Key::ArrowDown => ahead(self.columns),
            Key::PageUp => back(page),
            Key::PageDown => ahead(page),
            Key::End => last,
            _ => 0,
        }
    }

    /// The tiles of rows.
    fn tiles(self, rows: std::ops::Range<u64>, count: usize) -> std::ops::Range<usize> {
        let at =
            |row: u64| usize::try_from(row).unwrap_or(usize::MAX).saturating_mul(self.columns).min(count);
        at(rows.start)..at(rows.end)
    }
}

impl GridPanel {
    /// Takes the keyboard as soon as there is something to move in, with a texture chosen where it is in the
    /// list.
    pub(super) fn take_keyboard(&mut self, entry: Option<EntryId>) {
        self.takes_keyboard = true;
        self.wanted = entry;
    }

    pub(super) fn ui(&mut self, ui: &mut Ui, ctx: &ViewCtx<'_>) {
        let Some(tab) = &ctx.session.grid else { return };
        if ctx.session.front() != Front::Grid
            && ui.input(|input| input.pointer.any_pressed())
            && ui.rect_contains_pointer(ui.max_rect())
        {
            ctx.send(Command::Grid(GridCommand::Show));
        }
        match (&tab.shown, &tab.load) {
            (_, Some(Load::Failed(error))) => {
                let text = card::reason(error);
                if card::failed_ui(ui, "The textures are not listed", &text, &["Try again"]).is_some() {
                    ctx.send(Command::Grid(GridCommand::Retry));
                }
            }
            (Some(grid), Some(Load::Pending(_)) | None) => self.content_ui(ui, grid, ctx),
            (None, Some(Load::Pending(job))) => {
                if card::loading_ui(ui, "Listing textures", job.task()) {
                    job.task().cancel();
                }
            }
            (_, Some(Load::Ready(_)) | None) => {
                no_stack_ui(ui, "Open a folder to see its textures.", ctx);
            }
        }
    }

    fn content_ui(&mut self, ui: &mut Ui, grid: &Grid, ctx: &ViewCtx<'_>) {
        self.follow(grid);
        let size = self.size;
        // A click above the tiles takes the keyboard away from them.
        self.takes_keyboard |= bar::ui(ui, &mut self.size, grid, ctx);
        let whole = ui.available_rect_before_wrap();
        ui.painter().rect_filled(whole, 0.0, ctx.theme.canvas);
        if grid.tiles.is_empty() {
            let hint = match &grid.of {
                GridOf::Found(_) => "Among what the search found there is no texture.",
                GridOf::Folder(_) => {
                    "Choose another folder in the tree, or search for something like ext:tex."
                }
            };
            card::empty_ui(ui, theme::icon::TEXTURE, "No textures here", hint);
            return;
        }
        let line = Rect::from_min_max(pos2(whole.left(), whole.bottom() - 26.0), whole.max);
        let area = whole.with_max_y(line.top()).shrink2(vec2(6.0, 0.0));
        let side = SIDES.get(self.size).copied().unwrap_or(SIDES[0]);
        // The bar of the rows has its place at the right.
        let raster = Raster::new(area.width() - 12.0, side);
        let wanted = self.wanted.take_if(|wanted| position(grid, *wanted).is_some());
        self.chosen = wanted.or(self.chosen);
        let at = self.chosen.and_then(|chosen| position(grid, chosen));
        if let Some(at) = at.filter(|_| wanted.is_some() || size != self.size) {
            self.rows.reveal(raster.row(at));
        }
        let focus = ui.interact(area, focus_id(), Sense::click());
        focus.widget_info(|| WidgetInfo::labeled(egui::accesskit::Role::Grid, true, "Textures"));
        if std::mem::take(&mut self.takes_keyboard) {
            ui.memory_mut(|memory| memory.request_focus(focus_id()));
        }
        if focus.has_focus() {
            keys::keep_arrows(ui, focus_id());
            self.keys(ui, grid, raster, ctx);
        }
        self.tiles_ui(ui, area, grid, raster, focus.has_focus(), ctx);
        self.see(ui, grid, raster, ctx);
        tile::line_ui(ui, line, self.chosen, grid, ctx);
        ui.advance_cursor_after_rect(whole);
    }

    /// Begins another list at its start, with what was chosen where it is in it.
    fn follow(&mut self, grid: &Grid) {
        let before = self.listed.as_ref();
        if before.is_some_and(|before| Arc::ptr_eq(&before.tiles, &grid.tiles)) {
            return;
        }
        if before.is_none_or(|before| !Arc::ptr_eq(&before.mounted, &grid.mounted)) {
            self.handles.forget();
            self.seen.clear();
        }
        let is_again = before.is_some_and(|before| before.of.is(&grid.of));
        let chosen = before.zip(self.chosen).and_then(|(before, chosen)| {
            // Numbers of paths mean nothing in another stack.
            let is_same = Arc::ptr_eq(&before.mounted, &grid.mounted);
            let stack = &grid.mounted.stack;
            if is_same { Some(chosen) } else { stack.find(&before.mounted.stack.path(chosen)) }
        });
        self.chosen = chosen.filter(|chosen| position(grid, *chosen).is_some());
        self.listed = Some(grid.clone());
        if !is_again {
            self.rows = Rows::default();
        }
    }

    fn keys(&mut self, ui: &Ui, grid: &Grid, raster: Raster, ctx: &ViewCtx<'_>) {
        let at = self.chosen.and_then(|chosen| position(grid, chosen));
        let page = usize::try_from(self.rows.page()).unwrap_or(1);
        let pressed = keys::presses(ui, &STEPS);
        let to = pressed
            .into_iter()
            .fold(None, |to: Option<usize>, key| Some(raster.step(to.or(at), key, grid.tiles.len(), page)));
        if let Some((to, tile)) = to.and_then(|to| Some((to, grid.tiles.get(to)?))) {
            self.chosen = Some(tile.entry);
            self.rows.reveal(raster.row(to));
        }
        let Some(tile) = self.chosen.and_then(|chosen| grid.tiles.get(position(grid, chosen)?)) else {
            return;
        };
        let entry = tile.entry;
        if keys::takes(ui, Key::Enter) {
            ctx.send(Command::Open { entry, copy: 0, stays: true });
        }
        if keys::takes(ui, Key::Space) {
            ctx.send(Command::Open { entry, copy: 0, stays: false });
        }
        if keys::takes_copy(ui) {
            ctx.send(Command::CopyText(grid.mounted.stack.path(entry)));
        }
        if ui.input_mut(|input| input.consume_key(Modifiers::COMMAND, Key::E)) {
            ctx.commands.send_some(tile::files(grid, entry).map(Command::PickExtractFolder));
        }
    }

    fn tiles_ui(
        &mut self,
        ui: &mut Ui,
        area: Rect,
        grid: &Grid,
        raster: Raster,
        has_keyboard: bool,
        ctx: &ViewCtx<'_>,
    ) {
        let side_px = side_px(ui, raster.side);
        let side = raster.side;
        let frame_px = side * ui.ctx().pixels_per_point();
        let mut inside = ui.new_child(egui::UiBuilder::new().id_salt("tiles").max_rect(area));
        let (rows, handles, was_chosen) = (&mut self.rows, &mut self.handles, self.chosen);
        handles.begin();
        let checker = handles.checker(ui, ctx.theme.checker());
        let mut chosen = None;
        rows.ui(
            &mut inside,
            focus_id().with("rows"),
            raster.tile.y,
            raster.rows(grid.tiles.len()),
            |ui, row, rect| {
                for (column, at) in raster.tiles(row..row + 1, grid.tiles.len()).enumerate() {
                    let Some(tile) = grid.tiles.get(at) else { continue };
                    let min = rect.min + vec2(raster.tile.x * column as f32, 0.0);
                    let rect = Rect::from_min_size(min, raster.tile);
                    let made = first_copy(grid, *tile).and_then(|copy| {
                        let wanted = (copy, side_px);
                        let made = ctx.session.pictures.get(wanted)?;
                        Some((made, handles.of(ui, wanted, made, frame_px)))
                    });
                    let is_chosen = was_chosen == Some(tile.entry);
                    let look = tile::Look { side, is_chosen, has_keyboard, checker: checker.clone() };
                    let response = tile::ui(ui, rect, *tile, made, &look, grid, ctx);
                    // A menu is about the tile that it was opened on.
                    if response.clicked() || response.secondary_clicked() {
                        chosen = Some(tile.entry);
                    }
                    if response.double_clicked() {
                        ctx.send(Command::Open { entry: tile.entry, copy: 0, stays: true });
                    }
                }
            },
        );
        handles.end();
        if let Some(chosen) = chosen {
            self.chosen = Some(chosen);
            ui.memory_mut(|memory| memory.request_focus(focus_id()));
        }
    }

    /// Says which pictures are looked at: what is visible first, then a page below and one above it.
    fn see(&mut self, ui: &Ui, grid: &Grid, raster: Raster, ctx: &ViewCtx<'_>) {
        let side_px = side_px(ui, raster.side);
        let (top, page, count) = (self.rows.top(), self.rows.page() + 1, grid.tiles.len());
        let rows = [top..top + page, top + page..top + 2 * page, top.saturating_sub(page)..top];
        let wanted = rows.into_iter().flat_map(|rows| raster.tiles(rows, count)).filter_map(|at| {
            let tile = grid.tiles.get(at)?;
            Some((first_copy(grid, *tile)?, side_px))
        });
        let wanted: Vec<_> = wanted.collect();
        if self.seen != wanted {
            self.seen.clone_from(&wanted);
            ctx.send(Command::See(Viewer::Grid, wanted));
        }
    }
}

/// The copy whose picture stands for a texture.
fn first_copy(grid: &Grid, tile: Tile) -> Option<palimpsest_core::mount::CopyRef> {
    grid.mounted.stack.index().copies(tile.entry).first().copied()
}

/// The place of a path among the tiles.
fn position(grid: &Grid, entry: EntryId) -> Option<usize> {
    grid.tiles.binary_search_by_key(&entry, |tile| tile.entry).ok()
}

/// Pixels along a side of the pictures that are wanted for a number of points.
fn side_px(ui: &Ui, side: f32) -> u32 {
    let pixels = side * ui.ctx().pixels_per_point();
    [128, 256].into_iter().find(|side| pixels <= *side as f32).unwrap_or(512)
}

/// Where the keyboard is while the grid has it.
pub(super) fn focus_id() -> Id {
    Id::unique("texture grid")
}

/// The files of all tiles.
fn all_files(grid: &Grid) -> Files {
    Files::Textures(Arc::new(grid.entries()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_lead_from_tile_to_tile_and_stay_in_the_grid() {
        let raster = Raster::new(3.0 * (80.0 + 2.0 * MARGIN) + 5.0, 80.0);
        assert_eq!((raster.columns, raster.rows(8)), (3, 3));
        let step = |at, key| raster.step(Some(at), key, 8, 2);
        assert_eq!((step(4, Key::ArrowUp), step(4, Key::ArrowDown)), (1, 7));
        assert_eq!((step(1, Key::ArrowUp), step(5, Key::ArrowDown), step(6, Key::ArrowDown)), (1, 7, 6));
        assert_eq!((step(2, Key::ArrowRight), step(7, Key::ArrowRight), step(0, Key::ArrowLeft)), (3, 7, 0));
        assert_eq!((step(7, Key::PageUp), step(1, Key::PageDown), step(5, Key::PageDown)), (1, 7, 7));
        assert_eq!((step(5, Key::Home), step(0, Key::End)), (0, 7));
        assert_eq!((raster.step(None, Key::ArrowDown, 8, 2), raster.step(None, Key::End, 8, 2)), (0, 7));
    }
}
