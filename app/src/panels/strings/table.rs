//! The rows of a table of texts, and the names of its columns.

use egui::text::{LayoutJob, TextFormat, TextWrapping};
use egui::{Color32, Key, Rect, Response, Sense, Ui, WidgetInfo, pos2, vec2};
use palimpsest_core::strings::{Against, Mark, Order, Sheet};

use super::columns::Shows;
use super::{StringsView, detail};
use crate::command::{Command, Selection, Selector, StringsCommand};
use crate::format::number;
use crate::panels::ViewCtx;
use crate::session::OpenDocument;
use crate::theme::{self, Theme};
use crate::widgets::row::{self, Standing};
use crate::widgets::{keys, menu, text};

/// Letters of a text that are drawn in a row.
const LETTERS: usize = 400;
/// Lines of a text where several are shown.
const LINES: usize = 3;
/// Height of a row of several lines.
const TALL: f32 = 54.0;
/// Rows that are copied at once at most.
const MOST_COPIED: usize = 10_000;

impl StringsView {
    /// The names of the columns; a click orders the rows, and the edges are dragged.
    pub(super) fn header_ui(
        &mut self,
        ui: &mut Ui,
        area: Rect,
        sheet: &Sheet,
        open: &OpenDocument,
        ctx: &ViewCtx<'_>,
    ) {
        let theme = ctx.theme;
        ui.painter().rect_filled(area, 0.0, theme.panel);
        ui.painter().hline(area.x_range(), area.bottom(), theme.line());
        let places = self.columns.places.clone();
        let mut inside = ui.new_child(egui::UiBuilder::new().id_salt("header").max_rect(area));
        inside.set_clip_rect(area.intersect(ui.clip_rect()));
        let ui = &mut inside;
        for (at, (shows, [start, end])) in places.iter().copied().enumerate() {
            let rect = Rect::from_min_max(pos2(start, area.top()), pos2(end - 6.0, area.bottom()));
            let response = ui.interact(rect, ui.scope_id().with(("column", at)), Sense::click());
            let (title, hint) = title(sheet, shows);
            let (order, is_descending) = open.strings.order;
            let is_own = order == shows.order();
            let arrow = match (is_own, is_descending) {
                (false, _) => "",
                (true, false) => " ↑",
                (true, true) => " ↓",
            };
            response.widget_info(|| WidgetInfo::labeled(egui::accesskit::Role::ColumnHeader, true, &title));
            let colour = if is_own { theme.text } else { theme.muted };
            let is_winner = matches!(shows, Shows::Text(column)
                if sheet.columns.len() > 1 && sheet.columns.get(column).is_some_and(|column| column.is_winner));
            let x = if is_winner {
                row::icon_at(ui, pos2(start + 6.0, rect.center().y), theme::icon::WINNER, 13.0, theme.accent);
                start + 16.0
            } else {
                start
            };
            let words = format!("{title}{arrow}");
            text::left(ui, rect, x, rect.right(), &words, theme::sans(theme::CAPTION), colour);
            if response.on_hover_text(hint).clicked() {
                let next = match (is_own, is_descending) {
                    (true, true) => (Order::Table, false),
                    (true, false) => (shows.order(), true),
                    (false, _) => (shows.order(), false),
                };
                ctx.send(Command::Strings(open.id, StringsCommand::Order(next.0, next.1)));
            }
            if at + 1 < places.len() {
                let edge = Rect::from_min_max(pos2(end - 6.0, area.top()), pos2(end + 2.0, area.bottom()));
                let drag = ui.interact(edge, ui.scope_id().with(("edge", at)), Sense::drag());
                if drag.hovered() || drag.dragged() {
                    ui.ctx().set_cursor_icon(egui::CursorIcon::ResizeHorizontal);
                }
                self.columns.widen(at, drag.drag_delta().x);
                ui.painter().vline(end - 3.0, area.y_range().shrink(4.0), theme.line());
            }
        }
    }

