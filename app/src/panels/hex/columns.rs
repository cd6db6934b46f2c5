//! Where things stand in a row of bytes.

use egui::Ui;

use super::PER_ROW;
use crate::theme;

/// Where things stand in a row, in points.
pub(super) struct Columns {
    /// Digits of an offset.
    pub(super) digits: usize,
    /// The width of a letter.
    pub(super) advance: f32,
    pub(super) offset: f32,
    pub(super) hex: f32,
    pub(super) text: f32,
}

impl Columns {
    pub(super) fn new(ui: &Ui, len: u64, left: f32) -> Self {
        let advance = ui.ctx().fonts_mut(|fonts| fonts.glyph_width(&theme::mono(theme::DENSE), '0'));
        let digits = format!("{len:X}").len().max(8);
        let offset = left + 12.0;
        let hex = offset + (digits as f32 + 2.0) * advance;
        // Three characters a byte, one more in the middle and two behind.
        let text = hex + (3.0 * PER_ROW as f32 + 2.0) * advance;
        Self { digits, advance, offset, hex, text }
    }

    /// The left edge of a byte's two digits.
    pub(super) fn hex_x(&self, at: u64) -> f32 {
        let gap = if at >= PER_ROW / 2 { 1.0 } else { 0.0 };
        self.hex + (3.0 * at as f32 + gap) * self.advance
    }

    pub(super) fn text_x(&self, at: u64) -> f32 {
        self.text + at as f32 * self.advance
    }

    /// The byte of a row that a point is over.
    pub(super) fn byte_at(&self, x: f32) -> u64 {
        let in_text = x >= self.text - self.advance;
        let place = if in_text {
            (x - self.text) / self.advance
        } else {
            let middle = self.hex_x(PER_ROW / 2) - self.advance;
            let x = if x > middle { x - self.advance } else { x };
            (x - self.hex + self.advance / 2.0) / (3.0 * self.advance)
        };
        (place.max(0.0) as u64).min(PER_ROW - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_find_their_bytes_in_both_columns() {
        let columns = Columns { digits: 8, advance: 7.0, offset: 12.0, hex: 82.0, text: 432.0 };
        for at in 0..PER_ROW {
            assert_eq!(columns.byte_at(columns.hex_x(at) + 7.0), at);
            assert_eq!(columns.byte_at(columns.text_x(at) + 3.0), at);
        }
        assert_eq!(columns.byte_at(0.0), 0);
        assert_eq!(columns.byte_at(9000.0), PER_ROW - 1);
    }
}
