//! Surfaces: vertices in rows, and the triangles between them.

use super::atlas::Island;
use super::bones::{Bones, Influences};
use super::field::{Field, HIGH};
use super::vector::{Vector, add, cross, dot, length, mirrored, scale, sub, unit};

/// A point of the skin.
#[derive(Clone, Copy, Debug)]
pub(super) struct Vertex {
    pub(super) at: Vector,
    pub(super) normal: Vector,
    /// A place in the pictures, which both sides share.
    pub(super) uv: [f32; 2],
    /// A place of its own.
    pub(super) own_uv: [f32; 2],
    pub(super) influences: Influences,
    /// How much light reaches it, 0 to 1.
    pub(super) light: f32,
    /// How far below the skin it is, in centimetres.
    pub(super) depth: f32,
}

impl Vertex {
    pub(super) fn new(at: Vector, normal: Vector, uv: [f32; 2]) -> Self {
        let influences = Influences::default();
        Self { at, normal, uv, own_uv: [0.0; 2], influences, light: 1.0, depth: 0.0 }.at_uv(uv)
    }

    /// The same at another place in the pictures.
    pub(super) fn at_uv(self, [u, v]: [f32; 2]) -> Self {
        Self { uv: [u, v], own_uv: [u / 2.0, v], ..self }
    }
}

/// Triangles that are seen counter-clockwise from outside.
#[derive(Clone, Debug, Default)]
pub(super) struct Surface {
    pub(super) vertices: Vec<Vertex>,
    pub(super) triangles: Vec<[u32; 3]>,
}

impl Surface {
    /// Rows of as many vertices each, in an order in which each turned from the row before is outside. Where a row
    /// meets in a point, only the vertices that triangles have are kept.
    pub(super) fn of_rows(rows: &[Vec<Vertex>]) -> Self {
        let width = rows.first().map_or(0, Vec::len);
        let mut surface = Self { vertices: rows.concat(), triangles: Vec::new() };
        let number = |row: usize, column: usize| u32::try_from(row * width + column).unwrap_or(u32::MAX);
        for row in 0..rows.len().saturating_sub(1) {
            for column in 0..width.saturating_sub(1) {
                let [a, b] = [number(row, column), number(row, column + 1)];
                let [c, d] = [number(row + 1, column), number(row + 1, column + 1)];
                surface.push([a, b, c]);
                surface.push([b, d, c]);
            }
        }
        surface.compact()
    }

    /// Adds a triangle that has an area.
    pub(super) fn push(&mut self, corners: [u32; 3]) {
        if let Some([a, b, c]) = self.places(corners)
            && length(cross(sub(b, a), sub(c, a))) > 1e-4
        {
            self.triangles.push(corners);
        }
    }

    fn places(&self, corners: [u32; 3]) -> Option<[Vector; 3]> {
        let at = |corner: u32| self.vertices.get(corner as usize).map(|vertex| vertex.at);
        let [a, b, c] = corners.map(at);
        Some([a?, b?, c?])
    }

    /// Adds another surface.
    pub(super) fn append(&mut self, other: &Self) {
        let first = u32::try_from(self.vertices.len()).unwrap_or(u32::MAX);
        self.vertices.extend_from_slice(&other.vertices);
        self.triangles.extend(other.triangles.iter().map(|corners| corners.map(|corner| corner + first)));
    }

    /// Adds a surface of the right side and its mirror image.
    pub(super) fn append_pair(&mut self, right: &Self, bones: &Bones) {
        self.append(right);
        let mut left = right.clone();
        for vertex in &mut left.vertices {
            vertex.at = mirrored(vertex.at);
            vertex.normal = mirrored(vertex.normal);
            vertex.own_uv[0] += 0.5;
            vertex.influences = vertex.influences.mirrored(bones);
        }
        left.triangles.iter_mut().for_each(|[_, b, c]| std::mem::swap(b, c));
        self.append(&left);
    }

    /// The surface without some triangles, and without the vertices that are left over.
    pub(super) fn without(self, is_hidden: impl Fn(&[Vertex; 3]) -> bool) -> Self {
        let mut places = vec![None; self.vertices.len()];
        let mut kept = Self::default();
        for corners in self.triangles {
            let vertices = corners.map(|corner| self.vertices.get(corner as usize).copied());
            let [Some(a), Some(b), Some(c)] = vertices else { continue };
            if is_hidden(&[a, b, c]) {
                continue;
            }
            let corners = corners.map(|corner| {
                let vertex = self.vertices.get(corner as usize);
                let (Some(place), Some(vertex)) = (places.get_mut(corner as usize), vertex) else { return 0 };
                *place.get_or_insert_with(|| {
                    kept.vertices.push(*vertex);
                    u32::try_from(kept.vertices.len() - 1).unwrap_or(u32::MAX)
                })
            });
            kept.triangles.push(corners);
        }
        kept
    }

