//! Levels of detail, and what each of them draws.

use egui::{Rect, RichText, Sense, Ui, WidgetInfo, pos2, vec2};
use palimpsest_core::asset::Mesh;
use palimpsest_core::hash::string_hash;

use super::ModelView;
use super::side::{caption, note};
use super::style::{Level, Show};
use crate::command::{Command, Selection, Selector};
use crate::format::{count, length, number};
use crate::gpu::mesh::Drawable;
use crate::panels::ViewCtx;
use crate::session::OpenDocument;
use crate::shown::{ShownGroup, colour_of, groups_at, triangles};
use crate::theme;
use crate::widgets::row::{self, Standing};
use crate::widgets::text;

pub(super) fn ui(
    ui: &mut Ui,
    view: &mut ModelView,
    open: &OpenDocument,
    drawable: &Drawable,
    ctx: &ViewCtx<'_>,
) {
    let Some(mesh) = &drawable.model.mesh else {
        note(
            ui,
            "A skeleton alone has no parts that can be drawn. Choose a mesh under \u{201c}Bones\u{201d}.",
            ctx.theme,
        );
        return;
    };
    levels_ui(ui, view, mesh, drawable, ctx);
    let Some(level) = view.level(mesh) else { return };
    let groups = groups_at(mesh, level, view.style.has(Show::Shadows));
    ui.horizontal(|ui| {
        caption(ui, &heading(mesh, &groups), ctx.theme);
        let is_whole = view.hidden.is_empty() && view.hidden_objects.is_empty();
        if !is_whole && ui.link(RichText::new("show all").size(theme::CAPTION)).clicked() {
            view.hidden.clear();
            view.hidden_objects.clear();
        }
    });
    let rows = egui::ScrollArea::vertical().id_salt("parts").auto_shrink([false, false]);
    ui.spacing_mut().item_spacing.y = 0.0;
    let mut marked = None;
    rows.show_rows(ui, theme::ROW, groups.len(), |ui, range| {
        for shown in groups.get(range).unwrap_or_default() {
            if group_ui(ui, view, (mesh, shown), open, drawable, ctx) {
                marked = Some(shown.group);
            }
        }
    });
    view.marked = marked;
}

fn heading(mesh: &Mesh, groups: &[ShownGroup]) -> String {
    let mut records: Vec<_> = groups.iter().map(|shown| shown.record).collect();
    records.dedup();
    let all = number(mesh.records.len() as u64);
    format!(
        "{} of {all} object records, {}",
        number(records.len() as u64),
        count(groups.len() as u64, "group")
    )
}

fn levels_ui(ui: &mut Ui, view: &mut ModelView, mesh: &Mesh, drawable: &Drawable, ctx: &ViewCtx<'_>) {
    let is_shadow = view.style.has(Show::Shadows);
    let what = if is_shadow { "Shadow levels of detail, triangles" } else { "Levels of detail, triangles" };
    caption(ui, what, ctx.theme);
    ui.spacing_mut().item_spacing.y = 0.0;
    let drawn = view.level(mesh);
    let is_auto = view.style.level == Level::ByDistance;
    let away = length(view.distance(mesh));
    if level_ui(ui, "  by distance", &format!("{away} now"), is_auto, ctx).clicked() {
        view.style.level = Level::ByDistance;
    }
    let levels = mesh.levels(is_shadow);
    // A file may list very many; those that are seen are looked at.
    let rows = egui::ScrollArea::vertical().id_salt("levels").max_height(8.0 * theme::ROW);
    rows.auto_shrink([false, true]).show_rows(ui, theme::ROW, levels.len(), |ui, range| {
        for (at, lod) in range.clone().zip(levels.get(range).unwrap_or_default()) {
            let groups = groups_at(mesh, at, is_shadow);
            let all = triangles(&drawable.model.geometry, groups.iter().map(|shown| shown.group));
            let mark = if drawn == Some(at) { "▸" } else { " " };
            let words = format!("{mark} {at}  from {}", length(lod.distance));
            if level_ui(ui, &words, &number(all), view.style.level == Level::Fixed(at), ctx).clicked() {
                view.style.level = Level::Fixed(at);
            }
        }
    });
    if levels.is_empty() {
        note(ui, "The file lists no level of detail: the finest record of each object is drawn.", ctx.theme);
    }
    note(ui, &format!("Culled from {} on.", length(mesh.cull_distance)), ctx.theme);
}

/// A level in a line.
fn level_ui(ui: &mut Ui, words: &str, right: &str, is_chosen: bool, ctx: &ViewCtx<'_>) -> egui::Response {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), theme::ROW), Sense::click());
    response.widget_info(|| WidgetInfo::selected(egui::accesskit::Role::Row, true, is_chosen, words.trim()));
    row::ground(ui, &response, if is_chosen { Standing::Focused } else { Standing::Plain });
    let small = theme::mono(theme::CAPTION);
    let right = text::right(ui, rect, rect.right() - 6.0, right, small.clone(), ctx.theme.muted);
    text::left(ui, rect, rect.left() + 4.0, right.left() - 6.0, words, small, ctx.theme.text);
    response
}

