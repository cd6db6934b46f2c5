//! What is drawn of a group: the vertices that its triangles use, with directions of the length one, in
//! right-handed axes.

use glam::{Vec2, Vec3};

use super::Told;
use super::model::right_handed;
use crate::asset::Semantic;
use crate::model::{Geometry, Span, Vertex};

/// The triangles of a group.
#[derive(Debug, Default)]
pub(super) struct Surface {
    /// The vertices that triangles use, in the order of the file, in centimetres, X to the left. What is no
    /// number is none of them.
    pub(super) vertices: Vec<Vertex>,
    /// Three make a triangle; they count from the first of the vertices.
    pub(super) indices: Vec<u32>,
    /// Whether the vertices have tangents, each with its side.
    pub(super) has_tangents: bool,
}

/// How often something had to be said otherwise than in the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Repairs {
    /// Triangles that are left out.
    pub(super) triangles: u64,
    /// Triangles that are left out because their vertices have no positions at all.
    pub(super) placeless: u64,
    /// Normals and tangents without a direction.
    pub(super) directions: u64,
    /// Coordinates of textures that are no numbers.
    pub(super) uvs: u64,
    /// Vertices whose weights do not add up to 255.
    pub(super) weights: u64,
    /// Vertices that hang on no bone, or on one that is not there.
    pub(super) loose: u64,
    /// Bones that are nowhere.
    pub(super) bones: u64,
    /// Sockets without a bone or a place.
    pub(super) sockets: u64,
}

impl Repairs {
    pub(super) fn tell(&self, told: &mut Told) {
        let say = |list: &mut Vec<String>, count: u64, one: &str, many: &str, what: &str| {
            if count > 0 {
                list.push(format!("{count} {} {what}", if count == 1 { one } else { many }));
            }
        };
        let what = "left out, as they reach past their group or to a vertex that is nowhere";
        say(&mut told.missing, self.triangles, "triangle is", "triangles are", what);
        let what = "left out, as the format of their vertices has no position that can be read";
        say(&mut told.missing, self.placeless, "triangle is", "triangles are", what);
        let notes = &mut told.notes;
        let what = "without a direction replaced";
        say(notes, self.directions, "normal or tangent", "normals and tangents", what);
        say(notes, self.uvs, "vertex has", "vertices have", "texture coordinates that are no numbers: now 0");
        say(notes, self.weights, "vertex has", "vertices have", "weights that do not add up to 255: scaled");
        let what = "on no bone that is there: bound to the first one";
        say(notes, self.loose, "vertex hangs", "vertices hang", what);
        let what = "on no bone, or is nowhere: left out";
        say(notes, self.sockets, "socket hangs", "sockets hang", what);
        say(notes, self.bones, "bone is", "bones are", "nowhere: put where the bone above is");
    }
}

impl Surface {
    /// The triangles of a group; tangents where the file has both directions of its textures, and made of the
    /// triangles where that is wanted and it has none.
    pub(super) fn of(geometry: &Geometry, span: &Span, makes_tangents: bool, repairs: &mut Repairs) -> Self {
        let left_out =
            if span.has(Semantic::Position) { &mut repairs.triangles } else { &mut repairs.placeless };
        *left_out += u64::from(span.left_out);
        let own = geometry.vertices.get(span.vertices()).unwrap_or_default();
        let all = geometry.indices.get(span.indices()).unwrap_or_default();
        let mut numbers = vec![None; own.len()];
        let place = |corner: &u32| corner.checked_sub(span.first_vertex).map(|at| at as usize);
        for at in all.iter().filter_map(place) {
            if let Some(number) = numbers.get_mut(at) {
                *number = Some(0);
            }
        }
        let mut surface = Self::default();
        for (vertex, number) in own.iter().zip(&mut numbers) {
            if number.is_some() {
                // There are at most 8 million vertices.
                *number = u32::try_from(surface.vertices.len()).ok();
                surface.vertices.push(*vertex);
            }
        }
        let number = |at: usize| numbers.get(at).copied().flatten();
        surface.indices = all.iter().filter_map(place).filter_map(number).collect();
        for vertex in &mut surface.vertices {
            clean(vertex, span, repairs);
        }
        surface.has_tangents = span.has(Semantic::Tangent) && span.has(Semantic::Binormal);
        if surface.has_tangents {
            for vertex in &mut surface.vertices {
                let [x, y, z, side] = vertex.tangent;
                vertex.tangent = across(vertex, Vec3::new(x, y, z), side, repairs);
            }
        } else if makes_tangents && span.uv_sets > 0 {
            surface.make_tangents(repairs);
        }
        surface.turn_over();
        surface
    }

