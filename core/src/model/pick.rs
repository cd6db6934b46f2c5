//! What lies under a pointer.

use glam::{Affine3A, Vec3};

use super::geometry::{Geometry, corners};
use super::{Model, Vertex};
use crate::error::Result;
use crate::task::Task;

/// A line of sight in the space of the model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    /// Where it begins.
    pub start: Vec3,
    /// Where it goes, of any length.
    pub way: Vec3,
}

/// What a line of sight meets first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// The group, by its number in the mesh.
    pub group: usize,
    /// The corner of the triangle that is nearest, counted from the group's first vertex.
    pub vertex: u32,
    /// How far away it is, in lengths of the way.
    pub distance: f32,
}

impl Model {
    /// What a line of sight meets first among groups, moved by the matrices of [`Model::skin`].
    ///
    /// # Errors
    /// `Cancelled`.
    pub fn pick(&self, ray: Ray, groups: &[usize], skin: &[Affine3A], task: &Task) -> Result<Option<Hit>> {
        let Geometry { vertices, indices, groups: spans, .. } = &*self.geometry;
        let is_rest = skin.iter().all(|own| *own == Affine3A::IDENTITY);
        let mut nearest: Option<Hit> = None;
        for group in groups {
            task.check()?;
            let Some(span) = spans.get(*group) else { continue };
            let own = vertices.get(span.vertices()).unwrap_or_default();
            let moved: Vec<Vertex> = if is_rest {
                own.to_vec()
            } else {
                let moved = own.iter().map(|vertex| {
                    let [at, _] = Geometry::skinned(vertex, skin);
                    Vertex { position: at.into(), ..*vertex }
                });
                moved.collect()
            };
            for triangle in indices.get(span.indices()).unwrap_or_default().as_chunks::<3>().0 {
                let triangle = triangle.map(|corner| corner - span.first_vertex);
                let Some(places) = corners(&moved, triangle) else { continue };
                let Some((distance, shares)) = meet(ray, places) else { continue };
                if nearest.is_none_or(|nearest| distance < nearest.distance) {
                    let near = triangle.into_iter().zip(shares).max_by(|(_, a), (_, b)| a.total_cmp(b));
                    let vertex = near.map_or(0, |(corner, _)| corner);
                    nearest = Some(Hit { group: *group, vertex, distance });
                }
            }
        }
        Ok(nearest)
    }
}

/// Where a line meets a triangle, seen from either side: how far along it, and the shares of the corners
/// there. By Möller and Trumbore.
fn meet(ray: Ray, [a, b, c]: [Vec3; 3]) -> Option<(f32, [f32; 3])> {
    let (first, second) = (b - a, c - a);
    let across = ray.way.cross(second);
    let volume = first.dot(across);
    if volume == 0.0 || !volume.is_finite() {
        return None;
    }
    let from = ray.start - a;
    let u = from.dot(across) / volume;
    let other = from.cross(first);
    let v = ray.way.dot(other) / volume;
    let distance = second.dot(other) / volume;
    let is_inside = u >= 0.0 && v >= 0.0 && u + v <= 1.0 && distance > 0.0;
    is_inside.then_some((distance, [1.0 - u - v, u, v]))
}
