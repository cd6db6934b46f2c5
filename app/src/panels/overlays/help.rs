//! Keys, queries and marks.

use egui::{RichText, Sense, Ui, vec2};

use super::{heading, room, scroll};
use crate::panels::ViewCtx;
use crate::theme::{self, Theme};
use crate::widgets::text;

/// The page; whether it is to be closed.
pub(super) fn ui(ui: &mut Ui, ctx: &ViewCtx<'_>) -> bool {
    const KEYS: [(&str, &str); 29] = [
        ("Ctrl+P", "go to a path"),
        ("Ctrl+Shift+P", "run a command"),
        ("Ctrl+F", "find in the stack"),
        ("Ctrl+O", "open a folder"),
        ("↑ ↓ ← →", "move, open and close"),
        ("Enter  Space", "open in a tab of its own, peek"),
        ("Alt+←  Alt+→", "back, forward"),
        ("[  ]", "copy one layer below, above"),
        ("W", "why does this win"),
        ("C", "compare with the winner"),
        ("N  Shift+N", "next, previous difference"),
        ("X  Space", "swap the sides, blink"),
        ("Ctrl+C", "copy the path"),
        ("Ctrl+Shift+C", "copy it as a link"),
        ("Ctrl+E", "extract"),
        ("Ctrl+W  Ctrl+Q", "close the tab, the program"),
        ("F5", "mount again"),
        ("M", "shadow map of the stack"),
        ("G", "go to an offset"),
        ("1 2 3 4", "red, green, blue, alpha"),
        ("Shift+1…4", "one channel alone"),
        (",  .", "larger level, smaller level"),
        ("F  Home", "fit the picture"),
        ("0", "exact pixels"),
        ("Wheel, drag", "magnify, move the picture"),
        ("Ctrl++  Ctrl+−", "larger, smaller text"),
        ("Esc", "close this, end the search"),
        ("Alt+↑, Alt+↓", "move a layer in What if (Space: leave it out)"),
        ("F1", "this page"),
    ];
    const QUERIES: [(&str, &str); 11] = [
        ("sword orc", "both words, anywhere in the path"),
        ("\"a b\"", "words with a space"),
        ("sword_?.tex", "? one character, * any"),
        (r"/_\d+\.tex$/", "a regular expression"),
        ("ext:tex", "names that end so"),
        ("layer:patch_01", "copies in a layer"),
        ("format:texr", "files of a format"),
        ("size:>1m", "k, m, g; < <= > >="),
        ("copies:>1  wins:no", "copies that lose"),
        ("hash:0xDCDB4713", "paths with this hash"),
        ("!word   a | b", "not, or"),
    ];
    ui.set_width(740.0);
    scroll(room(ui)).show(ui, |ui| {
        ui.columns_const(|[keys, queries]| {
            heading(keys, "Keys");
            table_ui(keys, &KEYS, 140.0, ctx.theme);
            heading(queries, "Queries");
            table_ui(queries, &QUERIES, 150.0, ctx.theme);
            queries.add_space(16.0);
            heading(queries, "Marks");
            marks_ui(queries, ctx.theme);
        });
    });
    ui.add_space(8.0);
    ui.button("Close").clicked()
}

fn table_ui(ui: &mut Ui, rows: &[(&str, &str)], column: f32, theme: &Theme) {
    for (key, meaning) in rows {
        let (row, _) = ui.allocate_exact_size(vec2(ui.available_width(), 19.0), Sense::hover());
        let left = row.left() + column;
        text::left(ui, row, row.left(), left, key, theme::mono(theme::DENSE), theme.text);
        text::left(ui, row, left, row.right(), meaning, theme::sans(theme::DENSE), theme.muted);
    }
}

fn marks_ui(ui: &mut Ui, theme: &Theme) {
    for (icon, colour, meaning) in [
        (theme::icon::WINNER, theme.accent, "this copy wins"),
        (theme::icon::WARNING, theme.warning, "the engine's own search would miss it"),
        (theme::icon::UNPROVEN, theme.warning, "which of a file and a member is used is not proven"),
        (theme::icon::LAYERS, theme.muted, "how many copies there are"),
        (theme::icon::ARCHIVE, theme.muted, "only containers hold the path"),
    ] {
        ui.horizontal(|ui| {
            ui.label(icon.rich_text().size(15.0).color(colour));
            ui.label(RichText::new(meaning).size(theme::DENSE).color(theme.muted));
        });
    }
    for (sign, colour, meaning) in [
        ("=", theme.muted, "the same bytes as the winner"),
        ("≈", theme.removed, "some levels of the texture have its pixels"),
        ("≠", theme.removed, "other bytes than the winner"),
        ("!", theme.error, "cannot be read"),
    ] {
        ui.horizontal(|ui| {
            let sign = RichText::new(sign).font(theme::semibold(theme::BODY)).color(colour);
            ui.add_sized([15.0, 18.0], egui::Label::new(sign));
            ui.label(RichText::new(meaning).size(theme::DENSE).color(theme.muted));
        });
    }
}
