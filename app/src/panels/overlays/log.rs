//! Warnings of mounting and notices since then.

use std::fmt::Write as _;

use egui::{RichText, ScrollArea, Ui};

use super::heading;
use crate::command::Command;
use crate::panels::ViewCtx;
use crate::theme;

/// The page; whether it is to be closed.
pub(super) fn ui(ui: &mut Ui, ctx: &ViewCtx<'_>) -> bool {
    let theme = ctx.theme;
    ui.set_width(720.0);
    let mut closes = false;
    let mut text = String::new();
    ScrollArea::vertical().max_height(420.0).auto_shrink([false, true]).show(ui, |ui| {
        let mut line = |ui: &mut Ui, colour, line: &str| {
            ui.label(RichText::new(line).size(theme::DENSE).color(colour));
            let _ = writeln!(text, "{line}");
        };
        if let Some(stack) = ctx.session.stack() {
            heading(ui, "Mounting");
            for (layer, error) in stack.broken() {
                line(ui, theme.error, &format!("{}: {error}", layer.name));
            }
            for warning in stack.warnings() {
                line(ui, theme.warning, warning);
            }
            for layer in stack.layers() {
                for warning in &layer.warnings {
                    line(ui, theme.warning, &format!("{}: {warning}", layer.name));
                }
            }
            for skipped in stack.skipped() {
                let text = format!("line {}, {}: {}", skipped.line, skipped.text, skipped.reason);
                line(ui, theme.muted, &text);
            }
        }
        if !ctx.session.notices.is_empty() {
            ui.add_space(8.0);
            heading(ui, "Since then");
            for notice in ctx.session.notices.iter().rev() {
                line(ui, if notice.is_error { theme.error } else { theme.text }, &notice.text);
            }
        }
    });
    if text.is_empty() {
        ui.label(RichText::new("Nothing was noticed.").size(theme::DENSE).color(theme.muted));
    }
    ui.add_space(8.0);
    ui.horizontal(|ui| {
        closes = ui.button("Close").clicked();
        if !text.is_empty() && ui.button("Copy").clicked() {
            ctx.send(Command::CopyText(text));
        }
        if !ctx.session.notices.is_empty() && ui.button("Forget").clicked() {
            ctx.send(Command::ClearNotices);
        }
    });
    closes
}
