//! Meshes: groups of triangles whose vertices lie as the file declares, and what is drawn at which distance.

use std::collections::HashSet;
use std::ops::Range;

use bytes::Bytes;
use half::f16;

use super::skeleton::Bone;

/// A mesh as one file carries it.
#[derive(Clone, Debug, PartialEq)]
pub struct Mesh {
    /// The objects, by the hashes that the file names them by.
    pub objects: Vec<u32>,
    /// What can be drawn: an object at a level of detail.
    pub records: Vec<ObjectRecord>,
    /// What is drawn from which distance on; those of the shadow after those that are seen, each from the
    /// farthest to the nearest.
    pub lods: Vec<Lod>,
    /// The buffers, each with groups of its own.
    pub arenas: Vec<Arena>,
    /// The groups of all arenas, arena by arena.
    pub groups: Vec<Group>,
    /// How vertices lie.
    pub formats: Vec<VertexFormat>,
    /// The bones in the order of their records, parents first, in the space of the mesh.
    pub bones: Vec<Bone>,
    /// Distance from which on nothing is drawn, in units of the game, which are centimetres.
    pub cull_distance: f32,
    /// The centre of the sphere around everything.
    pub centre: [f32; 3],
    /// Its radius.
    pub radius: f32,
}

impl Mesh {
    /// The groups of an arena.
    pub fn groups_of(&self, arena: usize) -> &[Group] {
        let range = self.arenas.get(arena).map_or(0..0, |arena| arena.groups.clone());
        self.groups.get(range).unwrap_or_default()
    }

    /// Triangles of all groups.
    pub fn triangle_count(&self) -> u64 {
        self.groups.iter().map(|group| group.index_count() as u64 / 3).sum()
    }

    /// The levels of detail that are seen, or those of the shadow, from the nearest to the farthest.
    pub fn levels(&self, is_shadow: bool) -> Vec<&Lod> {
        let mut levels: Vec<_> = self.lods.iter().filter(|lod| lod.is_shadow == is_shadow).collect();
        levels.sort_by(|a, b| a.distance.total_cmp(&b.distance));
        levels
    }

    /// The level that is drawn at a distance; the nearest one where it is nearer than all, and `None` where
    /// nothing is drawn any more.
    pub fn level_at(&self, distance: f32, is_shadow: bool) -> Option<usize> {
        if distance >= self.cull_distance {
            return None;
        }
        let levels = self.levels(is_shadow);
        Some(levels.iter().rposition(|lod| lod.distance <= distance).unwrap_or(0))
    }

    /// The object records of a level, each once. Where the file lists none it is the finest record of each
    /// object.
    pub fn records_at(&self, level: usize, is_shadow: bool) -> Vec<u32> {
        let levels = self.levels(is_shadow);
        if levels.is_empty() && !is_shadow {
            let mut seen = HashSet::new();
            let finest = (0u32..)
                .zip(&self.records)
                .filter(|(_, record)| record.arena.is_some() && seen.insert(record.object));
            return finest.map(|(at, _)| at).collect();
        }
        let mut records: Vec<u32> = levels.get(level).map(|lod| lod.records.clone()).unwrap_or_default();
        records.sort_unstable();
        records.dedup();
        records
    }

    /// The groups that an object record draws, by their numbers.
    pub fn groups_of_record(&self, record: u32) -> std::ops::Range<usize> {
        let arena = self.records.get(record as usize).and_then(|record| record.arena);
        let arena = arena.and_then(|arena| self.arenas.get(arena as usize));
        arena.map_or(0..0, |arena| arena.groups.clone())
    }

    /// Vertices of all groups.
    pub fn vertex_count(&self) -> u64 {
        self.groups.iter().map(|group| u64::from(group.vertex_count)).sum()
    }
}

/// An object at a level of detail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ObjectRecord {
    /// The number of the object.
    pub object: u32,
    /// The arena that is drawn; `None` for nothing.
    pub arena: Option<u32>,
    /// The slot of its material.
    pub material: i32,
    /// Bit 0: it may be seen; bit 1: it may cast a shadow.
    pub flags: u32,
}

impl ObjectRecord {
    /// Whether it may be seen.
    pub const fn is_visible(&self) -> bool {
        self.flags & 1 != 0
    }

    /// Whether it may cast a shadow.
    pub const fn casts_shadow(&self) -> bool {
        self.flags & 2 != 0
    }
}

