//! The model itself: moved with pointer and keys, drawn by the graphics card, with bones and marks over it.

use std::sync::Arc;

use egui::{Key, PointerButton, Pos2, Rect, Response, Sense, Ui, WidgetInfo};
use glam::{Affine3A, Vec2};
use palimpsest_core::model::Model;

use super::ModelView;
use super::bones::Bones;
use super::gizmo::Gizmo;
use super::screen::Screen;
use super::style::Show;
use crate::command::{Command, ModelCommand};
use crate::gpu::mesh::{Draw, Drawable};
use crate::panels::{ViewCtx, actions, top};
use crate::session::OpenDocument;
use crate::shown::radius;
use crate::widgets::keys;

/// Radians for a point that the pointer is dragged.
const TURN: f32 = 0.008;
/// Radians a second of the turntable.
const TURNTABLE: f32 = 0.5;

impl ModelView {
    pub(super) fn viewport_ui(
        &mut self,
        ui: &Ui,
        rect: Rect,
        open: &OpenDocument,
        drawable: &Arc<Drawable>,
        ctx: &ViewCtx<'_>,
    ) {
        let theme = ctx.theme;
        ui.painter().rect_filled(rect, 0.0, theme.canvas);
        let response = ui.interact(rect, ui.scope_id().with(("model", open.id)), Sense::click_and_drag());
        response.widget_info(|| WidgetInfo::labeled(egui::accesskit::Role::Image, true, "Model"));
        response.context_menu(|ui| top::items_ui(ui, &actions::MODEL, ctx));
        self.take_drops(&response, open, ctx);
        if rect.width() < 8.0 || rect.height() < 8.0 {
            return;
        }
        let painter = ui.painter().with_clip_rect(rect);
        if self.style.has(Show::Unwrapped) && drawable.model.mesh.is_some() {
            self.layout_ui(ui, &painter, (rect, &response), open, drawable, ctx);
            return;
        }
        self.size_px = size_px(rect, ui.ctx().pixels_per_point());
        let radius = radius(&drawable.model, &self.camera);
        let screen = Screen::new(self.camera, rect, radius);
        let posed = drawable.model.rig.posed(self.pose.pose());
        let hovered = self.hovered(&response, &screen, &drawable.model, &posed);
        self.pointer(ui, &response, (&screen, &posed, hovered), open, drawable, ctx);
        self.keys(ui, &response);
        if self.style.has(Show::Turntable) && !response.dragged() {
            self.camera.turn(TURNTABLE * ui.input(|input| input.stable_dt.min(0.1)), 0.0);
            ui.ctx().request_repaint();
        }
        // What follows is drawn as the camera and the pose are now.
        let screen = Screen::new(self.camera, rect, radius);
        let posed = drawable.model.rig.posed(self.pose.pose());
        let (look, grid) = self.compose(open, drawable, radius, theme);
        let shown: Vec<usize> = look.parts.iter().map(|part| part.group).collect();
        let draw = Draw {
            drawable: Arc::clone(drawable),
            slot: open.id.0,
            size_px: self.size_px,
            look,
            wake: ui.ctx().clone(),
        };
        painter.add(draw.shape(rect));
        self.overlay(&painter, &screen, (&posed, hovered), open, drawable, ctx);
        self.corner_ui(ui, &painter, &screen, &drawable.model, theme);
        self.words(&painter, rect, (&shown, &grid), drawable, theme);
    }

    /// What the pointer is on: a ring of the chosen bone, or a bone.
    fn hovered(&self, response: &Response, screen: &Screen, model: &Model, posed: &[Affine3A]) -> Hovered {
        let Some(at) = response.hover_pos() else { return Hovered::default() };
        let gizmo = self.bone.and_then(|bone| posed.get(bone)).map(|bone| Gizmo { screen, bone: *bone });
        let ring = gizmo.and_then(|gizmo| gizmo.hit(at));
        let bones = Bones { screen, model, posed, mask: None };
        let bone =
            ring.is_none().then(|| self.style.has(Show::Bones).then(|| bones.hit(at)).flatten()).flatten();
        Hovered { ring, bone }
    }

