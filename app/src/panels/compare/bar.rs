//! The bar below a view.

use egui::{Rect, RichText, Ui, UiBuilder, pos2, vec2};

use crate::command::Command;
use crate::panels::texture::BAR;
use crate::panels::{ViewCtx, icon_button};
use crate::theme;

/// Divides what is left into a view and the bar below it, whose ground is drawn.
pub(super) fn with_bar(ui: &Ui, ctx: &ViewCtx<'_>) -> (Rect, Rect) {
    let area = ui.available_rect_before_wrap();
    let line = (area.bottom() - BAR).max(area.top());
    let bar = Rect::from_min_max(pos2(area.left(), line), area.max);
    ui.painter().rect_filled(bar, 0.0, ctx.theme.panel);
    ui.painter().hline(bar.x_range(), bar.top(), ctx.theme.line());
    (Rect::from_min_max(area.min, pos2(area.right(), line)), bar)
}

/// Draws into a bar.
pub(super) fn bar_ui(ui: &mut Ui, bar: Rect, content: impl FnOnce(&mut Ui)) {
    let inside = UiBuilder::new().max_rect(bar.shrink2(vec2(12.0, 2.0)));
    ui.scope_builder(inside, |ui| {
        ui.horizontal_centered(|ui| {
            ui.spacing_mut().item_spacing.x = 6.0;
            content(ui);
        });
    });
}

/// A caption in a bar.
pub(super) fn caption(ui: &mut Ui, text: impl Into<String>, ctx: &ViewCtx<'_>) {
    let text = RichText::new(text).size(theme::CAPTION).color(ctx.theme.muted);
    ui.add(egui::Label::new(text).truncate());
}

/// The way to the difference before and to the next one.
pub(super) fn steps_ui(ui: &mut Ui, has_any: bool, ctx: &ViewCtx<'_>) {
    ui.add_enabled_ui(has_any, |ui| {
        for (icon, name, by) in [
            (theme::icon::PREVIOUS, "Previous difference (Shift+N)", -1),
            (theme::icon::OPEN, "Next difference (N)", 1),
        ] {
            if icon_button(ui, icon, name).clicked() {
                ctx.send(Command::StepDifference(by));
            }
        }
    });
}
