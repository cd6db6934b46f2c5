//! Tables of texts: one alone, beside those of other languages, or beside those of other layers.

mod bar;
mod columns;
mod detail;
mod guess;
mod names;
mod table;

use std::collections::BTreeSet;

use egui::{Rect, Ui, UiBuilder, pos2};
use palimpsest_core::strings::Sheet;

use self::columns::Columns;
use super::ViewCtx;
use crate::jobs::Load;
use crate::session::OpenDocument;
use crate::theme;
use crate::widgets::card;
use crate::widgets::rows::Rows;

/// Height of what stands above the rows.
const BAR: f32 = 58.0;
/// The same in a narrow panel, and how narrow that is.
const TALL_BAR: f32 = 114.0;
const NARROW: f32 = 640.0;
/// Height of the names of the columns.
const HEADER: f32 = 22.0;
/// Height of what is told of the chosen cell.
const DETAIL: f32 = 104.0;

/// How a table of texts is looked at; kept when another copy is shown.
#[derive(Debug, Default)]
pub(super) struct StringsView {
    rows: Rows,
    columns: Columns,
    /// Whether texts have several lines.
    wraps: bool,
    /// The chosen rows of the sheet.
    chosen: BTreeSet<u32>,
    /// The cell that the keys move, by its row in the sheet and its column.
    cell: Option<(u32, usize)>,
    /// Where a stretch of chosen rows began.
    anchor: Option<u32>,
    /// What was typed and is not looked for yet.
    typed: bar::Typed,
    names: names::NamesPage,
    /// A column to bring into view.
    shows: Option<usize>,
    /// The wish to see a cell that was followed last.
    followed: u64,
    /// How many columns the sheet had that the rest is about.
    width: usize,
}

impl StringsView {
    pub(super) fn ui(&mut self, ui: &mut Ui, open: &OpenDocument, ctx: &ViewCtx<'_>) {
        let area = ui.available_rect_before_wrap();
        ui.painter().rect_filled(area, 0.0, ctx.theme.canvas);
        let height = if area.width() < NARROW { TALL_BAR } else { BAR };
        let bar = Rect::from_min_max(area.min, pos2(area.right(), (area.top() + height).min(area.bottom())));
        let rest = Rect::from_min_max(pos2(area.left(), bar.bottom()), area.max);
        ui.scope_builder(UiBuilder::new().max_rect(bar), |ui| self.bar_ui(ui, open, ctx));
        ui.painter().hline(bar.x_range(), bar.bottom(), ctx.theme.line());
        ui.scope_builder(UiBuilder::new().max_rect(rest), |ui| match &open.strings.sheet {
            Some(Load::Ready(sheet)) => self.sheet_ui(ui, &sheet.sheet, open, ctx),
            Some(Load::Failed(error)) => {
                card::failed_ui(ui, "The tables cannot be shown", &error.to_string(), &[]);
            }
            Some(Load::Pending(job)) => {
                if card::loading_ui(ui, "Reading the tables", job.task()) {
                    job.task().cancel();
                }
            }
            None => card::skeleton_ui(ui),
        });
        ui.advance_cursor_after_rect(area);
    }

    fn sheet_ui(&mut self, ui: &mut Ui, sheet: &Sheet, open: &OpenDocument, ctx: &ViewCtx<'_>) {
        if self.width != sheet.columns.len() {
            // The cells are those of other tables.
            let (typed, names) = (std::mem::take(&mut self.typed), std::mem::take(&mut self.names));
            let (wraps, followed) = (self.wraps, self.followed);
            *self = Self { wraps, typed, names, followed, ..Self::default() };
            self.width = sheet.columns.len();
        }
        if sheet.is_empty() {
            card::empty_ui(ui, theme::icon::STRINGS, "The table has no text", "That is no fault.");
            return;
        }
        self.follow(sheet, open);
        let mut area = ui.available_rect_before_wrap();
        if self.names.is_open {
            let (table, side) =
                area.split_left_right_at_x(area.right() - names::WIDTH.min(area.width() * 0.5));
            self.names_ui(ui, side, sheet, open, ctx);
            area = table;
        }
        let has_detail = self.cell.is_some() && area.height() > 2.0 * DETAIL;
        let split = if has_detail { area.bottom() - DETAIL } else { area.bottom() };
        let header = Rect::from_min_max(area.min, pos2(area.right(), area.top() + HEADER));
        let list = Rect::from_min_max(pos2(area.left(), header.bottom()), pos2(area.right(), split));
        if ui.rect_contains_pointer(area) {
            let by = ui.input(|input| input.smooth_scroll_delta().x);
            self.columns.scroll(-by);
        }
        self.columns.lay_out(list, sheet);
        if let Some(column) = self.shows.take() {
            self.columns.reveal(column, list);
            self.columns.lay_out(list, sheet);
        }
        self.header_ui(ui, header, sheet, open, ctx);
        self.table_ui(ui, list, sheet, open, ctx);
        if has_detail {
            let below = Rect::from_min_max(pos2(area.left(), split), area.max);
            self.detail_ui(ui, below, sheet, open, ctx);
        }
        ui.advance_cursor_after_rect(area);
    }

    /// Brings a cell into view that somebody else wants to be seen, as soon as its row is there.
    fn follow(&mut self, sheet: &Sheet, open: &OpenDocument) {
        let Some(target) = open.strings.target.filter(|target| target.number != self.followed) else {
            return;
        };
        let row = sheet.find(target.key).and_then(|row| u32::try_from(row).ok());
        let at = row.and_then(|row| open.strings.found.iter().position(|own| *own == row));
        if let (Some(row), Some(at)) = (row, at) {
            self.followed = target.number;
            self.chosen = std::iter::once(row).collect();
            self.anchor = Some(row);
            let column = target.column.min(sheet.columns.len().saturating_sub(1));
            self.cell = Some((row, column));
            self.shows = Some(column);
            self.rows.reveal(at as u64);
        }
    }
}