    pub(super) fn table_ui(
        &mut self,
        ui: &mut Ui,
        area: Rect,
        sheet: &Sheet,
        open: &OpenDocument,
        ctx: &ViewCtx<'_>,
    ) {
        let id = ui.scope_id().with(("strings", open.id));
        let list = ui.interact(area, id, Sense::click());
        list.widget_info(|| WidgetInfo::labeled(egui::accesskit::Role::Table, true, "Texts"));
        if list.has_focus() {
            self.keys(ui, &list, sheet, open, ctx);
        }
        let found = &open.strings.found;
        let height = if self.wraps { TALL } else { theme::ROW };
        let mut inside = ui.new_child(egui::UiBuilder::new().id_salt("rows").max_rect(area));
        let mut rows = std::mem::take(&mut self.rows);
        rows.ui(&mut inside, id.with("rows"), height, found.len() as u64, |ui, at, rect| {
            let Some(row) = usize::try_from(at).ok().and_then(|at| found.get(at).copied()) else { return };
            self.row_ui(ui, (at, row), rect, &list, sheet, open, ctx);
        });
        self.rows = rows;
        if found.is_empty() && open.strings.finding.is_none() {
            let words = "No row is like that.";
            let font = theme::sans(theme::DENSE);
            ui.painter().text(area.center(), egui::Align2::CENTER_CENTER, words, font, ctx.theme.muted);
        }
    }

    #[expect(clippy::too_many_arguments, reason = "a row is drawn from all that is shown around it")]
    fn row_ui(
        &mut self,
        ui: &Ui,
        (at, row): (u64, u32),
        rect: Rect,
        list: &Response,
        sheet: &Sheet,
        open: &OpenDocument,
        ctx: &ViewCtx<'_>,
    ) {
        let theme = ctx.theme;
        let response = ui.interact(rect, ui.scope_id().with(("row", row)), Sense::click());
        let is_chosen = self.chosen.contains(&row);
        row::ground(ui, &response, Standing::new(is_chosen, list));
        let key = sheet.key(row as usize);
        let names = ctx.session.names_of(key);
        let label = || {
            let texts = (0..sheet.columns.len()).filter_map(|column| sheet.text(row as usize, column));
            let texts: Vec<_> = texts.map(|text| text.chars().take(80).collect::<String>()).collect();
            format!("{} {}", names.first().copied().unwrap_or_default(), texts.join(" | ")).trim().to_owned()
        };
        response.widget_info(|| {
            WidgetInfo::selected(
                egui::accesskit::Role::Row,
                true,
                is_chosen,
                format!("0x{key:08X} {}", label()),
            )
        });
        let own = (key, names.as_slice(), row);
        for place in self.columns.places.iter().copied() {
            cell_ui(ui, rect, place, own, sheet, self.wraps, theme);
        }
        if let Some((_, column)) = self.cell.filter(|(own, _)| *own == row && list.has_focus())
            && let Some([start, end]) = self.columns.place_of(column)
        {
            let frame = Rect::from_min_max(pos2(start - 4.0, rect.top()), pos2(end - 4.0, rect.bottom()));
            let stroke = egui::Stroke::new(1.0, theme.muted);
            ui.painter().rect_stroke(frame, 2.0, stroke, egui::StrokeKind::Inside);
        }
        if response.clicked() || response.secondary_clicked() {
            list.request_focus();
            let pointed = response.interact_pointer_pos().and_then(|at| self.columns.at(at.x));
            let column = match pointed {
                Some(Shows::Text(column)) => column,
                _ => self.cell.map_or(0, |(_, column)| column),
            };
            // A menu is about all that are chosen.
            if response.clicked() || !is_chosen {
                self.choose(ui, row, at, open);
            }
            self.cell = Some((row, column));
            self.select_bytes(sheet, open, ctx);
        }
        if response.double_clicked() {
            self.open_cell(sheet, open, ctx);
        }
        response.context_menu(|ui| self.menu_ui(ui, sheet, open, ctx));
    }

    /// Chooses a row: alone, with Ctrl beside others, with Shift all from the one that was chosen before.
    fn choose(&mut self, ui: &Ui, row: u32, at: u64, open: &OpenDocument) {
        let held = ui.input(|input| input.modifiers);
        let at = usize::try_from(at).unwrap_or(0);
        if keys::shift_at_pointer(ui)
            && let Some(anchor) = self.anchor.and_then(|anchor| place_of(open, anchor))
        {
            let found = open.strings.found.get(anchor.min(at)..=anchor.max(at)).unwrap_or_default();
            self.chosen = found.iter().copied().collect();
            return;
        }
        self.anchor = Some(row);
        if held.command {
            if !self.chosen.remove(&row) {
                self.chosen.insert(row);
            }
        } else {
            self.chosen = std::iter::once(row).collect();
        }
    }

