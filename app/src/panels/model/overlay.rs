//! What stands over a model: bones, rings, the vertex that was clicked, axes and words.

use std::sync::Arc;

use egui::{Align2, Color32, Painter, Rect, Sense, Stroke, Ui, WidgetInfo, vec2};
use glam::{Affine3A, Vec3};
use palimpsest_core::model::{Geometry, Model};

use super::ModelView;
use super::bones::Bones;
use super::gizmo::{AXES, Gizmo};
use super::screen::Screen;
use super::style::Show;
use super::viewport::Hovered;
use crate::command::Side;
use crate::format::{count, length};
use crate::gpu::mesh::{Drawable, Mode};
use crate::panels::ViewCtx;
use crate::session::OpenDocument;
use crate::shown::triangles;
use crate::theme::{self, Theme};

impl ModelView {
    /// Bones, rings, the vertex that was clicked.
    pub(super) fn overlay(
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
    pub(super) fn corner_ui(
        &mut self,
        ui: &Ui,
        painter: &Painter,
        screen: &Screen,
        model: &Model,
        theme: &Theme,
    ) {
        const REACH: f32 = 26.0;
        let centre = screen.rect.right_bottom() - egui::Vec2::splat(REACH + 16.0);
        let [right, up, back] = self.camera.axes();
        let ends = [
            (Vec3::X, "X", 0, Side::Right),
            (Vec3::Y, "Y", 1, Side::Top),
            (Vec3::Z, "Z", 2, Side::Front),
            (Vec3::NEG_X, "", 0, Side::Left),
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
                self.see_from(side, model);
            }
        }
    }

    /// What is drawn, in words.
    pub(super) fn words(
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
        words(painter, rect, lines.join("\n"), theme);
    }

    fn mode_needs_bone(&self) -> bool {
        self.style.mode == Some(Mode::Weights) && self.bone.is_none()
    }
}

/// Writes into the upper left corner, readable over whatever is drawn there.
pub(super) fn words(painter: &Painter, rect: Rect, words: String, theme: &Theme) {
    let galley = painter.layout_no_wrap(words, theme::mono(theme::CAPTION), theme.muted);
    let place = Rect::from_min_size(rect.min + vec2(12.0, 10.0), galley.size());
    painter.rect_filled(place.expand2(vec2(6.0, 4.0)), 4.0, theme.canvas.gamma_multiply(0.72));
    painter.galley(place.min, galley, theme.muted);
}
