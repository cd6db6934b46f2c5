//! The first two sections: how much there is of everything, and what it is.

use super::places::{Place, places};
use super::{
    ArenaRow, AttributeRow, BONES_ID, BoneRow, DESCRIPTOR_ID, Descriptor, Distance, FORMATS_ID, GroupRow, Id,
    LODS_ID, RecordRow, SIZES_ID, SizesHeader, Word, vertices,
};
use crate::asset::{Arena, Bone, Lod, ObjectRecord, VertexFormat};
use crate::error::{Error, Result};
use crate::parse::{Hash, Reader, Record as _, Table};

/// What the first section says, to be held against the second.
pub(super) struct Sizes<'a> {
    /// First byte of the section.
    pub(super) start: u64,
    /// Bytes of the section.
    pub(super) len: u64,
    pub(super) flags: Table<'a, Word>,
    pub(super) arenas: Table<'a, Word>,
    /// Bytes of vertices, indices and palette of each arena.
    pub(super) bytes: [Table<'a, Word>; 3],
}

/// What the second section says.
pub(super) struct Described<'a> {
    pub(super) header: Descriptor,
    pub(super) objects: Vec<u32>,
    pub(super) records: Vec<ObjectRecord>,
    pub(super) rows: Vec<ArenaRow>,
    pub(super) arenas: Vec<Arena>,
    pub(super) places: Vec<Place>,
    pub(super) lods: Vec<Lod>,
    pub(super) formats: Vec<VertexFormat>,
    pub(super) bones: Vec<Bone>,
    pub(super) tables: Tables<'a>,
}

/// Where rows of the second section stand that are checked when everything is read.
#[derive(Clone, Copy)]
pub(super) struct Tables<'a> {
    pub(super) records: Table<'a, RecordRow>,
    pub(super) arenas: Table<'a, ArenaRow>,
    /// The numbers of the object records of all levels of detail, list by list.
    pub(super) lods: Table<'a, Word>,
    pub(super) bones: Table<'a, BoneRow>,
}

/// Reads the first section, which has `len` bytes.
pub(super) fn read_sizes<'a>(r: &mut Reader<'a>, len: u64) -> Result<Sizes<'a>> {
    let start = r.pos();
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
    Ok(Sizes {
        start,
        len,
        flags: r.table("flags", records, None)?,
        arenas: r.table("arenas", records, None)?,
        bytes: [
            r.table("vertex_bytes", arenas, None)?,
            r.table("index_bytes", arenas, None)?,
            r.table("palette_bytes", arenas, None)?,
        ],
    })
}

/// Reads the second section, which has `len` bytes from `start` on.
pub(super) fn read<'a>(r: &mut Reader<'a>, start: u64, len: u64) -> Result<Described<'a>> {
    let header_at = r.pos();
    let header: Descriptor = r.record("header")?;
    r.check_mark(header.id.0, DESCRIPTOR_ID)?;
    for (field, is_number) in [
        ("cull_distance", !header.cull_distance.is_nan()),
        ("centre", header.centre.iter().all(|value| value.is_finite())),
        ("radius", header.radius.is_finite()),
    ] {
        if !is_number {
            r.warn_in::<Descriptor>(("header", header_at), field, "no number");
        }
    }
    let count = u64::from;
    let objects: Vec<u32> =
        r.table::<Id>("objects", count(header.object_count), None)?.iter().map(|row| row.id.0).collect();
    let records = r.table("object_records", count(header.record_count), None)?;
    let arenas = r.table("arenas", count(header.arena_count), None)?;
    let groups = r.table::<GroupRow>("groups", count(header.group_count), None)?;
    let (words, lods) = r.group("lods", |r| read_lods(r, &header))?;
    let formats = r.group("formats", |r| read_formats(r, &header))?;
    let bones = r.group("bones", |r| {
        r.mark("id", BONES_ID)?;
        r.table("bones", count(header.bone_count), None)
    })?;
    let attributes: u64 = formats.iter().map(|format| format.attributes.len() as u64).sum();
    let bone_bytes = BoneRow::LAYOUT.size as u64 * count(header.bone_count);
    for (field, stated, there) in [
        ("attribute_count", header.attribute_count, attributes),
        ("bone_bytes", header.bone_bytes, bone_bytes),
    ] {
        if count(stated) != there {
            r.warn_in::<Descriptor>(("header", header_at), field, format!("{stated}, expected {there}"));
        }
    }
    let read = r.pos() - start;
    if read != len {
        let text = format!("the descriptor has {len} bytes, its parts take {read}");
        return Err(r.malformed(text));
    }
    let (own, places) = places(r, header_at, arenas, groups, &formats)?;
    Ok(Described {
        header,
        objects,
        records: records.iter().map(record_of).collect(),
        rows: arenas.iter().collect(),
        arenas: own,
        places,
        lods,
        formats,
        bones: bones.iter().map(bone_of).collect(),
        tables: Tables { records, arenas, lods: words, bones },
    })
}

