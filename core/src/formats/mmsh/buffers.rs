//! The third section: vertices, indices and palettes of all arenas.

use bytes::Bytes;

use super::descriptor::Described;
use super::{ArenaRow, BUFFERS_ID, GroupRow, INDEX, IndexRow, PaletteRow, vertices};
use crate::asset::{Arena, Group, Mesh, Stream, VertexFormat};
use crate::error::Result;
use crate::parse::Reader;

/// Where a group lies.
struct Place {
    arena: u32,
    row: GroupRow,
    /// Bytes of its vertices in all streams.
    vertex_bytes: u64,
}

/// Reads the buffers of everything that was described.
pub(super) fn read(r: &mut Reader<'_>, described: Described<'_>) -> Result<Mesh> {
    r.mark("id", BUFFERS_ID)?;
    let Described { header, objects, records, arenas, groups, lods, formats, bones, .. } = described;
    let (own, places) = arenas_of(r, &arenas, groups)?;
    let sum = |of: fn(&ArenaRow) -> u32| arenas.iter().map(|arena| u64::from(of(arena))).sum::<u64>();
    let vertex_start = r.pos();
    let index_start = vertex_start + sum(|arena| arena.vertex_bytes);
    let palette_start = index_start + sum(|arena| arena.index_bytes);
    let end = palette_start + sum(|arena| arena.palette_bytes);
    if end > r.data().len() as u64 {
        let text = format!("the arenas take {} bytes, {} are left", end - vertex_start, r.left());
        return Err(r.malformed(text));
    }
    let streams = in_arenas(
        r,
        "vertices",
        vertex_start,
        &arenas,
        |arena| arena.vertex_bytes,
        &places,
        |r, place| read_streams(r, place, &formats),
    )?;
    let indices = in_arenas(
        r,
        "indices",
        index_start,
        &arenas,
        |arena| arena.index_bytes,
        &places,
        |r, place| {
            let skip = INDEX * u64::from(place.row.first_index);
            read_rows::<IndexRow>(r, skip, place.row.index_count.into(), INDEX)
        },
    )?;
    let palettes = in_arenas(
        r,
        "palettes",
        palette_start,
        &arenas,
        |arena| arena.palette_bytes,
        &places,
        |r, place| {
            read_rows::<PaletteRow>(r, place.row.palette_start.into(), place.row.palette_count.into(), 1)
        },
    )?;
    r.seek(end)?;
    let groups = places.into_iter().zip(streams).zip(indices).zip(palettes);
    let groups = groups.map(|(((place, streams), indices), palette)| Group {
        arena: place.arena,
        format: place.row.format,
        vertex_count: place.row.vertex_count,
        streams,
        index_offset: indices.0,
        indices: indices.1,
        palette_offset: palette.0,
        palette: palette.1,
        unknown: [place.row.unknown_1c, place.row.unknown_20],
    });
    Ok(Mesh {
        objects,
        records,
        lods,
        arenas: own,
        groups: groups.collect(),
        formats,
        bones,
        cull_distance: header.cull_distance,
        centre: header.centre,
        radius: header.radius,
    })
}

/// The arenas with their groups, and where each group lies.
fn arenas_of(r: &Reader<'_>, rows: &[ArenaRow], groups: Vec<GroupRow>) -> Result<(Vec<Arena>, Vec<Place>)> {
    let stated: u64 = rows.iter().map(|arena| u64::from(arena.group_count)).sum();
    if stated != groups.len() as u64 {
        return Err(r.malformed(format!("the arenas have {stated} groups, {} are described", groups.len())));
    }
    let mut arenas = Vec::new();
    let mut places = Vec::new();
    let mut left = groups.into_iter().peekable();
    for (number, arena) in (0u32..).zip(rows) {
        let first = places.len();
        let (mut indices, mut palette) = (0, 0);
        for at in 0..arena.group_count {
            let Some(row) = left.next() else { break };
            // A group ends where the next one of its arena begins, or with the arena.
            let next = left.peek().filter(|_| at + 1 < arena.group_count);
            let end = next.map_or(arena.vertex_bytes, |next| next.vertex_offset);
            let vertex_bytes = u64::from(end).checked_sub(row.vertex_offset.into());
            let fits = |start: u32, count: u32, size: u64, all: u32| {
                (u64::from(start) + u64::from(count)) * size <= u64::from(all)
            };
            let is_inside = end <= arena.vertex_bytes
                && fits(row.first_index, row.index_count, INDEX, arena.index_bytes)
                && fits(row.palette_start, row.palette_count, 1, arena.palette_bytes);
            // Groups lie one after another: what all of them have is no more than what the file has.
            indices += u64::from(row.index_count);
            palette += u64::from(row.palette_count);
            let is_own = indices * INDEX <= arena.index_bytes.into() && palette <= arena.palette_bytes.into();
            let Some(vertex_bytes) = vertex_bytes.filter(|_| is_inside && is_own) else {
                let text = format!(
                    "group {at} of arena {number} reaches past what the arena holds, or into another group"
                );
                return Err(r.malformed(text));
            };
            places.push(Place { arena: number, row, vertex_bytes });
        }
        arenas.push(Arena { groups: first..places.len(), triangles: arena.triangles });
    }
    Ok((arenas, places))
}