    /// Exchanges left and right. A mirror image of a triangle has its corners the other way round, and across
    /// the images of normal and tangent lies the opposite of the binormal's image.
    fn turn_over(&mut self) {
        for vertex in &mut self.vertices {
            let [x, y, z, side] = vertex.tangent;
            let [x, y, z] = right_handed([x, y, z]);
            vertex.tangent = [x, y, z, -side];
            vertex.position = right_handed(vertex.position);
            vertex.normal = right_handed(vertex.normal);
        }
        for [_, second, third] in self.indices.as_chunks_mut::<3>().0 {
            std::mem::swap(second, third);
        }
    }

    /// Lets tangents point where the first coordinate of the first set grows along the triangles.
    fn make_tangents(&mut self, repairs: &mut Repairs) {
        let mut sums = vec![[Vec3::ZERO; 2]; self.vertices.len()];
        for triangle in self.indices.as_chunks::<3>().0 {
            let corner = |at: u32| {
                let vertex = self.vertices.get(at as usize)?;
                Some((Vec3::from(vertex.position), Vec2::from(vertex.uvs[0])))
            };
            let [Some(a), Some(b), Some(c)] = triangle.map(corner) else { continue };
            let [first, second] = [b, c].map(|(at, _)| at - a.0);
            let [uv, other] = [b, c].map(|(_, uv)| uv - a.1);
            // Only the sense matters, so that larger triangles count for more.
            let turn = uv.perp_dot(other).signum();
            let grows = [first * other.y - second * uv.y, second * uv.x - first * other.x];
            for corner in triangle {
                for (sum, grows) in sums.get_mut(*corner as usize).into_iter().flatten().zip(grows) {
                    *sum += grows * turn;
                }
            }
        }
        for (vertex, [tangent, binormal]) in self.vertices.iter_mut().zip(sums) {
            let normal = Vec3::from(vertex.normal);
            let flat = tangent - normal * normal.dot(tangent);
            let side = if normal.cross(flat).dot(binormal) < 0.0 { -1.0 } else { 1.0 };
            vertex.tangent = across(vertex, flat, side, repairs);
        }
        self.has_tangents = true;
    }
}

/// Makes numbers of what is none, and gives the normal the length one.
fn clean(vertex: &mut Vertex, span: &Span, repairs: &mut Repairs) {
    let normal = Vec3::from(vertex.normal).try_normalize();
    repairs.directions += u64::from(normal.is_none());
    vertex.normal = normal.unwrap_or(Vec3::Y).into();
    let sets = vertex.uvs.iter_mut().take(span.uv_sets);
    let mut is_bad = false;
    for value in sets.flatten().filter(|value| !value.is_finite()) {
        *value = 0.0;
        is_bad = true;
    }
    repairs.uvs += u64::from(is_bad);
}

/// A tangent of the length one with its side; any across the normal where it has no direction.
fn across(vertex: &Vertex, tangent: Vec3, side: f32, repairs: &mut Repairs) -> [f32; 4] {
    let own = tangent.try_normalize();
    repairs.directions += u64::from(own.is_none());
    let own = own.unwrap_or_else(|| Vec3::from(vertex.normal).any_orthonormal_vector());
    own.extend(if side < 0.0 { -1.0 } else { 1.0 }).into()
}
