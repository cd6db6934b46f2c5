//! Vertices and triangles of a mesh, decoded by what its file declares.

use bytemuck::{Pod, Zeroable};
use glam::{Affine3A, Vec3};

use crate::asset::{FARTHEST, Group, Mesh, Semantic, Values, VertexFormat, Weights, name_order};
use crate::error::{Error, Result};
use crate::task::Task;

/// The most sets of coordinates that a vertex has; more were never seen.
pub const UV_SETS: usize = 4;

/// How many places of the order of names a vertex can hang on, a byte's worth, and one that moves nothing.
pub const PLACES: usize = 257;

/// The place that moves nothing, for bone indices that stand for no bone.
pub const NOWHERE: u16 = 256;

/// The most vertices, and as many triangles, that are decoded: some 900 MB.
const MOST: u64 = 8 << 20;

/// Whether something can be at a place: no more than 100 km away, see
/// [`Flaw::Position`](super::Flaw::Position).
pub fn is_somewhere(place: Vec3) -> bool {
    // What is no number is not less than anything.
    place.abs().cmple(Vec3::splat(FARTHEST)).all()
}

/// A vertex, whatever its file stores.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct Vertex {
    /// Where it rests, in centimetres.
    pub position: [f32; 3],
    /// Where its surface faces; made of the triangles where the file has none.
    pub normal: [f32; 3],
    /// Where the first coordinate grows, and 1 or -1 for the side of normal × tangent on which the second one
    /// does; zeros where the file has none.
    pub tangent: [f32; 4],
    /// Sets of coordinates, the second one growing downwards; zeros for those that the file does not have.
    pub uvs: [[f32; 2]; UV_SETS],
    /// A colour, white where the file has none.
    pub colour: [u8; 4],
    /// How much each of the four places moves it, in parts of 255.
    pub weights: [u8; 4],
    /// The places in the order of names of the mesh that it hangs on.
    pub places: [u16; 4],
}

/// The vertices and triangles of all groups, group by group.
#[derive(Clone, Debug, Default)]
pub struct Geometry {
    /// The vertices.
    pub vertices: Vec<Vertex>,
    /// Three make a triangle that is seen counter-clockwise from outside; they count from the first vertex of
    /// all.
    pub indices: Vec<u32>,
    /// The groups, by their numbers in the mesh.
    pub groups: Vec<Span>,
    /// The corners of a box around all vertices at rest that are somewhere.
    pub bounds: Option<[Vec3; 2]>,
}

/// Where a group lies, and what its vertices have.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Span {
    /// The first vertex.
    pub first_vertex: u32,
    /// Vertices.
    pub vertex_count: u32,
    /// The first index.
    pub first_index: u32,
    /// Indices; those of triangles that reach past the group or to a vertex that is nowhere are left out.
    pub index_count: u32,
    /// How many triangles are left out.
    pub left_out: u32,
    /// How many sets of coordinates there are.
    pub uv_sets: usize,
    /// What the file has of its vertices; weights only where it has bone indices as well.
    pub semantics: Vec<Semantic>,
    /// The corners of a box around it, see [`Geometry::bounds`].
    pub bounds: Option<[Vec3; 2]>,
}

impl Span {
    /// Whether the file has something of the vertices.
    pub fn has(&self, semantic: Semantic) -> bool {
        self.semantics.contains(&semantic)
    }

    /// The vertices, by their numbers.
    pub fn vertices(&self) -> std::ops::Range<usize> {
        self.first_vertex as usize..(self.first_vertex + self.vertex_count) as usize
    }

    /// The indices, by their numbers.
    pub fn indices(&self) -> std::ops::Range<usize> {
        self.first_index as usize..(self.first_index + self.index_count) as usize
    }
}

