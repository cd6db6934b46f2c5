//! Where the columns stand: as wide as the visible rows need, names first, then values.

use egui::{Rect, Ui};

use super::draw::{Cells, MEANING_GAP, name_start};
use crate::theme;

/// Between two columns.
const GAP: f32 = 8.0;
/// Room for most values; their meanings are shown where there is more.
const ENOUGH_VALUE: f32 = 72.0;

/// The edges of the columns.
#[derive(Debug, PartialEq)]
pub(super) struct Columns {
    pub(super) name_end: f32,
    /// Where types start and end; `None` where there is no room for them.
    pub(super) ty: Option<(f32, f32)>,
    /// Where values start and end.
    pub(super) value: (f32, f32),
    /// The right edge of offsets; `None` where there is no room for them.
    pub(super) offset: Option<f32>,
}

/// How wide each column has to be so that nothing in it is cut.
#[derive(Debug)]
pub(super) struct Needs {
    name: f32,
    ty: f32,
    value: f32,
    offset: f32,
}

impl Needs {
    /// What these rows need, each with its depth.
    pub(super) fn of(ui: &Ui, rows: impl Iterator<Item = (Cells, u16)>) -> Self {
        let advance = |size| ui.ctx().fonts_mut(|fonts| fonts.glyph_width(&theme::mono(size), '0'));
        let (dense, caption) = (advance(theme::DENSE), advance(theme::CAPTION));
        let width = |text: &str, advance: f32| text.chars().count() as f32 * advance;
        // The header has its own words, in another face.
        let mut needs =
            Self { name: 0.0, ty: width("type", caption), value: 0.0, offset: width("offset", caption) };
        for (cells, depth) in rows {
            let value = width(&cells.value, dense);
            // A meaning that would be cut all the same takes nothing from the other columns.
            let with_meaning = value + MEANING_GAP + width(&cells.meaning, caption);
            let is_short = !cells.meaning.is_empty() && with_meaning <= ENOUGH_VALUE;
            let value = if is_short { with_meaning } else { value };
            needs.name = needs.name.max(name_start(depth) + width(&cells.name, dense));
            needs.ty = needs.ty.max(width(&cells.ty, caption));
            needs.value = needs.value.max(value);
            needs.offset = needs.offset.max(width(&cells.offset, caption));
        }
        needs
    }
}

impl Columns {
    /// Names get what they need as long as a little of the values can be seen. Types and offsets
    /// are shown where values have enough besides.
    pub(super) fn new(area: Rect, needs: &Needs) -> Self {
        /// What names leave to values.
        const LEAST_VALUE: f32 = 56.0;
        /// Names of records can be long; their start says enough.
        const WIDEST_TYPE: f32 = 96.0;
        let (left, right) = (area.left(), area.right() - 14.0);
        let room = (right - left).max(0.0);
        let name = needs.name.min(room - GAP - needs.value.min(LEAST_VALUE)).max(0.0);
        let mut spare = room - name - GAP - needs.value.min(ENOUGH_VALUE);
        let mut fits = |width: f32| {
            let fits = spare >= width + GAP;
            spare -= if fits { width + GAP } else { 0.0 };
            fits
        };
        let ty = needs.ty.min(WIDEST_TYPE);
        let name_end = left + name + 2.0;
        let after_name = left + name + GAP;
        let ty = fits(ty).then_some((after_name, after_name + ty + 2.0));
        let offset = (ty.is_some() && fits(needs.offset)).then_some(right);
        let value = ty.map_or(after_name, |(_, end)| end - 2.0 + GAP);
        let value_end = offset.map_or(right, |right| right - needs.offset - GAP);
        Self { name_end, ty, value: (value, value_end), offset }
    }
}

#[cfg(test)]
mod tests {
    use egui::{pos2, vec2};

    use super::*;

    fn columns(width: f32) -> Columns {
        let needs = Needs { name: 120.0, ty: 50.0, value: 400.0, offset: 30.0 };
        Columns::new(Rect::from_min_size(pos2(10.0, 0.0), vec2(width, 100.0)), &needs)
    }

    #[test]
    fn what_has_no_room_goes_from_the_last_column_to_the_first() {
        let all = columns(400.0);
        assert_eq!((all.ty, all.offset), (Some((138.0, 190.0)), Some(396.0)));
        assert_eq!(all.value, (196.0, 358.0));
        let no_offset = columns(290.0);
        assert_eq!((no_offset.ty, no_offset.offset), (all.ty, None));
        let no_type = columns(270.0);
        assert_eq!((no_type.ty, no_type.value), (None, (138.0, 266.0)));
        assert_eq!([all.name_end, no_offset.name_end, no_type.name_end], [132.0; 3]);
        // Names are cut last.
        assert_eq!(columns(200.0).name_end, 132.0);
        assert_eq!(columns(180.0).value, (120.0, 176.0));
    }
}
