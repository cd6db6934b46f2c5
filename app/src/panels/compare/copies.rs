//! The copies that can be compared, with those that are: the layers panel of a comparison.

use egui::{Frame, Margin, Rect, RichText, Sense, Ui, WidgetInfo, pos2};
use palimpsest_core::diff::Change;

use crate::command::Command;
use crate::format::{count, number, size};
use crate::panels::ViewCtx;
use crate::session::OpenComparison;
use crate::theme;
use crate::widgets::row::{self, Standing, icon_at};
use crate::widgets::rows::Rows;
use crate::widgets::{menu, text};

/// Lists the copies; a click compares another one on the left side.
pub(in crate::panels) fn copies_ui(ui: &mut Ui, rows: &mut Rows, open: &OpenComparison, ctx: &ViewCtx<'_>) {
    let theme = ctx.theme;
    Frame::new().inner_margin(Margin { left: 12, right: 12, top: 6, bottom: 4 }).show(ui, |ui| {
        text::path_line(ui, &open.answer.path, theme::mono(theme::CAPTION), theme.muted);
        let copies = count(open.answer.copies.len() as u64, "copy");
        let text = if open.has_others() {
            format!("{copies}; a click puts one on the left side, with Shift on the right")
        } else {
            copies
        };
        ui.label(RichText::new(text).size(theme::CAPTION).color(theme.muted));
    });
    let id = ui.scope_id().with("compared copies");
    rows.ui(ui, id, theme::ROW, open.answer.copies.len() as u64, |ui, at, rect| {
        if let Ok(at) = usize::try_from(at) {
            copy_ui(ui, rect, open, at, ctx);
        }
    });
}

fn copy_ui(ui: &Ui, rect: Rect, open: &OpenComparison, at: usize, ctx: &ViewCtx<'_>) {
    let theme = ctx.theme;
    let Some(copy) = open.answer.copies.get(at) else { return };
    let response = ui.interact(rect, ui.scope_id().with(at), Sense::click());
    let [left, right] = &open.sides;
    let is_compared = open.has_others() && (left.copy == at || right.copy == at);
    row::ground(ui, &response, if is_compared { Standing::Focused } else { Standing::Plain });
    if copy.wins {
        let at = pos2(rect.left() + 18.0, rect.center().y);
        icon_at(ui, at, theme::icon::WINNER, 15.0, theme.accent);
    }
    let small = theme::mono(theme::CAPTION);
    text::right(ui, rect, rect.left() + 48.0, &copy.copy.layer.to_string(), small.clone(), theme.muted);
    let mut x = rect.right() - 12.0;
    for (side, change) in [(right, Change::Added), (left, Change::Removed)] {
        if is_compared && side.copy == at {
            let sign = theme::semibold(theme::BODY);
            text::right(ui, rect, x, change.sign(), sign, theme.change(change));
        }
        x -= 14.0;
    }
    let bytes = text::right(ui, rect, x - 6.0, &size(copy.stat.size), small, theme.muted);
    let colour = if copy.wins { theme.accent } else { theme.text };
    let name = open.layer(at);
    text::left(ui, rect, rect.left() + 56.0, bytes.left(), &name, theme::sans(theme::DENSE), colour);
    response.widget_info(|| WidgetInfo::selected(egui::accesskit::Role::Row, true, is_compared, &name));
    if response.clicked() && open.has_others() {
        let side = usize::from(crate::widgets::keys::shift_at_pointer(ui));
        ctx.send(Command::CompareOther(open.id, side, at));
    }
    response.context_menu(|ui| {
        for (side, name) in ["Compare on the left side", "Compare on the right side"].into_iter().enumerate()
        {
            if menu::item(ui, name, "", open.has_others()) {
                ctx.send(Command::CompareOther(open.id, side, at));
            }
        }
        if menu::item(ui, "Open this copy", "", true) {
            ctx.send(Command::Open { entry: open.entry, copy: at, stays: true });
        }
    });
    response.on_hover_text(format!("{} bytes, {} stored", number(copy.stat.size), number(copy.stat.stored)));
}