    fn keys(&mut self, ui: &Ui, list: &Response, sheet: &Sheet, open: &OpenDocument, ctx: &ViewCtx<'_>) {
        keys::keep_arrows(ui, list.id);
        let found = &open.strings.found;
        let at = self.cell.and_then(|(row, _)| place_of(open, row));
        let column = self.cell.map_or(0, |(_, column)| column);
        let last = (found.len() as u64).saturating_sub(1);
        if let Some(go) = keys::target(ui, at.map(|at| at as u64), last, self.rows.page())
            && let Some(row) = usize::try_from(go).ok().and_then(|go| found.get(go))
        {
            let (row, is_stretch) = (*row, ui.input(|input| input.modifiers.shift));
            let go = usize::try_from(go).unwrap_or(0);
            let anchor = self.anchor.and_then(|anchor| place_of(open, anchor)).filter(|_| is_stretch);
            if let Some(anchor) = anchor {
                let stretch = found.get(anchor.min(go)..=anchor.max(go)).unwrap_or_default();
                self.chosen = stretch.iter().copied().collect();
            } else {
                self.chosen = std::iter::once(row).collect();
                self.anchor = Some(row);
            }
            self.cell = Some((row, column));
            self.rows.reveal(go as u64);
            self.select_bytes(sheet, open, ctx);
        }
        for (key, by) in [(Key::ArrowLeft, -1isize), (Key::ArrowRight, 1)] {
            if keys::takes(ui, key)
                && let Some((row, column)) = self.cell
            {
                let last = sheet.columns.len().saturating_sub(1);
                let column = column.saturating_add_signed(by).min(last);
                self.cell = Some((row, column));
                self.shows = Some(column);
                self.select_bytes(sheet, open, ctx);
            }
        }
        let takes_all = || ui.input_mut(|input| input.consume_key(egui::Modifiers::COMMAND, Key::A));
        if takes_all() {
            self.chosen = found.iter().copied().collect();
        }
        if keys::takes_copy(ui) {
            ctx.send(Command::CopyText(self.rows_as_text(sheet, open, ctx)));
        }
        if keys::takes(ui, Key::Enter) {
            self.open_cell(sheet, open, ctx);
        }
    }

    /// Selects the bytes of the text in the chosen cell, where they are those of the tab.
    fn select_bytes(&self, sheet: &Sheet, open: &OpenDocument, ctx: &ViewCtx<'_>) {
        let Some((row, column)) = self.cell else { return };
        let Some(of) = sheet.columns.get(column).filter(|of| of.copy.is_some() && of.copy == open.copy_ref())
        else {
            return;
        };
        let Some(cell) = sheet.cell(row as usize, column).map(|cell| cell as usize) else { return };
        // Of a row whose text is nowhere the row is what there is.
        let range = of.table.text_range(cell).unwrap_or_else(|| of.table.row_range(cell));
        ctx.send(Command::Select(open.id, Selection { range, by: Selector::Other }));
    }

    /// Opens the table of the chosen cell, at the bytes of its text.
    fn open_cell(&self, sheet: &Sheet, open: &OpenDocument, ctx: &ViewCtx<'_>) {
        let Some((row, column)) = self.cell else { return };
        let Some(of) = sheet.columns.get(column) else { return };
        let Some(cell) = sheet.cell(row as usize, column).map(|cell| cell as usize) else { return };
        if of.copy == open.copy_ref() {
            self.select_bytes(sheet, open, ctx);
            return;
        }
        let stack = &open.mounted.stack;
        let range = of.table.text_range(cell).unwrap_or_else(|| of.table.row_range(cell));
        let entry = stack.find(&of.path);
        let copy = entry
            .and_then(|entry| stack.index().copies(entry).iter().position(|copy| Some(*copy) == of.copy));
        if let (Some(entry), Some(copy)) = (entry, copy) {
            ctx.send(Command::OpenAt { entry, copy, range });
        }
    }

