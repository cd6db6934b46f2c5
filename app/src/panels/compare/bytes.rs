//! Two files byte by byte, beside each other and scrolled together.

use std::ops::Range;

use egui::text::{LayoutJob, TextFormat};
use egui::{Align2, Color32, Id, Key, Pos2, Rect, Response, RichText, Sense, Ui, WidgetInfo, pos2};
use palimpsest_core::diff::{Change, MAX_PLACES};

use super::Compared;
use super::bar::{bar_ui, caption, steps_ui, with_bar};
use crate::document::Document;
use crate::format::{count, number};
use crate::panels::ViewCtx;
use crate::panels::hex::{Columns, byte_ground, offset, tooltip_ui};
use crate::theme::{self, Theme};
use crate::widgets::rows::Rows;
use crate::widgets::{keys, text};

/// The view of the bytes of two files.
#[derive(Debug, Default)]
pub(super) struct BytesView {
    rows: Rows,
    /// Bytes of a row at the last draw.
    per_row: u64,
    /// The bytes that were gone to, on both sides.
    current: [Range<u64>; 2],
    /// The number of the place that was gone to.
    place: Option<u64>,
}

impl BytesView {
    /// Draws the bytes into a part of the tab that has this id.
    pub(super) fn ui(&mut self, ui: &mut Ui, id: Id, compared: Compared<'_>, ctx: &ViewCtx<'_>) {
        let (list, bar) = with_bar(ui, ctx);
        ui.painter().rect_filled(list, 0.0, ctx.theme.canvas);
        let len = compared.both().map(Document::len).into_iter().max().unwrap_or(0);
        let columns = Columns::pair(ui, len, list);
        let per_row = columns[0].per_row;
        if self.per_row != per_row {
            // The first byte that is shown stays the first.
            self.rows.set_top(self.rows.top() * self.per_row / per_row);
            self.per_row = per_row;
        }
        let focus = ui.interact(list, id, Sense::click());
        focus.widget_info(|| WidgetInfo::labeled(egui::accesskit::Role::Table, true, "Bytes of both copies"));
        if focus.clicked() {
            ui.memory_mut(|memory| memory.request_focus(focus.id));
        }
        let mut inside = ui.new_child(egui::UiBuilder::new().id_salt("compared bytes").max_rect(list));
        let rows = len.div_ceil(per_row);
        let current = self.current.clone();
        let id = focus.id.with("rows");
        let shown = self.rows.ui(&mut inside, id, theme::HEX_ROW, rows, |ui, row, rect| {
            row_ui(ui, rect, &columns, row * per_row, compared, &current);
        });
        self.pointer(&focus, shown, &columns, compared, ctx);
        if focus.has_focus() {
            keys::keep_arrows(ui, focus.id);
            self.keys(ui, rows);
        }
        bar_ui(ui, bar, |ui| self.bar_ui(ui, compared, ctx));
        ui.allocate_rect(list.union(bar), Sense::hover());
    }

    /// The keys scroll: there is no selection to move.
    fn keys(&mut self, ui: &Ui, rows: u64) {
        let (top, page) = (self.rows.top(), self.rows.page());
        for (key, to) in [
            (Key::ArrowDown, top + 1),
            (Key::ArrowUp, top.saturating_sub(1)),
            (Key::PageDown, top + page),
            (Key::PageUp, top.saturating_sub(page)),
            (Key::Home, 0),
            (Key::End, rows),
        ] {
            if keys::takes(ui, key) {
                self.rows.set_top(to);
            }
        }
    }

    /// Goes to the next place that differs, or to the one before; from the last one on, around.
    pub(super) fn step(&mut self, compared: Compared<'_>, is_forward: bool) {
        let result = compared.result;
        let from = match &self.place {
            Some(_) => self.current[0].start,
            // What is seen at first counts as ahead.
            None if is_forward => {
                let top = self.rows.top() * self.per_row;
                top.checked_sub(1).unwrap_or(u64::MAX)
            }
            None => self.rows.top() * self.per_row,
        };
        let first = || result.place(0).map(|_| 0);
        let last = || result.places().checked_sub(1);
        let next = match is_forward {
            true if from == u64::MAX => first(),
            true => result.place_from(from, true).or_else(first),
            false => result.place_from(from, false).or_else(last),
        };
        if let Some((at, range)) = next.and_then(|at| Some((at, result.place(at)?))) {
            self.select([range.clone(), range]);
            self.place = Some(at);
        }
    }

    /// Brings bytes into view and marks them, those of each side.
    pub(super) fn select(&mut self, ranges: [Range<u64>; 2]) {
        let start = ranges.iter().filter(|range| !range.is_empty()).map(|range| range.start).min();
        if let Some(row) = start.and_then(|start| start.checked_div(self.per_row)) {
            let (top, page) = (self.rows.top(), self.rows.page());
            // What is far away stands a little below the top, so that what follows it is seen as well.
            if row < top || row + 3 > top + page {
                self.rows.set_top(row.saturating_sub(page / 4));
            }
        }
        self.current = ranges;
        self.place = None;
    }

    /// Marks nothing any more.
    pub(super) fn forget(&mut self) {
        self.current = [0..0, 0..0];
        self.place = None;
    }

    fn pointer(
        &self,
        focus: &Response,
        shown: Rect,
        columns: &[Columns; 2],
        compared: Compared<'_>,
        ctx: &ViewCtx<'_>,
    ) {
        let Some(at) = focus.hover_pos().filter(|at| shown.contains(*at)) else { return };
        let byte_at = |at: Pos2, columns: &Columns| {
            let row = ((at.y - shown.top()).max(0.0) / theme::HEX_ROW) as u64 + self.rows.top();
            row * self.per_row + columns.byte_at(at.x)
        };
        let [left, right] = columns;
        let is_right = at.x > right.hex - 2.0 * right.advance;
        let (columns, document) = if is_right { (right, compared.right) } else { (left, compared.left) };
        let byte = byte_at(at, columns);
        if byte < document.bytes.len() as u64 {
            focus.clone().on_hover_ui_at_pointer(|ui| tooltip_ui(ui, byte, document, ctx));
        }
    }

