//! One texture of the grid: its picture over a checkerboard, its name, and what it is; and the line below the
//! grid about the chosen one.

use egui::{Color32, Pos2, Rect, Response, Sense, Stroke, TextureHandle, Ui, Vec2, WidgetInfo, pos2, vec2};
use palimpsest_core::export::{Conversion, Form};
use palimpsest_core::mount::EntryId;

use super::{LINES, MARGIN, position};
use crate::command::Command;
use crate::files::Files;
use crate::format::{count, size};
use crate::grid::{Grid, Tile};
use crate::panels::ViewCtx;
use crate::pictures::Made;
use crate::theme::{self, Theme, icon};
use crate::thumbnail::Thumbnail;
use crate::widgets::row::icon_at;
use crate::widgets::{menu, text};

/// Points along a square of the checkerboard.
const SQUARE: f32 = 8.0;

/// How a tile is drawn.
pub(super) struct Look {
    /// Points along a side of the picture.
    pub(super) side: f32,
    pub(super) is_chosen: bool,
    pub(super) has_keyboard: bool,
    /// What lies behind alpha: a square of four, to be repeated.
    pub(super) checker: TextureHandle,
}

/// A tile, with its picture or why there is none, and that picture uploaded.
pub(super) fn ui(
    ui: &Ui,
    rect: Rect,
    tile: Tile,
    made: Option<(&Made, Option<TextureHandle>)>,
    look: &Look,
    grid: &Grid,
    ctx: &ViewCtx<'_>,
) -> Response {
    let theme = ctx.theme;
    let stack = &grid.mounted.stack;
    let leaf = stack.leaf(tile.entry);
    let response = ui.interact(rect, ui.scope_id().with(tile.entry.0), Sense::click());
    response.widget_info(|| WidgetInfo::selected(egui::accesskit::Role::Cell, true, look.is_chosen, &leaf));
    let ground = match (look.is_chosen, look.has_keyboard) {
        (true, true) => Some(theme.selection),
        (true, false) => Some(theme.hovered),
        (false, _) => response.hovered().then_some(theme.raised),
    };
    if let Some(ground) = ground {
        ui.painter().rect_filled(rect.shrink(2.0), 4.0, ground);
    }
    let frame = Rect::from_center_size(
        pos2(rect.center().x, rect.top() + MARGIN + look.side / 2.0),
        Vec2::splat(look.side),
    );
    match &made {
        Some((Ok(_), Some(handle))) => picture(ui, frame, handle, &look.checker),
        Some((Err(_), _)) => {
            icon_at(ui, frame.center(), icon::ERROR, 28.0, theme.error);
        }
        _ => {
            ui.painter().rect_filled(frame.shrink(look.side * 0.2), 4.0, theme.raised);
        }
    }
    let line = |at: f32| {
        let top = frame.bottom() + 2.0 + at * LINES / 2.0;
        Rect::from_min_max(pos2(rect.left() + 6.0, top), pos2(rect.right() - 6.0, top + LINES / 2.0))
    };
    centred(ui, line(0.0), &leaf, theme::DENSE, theme.text);
    let words = match &made {
        Some((Ok(made), _)) => facts(made, tile),
        Some((Err(_), _)) => "no picture".to_owned(),
        None => String::new(),
    };
    let colour = if matches!(made, Some((Err(_), _))) { theme.error } else { theme.muted };
    centred(ui, line(1.0), &words, theme::CAPTION, colour);
    response.context_menu(|ui| menu_ui(ui, tile.entry, grid, ctx));
    let error = made.and_then(|(made, _)| made.as_ref().err());
    response.on_hover_ui(|ui| hover_ui(ui, tile, error, &words, grid, theme))
}

/// A picture in its frame, its sides as they are, over a checkerboard where it is not opaque.
fn picture(ui: &Ui, frame: Rect, handle: &TextureHandle, checker: &TextureHandle) {
    let size = handle.size_vec2();
    // Small ones are made larger by whole steps, so that their pixels stay squares.
    let scale = frame.width() / size.max_elem().max(1.0);
    let scale = if scale >= 2.0 { scale.floor() } else { scale };
    let rect = Rect::from_center_size(frame.center(), size * scale);
    let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
    let squares = Rect::from_min_size(Pos2::ZERO, rect.size() / (2.0 * SQUARE));
    ui.painter().image(checker.id(), rect, squares, Color32::WHITE);
    ui.painter().image(handle.id(), rect, whole, Color32::WHITE);
}

/// One line of text in the middle of a row, cut short where there is no room.
fn centred(ui: &Ui, row: Rect, words: &str, size: f32, colour: Color32) {
    let font = theme::sans(size);
    let layout = egui::text::LayoutJob::simple_singleline(words.to_owned(), font.clone(), colour);
    let width = ui.ctx().fonts_mut(|fonts| fonts.layout_job(layout)).size().x;
    let left = row.center().x - width.min(row.width()) / 2.0;
    text::left(ui, row, left, row.right(), words, font, colour);
}

