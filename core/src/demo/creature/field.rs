//! Solid pieces that melt into one another: how far a place is from the skin.

use super::path::Path;
use super::vector::{Vector, add, dot, length, mix, scale, sub, times, unit};

/// How far apart places are whose difference is the direction of the skin, in centimetres.
const STEP: f32 = 0.9;

/// How high above the skin its light is looked for, in centimetres.
pub(super) const HIGH: f32 = 11.0;

/// A rod whose radius and whose proportions change from end to end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    from: Vector,
    along: Vector,
    /// One over the square of the length; nothing for a ball.
    inverse: f32,
    radii: [f32; 2],
    /// One over how much wider it is along each axis, at either end.
    narrow: [Vector; 2],
    /// What a distance is multiplied with so that it is never too large.
    safe: f32,
    /// The ball around it.
    middle: Vector,
    reach: f32,
}

impl Piece {
    pub(super) fn new(ends: [Vector; 2], radii: [f32; 2], wide: [Vector; 2]) -> Self {
        let along = sub(ends[1], ends[0]);
        let square = dot(along, along);
        let narrow = wide.map(|wide| wide.map(|part| 1.0 / part));
        let safe = wide.iter().flatten().fold(1.0, |least: f32, part| least.min(*part));
        let inverse = if square > 0.0 { 1.0 / square } else { 0.0 };
        let middle = add(ends[0], scale(along, 0.5));
        let widest = wide.iter().flatten().fold(1.0, |most: f32, part| most.max(*part));
        let reach = square.sqrt() / 2.0 + radii[0].max(radii[1]) * widest;
        Self { from: ends[0], along, inverse, radii, narrow, safe, middle, reach }
    }

    fn distance(&self, at: Vector) -> f32 {
        let away = sub(at, self.from);
        let t = (dot(away, self.along) * self.inverse).clamp(0.0, 1.0);
        let away = sub(away, scale(self.along, t));
        let radius = self.radii[0] + (self.radii[1] - self.radii[0]) * t;
        (length(times(away, mix(self.narrow[0], self.narrow[1], t))) - radius) * self.safe
    }
}

/// Pieces that belong together.
#[derive(Clone, Debug)]
struct Chain {
    pieces: Vec<Piece>,
    /// How far it melts into what stands before it, in centimetres.
    soft: f32,
    /// Whether it is taken away.
    is_hollow: bool,
}

/// The skin of the creature, of which both sides are alike: only the one to the right is kept.
#[derive(Clone, Debug, Default)]
pub(super) struct Field {
    chains: Vec<Chain>,
}

impl Field {
    /// Adds pieces that melt into what is there.
    pub(super) fn add(&mut self, pieces: Vec<Piece>, soft: f32) {
        self.push(pieces, soft, false);
    }

    /// Adds the pieces along a path.
    pub(super) fn add_path(&mut self, path: &Path, soft: f32) {
        self.add(path.pieces(), soft);
    }

    /// Adds another skin.
    pub(super) fn extend(&mut self, other: &Self) {
        self.chains.extend_from_slice(&other.chains);
    }

    /// Takes pieces away from what is there.
    pub(super) fn carve(&mut self, pieces: Vec<Piece>, soft: f32) {
        self.push(pieces, soft, true);
    }

    fn push(&mut self, pieces: Vec<Piece>, soft: f32, is_hollow: bool) {
        self.chains.push(Chain { pieces, soft, is_hollow });
    }

    /// How far a place is from the skin; inside it is less than nothing.
    pub(super) fn distance(&self, at: Vector) -> f32 {
        let at = [at[0].abs(), at[1], at[2]];
        self.chains.iter().fold(f32::MAX, |so_far, chain| {
            let own = chain.pieces.iter().map(|piece| piece.distance(at)).fold(f32::MAX, f32::min);
            if chain.is_hollow { -melted(-so_far, own, chain.soft) } else { melted(so_far, own, chain.soft) }
        })
    }

    /// What of the skin matters for places within `reach` of one, as far as they are at most `high` above it.
    pub(super) fn around(&self, at: Vector, reach: f32, high: f32) -> Self {
        let at = [at[0].abs(), at[1], at[2]];
        let near = |chain: &Chain| {
            let is_near = |piece: &&Piece| {
                let away = sub(at, piece.middle);
                let most = piece.reach + reach + high + chain.soft;
                dot(away, away) < most * most
            };
            let pieces: Vec<_> = chain.pieces.iter().filter(is_near).copied().collect();
            (!pieces.is_empty()).then_some(Chain { pieces, soft: chain.soft, is_hollow: chain.is_hollow })
        };
        Self { chains: self.chains.iter().filter_map(near).collect() }
    }

    /// The direction away from the skin.
    pub(super) fn outward(&self, at: Vector) -> Vector {
        const CORNERS: [Vector; 4] =
            [[1.0, -1.0, -1.0], [-1.0, -1.0, 1.0], [-1.0, 1.0, -1.0], [1.0, 1.0, 1.0]];
        let part = |corner: Vector| scale(corner, self.distance(add(at, scale(corner, STEP))));
        unit(CORNERS.into_iter().map(part).fold([0.0; 3], add))
    }

    /// How open the skin is around a place on it or a little below, 0 to 1.
    pub(super) fn openness(&self, at: Vector, outward: Vector) -> f32 {
        let steps = [(1.2, 0.25), (3.0, 0.30), (6.0, 0.25), (HIGH, 0.20)];
        let below = self.distance(at).clamp(-1.0, 0.0);
        let missing = |(step, weight): (f32, f32)| {
            let free = self.distance(add(at, scale(outward, step))) - below;
            weight * (1.0 - free / step).clamp(0.0, 1.0)
        };
        1.0 - steps.into_iter().map(missing).sum::<f32>()
    }
}

/// The smaller of two distances; where they are nearly alike it is smaller still, so that the edge is round.
fn melted(a: f32, b: f32, soft: f32) -> f32 {
    let near = (soft - (a - b).abs()).max(0.0);
    if near > 0.0 { a.min(b) - near * near / (4.0 * soft) } else { a.min(b) }
}
