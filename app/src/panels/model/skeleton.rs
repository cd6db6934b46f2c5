//! The skeleton: what it is, its bones in a tree, and the pose of the chosen one.

use std::sync::Arc;

use egui::{Key, Rect, RichText, Sense, TextEdit, Ui, UiBuilder, WidgetInfo, pos2, vec2};
use palimpsest_core::model::{Model, Rig};
use palimpsest_core::scene::{Companion, Reach};

use super::ModelView;
use super::bones::name_of;
use super::side::{caption, note, scrolled};
use super::style::Show;
use crate::command::{Command, ModelCommand};
use crate::gpu::mesh::Drawable;
use crate::jobs::Load;
use crate::panels::ViewCtx;
use crate::session::{OpenDocument, Wanted};
use crate::theme::{self, Theme};
use crate::widgets::combo::combo;
use crate::widgets::row::{self, Standing};
use crate::widgets::rows::Rows;
use crate::widgets::{field, keys, text};

/// Height of what stands below the tree: with a bone that can be turned, and without.
const BELOW: [f32; 2] = [158.0, 72.0];

/// How the bones are listed.
#[derive(Debug, Default)]
pub(super) struct BoneList {
    filter: String,
    rows: Rows,
    /// The bone that was brought into view last.
    seen: Option<usize>,
    /// The angles that were set by hand, of a bone and for its turn.
    angles: Option<(usize, glam::Quat, [f32; 3])>,
    /// The set of bones that is marked.
    pub(super) mask: Option<usize>,
}

/// A line of the tree.
#[derive(Clone, Copy)]
enum Line {
    Bone(usize, usize),
    Socket(usize, usize),
}

pub(super) fn ui(
    ui: &mut Ui,
    view: &mut ModelView,
    open: &OpenDocument,
    drawable: &Arc<Drawable>,
    ctx: &ViewCtx<'_>,
) {
    let model = &drawable.model;
    companion_ui(ui, open, model, ctx);
    if model.rig.joints.is_empty() {
        note(ui, "There are no bones.", ctx.theme);
        return;
    }
    masks_ui(ui, view, model);
    let filter = TextEdit::singleline(&mut view.side.bones.filter)
        .hint_text("Find a bone")
        .desired_width(ui.available_width() - 8.0);
    let response = ui.add(filter);
    field::name(&response, &view.side.bones.filter, "Find a bone");
    // From the field Enter and Down lead to the first bone that is found.
    let is_down = || response.has_focus() && keys::takes(ui, Key::ArrowDown);
    let is_chosen = response.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
    let enters = is_chosen || is_down();
    let area = ui.available_rect_before_wrap();
    let [turned, plain] = BELOW;
    let below = if view.bone.is_some() { turned } else { plain };
    let split = (area.bottom() - below).max(area.top() + 3.0 * theme::ROW);
    let above = Rect::from_min_max(area.min, pos2(area.right(), split));
    ui.scope_builder(UiBuilder::new().max_rect(above), |ui| tree_ui(ui, view, model, enters, ctx));
    let below = Rect::from_min_max(pos2(area.left(), split + 4.0), area.max);
    ui.scope_builder(UiBuilder::new().max_rect(below), |ui| {
        ui.painter().hline(below.x_range(), below.top(), ctx.theme.line());
        scrolled(ui, "pose", |ui| pose_ui(ui, view, model, ctx));
    });
}

