//! Tubes along curves: limbs, horns, claws, and whatever else is round.

use super::atlas::Island;
use super::field::Field;
use super::path::{Path, Sample};
use super::surface::{Surface, Vertex};
use super::vector::{Vector, add, cross, dot, scale, square_to, sub, times, turn, unit};

/// Steps from a guess to the skin.
const STEPS: usize = 8;

/// How near to the skin is near enough, in centimetres.
const CLOSE: f32 = 0.01;

/// How deep a place is that nobody sees, in centimetres.
const HIDDEN: f32 = 0.9;

/// How much deeper a tube lies at most where another one is seen, and over how many centimetres.
const DEEPER: f32 = 1.0;
const BETWEEN: f32 = 4.0;

/// A tube along a curve.
#[derive(Clone, Debug)]
pub(super) struct Tube<'a> {
    pub(super) path: &'a Path,
    /// Where the first and the last vertex of a ring meet.
    pub(super) seam: Vector,
    /// Rings between the ends, and vertices of a ring.
    pub(super) rings: usize,
    pub(super) segments: usize,
    /// How many rings close either end.
    pub(super) caps: [usize; 2],
    pub(super) island: Island,
}

/// The skin that a tube lies on.
#[derive(Clone, Copy)]
pub(super) struct Skin<'a> {
    pub(super) all: &'a Field,
    /// What of it the tube is about.
    pub(super) own: &'a Field,
    /// How far from that the tube may be where there is more skin, in centimetres.
    pub(super) reach: f32,
    /// The most that its own skin is outside of the curve's radius.
    pub(super) bulge: f32,
    /// What other tubes are about: where that is nearer, this one lies deeper, so that one of them is seen.
    pub(super) others: &'a Field,
}

/// A ring of a tube.
struct Ring {
    sample: Sample,
    tangent: Vector,
    /// How far it leans back to the start or on to the end: the cosine and the sine.
    lean: [f32; 2],
    /// How fast the radius grows.
    growth: f32,
    /// How far along the tube it is.
    distance: f32,
}

impl Tube<'_> {
    /// A tube as thick as its curve says.
    pub(super) fn round(&self) -> Surface {
        self.surface(
            |_| (),
            |ring, (), direction| {
                let out = times(direction, ring.sample.wide);
                let normal = times(direction, ring.sample.wide.map(|part| 1.0 / part));
                let at = add(ring.sample.at, scale(out, ring.sample.radius));
                Vertex::new(at, unit(leaning(normal, ring)), [0.0; 2])
            },
        )
    }

    /// A tube whose vertices lie on a skin. What lies below the skin is left out.
    pub(super) fn on(&self, skin: &Skin<'_>) -> Surface {
        let vertex = |ring: &Ring, local: &[Field; 3], direction: Vector| {
            let [all, own, others] = local;
            let (from, radius) = (ring.sample.at, ring.sample.radius);
            let mut out = radius;
            for _ in 0..STEPS {
                let at = add(from, scale(direction, out));
                let distance = all.distance(at).max(own.distance(at) - skin.reach);
                out = (out - distance).max(0.1 * radius);
                if distance.abs() < CLOSE {
                    break;
                }
            }
            let at = add(from, scale(direction, out));
            let normal = all.outward(at);
            let lower = DEEPER * ((own.distance(at) - others.distance(at)) / BETWEEN).clamp(0.0, 1.0);
            let depth = -all.distance(at);
            Vertex { depth, ..Vertex::new(sub(at, scale(normal, lower)), normal, [0.0; 2]) }
        };
        let local = |ring: &Ring| {
            let widest = ring.sample.wide.iter().fold(1.0, |most: f32, part| most.max(*part));
            let reach = ring.sample.radius * widest + skin.reach + skin.bulge;
            [skin.all, skin.own, skin.others].map(|field| field.around(ring.sample.at, reach, 3.0))
        };
        let surface = self.surface(local, vertex);
        surface.without(|corners| corners.iter().all(|vertex| vertex.depth > HIDDEN) || is_folded(corners))
    }

    fn surface<T>(
        &self,
        local: impl Fn(&Ring) -> T,
        vertex: impl Fn(&Ring, &T, Vector) -> Vertex,
    ) -> Surface {
        let rings = self.all_rings();
        let all = rings.last().map_or(1.0, |ring| ring.distance).max(1e-3);
        let row = |ring: &Ring| -> Vec<Vertex> {
            let first = square_to(self.seam, ring.tangent);
            let second = cross(ring.tangent, first);
            let local = local(ring);
            let around = |column: usize| {
                let part = column as f32 / self.segments as f32;
                let [cosine, sine] = turn(part);
                let radial = add(scale(first, cosine), scale(second, sine));
                let direction = add(scale(radial, ring.lean[0]), scale(ring.tangent, ring.lean[1]));
                vertex(ring, &local, direction).at_uv(self.island.place(ring.distance / all, part))
            };
            (0..=self.segments).map(around).collect()
        };
        Surface::of_rows(&rings.iter().map(row).collect::<Vec<_>>())
    }

    fn all_rings(&self) -> Vec<Ring> {
        let [start, end] = self.caps;
        let ring = |part: f32, lean: [f32; 2], distance: f32| {
            let [before, after] = [part - 0.01, part + 0.01].map(|part| self.path.at(part.clamp(0.0, 1.0)));
            let growth = (after.radius - before.radius) / (after.distance - before.distance).max(1e-3);
            Ring { sample: self.path.at(part), tangent: self.path.tangent(part), lean, growth, distance }
        };
        let quarter = |step: usize, of: usize| step as f32 / of as f32 / 4.0;
        let [first, last] = [0.0, 1.0].map(|part| self.path.at(part).radius * std::f32::consts::FRAC_PI_2);
        let mut rings = Vec::new();
        for step in (1..=start).rev() {
            let [cosine, sine] = turn(quarter(step, start));
            rings.push(ring(0.0, [cosine, -sine], first * (1.0 - step as f32 / start as f32)));
        }
        let before = if start > 0 { first } else { 0.0 };
        for step in 0..=self.rings {
            let part = step as f32 / self.rings as f32;
            rings.push(ring(part, [1.0, 0.0], before + part * self.path.len()));
        }
        for step in 1..=end {
            let lean = turn(quarter(step, end));
            rings.push(ring(1.0, lean, before + self.path.len() + last * step as f32 / end as f32));
        }
        rings
    }
}

/// A direction away from the middle, leaning to where the tube becomes thinner.
fn leaning(normal: Vector, ring: &Ring) -> Vector {
    let upright = if ring.lean[1] == 0.0 { ring.growth } else { 0.0 };
    add(unit(normal), scale(ring.tangent, -upright))
}

/// Whether a triangle lies with its back outwards, as those do whose tube folds into another one.
fn is_folded([a, b, c]: &[Vertex; 3]) -> bool {
    let face = cross(sub(b.at, a.at), sub(c.at, a.at));
    [a, b, c].iter().any(|corner| dot(face, corner.normal) <= 0.0)
}
