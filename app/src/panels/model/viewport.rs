//! The model itself: moved with pointer and keys, drawn by the graphics card, with bones and marks over it.

use std::sync::Arc;

use egui::{
    Align2, Color32, Key, Painter, PointerButton, Pos2, Rect, Response, Sense, Stroke, Ui, WidgetInfo, pos2,
    vec2,
};
use glam::{Affine3A, Vec2, Vec3};
use palimpsest_core::model::{Geometry, Model};

use super::bones::Bones;
use super::gizmo::{AXES, Gizmo};
use super::screen::Screen;
use super::style::{Show, angles};
use super::{ModelView, turn_of};
use crate::command::{Command, ModelCommand, Side};
use crate::format::{count, length};
use crate::gpu::mesh::{Draw, Drawable, Look, Marks, Mode, Part, Spikes};
use crate::panels::{ViewCtx, actions, top};
use crate::session::OpenDocument;
use crate::shown::{colour_of, groups_at, triangles};
use crate::theme::{self, Theme};
use crate::widgets::keys;

/// Radians for a point that the pointer is dragged.
const TURN: f32 = 0.008;
/// Radians a second of the turntable.
const TURNTABLE: f32 = 0.5;

/// Where the layout of coordinates stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    /// The coordinates in the middle of the panel.
    middle: Vec2,
    /// How often a whole texture fits into the shorter side of the panel.
    zoom: f32,
}