/// What the model goes with.
fn companion_ui(ui: &mut Ui, open: &OpenDocument, model: &Model, ctx: &ViewCtx<'_>) {
    let is_mesh = open.own_mesh().is_some();
    caption(ui, if is_mesh { "Skeleton" } else { "Mesh" }, ctx.theme);
    let joined = open.model.companion();
    let path = joined.map(|copy| open.mounted.stack.path_of(copy));
    let leaf = |path: &str| path.rsplit(['\\', '/']).next().unwrap_or(path).to_owned();
    let none = if is_mesh { "none: the bones of the mesh" } else { "none" };
    let shown = path.as_deref().map_or_else(|| none.to_owned(), leaf);
    let join = |wanted| ctx.send(Command::Model(open.id, ModelCommand::Join(wanted)));
    let offers = open.model.offers();
    let name = if is_mesh { "Skeleton" } else { "Mesh" };
    let response = combo(ui, ("companion", name), &shown, ui.available_width() - 8.0, |ui| {
        let item = |text: String| RichText::new(text).font(theme::mono(theme::DENSE));
        if ui.selectable_label(joined.is_none(), item(none.to_owned())).clicked() {
            join(Wanted::Nothing);
        }
        for Companion { path, copy, shared } in offers.iter().flat_map(|offers| &offers.companions.found) {
            let words = format!("{}   {shared} shared", leaf(path));
            if ui.selectable_label(joined == Some(*copy), item(words)).on_hover_text(path).clicked() {
                join(Wanted::Copy(*copy));
            }
        }
        for (path, copy) in open_tabs(ctx, is_mesh) {
            if ui.selectable_label(joined == Some(copy), item(leaf(&path))).on_hover_text(&path).clicked() {
                join(Wanted::Copy(copy));
            }
        }
    });
    if let Some(path) = &path {
        response.on_hover_text(path);
    }
    match &open.model.offers {
        Some(Load::Pending(job)) => {
            ui.horizontal(|ui| {
                note(ui, "Looking for what belongs to it…", ctx.theme);
                if ui.link(RichText::new("stop").size(theme::CAPTION)).clicked() {
                    job.task().cancel();
                }
            });
        }
        Some(Load::Failed(_)) | None => look_ui(ui, open, "Nothing was looked for.", ctx),
        Some(Load::Ready(offers)) if offers.companions.found.is_empty() => {
            let place = if offers.reach == Reach::Folder { "folder" } else { "stack" };
            let words = if is_mesh {
                format!("No skeleton in the {place} lists an object of the mesh among its parts.")
            } else {
                format!("No mesh in the {place} has objects that are parts of the skeleton.")
            };
            look_ui(ui, open, &words, ctx);
        }
        Some(Load::Ready(_)) => {}
    }
    let unread = offers.map(|offers| offers.companions.unread.as_slice()).unwrap_or_default();
    if let Some(first) = unread.first() {
        let kind = if is_mesh { "skeleton" } else { "mesh" };
        let words = match unread.len() {
            1 => format!("A {kind} that may belong to it cannot be read: {first}"),
            count => {
                format!("{} cannot be read, the first one: {first}", crate::format::count(count as u64, kind))
            }
        };
        warning(ui, &words, unread, ctx.theme);
    }
    for difference in model.notes.iter().take(3) {
        warning(ui, difference, &model.notes, ctx.theme);
    }
}

/// A sentence that all others explain.
fn warning(ui: &mut Ui, words: &str, all: &[String], theme: &Theme) {
    let text = RichText::new(words).size(theme::CAPTION).color(theme.warning);
    ui.add(egui::Label::new(text).wrap()).on_hover_text(all.join("\n"));
}

/// The skeletons, or meshes, in open tabs.
fn open_tabs(ctx: &ViewCtx<'_>, is_mesh: bool) -> Vec<(String, palimpsest_core::mount::CopyRef)> {
    let tabs = ctx.session.open.iter().filter(|tab| tab.is_model() && tab.own_mesh().is_some() != is_mesh);
    tabs.filter_map(|tab| Some((tab.answer.path.clone(), tab.copy_ref()?))).collect()
}

fn look_ui(ui: &mut Ui, open: &OpenDocument, words: &str, ctx: &ViewCtx<'_>) {
    note(ui, words, ctx.theme);
    if open.model.offers().is_none_or(|offers| offers.reach == Reach::Folder)
        && ui.button(RichText::new("Look in the whole stack").size(theme::DENSE)).clicked()
    {
        ctx.send(Command::Model(open.id, ModelCommand::LookEverywhere));
    }
}