/// What is drawn from a distance on, up to the next larger one.
#[derive(Clone, Debug, PartialEq)]
pub struct Lod {
    /// The distance, in units of the game.
    pub distance: f32,
    /// Whether it is about shadows.
    pub is_shadow: bool,
    /// The numbers of the object records.
    pub records: Vec<u32>,
}

/// A buffer of vertices and triangles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arena {
    /// The groups in it, by their numbers.
    pub groups: Range<usize>,
    /// How many triangles are drawn at sixteen steps of detail; the same number in all files that were seen.
    pub triangles: [u16; 16],
}

/// Triangles that share a format of vertices and a palette of bones.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// The number of the arena.
    pub arena: u32,
    /// The number of the format.
    pub format: u32,
    /// Vertices.
    pub vertex_count: u32,
    /// The vertices, stream by stream.
    pub streams: Vec<Stream>,
    /// First byte of the indices in the file.
    pub index_offset: u64,
    /// The indices, two bytes each, counted from the group's own first vertex; three make a triangle that is
    /// seen counter-clockwise from outside.
    pub indices: Bytes,
    /// First byte of the palette in the file.
    pub palette_offset: u64,
    /// What bone indices of vertices stand for: places in the order of names, see
    /// [`name_order`](super::name_order).
    pub palette: Bytes,
    /// Two numbers that nobody has explained.
    pub unknown: [f32; 2],
}

/// A part of every vertex of a group, vertex by vertex.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stream {
    /// First byte in the file.
    pub offset: u64,
    /// Bytes of a vertex.
    pub stride: u32,
    /// The bytes.
    pub data: Bytes,
}

/// How the vertices of a group lie.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VertexFormat {
    /// The attributes, in the order of the file.
    pub attributes: Vec<Attribute>,
    /// Bytes of a vertex in each stream. `None` where it is not known, because it has attributes of an unknown
    /// type.
    pub strides: Vec<Option<u32>>,
}

/// One attribute of a vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attribute {
    /// The stream that it lies in.
    pub stream: u8,
    /// Bytes from the start of the vertex in its stream; `None` behind an attribute of an unknown type.
    pub offset: Option<u32>,
    /// What it is made of.
    pub layout: AttributeLayout,
    /// What it means.
    pub semantic: Semantic,
    /// Which one of several with that meaning.
    pub channel: u8,
}

/// What an attribute is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AttributeLayout {
    /// Two floats.
    F32x2,
    /// Three floats.
    F32x3,
    /// Four floats.
    F32x4,
    /// Four bytes.
    U8x4,
    /// Two signed numbers, from -1 to 1.
    I16x2,
    /// Four half floats.
    F16x4,
    /// Nobody knows.
    Unknown(u8),
}

impl AttributeLayout {
    /// Bytes; `None` where nobody knows.
    pub const fn size(self) -> Option<u32> {
        Some(match self {
            Self::U8x4 | Self::I16x2 => 4,
            Self::F32x2 | Self::F16x4 => 8,
            Self::F32x3 => 12,
            Self::F32x4 => 16,
            Self::Unknown(_) => return None,
        })
    }
}

/// What an attribute means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Semantic {
    /// A place, in centimetres.
    Position,
    /// The direction that the surface faces.
    Normal,
    /// The direction in which the first coordinate of the texture grows.
    Tangent,
    /// The direction in which the second one grows.
    Binormal,
    /// A place in a texture, the second coordinate growing downwards.
    Uv,
    /// A colour.
    Colour,
    /// How much each of four bones moves the vertex, in parts of 255; see [`Weights`].
    Weights,
    /// Which bones, as places in the palette of the group.
    BoneIndices,
    /// Nobody knows.
    Unknown(u8),
}

impl Semantic {
    /// The name in one word.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Position => "position",
            Self::Normal => "normal",
            Self::Tangent => "tangent",
            Self::Binormal => "binormal",
            Self::Uv => "uv",
            Self::Colour => "colour",
            Self::Weights => "weights",
            Self::BoneIndices => "bone_indices",
            Self::Unknown(_) => "unknown",
        }
    }
}

/// The values of one attribute of a group.
#[derive(Clone, Copy, Debug)]
pub struct Values<'a> {
    data: &'a [u8],
    stride: usize,
    offset: usize,
    layout: AttributeLayout,
    first: u64,
}