    fn menu_ui(&self, ui: &mut Ui, sheet: &Sheet, open: &OpenDocument, ctx: &ViewCtx<'_>) {
        let Some((row, column)) = self.cell else { return };
        if menu::item(ui, "Copy the text", "", sheet.text(row as usize, column).is_some()) {
            let text = sheet.text(row as usize, column).map(|text| text.to_string()).unwrap_or_default();
            ctx.send(Command::CopyText(text));
        }
        let rows = if self.chosen.len() == 1 { "Copy the row" } else { "Copy the rows" };
        if menu::item(ui, rows, "Ctrl+C", !self.chosen.is_empty()) {
            ctx.send(Command::CopyText(self.rows_as_text(sheet, open, ctx)));
        }
        let key = sheet.key(row as usize);
        if menu::item(ui, "Copy the key", "", true) {
            ctx.send(Command::CopyText(format!("0x{key:08X}")));
        }
        let names = ctx.session.names_of(key);
        if menu::item(ui, "Copy the name", "", !names.is_empty()) {
            ctx.send(Command::CopyText(names.join("\n")));
        }
        ui.separator();
        if menu::item(ui, "Show the bytes", "Enter", sheet.cell(row as usize, column).is_some()) {
            self.open_cell(sheet, open, ctx);
        }
    }

    /// The chosen rows in the order in which they are shown: key, name and texts with tabs between; breaks of
    /// lines and tabs inside of texts are spaces.
    fn rows_as_text(&self, sheet: &Sheet, open: &OpenDocument, ctx: &ViewCtx<'_>) -> String {
        let shown = open.strings.found.iter().filter(|row| self.chosen.contains(row)).take(MOST_COPIED);
        let line = |row: &u32| {
            let key = sheet.key(*row as usize);
            let mut cells = vec![format!("0x{key:08X}"), ctx.session.names_of(key).join(", ")];
            cells.extend((0..sheet.columns.len()).map(|column| {
                let text = sheet.text(*row as usize, column).map(|text| text.to_string()).unwrap_or_default();
                text.replace(['\t', '\r', '\n'], " ")
            }));
            cells.join("\t")
        };
        shown.map(line).collect::<Vec<_>>().join("\n")
    }
}

/// What a column shows of a row.
fn cell_ui(
    ui: &Ui,
    rect: Rect,
    (shows, [start, end]): (Shows, [f32; 2]),
    (key, names, row): (u32, &[&str], u32),
    sheet: &Sheet,
    wraps: bool,
    theme: &Theme,
) {
    let cell = Rect::from_min_max(pos2(start, rect.top()), pos2(end - 8.0, rect.bottom()));
    let line = Rect::from_min_size(cell.min, vec2(cell.width(), theme::ROW.min(cell.height())));
    let small = theme::mono(theme::CAPTION);
    match shows {
        Shows::Key => {
            let alone = sheet.columns.first().filter(|_| sheet.columns.len() == 1);
            let is_wrong = alone.is_some_and(|column| !column.table.faults(row as usize).is_empty());
            let colour = if is_wrong { theme.warning } else { theme.muted };
            text::left(ui, line, start, cell.right(), &format!("{key:08X}"), small, colour);
        }
        Shows::Name => {
            let (words, colour) = match names {
                [] => return,
                [name] => ((*name).to_owned(), theme.text),
                // Several names have the hash, of which nobody can tell the right one.
                [name, others @ ..] => (format!("{name} (+{})", others.len()), theme.warning),
            };
            text::left(ui, line, start, cell.right(), &words, theme::sans(theme::DENSE), colour);
        }
        Shows::Text(column) => text_ui(ui, cell, sheet, (row as usize, column), wraps, theme),
        Shows::Units(column) => {
            let units = sheet.text(row as usize, column).map_or(0, |text| text.units.len());
            text::right(ui, line, cell.right(), &number(units as u64), small, theme.muted);
        }
        Shows::Shared(column) => {
            let of = sheet.columns.get(column).zip(sheet.cell(row as usize, column));
            let shared = of.map_or(0, |(column, cell)| column.shared(cell));
            if shared > 1 {
                let words = format!("×{}", number(shared.into()));
                text::right(ui, line, cell.right(), &words, small, theme.muted);
            }
        }
    }
}

