//! Lines beside a model: a grid in real units, a box, a sphere.

use std::f32::consts::TAU;

use egui::Color32;
use glam::Vec3;
use palimpsest_core::model::Model;

use super::Mark;
use crate::format::length;
use crate::gpu::orbit::corners;

/// The steps between the lines of the grid, in centimetres.
const STEPS: [f32; 8] = [0.1, 1.0, 10.0, 100.0, 1000.0, 1e4, 1e5, 1e6];

/// Lines, two corners each.
#[derive(Debug, Default)]
pub struct Marks(pub Vec<Mark>);

impl Marks {
    /// A line between two places.
    pub fn line(&mut self, from: Vec3, to: Vec3, colour: Color32) {
        let colour = colour.to_srgba_unmultiplied();
        self.0.extend([from, to].map(|at| Mark { position: at.to_array(), colour }));
    }

    /// A grid below a box; what its step is called.
    pub fn grid(&mut self, [low, high]: [Vec3; 2], colour: Color32) -> String {
        let reach = (high - low).length().max(0.1);
        // Some lines beside the model, and never more than a hundred in each direction.
        let step = STEPS.into_iter().find(|step| reach / step < 60.0).unwrap_or(1e6);
        let middle = (low + high) * 0.5;
        let ground = low.y;
        let around = |at: f32| (at / step).round();
        let lines = (reach * 0.75 / step).ceil().clamp(2.0, 50.0);
        let (x, z) = (around(middle.x), around(middle.z));
        let [left, right] = [(x - lines) * step, (x + lines) * step];
        let [back, front] = [(z - lines) * step, (z + lines) * step];
        let mut at = -lines;
        while at <= lines {
            let (across, along) = ((x + at) * step, (z + at) * step);
            let strength = |at: f32| if (at / step).round().rem_euclid(10.0) == 0.0 { 1.0 } else { 0.45 };
            let tint = |at: f32| colour.gamma_multiply(strength(at));
            self.line(Vec3::new(across, ground, back), Vec3::new(across, ground, front), tint(across));
            self.line(Vec3::new(left, ground, along), Vec3::new(right, ground, along), tint(along));
            at += 1.0;
        }
        length(step)
    }

    /// A box.
    pub fn cuboid(&mut self, bounds: [Vec3; 2], colour: Color32) {
        let corners: Vec<_> = corners(bounds).collect();
        for (from, corner) in corners.iter().enumerate() {
            for bit in [1, 2, 4].into_iter().filter(|bit| from & bit == 0) {
                let to = corners.get(from | bit).copied().unwrap_or(*corner);
                self.line(*corner, to, colour);
            }
        }
    }

    /// The box around a model, and the sphere that the file of its mesh states.
    pub fn bounds(&mut self, model: &Model, [cuboid, sphere]: [Color32; 2]) {
        self.cuboid(model.bounds(), cuboid);
        if let Some(mesh) = &model.mesh {
            let centre = Vec3::from(mesh.centre);
            if centre.is_finite() && mesh.radius.is_finite() {
                self.sphere(centre, mesh.radius, sphere);
            }
        }
    }

    /// A sphere, as three circles.
    pub fn sphere(&mut self, centre: Vec3, radius: f32, colour: Color32) {
        const STEPS: u32 = 64;
        for [one, other] in [[Vec3::X, Vec3::Y], [Vec3::Y, Vec3::Z], [Vec3::Z, Vec3::X]] {
            let at = |step: u32| {
                let (sin, cos) = (step as f32 / STEPS as f32 * TAU).sin_cos();
                centre + (one * cos + other * sin) * radius
            };
            for step in 0..STEPS {
                self.line(at(step), at(step + 1), colour);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_grid_has_a_few_lines_whatever_the_size() {
        for size in [0.5, 3.0, 70.0, 220.0, 9000.0, 4e6] {
            let mut marks = Marks::default();
            marks.grid([Vec3::splat(-size), Vec3::splat(size)], Color32::WHITE);
            let lines = marks.0.len() / 2;
            assert!((10..=204).contains(&lines), "{size}: {lines}");
        }
    }
}
