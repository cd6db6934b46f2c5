//! Writing meshes as the shipped ones are written.

use super::{
    ArenaRow, AttributeRow, BONES_ID, BUFFERS_ID, BoneRow, DESCRIPTOR_ID, Descriptor, FORMATS_ID, GroupRow,
    LODS_ID, RecordRow, SIZES_ID, SizesHeader, VERSION, vertices,
};
use crate::asset::{
    Arena, Attribute, AttributeLayout, Bone, Group, Lod, Mesh, ObjectRecord, Semantic, VertexFormat,
};
use crate::error::{Error, Result};
use crate::parse::{Bits, Hash, Record as _, Writer};

/// Writes a mesh.
///
/// # Errors
/// `Limit` when a count or a size does not fit its field.
pub fn write(mesh: &Mesh) -> Result<Vec<u8>> {
    let arenas = arena_rows(mesh)?;
    let (sizes, descriptor) = (sizes(mesh, &arenas)?, descriptor(mesh, &arenas)?);
    let buffers = buffers(mesh);
    let mut w = Writer::new();
    w.bytes(b"MMSH").value(VERSION);
    w.value(number(sizes.len())?).value(number(descriptor.len())?).value(number(buffers.len())?);
    w.bytes(&sizes).bytes(&descriptor).bytes(&buffers);
    Ok(w.finish())
}

fn sizes(mesh: &Mesh, arenas: &[ArenaRow]) -> Result<Vec<u8>> {
    let mut w = Writer::new();
    w.record(&SizesHeader {
        id: Hash(SIZES_ID),
        record_count: number(mesh.records.len())?,
        arena_count: number(arenas.len())?,
    });
    for record in &mesh.records {
        w.value(record.flags);
    }
    for record in &mesh.records {
        w.value(arena_of(record));
    }
    for of in [
        |arena: &ArenaRow| arena.vertex_bytes,
        |arena: &ArenaRow| arena.index_bytes,
        |arena: &ArenaRow| arena.palette_bytes,
    ] {
        for arena in arenas {
            w.value(of(arena));
        }
    }
    Ok(w.finish())
}

fn descriptor(mesh: &Mesh, arenas: &[ArenaRow]) -> Result<Vec<u8>> {
    let lods = |is_shadow: bool| mesh.lods.iter().filter(move |lod| lod.is_shadow == is_shadow);
    let all = || lods(false).chain(lods(true));
    let bone_count = number(mesh.bones.len())?;
    let mut w = Writer::new();
    w.record(&Descriptor {
        id: Hash(DESCRIPTOR_ID),
        object_count: number(mesh.objects.len())?,
        record_count: number(mesh.records.len())?,
        arena_count: number(arenas.len())?,
        group_count: number(mesh.groups.len())?,
        largest_group_count: arenas.iter().map(|arena| arena.group_count).max().unwrap_or(0),
        lod_word_count: number(all().map(|lod| lod.records.len()).sum())?,
        mesh_lod_count: number(lods(false).count())?,
        shadow_lod_count: number(lods(true).count())?,
        format_count: number(mesh.formats.len())?,
        attribute_count: number(mesh.formats.iter().map(|format| format.attributes.len()).sum())?,
        cull_distance: mesh.cull_distance,
        centre: mesh.centre,
        radius: mesh.radius,
        bone_count,
        bone_bytes: bone_count.saturating_mul(number(BoneRow::LAYOUT.size)?),
    });
    for object in &mesh.objects {
        w.value(Hash(*object));
    }
    for record in &mesh.records {
        let ObjectRecord { object, material, flags, .. } = *record;
        w.record(&RecordRow { object, arena: arena_of(record), material, flags: Bits(flags) });
    }
    for arena in arenas {
        w.record(arena);
    }
    for row in group_rows(mesh)? {
        w.record(&row);
    }
    w.value(Hash(LODS_ID));
    for record in all().flat_map(|lod| &lod.records) {
        w.value(*record);
    }
    for lod in all() {
        w.value(lod.distance);
    }
    for lod in all() {
        w.value(number(lod.records.len())?);
    }
    w.value(Hash(FORMATS_ID));
    for format in &mesh.formats {
        w.value(number(format.attributes.len())?);
        for attribute in &format.attributes {
            w.record(&attribute_row(attribute));
        }
    }
    w.value(Hash(BONES_ID));
    for bone in &mesh.bones {
        w.record(&bone_row(bone)?);
    }
    Ok(w.finish())
}

