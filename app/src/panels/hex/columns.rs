//! Where things stand in a row of bytes.

use egui::{Rect, Ui};

use crate::theme;

/// Bytes of a row, the more the wider the panel is. Pages of a large file are multiples of them.
const WIDTHS: [u64; 3] = [32, 16, 8];

/// The same where two files stand beside each other.
const HALF_WIDTHS: [u64; 3] = [16, 8, 4];

/// Letters between two files that stand beside each other.
const BETWEEN: f32 = 4.0;

/// Bytes between two gaps.
const GROUP: u64 = 8;

/// Where things stand in a row, in points.
pub(in crate::panels) struct Columns {
    /// Bytes of a row.
    pub(in crate::panels) per_row: u64,
    /// Digits of an offset.
    pub(in crate::panels) digits: usize,
    /// The width of a letter.
    pub(in crate::panels) advance: f32,
    pub(in crate::panels) offset: f32,
    pub(in crate::panels) hex: f32,
    pub(in crate::panels) text: f32,
}

impl Columns {
    /// As many bytes a row as fit into an area.
    pub(in crate::panels) fn new(ui: &Ui, len: u64, area: Rect) -> Self {
        let advance = ui.ctx().fonts_mut(|fonts| fonts.glyph_width(&theme::mono(theme::DENSE), '0'));
        let columns = WIDTHS.map(|per_row| Self::of(per_row, len, area.left(), advance));
        let [wide, usual, narrow] = columns;
        let fits = |columns: &Self| columns.text_x(columns.per_row) + 2.0 * advance < area.right();
        [wide, usual].into_iter().find(fits).unwrap_or(narrow)
    }

    /// Columns for two files beside each other, with as many bytes a row as fit into an area; offsets
    /// stand on the left.
    pub(in crate::panels) fn pair(ui: &Ui, len: u64, area: Rect) -> [Self; 2] {
        let advance = ui.ctx().fonts_mut(|fonts| fonts.glyph_width(&theme::mono(theme::DENSE), '0'));
        let pairs = HALF_WIDTHS.map(|per_row| {
            let left = Self::of(per_row, len, area.left(), advance);
            let right = left.beside();
            [left, right]
        });
        let [wide, usual, narrow] = pairs;
        let fits = |[_, right]: &[Self; 2]| right.text_x(right.per_row) + advance < area.right();
        [wide, usual].into_iter().find(fits).unwrap_or(narrow)
    }

    /// The columns of a second file to the right of these.
    fn beside(&self) -> Self {
        let hex = self.text_x(self.per_row) + BETWEEN * self.advance;
        Self { hex, text: hex + (self.text - self.hex), ..*self }
    }

    fn of(per_row: u64, len: u64, left: f32, advance: f32) -> Self {
        let digits = format!("{len:X}").len().max(8);
        let offset = left + 12.0;
        let hex = offset + (digits as f32 + 2.0) * advance;
        let letters = 3 * per_row + per_row / GROUP;
        Self { per_row, digits, advance, offset, hex, text: hex + letters as f32 * advance }
    }

    /// Whether a gap stands before a byte.
    pub(in crate::panels) const fn has_gap(at: u64) -> bool {
        at > 0 && at.is_multiple_of(GROUP)
    }

    /// The left edge of a byte's two digits.
    pub(in crate::panels) fn hex_x(&self, at: u64) -> f32 {
        self.hex + (3 * at + at / GROUP) as f32 * self.advance
    }

    pub(in crate::panels) fn text_x(&self, at: u64) -> f32 {
        self.text + at as f32 * self.advance
    }

    /// The byte of a row that a point is over, or next to.
    pub(in crate::panels) fn byte_at(&self, x: f32) -> u64 {
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
            let right = columns.beside();
            assert_eq!(right.byte_at(right.hex_x(3)), 3);
            assert!(
                right.hex > columns.text_x(per_row) && right.text - right.hex == columns.text - columns.hex
            );
            assert_eq!(columns.byte_at(9000.0), per_row - 1);
        }
    }
}