impl Geometry {
    /// Decodes all groups of a mesh.
    ///
    /// # Errors
    /// `Limit` when there are more than 8 million vertices or triangles; `Cancelled`.
    pub fn of(mesh: &Mesh, task: &Task) -> Result<Self> {
        let (vertices, triangles) = (mesh.vertex_count(), mesh.triangle_count());
        if vertices.max(triangles) > MOST {
            let text =
                format!("{vertices} vertices and {triangles} triangles, at most {MOST} of each are drawn");
            return Err(Error::limit(text));
        }
        let bone_count = name_order(&mesh.bones).len().min(PLACES - 1);
        let mut geometry = Self::default();
        for group in &mesh.groups {
            task.check()?;
            let format = mesh.formats.get(group.format as usize);
            let span = match format {
                Some(format) => geometry.add(group, format, bone_count),
                None => Span::default(),
            };
            geometry.bounds = union(geometry.bounds, span.bounds);
            geometry.groups.push(span);
        }
        Ok(geometry)
    }

    fn add(&mut self, group: &Group, format: &VertexFormat, bone_count: usize) -> Span {
        let count = |len: usize| u32::try_from(len).unwrap_or(u32::MAX);
        let source = Source::of(group, format, bone_count);
        let mut span = Span {
            first_vertex: count(self.vertices.len()),
            first_index: count(self.indices.len()),
            uv_sets: source.uvs.iter().take_while(|uv| uv.is_some()).count(),
            semantics: source.semantics(),
            ..Span::default()
        };
        if source.position.is_none() {
            // Without places nothing can be drawn.
            span.left_out = count(group.triangles().len());
            return span;
        }
        span.vertex_count = group.vertex_count;
        self.vertices.extend((0..group.vertex_count).map(|vertex| source.vertex(vertex)));
        for triangle in group.triangles() {
            let corners = triangle.map(|index| span.first_vertex + u32::from(index));
            let is_drawn = triangle.iter().zip(corners).all(|(index, corner)| {
                let vertex = self.vertices.get(corner as usize);
                u32::from(*index) < span.vertex_count
                    && vertex.is_some_and(|vertex| is_somewhere(vertex.position.into()))
            });
            if is_drawn {
                self.indices.extend(corners);
            } else {
                span.left_out += 1;
            }
        }
        span.index_count = count(self.indices.len()) - span.first_index;
        if !span.has(Semantic::Normal) {
            self.make_normals(&span);
        }
        let places = self.vertices.get(span.vertices()).unwrap_or_default().iter();
        span.bounds = places.fold(None, |bounds, vertex| {
            let at = Vec3::from(vertex.position);
            union(bounds, is_somewhere(at).then_some([at, at]))
        });
        span
    }

    /// Lets vertices face where their triangles do, larger ones counting for more.
    fn make_normals(&mut self, span: &Span) {
        let Some(indices) = self.indices.get(span.indices()) else { return };
        for triangle in indices.as_chunks::<3>().0 {
            let Some([a, b, c]) = corners(&self.vertices, *triangle) else { continue };
            let facing = (b - a).cross(c - a);
            for corner in triangle {
                if let Some(vertex) = self.vertices.get_mut(*corner as usize) {
                    vertex.normal = (Vec3::from(vertex.normal) + facing).into();
                }
            }
        }
        for vertex in self.vertices.get_mut(span.vertices()).unwrap_or_default() {
            vertex.normal = Vec3::from(vertex.normal).normalize_or(Vec3::Y).into();
        }
    }

    /// Where a vertex is, and where its surface faces, moved by the matrices of the places; the reference for
    /// what the graphics card does.
    pub fn skinned(vertex: &Vertex, skin: &[Affine3A]) -> [Vec3; 2] {
        let (at, facing) = (Vec3::from(vertex.position), Vec3::from(vertex.normal));
        if vertex.weights == [0; 4] {
            return [at, facing];
        }
        let mut moved = [Vec3::ZERO; 2];
        for (place, weight) in vertex.places.iter().zip(vertex.weights) {
            let of_place = skin.get(usize::from(*place)).copied().unwrap_or_default();
            let weight = f32::from(weight) / 255.0;
            moved[0] += of_place.transform_point3(at) * weight;
            moved[1] += of_place.transform_vector3(facing) * weight;
        }
        [moved[0], moved[1].normalize_or(facing)]
    }
}

