//! The bytes of a file, tinted by what they mean.

use std::ops::Range;

use egui::text::{LayoutJob, TextFormat};
use egui::{
    Align2, Color32, EventFilter, Id, Key, Modifiers, Pos2, Rect, RichText, Sense, Ui, WidgetInfo, pos2, vec2,
};
use palimpsest_core::parse::{Endian, Role, Scalar};

use super::ViewCtx;
use crate::command::{Command, Selection, Selector};
use crate::document::Document;
use crate::format::number;
use crate::jobs::Load;
use crate::session::{OpenDocument, Pages};
use crate::theme::{self, Theme};
use crate::widgets::card;
use crate::widgets::rows::Rows;

const PER_ROW: u64 = 16;
const INSPECTOR: f32 = 24.0;

/// The view of a file's bytes.
#[derive(Debug, Default)]
pub(super) struct HexView {
    rows: Rows,
    /// The selection that was brought into view last.
    seen: Option<Selection>,
    /// Where a selection by dragging began.
    anchor: Option<u64>,
}

/// Where things stand in a row, in points.
struct Columns {
    digits: usize,
    advance: f32,
    offset: f32,
    hex: f32,
    text: f32,
}

impl Columns {
    fn new(ui: &Ui, len: u64, left: f32) -> Self {
        let advance = ui.ctx().fonts_mut(|fonts| fonts.glyph_width(&theme::mono(theme::DENSE), '0'));
        let digits = format!("{len:X}").len().max(8);
        let offset = left + 12.0;
        let hex = offset + (digits as f32 + 2.0) * advance;
        // Three characters a byte, one more in the middle and two behind.
        let text = hex + (3.0 * PER_ROW as f32 + 2.0) * advance;
        Self { digits, advance, offset, hex, text }
    }

    /// The left edge of a byte's two digits.
    fn hex_x(&self, at: u64) -> f32 {
        let gap = if at >= PER_ROW / 2 { 1.0 } else { 0.0 };
        self.hex + (3.0 * at as f32 + gap) * self.advance
    }

    fn text_x(&self, at: u64) -> f32 {
        self.text + at as f32 * self.advance
    }

    /// The byte of a row that a point is over.
    fn byte_at(&self, x: f32) -> u64 {
        let in_text = x >= self.text - self.advance;
        let place = if in_text {
            (x - self.text) / self.advance
        } else {
            let middle = self.hex_x(PER_ROW / 2) - self.advance;
            let x = if x > middle { x - self.advance } else { x };
            (x - self.hex + self.advance / 2.0) / (3.0 * self.advance)
        };
        (place.max(0.0) as u64).min(PER_ROW - 1)
    }
}

impl HexView {
    pub(super) fn ui(&mut self, ui: &mut Ui, open: &OpenDocument, document: &Document, ctx: &ViewCtx<'_>) {
        let theme = ctx.theme;
        ui.painter().rect_filled(ui.available_rect_before_wrap(), 0.0, theme.canvas);
        // A fault ends the bytes; a file that is too large goes on by pages.
        let len = if document.fault.is_some() { document.bytes.len() as u64 } else { document.len() };
        if len == 0 {
            let hint = if document.is_empty() {
                "The file holds no byte."
            } else {
                "Its first chunk cannot be decoded."
            };
            card::empty_ui(ui, theme::icon::FILE, "No bytes to show", hint);
            return;
        }
        self.follow(open);
        let area = ui.available_rect_before_wrap();
        let list =
            Rect::from_min_max(area.min, pos2(area.right(), (area.bottom() - INSPECTOR).max(area.top())));
        let columns = Columns::new(ui, len, area.left());
        let id = ui.scope_id().with(("hex", open.id));
        let focus = ui.interact(list, id, Sense::click_and_drag());
        focus.widget_info(|| WidgetInfo::labeled(egui::accesskit::Role::Table, true, "Bytes"));
        let mut view = ui.new_child(egui::UiBuilder::new().id_salt("hex rows").max_rect(list));
        let mut missing: Option<Range<u64>> = None;
        let rows = len.div_ceil(PER_ROW);
        let shown = self.rows.ui(&mut view, id.with("rows"), theme::HEX_ROW, rows, |ui, row, rect| {
            let start = row * PER_ROW;
            let range = start..(start + PER_ROW).min(len);
            if let Some(bytes) = bytes_of(open, document, range.clone()) {
                row_ui(ui, rect, &columns, range, bytes, open, document, theme);
                return;
            }
            let first = missing.as_ref().map_or(range.start, |seen| seen.start);
            missing = Some(first..range.end);
            let offset = format!("{start:0digits$X}", digits = columns.digits);
            let font = theme::mono(theme::DENSE);
            let y = rect.center().y;
            ui.painter().text(
                pos2(columns.offset, y),
                Align2::LEFT_CENTER,
                offset,
                font.clone(),
                theme.muted,
            );
            let note = page_note(open, start);
            ui.painter().text(pos2(columns.hex, y), Align2::LEFT_CENTER, note, font, theme.muted);
        });
        if let Some(range) = missing {
            ctx.send(Command::NeedPages(open.id, range));
        }
        self.pointer(ui, &focus, shown, &columns, len, open, document, ctx);
        self.keys(ui, id, &focus, len, open, document, ctx);
        let bottom = Rect::from_min_max(pos2(area.left(), list.bottom()), area.max);
        inspector_ui(ui, bottom, open, document, theme);
        ui.allocate_rect(area, Sense::hover());
    }

