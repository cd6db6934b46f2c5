//! A mesh or a skeleton in three dimensions: seen from all sides, taken apart, posed.

mod bar;
mod bones;
mod compose;
mod data;
mod dress;
mod gizmo;
mod layout;
mod overlay;
mod parts;
mod pose;
mod screen;
mod side;
mod skeleton;
mod style;
mod vertex;
mod viewport;

use std::collections::BTreeSet;
use std::sync::Arc;

use egui::{Key, Rect, Ui, UiBuilder, pos2, vec2};
use glam::Vec3;
use palimpsest_core::asset::Mesh;
use palimpsest_core::model::{Model, Pose};

use self::bones::Bones;
use self::gizmo::Grip;
use self::pose::PoseEdit;
use self::screen::Screen;
pub use self::side::ModelPage;
pub(super) use self::side::Pages;
use self::side::Side;
pub use self::style::Show;
use self::style::{Style, angles};
use super::ViewCtx;
use super::texture::{BAR, NARROW};
use crate::command::{Command, Look, ModelCommand, ModelLook, PictureCommand};
use crate::gpu::mesh::{Drawable, Mode};
use crate::gpu::orbit::{Orbit, corners};
use crate::headless::ModelStill;
use crate::jobs::Load;
use crate::session::{Drawing, OpenDocument, Session};
use crate::shown::{ShownGroup, distance, outline};
use crate::theme::Theme;
use crate::widgets::{card, keys};

/// How a model is looked at; kept when another copy is shown.
#[derive(Debug, Default)]
pub(super) struct ModelView {
    camera: Orbit,
    /// The width of the panel in heights.
    aspect: f32,
    /// Pixels of the panel.
    size_px: [u32; 2],
    /// What was drawn last, and the width of the panel then.
    seen: Option<(u64, f32)>,
    /// Whether the camera was moved by hand since it was placed so that everything is seen.
    is_moved: bool,
    style: Style,
    pose: PoseEdit,
    /// The chosen bone.
    bone: Option<usize>,
    /// The bone that the pointer is on in the list.
    hovered_bone: Option<usize>,
    /// The groups that are not drawn.
    hidden: BTreeSet<usize>,
    /// The objects that are not drawn at any level.
    hidden_objects: BTreeSet<u32>,
    /// The group that the pointer is on in the list.
    marked: Option<usize>,
    /// The ring that is held.
    grip: Option<Grip>,
    /// What is in the middle of the layout of coordinates, and how large a whole texture is there.
    layout: layout::Layout,
    side: Side,
}

impl ModelView {
    pub(super) fn ui(&mut self, ui: &mut Ui, open: &OpenDocument, pages: &mut Pages, ctx: &ViewCtx<'_>) {
        self.side.pages = *pages;
        self.loaded_ui(ui, open, ctx);
        *pages = self.side.pages;
    }

    fn loaded_ui(&mut self, ui: &mut Ui, open: &OpenDocument, ctx: &ViewCtx<'_>) {
        match &open.model.drawable {
            Some(Load::Ready(drawable)) => match drawable.refusal.get() {
                None => self.model_ui(ui, open, drawable, ctx),
                Some(refusal) => {
                    card::failed_ui(ui, "The model cannot be drawn", refusal, &[]);
                }
            },
            Some(Load::Failed(error)) => {
                card::failed_ui(ui, "The model cannot be drawn", &card::reason(error), &[]);
            }
            Some(Load::Pending(job)) => {
                if card::loading_ui(ui, &format!("Decoding {}", open.leaf()), job.task()) {
                    job.task().cancel();
                }
            }
            None => card::skeleton_ui(ui),
        }
    }

    fn model_ui(&mut self, ui: &mut Ui, open: &OpenDocument, drawable: &Arc<Drawable>, ctx: &ViewCtx<'_>) {
        let area = ui.available_rect_before_wrap();
        // In a narrow panel the bar has two lines.
        let height = if area.width() < NARROW { 2.0 * BAR } else { BAR };
        let above =
            Rect::from_min_max(area.min, pos2(area.right(), (area.bottom() - height).max(area.top())));
        let (model, side) = self.side.divide(above);
        self.aspect = model.width() / model.height().max(1.0);
        self.follow(drawable);
        self.marked = None;
        self.hovered_bone = None;
        if let Some(side) = side {
            self.side_ui(ui, side, open, drawable, ctx);
        }
        self.viewport_ui(ui, model, open, drawable, ctx);
        let bar = Rect::from_min_max(pos2(area.left(), above.bottom()), area.max);
        ui.painter().rect_filled(bar, 0.0, ctx.theme.panel);
        ui.painter().hline(bar.x_range(), bar.top(), ctx.theme.line());
        let inside = UiBuilder::new().max_rect(bar.shrink2(vec2(12.0, 2.0)));
        ui.scope_builder(inside, |ui| self.bar_ui(ui, open, drawable, ctx));
        ui.advance_cursor_after_rect(area);
    }

