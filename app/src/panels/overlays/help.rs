//! Keys, queries and marks.

use egui::{RichText, Sense, Ui, vec2};

use super::{heading, room, scroll};
use crate::panels::ViewCtx;
use crate::panels::actions::{self, Action, Shortcut};
use crate::theme::{self, Theme};
use crate::widgets::text;

/// The page; whether it is to be closed.
pub(super) fn ui(ui: &mut Ui, ctx: &ViewCtx<'_>) -> bool {
    /// What single panels do with keys and the pointer.
    const PANELS: [(&str, &str); 9] = [
        ("↑ ↓ ← →", "move, open and close"),
        ("Enter  Space", "open in a tab of its own, peek"),
        ("Esc", "close this, end the search"),
        ("Ctrl+C", "in a list: copy the row"),
        ("Wheel, drag", "magnify, move the picture"),
        ("Space", "blink compared pictures"),
        ("Space", "leave a layer out in What if"),
        ("Alt+↑  Alt+↓", "move a layer in What if"),
        ("Mouse 4, 5", "back, forward"),
    ];
    const QUERIES: [(&str, &str); 12] = [
        ("sword orc", "both words, anywhere in the path"),
        ("\"a b\"", "words with a space"),
        ("sword_?.tex", "? one character, * any"),
        (r"/_\d+\.tex$/", "a regular expression"),
        ("ext:tex", "names that end so"),
        ("layer:patch_01", "copies in a layer"),
        ("format:texr", "files of a format"),
        ("size:>1m", "k, m, g; < <= > >="),
        ("copies:>1", "paths with more than one copy"),
        ("wins:no", "copies that lose"),
        ("hash:0xDCDB4713", "paths with this hash"),
        ("!word   a | b", "not, or"),
    ];
    ui.set_width((ui.ctx().content_rect().width() - 80.0).clamp(560.0, 1000.0));
    scroll(room(ui)).show(ui, |ui| {
        ui.columns_const(|[keys, panels, queries]| {
            let all = keys_of_actions();
            let (first, second) = all.split_at(all.len() * 2 / 3);
            heading(keys, "Keys");
            table_ui(keys, first, ctx.theme);
            heading(panels, "More keys");
            table_ui(panels, second, ctx.theme);
            panels.add_space(16.0);
            heading(panels, "In lists and pictures");
            table_ui(panels, &owned(&PANELS), ctx.theme);
            heading(queries, "Queries");
            table_ui(queries, &owned(&QUERIES), ctx.theme);
            queries.add_space(16.0);
            heading(queries, "Marks");
            marks_ui(queries, ctx.theme);
        });
    });
    ui.add_space(8.0);
    ui.button("Close").clicked()
}

/// The keys of all that has some, in the order of the menus.
fn keys_of_actions() -> Vec<(String, String)> {
    let row = |action: &Action| {
        let keys: Vec<_> = action.keys.iter().flatten().map(Shortcut::text).collect();
        let name = action.name.trim_end_matches('…').to_owned();
        (!keys.is_empty()).then(|| (keys.join("  "), name))
    };
    actions::all().into_iter().filter_map(row).collect()
}

fn owned(rows: &[(&str, &str)]) -> Vec<(String, String)> {
    rows.iter().map(|(key, meaning)| ((*key).to_owned(), (*meaning).to_owned())).collect()
}

fn table_ui(ui: &mut Ui, rows: &[(String, String)], theme: &Theme) {
    /// How wide the keys are.
    const COLUMN: f32 = 124.0;
    for (key, meaning) in rows {
        let (row, _) = ui.allocate_exact_size(vec2(ui.available_width(), 19.0), Sense::hover());
        let left = row.left() + COLUMN;
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
        ("+", theme.added, "in another order: the path comes"),
        ("−", theme.removed, "it goes; ≠ another copy of it wins"),
    ] {
        ui.horizontal(|ui| {
            let sign = RichText::new(sign).font(theme::semibold(theme::BODY)).color(colour);
            ui.add_sized([15.0, 18.0], egui::Label::new(sign));
            ui.label(RichText::new(meaning).size(theme::DENSE).color(theme.muted));
        });
    }
}
