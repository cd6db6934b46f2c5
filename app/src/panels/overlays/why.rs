//! Why the active path's winner wins, copy by copy.

use std::fmt::Write as _;

use egui::{RichText, Sense, Ui};
use palimpsest_core::mount::CopyAnswer;

use super::{heading, room, scroll};
use crate::command::Command;
use crate::format::{capitalised, number};
use crate::panels::ViewCtx;
use crate::session::OpenDocument;
use crate::theme::{self, Theme};
use crate::widgets::row::icon_at;
use crate::widgets::text;

/// The page; whether it is to be closed.
pub(super) fn ui(ui: &mut Ui, ctx: &ViewCtx<'_>) -> bool {
    let Some(open) = ctx.session.active() else { return true };
    let theme = ctx.theme;
    ui.set_width(640.0);
    heading(ui, "Why does this win?");
    ui.label(RichText::new(&open.answer.path).font(theme::mono(theme::DENSE)).color(theme.muted));
    ui.add_space(8.0);
    ui.label(RichText::new(&open.answer.rule).size(theme::BODY).color(theme.text));
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
            ctx.send(Command::CopyText(trace(open)));
        }
    });
    closes
}

/// One copy that was looked at, and what became of it.
fn step_ui(ui: &mut Ui, open: &OpenDocument, copy: &CopyAnswer, theme: &Theme) {
    /// Where names start: behind the number of the layer.
    const LEFT: f32 = 52.0;
    let name = open.mounted.stack.layer(copy.copy).map_or("", |layer| &layer.name);
    let (row, _) = ui.allocate_exact_size(egui::vec2(ui.available_width(), theme::ROW), Sense::hover());
    let colour = if copy.wins { theme.accent } else { theme.text };
    if copy.wins {
        icon_at(ui, egui::pos2(row.left() + 8.0, row.center().y), theme::icon::WINNER, 15.0, theme.accent);
    }
    let small = theme::mono(theme::CAPTION);
    let layer = copy.copy.layer.to_string();
    text::right(ui, row, row.left() + LEFT - 10.0, &layer, small.clone(), theme.muted);
    let place = format!("{} bytes  {}", number(copy.stat.size), place(copy));
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

fn place(copy: &CopyAnswer) -> String {
    copy.stat.offset.map_or_else(|| "loose file".to_owned(), |offset| format!("@ {offset:#X}"))
}

/// The whole answer as text: every copy in search order, and the rule.
fn trace(open: &OpenDocument) -> String {
    let mut text = format!("{}\n\n", open.answer.path);
    for copy in &open.answer.copies {
        let name = open.mounted.stack.layer(copy.copy).map_or("", |layer| &layer.name);
        let mark = if copy.wins { '→' } else { ' ' };
        let (layer, size, place, why) = (copy.copy.layer, number(copy.stat.size), place(copy), &copy.why);
        let _ = writeln!(text, "{mark} layer {layer}  {name}  {size} bytes  {place}: {why}");
    }
    let _ = write!(text, "\n{}\n", open.answer.rule);
    text
}
