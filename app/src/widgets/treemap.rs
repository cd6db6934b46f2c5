//! Where the rectangles of a treemap stand: areas that are to each other as values are, and as near to
//! squares as one pass makes them (Bruls, Huizing and van Wijk, "Squarified Treemaps", 2000).

use egui::{Rect, pos2};

/// Divides an area: a rectangle for each value. Values are positive, and the largest stands first.
pub fn squarify(values: &[f64], area: Rect) -> Vec<Rect> {
    let total: f64 = values.iter().sum();
    let mut free = Free {
        left: area.left().into(),
        top: area.top().into(),
        width: f64::from(area.width()).max(0.0),
        height: f64::from(area.height()).max(0.0),
    };
    let scale = if total > 0.0 { free.width * free.height / total } else { 0.0 };
    let mut rects = Vec::with_capacity(values.len());
    let mut rest = values;
    while !rest.is_empty() {
        let (row, behind) = rest.split_at(row_len(rest, free.width.min(free.height), scale));
        free.place(row, scale, &mut rects);
        rest = behind;
    }
    rects
}

/// How many values the next row along a side has: as many as make its worst rectangle no longer.
fn row_len(values: &[f64], side: f64, scale: f64) -> usize {
    let (mut sum, mut best) = (0.0, f64::INFINITY);
    let largest = values.first().copied().unwrap_or_default();
    for (at, value) in values.iter().enumerate() {
        sum += value * scale;
        let depth = sum / side;
        let ratio = |value: f64| {
            let length = value * scale / depth;
            (length / depth).max(depth / length)
        };
        let worst = ratio(largest).max(ratio(*value));
        if at > 0 && worst > best {
            return at;
        }
        best = worst;
    }
    values.len()
}

/// What is not divided yet.
struct Free {
    left: f64,
    top: f64,
    width: f64,
    height: f64,
}

impl Free {
    /// Takes a row along the shorter side away.
    fn place(&mut self, row: &[f64], scale: f64, rects: &mut Vec<Rect>) {
        let is_wide = self.width >= self.height;
        let (side, most) = if is_wide { (self.height, self.width) } else { (self.width, self.height) };
        let sum: f64 = row.iter().sum();
        // The last row takes what rounding has left, and no more.
        let depth = (sum * scale / side).min(most).max(0.0);
        let mut at = 0.0;
        for value in row {
            let length = if sum > 0.0 { side * value / sum } else { 0.0 };
            let (left, top, width, height) = if is_wide {
                (self.left, self.top + at, depth, length)
            } else {
                (self.left + at, self.top, length, depth)
            };
            let corner = pos2(left as f32, top as f32);
            rects.push(Rect::from_min_max(corner, pos2((left + width) as f32, (top + height) as f32)));
            at += length;
        }
        if is_wide {
            self.left += depth;
            self.width -= depth;
        } else {
            self.top += depth;
            self.height -= depth;
        }
    }
}

#[cfg(test)]
mod tests {
    use egui::vec2;

    use super::*;

    /// Values of every size that look random, the largest first.
    fn values(seed: u32, count: u32) -> Vec<f64> {
        let mut values: Vec<_> = (0..count)
            .map(|at| {
                let mixed = (seed * 977 + at + 1).wrapping_mul(0x9E37_79B9);
                f64::from(mixed % 1_000) + 1.0 + if mixed.is_multiple_of(7) { 1e6 } else { 0.0 }
            })
            .collect();
        values.sort_by(|a, b| b.total_cmp(a));
        values
    }

    #[test]
    fn areas_are_as_the_values_and_fill_the_whole_without_overlap() {
        for (seed, count) in [(1, 1), (2, 2), (3, 7), (4, 60), (5, 900)] {
            let area = Rect::from_min_size(pos2(13.0, 7.0), vec2(900.0, 500.0));
            let values = values(seed, count);
            let rects = squarify(&values, area);
            assert_eq!(rects.len(), values.len());
            let total: f64 = values.iter().sum();
            for (value, rect) in values.iter().zip(&rects) {
                assert!(area.expand(0.01).contains_rect(*rect), "{rect:?}");
                let wanted = 450_000.0 * value / total;
                assert!((f64::from(rect.area()) - wanted).abs() < 1.0 + wanted * 1e-3, "{value} {rect:?}");
            }
            for (at, a) in rects.iter().enumerate() {
                for b in &rects[at + 1..] {
                    let both = a.intersect(*b);
                    assert!(both.width() < 0.01 || both.height() < 0.01, "{a:?} {b:?}");
                }
            }
        }
    }

    #[test]
    fn equal_values_make_rectangles_near_to_squares() {
        let area = Rect::from_min_size(pos2(0.0, 0.0), vec2(600.0, 400.0));
        for rect in squarify(&[1.0; 24], area) {
            assert!(rect.width() / rect.height() < 1.6 && rect.height() / rect.width() < 1.6, "{rect:?}");
        }
    }

    #[test]
    fn no_room_and_no_values_are_no_fault() {
        assert!(squarify(&[], Rect::from_min_size(pos2(0.0, 0.0), vec2(5.0, 5.0))).is_empty());
        let rects = squarify(&[3.0, 2.0, 1.0], Rect::from_min_size(pos2(4.0, 4.0), vec2(0.0, 9.0)));
        assert!(rects.iter().all(|rect| rect.area() == 0.0 && rect.is_finite()), "{rects:?}");
    }
}