impl<'a> Values<'a> {
    /// What each value is made of.
    pub const fn layout(&self) -> AttributeLayout {
        self.layout
    }

    /// How many vertices there are bytes of.
    pub fn count(&self) -> u32 {
        u32::try_from(self.data.len().checked_div(self.stride).unwrap_or(0)).unwrap_or(u32::MAX)
    }

    /// The values of all vertices, see [`get`](Self::get).
    pub fn iter(self) -> impl Iterator<Item = [f32; 4]> + 'a {
        (0..self.count()).map_while(move |vertex| self.get(vertex))
    }

    /// The four bytes of a vertex; `None` where it is made of something else.
    pub fn quad(&self, vertex: u32) -> Option<[u8; 4]> {
        let bytes = self.bytes(vertex).filter(|_| self.layout == AttributeLayout::U8x4)?;
        bytes.first_chunk().copied()
    }

    /// The value of a vertex: as many numbers as it has, and zeros. Bytes are numbers up to 255.
    pub fn get(&self, vertex: u32) -> Option<[f32; 4]> {
        let bytes = self.bytes(vertex)?;
        let mut value = [0.0; 4];
        let (words, _) = bytes.as_chunks::<4>();
        let (halves, _) = bytes.as_chunks::<2>();
        match self.layout {
            AttributeLayout::F32x2 | AttributeLayout::F32x3 | AttributeLayout::F32x4 => {
                value.iter_mut().zip(words).for_each(|(value, word)| *value = f32::from_le_bytes(*word));
            }
            AttributeLayout::U8x4 => {
                value.iter_mut().zip(bytes).for_each(|(value, byte)| *value = f32::from(*byte));
            }
            AttributeLayout::I16x2 => value
                .iter_mut()
                .zip(halves)
                .for_each(|(value, half)| *value = f32::from(i16::from_le_bytes(*half)) / 32767.0),
            AttributeLayout::F16x4 => {
                value
                    .iter_mut()
                    .zip(halves)
                    .for_each(|(value, half)| *value = f16::from_le_bytes(*half).to_f32());
            }
            AttributeLayout::Unknown(_) => return None,
        }
        Some(value)
    }

    /// The stored bytes of a vertex.
    pub fn bytes(&self, vertex: u32) -> Option<&[u8]> {
        let size = self.layout.size()? as usize;
        let at = (vertex as usize).checked_mul(self.stride)?.checked_add(self.offset)?;
        self.data.get(at..at.checked_add(size)?)
    }

    /// Where the bytes of a vertex stand in the file.
    pub fn range(&self, vertex: u32) -> Option<Range<u64>> {
        let start = self.first + u64::from(vertex) * self.stride as u64 + self.offset as u64;
        Some(start..start + u64::from(self.layout.size()?))
    }
}

