//! Curves through given places, with a radius that changes along them.

use super::field::Piece;
use super::vector::{ONE, Vector, add, length, mix, scale, sub, unit};

/// Samples between two knots.
const SAMPLES: usize = 8;

/// A place that a curve runs through.
#[derive(Clone, Copy, Debug)]
pub(super) struct Knot {
    pub(super) at: Vector,
    pub(super) radius: f32,
    /// How much wider it is along each axis.
    pub(super) wide: Vector,
}

pub(super) const fn knot(at: Vector, radius: f32) -> Knot {
    Knot { at, radius, wide: ONE }
}

/// A place on a curve.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sample {
    pub(super) at: Vector,
    pub(super) radius: f32,
    pub(super) wide: Vector,
    /// How far it is from the start, along the curve.
    pub(super) distance: f32,
}

/// A smooth curve.
#[derive(Clone, Debug)]
pub(super) struct Path {
    samples: Vec<Sample>,
}

impl Path {
    pub(super) fn new(knots: &[Knot]) -> Self {
        let mut samples: Vec<Sample> = Vec::new();
        let at = |place: usize| {
            knots.get(place).or_else(|| knots.last()).copied().unwrap_or_else(|| knot([0.0; 3], 0.0))
        };
        for span in 0..knots.len().saturating_sub(1) {
            let around = [at(span.saturating_sub(1)), at(span), at(span + 1), at(span + 2)];
            let last = usize::from(span + 2 == knots.len());
            for step in 0..SAMPLES + last {
                let sample = between(around, step as f32 / SAMPLES as f32);
                let from = samples.last().map_or(0.0, |last| last.distance + length(sub(sample.at, last.at)));
                samples.push(Sample { distance: from, ..sample });
            }
        }
        Self { samples }
    }

    /// The length, in centimetres.
    pub(super) fn len(&self) -> f32 {
        self.samples.last().map_or(0.0, |last| last.distance)
    }

    /// The place a part of the way along, 0 to 1.
    pub(super) fn at(&self, part: f32) -> Sample {
        let distance = part * self.len();
        let next = self.samples.partition_point(|sample| sample.distance <= distance);
        let next = next.clamp(1, self.samples.len().saturating_sub(1).max(1));
        let (Some(a), Some(b)) = (self.samples.get(next - 1), self.samples.get(next)) else {
            return Sample { at: [0.0; 3], radius: 0.0, wide: ONE, distance };
        };
        let t = ((distance - a.distance) / (b.distance - a.distance).max(1e-6)).clamp(0.0, 1.0);
        let radius = a.radius + (b.radius - a.radius) * t;
        Sample { at: mix(a.at, b.at, t), radius, wide: mix(a.wide, b.wide, t), distance }
    }

    /// The direction a part of the way along.
    pub(super) fn tangent(&self, part: f32) -> Vector {
        let ends = [part - 0.02, part + 0.02].map(|part| self.at(part.clamp(0.0, 1.0)).at);
        unit(sub(ends[1], ends[0]))
    }

    /// The curve as rods.
    pub(super) fn pieces(&self) -> Vec<Piece> {
        let every: Vec<_> = self.samples.iter().step_by(SAMPLES / 4).collect();
        let rod = |ends: &[&Sample]| match ends {
            [a, b] => Some(Piece::new([a.at, b.at], [a.radius, b.radius], [a.wide, b.wide])),
            _ => None,
        };
        every.windows(2).filter_map(rod).collect()
    }
}

/// A part of the way from the second of four knots to the third.
fn between([before, from, to, after]: [Knot; 4], t: f32) -> Sample {
    let (square, cube) = (t * t, t * t * t);
    let weights = [
        0.5 * (2.0 * square - t - cube),
        0.5 * (3.0 * cube - 5.0 * square + 2.0),
        0.5 * (4.0 * square - 3.0 * cube + t),
        0.5 * (cube - square),
    ];
    let knots = [before, from, to, after];
    let sum = |of: fn(&Knot) -> Vector| {
        knots.iter().zip(weights).fold([0.0; 3], |sum, (knot, weight)| add(sum, scale(of(knot), weight)))
    };
    let radius: f32 = knots.iter().zip(weights).map(|(knot, weight)| knot.radius * weight).sum();
    // Radii must not swing far beyond those that were given.
    let radius = radius.clamp(0.9 * from.radius.min(to.radius), 1.1 * from.radius.max(to.radius));
    Sample { at: sum(|knot| knot.at), radius, wide: mix(from.wide, to.wide, t), distance: 0.0 }
}