fn buffers(mesh: &Mesh) -> Vec<u8> {
    let mut w = Writer::new();
    w.value(Hash(BUFFERS_ID));
    for stream in mesh.groups.iter().flat_map(|group| &group.streams) {
        w.bytes(&stream.data);
    }
    for group in &mesh.groups {
        w.bytes(&group.indices);
    }
    for group in &mesh.groups {
        w.bytes(&group.palette);
    }
    w.finish()
}

/// Bytes of the vertices of a group.
fn vertex_bytes(group: &Group) -> usize {
    group.streams.iter().map(|stream| stream.data.len()).sum()
}

fn arena_rows(mesh: &Mesh) -> Result<Vec<ArenaRow>> {
    let row = |(at, arena): (usize, &Arena)| {
        let groups = mesh.groups_of(at);
        let sum = |of: fn(&Group) -> usize| number(groups.iter().map(of).sum());
        Ok(ArenaRow {
            vertex_bytes: sum(vertex_bytes)?,
            index_bytes: sum(|group| group.indices.len())?,
            palette_bytes: sum(|group| group.palette.len())?,
            group_count: number(groups.len())?,
            triangles: arena.triangles,
        })
    };
    mesh.arenas.iter().enumerate().map(row).collect()
}

/// The groups, whose places count from the start of their arena.
fn group_rows(mesh: &Mesh) -> Result<Vec<GroupRow>> {
    let mut rows = Vec::new();
    for at in 0..mesh.arenas.len() {
        let [mut bytes, mut vertices, mut indices, mut palette] = [0usize; 4];
        for group in mesh.groups_of(at) {
            rows.push(GroupRow {
                vertex_offset: number(bytes)?,
                first_vertex: number(vertices)?,
                vertex_count: group.vertex_count,
                first_index: number(indices)?,
                index_count: number(group.index_count())?,
                palette_start: number(palette)?,
                palette_count: number(group.palette.len())?,
                unknown_1c: group.unknown[0],
                unknown_20: group.unknown[1],
                format: group.format,
            });
            bytes += vertex_bytes(group);
            vertices += group.vertex_count as usize;
            indices += group.index_count();
            palette += group.palette.len();
        }
    }
    Ok(rows)
}

fn attribute_row(attribute: &Attribute) -> AttributeRow {
    AttributeRow {
        stream: attribute.stream,
        layout: vertices::number_of_layout(attribute.layout),
        semantic: vertices::number_of_semantic(attribute.semantic),
        channel: attribute.channel,
    }
}

fn bone_row(bone: &Bone) -> Result<BoneRow> {
    let parent = match bone.parent {
        Some(parent) => i16::try_from(parent).ok().ok_or_else(|| too_large(parent as usize))?,
        None => -1,
    };
    let child_count = u16::try_from(bone.children).ok().ok_or_else(|| too_large(bone.children as usize))?;
    let Bone { hash, position, rotation, scale, .. } = *bone;
    Ok(BoneRow { name: Hash(hash), parent, child_count, position, rotation, scale })
}

fn arena_of(record: &ObjectRecord) -> i32 {
    record.arena.map_or(-1, u32::cast_signed)
}

fn number(count: usize) -> Result<u32> {
    u32::try_from(count).ok().ok_or_else(|| too_large(count))
}

fn too_large(count: usize) -> Error {
    Error::limit(format!("{count} does not fit an MMSH field"))
}