    /// Brings a selection that somebody else made into view.
    fn follow(&mut self, open: &OpenDocument) {
        if self.seen == open.selection {
            return;
        }
        if let Some(selection) = &open.selection
            && selection.by != Selector::Hex
        {
            self.rows.reveal(selection.range.start / PER_ROW);
        }
        self.seen.clone_from(&open.selection);
    }

    #[expect(clippy::too_many_arguments, reason = "the pointer means something in all of them")]
    fn pointer(
        &mut self,
        ui: &Ui,
        focus: &egui::Response,
        shown: Rect,
        columns: &Columns,
        len: u64,
        open: &OpenDocument,
        document: &Document,
        ctx: &ViewCtx<'_>,
    ) {
        let byte_at = |at: Pos2| {
            let row = ((at.y - shown.top()).max(0.0) / theme::HEX_ROW) as u64 + self.rows.top();
            (row * PER_ROW + columns.byte_at(at.x)).min(len - 1)
        };
        let select =
            |range: Range<u64>| ctx.send(Command::Select(open.id, Selection { range, by: Selector::Hex }));
        if focus.is_pointer_button_down_on()
            && ui.input(|input| input.pointer.primary_pressed())
            && let Some(at) = focus.interact_pointer_pos()
        {
            ui.memory_mut(|memory| memory.request_focus(focus.id));
            let byte = byte_at(at);
            let extends = ui.input(|input| input.modifiers.shift);
            let from = self.anchor.filter(|_| extends).unwrap_or(byte);
            self.anchor = Some(from);
            if extends {
                select(from.min(byte)..from.max(byte) + 1);
            }
        }
        if focus.dragged()
            && let (Some(from), Some(at)) = (self.anchor, focus.interact_pointer_pos())
        {
            let byte = byte_at(at);
            if byte != from
                || open.selection.as_ref().is_some_and(|selection| selection.range.contains(&from))
            {
                select(from.min(byte)..from.max(byte) + 1);
            }
        }
        if focus.clicked()
            && !ui.input(|input| input.modifiers.shift)
            && let Some(byte) = self.anchor
        {
            // A click selects the field around the byte, a second click the byte alone.
            let field =
                document.inspection.tree.locate(byte).map(|place| document.inspection.tree.range(place));
            let field = field.filter(|field| field.end - field.start <= 4096);
            let is_again = open.selection.as_ref().map(|selection| &selection.range) == field.as_ref();
            select(field.filter(|_| !is_again).unwrap_or(byte..byte + 1));
        }
        if let Some(at) = focus.hover_pos().filter(|at| shown.contains(*at)) {
            let byte = byte_at(at);
            focus.clone().on_hover_ui_at_pointer(|ui| tooltip_ui(ui, byte, document, ctx));
        }
    }

