//! What stands above the grid: what is shown, how many there are, and how large they are.

use egui::{Align, Layout, Margin, RichText, Ui};
use palimpsest_core::export::{Conversion, Form};
use palimpsest_core::path::{split, to_text};

use super::{SIDES, all_files};
use crate::command::Command;
use crate::format::{count, number};
use crate::grid::{Grid, GridCommand, GridOf};
use crate::panels::{ViewCtx, icon_button};
use crate::theme::{self, icon};
use crate::widgets::menu;

/// What stands above the grid; whether any of it was clicked.
pub(super) fn ui(ui: &mut Ui, shown: &mut usize, grid: &Grid, ctx: &ViewCtx<'_>) -> bool {
    let mut is_clicked = false;
    egui::Frame::new().inner_margin(Margin { left: 10, right: 8, top: 6, bottom: 4 }).show(ui, |ui| {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 2.0;
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                ui.spacing_mut().item_spacing.x = 2.0;
                is_clicked |= all_ui(ui, grid, ctx);
                ui.add_space(6.0);
                let names = [("L", "Large pictures"), ("M", "Middling pictures"), ("S", "Small pictures")];
                for ((name, hint), at) in names.into_iter().zip((0..SIDES.len()).rev()) {
                    let button =
                        egui::Button::selectable(*shown == at, RichText::new(name).size(theme::CAPTION));
                    if ui.add(button).on_hover_text(hint).clicked() {
                        *shown = at;
                        is_clicked = true;
                    }
                }
                ui.add_space(6.0);
                ui.label(RichText::new(counts(grid)).size(theme::CAPTION).color(ctx.theme.muted));
                ui.add_space(8.0);
                ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                    ui.set_clip_rect(ui.max_rect().intersect(ui.clip_rect()));
                    crumbs_ui(ui, grid, ctx);
                });
            });
        });
    });
    is_clicked
}

fn counts(grid: &Grid) -> String {
    let textures = count(grid.tiles.len() as u64, "texture");
    let files: u64 = grid.tiles.iter().map(|tile| u64::from(tile.tiers)).sum();
    if files == grid.tiles.len() as u64 { textures } else { format!("{textures} of {} files", number(files)) }
}

/// The folders around the one that is shown, or what was searched for.
fn crumbs_ui(ui: &mut Ui, grid: &Grid, ctx: &ViewCtx<'_>) {
    let theme = ctx.theme;
    let here = |ui: &mut Ui, text: String| {
        ui.label(RichText::new(text).font(theme::semibold(theme::DENSE)).color(theme.text));
    };
    let path = match &grid.of {
        GridOf::Found(_) => {
            here(ui, format!("Found: {}", ctx.session.search.text));
            return;
        }
        GridOf::Folder(path) => path.as_slice(),
    };
    let mut around: Vec<&[u8]> = Vec::new();
    let mut at = path;
    while !at.is_empty() {
        around.push(at);
        at = split(at).0;
    }
    around.push(&[]);
    around.reverse();
    let last = around.len() - 1;
    for (at, folder) in around.into_iter().enumerate() {
        if at > 0 {
            ui.label(icon::CLOSED.rich_text().size(14.0).color(theme.muted));
        }
        let name = if at == 0 { "All textures".to_owned() } else { to_text(split(folder).1).into_owned() };
        if at == last {
            // As far from the mark before it as the words of a button.
            ui.add_space(if at > 0 { 4.0 } else { 0.0 });
            here(ui, name);
            continue;
        }
        let text = RichText::new(name).size(theme::DENSE).color(theme.muted);
        if ui.add(egui::Button::new(text).frame_when_inactive(false)).clicked() {
            ctx.send(Command::Grid(GridCommand::ShowFolder(folder.to_vec())));
        }
    }
}

/// What can be done with all that are shown; whether the button was clicked.
fn all_ui(ui: &mut Ui, grid: &Grid, ctx: &ViewCtx<'_>) -> bool {
    let name = "Export all that are shown";
    let button = icon_button(ui, icon::EXPORT, name);
    egui::Popup::menu(&button).show(|ui| {
        let has_some = !grid.tiles.is_empty();
        for (name, form, is_joined) in [
            ("Export all as PNG, tiers joined…", Form::Png, true),
            ("Export all as DDS, tiers joined…", Form::Dds, true),
            ("Extract all as stored…", Form::Native, false),
        ] {
            if menu::item(ui, name, "", has_some) {
                let conversion = Conversion { form, is_joined, ..Conversion::default() };
                ctx.send(Command::PickExportFolder(all_files(grid), conversion));
            }
        }
    });
    button.clicked()
}