/// What a column is called, and what it shows.
fn title(sheet: &Sheet, shows: Shows) -> (String, String) {
    let path =
        |column: usize| sheet.columns.get(column).map(|column| column.path.clone()).unwrap_or_default();
    match shows {
        Shows::Key => ("key".to_owned(), "The hash of the key".to_owned()),
        Shows::Name => ("name".to_owned(), "The name that has the hash, where a word list has it".to_owned()),
        Shows::Text(_) if sheet.columns.len() == 1 => ("text".to_owned(), "The text".to_owned()),
        Shows::Text(column) => {
            let title = sheet.columns.get(column).map(|column| column.title.clone()).unwrap_or_default();
            (title, path(column))
        }
        Shows::Units(_) => ("units".to_owned(), "Units of two bytes".to_owned()),
        Shows::Shared(_) => ("shared".to_owned(), "How many keys have the text".to_owned()),
    }
}

/// Where a row of the sheet stands among those that were found.
fn place_of(open: &OpenDocument, row: u32) -> Option<usize> {
    open.strings.found.iter().position(|own| *own == row)
}

/// The text of a cell, on the ground of how it is beside the other one.
fn text_ui(ui: &Ui, cell: Rect, sheet: &Sheet, (row, column): (usize, usize), wraps: bool, theme: &Theme) {
    let mark = sheet.mark(row, column);
    // That a translation is another text says nothing.
    let is_layered = sheet.against == Against::Before;
    let (ground, word) = match mark {
        Mark::Changed if is_layered => (theme.removed_ground.gamma_multiply(0.35), ""),
        Mark::Added => (theme.added_ground.gamma_multiply(0.45), ""),
        Mark::Missing => (Color32::TRANSPARENT, "missing"),
        Mark::Same if !is_layered => (Color32::TRANSPARENT, "="),
        _ => (Color32::TRANSPARENT, ""),
    };
    let around = cell.expand2(vec2(4.0, 0.0));
    ui.painter().rect_filled(around.shrink2(vec2(0.0, 0.5)), 2.0, ground);
    let font = theme::sans(theme::DENSE);
    let line = Rect::from_min_size(cell.min, vec2(cell.width(), theme::ROW.min(cell.height())));
    let Some(own) = sheet.text(row, column) else {
        let is_past = sheet.cell(row, column).is_some();
        let (words, colour) = if is_past { ("past the end", theme.warning) } else { (word, theme.muted) };
        text::left(ui, line, cell.left(), cell.right(), words, theme::sans(theme::CAPTION), colour);
        return;
    };
    if own.units.is_empty() {
        let small = theme::sans(theme::CAPTION);
        text::left(ui, line, cell.left(), cell.right(), "empty", small, theme.muted.gamma_multiply(0.7));
        return;
    }
    let colour = if mark == Mark::Same { theme.muted } else { theme.text };
    // The sign of a text that is not translated.
    let end = if word.is_empty() {
        cell.right()
    } else {
        text::right(ui, line, cell.right(), word, theme::mono(theme::CAPTION), theme.warning).left() - 4.0
    };
    let cell = Rect::from_min_max(cell.min, pos2(end, cell.bottom()));
    let mut job = LayoutJob::default();
    let shown: String = detail::visible(own.chars(), wraps).take(LETTERS).collect();
    for (part, is_wrong) in detail::parts(&shown) {
        let color = if is_wrong { theme.warning } else { colour };
        job.append(part, 0.0, TextFormat { font_id: font.clone(), color, ..TextFormat::default() });
    }
    job.wrap = TextWrapping {
        max_width: cell.width().max(1.0),
        max_rows: if wraps { LINES } else { 1 },
        break_anywhere: !wraps,
        ..TextWrapping::default()
    };
    if wraps {
        let galley = ui.ctx().fonts_mut(|fonts| fonts.layout_job(job));
        ui.painter().galley(cell.min + vec2(0.0, 3.0), galley, colour);
    } else {
        text::job_at(ui, line, cell.left(), job);
    }
}
