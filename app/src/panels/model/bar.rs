//! The bar below a model.

use std::sync::Arc;

use egui::{RichText, Ui, WidgetInfo};
use palimpsest_core::asset::Mesh;

use super::ModelView;
use super::style::{Level, Show};
use crate::format::{length, number};
use crate::gpu::mesh::{Drawable, Mode};
use crate::panels::texture::NARROW;
use crate::panels::{ViewCtx, icon_button};
use crate::session::OpenDocument;
use crate::shown::{groups_at, triangles};
use crate::theme;
use crate::widgets::combo::combo;

/// What has a button of its own.
const BUTTONS: [(Show, &str); 4] =
    [(Show::Edges, "edges"), (Show::Bones, "bones"), (Show::Unwrapped, "uv"), (Show::Turntable, "turn")];

impl ModelView {
    pub(super) fn bar_ui(
        &mut self,
        ui: &mut Ui,
        open: &OpenDocument,
        drawable: &Arc<Drawable>,
        ctx: &ViewCtx<'_>,
    ) {
        let lines = egui::Layout::left_to_right(egui::Align::Center);
        let is_narrow = ui.max_rect().width() < NARROW;
        let lines = if is_narrow { lines.with_main_wrap(true) } else { lines };
        ui.with_layout(lines, |ui| {
            ui.spacing_mut().item_spacing.x = 4.0;
            if let Some(mesh) = &drawable.model.mesh {
                self.mode_ui(ui, open);
                self.level_ui(ui, mesh, drawable);
            }
            for (show, name) in BUTTONS {
                if show == Show::Unwrapped && drawable.model.mesh.is_none() {
                    continue;
                }
                let text = RichText::new(name).font(theme::mono(theme::CAPTION));
                let button = ui.add(egui::Button::selectable(self.style.has(show), text));
                button.widget_info(|| {
                    WidgetInfo::selected(egui::accesskit::Role::Button, true, self.style.has(show), name)
                });
                if button.on_hover_text(show.hint()).clicked() {
                    self.style.toggle(show);
                }
            }
            // Of two lines each begins on the left.
            let rest = egui::Layout::right_to_left(egui::Align::Center);
            let mut add = |ui: &mut Ui| {
                let text = RichText::new("panel").font(theme::mono(theme::CAPTION));
                let button = ui.add(egui::Button::selectable(self.side.pages.is_open, text));
                let hint = "Everything that can be chosen: view, parts, bones, vertex, data (P)";
                if button.on_hover_text(hint).clicked() {
                    self.side.pages.is_open = !self.side.pages.is_open;
                }
                if icon_button(ui, theme::icon::FIT, "Look at what is chosen, or at everything (F)").clicked()
                {
                    self.frame(open, &drawable.model);
                }
                let text = RichText::new("ortho").font(theme::mono(theme::CAPTION));
                let button = ui.add(egui::Button::selectable(self.camera.is_orthographic, text));
                if button.on_hover_text("What is far away is not smaller (O)").clicked() {
                    self.camera.is_orthographic = !self.camera.is_orthographic;
                }
                warnings_ui(ui, open, drawable, ctx);
            };
            if is_narrow { add(ui) } else { ui.with_layout(rest, add).inner }
        });
    }

    fn mode_ui(&mut self, ui: &mut Ui, open: &OpenDocument) {
        let shown = self.mode(open);
        let response = combo(ui, ("mode", "Colours"), shown.name(), 78.0, |ui| {
            for mode in Mode::ALL {
                let text = RichText::new(mode.name()).font(theme::mono(theme::DENSE));
                if ui.selectable_label(shown == mode, text).clicked() {
                    self.style.mode = Some(mode);
                }
            }
        });
        response.on_hover_text("What colours are made of");
    }

    fn level_ui(&mut self, ui: &mut Ui, mesh: &Mesh, drawable: &Drawable) {
        let is_shadow = self.style.has(Show::Shadows);
        let levels = mesh.levels(is_shadow);
        let name = |at: usize| {
            let groups = groups_at(mesh, at, is_shadow);
            let all = triangles(&drawable.model.geometry, groups.iter().map(|shown| shown.group));
            let from =
                levels.get(at).map_or_else(String::new, |lod| format!(" from {}", length(lod.distance)));
            format!("lod {at}{from}, {} triangles", number(all))
        };
        let drawn = self.level(mesh);
        let shown = match (drawn, self.style.level) {
            (None, _) => "auto: culled".to_owned(),
            (Some(level), Level::ByDistance) => format!("auto: lod {level}"),
            (Some(level), Level::Fixed(_)) => format!("lod {level}"),
        };
        let response = combo(ui, ("level", "Level of detail"), &shown, 104.0, |ui| {
            let text = |text: String| RichText::new(text).font(theme::mono(theme::DENSE));
            let away = length(self.distance(mesh));
            let is_auto = self.style.level == Level::ByDistance;
            if ui.selectable_label(is_auto, text(format!("by distance, {away} now"))).clicked() {
                self.style.level = Level::ByDistance;
            }
            for at in 0..levels.len().max(1) {
                if ui.selectable_label(self.style.level == Level::Fixed(at), text(name(at))).clicked() {
                    self.style.level = Level::Fixed(at);
                }
            }
        });
        response.on_hover_text("Level of detail: , for a finer one, . for a coarser one");
    }
}

/// What does not fit between a mesh and its skeleton, and what is on its way.
fn warnings_ui(ui: &mut Ui, open: &OpenDocument, drawable: &Drawable, ctx: &ViewCtx<'_>) {
    if open.model.joining.is_some() {
        ui.add(egui::Spinner::new().size(14.0)).on_hover_text("Joining mesh and skeleton");
    }
    let notes = &drawable.model.notes;
    if !notes.is_empty() {
        let icon = theme::icon::WARNING.rich_text().size(14.0).color(ctx.theme.warning);
        ui.label(icon).on_hover_text(notes.join("\n"));
    }
}
