//! The bar at the top: menus, the way back and forward, and the way to any path.

use std::sync::Arc;

use egui::{RichText, Ui, WidgetInfo};

use super::start::title;
use super::{ViewCtx, compare, icon_button};
use crate::command::{Command, Overlay, PathFor, Tree};
use crate::files::Files;
use crate::shadow::MapCommand;
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
    let item = |ui: &mut Ui, name: &str, key: &str, command: &dyn Fn() -> Option<Command>| {
        let wanted = command();
        if menu::item(ui, name, key, wanted.is_some()) {
            ctx.commands.send_some(wanted);
        }
    };
    let active = ctx.session.active();
    // Menus of a bar have no frame until they are pointed at.
    let widgets = &mut ui.visuals_mut().widgets;
    widgets.inactive.weak_bg_fill = egui::Color32::TRANSPARENT;
    widgets.inactive.bg_stroke = egui::Stroke::NONE;
    ui.menu_button("File", |ui| {
        item(ui, "Open folder…", "Ctrl+O", &|| Some(Command::PickFolder));
        item(ui, "Open file…", "Ctrl+Shift+O", &|| Some(Command::PickFile));
        item(ui, "Open a path…", "", &|| Some(Command::TypePath(PathFor::Mount)));
        item(ui, "Open the demo", "", &|| Some(Command::MountDemo));
        let recent = &ctx.session.recent;
        ui.add_enabled_ui(!recent.is_empty(), |ui| {
            ui.menu_button("Open again", |ui| {
                for mounts in recent {
                    item(ui, &title(mounts), "", &|| Some(Command::Mount(mounts.clone())));
                }
            });
        });
        ui.separator();
        item(ui, "Extract this file…", "Ctrl+E", &|| extract(ctx));
        item(ui, "Extract its layer…", "", &|| extract_layer(ctx));
        item(ui, "Extract all that was found…", "", &|| extract_found(ctx));
        ui.separator();
        item(ui, "Copy as a link", "Ctrl+Shift+C", &|| active?.link().map(Command::CopyText));
        item(ui, "Close tab", "Ctrl+W", &|| close(ctx));
        item(ui, "Quit", "Ctrl+Q", &|| Some(Command::Quit));
    });
    ui.menu_button("View", |ui| {
        item(ui, "Dark or light", "", &|| Some(Command::ToggleTheme));
        item(ui, "Larger text", "Ctrl++", &|| Some(Command::Zoom(1)));
        item(ui, "Smaller text", "Ctrl+−", &|| Some(Command::Zoom(-1)));
        item(ui, "Normal text", "Ctrl+0", &|| Some(Command::Zoom(0)));
        ui.separator();
        item(ui, "Merged tree", "", &|| Some(Command::ShowTree(Tree::Merged)));
        item(ui, "Tree of each layer", "", &|| Some(Command::ShowTree(Tree::Layers)));
        item(ui, "Shadow map", "M", &|| Some(Command::Map(MapCommand::Show)));
        item(ui, "Put the panels back", "", &|| Some(Command::ResetLayout));
    });
    ui.menu_button("Stack", |ui| {
        let is_mounted = ctx.session.mounted.is_some();
        item(ui, "Mount again", "F5", &|| is_mounted.then_some(Command::Remount));
        item(ui, "What if…", "", &|| is_mounted.then_some(Command::ShowWhatIf));
        let is_simulated = ctx.session.what_if.is_some();
        item(ui, "Back to the real order", "", &|| is_simulated.then_some(Command::EndWhatIf));
        item(ui, "Read the bundles", "", &|| read_bundles(ctx));
        item(ui, "Warnings and skipped lines", "", &|| Some(Command::Show(Overlay::Log, true)));
        ui.separator();
        item(ui, "Decoding of Oodle…", "", &|| Some(Command::Show(Overlay::Oodle, true)));
    });
    ui.menu_button("Go", |ui| {
        item(ui, "To a path…", "Ctrl+P", &|| Some(Command::Show(Overlay::GoTo, true)));
        item(ui, "Commands…", "Ctrl+Shift+P", &|| Some(Command::Show(Overlay::Commands, true)));
        item(ui, "Find in the stack", "Ctrl+F", &|| Some(Command::FocusSearch));
        item(ui, "To an offset…", "G", &|| active.map(|_| Command::Show(Overlay::Offset, true)));
        ui.separator();
        item(ui, "Back", "Alt+←", &|| ctx.session.trail.can_go(true).then_some(Command::Back));
        item(ui, "Forward", "Alt+→", &|| ctx.session.trail.can_go(false).then_some(Command::Forward));
        item(ui, "Copy one layer below", "[", &|| active.map(|_| Command::StepCopy(1)));
        item(ui, "Copy one layer above", "]", &|| active.map(|_| Command::StepCopy(-1)));
        item(ui, "Compare with the winner", "C", &|| compare::command(ctx));
        let compared = ctx.session.active_comparison();
        item(ui, "Next difference", "N", &|| compared.map(|_| Command::StepDifference(1)));
        item(ui, "Previous difference", "Shift+N", &|| compared.map(|_| Command::StepDifference(-1)));
        item(ui, "Why does this win?", "W", &|| active.map(|_| Command::Show(Overlay::Why, true)));
    });
    ui.menu_button("Help", |ui| {
        item(ui, "Keys and queries", "F1", &|| Some(Command::Show(Overlay::Help, true)));
    });
}

/// The command that closes the tab that has the keys.
pub(super) fn close(ctx: &ViewCtx<'_>) -> Option<Command> {
    if ctx.session.is_map_active() {
        return Some(Command::Map(MapCommand::Close));
    }
    ctx.session.active.map(Command::Close)
}

/// The command that reads the bundles, where that was stopped.
pub(super) fn read_bundles(ctx: &ViewCtx<'_>) -> Option<Command> {
    let is_open = ctx.session.stack().is_some_and(|stack| !stack.has_members());
    (is_open && ctx.session.bundles.is_none() && ctx.session.what_if.is_none())
        .then_some(Command::ReadBundles)
}

/// The command that extracts what the active tab shows.
pub(super) fn extract(ctx: &ViewCtx<'_>) -> Option<Command> {
    let open = ctx.session.active()?;
    Some(Command::PickExtractFolder(Files::Copy(open.copy_ref()?)))
}

/// The command that extracts the layer whose copy the active tab shows.
pub(super) fn extract_layer(ctx: &ViewCtx<'_>) -> Option<Command> {
    let copy = ctx.session.active()?.copy_ref()?;
    Some(Command::PickExtractFolder(Files::Layer(copy.layer.into())))
}

/// The command that extracts what the search found.
pub(super) fn extract_found(ctx: &ViewCtx<'_>) -> Option<Command> {
    let found = ctx.session.search.results.as_ref().filter(|found| !found.is_empty())?;
    Some(Command::PickExtractFolder(Files::Found(Arc::clone(found))))
}
