//! Where the columns of a table of texts stand.

use egui::Rect;
use palimpsest_core::strings::{Order, Sheet};

/// Points of a key.
const KEY: f32 = 92.0;
/// Points of a name at first.
const NAME: f32 = 150.0;
/// Points of a number.
const NUMBER: f32 = 56.0;
/// Points of the narrowest column.
const NARROWEST: f32 = 60.0;
/// Points of a text at least, before the columns are scrolled.
const READABLE: f32 = 110.0;

/// What a column shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shows {
    /// The hash of the key.
    Key,
    /// Its name, where it is known.
    Name,
    /// The text of a table.
    Text(usize),
    /// Its units.
    Units(usize),
    /// How many rows have it.
    Shared(usize),
}

impl Shows {
    /// By what rows are ordered when the column is clicked.
    pub(super) const fn order(self) -> Order {
        match self {
            Self::Key => Order::Key,
            Self::Name => Order::Name,
            Self::Text(column) => Order::Text(column),
            Self::Units(column) => Order::Units(column),
            Self::Shared(column) => Order::Shared(column),
        }
    }
}

/// The columns and their widths.
#[derive(Debug, Default)]
pub(super) struct Columns {
    /// What each shows, and where it begins and ends.
    pub(super) places: Vec<(Shows, [f32; 2])>,
    /// The widths that were set by hand, by the number of the column; they share the room.
    widths: Vec<f32>,
    /// How far the columns are scrolled, and how far they can be.
    scrolled: f32,
    beyond: f32,
}

impl Columns {
    /// Places the columns of a sheet in an area; what is left of it is shared by the texts.
    pub(super) fn lay_out(&mut self, area: Rect, sheet: &Sheet) {
        let texts = (0..sheet.columns.len()).map(Shows::Text);
        let mut shows: Vec<_> = [Shows::Key, Shows::Name].into_iter().chain(texts).collect();
        if sheet.columns.len() == 1 {
            shows.extend([Shows::Units(0), Shows::Shared(0)]);
        }
        if self.widths.len() != shows.len() {
            let first = |shows: &Shows| match shows {
                Shows::Key => KEY,
                Shows::Name => NAME,
                Shows::Text(_) => 200.0,
                Shows::Units(_) | Shows::Shared(_) => NUMBER,
            };
            self.widths = shows.iter().map(first).collect();
        }
        let is_text = |shows: &Shows| matches!(shows, Shows::Text(_));
        let sum = |of_texts: bool| {
            let own = shows.iter().zip(&self.widths).filter(|(shows, _)| is_text(shows) == of_texts);
            own.map(|(_, width)| width).sum::<f32>()
        };
        let room = area.width() - 18.0 - sum(false);
        let wanted = room.max(READABLE * sheet.columns.len() as f32);
        self.beyond = wanted - room;
        self.scrolled = self.scrolled.clamp(0.0, self.beyond);
        let share = wanted / sum(true).max(1.0);
        let mut x = area.left() + 8.0 - self.scrolled;
        self.places = shows
            .into_iter()
            .zip(&self.widths)
            .map(|(shows, width)| {
                let width = if is_text(&shows) { width * share } else { *width };
                let place = [x, x + width];
                x += width;
                (shows, place)
            })
            .collect();
    }

    /// Makes a column wider, and the next one as much narrower.
    pub(super) fn widen(&mut self, at: usize, by: f32) {
        let shown = |at: usize| self.places.get(at).map(|(shows, [start, end])| (*shows, end - start));
        let (Some((_, own)), Some((_, next))) = (shown(at), shown(at + 1)) else { return };
        let by = by.clamp(NARROWEST.min(own) - own, next - NARROWEST.min(next));
        for (at, width, by) in [(at, own, by), (at + 1, next, -by)] {
            // A width of a text is a share of the room: what is drawn now stands for it.
            if let Some(set) = self.widths.get_mut(at) {
                *set *= (width + by) / width.max(1.0);
            }
        }
    }

    /// Scrolls to the right.
    pub(super) fn scroll(&mut self, by: f32) {
        self.scrolled = (self.scrolled + by).clamp(0.0, self.beyond);
    }

    /// Scrolls as far as the text of a table is in an area.
    pub(super) fn reveal(&mut self, column: usize, area: Rect) {
        if let Some([start, end]) = self.place_of(column) {
            let past = (end + 10.0 - area.right()).max(0.0);
            let before = (area.left() + 8.0 - start).max(0.0);
            self.scroll(if before > 0.0 { -before } else { past });
        }
    }

    /// Where the text of a table begins and ends.
    pub(super) fn place_of(&self, column: usize) -> Option<[f32; 2]> {
        self.places.iter().find(|(shows, _)| *shows == Shows::Text(column)).map(|(_, place)| *place)
    }

    /// The column at a place.
    pub(super) fn at(&self, x: f32) -> Option<Shows> {
        self.places.iter().find(|(_, [start, end])| (*start..*end).contains(&x)).map(|(shows, _)| *shows)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use egui::{pos2, vec2};
    use palimpsest_core::asset::StringTable;
    use palimpsest_core::strings::{Against, Column};

    use super::*;

    #[test]
    fn texts_share_the_room_and_columns_are_widened_at_the_cost_of_the_next() {
        let column = |title: &str| {
            let table = StringTable::of([(1, &[65u16][..])]);
            Column::new(title.to_owned(), String::new(), Arc::new(table))
        };
        let many = Sheet::of_tables((0..14).map(|at| column(&at.to_string())).collect(), Against::Before);
        let sheet = Sheet::of_tables(vec![column("a"), column("b")], Against::Column(0));
        let area = Rect::from_min_size(pos2(10.0, 0.0), vec2(900.0, 100.0));
        let mut columns = Columns::default();
        columns.lay_out(area, &sheet);
        let width = |columns: &Columns, at: usize| columns.places[at].1[1] - columns.places[at].1[0];
        assert!((width(&columns, 2) - width(&columns, 3)).abs() < 0.01);
        assert!((columns.places[3].1[1] - (area.right() - 10.0)).abs() < 0.01);
        columns.widen(2, 50.0);
        columns.lay_out(area, &sheet);
        assert!((width(&columns, 2) - width(&columns, 3) - 100.0).abs() < 0.5);
        columns.widen(2, 5000.0);
        columns.lay_out(area, &sheet);
        assert!((width(&columns, 3) - NARROWEST).abs() < 0.5);
        assert_eq!(columns.at(20.0), Some(Shows::Key));
        assert_eq!(columns.at(area.right() - 20.0), Some(Shows::Text(1)));
        let mut columns = Columns::default();
        columns.lay_out(area, &many);
        assert!((width(&columns, 2) - READABLE).abs() < 0.01);
        columns.reveal(13, area);
        columns.lay_out(area, &many);
        assert_eq!(columns.at(area.right() - 20.0), Some(Shows::Text(13)));
        columns.reveal(0, area);
        columns.lay_out(area, &many);
        assert!(columns.places[2].1[0] >= area.left());
    }
}