    /// The surface without vertices that no triangle has.
    pub(super) fn compact(self) -> Self {
        self.without(|_| false)
    }

    /// Says for each vertex which bones move it.
    pub(super) fn hung_on(mut self, influences: impl Fn(Vector) -> Influences) -> Self {
        for vertex in &mut self.vertices {
            vertex.influences = influences(vertex.at);
        }
        self
    }

    /// Says for each vertex how much light reaches it.
    pub(super) fn lit(mut self, skin: &Field) -> Self {
        // Vertices that stand together lie together.
        for some in self.vertices.chunks_mut(24) {
            let middle =
                scale(some.iter().fold([0.0; 3], |sum, vertex| add(sum, vertex.at)), 1.0 / some.len() as f32);
            let reach = some.iter().map(|vertex| length(sub(vertex.at, middle))).fold(0.0, f32::max);
            let near = skin.around(middle, reach + HIGH, HIGH);
            for vertex in some {
                vertex.light = near.openness(vertex.at, vertex.normal);
            }
        }
        self
    }

    /// The directions in which the coordinates of the pictures grow, for each vertex.
    pub(super) fn tangents(&self) -> Vec<[Vector; 2]> {
        let mut sums = vec![[[0.0; 3]; 2]; self.vertices.len()];
        for corners in &self.triangles {
            let vertices = corners.map(|corner| self.vertices.get(corner as usize));
            let [Some(a), Some(b), Some(c)] = vertices else { continue };
            let [ab, ac] = [sub(b.at, a.at), sub(c.at, a.at)];
            let [du1, dv1] = [b.uv[0] - a.uv[0], b.uv[1] - a.uv[1]];
            let [du2, dv2] = [c.uv[0] - a.uv[0], c.uv[1] - a.uv[1]];
            let area = du1 * dv2 - du2 * dv1;
            if area.abs() < 1e-12 {
                continue;
            }
            let along_u = scale(sub(scale(ab, dv2), scale(ac, dv1)), 1.0 / area);
            let along_v = scale(sub(scale(ac, du1), scale(ab, du2)), 1.0 / area);
            for corner in corners {
                if let Some([u, v]) = sums.get_mut(*corner as usize) {
                    *u = add(*u, unit(along_u));
                    *v = add(*v, unit(along_v));
                }
            }
        }
        let square = |(vertex, sums): (&Vertex, [Vector; 2])| {
            sums.map(|sum| unit(sub(sum, scale(vertex.normal, dot(sum, vertex.normal)))))
        };
        self.vertices.iter().zip(sums).map(square).collect()
    }
}

/// A thin sheet: a surface over a square, and the same seen from behind.
pub(super) fn sheet(
    size: [usize; 2],
    island: Island,
    thickness: f32,
    place: impl Fn(f32, f32) -> Vector,
) -> Surface {
    const STEP: f32 = 0.02;
    let vertex = |row: usize, column: usize, side: f32| {
        let (s, t) = (row as f32 / size[0] as f32, column as f32 / size[1] as f32);
        let [s0, s1, t0, t1] = [s - STEP, s + STEP, t - STEP, t + STEP].map(|part| part.clamp(0.0, 1.0));
        // Where all columns meet, the direction across is that a little further on.
        let t_across = t.max(0.1);
        let across = sub(place(s1, t_across), place(s0, t_across));
        let normal = scale(unit(cross(sub(place(s, t1), place(s, t0)), across)), side);
        let rim = 4.0 * t.min(1.0 - t).min(0.25);
        let at = add(place(s, t), scale(normal, thickness * rim));
        Vertex::new(at, normal, island.place(s, t))
    };
    let rows = |side: f32| -> Vec<Vec<Vertex>> {
        (0..=size[0]).map(|row| (0..=size[1]).map(|column| vertex(row, column, side)).collect()).collect()
    };
    let mut both = Surface::of_rows(&rows(1.0));
    let mut behind = Surface::of_rows(&rows(-1.0));
    behind.triangles.iter_mut().for_each(|[_, b, c]| std::mem::swap(b, c));
    both.append(&behind);
    both
}
