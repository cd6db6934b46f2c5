//! Everything about the vertex that was clicked.

use egui::{Color32, RichText, Sense, Ui, vec2};
use palimpsest_core::asset::{Attribute, AttributeLayout, Group, Semantic, VertexFormat, Weights};

use super::ModelView;
use super::bones::name_of;
use super::side::{caption, note};
use crate::command::{Command, ModelCommand, Selection, Selector};
use crate::gpu::mesh::Drawable;
use crate::panels::ViewCtx;
use crate::session::OpenDocument;
use crate::theme;

pub(super) fn ui(
    ui: &mut Ui,
    view: &mut ModelView,
    open: &OpenDocument,
    drawable: &Drawable,
    ctx: &ViewCtx<'_>,
) {
    let Some(mesh) = &drawable.model.mesh else {
        note(ui, "A skeleton has no vertices.", ctx.theme);
        return;
    };
    let Some((group, vertex)) = open.model.picked else {
        let words = "Click the model: the nearest corner of the triangle there is shown here";
        let bytes = if open.own_mesh().is_some() { ", and its bytes are selected." } else { "." };
        note(ui, &format!("{words}{bytes}"), ctx.theme);
        return;
    };
    let Some(own) = mesh.groups.get(group) else { return };
    ui.horizontal(|ui| {
        let mut shown = vertex;
        ui.label(RichText::new("vertex").size(theme::DENSE));
        ui.visuals_mut().widgets.inactive.weak_bg_fill = ctx.theme.hovered;
        let last = own.vertex_count.saturating_sub(1);
        if ui.add(egui::DragValue::new(&mut shown).range(0..=last).speed(0.2)).changed() {
            ctx.send(Command::Model(open.id, ModelCommand::SelectVertex(Some((group, shown)))));
        }
        ui.label(RichText::new(format!("of {} in group {group}", own.vertex_count)).size(theme::DENSE));
    });
    let Some(format) = mesh.formats.get(own.format as usize) else { return };
    if ui.link(RichText::new("copy as text").size(theme::CAPTION)).clicked() {
        ctx.send(Command::CopyText(told(own, format, (group, vertex))));
    }
    if open.own_mesh().is_none() {
        note(ui, "Its bytes are in the file of the mesh, which has a tab of its own.", ctx.theme);
    }
    for attribute in &format.attributes {
        if !matches!(attribute.semantic, Semantic::Weights | Semantic::BoneIndices) {
            attribute_ui(ui, own, attribute, vertex, open, ctx);
        }
    }
    weights_ui(ui, view, (group, vertex), drawable, open, ctx);
}

/// All attributes of a vertex, a line each.
fn told(own: &Group, format: &VertexFormat, (group, vertex): (usize, u32)) -> String {
    let line = |attribute: &Attribute| {
        let value = own.values_of(attribute).and_then(|values| values.get(vertex));
        let exact = |value: [f32; 4]| {
            value.iter().take(count_of(attribute)).map(f32::to_string).collect::<Vec<_>>().join(" ")
        };
        let value = value.map_or_else(|| "not known".to_owned(), exact);
        format!("{}\t{value}\n", name_of_attribute(attribute))
    };
    let lines: String = format.attributes.iter().map(line).collect();
    format!("group {group}, vertex {vertex}\n{lines}")
}

fn name_of_attribute(attribute: &Attribute) -> String {
    match attribute.semantic {
        Semantic::Uv => format!("uv{}", attribute.channel),
        semantic if attribute.channel > 0 => format!("{}{}", semantic.name(), attribute.channel),
        semantic => semantic.name().to_owned(),
    }
}

/// An attribute with its value; a click selects its bytes.
fn attribute_ui(
    ui: &mut Ui,
    group: &Group,
    attribute: &Attribute,
    vertex: u32,
    open: &OpenDocument,
    ctx: &ViewCtx<'_>,
) {
    let name = name_of_attribute(attribute);
    let values = group.values_of(attribute);
    let value = values.as_ref().and_then(|values| values.get(vertex));
    let words = value.map_or_else(|| "not known".to_owned(), |value| words(attribute, value));
    ui.horizontal(|ui| {
        let label = RichText::new(&name).size(theme::DENSE).color(ctx.theme.muted);
        ui.add_sized([60.0, 18.0], egui::Label::new(label).halign(egui::Align::LEFT));
        if let (Semantic::Colour, Some([r, g, b, _])) = (attribute.semantic, value) {
            let (rect, _) = ui.allocate_exact_size(vec2(14.0, 14.0), Sense::hover());
            ui.painter().rect_filled(rect, 2.0, Color32::from_rgb(r as u8, g as u8, b as u8));
        }
        let text = RichText::new(words).font(theme::mono(theme::CAPTION));
        let response = ui.add(egui::Label::new(text).sense(Sense::click()));
        let range = values.as_ref().and_then(|values| values.range(vertex));
        if let Some(range) = range.filter(|_| response.clicked() && open.own_mesh().is_some()) {
            ctx.send(Command::Select(open.id, Selection { range, by: Selector::Other }));
        }
        response.on_hover_text("Click: its bytes");
    });
}