/// Reads something of every group, arena by arena; `bytes` says how much of it an arena has.
fn in_arenas<T>(
    r: &mut Reader<'_>,
    name: &'static str,
    mut start: u64,
    arenas: &[ArenaRow],
    bytes: fn(&ArenaRow) -> u32,
    places: &[Place],
    mut read: impl FnMut(&mut Reader<'_>, &Place) -> Result<T>,
) -> Result<Vec<T>> {
    let starts: Vec<u64> = arenas
        .iter()
        .map(|arena| {
            let own = start;
            start += u64::from(bytes(arena));
            own
        })
        .collect();
    r.list(name, places.len() as u64, 0, |r, at| {
        let place = usize::try_from(at).ok().and_then(|at| places.get(at));
        let start = place.and_then(|place| starts.get(place.arena as usize));
        let (Some(place), Some(start)) = (place, start) else { return Err(r.malformed("no such group")) };
        r.seek(*start)?;
        r.group(at, |r| read(r, place))
    })
}

/// Reads the streams of a group, which stand one after another.
fn read_streams(r: &mut Reader<'_>, place: &Place, formats: &[VertexFormat]) -> Result<Vec<Stream>> {
    let GroupRow { vertex_offset, vertex_count, format, .. } = place.row;
    r.seek(r.pos() + u64::from(vertex_offset))?;
    let Some(format) = formats.get(format as usize) else {
        return Err(r.malformed(format!("format {format} of {} formats", formats.len())));
    };
    let count = u64::from(vertex_count);
    let known: u64 = format.strides.iter().flatten().map(|stride| u64::from(*stride)).sum();
    let unknown = format.strides.iter().filter(|stride| stride.is_none()).count();
    // What the known streams leave belongs to the one that is not known.
    let rest = place.vertex_bytes.checked_sub(known * count).filter(|rest| unknown > 0 || *rest == 0);
    let Some(rest) = rest.filter(|_| unknown <= 1) else {
        let text = format!("{count} vertices of {known} bytes and more in {} bytes", place.vertex_bytes);
        return Err(r.malformed(text));
    };
    let mut streams = Vec::with_capacity(format.strides.len());
    for (number, stride) in (0u8..).zip(&format.strides) {
        let stride = match stride {
            Some(stride) => *stride,
            None => u32::try_from(rest.checked_div(count).unwrap_or(0)).unwrap_or(u32::MAX),
        };
        let (offset, data) = if stride == 0 {
            (r.pos(), Bytes::new())
        } else {
            r.records("stream", count, vertices::record_of(format, number, stride))?
        };
        streams.push(Stream { offset, stride, data });
    }
    Ok(streams)
}

/// Reads rows of a fixed size, `skip` bytes ahead; where they start, and their bytes.
fn read_rows<T: crate::parse::Record>(
    r: &mut Reader<'_>,
    skip: u64,
    count: u64,
    size: u64,
) -> Result<(u64, Bytes)> {
    let start = r.pos() + skip;
    r.seek(start)?;
    r.table::<T>("rows", count, None)?;
    let at = |offset: u64| usize::try_from(offset).unwrap_or(usize::MAX).min(r.data().len());
    Ok((start, r.data().slice(at(start)..at(start + count * size))))
}
