//! Lines beside a model: a grid in real units, a box, a sphere.

use std::f32::consts::TAU;

use egui::Color32;
use glam::Vec3;

use crate::gpu::mesh::Mark;

/// The steps between the lines of the grid, in centimetres.
const STEPS: [f32; 8] = [0.1, 1.0, 10.0, 100.0, 1000.0, 1e4, 1e5, 1e6];

/// Lines, two corners each.
#[derive(Debug, Default)]
pub(super) struct Marks(pub(super) Vec<Mark>);

impl Marks {
    pub(super) fn line(&mut self, from: Vec3, to: Vec3, colour: Color32) {
        let colour = colour.to_srgba_unmultiplied();
        self.0.extend([from, to].map(|at| Mark { position: at.to_array(), colour }));
    }

    /// A grid on the ground around a box; what its step is called.
    pub(super) fn grid(&mut self, [low, high]: [Vec3; 2], colour: Color32) -> String {
        let reach = (high - low).length().max(0.1);
        // Some ten lines beside the model, and never more than a hundred.
        let step = STEPS.into_iter().find(|step| reach / step < 25.0).unwrap_or(1e6);
        let middle = (low + high) * 0.5;
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
            self.line(Vec3::new(across, 0.0, back), Vec3::new(across, 0.0, front), tint(across));
            self.line(Vec3::new(left, 0.0, along), Vec3::new(right, 0.0, along), tint(along));
            at += 1.0;
        }
        length(step)
    }

    /// A box.
    pub(super) fn cuboid(&mut self, [low, high]: [Vec3; 2], colour: Color32) {
        let corner = |at: u32| {
            let pick = |bit: u32, low: f32, high: f32| if at & bit == 0 { low } else { high };
            Vec3::new(pick(1, low.x, high.x), pick(2, low.y, high.y), pick(4, low.z, high.z))
        };
        for from in 0..8 {
            for bit in [1, 2, 4].into_iter().filter(|bit| from & bit == 0) {
                self.line(corner(from), corner(from | bit), colour);
            }
        }
    }

    /// A sphere, as three circles.
    pub(super) fn sphere(&mut self, centre: Vec3, radius: f32, colour: Color32) {
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

/// A length in centimetres, for people: `12 cm`, `3.4 m`, `65 m`.
pub(super) fn length(centimetres: f32) -> String {
    let (value, unit) = match centimetres.abs() {
        metres if metres >= 1e5 => (centimetres / 1e5, "km"),
        metres if metres >= 100.0 => (centimetres / 100.0, "m"),
        small if small < 1.0 && small > 0.0 => (centimetres * 10.0, "mm"),
        _ => (centimetres, "cm"),
    };
    let digits = if value.abs() >= 100.0 || (value - value.round()).abs() < 0.005 { 0 } else { 1 };
    format!("{value:.digits$} {unit}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_told_in_units_that_people_use() {
        let told = [0.5, 10.0, 34.94, 250.0, 6500.0, 123_456.0].map(length);
        assert_eq!(told, ["5 mm", "10 cm", "34.9 cm", "2.5 m", "65 m", "1.2 km"]);
    }

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
