//! The bar at the top: menus, the way back and forward, and the way to any path.

use egui::{RichText, Ui, WidgetInfo};

use super::actions::{Item, MENUS};
use super::start::title;
use super::{ViewCtx, icon_button};
use crate::command::{Command, Overlay};
use crate::theme;
use crate::widgets::menu;

pub(super) fn ui(ui: &mut Ui, ctx: &ViewCtx<'_>) {
    let theme = ctx.theme;
    ui.horizontal_centered(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        ui.label(RichText::new("Palimpsest").font(theme::semibold(theme::BODY)).color(theme.text));
        ui.add_space(4.0);
        ui.scope(|ui| menus_ui(ui, ctx));
        ui.add_space(8.0);
        for (icon, name, is_back) in
            [(theme::icon::BACK, "Back (Alt+←)", true), (theme::icon::FORWARD, "Forward (Alt+→)", false)]
        {
            let can_go = ctx.session.trail.can_go(is_back);
            let response = ui.add_enabled_ui(can_go, |ui| icon_button(ui, icon, name)).inner;
            if response.clicked() {
                ctx.send(if is_back { Command::Back } else { Command::Forward });
            }
        }
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            if icon_button(ui, theme::icon::THEME, "Dark or light").clicked() {
                ctx.send(Command::ToggleTheme);
            }
            let text = RichText::new("Go to a path or command").size(theme::DENSE).color(theme.muted);
            let key = RichText::new("Ctrl+P").font(theme::mono(theme::CAPTION)).color(theme.muted);
            let width = (ui.available_width() - 24.0).clamp(120.0, 360.0);
            let button =
                egui::Button::new((theme::icon::SEARCH.rich_text().size(14.0).color(theme.muted), text))
                    .right_text(key)
                    .min_size(egui::vec2(width, 24.0));
            let response = ui.add(button);
            response.widget_info(|| WidgetInfo::labeled(egui::accesskit::Role::Button, true, "Go to"));
            if response.clicked() {
                ctx.send(Command::Show(Overlay::GoTo, true));
            }
        });
    });
}

fn menus_ui(ui: &mut Ui, ctx: &ViewCtx<'_>) {
    // Menus of a bar have no frame until they are pointed at.
    let widgets = &mut ui.visuals_mut().widgets;
    widgets.inactive.weak_bg_fill = egui::Color32::TRANSPARENT;
    widgets.inactive.bg_stroke = egui::Stroke::NONE;
    for (name, items) in &MENUS {
        ui.menu_button(*name, |ui| items_ui(ui, items, ctx));
    }
}

/// The items of a menu; those that make no sense at the moment cannot be chosen.
pub(super) fn items_ui(ui: &mut Ui, items: &'static [Item], ctx: &ViewCtx<'_>) {
    for item in items {
        match item {
            Item::Action(action) => {
                let command = action.command(ctx.session);
                if menu::item(ui, action.name, &action.key(), command.is_some()) {
                    ctx.commands.send_some(command);
                }
            }
            Item::Line => {
                ui.separator();
            }
            Item::Recent => recent_ui(ui, ctx),
            Item::Menu(name, items) => {
                ui.menu_button(*name, |ui| items_ui(ui, items, ctx));
            }
        }
    }
}

/// What was mounted before.
fn recent_ui(ui: &mut Ui, ctx: &ViewCtx<'_>) {
    let recent = &ctx.session.recent;
    ui.add_enabled_ui(!recent.is_empty(), |ui| {
        ui.menu_button("Open again", |ui| {
            for mounts in recent {
                if menu::item(ui, &title(mounts), "", true) {
                    ctx.send(Command::Mount(mounts.clone()));
                }
            }
        });
    });
}