impl Default for Layout {
    fn default() -> Self {
        Self { middle: Vec2::splat(0.5), zoom: 0.9 }
    }
}

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
        let radius = self.radius(&drawable.model);
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
            size_px: size_px(rect, ui.ctx().pixels_per_point()),
            look,
            wake: ui.ctx().clone(),
        };
        painter.add(draw.shape(rect));
        self.overlay(&painter, &screen, (&posed, hovered), open, drawable, ctx);
        self.corner_ui(ui, &painter, &screen, theme);
        self.words(&painter, rect, (&shown, &grid), drawable, theme);
    }

    /// How far everything reaches from where the camera looks.
    fn radius(&self, model: &Model) -> f32 {
        let [low, high] = model.bounds();
        2.0 * (high - low).length() + ((low + high) * 0.5).distance(self.camera.target)
    }

    /// Everything that the picture depends on, and what the step of the grid is called.
    fn compose(
        &mut self,
        open: &OpenDocument,
        drawable: &Arc<Drawable>,
        radius: f32,
        theme: &Theme,
    ) -> (Look, String) {
        let model = &drawable.model;
        let mut marks = Marks::default();
        let grid = if self.style.has(Show::Grid) {
            marks.grid(model.bounds(), theme.muted.gamma_multiply(0.5))
        } else {
            String::new()
        };
        if self.style.has(Show::Bounds) {
            marks.bounds(model, [theme.added, theme.removed]);
        }
        let [low, high] = model.bounds();
        let spikes = Spikes {
            normals: self.style.has(Show::Normals),
            tangents: self.style.has(Show::Tangents),
            reach: (high - low).length() * 0.012,
        };
        let look = Look {
            skin: self.pose.skin(drawable),
            parts: self.parts(open, drawable),
            mode: self.mode(open),
            set: self.style.uv_set,
            squares: self.style.squares,
            place: self.bone.and_then(|bone| model.place_of(bone)),
            is_culled: !self.style.has(Show::BackFaces),
            has_wires: self.style.has(Show::Edges),
            spikes,
            marks: Arc::new(marks.0),
            line: Color32::from_black_alpha(if theme.is_dark { 150 } else { 110 }),
            ground: theme.canvas,
            ..Look::new(self.camera, radius)
        };
        (look, grid)
    }

    /// What is drawn of the mesh.
    fn parts(&self, open: &OpenDocument, drawable: &Drawable) -> Vec<Part> {
        let Some(mesh) = &drawable.model.mesh else { return Vec::new() };
        let Some(level) = self.level(mesh) else { return Vec::new() };
        let is_textured = self.mode(open) == Mode::Textured;
        let groups = groups_at(mesh, level, self.style.has(Show::Shadows)).into_iter();
        let part = |shown: crate::shown::ShownGroup| Part {
            group: shown.group,
            colour: colour_of(shown.object),
            mark: if self.marked == Some(shown.group) { 0.35 } else { 0.0 },
            textures: if is_textured { open.model.pixels(shown.slot) } else { [None, None, None] },
        };
        groups.filter(|shown| !self.hidden.contains(&shown.group)).map(part).collect()
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
        } else if response.dragged_by(PointerButton::Primary) && self.grip.is_none() {
            self.camera.turn(-moved.x * TURN, moved.y * TURN);
        }
        if response.hovered() {
            let (wheel, pinch) = ui.input(|input| (input.smooth_scroll_delta().y, input.zoom_delta()));
            let factor = pinch * (wheel / 240.0).exp2();
            if (factor - 1.0).abs() > 1e-4 {
                self.camera.zoom(factor);
                ui.input_mut(|input| input.smooth_scroll_delta = egui::Vec2::ZERO);
            }
        }
        if response.double_clicked() {
            self.camera.frame(drawable.model.bounds());
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
            self.grip = gizmo.take(axis, start, turn_of(&self.pose, bone));
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

    /// The arrow keys go round, Escape lets go of what is chosen.
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
            }
        }
        if keys::takes(ui, Key::PageUp) {
            self.camera.zoom(1.2);
        }
        if keys::takes(ui, Key::PageDown) {
            self.camera.zoom(1.0 / 1.2);
        }
        if self.bone.is_some() && keys::takes(ui, Key::Escape) {
            self.bone = None;
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

    /// Bones, rings, the vertex that was clicked.
    fn overlay(
        &self,
        painter: &Painter,
        screen: &Screen,
        (posed, hovered): (&[Affine3A], Hovered),
        open: &OpenDocument,
        drawable: &Arc<Drawable>,
        ctx: &ViewCtx<'_>,
    ) {
        let model = &drawable.model;
        let masks = model.skeleton.as_ref().map(|skeleton| skeleton.masks.as_slice()).unwrap_or_default();
        let mask = self.side.bones.mask.and_then(|mask| masks.get(mask)).map(|mask| mask.bones.as_slice());
        let bones = Bones { screen, model, posed, mask };
        let pointed = hovered.bone.or(self.hovered_bone);
        if self.style.has(Show::Bones) {
            bones.draw(painter, self.bone, pointed, ctx.theme);
        }
        if self.style.has(Show::Sockets) {
            bones.sockets(painter, ctx.theme);
        }
        let who = (ctx.session, ctx.theme);
        let others = if self.style.has(Show::Names) { 0..posed.len() } else { 0..0 };
        let first = pointed.into_iter().chain(self.bone.filter(|own| pointed != Some(*own)));
        bones.names(painter, first.chain(others), who);
        if let Some(own) = self.bone.and_then(|bone| posed.get(bone)) {
            let marked = self.grip.map(|grip| grip.axis()).or(hovered.ring);
            Gizmo { screen, bone: *own }.draw(painter, marked);
        }
        if let Some(at) = self.picked_place(open, model).and_then(|place| screen.point(place)) {
            painter.circle_stroke(at, 5.0, Stroke::new(3.0, ctx.theme.canvas));
            painter.circle_stroke(at, 5.0, Stroke::new(1.5, theme::SELECTED));
        }
    }

    /// Where the vertex that was clicked is in the pose.
    pub(super) fn picked_place(&self, open: &OpenDocument, model: &Model) -> Option<Vec3> {
        let (group, vertex) = open.model.picked?;
        let span = model.geometry.groups.get(group).filter(|span| vertex < span.vertex_count)?;
        let vertex = model.geometry.vertices.get((span.first_vertex + vertex) as usize)?;
        let [place, _] = Geometry::skinned(vertex, &model.skin(self.pose.pose()));
        place.is_finite().then_some(place)
    }

    /// The axes in the corner; a click looks along one.
    fn corner_ui(&mut self, ui: &Ui, painter: &Painter, screen: &Screen, theme: &Theme) {
        const REACH: f32 = 26.0;
        let centre = pos2(screen.rect.right() - REACH - 16.0, screen.rect.top() + REACH + 16.0);
        let [right, up, back] = self.camera.axes();
        let ends = [
            (Vec3::X, "X", 0, Side::Left),
            (Vec3::Y, "Y", 1, Side::Top),
            (Vec3::Z, "Z", 2, Side::Front),
            (Vec3::NEG_X, "", 0, Side::Right),
            (Vec3::NEG_Y, "", 1, Side::Bottom),
            (Vec3::NEG_Z, "", 2, Side::Back),
        ];
        let mut ends = ends.map(|(axis, name, colour, side)| {
            let at = centre + vec2(axis.dot(right), -axis.dot(up)) * REACH;
            (axis.dot(back), at, name, AXES.get(colour).copied().unwrap_or(theme.text), side)
        });
        ends.sort_by(|a, b| a.0.total_cmp(&b.0));
        for (depth, at, name, colour, side) in ends {
            let id = ui.scope_id().with(("axis", side as usize));
            let response =
                ui.interact(Rect::from_center_size(at, egui::Vec2::splat(16.0)), id, Sense::click());
            let words = side.words();
            response.widget_info(|| WidgetInfo::labeled(egui::accesskit::Role::Button, true, words));
            let strength = if response.hovered() { 1.0 } else { 0.62 + 0.3 * depth };
            let colour = colour.gamma_multiply(strength.clamp(0.25, 1.0));
            if !name.is_empty() {
                painter.line_segment([centre, at], Stroke::new(2.0, colour));
            }
            painter.circle_filled(at, if name.is_empty() { 4.0 } else { 7.0 }, colour);
            painter.text(at, Align2::CENTER_CENTER, name, theme::mono(10.0), Color32::BLACK);
            if response.on_hover_text(words).clicked() {
                [self.camera.yaw, self.camera.pitch] = angles(side);
                self.camera.is_orthographic = true;
            }
        }
    }

    /// What is drawn, in words.
    fn words(
        &self,
        painter: &Painter,
        rect: Rect,
        (shown, grid): (&[usize], &str),
        drawable: &Drawable,
        theme: &Theme,
    ) {
        let model = &drawable.model;
        let mut lines = Vec::new();
        if let Some(mesh) = &model.mesh {
            let drawn = triangles(&model.geometry, shown.iter().copied());
            let levels = mesh.levels(self.style.has(Show::Shadows)).len();
            match self.level(mesh) {
                Some(level) => lines.push(format!("lod {level} of {levels} · {}", count(drawn, "triangle"))),
                None => lines.push(format!("culled from {} on", length(mesh.cull_distance))),
            }
            lines.push(format!("{} away", length(self.distance(mesh))));
        } else {
            lines.push(count(model.rig.joints.len() as u64, "bone"));
        }
        if !grid.is_empty() {
            lines.push(format!("grid {grid}"));
        }
        if self.mode_needs_bone() {
            lines.push("choose a bone to see its weights".to_owned());
        }
        let at = rect.min + vec2(12.0, 10.0);
        painter.text(at, Align2::LEFT_TOP, lines.join("\n"), theme::mono(theme::CAPTION), theme.muted);
    }

    fn mode_needs_bone(&self) -> bool {
        self.style.mode == Some(Mode::Weights) && self.bone.is_none()
    }

    /// Where the triangles lie on the texture.
    fn layout_ui(
        &mut self,
        ui: &Ui,
        painter: &Painter,
        (rect, response): (Rect, &Response),
        open: &OpenDocument,
        drawable: &Arc<Drawable>,
        ctx: &ViewCtx<'_>,
    ) {
        let theme = ctx.theme;
        let side = rect.width().min(rect.height()) * self.layout.zoom;
        if response.dragged() {
            let moved = response.drag_delta() / side;
            self.layout.middle -= Vec2::new(moved.x, moved.y);
        }
        if let Some(at) = response.hover_pos() {
            let factor =
                ui.input(|input| input.zoom_delta() * (input.smooth_scroll_delta().y / 240.0).exp2());
            if (factor - 1.0).abs() > 1e-4 {
                let away = at - rect.center();
                let away = Vec2::new(away.x, away.y);
                let zoom = (self.layout.zoom * factor).clamp(0.05, 64.0);
                self.layout.middle += away / side - away / (side * zoom / self.layout.zoom);
                self.layout.zoom = zoom;
            }
        }
        if response.double_clicked() {
            self.layout = Layout::default();
        }
        let side = rect.width().min(rect.height()) * self.layout.zoom;
        let corner = rect.center() - vec2(self.layout.middle.x, self.layout.middle.y) * side;
        let whole = Rect::from_min_size(corner, egui::Vec2::splat(side));
        painter.rect_filled(whole, 0.0, theme.raised);
        self.layout_ground(painter, whole, rect, open, ui);
        painter.rect_stroke(whole, 0.0, theme.line(), egui::StrokeKind::Outside);
        let (look, _) = self.compose(open, drawable, 1.0, theme);
        let halves = Vec2::new(2.0 * side / rect.width(), 2.0 * side / rect.height());
        let has_none = look.parts.is_empty();
        let draw = Draw {
            drawable: Arc::clone(drawable),
            slot: open.id.0,
            size_px: size_px(rect, ui.ctx().pixels_per_point()),
            look: Look {
                line: if theme.is_dark {
                    Color32::from_white_alpha(150)
                } else {
                    Color32::from_rgba_unmultiplied(20, 40, 70, 170)
                },
                ground: Color32::TRANSPARENT,
                marks: Arc::default(),
                unwrap: Some([self.layout.middle, halves]),
                ..look
            },
            wake: ui.ctx().clone(),
        };
        painter.add(draw.shape(rect));
        let set = self.style.uv_set;
        let words =
            format!("uv{set}, from the top left corner\n{}", if has_none { "nothing is drawn" } else { "" });
        let at = rect.min + vec2(12.0, 10.0);
        painter.text(at, Align2::LEFT_TOP, words, theme::mono(theme::CAPTION), theme.muted);
    }

    /// The texture below the layout of coordinates.
    fn layout_ground(&self, painter: &Painter, whole: Rect, rect: Rect, open: &OpenDocument, ui: &Ui) {
        let [diffuse, _, _] = open.model.pixels(self.side.slot);
        let Some(pixels) = diffuse else { return };
        let visible = whole.intersect(rect);
        if visible.width() <= 0.0 || visible.height() <= 0.0 {
            return;
        }
        let part = |at: Pos2| ((at - whole.min) / whole.size()).to_pos2();
        let draw = crate::gpu::texture::Draw {
            pixels,
            slot: (1 << 51) + open.id.0,
            part: Rect::from_min_max(part(visible.min), part(visible.max)),
            level: 0,
            channels: [true; 4],
            is_sharp: false,
            checker: [Color32::BLACK; 2],
            square: 8.0,
            shading: crate::gpu::texture::Shading { is_opaque: true, ..Default::default() },
            heat: None,
            wake: ui.ctx().clone(),
        };
        painter.add(draw.shape(visible));
    }
}

/// What the pointer is on.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Hovered {
    ring: Option<usize>,
    bone: Option<usize>,
}

/// Pixels of a rectangle.
fn size_px(rect: Rect, per_point: f32) -> [u32; 2] {
    let pixels = |points: f32| (points * per_point).round().max(1.0) as u32;
    [pixels(rect.width()), pixels(rect.height())]
}