fn record_of(row: RecordRow) -> ObjectRecord {
    ObjectRecord {
        object: row.object,
        arena: u32::try_from(row.arena).ok(),
        material: row.material,
        flags: row.flags.0,
    }
}

fn read_lods<'a>(r: &mut Reader<'a>, header: &Descriptor) -> Result<(Table<'a, Word>, Vec<Lod>)> {
    r.mark("id", LODS_ID)?;
    let words = r.table::<Word>("records", header.lod_word_count.into(), None)?;
    let counts = [header.mesh_lod_count, header.shadow_lod_count].map(u64::from);
    let [mesh, shadow] = counts;
    let distances =
        [r.table::<Distance>("mesh_distances", mesh, None)?, r.table("shadow_distances", shadow, None)?];
    let links = [r.table::<Word>("mesh_links", mesh, None)?, r.table("shadow_links", shadow, None)?];
    for (name, table) in ["mesh_distances", "shadow_distances"].into_iter().zip(distances) {
        let mut before = f32::INFINITY;
        for (at, Distance { distance }) in table.iter().enumerate() {
            if distance.is_nan() || distance >= before {
                let text = || format!("{distance}, the one before is {before}: the farthest comes first");
                r.warn_row((name, table), at, "distance", text);
            }
            before = distance;
        }
    }
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
    let left = left.len();
    if left > 0 {
        let text = || format!("{left} records belong to no distance");
        r.warn_row(("records", words), words.len() - left, "value", text);
    }
    Ok((words, lods))
}

fn read_formats(r: &mut Reader<'_>, header: &Descriptor) -> Result<Vec<VertexFormat>> {
    r.mark("id", FORMATS_ID)?;
    r.list("formats", header.format_count.into(), 4, |r, at| {
        r.group(at, |r| {
            let count = r.u32("attribute_count")?;
            if count > vertices::MOST_ATTRIBUTES {
                let text = format!("{count} attributes, at most {} are read", vertices::MOST_ATTRIBUTES);
                return Err(r.blame(Error::limit(text)));
            }
            let rows = r.table::<AttributeRow>("attributes", count.into(), None)?;
            if let Some(row) = rows.iter().find(|row| row.stream >= vertices::MOST_STREAMS) {
                return Err(r.malformed(format!("an attribute lies in stream {}", row.stream)));
            }
            for (row, own) in rows.iter().enumerate() {
                let is_same =
                    |other: &AttributeRow| (other.semantic, other.channel) == (own.semantic, own.channel);
                if rows.iter().take(row).any(|other| is_same(&other)) {
                    let name = vertices::semantic_name(own.semantic.into());
                    let text = || format!("the {name} {} a second time: the first one is taken", own.channel);
                    r.warn_row(("attributes", rows), row, "semantic", text);
                }
            }
            Ok(vertices::format_of(rows.iter()))
        })
    })
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