    #[expect(clippy::too_many_arguments, reason = "the keys mean something in all of them")]
    fn keys(
        &mut self,
        ui: &Ui,
        id: Id,
        focus: &egui::Response,
        len: u64,
        open: &OpenDocument,
        document: &Document,
        ctx: &ViewCtx<'_>,
    ) {
        if !focus.has_focus() {
            return;
        }
        let filter = EventFilter { vertical_arrows: true, horizontal_arrows: true, ..EventFilter::default() };
        ui.memory_mut(|memory| memory.set_focus_lock_filter(id, filter));
        let at = open
            .selection
            .as_ref()
            .map_or_else(|| self.rows.top() * PER_ROW, |selection| selection.range.start);
        let pressed = |key| ui.input_mut(|input| input.consume_key(Modifiers::NONE, key));
        let page = self.rows.page() * PER_ROW;
        let steps: [(Key, Option<u64>); 8] = [
            (Key::ArrowRight, at.checked_add(1)),
            (Key::ArrowLeft, at.checked_sub(1)),
            (Key::ArrowDown, at.checked_add(PER_ROW)),
            (Key::ArrowUp, at.checked_sub(PER_ROW)),
            (Key::PageDown, Some(at.saturating_add(page))),
            (Key::PageUp, Some(at.saturating_sub(page))),
            (Key::Home, Some(0)),
            (Key::End, Some(len - 1)),
        ];
        for (key, to) in steps {
            if pressed(key)
                && let Some(to) = to
            {
                let to = to.min(len - 1);
                self.rows.reveal(to / PER_ROW);
                self.anchor = Some(to);
                ctx.send(Command::Select(open.id, Selection { range: to..to + 1, by: Selector::Hex }));
            }
        }
        let copies = ui.input_mut(|input| {
            let before = input.events.len();
            input.events.retain(|event| *event != egui::Event::Copy);
            input.events.len() < before
        });
        if copies && let Some(selection) = &open.selection {
            const MOST: u64 = 1 << 20;
            let range = selection.range.start..selection.range.end.min(selection.range.start + MOST);
            if let Some(bytes) = bytes_of(open, document, range) {
                let hex: Vec<_> = bytes.iter().map(|byte| format!("{byte:02X}")).collect();
                ctx.send(Command::CopyText(hex.join(" ")));
            }
        }
    }
}

/// The bytes of a range: from what was read at once, or from a page.
fn bytes_of<'a>(open: &'a OpenDocument, document: &'a Document, range: Range<u64>) -> Option<&'a [u8]> {
    let at = |offset: u64| usize::try_from(offset).ok();
    if range.end <= document.bytes.len() as u64 {
        return document.bytes.get(at(range.start)?..at(range.end)?);
    }
    let page = range.start / Pages::SIZE;
    let start = page * Pages::SIZE;
    let bytes = open.pages.get(page)?.ready()?;
    bytes.get(at(range.start - start)?..at(range.end - start)?)
}

/// What stands for a row that is not there.
fn page_note(open: &OpenDocument, start: u64) -> String {
    match open.pages.get(start / Pages::SIZE) {
        Some(Load::Failed(error)) => error.in_place(),
        _ => "reading…".to_owned(),
    }
}

#[expect(clippy::too_many_arguments, reason = "a row is drawn from all of them, once")]
fn row_ui(
    ui: &Ui,
    rect: Rect,
    columns: &Columns,
    range: Range<u64>,
    bytes: &[u8],
    open: &OpenDocument,
    document: &Document,
    theme: &Theme,
) {
    let y = rect.center().y;
    let font = theme::mono(theme::DENSE);
    let painter = ui.painter();
    let offset = format!("{:0digits$X}", range.start, digits = columns.digits);
    painter.text(pos2(columns.offset, y), Align2::LEFT_CENTER, offset, font.clone(), theme.muted);
    let selected = open.selection.as_ref().map(|selection| &selection.range);
    for (at, place) in (0..).zip(range.clone()) {
        let ground = if selected.is_some_and(|selected| selected.contains(&place)) {
            Some(theme.selection)
        } else {
            tint_of(document, place, theme)
        };
        if let Some(ground) = ground {
            byte_ground(painter, columns, at, rect, ground);
        }
    }
    let mut hex = LayoutJob::default();
    let mut text = LayoutJob::default();
    let format = |color: Color32| TextFormat { font_id: font.clone(), color, ..TextFormat::default() };
    for (at, byte) in (0..).zip(bytes) {
        let colour = if *byte == 0 { theme.muted } else { theme.text };
        let gap = if at == PER_ROW / 2 { " " } else { "" };
        hex.append(&format!("{gap}{byte:02X} "), 0.0, format(colour));
        let is_shown = byte.is_ascii_graphic() || *byte == b' ';
        let letter = if is_shown { char::from(*byte) } else { '·' };
        text.append(&letter.to_string(), 0.0, format(if is_shown { theme.text } else { theme.muted }));
    }
    for (job, x) in [(hex, columns.hex), (text, columns.text)] {
        let galley = ui.ctx().fonts_mut(|fonts| fonts.layout_job(job));
        let top = y - galley.size().y / 2.0;
        painter.galley(pos2(x, top), galley, theme.text);
    }
}

