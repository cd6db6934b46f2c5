//! The first two sections: how much there is of everything, and what it is.

use super::{
    ArenaRow, AttributeRow, BONES_ID, BoneRow, DESCRIPTOR_ID, Descriptor, Distance, FORMATS_ID, GroupRow, Id,
    LODS_ID, RecordRow, SIZES_ID, SizesHeader, Word, vertices,
};
use crate::asset::{Bone, Lod, ObjectRecord, VertexFormat};
use crate::error::Result;
use crate::parse::{Hash, Reader, Record as _};

/// What the first section says, to be held against the second.
pub(super) struct Sizes {
    /// Bytes of the section.
    pub(super) len: u64,
    flags: Vec<i32>,
    arenas: Vec<i32>,
    /// Bytes of vertices, indices and palette of each arena.
    bytes: Vec<[u32; 3]>,
}

/// What the second section says.
pub(super) struct Described {
    pub(super) header: Descriptor,
    pub(super) objects: Vec<u32>,
    pub(super) records: Vec<ObjectRecord>,
    pub(super) arenas: Vec<ArenaRow>,
    pub(super) groups: Vec<GroupRow>,
    pub(super) lods: Vec<Lod>,
    pub(super) formats: Vec<VertexFormat>,
    pub(super) bones: Vec<Bone>,
}

/// Reads the first section, which has `len` bytes.
pub(super) fn read_sizes(r: &mut Reader<'_>, len: u64) -> Result<Sizes> {
    let header: SizesHeader = r.record("header")?;
    r.check_mark(header.id.0, SIZES_ID)?;
    let (records, arenas) = (u64::from(header.record_count), u64::from(header.arena_count));
    let wanted = SizesHeader::LAYOUT.size as u64 + 8 * records + 12 * arenas;
    if wanted != len {
        let text = format!(
            "{records} object records and {arenas} arenas take {wanted} bytes, the section has {len}"
        );
        return Err(r.malformed(text));
    }
    let words = |r: &mut Reader<'_>, name, count| -> Result<Vec<i32>> {
        Ok(r.table::<Word>(name, count, None)?.iter().map(|word| word.value).collect())
    };
    let flags = words(r, "flags", records)?;
    let own = words(r, "arenas", records)?;
    let bytes = [
        words(r, "vertex_bytes", arenas)?,
        words(r, "index_bytes", arenas)?,
        words(r, "palette_bytes", arenas)?,
    ];
    let [vertices, indices, palettes] = bytes;
    let bytes = vertices.iter().zip(&indices).zip(&palettes);
    let bytes = bytes.map(|((vertex, index), palette)| [*vertex, *index, *palette].map(i32::cast_unsigned));
    Ok(Sizes { len, flags, arenas: own, bytes: bytes.collect() })
}

/// Reads the second section, which has `len` bytes from `start` on.
pub(super) fn read(r: &mut Reader<'_>, start: u64, len: u64, sizes: &Sizes) -> Result<Described> {
    let header: Descriptor = r.record("header")?;
    r.check_mark(header.id.0, DESCRIPTOR_ID)?;
    let count = u64::from;
    let objects: Vec<u32> =
        r.table::<Id>("objects", count(header.object_count), None)?.iter().map(|row| row.id.0).collect();
    let rows = r.table::<RecordRow>("object_records", count(header.record_count), None)?;
    let records: Vec<_> = rows.iter().map(record_of).collect();
    let arenas: Vec<_> = r.table::<ArenaRow>("arenas", count(header.arena_count), None)?.iter().collect();
    let groups: Vec<_> = r.table::<GroupRow>("groups", count(header.group_count), None)?.iter().collect();
    hold_against(r, sizes, &records, &arenas);
    let lods = r.group("lods", |r| read_lods(r, &header))?;
    let formats = r.group("formats", |r| read_formats(r, &header))?;
    let bones = r.group("bones", |r| read_bones(r, &header))?;
    let read = r.pos() - start;
    if read != len {
        let text = format!("the descriptor has {len} bytes, its parts take {read}");
        return Err(r.malformed(text));
    }
    Ok(Described { header, objects, records, arenas, groups, lods, formats, bones })
}