/// A group with what it belongs to; whether the pointer is on it.
fn group_ui(
    ui: &mut Ui,
    view: &mut ModelView,
    (mesh, shown): (&Mesh, &ShownGroup),
    open: &OpenDocument,
    drawable: &Drawable,
    ctx: &ViewCtx<'_>,
) -> bool {
    let theme = ctx.theme;
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), theme::ROW), Sense::click());
    let name = object_name(mesh, shown.object, drawable, ctx);
    response.widget_info(|| WidgetInfo::labeled(egui::accesskit::Role::Row, true, &name));
    row::ground(ui, &response, Standing::Plain);
    let is_hidden = !view.is_shown(shown);
    let mark = Rect::from_min_size(pos2(rect.left(), rect.top()), vec2(theme::ROW, theme::ROW));
    let toggle = ui.interact(mark, response.id.with("eye"), Sense::click());
    let label = if is_hidden { format!("Show {name}") } else { format!("Hide {name}") };
    toggle.widget_info(|| WidgetInfo::selected(egui::accesskit::Role::CheckBox, true, !is_hidden, &label));
    let icon = if is_hidden { theme::icon::UNCHECKED } else { theme::icon::CHECKED };
    let colour = if is_hidden { theme.muted } else { colour_of(shown.object) };
    row::icon_at(ui, mark.center(), icon, 15.0, colour);
    let toggle = toggle
        .on_hover_text("Show or hide this group; with Ctrl its object at every level, with Shift all others");
    if toggle.clicked() {
        view.toggle_group(mesh, shown, ui.input(|input| input.modifiers));
    }
    let span = drawable.model.geometry.groups.get(shown.group);
    let count = span.map_or(0, |span| span.index_count / 3);
    let small = theme::mono(theme::CAPTION);
    let right = text::right(ui, rect, rect.right() - 4.0, &number(count.into()), small.clone(), theme.muted);
    // Groups of one object are told apart by their numbers.
    let slot = format!("g{} m{}", shown.group, shown.slot);
    let right = text::right(ui, rect, right.left() - 8.0, &slot, small, theme.muted);
    let colour = if is_hidden { theme.muted } else { theme.text };
    text::left(ui, rect, mark.right() + 4.0, right.left() - 6.0, &name, theme::sans(theme::DENSE), colour);
    let is_marked = response.hovered() || toggle.hovered();
    if response.double_clicked() {
        view.frame_group(drawable, shown.group);
    } else if response.clicked()
        && let Some(range) = open.own_mesh().and_then(|mesh| first_bytes(mesh.groups.get(shown.group)?))
    {
        ctx.send(Command::Select(open.id, Selection { range, by: Selector::Other }));
    }
    response.on_hover_ui(|ui| group_hint_ui(ui, mesh, shown, drawable));
    is_marked
}

fn group_hint_ui(ui: &mut Ui, mesh: &Mesh, shown: &ShownGroup, drawable: &Drawable) {
    let Some(group) = mesh.groups.get(shown.group) else { return };
    let span = drawable.model.geometry.groups.get(shown.group);
    let mut lines = vec![
        format!(
            "object {}, record {}, arena {}, group {}",
            shown.object, shown.record, group.arena, shown.group
        ),
        format!("{}, format {}", count(group.vertex_count.into(), "vertex"), group.format),
        format!("material slot {}, {}", shown.slot, count(group.palette.len() as u64, "bone")),
    ];
    if let Some(span) = span.filter(|span| span.left_out > 0) {
        lines.push(format!("{} left out: see \u{201c}Data\u{201d}", count(span.left_out.into(), "triangle")));
    }
    lines.push("Click: its bytes. Double-click: look at it.".to_owned());
    ui.label(RichText::new(lines.join("\n")).size(theme::CAPTION));
}

/// The first vertices of a group in the file.
fn first_bytes(group: &palimpsest_core::asset::Group) -> Option<std::ops::Range<u64>> {
    let stream = group.streams.first()?;
    Some(stream.offset..stream.offset + stream.data.len() as u64)
}

/// The name of an object: that of the skeleton's part, one that its hash stands for, or the hash.
pub(super) fn object_name(mesh: &Mesh, object: u32, drawable: &Drawable, ctx: &ViewCtx<'_>) -> String {
    let Some(hash) = mesh.objects.get(object as usize).copied() else { return format!("object {object}") };
    let mut parts = drawable.model.skeleton.iter().flat_map(|skeleton| &skeleton.parts);
    if let Some(part) = parts.find(|part| string_hash(part.name.as_bytes()) == hash) {
        return part.name.clone();
    }
    ctx.session.names_of(hash).first().map_or_else(|| format!("0x{hash:08X}"), ToString::to_string)
}