    fn pointer(
        &mut self,
        ui: &Ui,
        response: &Response,
        (screen, posed, hovered): (&Screen, &[Affine3A], Hovered),
        open: &OpenDocument,
        drawable: &Arc<Drawable>,
        ctx: &ViewCtx<'_>,
    ) {
        if response.clicked() || response.dragged() {
            response.request_focus();
        }
        self.turn_bone(response, screen, posed, hovered);
        let height = screen.rect.height().max(1.0);
        let moved = response.drag_delta();
        let is_panned = response.dragged_by(PointerButton::Middle)
            || response.dragged_by(PointerButton::Secondary)
            || (response.dragged_by(PointerButton::Primary) && ui.input(|input| input.modifiers.shift));
        if is_panned {
            self.camera.pan(Vec2::new(moved.x, moved.y) / height);
            self.is_moved = true;
        } else if response.dragged_by(PointerButton::Primary) && self.grip.is_none() {
            self.camera.turn(-moved.x * TURN, moved.y * TURN);
            self.is_moved = true;
        }
        if response.hovered() {
            let (wheel, pinch) = ui.input(|input| (input.smooth_scroll_delta().y, input.zoom_delta()));
            let factor = pinch * (wheel / 240.0).exp2();
            if (factor - 1.0).abs() > 1e-4 {
                self.camera.zoom(factor);
                self.is_moved = true;
                ui.input_mut(|input| input.smooth_scroll_delta = egui::Vec2::ZERO);
            }
        }
        if response.double_clicked() {
            self.frame_all(&drawable.model);
        } else if response.clicked()
            && let Some(at) = response.interact_pointer_pos()
        {
            self.click(at, screen, hovered, open, drawable, ctx);
        }
    }

    /// Takes hold of a ring, and turns the chosen bone with it.
    fn turn_bone(&mut self, response: &Response, screen: &Screen, posed: &[Affine3A], hovered: Hovered) {
        let Some(bone) = self.bone else { return };
        let Some(own) = posed.get(bone) else { return };
        let gizmo = Gizmo { screen, bone: *own };
        let at = response.interact_pointer_pos();
        if response.drag_started_by(PointerButton::Primary)
            && let (Some(start), Some(axis)) = (
                response.ctx.input(|input| input.pointer.press_origin()),
                hovered.ring.or_else(|| gizmo.hit(at?)),
            )
        {
            self.grip = gizmo.take(axis, start, self.pose.pose().turn(bone));
        }
        if let (Some(grip), Some(at)) = (self.grip, at)
            && let Some(turn) = gizmo.turned(&grip, at)
        {
            self.pose.turn(bone, turn);
        }
        if response.drag_stopped() {
            self.grip = None;
            self.pose.let_go();
        }
    }

    /// Chooses what was clicked: a bone, or a vertex of the model.
    fn click(
        &mut self,
        at: Pos2,
        screen: &Screen,
        hovered: Hovered,
        open: &OpenDocument,
        drawable: &Arc<Drawable>,
        ctx: &ViewCtx<'_>,
    ) {
        if hovered.ring.is_some() {
            return;
        }
        if let Some(bone) = hovered.bone {
            self.bone = if self.bone == Some(bone) { None } else { Some(bone) };
            return;
        }
        if drawable.model.mesh.is_some() {
            let groups = self.parts(open, drawable).iter().map(|part| part.group).collect();
            let skin = self.pose.skin(drawable);
            ctx.send(Command::Model(open.id, ModelCommand::Pick { ray: screen.ray(at), groups, skin }));
        } else {
            self.bone = None;
        }
    }

    /// The arrow keys go round.
    fn keys(&mut self, ui: &Ui, response: &Response) {
        if !response.has_focus() {
            return;
        }
        keys::keep_arrows(ui, response.id);
        const STEP: f32 = 0.15;
        for (key, yaw, pitch) in [
            (Key::ArrowLeft, -STEP, 0.0),
            (Key::ArrowRight, STEP, 0.0),
            (Key::ArrowUp, 0.0, STEP),
            (Key::ArrowDown, 0.0, -STEP),
        ] {
            if keys::takes(ui, key) {
                self.camera.turn(yaw, pitch);
                self.is_moved = true;
            }
        }
        for (key, factor) in [(Key::PageUp, 1.2), (Key::PageDown, 1.0 / 1.2)] {
            if keys::takes(ui, key) {
                self.camera.zoom(factor);
                self.is_moved = true;
            }
        }
    }

    /// Files that are dragged from the list of paths onto the model.
    fn take_drops(&self, response: &Response, open: &OpenDocument, ctx: &ViewCtx<'_>) {
        if let Some(dropped) = response.dnd_release_payload::<crate::files::Dragged>() {
            ctx.send(Command::Model(
                open.id,
                ModelCommand::Drop { entry: dropped.entry, slot: self.side.slot },
            ));
        }
    }
}

/// What the pointer is on.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Hovered {
    pub(super) ring: Option<usize>,
    pub(super) bone: Option<usize>,
}

/// Pixels of a rectangle.
pub(super) fn size_px(rect: Rect, per_point: f32) -> [u32; 2] {
    let pixels = |points: f32| (points * per_point).round().max(1.0) as u32;
    [pixels(rect.width()), pixels(rect.height())]
}