impl Group {
    /// The values of an attribute; `None` where the format has none, or nobody knows where it lies or what it is
    /// made of.
    pub fn values(&self, format: &VertexFormat, semantic: Semantic, channel: u8) -> Option<Values<'_>> {
        let is_meant = |of: &&Attribute| of.semantic == semantic && of.channel == channel;
        self.values_of(format.attributes.iter().find(is_meant)?)
    }

    /// The values of an attribute of the group's own format; `None` where nobody knows where it lies.
    pub fn values_of(&self, attribute: &Attribute) -> Option<Values<'_>> {
        let stream = self.streams.get(usize::from(attribute.stream))?;
        let offset = attribute.offset?;
        let is_inside = offset.checked_add(attribute.layout.size()?)? <= stream.stride;
        is_inside.then_some(Values {
            data: &stream.data,
            stride: stream.stride as usize,
            offset: offset as usize,
            layout: attribute.layout,
            first: stream.offset,
        })
    }

    /// How many indices there are.
    pub fn index_count(&self) -> usize {
        self.indices.len() / 2
    }

    /// The index at a place.
    pub fn index(&self, at: usize) -> Option<u16> {
        let start = at.checked_mul(2)?;
        self.indices.get(start..start.checked_add(2)?)?.first_chunk().map(|bytes| u16::from_le_bytes(*bytes))
    }

    /// Where an index stands in the file.
    pub fn index_range(&self, at: usize) -> Range<u64> {
        let start = self.index_offset + 2 * at as u64;
        start..start + 2
    }

    /// The places of indices that stand for no vertex of the group.
    pub fn indices_beyond(&self) -> impl Iterator<Item = usize> + '_ {
        let indices = self.indices.as_chunks::<2>().0.iter().map(|index| u16::from_le_bytes(*index));
        let is_beyond = |index: u16| u32::from(index) >= self.vertex_count;
        indices.enumerate().filter(move |(_, index)| is_beyond(*index)).map(|(at, _)| at)
    }

    /// Where a place of the palette stands in the file.
    pub fn palette_range(&self, at: usize) -> Range<u64> {
        let start = self.palette_offset + at as u64;
        start..start + 1
    }

    /// The places of the palette that stand for none of so many bones.
    pub fn palette_beyond(&self, bones: usize) -> impl Iterator<Item = usize> + '_ {
        let places = self.palette.iter().enumerate();
        places.filter(move |(_, bone)| usize::from(**bone) >= bones).map(|(at, _)| at)
    }

    /// The vertices whose weights do not add up to [`Weights::WHOLE`].
    pub fn weights_off<'a>(&'a self, format: &VertexFormat) -> impl Iterator<Item = (u32, Weights)> + 'a {
        let values = self.values(format, Semantic::Weights, 0);
        let of = move |vertex| Some((vertex, Weights(values?.quad(vertex)?)));
        let all = (0..values.map_or(0, |values| values.count())).filter_map(of);
        all.filter(|(_, weights)| weights.sum() != Weights::WHOLE)
    }

    /// The triangles, as indices of their corners.
    pub fn triangles(&self) -> impl ExactSizeIterator<Item = [u16; 3]> + '_ {
        self.indices
            .as_chunks::<6>()
            .0
            .iter()
            .map(|[a, b, c, d, e, f]| [[*a, *b], [*c, *d], [*e, *f]].map(u16::from_le_bytes))
    }
}

/// The weights of a vertex as the file stores them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weights(pub [u8; 4]);

impl Weights {
    /// What the weights of a vertex add up to in all files that were seen.
    pub const WHOLE: u16 = 255;

    /// The weight of each of the four bone indices: stored are those of the third, the second, the first and
    /// the fourth.
    pub const fn of_slots(self) -> [u8; 4] {
        let [third, second, first, fourth] = self.0;
        [first, second, third, fourth]
    }

    /// The sum.
    pub fn sum(self) -> u16 {
        self.0.iter().map(|weight| u16::from(*weight)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mesh(lods: &[(f32, bool, &[u32])]) -> Mesh {
        let record = |object, arena| ObjectRecord { object, arena, material: 0, flags: 3 };
        Mesh {
            objects: vec![1, 2],
            records: vec![record(0, Some(0)), record(0, Some(1)), record(1, None), record(1, Some(1))],
            lods: lods
                .iter()
                .map(|(distance, is_shadow, records)| Lod {
                    distance: *distance,
                    is_shadow: *is_shadow,
                    records: records.to_vec(),
                })
                .collect(),
            arenas: [0..1, 1..3].map(|groups| Arena { groups, triangles: [0; 16] }).to_vec(),
            groups: Vec::new(),
            formats: Vec::new(),
            bones: Vec::new(),
            cull_distance: 9000.0,
            centre: [0.0; 3],
            radius: 1.0,
        }
    }

    #[test]
    fn a_level_is_drawn_from_its_distance_up_to_the_next_one() {
        let mesh = mesh(&[
            (6500.0, false, &[1, 3]),
            (500.0, false, &[0, 3, 0]),
            (0.0, false, &[0]),
            (0.0, true, &[3]),
        ]);
        let at = [0.0, 499.0, 500.0, 6499.0, 6500.0, 8999.0].map(|distance| mesh.level_at(distance, false));
        assert_eq!(at, [0, 0, 1, 1, 2, 2].map(Some));
        assert_eq!(mesh.level_at(9000.0, false), None, "culled");
        assert_eq!(mesh.records_at(1, false), [0, 3]);
        assert_eq!(mesh.records_at(0, true), [3]);
        assert_eq!(mesh.groups_of_record(3), 1..3);
        assert_eq!(mesh.groups_of_record(2), 0..0);
    }

    #[test]
    fn without_lists_the_finest_record_of_each_object_is_drawn() {
        let mesh = mesh(&[]);
        assert_eq!(mesh.records_at(0, false), [0, 3]);
        assert!(mesh.records_at(0, true).is_empty());
    }
}
