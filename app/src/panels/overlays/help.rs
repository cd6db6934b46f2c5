//! Keys, queries and marks.

use egui::{RichText, Ui};

use super::heading;
use crate::panels::ViewCtx;
use crate::theme;

/// The page; whether it is to be closed.
pub(super) fn ui(ui: &mut Ui, ctx: &ViewCtx<'_>) -> bool {
    const KEYS: [(&str, &str); 24] = [
        ("Ctrl+P", "go to a path"),
        ("Ctrl+Shift+P", "run a command"),
        ("Ctrl+F", "find in the stack"),
        ("Ctrl+O", "open a folder"),
        ("↑ ↓ ← →", "move, open and close"),
        ("Enter  Space", "open in a tab of its own, peek"),
        ("Alt+←  Alt+→", "back, forward"),
        ("[  ]", "copy one layer below, above"),
        ("W", "why does this win"),
        ("Ctrl+C", "copy the path"),
        ("Ctrl+Shift+C", "copy it as a link"),
        ("Ctrl+E", "extract"),
        ("Ctrl+W", "close the tab"),
        ("F5", "mount again"),
        ("G", "go to an offset"),
        ("1 2 3 4", "red, green, blue, alpha"),
        ("Shift+1…4", "one channel alone"),
        (",  .", "larger level, smaller level"),
        ("F  Home", "fit the picture"),
        ("0", "exact pixels"),
        ("Wheel, drag", "magnify, move the picture"),
        ("Ctrl++  Ctrl+−", "larger, smaller text"),
        ("Esc", "close this, clear the search"),
        ("F1", "this page"),
    ];
    const QUERIES: [(&str, &str); 11] = [
        ("sword orc", "both words, anywhere in the path"),
        ("\"a b\"", "words with a space"),
        ("sword_?.tex", "? one character, * any"),
        (r"/_\d+\.tex$/", "a regular expression"),
        ("ext:tex", "names that end so"),
        ("layer:patch_11", "copies in a layer"),
        ("format:texr", "files of a format"),
        ("size:>1m", "k, m, g; < <= > >="),
        ("copies:>1  wins:no", "copies that lose"),
        ("hash:0xDCDB4713", "paths with this hash"),
        ("!word   a | b", "not, or"),
    ];
    let table = |ui: &mut Ui, rows: &[(&str, &str)]| {
        for (key, text) in rows {
            ui.horizontal(|ui| {
                let key = RichText::new(*key).font(theme::mono(theme::DENSE)).color(ctx.theme.text);
                ui.add_sized([150.0, 18.0], egui::Label::new(key).halign(egui::Align::LEFT));
                ui.label(RichText::new(*text).size(theme::DENSE).color(ctx.theme.muted));
            });
        }
    };
    ui.set_width(760.0);
    let mut closes = false;
    ui.horizontal_top(|ui| {
        ui.vertical(|ui| {
            heading(ui, "Keys");
            table(ui, &KEYS);
        });
        ui.add_space(24.0);
        ui.vertical(|ui| {
            heading(ui, "Queries");
            table(ui, &QUERIES);
            ui.add_space(16.0);
            heading(ui, "Marks");
            for (icon, colour, text) in [
                (theme::icon::WINNER, ctx.theme.accent, "this copy wins"),
                (theme::icon::WARNING, ctx.theme.warning, "the engine's own search would miss it"),
                (theme::icon::LAYERS, ctx.theme.muted, "how many layers hold the path"),
            ] {
                ui.horizontal(|ui| {
                    ui.label(icon.rich_text().size(15.0).color(colour));
                    ui.label(RichText::new(text).size(theme::DENSE).color(ctx.theme.muted));
                });
            }
            ui.add_space(16.0);
            closes = ui.button("Close").clicked();
        });
    });
    closes
}
