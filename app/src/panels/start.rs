//! What stands where no tab is open: the ways in.

use egui::{Key, RichText, TextEdit, Ui, WidgetInfo};
use palimpsest_core::mount::Mounts;

use super::ViewCtx;
use super::overlays::path::path_of;
use crate::command::Command;
use crate::jobs::Load;
use crate::theme;
use crate::widgets::{card, field};

/// The panel.
#[derive(Debug, Default)]
pub(super) struct StartPanel {
    path: String,
}

impl StartPanel {
    pub(super) fn ui(&mut self, ui: &mut Ui, ctx: &ViewCtx<'_>) {
        if ctx.session.mounted.is_some() && ctx.session.mount_error.is_none() {
            let hint = "Choose a path on the left. Ctrl+P goes to one by name, F1 lists every key.";
            card::empty_ui(ui, theme::icon::FILE, "No file is open", hint);
            return;
        }
        if let (None, Some((title, Load::Pending(job)))) = (&ctx.session.mounted, &ctx.session.mounting) {
            if card::loading_ui(ui, &format!("Mounting {title}"), job.task()) {
                job.task().cancel();
            }
            return;
        }
        let theme = ctx.theme;
        let width = ui.available_width().min(520.0);
        let margin = (ui.available_width() - width) / 2.0;
        let top = (ui.available_height() * 0.22).min(180.0);
        ui.add_space(top);
        ui.horizontal(|ui| {
            ui.add_space(margin + 24.0);
            ui.vertical(|ui| {
                ui.set_width(width - 48.0);
                ui.label(RichText::new("Palimpsest").font(theme::semibold(26.0)).color(theme.text));
                let line = "Which layer of the game wins a path, and why.";
                ui.label(RichText::new(line).size(theme::BODY).color(theme.muted));
                ui.add_space(16.0);
                if let Some((title, error)) = &ctx.session.mount_error {
                    ui.horizontal_wrapped(|ui| {
                        ui.label(theme::icon::ERROR.rich_text().size(16.0).color(theme.error));
                        let text = format!("{title} was not mounted: {error}");
                        ui.label(RichText::new(text).size(theme::DENSE).color(theme.text));
                    });
                    ui.add_space(8.0);
                }
                self.ways_ui(ui, ctx);
            });
        });
    }

    fn ways_ui(&mut self, ui: &mut Ui, ctx: &ViewCtx<'_>) {
        let theme = ctx.theme;
        let way = |ui: &mut Ui, icon: egui_material_icons::MaterialIcon, name: &str, hint: &str| {
            let button =
                egui::Button::new((icon.rich_text().size(18.0), RichText::new(name).size(theme::BODY)))
                    .right_text(RichText::new(hint).size(theme::CAPTION).color(theme.muted))
                    .min_size(egui::vec2(ui.available_width(), 36.0));
            let response = ui.add(button);
            response.widget_info(|| WidgetInfo::labeled(egui::accesskit::Role::Button, true, name));
            response.clicked()
        };
        if way(ui, theme::icon::FOLDER_OPEN, "Open a folder…", "an install, or loose files   Ctrl+O") {
            ctx.send(Command::PickFolder);
        }
        if way(ui, theme::icon::ARCHIVE, "Open a file…", "an archive, a list, any file") {
            ctx.send(Command::PickFile);
        }
        if way(ui, theme::icon::TEXTURE, "Open the demo", "a small game of our own") {
            ctx.send(Command::MountDemo);
        }
        ui.add_space(8.0);
        let field = TextEdit::singleline(&mut self.path)
            .hint_text(RichText::new("or paste a path and press Enter").color(theme.muted))
            .font(egui::TextStyle::Monospace)
            .desired_width(f32::INFINITY)
            .margin(egui::Margin::symmetric(8, 6));
        let response = ui.add(field);
        field::name(&response, &self.path, "Path to mount");
        if response.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter)) {
            ctx.commands.send_some(path_of(&self.path).map(|path| Command::Mount(Mounts::of(path))));
        }
        ui.add_space(8.0);
        for mounts in ctx.session.recent.iter().take(6) {
            let name = title(mounts);
            let text = RichText::new(&name).font(theme::mono(theme::CAPTION));
            if ui.link(text).on_hover_text("Mount it again").clicked() {
                ctx.send(Command::Mount(mounts.clone()));
            }
        }
        ui.add_space(8.0);
        let hint = "Folders and files can be dropped anywhere on the window.";
        ui.label(RichText::new(hint).size(theme::CAPTION).color(theme.muted));
    }
}

/// What people call a mount: the paths that it names.
pub(super) fn title(mounts: &Mounts) -> String {
    let names = mounts.arch.iter().chain(&mounts.archcfg).chain(&mounts.paths);
    names.map(|path| path.display().to_string()).collect::<Vec<_>>().join("  +  ")
}
