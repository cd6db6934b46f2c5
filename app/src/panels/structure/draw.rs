//! Draws rows of fields, and what a field says under the pointer.

use egui::{Rect, RichText, Ui, pos2, vec2};
use palimpsest_core::parse::{Place, Role, Tree};

use super::columns::Columns;
use super::lines::is_leaf;
use crate::command::Command;
use crate::document::Document;
use crate::panels::ViewCtx;
use crate::theme;
use crate::widgets::row::icon_at;
use crate::widgets::{menu, text};

const INDENT: f32 = 12.0;
/// Room for the mark of what can be unfolded.
const CHEVRON: f32 = 14.0;
/// Between a value and what it stands for.
pub(super) const MEANING_GAP: f32 = 8.0;

/// Draws the names of the columns.
pub(super) fn header(ui: &Ui, row: Rect, columns: &Columns) {
    let theme = theme::Theme::of(ui.ctx());
    let font = || theme::sans(theme::CAPTION);
    text::left(ui, row, row.left() + 12.0, columns.name_end, "name", font(), theme.muted);
    if let Some((start, end)) = columns.ty {
        text::left(ui, row, start, end, "type", font(), theme.muted);
    }
    let (start, end) = columns.value;
    text::left(ui, row, start, end, "value", font(), theme.muted);
    if let Some(right) = columns.offset {
        text::right(ui, row, right, "offset", font(), theme.muted);
    }
    ui.painter().hline(row.x_range(), row.bottom(), theme.line());
}

/// Where a field stands in the panel.
pub(super) struct Line {
    pub(super) place: Place,
    pub(super) depth: u16,
    pub(super) is_open: bool,
}

/// What a row shows of a field.
pub(super) struct Cells {
    pub(super) name: String,
    pub(super) ty: String,
    pub(super) value: String,
    /// What the value stands for.
    pub(super) meaning: String,
    pub(super) offset: String,
}

impl Cells {
    pub(super) fn new(place: Place, document: &Document, ctx: &ViewCtx<'_>) -> Self {
        let tree = &document.inspection.tree;
        let (value, meaning) = shown_value(tree, place, document, ctx);
        let offset = format!("{:04X}", tree.range(place).start);
        Self { name: tree.name(place), ty: tree.type_name(place), value, meaning, offset }
    }
}

/// Where the name of a field starts, from the left edge of its row.
pub(super) fn name_start(depth: u16) -> f32 {
    10.0 + f32::from(depth) * INDENT + CHEVRON
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
    let x = rect.left() + name_start(line.depth);
    if !is_leaf(tree, place) {
        let icon = if line.is_open { theme::icon::OPEN } else { theme::icon::CLOSED };
        icon_at(ui, pos2(x - CHEVRON + 5.0, rect.center().y), icon, 13.0, theme.muted);
    }
    let colour = if is_warned(document, place) { theme.warning } else { theme.text };
    let (mono, small) = (|| theme::mono(theme::DENSE), || theme::mono(theme::CAPTION));
    let cells = Cells::new(place, document, ctx);
    text::left(ui, rect, x, columns.name_end, &cells.name, mono(), colour);
    if let Some((start, end)) = columns.ty {
        text::left(ui, rect, start, end, &cells.ty, small(), theme.muted);
    }
    let (start, end) = columns.value;
    let value = text::left(ui, rect, start, end, &cells.value, mono(), theme.text);
    if !cells.meaning.is_empty() {
        text::left(ui, rect, value.right() + MEANING_GAP, end, &cells.meaning, small(), theme.muted);
    }
    if let Some(right) = columns.offset {
        text::right(ui, rect, right, &cells.offset, small(), theme.muted);
    }
    let (path, value) = (tree.path(place), joined(&cells.value, &cells.meaning));
    if value.is_empty() { path } else { format!("{path} {value}") }
}

/// Whether a warning is about a field.
fn is_warned(document: &Document, place: Place) -> bool {
    let tree = &document.inspection.tree;
    let range = tree.range(place);
    let mut warnings = document.inspection.warnings.kept().iter();
    let holds = |offset| offset >= range.start && offset < range.end.max(range.start + 1);
    is_leaf(tree, place) && warnings.any(|warning| holds(warning.offset))
}

/// The value as the row shows it, and what it stands for: the name of a hash, the note of a number.
/// Of data, the note says more than the bytes.
fn shown_value(tree: &Tree, place: Place, document: &Document, ctx: &ViewCtx<'_>) -> (String, String) {
    let value = tree.value(place, &document.bytes);
    let hash = tree.hash(place, &document.bytes);
    let name = hash.and_then(|hash| ctx.session.names_of(hash).first().map(|name| (*name).to_owned()));
    let meaning = || tree.meaning(place, &document.bytes).unwrap_or_default().into_owned();
    let meaning = match (name, place) {
        (Some(name), _) => name,
        // A note is about all records of a table.
        (None, Place { record: Some(_), field: None, .. }) => String::new(),
        (None, _) => meaning(),
    };
    let is_data = tree.role(place) == Role::Data && !meaning.is_empty();
    if value.is_empty() || is_data { (meaning, value) } else { (value, meaning) }
}

/// A value and what it stands for as one text.
fn joined(value: &str, meaning: &str) -> String {
    if meaning.is_empty() { value.to_owned() } else { format!("{value}  {meaning}") }
}

/// A field as one line of text.
pub(super) fn line_of(tree: &Tree, place: Place, document: &Document, ctx: &ViewCtx<'_>) -> String {
    let (value, meaning) = shown_value(tree, place, document, ctx);
    let (path, value) = (tree.path(place), joined(&value, &meaning));
    if value.is_empty() { path } else { format!("{path} = {value}") }
}

/// What can be copied of a field.
pub(super) fn menu_ui(ui: &mut Ui, place: Place, document: &Document, ctx: &ViewCtx<'_>) {
    let tree = &document.inspection.tree;
    let (value, meaning) = shown_value(tree, place, document, ctx);
    for (name, key, text) in [
        ("Copy name and value", "Ctrl+C", line_of(tree, place, document, ctx)),
        ("Copy value", "", joined(&value, &meaning)),
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
    let meaning = place.field.and_then(|_| tree.meaning(place, &document.bytes));
    for note in meaning.as_deref().into_iter().chain(tree.note(place)) {
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
