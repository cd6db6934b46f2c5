//! One line under the bytes: the selection, read as every kind of number.

use egui::{Rect, Ui};
use palimpsest_core::parse::{Endian, Scalar};

use super::source::Source;
use crate::format::number;
use crate::theme::{self, Theme};
use crate::widgets::text;

/// Draws the line; values that do not fit are left out.
pub(super) fn ui(ui: &Ui, rect: Rect, source: Source<'_>, theme: &Theme) {
    ui.painter().rect_filled(rect, 0.0, theme.panel);
    ui.painter().hline(rect.x_range(), rect.top(), theme.line());
    let row = rect.shrink2(egui::vec2(12.0, 0.0));
    let Some(selection) = &source.open.selection else {
        let hint = "Click a byte to see it as numbers.";
        text::left(ui, row, row.left(), row.right(), hint, theme::sans(theme::CAPTION), theme.muted);
        return;
    };
    let range = &selection.range;
    let mut parts = vec![("at", format!("{:#X}", range.start)), ("bytes", number(range.end - range.start))];
    let bytes = source.up_to(range.start, 8).unwrap_or_default();
    let scalars = [Scalar::U8, Scalar::U16, Scalar::U32, Scalar::I32, Scalar::F32];
    parts.extend(scalars.iter().filter_map(|scalar| read(*scalar, bytes)));
    if let Some(half) = bytes.first_chunk().map(|bytes| u16::from_le_bytes(*bytes)) {
        parts.push(("f16", format!("{:?}", half_float(half))));
    }
    parts.extend(read(Scalar::U64, bytes));
    let mut x = row.left();
    let font = theme::mono(theme::CAPTION);
    for (name, value) in parts {
        let letters = name.len() + value.len();
        let advance = ui.ctx().fonts_mut(|fonts| fonts.glyph_width(&font, '0'));
        if x + letters as f32 * advance + 6.0 > row.right() {
            break;
        }
        let name = text::left(ui, row, x, row.right(), name, font.clone(), theme.muted);
        let value =
            text::left(ui, row, name.right() + 6.0, row.right() + 1.0, &value, font.clone(), theme.text);
        x = value.right() + 16.0;
    }
}

fn read(scalar: Scalar, bytes: &[u8]) -> Option<(&'static str, String)> {
    Some((scalar.name(), scalar.read(bytes, Endian::Little)?.to_string()))
}

/// A half float as a float.
fn half_float(bits: u16) -> f32 {
    let sign = if bits & 0x8000 == 0 { 1.0 } else { -1.0 };
    let (exponent, fraction) = (i32::from(bits >> 10 & 0x1F), f32::from(bits & 0x3FF));
    match exponent {
        0 => sign * fraction * 2f32.powi(-24),
        31 if fraction == 0.0 => sign * f32::INFINITY,
        31 => f32::NAN,
        _ => sign * (1.0 + fraction / 1024.0) * 2f32.powi(exponent - 15),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_floats_are_read() {
        for (bits, expected) in
            [(0x3C00, 1.0), (0xC000, -2.0), (0x7BFF, 65504.0), (0x0001, 5.960_464_5e-8), (0, 0.0)]
        {
            assert!(
                (half_float(bits) - expected).abs() < f32::EPSILON * expected.abs().max(1e-7),
                "{bits:#X}"
            );
        }
        assert!(half_float(0x7C00).is_infinite() && half_float(0x7E00).is_nan());
    }
}
