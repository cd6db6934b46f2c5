//! The bytes of a file, tinted by what they mean.

mod columns;
mod draw;
mod inspector;
mod source;

use std::ops::Range;

use egui::{Key, Pos2, Rect, Response, RichText, Sense, Ui, WidgetInfo, pos2};

pub(super) use self::columns::Columns;
pub(super) use self::draw::{byte_ground, offset, tooltip_ui};
use self::source::{Gap, Source, as_hex, as_text, page_of};
use super::ViewCtx;
use crate::command::{Command, Overlay, Selection, Selector};
use crate::document::Document;
use crate::session::OpenDocument;
use crate::theme;
use crate::widgets::rows::Rows;
use crate::widgets::{card, keys, menu};

const INSPECTOR: f32 = 24.0;
/// Larger fields are not selected by a click; the byte is.
const LONGEST_FIELD: u64 = 4096;

/// The view of a file's bytes.
#[derive(Debug, Default)]
pub(super) struct HexView {
    rows: Rows,
    /// Bytes of a row at the last draw.
    per_row: u64,
    /// The selection that was brought into view last.
    seen: Option<Selection>,
    /// Where a selection by dragging began.
    anchor: Option<u64>,
}

impl HexView {
    pub(super) fn ui(&mut self, ui: &mut Ui, open: &OpenDocument, document: &Document, ctx: &ViewCtx<'_>) {
        let source = Source { open, document };
        let area = ui.available_rect_before_wrap();
        ui.painter().rect_filled(area, 0.0, ctx.theme.canvas);
        if source.len() == 0 {
            let hint = "The file holds no byte.";
            card::empty_ui(ui, theme::icon::FILE, "No bytes to show", hint);
            return;
        }
        let bottom = (area.bottom() - INSPECTOR).max(area.top());
        let list = Rect::from_min_max(area.min, pos2(area.right(), bottom));
        let columns = Columns::new(ui, source.len(), list);
        if self.per_row != columns.per_row {
            // The first byte that is shown stays the first.
            self.rows.set_top(self.rows.top() * self.per_row / columns.per_row);
            self.per_row = columns.per_row;
        }
        self.follow(open);
        let id = ui.scope_id().with(("hex", open.id));
        let focus = ui.interact(list, id, Sense::click_and_drag());
        focus.widget_info(|| WidgetInfo::labeled(egui::accesskit::Role::Table, true, "Bytes"));
        let shown = self.rows_ui(ui, list, &focus, &columns, source, ctx);
        self.pointer(ui, &focus, shown, &columns, source, ctx);
        self.keys(ui, &focus, source, ctx);
        inspector::ui(ui, Rect::from_min_max(pos2(area.left(), bottom), area.max), source, ctx.theme);
        ui.allocate_rect(area, Sense::hover());
    }

    /// Draws the visible rows and asks for those that are not there; where they stand.
    fn rows_ui(
        &mut self,
        ui: &mut Ui,
        list: Rect,
        focus: &Response,
        columns: &Columns,
        source: Source<'_>,
        ctx: &ViewCtx<'_>,
    ) -> Rect {
        let mut view = ui.new_child(egui::UiBuilder::new().id_salt("hex rows").max_rect(list));
        let mut missing: Option<Range<u64>> = None;
        let len = source.len();
        let (id, per_row, top) = (focus.id.with("rows"), self.per_row, self.rows.top());
        let shown = self.rows.ui(&mut view, id, theme::HEX_ROW, len.div_ceil(per_row), |ui, row, rect| {
            let range = row * per_row..(row * per_row + per_row).min(len);
            if let Some(bytes) = source.bytes(range.clone()) {
                draw::row(ui, rect, columns, range.start, bytes, source);
                return;
            }
            let first = missing.as_ref().map_or(range.start, |seen| seen.start);
            missing = Some(first..range.end);
            // Said once for a gap, and at the top of what is seen of it.
            let is_first = row == top || page_of(range.start) != page_of(range.start - per_row);
            let gap = source.gap(range.start).filter(|_| is_first);
            draw::missing(ui, rect, columns, range.start, gap.as_ref());
        });
        if let Some(range) = missing {
            ctx.send(Command::NeedPages(source.open.id, range));
        }
        shown
    }

    /// Brings a selection that somebody else made into view.
    fn follow(&mut self, open: &OpenDocument) {
        if self.seen == open.selection {
            return;
        }
        if let Some(selection) = &open.selection
            && selection.by != Selector::Hex
        {
            self.rows.reveal(selection.range.start / self.per_row);
        }
        self.seen.clone_from(&open.selection);
    }