fn record_of(row: RecordRow) -> ObjectRecord {
    ObjectRecord {
        object: row.object,
        arena: u32::try_from(row.arena).ok(),
        material: row.material,
        flags: row.flags.0,
    }
}

/// Warns where the first section says something else than the second.
fn hold_against(r: &mut Reader<'_>, sizes: &Sizes, records: &[ObjectRecord], arenas: &[ArenaRow]) {
    let own: Vec<_> =
        arenas.iter().map(|arena| [arena.vertex_bytes, arena.index_bytes, arena.palette_bytes]).collect();
    if sizes.bytes != own {
        r.warn("the first section states other bytes for the arenas");
    }
    let flags = records.iter().map(|record| record.flags.cast_signed());
    let of = records.iter().map(|record| record.arena.map_or(-1, u32::cast_signed));
    if !sizes.flags.iter().copied().eq(flags) || !sizes.arenas.iter().copied().eq(of) {
        r.warn("the first section states other flags or arenas for the object records");
    }
}

fn read_lods(r: &mut Reader<'_>, header: &Descriptor) -> Result<Vec<Lod>> {
    r.mark("id", LODS_ID)?;
    let words = r.table::<Word>("records", header.lod_word_count.into(), None)?;
    let counts = [header.mesh_lod_count, header.shadow_lod_count].map(u64::from);
    let [mesh, shadow] = counts;
    let distances =
        [r.table::<Distance>("mesh_distances", mesh, None)?, r.table("shadow_distances", shadow, None)?];
    let links = [r.table::<Word>("mesh_links", mesh, None)?, r.table("shadow_links", shadow, None)?];
    let mut left = words.iter();
    let mut lods = Vec::new();
    for ((is_shadow, distances), links) in [false, true].into_iter().zip(distances).zip(links) {
        for (Distance { distance }, link) in distances.iter().zip(links.iter()) {
            let wanted = usize::try_from(link.value).unwrap_or(0);
            if wanted > left.len() {
                let text =
                    format!("{wanted} records belong to the distance {distance}, {} are left", left.len());
                return Err(r.malformed(text));
            }
            let records = left.by_ref().take(wanted).map(|word| word.value.cast_unsigned()).collect();
            lods.push(Lod { distance, is_shadow, records });
        }
    }
    if left.len() > 0 {
        r.warn(format!("{} records belong to no distance", left.len()));
    }
    Ok(lods)
}

fn read_formats(r: &mut Reader<'_>, header: &Descriptor) -> Result<Vec<VertexFormat>> {
    r.mark("id", FORMATS_ID)?;
    let formats = r.list("formats", header.format_count.into(), 4, |r, at| {
        r.group(at, |r| {
            let count = r.u32("attribute_count")?;
            let rows = r.table::<AttributeRow>("attributes", count.into(), None)?;
            if let Some(row) = rows.iter().find(|row| row.stream >= vertices::MOST_STREAMS) {
                return Err(r.malformed(format!("an attribute lies in stream {}", row.stream)));
            }
            Ok(vertices::format_of(rows.iter()))
        })
    })?;
    let all: usize = formats.iter().map(|format| format.attributes.len()).sum();
    if all as u64 != u64::from(header.attribute_count) {
        r.warn(format!("{} attributes are stated for all formats, {all} are there", header.attribute_count));
    }
    Ok(formats)
}

fn read_bones(r: &mut Reader<'_>, header: &Descriptor) -> Result<Vec<Bone>> {
    r.mark("id", BONES_ID)?;
    let rows = r.table::<BoneRow>("bones", header.bone_count.into(), None)?;
    let wanted = BoneRow::LAYOUT.size as u64 * u64::from(header.bone_count);
    if wanted != u64::from(header.bone_bytes) {
        r.warn(format!("{} bytes are stated for the bones, they take {wanted}", header.bone_bytes));
    }
    Ok(rows.iter().map(bone_of).collect())
}

fn bone_of(row: BoneRow) -> Bone {
    let BoneRow { name: Hash(hash), parent, child_count, position, rotation, scale } = row;
    Bone {
        hash,
        name: String::new(),
        parent: u32::try_from(parent).ok(),
        children: child_count.into(),
        position,
        rotation,
        scale,
        deforms: true,
    }
}