    /// Looks at all of a model that is shown for the first time, and keeps the pose of bones that stay.
    fn follow(&mut self, drawable: &Drawable) {
        let model = &drawable.model;
        self.pose.follow(&model.rig, &mut self.bone);
        if self.seen.is_none() {
            self.style.set(Show::Bones, model.mesh.is_none());
        }
        // As long as nobody moved the camera everything stays in view.
        let now = Some((drawable.id, self.aspect));
        if self.seen != now && !self.is_moved {
            self.frame_all(model);
        }
        self.seen = now;
    }

    /// What colours are made of.
    fn mode(&self, open: &OpenDocument) -> Mode {
        let offers = open.model.offers();
        let is_dressed = offers.is_some_and(|offers| offers.dress.textures.iter().any(Option::is_some));
        self.style.mode(is_dressed || open.model.worn.values().any(Option::is_some))
    }

    /// How far away the camera is from the middle of what the file says is around everything.
    fn distance(&self, mesh: &Mesh) -> f32 {
        distance(mesh, &self.camera)
    }

    /// The level of detail that is drawn; `None` where nothing is.
    fn level(&self, mesh: &Mesh) -> Option<usize> {
        self.style.level(mesh, self.distance(mesh))
    }

    /// Whether a group is drawn where its level is.
    fn is_shown(&self, shown: &ShownGroup) -> bool {
        !self.hidden.contains(&shown.group) && !self.hidden_objects.contains(&shown.object)
    }

    /// Shows or hides a group; with Ctrl its object at every level; with Shift all other objects.
    fn toggle_group(&mut self, mesh: &Mesh, shown: &ShownGroup, held: egui::Modifiers) {
        let ShownGroup { object, group, .. } = *shown;
        if held.shift {
            let all = 0..u32::try_from(mesh.objects.len()).unwrap_or(u32::MAX);
            let others: BTreeSet<_> = all.filter(|other| *other != object).collect();
            self.hidden.clear();
            self.hidden_objects = if self.hidden_objects == others { BTreeSet::new() } else { others };
            return;
        }
        let was_hidden = self.hidden_objects.remove(&object);
        if held.command && !was_hidden {
            self.hidden_objects.insert(object);
        } else if !was_hidden && !self.hidden.remove(&group) {
            self.hidden.insert(group);
        }
    }

    /// Looks at everything.
    fn frame_all(&mut self, model: &Model) {
        self.camera.frame(outline(model), self.aspect);
        self.is_moved = false;
    }

    /// Looks at everything from a side.
    fn see_from(&mut self, side: crate::command::Side, model: &Model) {
        [self.camera.yaw, self.camera.pitch] = angles(side);
        self.camera.is_orthographic = true;
        self.frame_all(model);
    }

    fn frame_group(&mut self, drawable: &Drawable, group: usize) {
        let span = drawable.model.geometry.groups.get(group);
        if let Some(bounds) = span.and_then(|span| span.bounds) {
            self.camera.frame(corners(bounds), self.aspect);
            self.is_moved = true;
        }
    }

    /// Looks at a bone and what hangs on it.
    fn frame_bone(&mut self, model: &Model, bone: usize) {
        let posed = model.rig.posed(self.pose.pose());
        let Some(own) = posed.get(bone) else { return };
        let origin = Vec3::from(own.translation);
        let children = model.rig.joints.get(bone).map(|joint| joint.children.as_slice()).unwrap_or_default();
        let reach = children.iter().filter_map(|child| posed.get(*child));
        let reach = reach.map(|child| Vec3::from(child.translation).distance(origin)).fold(0.0, f32::max);
        let [low, high] = model.bounds();
        let half = Vec3::splat(reach.max((high - low).length() * 0.06));
        self.camera.frame(corners([origin - half, origin + half]), self.aspect);
    }

    /// Looks at what is chosen, and at everything where that is looked at already or nothing is.
    fn frame(&mut self, open: &OpenDocument, model: &Model) {
        let before = self.camera;
        self.is_moved = true;
        if let Some(bone) = self.bone {
            self.frame_bone(model, bone);
        } else if let Some(place) = self.picked_place(open, model) {
            let [low, high] = model.bounds();
            let half = Vec3::splat((high - low).length() * 0.05);
            self.camera.frame(corners([place - half, place + half]), self.aspect);
        }
        if self.camera == before {
            self.frame_all(model);
        }
    }

