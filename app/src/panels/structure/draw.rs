//! Draws rows of fields, and what a field says under the pointer.

use egui::{Rect, RichText, Ui, pos2, vec2};
use palimpsest_core::parse::{Place, Tree};

use super::lines::is_leaf;
use crate::command::Command;
use crate::document::Document;
use crate::panels::ViewCtx;
use crate::theme;
use crate::widgets::row::icon_at;
use crate::widgets::{menu, text};

const INDENT: f32 = 12.0;

/// The edges of the columns.
pub(super) struct Columns {
    ty: f32,
    value: f32,
    /// The right edge.
    offset: f32,
    offset_width: f32,
}

impl Columns {
    pub(super) fn new(ui: &Ui, area: Rect, len: u64) -> Self {
        /// Room for the longest common type, where the panel is wide enough for types.
        const TYPE: f32 = 68.0;
        const WIDE: f32 = 330.0;
        let (left, width) = (area.left(), area.width());
        let digit = ui.ctx().fonts_mut(|fonts| fonts.glyph_width(&theme::mono(theme::CAPTION), '0'));
        let digits = format!("{len:X}").len().max(4);
        let ty = left + if width < WIDE { width * 0.46 } else { width * 0.36 };
        let value = if width < WIDE { ty } else { ty + TYPE };
        Self { ty, value, offset: area.right() - 14.0, offset_width: digits as f32 * digit }
    }
}

/// Draws the names of the columns.
pub(super) fn header(ui: &Ui, row: Rect, columns: &Columns) {
    let theme = theme::Theme::of(ui.ctx());
    let font = || theme::sans(theme::CAPTION);
    text::left(ui, row, row.left() + 12.0, row.right(), "name", font(), theme.muted);
    text::left(ui, row, columns.ty, columns.value - 6.0, "type", font(), theme.muted);
    text::left(ui, row, columns.value, row.right(), "value", font(), theme.muted);
    text::right(ui, row, columns.offset, "offset", font(), theme.muted);
    ui.painter().hline(row.x_range(), row.bottom(), theme.line());
}

/// Where a field stands in the panel.
pub(super) struct Line {
    pub(super) place: Place,
    pub(super) depth: u16,
    pub(super) is_open: bool,
}

/// Draws a field; what it says to those who do not see it.
pub(super) fn row(
    ui: &Ui,
    rect: Rect,
    line: &Line,
    columns: &Columns,
    document: &Document,
    ctx: &ViewCtx<'_>,
) -> String {
    let (theme, tree, place) = (ctx.theme, &document.inspection.tree, line.place);
    if let Some(mark) = theme.mark(tree.role(place)) {
        let bar = Rect::from_min_size(rect.min + vec2(0.0, 2.0), vec2(3.0, rect.height() - 4.0));
        ui.painter().rect_filled(bar, 1.0, mark);
    }
    let x = rect.left() + 10.0 + f32::from(line.depth) * INDENT;
    if !is_leaf(tree, place) {
        let icon = if line.is_open { theme::icon::OPEN } else { theme::icon::CLOSED };
        icon_at(ui, pos2(x + 5.0, rect.center().y), icon, 13.0, theme.muted);
    }
    let start = tree.range(place).start;
    let colour = if is_warned(document, place) { theme.warning } else { theme.text };
    let (mono, small) = (|| theme::mono(theme::DENSE), || theme::mono(theme::CAPTION));
    text::left(ui, rect, x + 14.0, columns.ty - 6.0, &tree.name(place), mono(), colour);
    text::left(ui, rect, columns.ty, columns.value - 6.0, &tree.type_name(place), small(), theme.muted);
    let value = shown_value(tree, place, document, ctx);
    let end = columns.offset - columns.offset_width - 8.0;
    text::left(ui, rect, columns.value, end, &value, mono(), theme.text);
    text::right(ui, rect, columns.offset, &format!("{start:04X}"), small(), theme.muted);
    if value.is_empty() { tree.path(place) } else { format!("{} {value}", tree.path(place)) }
}

/// Whether a warning is about a field.
fn is_warned(document: &Document, place: Place) -> bool {
    let tree = &document.inspection.tree;
    let range = tree.range(place);
    let mut warnings = document.inspection.warnings.kept().iter();
    let holds = |offset| offset >= range.start && offset < range.end.max(range.start + 1);
    is_leaf(tree, place) && warnings.any(|warning| holds(warning.offset))
}

/// The value as the row shows it: with the names of a hash, and the note of a number.
fn shown_value(tree: &Tree, place: Place, document: &Document, ctx: &ViewCtx<'_>) -> String {
    let mut value = tree.value(place, &document.bytes);
    if let Some(hash) = tree.hash(place, &document.bytes)
        && let [name, ..] = ctx.session.names_of(hash)[..]
    {
        value = format!("{value}  {name}");
    }
    if value.is_empty() && place.record.is_none() {
        return tree.note(place).unwrap_or_default().to_owned();
    }
    value
}

/// A field as one line of text.
pub(super) fn line_of(tree: &Tree, place: Place, document: &Document, ctx: &ViewCtx<'_>) -> String {
    let (path, value) = (tree.path(place), shown_value(tree, place, document, ctx));
    if value.is_empty() { path } else { format!("{path} = {value}") }
}

/// What can be copied of a field.
pub(super) fn menu_ui(ui: &mut Ui, place: Place, document: &Document, ctx: &ViewCtx<'_>) {
    let tree = &document.inspection.tree;
    for (name, key, text) in [
        ("Copy name and value", "Ctrl+C", line_of(tree, place, document, ctx)),
        ("Copy value", "", shown_value(tree, place, document, ctx)),
        ("Copy offset", "", format!("{:#X}", tree.range(place).start)),
    ] {
        if menu::item(ui, name, key, !text.is_empty()) {
            ctx.send(Command::CopyText(text));
        }
    }
}

/// All about a field.
pub(super) fn tooltip_ui(ui: &mut Ui, place: Place, document: &Document, ctx: &ViewCtx<'_>) {
    let (theme, tree) = (ctx.theme, &document.inspection.tree);
    let range = tree.range(place);
    let line = |text: String| RichText::new(text).font(theme::mono(theme::CAPTION));
    ui.label(line(tree.path(place)).color(theme.text));
    ui.label(
        line(format!("{}  {:#X}–{:#X}", tree.type_name(place), range.start, range.end)).color(theme.muted),
    );
    let value = tree.value(place, &document.bytes);
    if !value.is_empty() {
        ui.label(line(value).color(theme.text));
    }
    if let Some(note) = tree.note(place) {
        ui.label(RichText::new(note).size(theme::CAPTION).color(theme.muted));
    }
    if let Some(hash) = tree.hash(place, &document.bytes) {
        for name in ctx.session.names_of(hash) {
            ui.label(line(name.to_owned()).color(theme.text));
        }
    }
    for warning in document.inspection.warnings.kept() {
        if warning.offset >= range.start && warning.offset < range.end {
            ui.label(RichText::new(warning.to_string()).size(theme::CAPTION).color(theme.warning));
        }
    }
}
