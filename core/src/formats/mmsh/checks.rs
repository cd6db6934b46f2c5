//! What holds in every file that was seen, and is told where it does not, at the field that is wrong. What asks
//! for a look at all of a mesh only while the structure is recorded: whoever loads a mesh to draw it looks at
//! what it draws.

use std::ops::Range;

use super::descriptor::{Sizes, Tables};
use super::{RecordRow, SizesHeader, Word};
use crate::asset::{Group, Mesh, Semantic, VertexFormat, Weights};
use crate::parse::{Reader, Table, Warning};

/// How far the square of the length of a quaternion may be from one.
const CLOSE: f32 = 1e-3;

/// The arena of an object record that draws nothing.
const NO_ARENA: i32 = -1;

/// Where the tables of the second section stand in the structure.
const RECORDS: &str = "descriptor.object_records";
const ARENAS: &str = "descriptor.arenas";
const LODS: &str = "descriptor.lods.records";
const BONES: &str = "descriptor.bones.bones";

/// Warns where the first section says something else than the second.
pub(super) fn sections(r: &mut Reader<'_>, sizes: &Sizes<'_>, tables: &Tables<'_>) {
    for (field, own, there) in [
        ("record_count", sizes.flags.len(), tables.records.len()),
        ("arena_count", sizes.bytes[0].len(), tables.arenas.len()),
    ] {
        if own != there {
            let text = format!("{own}, the descriptor has {there}");
            r.warn_in::<SizesHeader>(("sizes.header", sizes.start), field, text);
        }
    }
    let mut hold = |name, table: Table<'_, Word>, at, there: i32| {
        if let Some(Word { value }) = table.get(at).filter(|own| own.value != there) {
            r.warn_row((name, table), at, "value", || format!("{value}, the descriptor has {there}"));
        }
    };
    for (at, row) in tables.records.iter().enumerate() {
        hold("sizes.flags", sizes.flags, at, row.flags.0.cast_signed());
        hold("sizes.arenas", sizes.arenas, at, row.arena);
    }
    let [vertices, indices, palettes] = sizes.bytes;
    for (at, row) in tables.arenas.iter().enumerate() {
        hold("sizes.vertex_bytes", vertices, at, row.vertex_bytes.cast_signed());
        hold("sizes.index_bytes", indices, at, row.index_bytes.cast_signed());
        hold("sizes.palette_bytes", palettes, at, row.palette_bytes.cast_signed());
    }
}

pub(super) fn check(r: &mut Reader<'_>, mesh: &Mesh, tables: &Tables<'_>) {
    if !r.is_recording() {
        return;
    }
    records(r, mesh, tables);
    lods(r, mesh, tables);
    bones(r, mesh, tables);
    for (at, group) in mesh.groups.iter().enumerate() {
        let Some(format) = mesh.formats.get(group.format as usize) else { continue };
        buffers(r, mesh, at, group, format);
    }
    ladders(r, mesh, tables);
}

/// Object records are of objects and arenas that are there.
fn records(r: &mut Reader<'_>, mesh: &Mesh, tables: &Tables<'_>) {
    let (objects, arenas) = (mesh.objects.len(), mesh.arenas.len());
    for (at, RecordRow { object, arena, .. }) in tables.records.iter().enumerate() {
        if object as usize >= objects {
            let text = || format!("object {object} of {objects}");
            r.warn_row((RECORDS, tables.records), at, "object", text);
        }
        if arena != NO_ARENA && usize::try_from(arena).map_or(true, |arena| arena >= arenas) {
            r.warn_row((RECORDS, tables.records), at, "arena", || format!("arena {arena} of {arenas}"));
        }
    }
}

/// Levels of detail are of object records that are there.
fn lods(r: &mut Reader<'_>, mesh: &Mesh, tables: &Tables<'_>) {
    let count = mesh.records.len();
    for (at, record) in mesh.lods.iter().flat_map(|lod| &lod.records).enumerate() {
        if *record as usize >= count {
            let text = || format!("object record {record} of {count}");
            r.warn_row((LODS, tables.lods), at, "value", text);
        }
    }
}

