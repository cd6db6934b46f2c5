//! Why the active path's winner wins, copy by copy.

use egui::{RichText, Sense, Ui};
use palimpsest_core::mount::{CopyAnswer, CopyDigest};

use super::{heading, room, scroll};
use crate::answer::{declaration, fit, place, to_json, trace};
use crate::command::Command;
use crate::format::{capitalised, number};
use crate::jobs::Load;
use crate::panels::{ViewCtx, winner_mark};
use crate::session::OpenDocument;
use crate::theme::{self, Theme};
use crate::widgets::row::icon_at;
use crate::widgets::text;

/// How many manifests that name the path are listed.
const DECLARED: usize = 4;

/// The page; whether it is to be closed.
pub(super) fn ui(ui: &mut Ui, ctx: &ViewCtx<'_>) -> bool {
    let Some(open) = ctx.session.active() else { return true };
    let theme = ctx.theme;
    ui.set_width(640.0);
    heading(ui, "Why does this win?");
    ui.label(RichText::new(&open.answer.path).font(theme::mono(theme::DENSE)).color(theme.muted));
    ui.add_space(8.0);
    // What the rule has to say about the engine's own search is a doubt as well.
    let colour = if open.answer.winner_is_found() { theme.text } else { theme.warning };
    ui.label(RichText::new(&open.answer.rule).size(theme::BODY).color(colour));
    if let Some(unproven) = &open.answer.unproven {
        ui.label(RichText::new(unproven).size(theme::BODY).color(theme.warning));
    }
    let stack = &open.mounted.stack;
    for declared in open.answer.declared.iter().take(DECLARED) {
        let text = RichText::new(declaration(stack, declared)).size(theme::CAPTION);
        ui.label(text.color(theme.muted));
    }
    ui.add_space(8.0);
    scroll((room(ui) - 80.0).min(380.0)).show(ui, |ui| {
        for copy in &open.answer.copies {
            step_ui(ui, open, copy, theme);
        }
    });
    ui.add_space(12.0);
    let mut closes = false;
    ui.horizontal(|ui| {
        closes = ui.button("Close").clicked();
        if ui.button("Copy as text").clicked() {
            ctx.send(Command::CopyText(trace(stack, &open.answer, digests(open))));
        }
        if ui.button("Copy as JSON").clicked() {
            let value = to_json(stack, &open.answer, digests(open));
            ctx.send(Command::CopyText(format!("{value:#}\n")));
        }
    });
    closes
}

/// One copy that was looked at, and what became of it.
fn step_ui(ui: &mut Ui, open: &OpenDocument, copy: &CopyAnswer, theme: &Theme) {
    /// Where names start: behind the number of the layer.
    const LEFT: f32 = 52.0;
    let name = open.mounted.stack.layer_name(copy.copy);
    let (row, _) = ui.allocate_exact_size(egui::vec2(ui.available_width(), theme::ROW), Sense::hover());
    let colour = if copy.wins { theme.accent } else { theme.text };
    let mark = egui::pos2(row.left() + 8.0, row.center().y);
    if copy.wins {
        let (icon, colour) = winner_mark(&open.answer, theme);
        icon_at(ui, mark, icon, 15.0, colour);
    } else if !copy.engine_finds {
        icon_at(ui, mark, theme::icon::WARNING, 14.0, theme.warning);
    }
    let small = theme::mono(theme::CAPTION);
    let layer = copy.copy.layer.to_string();
    text::right(ui, row, row.left() + LEFT - 10.0, &layer, small.clone(), theme.muted);
    let place = [format!("{} bytes", number(copy.stat.size)), fit(copy.fits).to_owned(), place(copy)];
    let place = place.iter().filter(|part| !part.is_empty()).cloned().collect::<Vec<_>>().join("  ");
    let place = text::right(ui, row, row.right() - 12.0, &place, small, theme.muted);
    let (from, to) = (row.left() + LEFT, place.left() - 8.0);
    text::left(ui, row, from, to, name, theme::sans(theme::DENSE), colour);
    ui.horizontal_top(|ui| {
        ui.add_space(LEFT - ui.spacing().item_spacing.x);
        let why = RichText::new(format!("{}.", capitalised(&copy.why))).size(theme::CAPTION);
        ui.add(egui::Label::new(why.color(theme.muted)).wrap());
    });
    ui.add_space(theme::GRID);
}

/// How the copies differ, where that is known.
fn digests(open: &OpenDocument) -> &[CopyDigest] {
    open.digests.as_ref().and_then(Load::ready).map_or(&[], Vec::as_slice)
}
