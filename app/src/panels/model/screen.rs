//! Where places of a model are in a panel, and what a point of the panel looks at.

use egui::{Pos2, Rect, vec2};
use glam::{Mat4, Vec2, Vec3};
use palimpsest_core::model::Ray;

use crate::gpu::orbit::{Orbit, project};

/// A panel that a camera looks into.
pub(super) struct Screen {
    pub(super) camera: Orbit,
    pub(super) rect: Rect,
    clip_from_model: Mat4,
}

impl Screen {
    pub(super) fn new(camera: Orbit, rect: Rect, radius: f32) -> Self {
        let clip_from_model = camera.clip_from_model(aspect(rect), radius);
        Self { camera, rect, clip_from_model }
    }

    /// Where a place is; `None` behind the camera.
    pub(super) fn point(&self, place: Vec3) -> Option<Pos2> {
        let at = project(&self.clip_from_model, place)?;
        Some(self.rect.center() + vec2(at.x * self.rect.width(), -at.y * self.rect.height()) / 2.0)
    }

    /// What a point looks at.
    pub(super) fn ray(&self, at: Pos2) -> Ray {
        let away = (at - self.rect.center()) / (self.rect.size() / 2.0);
        self.camera.ray(Vec2::new(away.x, -away.y), aspect(self.rect))
    }

    /// How many centimetres a point of the panel stands for at a place.
    pub(super) fn scale_at(&self, place: Vec3) -> f32 {
        self.camera.scale_at(place, self.rect.height())
    }

    /// The direction from a place to the camera.
    pub(super) fn towards(&self, place: Vec3) -> Vec3 {
        let [_, _, back] = self.camera.axes();
        if self.camera.is_orthographic { back } else { (self.camera.eye() - place).normalize_or(back) }
    }
}

fn aspect(rect: Rect) -> f32 {
    rect.width() / rect.height().max(1.0)
}