/// Chooses a set of bones to mark.
fn masks_ui(ui: &mut Ui, view: &mut ModelView, model: &Model) {
    let masks = model.skeleton.as_ref().map(|skeleton| skeleton.masks.as_slice()).unwrap_or_default();
    if masks.is_empty() {
        view.side.bones.mask = None;
        return;
    }
    let chosen = view.side.bones.mask.and_then(|mask| masks.get(mask));
    let shown = chosen.map_or("none", |mask| mask.name.as_str());
    let shown = format!("mask: {shown}");
    combo(ui, ("mask", "Mask"), &shown, ui.available_width() - 8.0, |ui| {
        ui.selectable_value(&mut view.side.bones.mask, None, RichText::new("none").size(theme::DENSE));
        for (at, mask) in masks.iter().enumerate() {
            let bones = mask.bones.iter().filter(|weight| **weight > 0).count();
            let words = format!("{}   {bones} of {} bones", mask.name, mask.bones.len());
            let text = RichText::new(words).size(theme::DENSE);
            ui.selectable_value(&mut view.side.bones.mask, Some(at), text);
        }
    });
}

/// The bones as a tree; `enters` gives it the keyboard, and chooses the first bone.
fn tree_ui(ui: &mut Ui, view: &mut ModelView, model: &Model, enters: bool, ctx: &ViewCtx<'_>) {
    let filter = view.side.bones.filter.to_lowercase();
    let lines = lines(model, &filter, ctx);
    let id = ui.scope_id().with("bones");
    let list = ui.interact(ui.available_rect_before_wrap(), id, Sense::click());
    list.widget_info(|| WidgetInfo::labeled(egui::accesskit::Role::List, true, "Bones"));
    let at = |bone: Option<usize>| {
        lines.iter().position(|line| matches!(line, Line::Bone(own, _) if Some(*own) == bone))
    };
    if lines.is_empty() {
        note(ui, "No bone and no socket is called that.", ctx.theme);
        return;
    }
    if enters {
        list.request_focus();
        let first = lines.iter().find_map(|line| match line {
            Line::Bone(bone, _) => Some(*bone),
            Line::Socket(..) => None,
        });
        view.bone = first.or(view.bone);
        view.style.set(Show::Bones, true);
    } else if list.has_focus() {
        keys::keep_arrows(ui, id);
        let last = (lines.len() as u64).saturating_sub(1);
        let page = view.side.bones.rows.page();
        let target = keys::target(ui, at(view.bone).map(|at| at as u64), last, page);
        if let Some(Line::Bone(bone, _)) = target.and_then(|at| lines.get(usize::try_from(at).ok()?)) {
            view.bone = Some(*bone);
        }
    }
    if view.side.bones.seen != view.bone {
        view.side.bones.seen = view.bone;
        if let Some(at) = at(view.bone) {
            view.side.bones.rows.reveal(at as u64);
        }
    }
    let mut rows = std::mem::take(&mut view.side.bones.rows);
    rows.ui(ui, id.with("rows"), theme::ROW, lines.len() as u64, |ui, number, rect| {
        let Some(line) = usize::try_from(number).ok().and_then(|at| lines.get(at)) else { return };
        match line {
            Line::Bone(bone, depth) => bone_ui(ui, view, model, (*bone, *depth), (rect, &list), ctx),
            Line::Socket(socket, depth) => socket_ui(ui, view, model, (*socket, *depth), rect, ctx),
        }
    });
    view.side.bones.rows = rows;
}

/// The bones from the roots down, each with its sockets; of those that a filter finds all.
fn lines(model: &Model, filter: &str, ctx: &ViewCtx<'_>) -> Vec<Line> {
    let Rig { joints, .. } = &model.rig;
    let sockets = model.skeleton.as_ref().map(|skeleton| skeleton.sockets.as_slice()).unwrap_or_default();
    let mut lines = Vec::new();
    let roots = joints.iter().enumerate().filter(|(_, joint)| joint.parent.is_none());
    let mut left: Vec<(usize, usize)> = roots.map(|(at, _)| (at, 0)).rev().collect();
    while let Some((bone, depth)) = left.pop() {
        let Some(joint) = joints.get(bone) else { continue };
        let shown = if filter.is_empty() { depth } else { 0 };
        if filter.is_empty() || name_of(joint, ctx.session).to_lowercase().contains(filter) {
            lines.push(Line::Bone(bone, shown));
        }
        let own = sockets.iter().enumerate().filter(|(_, socket)| socket.bone as usize == bone);
        let own = own.filter(|(_, socket)| filter.is_empty() || socket.name.to_lowercase().contains(filter));
        lines.extend(own.map(|(at, _)| Line::Socket(at, shown + 1)));
        left.extend(joint.children.iter().rev().map(|child| (*child, depth + 1)));
    }
    lines
}