/// How many numbers an attribute has that mean something.
const fn count_of(attribute: &Attribute) -> usize {
    match attribute.semantic {
        Semantic::Uv => 2,
        Semantic::Colour | Semantic::Weights | Semantic::BoneIndices => 4,
        _ => 3,
    }
}

fn words(attribute: &Attribute, value: [f32; 4]) -> String {
    let numbers = value.iter().take(count_of(attribute));
    if attribute.layout == AttributeLayout::U8x4 {
        return numbers.map(|value| format!("{value:>3}")).collect::<Vec<_>>().join(" ");
    }
    numbers.map(|value| format!("{:>8}", short(*value))).collect::<Vec<_>>().join(" ")
}

/// A number in at most eight letters.
fn short(value: f32) -> String {
    let whole = [(100.0, 4), (1e3, 3), (1e4, 2), (1e5, 1)];
    match whole.into_iter().find(|(below, _)| value.abs() < *below) {
        Some((_, digits)) => format!("{value:.digits$}"),
        None if value.is_finite() => format!("{value:.1e}"),
        None => value.to_string(),
    }
}

/// The bones that move the vertex; a click chooses one.
fn weights_ui(
    ui: &mut Ui,
    view: &mut ModelView,
    (group, vertex): (usize, u32),
    drawable: &Drawable,
    open: &OpenDocument,
    ctx: &ViewCtx<'_>,
) {
    let model = &drawable.model;
    let Some(span) = model.geometry.groups.get(group).filter(|span| span.has(Semantic::Weights)) else {
        note(ui, "It hangs on no bone.", ctx.theme);
        return;
    };
    let Some(own) = model.geometry.vertices.get((span.first_vertex + vertex) as usize) else { return };
    caption(ui, "Weights, in parts of 255", ctx.theme);
    for (place, weight) in own.places.iter().zip(own.weights) {
        if weight == 0 {
            continue;
        }
        let bone = model.bone_of(*place);
        let name = bone
            .and_then(|bone| model.rig.joints.get(bone))
            .map_or_else(|| "no bone".to_owned(), |joint| name_of(joint, ctx.session));
        let text = RichText::new(format!("{weight:>3}  {name}")).font(theme::mono(theme::CAPTION));
        if ui.selectable_label(bone.is_some() && view.bone == bone, text).clicked() {
            view.bone = bone;
        }
    }
    let sum: u16 = own.weights.iter().map(|weight| u16::from(*weight)).sum();
    if sum != 255 {
        let text = RichText::new(format!("They add up to {sum}, not to 255.")).size(theme::CAPTION);
        ui.label(text.color(ctx.theme.warning));
    }
    let stored = model.mesh.as_ref().and_then(|mesh| {
        let group = mesh.groups.get(group)?;
        let format = mesh.formats.get(group.format as usize)?;
        let values = group.values(format, Semantic::Weights, 0)?;
        Some((*values.bytes(vertex)?.first_chunk::<4>()?, values.range(vertex)?))
    });
    if let Some((bytes, range)) = stored {
        let Weights([a, b, c, d]) = Weights(bytes);
        let text = format!("stored {a} {b} {c} {d}: third, second, first, fourth");
        let text = RichText::new(text).size(theme::CAPTION).color(ctx.theme.muted);
        let response = ui.add(egui::Label::new(text).sense(Sense::click())).on_hover_text("Click: its bytes");
        if response.clicked() && open.own_mesh().is_some() {
            ctx.send(Command::Select(open.id, Selection { range, by: Selector::Other }));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_enough_for_the_page() {
        for (value, text) in [
            (0.5, "0.5000"),
            (-12.25, "-12.2500"),
            (-123.456, "-123.456"),
            (1234.5, "1234.50"),
            (-98765.4, "-98765.4"),
            (1e30, "1.0e30"),
            (-3e-9, "-0.0000"),
            (f32::NAN, "NaN"),
            (f32::NEG_INFINITY, "-inf"),
        ] {
            assert_eq!(short(value), text);
            assert!(text.len() <= 8);
        }
    }
}
