//! The rectangles of one place: sorted, laid out, and as many as can be seen.

use std::sync::Arc;

use egui::{Rect, vec2};
use palimpsest_core::mount::{FolderId, Part, ShadowMap, Stack, Tally};

use super::zoom::{Place, part_name};
use crate::format::{count, number};
use crate::shadow::Mapped;
use crate::widgets::treemap::squarify;

/// The most rectangles that are drawn, those inside others included.
const MOST: usize = 2000;
/// The smallest area of a rectangle that can be pointed at, in square points.
const SMALLEST: f64 = 64.0;
/// The smallest area of a rectangle inside another one.
const SMALLEST_INSIDE: f64 = 20.0;
/// The gap to the next rectangle.
pub(super) const GAP: f32 = 3.0;
/// The height of the strip with the name, and the least size of a rectangle that has one.
pub(super) const STRIP: f32 = 18.0;
const LEAST: (f32, f32) = (44.0, 32.0);

/// A place, laid out.
#[derive(Debug)]
pub(super) struct Level {
    map: Arc<ShadowMap>,
    pub(super) place: Place,
    area: Rect,
    /// All parts, the largest first.
    pub(super) parts: Vec<(Part, Tally)>,
    /// The bytes of the whole place.
    pub(super) total: Tally,
    pub(super) tiles: Vec<Tile>,
}

/// A rectangle.
#[derive(Debug)]
pub(super) struct Tile {
    pub(super) rect: Rect,
    /// The part; `None` for all that are too small to be seen.
    pub(super) part: Option<Part>,
    pub(super) name: String,
    pub(super) tally: Tally,
    /// What lies inside, with bytes of its own.
    pub(super) blocks: Vec<Block>,
}

/// A folder inside a rectangle, or the files beside the folders.
#[derive(Debug)]
pub(super) struct Block {
    pub(super) rect: Rect,
    pub(super) tally: Tally,
    pub(super) name: String,
}

impl Tile {
    /// Where the name stands, where there is room for one.
    pub(super) fn strip(&self) -> Option<Rect> {
        let has_room = self.rect.width() >= LEAST.0 && self.rect.height() >= LEAST.1;
        has_room.then(|| self.rect.with_max_y(self.rect.top() + STRIP))
    }

    /// Where the bytes are shown.
    pub(super) fn body(&self) -> Rect {
        let body = self.strip().map_or(self.rect, |strip| self.rect.with_min_y(strip.bottom()));
        Rect::from_min_max(body.min, body.max - vec2(self.gap(), self.gap()))
    }

    /// The gap to the next rectangle, smaller where the rectangle is small.
    pub(super) fn gap(&self) -> f32 {
        if self.rect.size().min_elem() < 4.0 * GAP { 1.0 } else { GAP }
    }
}

impl Level {
    pub(super) fn new(mapped: &Mapped, place: Place, area: Rect) -> Self {
        let (stack, map) = (&mapped.mounted.stack, &mapped.map);
        let mut parts = place.parts(stack, map);
        parts.sort_by_key(|(_, tally)| std::cmp::Reverse(tally.stored()));
        let total = parts.iter().fold(Tally::default(), |sum, (_, tally)| sum.plus(*tally));
        let mut level = Self { map: Arc::clone(map), place, area, parts, total, tiles: Vec::new() };
        level.lay_out(stack);
        level
    }

    /// Whether it is the level of a place of a map.
    pub(super) fn is_of(&self, mapped: &Mapped, place: Place) -> bool {
        Arc::ptr_eq(&self.map, &mapped.map) && self.place == place
    }

    /// Goes on in another area.
    pub(super) fn fit(&mut self, stack: &Stack, area: Rect) {
        if self.area != area {
            self.area = area;
            self.lay_out(stack);
        }
    }