fn bone_ui(
    ui: &Ui,
    view: &mut ModelView,
    model: &Model,
    (bone, depth): (usize, usize),
    (rect, list): (Rect, &egui::Response),
    ctx: &ViewCtx<'_>,
) {
    let theme = ctx.theme;
    let Some(joint) = model.rig.joints.get(bone) else { return };
    let response = ui.interact(rect, ui.scope_id().with(("bone", bone)), Sense::click());
    let name = name_of(joint, ctx.session);
    let is_turned = view.pose.pose().turns().any(|(own, _)| own == bone);
    let label = if is_turned { format!("{name}, turned") } else { name.clone() };
    response.widget_info(|| {
        WidgetInfo::selected(egui::accesskit::Role::TreeItem, true, view.bone == Some(bone), &label)
    });
    row::ground(ui, &response, Standing::new(view.bone == Some(bone), list));
    let x = rect.left() + 6.0 + 10.0 * (depth.min(12) as f32);
    let deforms = model.place_of(bone).is_some_and(|place| place_is_used(model, place));
    let colour = if deforms || model.mesh.is_none() { theme.text } else { theme.muted };
    let end = if is_turned {
        let small = theme::mono(theme::CAPTION);
        text::right(ui, rect, rect.right() - 4.0, "turned", small, theme.added).left()
    } else {
        rect.right()
    };
    text::left(ui, rect, x, end - 4.0, &name, theme::sans(theme::DENSE), colour);
    if response.clicked() {
        list.request_focus();
        view.bone = if view.bone == Some(bone) { None } else { Some(bone) };
        view.side.bones.seen = view.bone;
        view.style.set(Show::Bones, true);
    }
    if response.double_clicked() {
        view.bone = Some(bone);
        view.frame_bone(model, bone);
    }
    if response.hovered() {
        view.hovered_bone = Some(bone);
    }
    response.on_hover_ui(|ui| {
        let [x, y, z] = joint.position().to_array();
        let lines = format!(
            "bone {bone}, 0x{:08X}\nrests at {x:.2}, {y:.2}, {z:.2} cm\n{}",
            joint.hash,
            if deforms { "vertices hang on it" } else { "no vertex hangs on it" },
        );
        ui.label(RichText::new(lines).size(theme::CAPTION));
    });
}

/// Whether the palette of a group has a place.
fn place_is_used(model: &Model, place: u16) -> bool {
    let groups = model.mesh.iter().flat_map(|mesh| &mesh.groups);
    u8::try_from(place).is_ok_and(|place| groups.into_iter().any(|group| group.palette.contains(&place)))
}

fn socket_ui(
    ui: &Ui,
    view: &mut ModelView,
    model: &Model,
    (socket, depth): (usize, usize),
    rect: Rect,
    ctx: &ViewCtx<'_>,
) {
    let Some(own) = model.skeleton.as_ref().and_then(|skeleton| skeleton.sockets.get(socket)) else { return };
    let response = ui.interact(rect, ui.scope_id().with(("socket", socket)), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(egui::accesskit::Role::TreeItem, true, &own.name));
    row::ground(ui, &response, Standing::Plain);
    let x = rect.left() + 6.0 + 10.0 * (depth.min(12) as f32);
    let name = format!("◇ {}", own.name);
    text::left(ui, rect, x, rect.right() - 4.0, &name, theme::sans(theme::DENSE), ctx.theme.muted);
    if response.clicked() {
        view.style.set(Show::Sockets, true);
        view.bone = Some(own.bone as usize).filter(|bone| *bone < model.rig.joints.len());
    }
    response.on_hover_text(
        "A place that things are fixed to. That it is stated in the space of its bone is assumed.",
    );
}