    fn pointer(
        &mut self,
        ui: &Ui,
        focus: &Response,
        shown: Rect,
        columns: &Columns,
        source: Source<'_>,
        ctx: &ViewCtx<'_>,
    ) {
        let Source { open, document } = source;
        let byte_at = |at: Pos2| {
            let row = ((at.y - shown.top()).max(0.0) / theme::HEX_ROW) as u64 + self.rows.top();
            (row * self.per_row + columns.byte_at(at.x)).min(source.len() - 1)
        };
        // What lies below the last row is no byte; dragging there still reaches the last one.
        let rows = source.len().div_ceil(self.per_row) - self.rows.top();
        let bottom = shown.top() + rows as f32 * theme::HEX_ROW;
        let is_row = |at: Pos2| at.y < bottom;
        let select = |range: Range<u64>| select(open, range, ctx);
        let at = focus.interact_pointer_pos();
        let is_pressed = ui.input(|input| input.pointer.primary_pressed());
        let extends = keys::shift_at_pointer(ui);
        if (is_pressed && focus.is_pointer_button_down_on() || focus.clicked())
            && let Some(at) = at.filter(|at| is_row(*at))
        {
            ui.memory_mut(|memory| memory.request_focus(focus.id));
            let byte = byte_at(at);
            let from = self.anchor.filter(|_| extends).unwrap_or(byte);
            self.anchor = Some(from);
            if extends {
                select(from.min(byte)..from.max(byte) + 1);
            } else if focus.clicked() {
                select(clicked(byte, source));
            }
        }
        if focus.dragged()
            && let (Some(from), Some(at)) = (self.anchor, at)
        {
            let byte = byte_at(at);
            if byte != from
                || open.selection.as_ref().is_some_and(|selection| selection.range.contains(&from))
            {
                select(from.min(byte)..from.max(byte) + 1);
            }
        }
        focus.context_menu(|ui| menu_ui(ui, source, ctx));
        if let Some(at) =
            focus.hover_pos().filter(|at| shown.contains(*at) && is_row(*at) && !focus.dragged())
        {
            let byte = byte_at(at);
            focus.clone().on_hover_ui_at_pointer(|ui| match source.gap(byte) {
                Some(Gap::Fault(reason)) if source.bytes(byte..byte + 1).is_none() => {
                    ui.label(RichText::new(reason).size(theme::DENSE).color(ctx.theme.error));
                }
                _ => draw::tooltip_ui(ui, byte, document, ctx),
            });
        }
    }

    fn keys(&mut self, ui: &Ui, focus: &Response, source: Source<'_>, ctx: &ViewCtx<'_>) {
        if !focus.has_focus() {
            return;
        }
        keys::keep_arrows(ui, focus.id);
        let (open, last) = (source.open, source.len() - 1);
        let shown = self.rows.top() * self.per_row;
        let range = open.selection.as_ref().map_or(shown..shown + 1, |selection| selection.range.clone());
        // With Shift the end that is not the anchor moves, without it the whole selection.
        let anchor = self.anchor.filter(|anchor| range.contains(anchor)).unwrap_or(range.start);
        let head = if anchor == range.start { range.end.saturating_sub(1).max(anchor) } else { range.start };
        let (per_row, page) = (self.per_row, self.rows.page() * self.per_row);
        for key in [
            Key::ArrowRight,
            Key::ArrowLeft,
            Key::ArrowDown,
            Key::ArrowUp,
            Key::PageDown,
            Key::PageUp,
            Key::Home,
            Key::End,
        ] {
            let Some(held) = keys::taken(ui, key) else { continue };
            let extends = held.shift;
            let from = if extends { head..head + 1 } else { range.clone() };
            let to = match key {
                Key::ArrowRight => Some(from.end),
                Key::ArrowLeft => from.start.checked_sub(1),
                Key::ArrowDown => from.start.checked_add(per_row),
                Key::ArrowUp => from.start.checked_sub(per_row),
                Key::PageDown => Some(from.start.saturating_add(page)),
                Key::PageUp => Some(from.start.saturating_sub(page)),
                Key::Home => Some(0),
                _ => Some(last),
            };
            if let Some(to) = to.map(|to| to.min(last)) {
                self.rows.reveal(to / self.per_row);
                let anchor = if extends { anchor } else { to };
                self.anchor = Some(anchor);
                select(open, anchor.min(to)..anchor.max(to) + 1, ctx);
            }
        }
        if keys::takes_copy(ui)
            && let Some(text) = source.selected(as_hex)
        {
            ctx.send(Command::CopyText(text));
        }
    }
}

/// What a click selects: the field around a byte, or at the second click the byte alone.
fn clicked(byte: u64, source: Source<'_>) -> Range<u64> {
    let tree = &source.document.inspection.tree;
    let field = tree.locate(byte).map(|place| tree.range(place));
    let field = field.filter(|field| field.end - field.start <= LONGEST_FIELD);
    let is_again = source.open.selection.as_ref().map(|selection| &selection.range) == field.as_ref();
    field.filter(|_| !is_again).unwrap_or(byte..byte + 1)
}

fn select(open: &OpenDocument, range: Range<u64>, ctx: &ViewCtx<'_>) {
    ctx.send(Command::Select(open.id, Selection { range, by: Selector::Hex }));
}

fn menu_ui(ui: &mut Ui, source: Source<'_>, ctx: &ViewCtx<'_>) {
    let selection = source.open.selection.as_ref();
    for (name, key, text) in [
        ("Copy as hex", "Ctrl+C", source.selected(as_hex)),
        ("Copy as text", "", source.selected(as_text)),
        ("Copy offset", "", selection.map(|selection| format!("{:#X}", selection.range.start))),
    ] {
        if menu::item(ui, name, key, text.is_some()) {
            ctx.commands.send_some(text.map(Command::CopyText));
        }
    }
    if menu::item(ui, "Go to an offset…", "G", true) {
        ctx.send(Command::Show(Overlay::Offset, true));
    }
}
