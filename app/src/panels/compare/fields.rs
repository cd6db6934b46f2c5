//! The fields of two files, joined by their paths.

use std::ops::Range;

use egui::{Rect, RichText, Sense, Ui, WidgetInfo, vec2};
use palimpsest_core::diff::{Change, FieldDiff, FieldPair, MAX_FIELDS};
use palimpsest_core::parse::Place;

use super::Compared;
use super::bar::{bar_ui, caption, with_bar};
use crate::document::Document;
use crate::format::{count, number};
use crate::panels::ViewCtx;
use crate::theme;
use crate::widgets::row::{self, Standing};
use crate::widgets::rows::Rows;
use crate::widgets::{card, keys, text};

/// The view of the fields of two files.
#[derive(Debug)]
pub(super) struct FieldsView {
    rows: Rows,
    changed_only: bool,
    /// The row that was chosen, among all.
    chosen: Option<usize>,
}

impl Default for FieldsView {
    fn default() -> Self {
        Self { rows: Rows::default(), changed_only: true, chosen: None }
    }
}

impl FieldsView {
    /// Draws the fields; the bytes of the one that was clicked, on both sides.
    pub(super) fn ui(
        &mut self,
        ui: &mut Ui,
        compared: Compared<'_>,
        ctx: &ViewCtx<'_>,
    ) -> Option<[Range<u64>; 2]> {
        let (list, bar) = with_bar(ui, ctx);
        bar_ui(ui, bar, |ui| self.bar_ui(ui, compared, ctx));
        ui.painter().rect_filled(list, 0.0, ctx.theme.canvas);
        let FieldDiff { rows: all, differing, .. } = &compared.result.fields;
        let changed_only = self.changed_only;
        let count = if changed_only { differing.len() } else { all.len() };
        // The position among all of what a row lists, and the other way round.
        let listed = |row: u64| {
            let row = usize::try_from(row).ok()?;
            if changed_only { differing.get(row).copied() } else { Some(row) }
        };
        let row_of = |at: usize| if changed_only { differing.binary_search(&at).ok() } else { Some(at) };
        if count == 0 {
            ui.scope_builder(egui::UiBuilder::new().max_rect(list), |ui| {
                let hint = "All fields have the same values; \u{201c}all\u{201d} below lists them.";
                card::empty_ui(ui, theme::icon::STRUCTURE, "No field differs", hint);
            });
            return None;
        }
        let header = Rect::from_min_size(list.min, vec2(list.width(), theme::ROW));
        let columns = Columns::new(list);
        columns.header(ui, header, compared);
        let list = Rect::from_min_max(header.left_bottom() + vec2(0.0, 1.0), list.max);
        let id = compared.focus_id();
        let focus = ui.interact(list, id, Sense::click());
        focus
            .widget_info(|| WidgetInfo::labeled(egui::accesskit::Role::Table, true, "Fields of both copies"));
        let mut clicked = None;
        let mut inside = ui.new_child(egui::UiBuilder::new().id_salt("compared fields").max_rect(list));
        self.rows.ui(&mut inside, id.with("rows"), theme::ROW, count as u64, |ui, at, rect| {
            let Some((at, pair)) = listed(at).and_then(|at| Some((at, all.get(at)?))) else { return };
            let response = ui.interact(rect, ui.scope_id().with(at), Sense::click());
            let is_chosen = self.chosen == Some(at);
            row::ground(ui, &response, Standing::new(is_chosen, &focus));
            let label = columns.row(ui, rect, pair, compared, ctx);
            response
                .widget_info(|| WidgetInfo::selected(egui::accesskit::Role::Row, true, is_chosen, &label));
            if response.clicked() {
                clicked = Some(at);
            }
            response.on_hover_text(label);
        });
        if focus.has_focus() {
            keys::keep_arrows(ui, id);
            let at = self.chosen.and_then(row_of).map(|at| at as u64);
            if let Some(to) = keys::target(ui, at, count as u64 - 1, self.rows.page()) {
                self.rows.reveal(to);
                clicked = listed(to);
            }
        }
        let at = clicked?;
        ui.memory_mut(|memory| memory.request_focus(id));
        self.chosen = Some(at);
        let pair = all.get(at)?;
        let range =
            |of: &Document, place: Option<Place>| place.map_or(0..0, |place| of.inspection.tree.range(place));
        Some([range(compared.left, pair.left), range(compared.right, pair.right)])
    }