/// Where the corners of a triangle are.
pub(super) fn corners(vertices: &[Vertex], triangle: [u32; 3]) -> Option<[Vec3; 3]> {
    let at = |corner: u32| Some(Vec3::from(vertices.get(corner as usize)?.position));
    Some([at(triangle[0])?, at(triangle[1])?, at(triangle[2])?])
}

/// A box around two.
pub(super) fn union(one: Option<[Vec3; 2]>, other: Option<[Vec3; 2]>) -> Option<[Vec3; 2]> {
    match (one, other) {
        (Some([low, high]), Some([lower, higher])) => Some([low.min(lower), high.max(higher)]),
        (one, other) => one.or(other),
    }
}

/// The attributes of a group.
struct Source<'a> {
    position: Option<Values<'a>>,
    normal: Option<Values<'a>>,
    tangent: Option<Values<'a>>,
    binormal: Option<Values<'a>>,
    uvs: [Option<Values<'a>>; UV_SETS],
    colour: Option<Values<'a>>,
    weights: Option<Values<'a>>,
    indices: Option<Values<'a>>,
    palette: &'a [u8],
    bone_count: usize,
}

impl<'a> Source<'a> {
    fn of(group: &'a Group, format: &'a VertexFormat, bone_count: usize) -> Self {
        let values = |semantic, channel| group.values(format, semantic, channel);
        Self {
            position: values(Semantic::Position, 0),
            normal: values(Semantic::Normal, 0),
            tangent: values(Semantic::Tangent, 0),
            binormal: values(Semantic::Binormal, 0),
            uvs: [0, 1, 2, 3].map(|channel| values(Semantic::Uv, channel)),
            colour: values(Semantic::Colour, 0),
            weights: values(Semantic::Weights, 0),
            indices: values(Semantic::BoneIndices, 0),
            palette: &group.palette,
            bone_count,
        }
    }

    fn semantics(&self) -> Vec<Semantic> {
        let weights = self.weights.as_ref().filter(|_| self.indices.is_some());
        let known = [
            (Semantic::Position, &self.position),
            (Semantic::Normal, &self.normal),
            (Semantic::Tangent, &self.tangent),
            (Semantic::Binormal, &self.binormal),
            (Semantic::Uv, &self.uvs[0]),
            (Semantic::Colour, &self.colour),
            (Semantic::Weights, &weights.copied()),
        ];
        known.into_iter().filter(|(_, values)| values.is_some()).map(|(semantic, _)| semantic).collect()
    }

    fn vertex(&self, at: u32) -> Vertex {
        let three = |values: &Option<Values<'_>>| {
            let [x, y, z, _] = values.as_ref()?.get(at)?;
            Some(Vec3::new(x, y, z))
        };
        let bytes = |values: &Option<Values<'_>>| values.as_ref()?.quad(at);
        let normal = three(&self.normal).unwrap_or_default();
        let tangent = three(&self.tangent).unwrap_or_default();
        let side = match three(&self.binormal) {
            Some(binormal) if normal.cross(tangent).dot(binormal) < 0.0 => -1.0,
            _ => 1.0,
        };
        let uv = |values: &Option<Values<'_>>| {
            let value = values.as_ref().and_then(|values| values.get(at));
            value.map_or([0.0; 2], |[u, v, ..]| [u, v])
        };
        let indices = bytes(&self.indices).unwrap_or_default();
        Vertex {
            // A place that the bytes end before is nowhere.
            position: three(&self.position).unwrap_or(Vec3::NAN).into(),
            normal: normal.into(),
            tangent: if self.tangent.is_some() { tangent.extend(side).into() } else { [0.0; 4] },
            uvs: self.uvs.each_ref().map(uv),
            colour: bytes(&self.colour).unwrap_or([255; 4]),
            weights: match (bytes(&self.weights), &self.indices) {
                (Some(weights), Some(_)) => Weights(weights).of_slots(),
                _ => [0; 4],
            },
            places: indices.map(|index| self.place(index)),
        }
    }

    /// The place that an index into the palette stands for.
    fn place(&self, index: u8) -> u16 {
        let place = self.palette.get(usize::from(index)).copied();
        place.filter(|place| usize::from(*place) < self.bone_count).map_or(NOWHERE, u16::from)
    }
}
