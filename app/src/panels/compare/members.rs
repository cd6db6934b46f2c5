//! The members of two lists or archives, joined by their paths.

use egui::{RichText, Sense, Ui, WidgetInfo};
use palimpsest_core::diff::{Change, MemberPair};

use super::Compared;
use super::bar::{bar_ui, with_bar};
use super::fields::filter_ui;
use crate::command::Command;
use crate::comparison::member;
use crate::document::Document;
use crate::format::{count, number, size};
use crate::panels::ViewCtx;
use crate::theme;
use crate::widgets::row::{self, Standing};
use crate::widgets::rows::Rows;
use crate::widgets::{card, keys, text};

/// The view of the members of two files.
#[derive(Debug)]
pub(super) struct MembersView {
    rows: Rows,
    changed_only: bool,
}

impl Default for MembersView {
    fn default() -> Self {
        Self { rows: Rows::default(), changed_only: true }
    }
}

impl MembersView {
    /// Brings the next member that differs to the top, or the one before.
    pub(super) fn step(&mut self, compared: Compared<'_>, by: isize) {
        let Some(diff) = &compared.result.members else { return };
        let top = usize::try_from(self.rows.top()).unwrap_or(usize::MAX);
        let last = diff.differing.len().saturating_sub(1);
        if self.changed_only {
            self.rows.set_top(top.saturating_add_signed(by).min(last) as u64);
            return;
        }
        let next = diff.differing.partition_point(|at| *at <= top);
        let before = diff.differing.partition_point(|at| *at < top);
        let to = if by > 0 { diff.differing.get(next) } else { diff.differing.get(before.wrapping_sub(1)) };
        if let Some(to) = to {
            self.rows.set_top(*to as u64);
        }
    }

    pub(super) fn ui(&mut self, ui: &mut Ui, compared: Compared<'_>, ctx: &ViewCtx<'_>) {
        let Some(diff) = &compared.result.members else { return };
        let (list, bar) = with_bar(ui, ctx);
        ui.painter().rect_filled(list, 0.0, ctx.theme.canvas);
        bar_ui(ui, bar, |ui| {
            filter_ui(ui, &mut self.changed_only);
            let all = count(diff.rows.len() as u64, "member");
            let text = format!("{} of {all} differ", number(diff.differing.len() as u64));
            ui.label(RichText::new(text).font(theme::mono(theme::CAPTION)).color(ctx.theme.text));
        });
        let count = if self.changed_only { diff.differing.len() } else { diff.rows.len() };
        if count == 0 {
            ui.scope_builder(egui::UiBuilder::new().max_rect(list), |ui| {
                let hint = "Both copies name the same paths, of the same sizes; what archives hold is the same as well.";
                card::empty_ui(ui, theme::icon::LIST, "No member differs", hint);
            });
            return;
        }
        let focus = ui.interact(list, compared.focus_id(), Sense::click());
        focus.widget_info(|| {
            WidgetInfo::labeled(egui::accesskit::Role::Table, true, "Members of both copies")
        });
        let mut inside = ui.new_child(egui::UiBuilder::new().id_salt("compared members").max_rect(list));
        let id = focus.id.with("rows");
        self.rows.ui(&mut inside, id, theme::ROW, count as u64, |ui, at, rect| {
            let Ok(at) = usize::try_from(at) else { return };
            let at = if self.changed_only { diff.differing.get(at).copied() } else { Some(at) };
            if let Some(pair) = at.and_then(|at| diff.rows.get(at)) {
                row_ui(ui, rect, pair, compared, ctx);
            }
        });
        if focus.has_focus() {
            keys::keep_arrows(ui, focus.id);
            if let Some(to) = keys::target(ui, Some(self.rows.top()), count as u64 - 1, self.rows.page()) {
                self.rows.set_top(to);
            }
        }
    }
}

fn row_ui(ui: &Ui, rect: egui::Rect, pair: &MemberPair, compared: Compared<'_>, ctx: &ViewCtx<'_>) {
    let theme = ctx.theme;
    let of = |document: &'_ Document, at: Option<usize>| {
        member(document, at?).map(|(path, size)| (path.to_owned(), size))
    };
    let sides = [of(compared.left, pair.left), of(compared.right, pair.right)];
    let path = sides.iter().flatten().map(|(path, _)| path.as_str()).next().unwrap_or_default();
    let response = ui.interact(rect, ui.scope_id().with((pair.left, pair.right)), Sense::click());
    let sign = pair.change.sign();
    let label = format!("{sign} {path}");
    response.widget_info(|| WidgetInfo::labeled(egui::accesskit::Role::Row, true, &label));
    row::ground(ui, &response, Standing::Plain);
    let colour = theme.change(pair.change);
    let left = rect.left() + 12.0;
    text::left(ui, rect, left, left + 16.0, sign, theme::semibold(theme::BODY), colour);
    let mut right = rect.right() - 12.0;
    for side in sides.iter().rev() {
        let text = side.as_ref().and_then(|(_, bytes)| *bytes).map(size).unwrap_or_default();
        text::right(ui, rect, right, &text, theme::mono(theme::CAPTION), theme.muted);
        right -= 84.0;
    }
    let is_same = pair.change == Change::Same;
    let colour = if is_same { theme.muted } else { theme.text };
    text::path(ui, rect, left + 18.0, right, path, theme::mono(theme::DENSE), colour);
    if response.double_clicked() {
        ctx.send(Command::OpenPath(path.to_owned()));
    }
    response.on_hover_text("Double-click opens the path");
}
