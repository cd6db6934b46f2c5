//! Flaws of triangles, and of vertices by the triangles around them.

use glam::{Vec2, Vec3};

use super::vertices::three;
use super::{Flaw, FlawPlace, Report};
use crate::asset::{Group, Semantic, VertexFormat};
use crate::model::is_somewhere;

/// How many vertices an index can tell apart.
const MOST_VERTICES: u32 = 1 << 16;

/// The area of a triangle that counts as none, in parts of the square of its longest edge; the flattest one of
/// two shipped meshes has 0.009.
const FLAT: f64 = 5e-6;

/// The cosine of the angle, 120°, from which on a direction points against another: past 90° are 0.7 % of the
/// tangents and binormals of two shipped meshes.
const AGAINST: f32 = -0.5;

/// How much of what the triangles around a vertex add up to must be left of them, for all of them to point
/// somewhere: where a texture is mirrored, they cancel each other out.
const AGREED: f32 = 0.9;

/// What is known of the group that is looked at; kept for the next one, for the sake of its memory.
#[derive(Default)]
pub(super) struct Surface {
    places: Vec<Vec3>,
    /// Where the vertices are in the texture.
    uvs: Vec<Vec2>,
    is_used: Vec<bool>,
    /// Where the two coordinates of the texture grow, around each vertex.
    ways: Vec<[Way; 2]>,
}

/// A sum of directions.
#[derive(Clone, Copy, Default)]
struct Way {
    sum: Vec3,
    /// The sum of their lengths.
    length: f32,
}

impl Way {
    fn add(&mut self, way: Self) {
        self.sum += way.sum;
        self.length += way.length;
    }

    /// Whether a direction points against it; never where there is none.
    fn is_against(&self, direction: Vec3) -> bool {
        let length = self.sum.length();
        length >= AGREED * self.length && direction.dot(self.sum) < AGAINST * length * direction.length()
    }
}

impl Surface {
    /// Looks at the triangles of a group.
    pub(super) fn look(&mut self, report: &mut Report, group: &Group, format: &VertexFormat) {
        let whole = group.index_count();
        let index = |at| FlawPlace::new(group.index_range(at), None);
        report.add(Flaw::Index, whole as u64, group.indices_beyond().map(index));
        report.add(Flaw::OpenTriangle, whole as u64, (whole - whole % 3..whole).map(index));
        self.look_for_unused(report, group);
        self.places.clear();
        if let Some(position) = group.values(format, Semantic::Position, 0) {
            self.places.extend(position.iter().take(MOST_VERTICES as usize).map(three));
        }
        let flat = group.triangles().enumerate().filter(|(_, corners)| self.is_flat(*corners));
        let flat = flat.map(|(at, [first, ..])| {
            let start = group.index_range(3 * at).start;
            FlawPlace::new(start..start + 6, u32::from(first))
        });
        report.add(Flaw::DegenerateTriangle, group.triangles().len() as u64, flat);
        self.look_at_directions(report, group, format);
    }

    fn look_for_unused(&mut self, report: &mut Report, group: &Group) {
        let reachable = group.vertex_count.min(MOST_VERTICES);
        self.is_used.clear();
        self.is_used.resize(reachable as usize, false);
        for index in (0..group.index_count()).filter_map(|at| group.index(at)) {
            if let Some(is_used) = self.is_used.get_mut(usize::from(index)) {
                *is_used = true;
            }
        }
        let used = self.is_used.iter().filter(|is_used| **is_used).count() as u64;
        let whole = u64::from(group.vertex_count);
        // A group can state any number of vertices without bytes, so those past the indices are not walked over.
        let unused = (0..group.vertex_count)
            .filter(|vertex| !self.is_used.get(*vertex as usize).is_some_and(|own| *own));
        let places = unused.take(report.room()).filter_map(|vertex| {
            let stream = group.streams.iter().find(|stream| stream.stride > 0)?;
            let start = stream.offset + u64::from(vertex) * u64::from(stream.stride);
            Some(FlawPlace::new(start..start + u64::from(stream.stride), vertex))
        });
        report.add_counted(Flaw::UnusedVertex, [whole - used, whole], places.collect());
    }

    /// Whether a triangle has no area. Of one whose corners are nowhere nobody can tell.
    fn is_flat(&self, [a, b, c]: [u16; 3]) -> bool {
        if a == b || b == c || a == c {
            return true;
        }
        let place = |corner: u16| self.places.get(usize::from(corner)).filter(|place| is_somewhere(**place));
        let (Some(a), Some(b), Some(c)) = (place(a), place(b), place(c)) else { return false };
        let [a, b, c] = [a, b, c].map(|place| place.as_dvec3());
        let (first, second) = (b - a, c - a);
        let longest = first.length_squared().max(second.length_squared()).max(b.distance_squared(c));
        first.cross(second).length_squared() <= (2.0 * FLAT * longest).powi(2)
    }

    fn look_at_directions(&mut self, report: &mut Report, group: &Group, format: &VertexFormat) {
        let values = |semantic| group.values(format, semantic, 0);
        let along: [fn(&[Way; 2]) -> &Way; 2] = [|[u, _]| u, |[_, v]| v];
        let [along_u, along_v] = along;
        let sides = [
            (Flaw::TangentAgainstUv, along_u, values(Semantic::Tangent)),
            (Flaw::BinormalAgainstUv, along_v, values(Semantic::Binormal)),
        ];
        let Some(uvs) = values(Semantic::Uv).filter(|_| sides.iter().any(|(.., own)| own.is_some())) else {
            return;
        };
        self.uvs.clear();
        self.uvs.extend(uvs.iter().take(self.places.len()).map(|[u, v, ..]| Vec2::new(u, v)));
        self.add_ways(group);
        for (flaw, along, values) in sides {
            let Some(values) = values else { continue };
            let is_against = |(vertex, ways): &(u32, &[Way; 2])| {
                values.get(*vertex).is_some_and(|own| along(ways).is_against(three(own)))
            };
            let against = (0u32..).zip(&self.ways).filter(is_against);
            let places =
                against.filter_map(|(vertex, _)| Some(FlawPlace::new(values.range(vertex)?, vertex)));
            report.add(flaw, group.vertex_count.into(), places);
        }
    }

    /// Adds up where the coordinates of the texture grow, larger triangles of the texture counting for more.
    fn add_ways(&mut self, group: &Group) {
        self.ways.clear();
        self.ways.resize(self.places.len(), [Way::default(); 2]);
        for triangle in group.triangles() {
            let corner = |index: u16| {
                let at = usize::from(index);
                Some((*self.places.get(at)?, *self.uvs.get(at)?))
            };
            let [Some(a), Some(b), Some(c)] = triangle.map(corner) else { continue };
            let (first, second) = (b.0 - a.0, c.0 - a.0);
            let (first_uv, second_uv) = (b.1 - a.1, c.1 - a.1);
            let area = first_uv.perp_dot(second_uv);
            // Without an area in the texture, and with what is no number, there is no way.
            if area == 0.0 || !area.is_finite() || !first.is_finite() || !second.is_finite() {
                continue;
            }
            let along_u = first * second_uv.y - second * first_uv.y;
            let along_v = second * first_uv.x - first * second_uv.x;
            let [along_u, along_v] =
                [along_u, along_v].map(|way| Way { sum: way * area.signum(), length: way.length() });
            for index in triangle {
                if let Some([u, v]) = self.ways.get_mut(usize::from(index)) {
                    u.add(along_u);
                    v.add(along_v);
                }
            }
        }
    }
}