fn bones(r: &mut Reader<'_>, mesh: &Mesh, tables: &Tables<'_>) {
    let mut children = vec![0u32; mesh.bones.len()];
    for parent in mesh.bones.iter().filter_map(|bone| bone.parent) {
        if let Some(count) = children.get_mut(parent as usize) {
            *count += 1;
        }
    }
    for (at, (bone, children)) in mesh.bones.iter().zip(children).enumerate() {
        let table = (BONES, tables.bones);
        for field in bone.faults().filter(|field| *field != "rotation") {
            r.warn_row(table, at, field, || format!("no {field}"));
        }
        let square = bone.rotation.iter().map(|value| value * value).sum::<f32>();
        if (square - 1.0).abs() > CLOSE || !square.is_finite() {
            let text = || format!("a rotation of the length {}", square.sqrt());
            r.warn_row(table, at, "rotation", text);
        }
        if let Some(parent) = bone.parent.filter(|parent| *parent as usize >= at) {
            let text = || format!("hangs on bone {parent}, which is not before it");
            r.warn_row(table, at, "parent", text);
        }
        if children != bone.children {
            let text = || format!("{} bones are to hang on it, {children} do", bone.children);
            r.warn_row(table, at, "child_count", text);
        }
    }
}

/// What a group has in the third section; of each flaw the first one is shown and all are counted.
fn buffers(r: &mut Reader<'_>, mesh: &Mesh, at: usize, group: &Group, format: &VertexFormat) {
    let mut tell = |field: String, range: Range<u64>, text: String| {
        r.warn_at(|| Warning { field, offset: range.start, len: range.end - range.start, text });
    };
    let open = group.index_count() % 3;
    if open > 0 {
        let last = group.index_count() - open;
        let text = format!("{open} at the end of no triangle");
        let range = group.index_range(last).start..group.index_range(last + open - 1).end;
        tell(format!("buffers.indices[{at}].rows[{last}]"), range, text);
    }
    if let Some((place, more)) = first(group.indices_beyond()) {
        let index = group.index(place).unwrap_or_default();
        let text = format!("index {index} of {} vertices{more}", group.vertex_count);
        tell(format!("buffers.indices[{at}].rows[{place}].index"), group.index_range(place), text);
    }
    let bones = mesh.bones.len();
    if let Some((place, more)) = first(group.palette_beyond(bones)) {
        let bone = group.palette.get(place).copied().unwrap_or_default();
        let text = format!("bone {bone} of {bones}{more}");
        tell(format!("buffers.palettes[{at}].rows[{place}].bone"), group.palette_range(place), text);
    }
    if let Some(((vertex, weights), more)) = first(group.weights_off(format)) {
        let values = group.values(format, Semantic::Weights, 0);
        let range = values.and_then(|values| values.range(vertex)).unwrap_or_default();
        let text = format!("the weights add up to {}, not to {}{more}", weights.sum(), Weights::WHOLE);
        tell(format!("buffers.vertices[{at}].stream[{vertex}].weights"), range, text);
    }
}

/// The first of several, and how many more there are, in words.
fn first<T>(mut flaws: impl Iterator<Item = T>) -> Option<(T, String)> {
    let first = flaws.next()?;
    let more = flaws.count();
    Some((first, if more == 0 { String::new() } else { format!(", and {more} more like it in the group") }))
}

/// The first step of a ladder draws everything.
fn ladders(r: &mut Reader<'_>, mesh: &Mesh, tables: &Tables<'_>) {
    for (at, arena) in mesh.arenas.iter().enumerate() {
        let triangles: usize = mesh.groups_of(at).iter().map(|group| group.index_count() / 3).sum();
        let first = arena.triangles[0];
        if usize::from(first) != triangles.min(usize::from(u16::MAX)) {
            let text = || format!("{first} triangles are stated at the finest step, {triangles} are there");
            r.warn_row((ARENAS, tables.arenas), at, "triangles", text);
        }
    }
}
