//! Where the groups lie in the arenas, checked against what the arenas have.

use super::{ArenaRow, Descriptor, GroupRow, INDEX};
use crate::asset::{Arena, VertexFormat};
use crate::error::{Error, Result};
use crate::parse::{Reader, Table};

/// Where a group lies.
pub(super) struct Place {
    pub(super) arena: u32,
    pub(super) row: GroupRow,
    /// Bytes of a vertex in the stream that is not known from the format.
    pub(super) unknown_stride: u32,
}

/// The table of groups, to be blamed.
struct Groups<'r, 'a> {
    r: &'r Reader<'a>,
    rows: Table<'a, GroupRow>,
}

impl Groups<'_, '_> {
    fn blame(&self, row: usize, field: &'static str, text: String) -> Error {
        self.r.blame_row(("groups", self.rows), row, field, Error::malformed(text))
    }
}

/// What the groups of an arena have taken of it.
#[derive(Default)]
struct Taken {
    indices: u64,
    palette: u64,
}

/// The arenas with their groups, and where each group lies. `header_at` is the first byte of the descriptor's
/// header.
pub(super) fn places(
    r: &Reader<'_>,
    header_at: u64,
    arenas: Table<'_, ArenaRow>,
    groups: Table<'_, GroupRow>,
    formats: &[VertexFormat],
) -> Result<(Vec<Arena>, Vec<Place>)> {
    let stated: u64 = arenas.iter().map(|arena| u64::from(arena.group_count)).sum();
    if stated != groups.len() as u64 {
        let text = format!("{} groups, the arenas have {stated}", groups.len());
        return Err(r.blame_in::<Descriptor>(("header", header_at), "group_count", Error::malformed(text)));
    }
    let groups = Groups { r, rows: groups };
    let mut own = Vec::new();
    let mut places = Vec::new();
    for (number, arena) in (0u32..).zip(arenas.iter()) {
        let first = places.len();
        // They are no more than the table has, by what was just checked.
        let end = first + arena.group_count as usize;
        let mut taken = Taken::default();
        for at in first..end {
            places.push(groups.place(at, end, (number, &arena), formats, &mut taken)?);
        }
        own.push(Arena { groups: first..end, triangles: arena.triangles });
    }
    Ok((own, places))
}

impl Groups<'_, '_> {
    /// Where a group lies; `end` is the first group of the next arena.
    fn place(
        &self,
        at: usize,
        end: usize,
        (number, arena): (u32, &ArenaRow),
        formats: &[VertexFormat],
        taken: &mut Taken,
    ) -> Result<Place> {
        let Some(row) = self.rows.get(at) else {
            return Err(self.blame(at, "vertex_offset", "no such group".to_owned()));
        };
        let of_arena = |what: &str, from: u32, count: u32, all: u64| {
            let to = u64::from(from) + u64::from(count);
            (to > all).then(|| format!("{what} {from} to {to} of {all} in arena {number}"))
        };
        let vertex_bytes = self.vertex_bytes(at, end, &row, (number, arena))?;
        let (indices, palette) = (u64::from(arena.index_bytes) / INDEX, u64::from(arena.palette_bytes));
        let or = |is_start, start, count| if is_start { start } else { count };
        if let Some(text) = of_arena("indices", row.first_index, row.index_count, indices) {
            let field = or(u64::from(row.first_index) > indices, "first_index", "index_count");
            return Err(self.blame(at, field, text));
        }
        if let Some(text) = of_arena("bytes", row.palette_start, row.palette_count, palette) {
            let field = or(u64::from(row.palette_start) > palette, "palette_start", "palette_count");
            return Err(self.blame(at, field, text));
        }
        // Groups lie one after another: what all of them have is no more than what the arena has.
        taken.indices += u64::from(row.index_count);
        taken.palette += u64::from(row.palette_count);
        for (field, own, all) in
            [("index_count", taken.indices, indices), ("palette_count", taken.palette, palette)]
        {
            if own > all {
                let text = format!("arena {number} has {all}, with this group {own} are taken");
                return Err(self.blame(at, field, text));
            }
        }
        let Some(format) = formats.get(row.format as usize) else {
            return Err(self.blame(at, "format", format!("format {} of {}", row.format, formats.len())));
        };
        let count = u64::from(row.vertex_count);
        let known: u64 = format.strides.iter().flatten().map(|stride| u64::from(*stride)).sum();
        let unknown = format.strides.iter().filter(|stride| stride.is_none()).count();
        // What the known streams leave belongs to the one that is not known.
        let rest = vertex_bytes.checked_sub(known * count).filter(|rest| unknown > 0 || *rest == 0);
        let Some(rest) = rest.filter(|_| unknown <= 1) else {
            let more = if unknown > 0 { " or more" } else { "" };
            let until = if at + 1 < end { "the next group" } else { "the end of its arena" };
            let text = format!(
                "{count} vertices take {} bytes{more}, up to {until} there are {vertex_bytes}",
                known * count
            );
            return Err(self.blame(at, "vertex_count", text));
        };
        let unknown_stride = u32::try_from(rest.checked_div(count).unwrap_or(0)).unwrap_or(u32::MAX);
        Ok(Place { arena: number, row, unknown_stride })
    }

    /// Bytes of a group's vertices: it ends where the next one of its arena begins, or with the arena.
    fn vertex_bytes(
        &self,
        at: usize,
        end: usize,
        row: &GroupRow,
        (number, arena): (u32, &ArenaRow),
    ) -> Result<u64> {
        let (start, all) = (row.vertex_offset, arena.vertex_bytes);
        let next = if at + 1 < end { self.rows.get(at + 1) } else { None };
        let next = next.map_or(all, |next| next.vertex_offset);
        if start > all {
            let text = format!("vertices at byte {start} of {all} in arena {number}");
            return Err(self.blame(at, "vertex_offset", text));
        }
        if next < start || next > all {
            let text = format!("vertices at byte {next} of {all}, those before begin at {start}");
            return Err(self.blame(at + 1, "vertex_offset", text));
        }
        Ok(u64::from(next - start))
    }
}