    fn lay_out(&mut self, stack: &Stack) {
        let tallies: Vec<_> = self.parts.iter().map(|(_, tally)| *tally).collect();
        let (rects, seen) = divide(&tallies, self.area, SMALLEST, MOST / 2);
        let mut left = MOST - rects.len();
        self.tiles = Vec::with_capacity(rects.len());
        for (at, rect) in rects.into_iter().enumerate() {
            let own = self.parts.get(at).filter(|_| at < seen);
            let (part, name, tally) = if let Some((part, tally)) = own {
                (Some(*part), part_name(*part, stack), *tally)
            } else {
                let more = self.parts.get(seen..).unwrap_or_default();
                let tally = more.iter().fold(Tally::default(), |sum, (_, tally)| sum.plus(*tally));
                (None, format!("{} more", number(more.len() as u64)), tally)
            };
            let mut tile = Tile { rect: on_pixels(rect), part, name, tally, blocks: Vec::new() };
            if let Some(inside) = part.and_then(|part| self.place.into(part)) {
                tile.blocks = self.blocks(stack, inside, tile.body(), left);
            }
            left = left.saturating_sub(tile.blocks.len());
            self.tiles.push(tile);
        }
    }

    /// The folders right inside a place, and its own files as one.
    fn blocks(&self, stack: &Stack, place: Place, body: Rect, most: usize) -> Vec<Block> {
        let Place::Folder(layer, folder) = place else { return Vec::new() };
        if body.width() < LEAST.0 || body.height() < LEAST.1 || most == 0 {
            return Vec::new();
        }
        let index = stack.index();
        let below = |folder: FolderId| (Some(folder), self.map.below(index, layer, folder));
        let mut parts: Vec<_> = index.subfolders(folder).map(below).collect();
        parts.push((None, self.map.inside(layer, folder)));
        parts.sort_by_key(|(_, tally)| std::cmp::Reverse(tally.stored()));
        let tallies: Vec<_> = parts.iter().map(|(_, tally)| *tally).collect();
        let (rects, seen) = divide(&tallies, body, SMALLEST_INSIDE, most);
        let rest = tallies.iter().skip(seen).fold(Tally::default(), |sum, tally| sum.plus(*tally));
        let name = |folder: &Option<FolderId>, tally: &Tally| match folder {
            Some(folder) => part_name(Part::Folder(*folder), stack),
            None => count(tally.files, "file"),
        };
        let named = parts.iter().take(seen).map(|(folder, tally)| (*tally, name(folder, tally)));
        let named = named.chain([(rest, String::new())]);
        let block = |(rect, (tally, name))| Block { rect: on_pixels(rect), tally, name };
        rects.into_iter().zip(named).map(block).collect()
    }
}

/// Divides an area among bytes that descend: a rectangle for each that can be seen, how many those are,
/// and one more for all others where there are any.
fn divide(tallies: &[Tally], area: Rect, smallest: f64, most: usize) -> (Vec<Rect>, usize) {
    let total: f64 = tallies.iter().map(|tally| tally.stored() as f64).sum();
    let scale = f64::from(area.area()) / total.max(1.0);
    let is_seen = |tally: &&Tally| tally.stored() > 0 && tally.stored() as f64 * scale >= smallest;
    let seen = tallies.iter().take_while(is_seen).count().min(most.saturating_sub(1));
    let rest: f64 = tallies.iter().skip(seen).map(|tally| tally.stored() as f64).sum();
    let mut values: Vec<_> = tallies.iter().take(seen).map(|tally| tally.stored() as f64).collect();
    // All that is left may be more than the last of those that are seen; it stands last all the same.
    values.extend((rest > 0.0).then_some(rest));
    (squarify(&values, area), seen)
}

/// A rectangle whose sides lie on whole points, so that gaps are alike.
fn on_pixels(rect: Rect) -> Rect {
    Rect::from_min_max(rect.min.round(), rect.max.round())
}

#[cfg(test)]
mod tests {
    use egui::pos2;

    use super::*;

    #[test]
    fn what_cannot_be_seen_is_one_rectangle() {
        let area = Rect::from_min_size(pos2(0.0, 0.0), vec2(100.0, 100.0));
        let of = |wins: u64| Tally { wins, files: 1, ..Tally::default() };
        let mut tallies = vec![of(900_000), of(50_000)];
        tallies.extend(vec![of(10); 5000]);
        let (rects, seen) = divide(&tallies, area, SMALLEST, 1000);
        assert_eq!((rects.len(), seen), (3, 2));
        let (rects, seen) = divide(&vec![of(1); 5000], area, 0.0, 1000);
        assert_eq!((rects.len(), seen), (1000, 999));
        let (rects, seen) = divide(&[of(0); 9], area, SMALLEST, 1000);
        assert!(rects.is_empty() && seen == 0);
    }
}
