//! The bones over a model: drawn, named, and found under the pointer.

use std::sync::Arc;

use egui::{Align2, Color32, Galley, Painter, Pos2, Rect, Shape, Stroke, vec2};
use glam::{Affine3A, Vec3};
use palimpsest_core::model::{Joint, Model, bone_from_socket};

use super::gizmo::{AXES, distance_to};
use super::screen::Screen;
use crate::session::Session;
use crate::theme::{self, Theme};

/// How many bones are drawn; no game has as many.
const MOST: usize = 4096;

/// How many letters of a name are written.
const LETTERS: usize = 80;

/// Points around a joint that stand for its bone.
const REACH: f32 = 7.0;

/// The bones of a model in a pose.
pub(super) struct Bones<'a> {
    pub(super) screen: &'a Screen,
    pub(super) model: &'a Model,
    /// Where each bone is.
    pub(super) posed: &'a [Affine3A],
    /// What marks bones of a set, where one is chosen: the weight of each.
    pub(super) mask: Option<&'a [u8]>,
}

impl Bones<'_> {
    /// Where a joint is on the screen.
    pub(super) fn at(&self, bone: usize) -> Option<Pos2> {
        self.screen.point(self.posed.get(bone)?.translation.into())
    }

    /// The bone under a point: the joint that is nearest, or the line to a joint from the one that it hangs on.
    pub(super) fn hit(&self, at: Pos2) -> Option<usize> {
        let joint = |bone: usize| Some((bone, self.at(bone)?.distance(at)));
        let line = |(bone, joint): (usize, &Joint)| {
            let parent = joint.parent?;
            // The line belongs to the bone that it starts at.
            Some((parent, distance_to(at, self.at(parent)?, self.at(bone)?) + 3.0))
        };
        let joints = (0..self.posed.len()).filter_map(joint);
        let lines = self.model.rig.joints.iter().enumerate().filter_map(line);
        let nearest = joints.chain(lines).min_by(|(_, a), (_, b)| a.total_cmp(b));
        nearest.filter(|(_, distance)| *distance <= REACH).map(|(bone, _)| bone)
    }

    pub(super) fn draw(
        &self,
        painter: &Painter,
        chosen: Option<usize>,
        hovered: Option<usize>,
        theme: &Theme,
    ) {
        let plain = if theme.is_dark {
            Color32::from_rgb(0xB9, 0xC6, 0xD8)
        } else {
            Color32::from_rgb(0x3C, 0x4C, 0x60)
        };
        let edge = theme.canvas;
        let colour = |bone: usize| {
            if chosen == Some(bone) {
                return theme::SELECTED;
            }
            if let Some(weight) = self.mask.and_then(|mask| mask.get(bone)).filter(|weight| **weight > 0) {
                return plain.lerp_to_gamma(theme.added, 0.4 + 0.6 * f32::from(*weight) / 255.0);
            }
            if hovered == Some(bone) { theme.text } else { plain.gamma_multiply(0.8) }
        };
        for (bone, joint) in self.model.rig.joints.iter().enumerate().take(MOST) {
            let Some((parent, from, to)) =
                joint.parent.and_then(|parent| Some((parent, self.at(parent)?, self.at(bone)?)))
            else {
                continue;
            };
            let (way, colour) = (to - from, colour(parent));
            let across = vec2(-way.y, way.x).normalized() * (way.length() * 0.09).clamp(1.0, 5.0);
            let waist = from + way * 0.16;
            let kite = vec![from, waist + across, to, waist - across];
            painter.add(Shape::convex_polygon(kite, colour.gamma_multiply(0.5), Stroke::new(1.0, colour)));
        }
        for bone in 0..self.posed.len().min(MOST) {
            let Some(at) = self.at(bone) else { continue };
            let radius = if chosen == Some(bone) || hovered == Some(bone) { 4.5 } else { 2.5 };
            painter.circle(at, radius, colour(bone), Stroke::new(1.0, edge));
        }
    }

    /// Writes names beside joints, each where no other name stands yet.
    pub(super) fn names(
        &self,
        painter: &Painter,
        bones: impl Iterator<Item = usize>,
        (session, theme): (&Session, &Theme),
    ) {
        let mut taken: Vec<egui::Rect> = Vec::new();
        for bone in bones.take(MOST) {
            let (Some(at), Some(joint)) = (self.at(bone), self.model.rig.joints.get(bone)) else { continue };
            let at = at + vec2(7.0, -7.0);
            let font = theme::mono(theme::CAPTION);
            let name = name_of(joint, session).chars().take(LETTERS).collect();
            let galley = painter.layout_no_wrap(name, font, theme.text);
            let place = Align2::LEFT_BOTTOM.anchor_size(at, galley.size());
            if taken.iter().any(|other| other.intersects(place)) {
                continue;
            }
            taken.push(place);
            backed(painter, place, galley, theme);
        }
    }

    /// Draws the sockets of the skeleton: three short axes, and a name.
    pub(super) fn sockets(&self, painter: &Painter, theme: &Theme) {
        let Some(skeleton) = &self.model.skeleton else { return };
        for socket in skeleton.sockets.iter().take(MOST) {
            let Some(bone) = self.posed.get(socket.bone as usize) else { continue };
            let Some(own) = bone_from_socket(socket) else { continue };
            let place = *bone * own;
            let origin = Vec3::from(place.translation);
            let Some(at) = self.screen.point(origin).filter(|_| origin.is_finite()) else { continue };
            let size = 18.0 * self.screen.scale_at(origin);
            for (axis, colour) in [Vec3::X, Vec3::Y, Vec3::Z].into_iter().zip(AXES) {
                let end = origin + place.transform_vector3(axis).normalize_or(axis) * size;
                if let Some(end) = self.screen.point(end) {
                    painter.line_segment([at, end], Stroke::new(2.0, colour));
                }
            }
            let name = socket.name.chars().take(LETTERS).collect();
            let galley = painter.layout_no_wrap(name, theme::sans(theme::CAPTION), theme.text);
            backed(painter, Align2::LEFT_TOP.anchor_size(at + vec2(8.0, 4.0), galley.size()), galley, theme);
        }
    }
}

/// Draws words over a model, on a ground of their own.
fn backed(painter: &Painter, place: Rect, words: Arc<Galley>, theme: &Theme) {
    painter.rect_filled(place.expand2(vec2(3.0, 1.0)), 3.0, theme.panel.gamma_multiply(0.85));
    painter.galley(place.min, words, theme.text);
}

/// The name of a bone: its own, one that its hash stands for, or the hash where nobody knows.
pub(super) fn name_of(joint: &Joint, session: &Session) -> String {
    if !joint.name.is_empty() {
        return joint.name.clone();
    }
    session.names_of(joint.hash).first().map_or_else(|| format!("0x{:08X}", joint.hash), ToString::to_string)
}
