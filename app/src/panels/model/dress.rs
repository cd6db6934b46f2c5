//! Which textures a mesh wears, slot by slot of its material.

use egui::{RichText, Ui};
use palimpsest_core::mount::CopyRef;
use palimpsest_core::scene::{TextureFile, TextureRole};

use super::side::{caption, note};
use crate::command::{Command, ModelCommand};
use crate::gpu::mesh::Drawable;
use crate::jobs::Load;
use crate::panels::{ViewCtx, choice};
use crate::session::OpenDocument;
use crate::shown::slots_of;
use crate::theme;
use crate::widgets::combo::combo;

/// Chooses the textures of a slot.
pub(super) fn ui(ui: &mut Ui, slot: &mut i32, open: &OpenDocument, drawable: &Drawable, ctx: &ViewCtx<'_>) {
    caption(ui, "Textures", ctx.theme);
    let slots = drawable.model.mesh.as_ref().map(|mesh| slots_of(mesh)).unwrap_or_default();
    if !slots.contains(slot) {
        *slot = slots.first().copied().unwrap_or(0);
    }
    if slots.len() > 1 {
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing = egui::vec2(2.0, 2.0);
            ui.label(RichText::new("material").size(theme::DENSE));
            for own in &slots {
                if choice(ui, slot == own, &own.to_string()).clicked() {
                    *slot = *own;
                }
            }
        });
    }
    let candidates = candidates(open, ctx);
    for role in TextureRole::ALL {
        let worn = open.model.texture(*slot, role);
        role_ui(ui, open, (*slot, role), worn, &candidates, ctx);
    }
    if open.model.worn.is_empty() {
        let words = match open.model.offers() {
            None => "Looking for textures…",
            Some(offers) if offers.dress.textures.iter().all(Option::is_none) => {
                "No texture in the folder has the name of the mesh. Those of the folder and of open tabs can be \
                 chosen, and any can be dragged from the list of paths onto the model."
            }
            Some(_) => "Chosen by their names.",
        };
        note(ui, words, ctx.theme);
    } else if ui.button(RichText::new("As the names say").size(theme::DENSE)).clicked() {
        ctx.send(Command::Model(open.id, ModelCommand::WearBest));
    }
}

/// The textures that can be chosen: those of the folder, and those of open tabs.
fn candidates(open: &OpenDocument, ctx: &ViewCtx<'_>) -> Vec<(String, CopyRef)> {
    let near = open.model.offers().map(|offers| offers.textures.as_slice()).unwrap_or_default();
    let mut all: Vec<_> = near.iter().map(|TextureFile { path, copy, .. }| (path.clone(), *copy)).collect();
    let tabs = ctx.session.open.iter().filter(|tab| tab.shown_texture().is_some());
    for tab in tabs {
        if let Some(copy) = tab.copy_ref()
            && all.iter().all(|(_, own)| *own != copy)
        {
            all.push((tab.answer.path.clone(), copy));
        }
    }
    all
}

fn role_ui(
    ui: &mut Ui,
    open: &OpenDocument,
    (slot, role): (i32, TextureRole),
    worn: Option<CopyRef>,
    candidates: &[(String, CopyRef)],
    ctx: &ViewCtx<'_>,
) {
    let path = worn.map(|copy| open.mounted.stack.path_of(copy));
    let leaf = |path: &str| path.rsplit(['\\', '/']).next().unwrap_or(path).to_owned();
    let shown = path.as_deref().map_or_else(|| "none".to_owned(), leaf);
    let wear = |texture: Option<CopyRef>| {
        ctx.send(Command::Model(open.id, ModelCommand::Wear { slot, role, texture }));
    };
    ui.horizontal(|ui| {
        let name = RichText::new(role.name()).size(theme::DENSE);
        ui.add_sized([56.0, theme::ROW], egui::Label::new(name).halign(egui::Align::LEFT));
        let response = combo(ui, (role.suffix(), role.name()), &shown, ui.available_width() - 8.0, |ui| {
            let item = |text: String| RichText::new(text).font(theme::mono(theme::DENSE));
            if ui.selectable_label(worn.is_none(), item("none".to_owned())).clicked() {
                wear(None);
            }
            for (path, copy) in candidates {
                if ui.selectable_label(worn == Some(*copy), item(leaf(path))).on_hover_text(path).clicked() {
                    wear(Some(*copy));
                }
            }
        });
        if let Some(path) = &path {
            response.on_hover_text(path);
        }
    });
    if let Some(Some(Load::Failed(error))) = worn.map(|copy| open.model.pixels.get(&copy))
        && !error.is_cancelled()
    {
        let text = RichText::new(error.to_string()).size(theme::CAPTION).color(ctx.theme.error);
        ui.add(egui::Label::new(text).wrap());
    }
}
