//! The third section: vertices, indices and palettes of all arenas.

use bytes::Bytes;

use super::descriptor::Described;
use super::places::Place;
use super::{ArenaRow, BUFFERS_ID, GroupRow, INDEX, IndexRow, PaletteRow, vertices};
use crate::asset::{Group, Mesh, Stream, VertexFormat};
use crate::error::Result;
use crate::parse::Reader;

/// Reads the buffers of everything that was described.
pub(super) fn read(r: &mut Reader<'_>, described: Described<'_>) -> Result<Mesh> {
    r.mark("id", BUFFERS_ID)?;
    let Described {
        header, objects, records, rows: arenas, arenas: own, places, lods, formats, bones, ..
    } = described;
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
    let mut streams = Vec::with_capacity(format.strides.len());
    for (number, stride) in (0u8..).zip(&format.strides) {
        let stride = stride.unwrap_or(place.unknown_stride);
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