    fn bar_ui(&self, ui: &mut Ui, compared: Compared<'_>, ctx: &ViewCtx<'_>) {
        let (result, theme) = (compared.result, ctx.theme);
        let all = result.places();
        steps_ui(ui, all > 0, ctx);
        let places = match self.place {
            _ if all == 0 => "No difference".to_owned(),
            Some(at) => format!("{} of {}", number(at + 1), count(all, "difference")),
            None => count(all, "difference"),
        };
        ui.label(RichText::new(places).font(theme::mono(theme::CAPTION)).color(theme.text));
        let mut notes = Vec::new();
        if let Some(place) = self.place {
            let range = result.place(place).unwrap_or_default();
            let what = match &result.tail {
                Some((_, Change::Added)) if place == result.bytes.count => "added ",
                Some(_) if place == result.bytes.count => "removed ",
                _ => "",
            };
            notes.push(format!("{what}{} at {:#X}", count(range.end - range.start, "byte"), range.start));
        }
        if result.bytes.count > MAX_PLACES as u64 {
            notes.push(format!("the first {} can be gone to", number(MAX_PLACES as u64)));
        }
        caption(ui, notes.join("  ·  "), ctx);
    }
}

/// A row of both files.
fn row_ui(
    ui: &Ui,
    rect: Rect,
    columns: &[Columns; 2],
    start: u64,
    compared: Compared<'_>,
    current: &[Range<u64>; 2],
) {
    let theme = Theme::of(ui.ctx());
    let [left, right] = columns;
    offset(ui, rect, left, start, theme);
    let change = row_change(start..start + left.per_row, compared);
    if change != Change::Same {
        let middle = (left.text_x(left.per_row) + right.hex - left.advance) / 2.0;
        let at = pos2(middle, rect.center().y);
        let font = theme::semibold(theme::DENSE);
        ui.painter().text(at, Align2::CENTER_CENTER, change.sign(), font, theme.change(change));
    }
    let sides = [
        (compared.left, compared.right, theme.removed_ground, theme.removed),
        (compared.right, compared.left, theme.added_ground, theme.added),
    ];
    for (((own, other, soft, strong), columns), current) in sides.into_iter().zip(columns).zip(current) {
        let paint = Paint { own, other, soft, strong, current, theme };
        paint.row(ui, rect, columns, start);
    }
}

/// How the bytes of a row relate, taken together.
fn row_change(row: Range<u64>, compared: Compared<'_>) -> Change {
    let of = |document: &Document| {
        let at = |offset: u64| usize::try_from(offset).unwrap_or(usize::MAX).min(document.bytes.len());
        document.bytes.slice(at(row.start)..at(row.end))
    };
    let (left, right) = (of(compared.left), of(compared.right));
    let shared = left.len().min(right.len());
    if left.slice(..shared) != right.slice(..shared) {
        return Change::Changed;
    }
    match &compared.result.tail {
        Some((tail, change)) if tail.start < row.end => *change,
        _ => Change::Same,
    }
}

/// How the bytes of one side are drawn.
struct Paint<'a> {
    own: &'a Document,
    other: &'a Document,
    /// The ground of bytes that differ.
    soft: Color32,
    /// The ground of those that were gone to.
    strong: Color32,
    current: &'a Range<u64>,
    theme: &'a Theme,
}

impl Paint<'_> {
    fn row(&self, ui: &Ui, rect: Rect, columns: &Columns, start: u64) {
        let font = theme::mono(theme::DENSE);
        let format = |color: Color32| TextFormat { font_id: font.clone(), color, ..TextFormat::default() };
        let (mut hex, mut letters) = (LayoutJob::default(), LayoutJob::default());
        for at in 0..columns.per_row.min(self.own.len().saturating_sub(start)) {
            let gap = if Columns::has_gap(at) { " " } else { "" };
            let Some(byte) = byte(self.own, start + at) else {
                hex.append(&format!("{gap}·· "), 0.0, format(self.theme.muted));
                letters.append(" ", 0.0, format(self.theme.muted));
                continue;
            };
            let (ground, colour) = self.colours(start + at, byte);
            if let Some(ground) = ground {
                byte_ground(ui.painter(), columns, at, rect, ground);
            }
            hex.append(&format!("{gap}{byte:02X} "), 0.0, format(colour));
            let is_shown = byte.is_ascii_graphic() || byte == b' ';
            let letter = if is_shown { char::from(byte) } else { '·' };
            letters.append(&letter.to_string(), 0.0, format(colour));
        }
        text::job_at(ui, rect, columns.hex, hex);
        text::job_at(ui, rect, columns.text, letters);
    }

    /// The ground of a byte and its own colour.
    fn colours(&self, at: u64, own: u8) -> (Option<Color32>, Color32) {
        // What the other side has not, or could not read, is told apart by the end of its bytes.
        let differs = match byte(self.other, at) {
            Some(other) => other != own,
            None => at >= self.other.len(),
        };
        match (differs, self.current.contains(&at)) {
            (true, true) => (Some(self.strong), self.theme.canvas),
            (true, false) => (Some(self.soft), self.theme.text),
            (false, true) => (Some(self.theme.selected_bytes), self.theme.text),
            (false, false) => (None, self.theme.muted),
        }
    }
}

fn byte(of: &Document, at: u64) -> Option<u8> {
    of.bytes.get(usize::try_from(at).ok()?).copied()
}
