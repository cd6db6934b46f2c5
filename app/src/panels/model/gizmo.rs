//! Rings around a joint that turn its bone.

use std::f32::consts::TAU;

use egui::{Color32, Painter, Pos2, Stroke};
use glam::{Affine3A, Quat, Vec3};
use palimpsest_core::model::Ray;

use super::screen::Screen;

/// Points from the joint to a ring.
const RADIUS: f32 = 64.0;
/// Points around a ring that take hold of it.
const GRIP: f32 = 7.0;
/// Corners of a ring.
const STEPS: usize = 48;

/// The colours of the axes X, Y and Z.
pub(super) const AXES: [Color32; 3] = [
    Color32::from_rgb(0xE0, 0x58, 0x4F),
    Color32::from_rgb(0x6C, 0xB6, 0x5C),
    Color32::from_rgb(0x4C, 0x9B, 0xE8),
];

/// A turn that is under way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grip {
    axis: usize,
    /// The direction from the joint in which the ring was taken hold of.
    from: Vec3,
    /// The turn of the bone then.
    turn: Quat,
    /// Where the bone was then.
    bone: Affine3A,
}

impl Grip {
    /// The ring that is held.
    pub(super) const fn axis(&self) -> usize {
        self.axis
    }
}

/// Rings around a bone.
pub(super) struct Gizmo<'a> {
    pub(super) screen: &'a Screen,
    /// Where the bone is in the pose.
    pub(super) bone: Affine3A,
}

impl Gizmo<'_> {
    fn origin(&self) -> Vec3 {
        self.bone.translation.into()
    }

    fn axis(bone: Affine3A, axis: usize) -> Vec3 {
        let unit = [Vec3::X, Vec3::Y, Vec3::Z].get(axis).copied().unwrap_or(Vec3::X);
        bone.transform_vector3(unit).normalize_or(unit)
    }

    /// The corners of a ring on the screen, and whether each is on the side of the camera.
    fn ring(&self, axis: usize) -> Vec<(Pos2, bool)> {
        let normal = Self::axis(self.bone, axis);
        let (one, other) = normal.any_orthonormal_pair();
        let radius = RADIUS * self.screen.scale_at(self.origin());
        let towards = self.screen.towards(self.origin());
        let corner = |step: usize| {
            let (sin, cos) = (step as f32 / STEPS as f32 * TAU).sin_cos();
            let way = one * cos + other * sin;
            Some((self.screen.point(self.origin() + way * radius)?, way.dot(towards) > -0.05))
        };
        (0..=STEPS).filter_map(corner).collect()
    }

    /// The ring under a point of the screen.
    pub(super) fn hit(&self, at: Pos2) -> Option<usize> {
        let distance = |axis: usize| {
            let ring = self.ring(axis);
            let near = ring.windows(2).filter_map(|pair| match pair {
                [(from, true), (to, true)] => Some(distance_to(at, *from, *to)),
                _ => None,
            });
            near.fold(f32::INFINITY, f32::min)
        };
        let nearest = (0..3).map(|axis| (axis, distance(axis))).min_by(|(_, a), (_, b)| a.total_cmp(b));
        nearest.filter(|(_, distance)| *distance <= GRIP).map(|(axis, _)| axis)
    }

    /// Takes hold of a ring.
    pub(super) fn take(&self, axis: usize, at: Pos2, turn: Quat) -> Option<Grip> {
        let from = direction(self.screen.ray(at), self.origin(), Self::axis(self.bone, axis))?;
        Some(Grip { axis, from, turn, bone: self.bone })
    }

    /// The turn that a ring which is held has at a point of the screen.
    pub(super) fn turned(&self, grip: &Grip, at: Pos2) -> Option<Quat> {
        let normal = Self::axis(grip.bone, grip.axis);
        let to = direction(self.screen.ray(at), grip.bone.translation.into(), normal)?;
        let angle = grip.from.cross(to).dot(normal).atan2(grip.from.dot(to));
        let unit = [Vec3::X, Vec3::Y, Vec3::Z].get(grip.axis).copied().unwrap_or(Vec3::X);
        // About the bone's own axis as it was when the ring was taken.
        Some(grip.turn * Quat::from_axis_angle(unit, angle))
    }

    pub(super) fn draw(&self, painter: &Painter, marked: Option<usize>) {
        for axis in 0..3 {
            let Some(colour) = AXES.get(axis).copied() else { continue };
            let ring = self.ring(axis);
            for pair in ring.windows(2) {
                let [(from, is_near), (to, _)] = pair else { continue };
                let width = if marked == Some(axis) { 3.5 } else { 2.0 };
                let colour = if *is_near { colour } else { colour.gamma_multiply(0.25) };
                painter.line_segment([*from, *to], Stroke::new(width, colour));
            }
        }
    }
}

/// The direction from a place to where a line of sight meets the plane around it.
fn direction(ray: Ray, place: Vec3, normal: Vec3) -> Option<Vec3> {
    let slope = ray.way.dot(normal);
    // A ring that is seen from its edge: the nearest place on the line stands for the one on the plane.
    let along = if slope.abs() > 0.02 * ray.way.length() {
        (place - ray.start).dot(normal) / slope
    } else {
        (place - ray.start).dot(ray.way) / ray.way.length_squared()
    };
    let way = ray.start + ray.way * along - place;
    (way - normal * way.dot(normal)).try_normalize()
}

/// How far a point is from a line between two.
pub(super) fn distance_to(at: Pos2, from: Pos2, to: Pos2) -> f32 {
    let way = to - from;
    let share = ((at - from).dot(way) / way.length_sq().max(1e-6)).clamp(0.0, 1.0);
    at.distance(from + way * share)
}

#[cfg(test)]
mod tests {
    use egui::{Rect, pos2, vec2};

    use super::*;
    use crate::gpu::orbit::Orbit;

    #[test]
    fn a_ring_follows_the_pointer_around_its_axis() {
        // Seen from the front, the Z axis of a bone at rest points at the camera; in left-handed axes turns are
        // clockwise then.
        let camera = Orbit { yaw: 0.0, pitch: 0.0, ..Orbit::default() };
        let rect = Rect::from_min_size(pos2(0.0, 0.0), vec2(400.0, 400.0));
        let screen = Screen::new(camera, rect, 100.0);
        let gizmo = Gizmo { screen: &screen, bone: Affine3A::IDENTITY };
        // The other two rings are seen from their edges, as a cross.
        let corner = RADIUS * 0.5_f32.sqrt();
        let start = rect.center() + vec2(corner, -corner);
        assert_eq!(gizmo.hit(start), Some(2));
        assert_eq!(gizmo.hit(rect.center() + vec2(20.0, -20.0)), None);
        let grip = gizmo.take(2, start, Quat::IDENTITY).unwrap();
        let turned = gizmo.turned(&grip, rect.center() - vec2(corner, corner)).unwrap();
        let (axis, angle) = turned.to_axis_angle();
        assert!(axis.distance(Vec3::NEG_Z) < 1e-3 && (angle - TAU / 4.0).abs() < 1e-2, "{axis} {angle}");
    }
}