fn tint_of(document: &Document, place: u64, theme: &Theme) -> Option<Color32> {
    let tree = &document.inspection.tree;
    theme.tint(tree.role(tree.locate(place)?))
}

/// The ground of one byte, in both columns, without seams between neighbours.
fn byte_ground(painter: &egui::Painter, columns: &Columns, at: u64, row: Rect, colour: Color32) {
    let half = columns.advance / 2.0;
    let left = columns.hex_x(at) - half;
    let right = if at + 1 == PER_ROW {
        columns.hex_x(at) + 2.5 * columns.advance
    } else {
        columns.hex_x(at + 1) - half
    };
    painter.rect_filled(Rect::from_min_max(pos2(left, row.top()), pos2(right, row.bottom())), 0.0, colour);
    let text = Rect::from_min_size(pos2(columns.text_x(at), row.top()), vec2(columns.advance, row.height()));
    painter.rect_filled(text, 0.0, colour);
}

fn tooltip_ui(ui: &mut Ui, byte: u64, document: &Document, ctx: &ViewCtx<'_>) {
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

/// One line under the bytes: the selection, read as every kind of number.
fn inspector_ui(ui: &Ui, rect: Rect, open: &OpenDocument, document: &Document, theme: &Theme) {
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    painter.rect_filled(rect, 0.0, theme.panel);
    painter.hline(rect.x_range(), rect.top(), theme.line());
    let font = theme::mono(theme::CAPTION);
    let Some(selection) = &open.selection else {
        let at = pos2(rect.left() + 12.0, rect.center().y);
        painter.text(
            at,
            Align2::LEFT_CENTER,
            "Click a byte to see it as numbers.",
            theme::sans(theme::CAPTION),
            theme.muted,
        );
        return;
    };
    let range = &selection.range;
    let len = range.end - range.start;
    let window = range.start..(range.start + 8).min(document.bytes.len() as u64).max(range.start);
    let bytes = bytes_of(open, document, window).unwrap_or_default();
    let mut parts = vec![("at", format!("{:#X}", range.start)), ("bytes", number(len))];
    let numbers = [Scalar::U8, Scalar::U16, Scalar::U32, Scalar::I32, Scalar::F32, Scalar::U64];
    parts.extend(numbers.iter().filter_map(|scalar| {
        scalar.read(bytes, Endian::Little).map(|number| (scalar.name(), number.to_string()))
    }));
    if let Some(half) = bytes.first_chunk().map(|bytes| u16::from_le_bytes(*bytes)) {
        parts.push(("f16", half_float(half).to_string()));
    }
    let mut x = rect.left() + 12.0;
    for (name, value) in parts {
        let y = rect.center().y;
        let drawn = painter.text(pos2(x, y), Align2::LEFT_CENTER, name, font.clone(), theme.muted);
        let drawn =
            painter.text(pos2(drawn.right() + 6.0, y), Align2::LEFT_CENTER, value, font.clone(), theme.text);
        x = drawn.right() + 16.0;
    }
}

/// A half float as a float.
fn half_float(bits: u16) -> f32 {
    let sign = if bits & 0x8000 == 0 { 1.0 } else { -1.0 };
    let (exponent, fraction) = (i32::from(bits >> 10 & 0x1F), f32::from(bits & 0x3FF));
    match exponent {
        0 => sign * fraction * 2f32.powi(-24),
        31 if fraction == 0.0 => sign * f32::INFINITY,
        31 => f32::NAN,
        _ => sign * (1.0 + fraction / 1024.0) * 2f32.powi(exponent - 15),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_floats_are_read() {
        for (bits, expected) in
            [(0x3C00, 1.0), (0xC000, -2.0), (0x7BFF, 65504.0), (0x0001, 5.960_464_5e-8), (0, 0.0)]
        {
            assert!(
                (half_float(bits) - expected).abs() < f32::EPSILON * expected.abs().max(1e-7),
                "{bits:#X}"
            );
        }
        assert!(half_float(0x7C00).is_infinite() && half_float(0x7E00).is_nan());
    }

    #[test]
    fn points_find_their_bytes_in_both_columns() {
        let columns = Columns { digits: 8, advance: 7.0, offset: 12.0, hex: 82.0, text: 432.0 };
        for at in 0..PER_ROW {
            assert_eq!(columns.byte_at(columns.hex_x(at) + 7.0), at);
            assert_eq!(columns.byte_at(columns.text_x(at) + 3.0), at);
        }
        assert_eq!(columns.byte_at(0.0), 0);
        assert_eq!(columns.byte_at(9000.0), PER_ROW - 1);
    }
}
