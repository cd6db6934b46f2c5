//! Draws rows of bytes, and what a byte says under the pointer.

use egui::text::{LayoutJob, TextFormat};
use egui::{Color32, Painter, Rect, RichText, Ui, pos2, vec2};
use palimpsest_core::parse::Role;

use super::columns::Columns;
use super::source::{Gap, Source};
use crate::document::Document;
use crate::format::number;
use crate::panels::ViewCtx;
use crate::theme::{self, Theme};
use crate::widgets::text;

/// Draws a row of bytes.
pub(super) fn row(ui: &Ui, rect: Rect, columns: &Columns, start: u64, bytes: &[u8], source: Source<'_>) {
    let theme = Theme::of(ui.ctx());
    let font = theme::mono(theme::DENSE);
    offset(ui, rect, columns, start, theme);
    let selected = source.open.selection.as_ref().map_or(0..0, |selection| selection.range.clone());
    let mut hex = LayoutJob::default();
    let mut letters = LayoutJob::default();
    let format = |color: Color32| TextFormat { font_id: font.clone(), color, ..TextFormat::default() };
    for (at, byte) in (0..).zip(bytes) {
        let is_selected = selected.contains(&(start + at));
        let ground = if is_selected {
            Some(theme.selected_bytes)
        } else {
            tint_of(source.document, start + at, theme)
        };
        if let Some(ground) = ground {
            byte_ground(ui.painter(), columns, at, rect, ground);
        }
        let colour = if *byte == 0 && !is_selected { theme.muted } else { theme.text };
        let gap = if Columns::has_gap(at) { " " } else { "" };
        hex.append(&format!("{gap}{byte:02X} "), 0.0, format(colour));
        let is_shown = byte.is_ascii_graphic() || *byte == b' ';
        let letter = if is_shown { char::from(*byte) } else { '·' };
        letters.append(&letter.to_string(), 0.0, format(if is_shown { theme.text } else { theme.muted }));
    }
    text::job_at(ui, rect, columns.hex, hex);
    text::job_at(ui, rect, columns.text, letters);
}

/// Draws a row whose bytes are not there, and why, where that is to be said in this row.
pub(super) fn missing(ui: &Ui, rect: Rect, columns: &Columns, start: u64, gap: Option<&Gap>) {
    let theme = Theme::of(ui.ctx());
    offset(ui, rect, columns, start, theme);
    let (note, colour) = match gap {
        Some(Gap::Pending) => ("reading…", theme.muted),
        Some(Gap::Fault(reason)) => (reason.as_str(), theme.error),
        None => ("··", theme.muted),
    };
    text::left(ui, rect, columns.hex, rect.right(), note, theme::mono(theme::DENSE), colour);
}

pub(in crate::panels) fn offset(ui: &Ui, rect: Rect, columns: &Columns, start: u64, theme: &Theme) {
    let offset = format!("{start:0digits$X}", digits = columns.digits);
    text::left(ui, rect, columns.offset, rect.right(), &offset, theme::mono(theme::DENSE), theme.muted);
}

fn tint_of(document: &Document, place: u64, theme: &Theme) -> Option<Color32> {
    let tree = &document.inspection.tree;
    theme.tint(tree.role(tree.locate(place)?))
}

/// The ground of one byte, in both columns, without seams between neighbours.
pub(in crate::panels) fn byte_ground(
    painter: &Painter,
    columns: &Columns,
    at: u64,
    row: Rect,
    colour: Color32,
) {
    let half = columns.advance / 2.0;
    let left = columns.hex_x(at) - half;
    let right = if at + 1 == columns.per_row {
        columns.hex_x(at) + 2.5 * columns.advance
    } else {
        columns.hex_x(at + 1) - half
    };
    painter.rect_filled(Rect::from_min_max(pos2(left, row.top()), pos2(right, row.bottom())), 0.0, colour);
    let text = Rect::from_min_size(pos2(columns.text_x(at), row.top()), vec2(columns.advance, row.height()));
    painter.rect_filled(text, 0.0, colour);
}

/// What a byte says under the pointer.
pub(in crate::panels) fn tooltip_ui(ui: &mut Ui, byte: u64, document: &Document, ctx: &ViewCtx<'_>) {
    let theme = ctx.theme;
    let tree = &document.inspection.tree;
    ui.label(
        RichText::new(format!("{byte:#X}  ({})", number(byte)))
            .font(theme::mono(theme::CAPTION))
            .color(theme.muted),
    );
    let Some(place) = tree.locate(byte) else { return };
    ui.label(RichText::new(tree.path(place)).font(theme::mono(theme::DENSE)).color(theme.text));
    let mut text = tree.type_name(place);
    let value = tree.value(place, &document.bytes);
    if !value.is_empty() && tree.role(place) != Role::Data {
        text = format!("{text}  {value}");
    }
    ui.label(RichText::new(text).font(theme::mono(theme::CAPTION)).color(theme.muted));
    if let Some(note) = tree.note(place) {
        ui.label(RichText::new(note).size(theme::CAPTION).color(theme.muted));
    }
    if let Some(hash) = tree.hash(place, &document.bytes) {
        for name in ctx.session.names_of(hash) {
            ui.label(RichText::new(name).font(theme::mono(theme::CAPTION)).color(theme.text));
        }
    }
}