    /// No row is chosen any more.
    pub(super) fn forget(&mut self) {
        self.chosen = None;
    }

    fn bar_ui(&mut self, ui: &mut Ui, compared: Compared<'_>, ctx: &ViewCtx<'_>) {
        let fields = &compared.result.fields;
        filter_ui(ui, &mut self.changed_only);
        let text = format!("{} of {} differ", number(fields.changed), count(fields.count, "field"));
        ui.label(RichText::new(text).font(theme::mono(theme::CAPTION)).color(ctx.theme.text));
        let left_out = fields.count - fields.rows.len() as u64;
        if left_out > 0 {
            let most = number(MAX_FIELDS as u64);
            caption(ui, format!("{} left out: {most} of each kind are listed", number(left_out)), ctx);
        }
    }
}

/// Whether only what differs is listed, or all.
pub(super) fn filter_ui(ui: &mut Ui, changed_only: &mut bool) {
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        for (name, value) in [("differing", true), ("all", false)] {
            let text = RichText::new(name).size(theme::DENSE);
            if ui.add(egui::Button::selectable(*changed_only == value, text)).clicked() {
                *changed_only = value;
            }
        }
    });
}

/// Where the columns stand: sign, name, and both values.
struct Columns {
    sign: f32,
    name: (f32, f32),
    values: [(f32, f32); 2],
}

impl Columns {
    fn new(area: Rect) -> Self {
        let (left, right) = (area.left() + 30.0, area.right() - 16.0);
        let name_end = left + (right - left) * 0.36;
        let middle = name_end + 8.0 + (right - name_end - 8.0) / 2.0;
        let values = [(name_end + 8.0, middle - 8.0), (middle, right)];
        Self { sign: area.left() + 12.0, name: (left, name_end), values }
    }

    fn header(&self, ui: &Ui, row: Rect, compared: Compared<'_>) {
        let theme = theme::Theme::of(ui.ctx());
        let font = || theme::sans(theme::CAPTION);
        text::left(ui, row, self.name.0, self.name.1, "name", font(), theme.muted);
        for (side, (start, end)) in self.values.into_iter().enumerate() {
            text::left(ui, row, start, end, &compared.open.side(side), font(), theme.muted);
        }
        ui.painter().hline(row.x_range(), row.bottom(), theme.line());
    }

    /// Draws a field; what it says to those who do not see it.
    fn row(
        &self,
        ui: &Ui,
        rect: Rect,
        pair: &FieldPair,
        compared: Compared<'_>,
        ctx: &ViewCtx<'_>,
    ) -> String {
        let theme = ctx.theme;
        let sign = pair.change.sign();
        let font = || theme::mono(theme::DENSE);
        let sign_font = theme::semibold(theme::BODY);
        text::left(ui, rect, self.sign, self.name.0, sign, sign_font, theme.change(pair.change));
        let sides = [(compared.left, pair.left), (compared.right, pair.right)];
        let name = sides.iter().find_map(|(of, place)| Some(of.inspection.tree.path((*place)?)));
        let name = name.unwrap_or_default();
        text::left(ui, rect, self.name.0, self.name.1, &name, font(), theme.text);
        let is_same = pair.change == Change::Same;
        let values = sides.map(|(of, place)| place.map(|place| value(of, place)));
        for (value, (start, end)) in values.iter().zip(self.values) {
            let (shown, colour) = match value {
                Some(value) if is_same => (value.as_str(), theme.muted),
                Some(value) => (value.as_str(), theme.text),
                None => ("not there", theme.muted),
            };
            text::left(ui, rect, start, end, shown, font(), colour);
        }
        let [left, right] = values.map(|value| value.unwrap_or_else(|| "not there".to_owned()));
        if is_same { format!("{sign} {name}: {left}") } else { format!("{sign} {name}: {left} → {right}") }
    }
}

/// A value and what it stands for.
fn value(of: &Document, place: Place) -> String {
    let tree = &of.inspection.tree;
    let value = tree.value(place, &of.bytes);
    match tree.meaning(place, &of.bytes) {
        Some(meaning) if value.is_empty() => meaning.into_owned(),
        Some(meaning) if place.field.is_some() || place.record.is_none() => format!("{value}  {meaning}"),
        _ if value.is_empty() => tree.type_name(place),
        _ => value,
    }
}
