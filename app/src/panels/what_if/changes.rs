//! The paths that another order changes.

use egui::{Rect, RichText, Sense, Ui, WidgetInfo};
use palimpsest_core::mount::{Change, ChangeKind};

use crate::command::Command;
use crate::difference::Difference;
use crate::format::number;
use crate::panels::ViewCtx;
use crate::theme::{self, Theme};
use crate::widgets::row::{self, Standing};
use crate::widgets::rows::Rows;
use crate::widgets::{card, menu, text};

/// How high a row is: the path, and below it the layers.
const ROW: f32 = 36.0;

/// The list of changes.
#[derive(Debug, Default)]
pub(super) struct ChangesView {
    rows: Rows,
}

impl ChangesView {
    pub(super) fn ui(&mut self, ui: &mut Ui, shown: &Difference, ctx: &ViewCtx<'_>) {
        head_ui(ui, shown, ctx);
        if shown.changes.is_empty() {
            let hint = "The same copy of every path wins in this order.";
            card::empty_ui(ui, theme::icon::LAYERS, "No winner changes", hint);
            return;
        }
        let id = ui.scope_id().with("changes");
        self.rows.ui(ui, id, ROW, shown.changes.len() as u64, |ui, at, rect| {
            if let Some(change) = usize::try_from(at).ok().and_then(|at| shown.changes.get(at)) {
                change_ui(ui, rect, at, change, shown, ctx);
            }
        });
    }
}

fn head_ui(ui: &mut Ui, shown: &Difference, ctx: &ViewCtx<'_>) {
    let theme = ctx.theme;
    egui::Frame::new().inner_margin(egui::Margin { left: 12, right: 12, top: 8, bottom: 4 }).show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.horizontal_wrapped(|ui| {
            for (kind, count) in shown.counts {
                let (sign, colour) = sign(kind, theme);
                let text = format!("{sign}\u{a0}{}\u{a0}{}", number(count as u64), kind.name());
                ui.label(RichText::new(text).size(theme::DENSE).color(colour)).on_hover_text(meaning(kind));
            }
        });
        if shown.changes.is_empty() {
            return;
        }
        ui.horizontal(|ui| {
            if ui.link(RichText::new("copy as text").size(theme::CAPTION)).clicked() {
                ctx.send(Command::ExportChanges(None));
            }
            if ui.link(RichText::new("save…").size(theme::CAPTION)).clicked() {
                ctx.send(Command::PickChangesFile);
            }
        });
    });
}

/// What a sign means.
const fn meaning(kind: ChangeKind) -> &'static str {
    match kind {
        ChangeKind::Added => "Paths that only this order has",
        ChangeKind::Removed => "Paths that no layer of this order holds",
        ChangeKind::Changed => "Paths of which another copy wins in this order",
    }
}

/// The sign of a change and its colour.
pub(in crate::panels) fn sign(kind: ChangeKind, theme: &Theme) -> (&'static str, egui::Color32) {
    match kind {
        ChangeKind::Added => ("+", theme.added),
        ChangeKind::Removed => ("−", theme.removed),
        ChangeKind::Changed => ("≠", theme.removed),
    }
}

fn change_ui(ui: &Ui, rect: Rect, at: u64, change: &Change, shown: &Difference, ctx: &ViewCtx<'_>) {
    let theme = ctx.theme;
    let path = shown.path(change);
    let response = ui.interact(rect, ui.scope_id().with(("change", at)), Sense::click());
    row::ground(ui, &response, Standing::Plain);
    let (upper, lower) = rect.split_top_bottom_at_y(rect.center().y + 1.0);
    let (sign, colour) = sign(change.kind(), theme);
    text::left(ui, upper, rect.left() + 12.0, rect.right(), sign, theme::semibold(theme::DENSE), colour);
    let end = rect.right() - 12.0;
    text::path(ui, upper, rect.left() + 28.0, end, &path, theme::mono(theme::CAPTION), theme.text);
    let both = shown.words(change);
    text::left(ui, lower, rect.left() + 28.0, end, &both, theme::sans(theme::CAPTION), theme.muted);
    response.widget_info(|| {
        let label = format!("{} {path}: {both}", change.kind().name());
        WidgetInfo::labeled(egui::accesskit::Role::Row, true, label)
    });
    let opens = || change.after.map(|entry| Command::Open { entry, copy: 0, stays: false });
    if response.clicked() {
        ctx.commands.send_some(opens());
    }
    let response = response.on_hover_text(format!("{path}\n{both}"));
    response.context_menu(|ui| {
        if menu::item(ui, "Open", "", change.after.is_some()) {
            ctx.commands.send_some(opens());
        }
        if menu::item(ui, "Copy path", "", true) {
            ctx.send(Command::CopyText(path.clone()));
        }
    });
}