/// What a texture is: its size, its format, and how many slices or tiers it has.
fn facts(made: &Thumbnail, tile: Tile) -> String {
    let [width, height] = made.size;
    let slices = match (made.is_cube, made.slices) {
        (true, 6) => "  cube".to_owned(),
        (true, slices) => format!("  {} cubes", slices / 6),
        (false, 1) => String::new(),
        (false, slices) => format!("  {slices} slices"),
    };
    let tiers = if tile.tiers > 1 { format!("  {} tiers", tile.tiers) } else { String::new() };
    format!("{width} × {height}  {}{slices}{tiers}", short(made.format))
}

/// The name of a format without what most have.
fn short(format: &str) -> &str {
    format.strip_suffix("_UNORM").unwrap_or(format)
}

fn hover_ui(ui: &mut Ui, tile: Tile, error: Option<&String>, facts: &str, grid: &Grid, theme: &Theme) {
    let small = |text: String| egui::RichText::new(text).size(theme::CAPTION).color(theme.muted);
    let stack = &grid.mounted.stack;
    ui.label(egui::RichText::new(stack.path(tile.entry)).font(theme::mono(theme::CAPTION)).color(theme.text));
    if let Some(error) = error {
        ui.label(egui::RichText::new(error).size(theme::DENSE).color(theme.error));
    } else if !facts.is_empty() {
        ui.label(small(facts.to_owned()));
    }
    ui.label(small(origin(tile.entry, grid)));
}

/// Which layer a path's first copy comes from, and how many others there are.
fn origin(entry: EntryId, grid: &Grid) -> String {
    let stack = &grid.mounted.stack;
    let copies = stack.index().copies(entry);
    let Some((first, others)) = copies.split_first() else { return String::new() };
    let stat = stack.layer(*first).map(|layer| layer.stat(first.file)).unwrap_or_default();
    let more = match others.len() {
        0 => String::new(),
        others => format!(", {} in other layers", count(others as u64, "copy")),
    };
    format!("{} from {}{more}", size(stat.size), stack.layer_name(*first))
}

/// The line below the grid: the chosen texture, or how many there are.
pub(super) fn line_ui(ui: &Ui, line: Rect, chosen: Option<EntryId>, grid: &Grid, ctx: &ViewCtx<'_>) {
    let theme = ctx.theme;
    ui.painter().rect_filled(line, 0.0, theme.panel);
    ui.painter().hline(line.x_range(), line.top(), Stroke::new(1.0, theme.hairline));
    let inside = line.shrink2(vec2(10.0, 0.0));
    let Some(entry) = chosen.filter(|chosen| position(grid, *chosen).is_some()) else {
        let words = "A double click opens a texture, Space looks at it, a right click has more.";
        text::left(
            ui,
            inside,
            inside.left(),
            inside.right(),
            words,
            theme::sans(theme::CAPTION),
            theme.muted,
        );
        return;
    };
    let right = text::right(
        ui,
        inside,
        inside.right(),
        &origin(entry, grid),
        theme::sans(theme::CAPTION),
        theme.muted,
    );
    let path = grid.mounted.stack.path(entry);
    let font = theme::mono(theme::CAPTION);
    text::path(ui, inside, inside.left(), right.left() - 16.0, &path, font, theme.text);
}

/// The file of a path that is written when it is extracted.
pub(super) fn files(grid: &Grid, entry: EntryId) -> Option<Files> {
    grid.mounted.stack.index().copies(entry).first().copied().map(Files::Copy)
}

fn menu_ui(ui: &mut Ui, entry: EntryId, grid: &Grid, ctx: &ViewCtx<'_>) {
    let stack = &grid.mounted.stack;
    let Some(copy) = stack.index().copies(entry).first().copied() else { return };
    let as_form = |form| {
        let conversion = Conversion { form, is_joined: true, ..Conversion::default() };
        Command::PickExportFolder(Files::Copy(copy), conversion)
    };
    for (name, key, command) in [
        ("Open in a tab of its own", "Enter", Command::Open { entry, copy: 0, stays: true }),
        ("Look at it", "Space", Command::Open { entry, copy: 0, stays: false }),
        ("Copy path", "Ctrl+C", Command::CopyText(stack.path(entry))),
        ("Copy as a link", "", Command::CopyText(stack.link(entry, copy))),
        ("Extract…", "Ctrl+E", Command::PickExtractFolder(Files::Copy(copy))),
        ("Export as PNG…", "", as_form(Form::Png)),
        ("Export as DDS…", "", as_form(Form::Dds)),
    ] {
        if menu::item(ui, name, key, true) {
            ctx.send(command);
        }
    }
}