/// The pose of the chosen bone, and of all.
fn pose_ui(ui: &mut Ui, view: &mut ModelView, model: &Model, ctx: &ViewCtx<'_>) {
    ui.spacing_mut().item_spacing.y = 3.0;
    ui.add_space(2.0);
    let joint = view.bone.and_then(|bone| model.rig.joints.get(bone));
    match (view.bone, joint) {
        (Some(bone), Some(joint)) => {
            ui.label(RichText::new(name_of(joint, ctx.session)).font(theme::semibold(theme::DENSE)));
            angles_ui(ui, view, bone);
        }
        _ => note(
            ui,
            "Choose a bone, in the list or on the model, to turn it with the rings or here.",
            ctx.theme,
        ),
    }
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(4.0, 4.0);
        let button = |ui: &mut Ui, name: &str, hint: &str, is_enabled: bool| {
            let button = egui::Button::new(RichText::new(name).size(theme::DENSE));
            ui.add_enabled(is_enabled, button).on_hover_text(hint).clicked()
        };
        let is_turned = !view.pose.pose().is_rest();
        if let Some(bone) = view.bone {
            if button(
                ui,
                "Reset bone",
                "Let the chosen bone rest",
                view.pose.pose().turns().any(|(own, _)| own == bone),
            ) {
                view.pose.change(false, |pose| pose.set(bone, glam::Quat::IDENTITY));
            }
            let other = model.rig.mirrored().get(bone).copied().flatten().filter(|other| *other != bone);
            if button(ui, "To other side", "Turn the bone on the other side alike", other.is_some())
                && let Some(other) = other
            {
                let turn = model.rig.mirrored_turn(bone, other, view.pose.pose().turn(bone));
                view.pose.change(false, |pose| pose.set(other, turn));
            }
        }
        if button(ui, "Rest", "Let all bones rest", is_turned) {
            view.pose.change(false, |pose| *pose = palimpsest_core::model::Pose::default());
        }
        if button(ui, "Mirror", "Exchange left and right of the pose", is_turned) {
            let mirrored = model.rig.mirrored_pose(view.pose.pose());
            view.pose.change(false, |pose| *pose = mirrored);
        }
        if button(ui, "Undo", "Take the last change back (Ctrl+Z)", view.pose.can_undo()) {
            view.pose.undo();
        }
        if button(ui, "Redo", "Make it again (Ctrl+Y)", view.pose.can_redo()) {
            view.pose.redo();
        }
    });
}

/// The angles of a bone's turn.
fn angles_ui(ui: &mut Ui, view: &mut ModelView, bone: usize) {
    /// Degrees that a slider may round a value by without being moved.
    const ROUNDED: f32 = 0.06;
    let turn = view.pose.pose().turn(bone);
    // A turn has several triples of angles: those that were set are kept.
    let set = view.side.bones.angles.filter(|(own, of, _)| *own == bone && *of == turn);
    let before = set.map_or_else(|| view.pose.pose().angles_deg(bone), |(_, _, angles)| angles);
    let before = before.map(|angle| if angle.abs() < ROUNDED { 0.0 } else { angle });
    let (mut angles, mut is_let_go) = (before, false);
    ui.spacing_mut().slider_width = (ui.available_width() - 96.0).max(60.0);
    for ((angle, axis), colour) in angles.iter_mut().zip(["X", "Y", "Z"]).zip(super::gizmo::AXES) {
        ui.horizontal(|ui| {
            ui.label(RichText::new(axis).font(theme::mono(theme::DENSE)).color(colour));
            let slider =
                egui::Slider::new(angle, -180.0..=180.0).suffix("°").fixed_decimals(1).trailing_fill(false);
            let response = ui.add(slider);
            response.widget_info(|| {
                WidgetInfo::labeled(egui::accesskit::Role::Slider, true, format!("Turn about {axis}"))
            });
            is_let_go |= response.drag_stopped() || response.lost_focus();
        });
    }
    if angles.iter().zip(before).any(|(now, before)| (now - before).abs() > ROUNDED) {
        view.pose.change(true, |pose| pose.set_angles_deg(bone, angles));
        view.side.bones.angles = Some((bone, view.pose.pose().turn(bone), angles));
    }
    if is_let_go {
        view.pose.let_go();
    }
}
