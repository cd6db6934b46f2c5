//! Where things stand in a row of bytes.

use egui::{Rect, Ui};

use crate::theme;

/// Bytes of a row, the more the wider the panel is. Pages of a large file are multiples of them.
const WIDTHS: [u64; 3] = [32, 16, 8];

/// Bytes between two gaps.
const GROUP: u64 = 8;

/// Where things stand in a row, in points.
pub(super) struct Columns {
    /// Bytes of a row.
    pub(super) per_row: u64,
    /// Digits of an offset.
    pub(super) digits: usize,
    /// The width of a letter.
    pub(super) advance: f32,
    pub(super) offset: f32,
    pub(super) hex: f32,
    pub(super) text: f32,
}

impl Columns {
    /// As many bytes a row as fit into an area.
    pub(super) fn new(ui: &Ui, len: u64, area: Rect) -> Self {
        let advance = ui.ctx().fonts_mut(|fonts| fonts.glyph_width(&theme::mono(theme::DENSE), '0'));
        let columns = WIDTHS.map(|per_row| Self::of(per_row, len, area.left(), advance));
        let [wide, usual, narrow] = columns;
        let fits = |columns: &Self| columns.text_x(columns.per_row) + 2.0 * advance < area.right();
        [wide, usual].into_iter().find(fits).unwrap_or(narrow)
    }

    fn of(per_row: u64, len: u64, left: f32, advance: f32) -> Self {
        let digits = format!("{len:X}").len().max(8);
        let offset = left + 12.0;
        let hex = offset + (digits as f32 + 2.0) * advance;
        let letters = 3 * per_row + per_row / GROUP;
        Self { per_row, digits, advance, offset, hex, text: hex + letters as f32 * advance }
    }

    /// Whether a gap stands before a byte.
    pub(super) const fn has_gap(at: u64) -> bool {
        at > 0 && at.is_multiple_of(GROUP)
    }

    /// The left edge of a byte's two digits.
    pub(super) fn hex_x(&self, at: u64) -> f32 {
        self.hex + (3 * at + at / GROUP) as f32 * self.advance
    }

    pub(super) fn text_x(&self, at: u64) -> f32 {
        self.text + at as f32 * self.advance
    }

    /// The byte of a row that a point is over, or next to.
    pub(super) fn byte_at(&self, x: f32) -> u64 {
        if x >= self.text - self.advance / 2.0 {
            let place = (x - self.text) / self.advance;
            return (place.max(0.0) as u64).min(self.per_row - 1);
        }
        // The space around a byte is its own on both sides.
        let is_before = |at: &u64| x < self.hex_x(*at + 1) - self.advance / 2.0;
        (0..self.per_row).find(is_before).unwrap_or(self.per_row - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_find_their_bytes_in_both_columns() {
        for per_row in WIDTHS {
            let columns = Columns::of(per_row, 100, 0.0, 7.0);
            for at in 0..per_row {
                assert_eq!(columns.byte_at(columns.hex_x(at) + 7.0), at);
                assert_eq!(columns.byte_at(columns.text_x(at) + 3.0), at);
            }
            assert_eq!(columns.byte_at(0.0), 0);
            assert_eq!(columns.byte_at(9000.0), per_row - 1);
        }
    }
}