/// Two groups of a triangle each on two bones, one with two sets of coordinates and one with floats, and an
/// object that is nothing from afar.
pub(super) fn sample() -> Mesh {
    use AttributeLayout::{F16x4, F32x2, F32x3, F32x4, I16x2, U8x4};
    use Semantic::{BoneIndices, Colour, Normal, Position, Uv, Weights};
    let formats = vec![
        vertices::declared(&[
            (0, F16x4, Position, 0),
            (1, I16x2, Uv, 0),
            (1, I16x2, Uv, 1),
            (1, F32x3, Normal, 0),
            (0, U8x4, Weights, 0),
            (0, U8x4, BoneIndices, 0),
        ]),
        vertices::declared(&[
            (0, F32x4, Position, 0),
            (1, F32x2, Uv, 0),
            (1, U8x4, Colour, 0),
            (0, U8x4, Weights, 0),
            (0, U8x4, BoneIndices, 0),
        ]),
    ];
    let bone = |hash, parent: Option<u32>, children, y| Bone {
        hash,
        name: String::new(),
        parent,
        children,
        position: [0.0, y, 0.0],
        rotation: [0.0, 0.0, 0.0, 1.0],
        scale: 1.0,
        deforms: true,
    };
    let mut groups = vec![group(&formats, 0, &[0]), group(&formats, 1, &[1, 0])];
    // Places as they are read again.
    place(&mut groups, 3, 2);
    Mesh {
        objects: vec![0x1234_5678, 0x9ABC_DEF0],
        records: vec![
            ObjectRecord { object: 0, arena: Some(0), material: 1, flags: 3 },
            ObjectRecord { object: 0, arena: None, material: 0, flags: 3 },
            ObjectRecord { object: 1, arena: None, material: 2, flags: 0 },
        ],
        lods: [(5000.0, false, vec![1]), (0.0, false, vec![0]), (0.0, true, vec![0])]
            .map(|(distance, is_shadow, records)| Lod { distance, is_shadow, records })
            .to_vec(),
        arenas: vec![Arena { groups: 0..2, triangles: [2; 16] }],
        groups,
        formats,
        bones: vec![bone(1, None, 1, 0.0), bone(2, Some(0), 0, 10.0)],
        cull_distance: 8000.0,
        centre: [0.0, 5.0, 0.0],
        radius: 12.0,
    }
}

/// A triangle in a format.
fn group(formats: &[VertexFormat], format: u32, palette: &[u8]) -> Group {
    let own = formats.get(format as usize).cloned().unwrap_or_default();
    let value = |vertex: u32, attribute: &Attribute| match attribute.semantic {
        Semantic::Normal => [0.0, 0.0, 1.0, 0.0],
        Semantic::Weights => [0.0, 0.0, 255.0, 0.0],
        Semantic::BoneIndices => [0.0; 4],
        _ => [(vertex % 2) as f32, 10.0 * (vertex / 2) as f32, 0.0, 1.0],
    };
    Group {
        arena: 0,
        format,
        vertex_count: 3,
        streams: vertices::streams(&own, 3, value),
        index_offset: 0,
        indices: [0u16, 1, 2].into_iter().flat_map(u16::to_le_bytes).collect(),
        palette_offset: 0,
        palette: palette.to_vec().into(),
        unknown: [0.5; 2],
    }
}

/// Gives the groups of one arena the places that they have in the written file.
fn place(groups: &mut [Group], records: u64, bones: u64) {
    let descriptor = 72 + 2 * 4 + 16 * records + 48 + 40 * groups.len() as u64;
    let lists = 4 + 3 * 4 + 3 * 8 + 4 + 2 * 4 + 11 * 4 + 4 + 40 * bones;
    let mut at = 20 + (12 + 8 * records + 12) + descriptor + lists + 4;
    for stream in groups.iter_mut().flat_map(|group| &mut group.streams) {
        stream.offset = at;
        at += stream.data.len() as u64;
    }
    for group in groups.iter_mut() {
        group.index_offset = at;
        at += group.indices.len() as u64;
    }
    for group in groups {
        group.palette_offset = at;
        at += group.palette.len() as u64;
    }
}