    /// Escape lets go of the chosen bone, and then of the vertex.
    pub(super) fn let_go(&mut self, ui: &Ui, open: &OpenDocument, ctx: &ViewCtx<'_>) {
        if self.bone.is_some() {
            if keys::takes(ui, Key::Escape) {
                self.bone = None;
            }
        } else if open.model.picked.is_some() && keys::takes(ui, Key::Escape) {
            ctx.send(Command::Model(open.id, ModelCommand::SelectVertex(None)));
        }
    }

    /// Looks at the model in another way.
    pub(super) fn look(
        &mut self,
        look: Look,
        open: &OpenDocument,
        pages: &mut Pages,
        theme: &Theme,
    ) -> Option<Command> {
        let command = self.seen(look, open, theme);
        match look {
            Look::Model(ModelLook::Page(page)) => *pages = Pages { page, is_open: true },
            Look::Model(ModelLook::Panel) => pages.is_open = !pages.is_open,
            _ => {}
        }
        command
    }

    fn seen(&mut self, look: Look, open: &OpenDocument, theme: &Theme) -> Option<Command> {
        let drawable = open.model.drawable().cloned()?;
        let model = &drawable.model;
        let drawn = |still| Drawing::Model(Arc::new(still));
        match (look, &model.mesh) {
            (Look::Fit, _) => self.frame(open, model),
            (Look::All | Look::Exact, _) => self.frame_all(model),
            (Look::LargerLevel, Some(mesh)) => self.style.step_level(mesh, self.distance(mesh), -1),
            (Look::SmallerLevel, Some(mesh)) => self.style.step_level(mesh, self.distance(mesh), 1),
            (Look::Model(look), _) => self.model_look(look, model),
            (Look::SaveDrawn, _) => {
                let still = drawn(self.still(open, &drawable, theme));
                return Some(Command::Picture(open.id, PictureCommand::PickDrawnFile(still)));
            }
            (Look::CopyDrawn, _) => {
                let still = drawn(self.still(open, &drawable, theme));
                return Some(Command::Picture(open.id, PictureCommand::CopyDrawn(still)));
            }
            _ => {}
        }
        None
    }

    fn model_look(&mut self, look: ModelLook, model: &Model) {
        if self.style.look(look) {
            return;
        }
        match look {
            ModelLook::From(side) => {
                self.see_from(side, model);
            }
            ModelLook::Orthographic => self.camera.is_orthographic = !self.camera.is_orthographic,
            ModelLook::Rest => self.pose.change(false, |pose| *pose = Pose::default()),
            ModelLook::Mirror => {
                let mirrored = model.rig.mirrored_pose(self.pose.pose());
                self.pose.change(false, |pose| *pose = mirrored);
            }
            ModelLook::See([yaw, pitch]) => {
                [self.camera.yaw, self.camera.pitch] = [yaw, pitch];
                self.frame_all(model);
            }
            ModelLook::Choose(bone) => self.bone = bone.filter(|bone| *bone < model.rig.joints.len()),
            ModelLook::Turn(bone, angles) if bone < model.rig.joints.len() => {
                self.pose.change(false, |pose| pose.set_angles_deg(bone, angles));
            }
            ModelLook::Undo => self.pose.undo(),
            ModelLook::Redo => self.pose.redo(),
            // The pages are those of all tabs, and the rest belongs to the style.
            ModelLook::Page(_)
            | ModelLook::Panel
            | ModelLook::Turn(..)
            | ModelLook::Mode(_)
            | ModelLook::Toggle(_)
            | ModelLook::LevelByDistance => {}
        }
    }
}

/// What is drawn over a model that is a picture of its own.
pub(crate) fn still_overlay(painter: &egui::Painter, rect: Rect, still: &ModelStill, theme: &Theme) {
    let model = &still.drawable.model;
    let screen = Screen::new(still.look.camera, rect, still.look.radius);
    let posed = model.rig.posed(&still.pose);
    let bones = Bones { screen: &screen, model, posed: &posed, mask: None };
    let has = |show: Show| still.shown.contains(&show);
    if has(Show::Bones) {
        bones.draw(painter, still.bone, None, theme);
    }
    if has(Show::Sockets) {
        bones.sockets(painter, theme);
    }
    let names = if has(Show::Names) { 0..posed.len() } else { 0..0 };
    bones.names(painter, names, (&Session::default(), theme));
}
