//! Tables of texts side by side: one alone, one of each language, or one of each layer.

use std::sync::{Arc, OnceLock};

use rayon::prelude::*;

use super::fold::Folded;
use crate::asset::{StringTable, StringText};
use crate::mount::CopyRef;

/// A cell without a text.
const NONE: u32 = u32::MAX;

/// Where the text of a cell is in its table.
#[derive(Clone, Copy, Debug)]
pub(super) enum Place {
    /// There is none.
    Nowhere,
    /// It is the whole text with a number, see [`StringTable::number_of`].
    Whole(u32),
    /// It begins inside another one.
    Inside,
}

/// Keys in rows, tables in columns.
#[derive(Debug, Default)]
pub struct Sheet {
    /// The tables.
    pub columns: Vec<Column>,
    /// The hash of each row's key.
    keys: Vec<u32>,
    /// For each column and each row the row of the table, or [`NONE`].
    cells: Vec<Vec<u32>>,
    /// For each column and each row where the text is.
    places: Vec<Vec<Place>>,
    /// What a text is held against.
    pub against: Against,
}

/// What a text is held against.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Against {
    /// Nothing: there is one table.
    #[default]
    Nothing,
    /// The text of this column, such as that of the English one.
    Column(usize),
    /// The text of the column before, which is the layer below.
    Before,
}

/// A table in a sheet.
#[derive(Debug)]
pub struct Column {
    /// What tells it from the others: a language, or a layer.
    pub title: String,
    /// The path.
    pub path: String,
    /// The copy.
    pub copy: Option<CopyRef>,
    /// Whether the copy wins.
    pub is_winner: bool,
    /// The table.
    pub table: Arc<StringTable>,
    /// How many rows have the text of each row.
    shared: Vec<u32>,
    folded: OnceLock<Folded>,
}

/// How a text is beside the one that it is held against.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mark {
    /// There is none on either side.
    Absent,
    /// It is the one that others are held against, or is held against nothing.
    Plain,
    /// It is the same.
    Same,
    /// It is another one.
    Changed,
    /// There is none to hold it against.
    Added,
    /// There is only the other one.
    Missing,
}

impl Mark {
    /// The mark in one word; empty where there is nothing to say.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Absent | Self::Plain => "",
            Self::Same => "same",
            Self::Changed => "changed",
            Self::Added => "added",
            Self::Missing => "missing",
        }
    }
}

impl Column {
    /// A column of a table.
    pub fn new(title: String, path: String, table: Arc<StringTable>) -> Self {
        Self {
            title,
            path,
            copy: None,
            is_winner: false,
            shared: table.shared(),
            folded: OnceLock::new(),
            table,
        }
    }

    /// The column of a copy.
    #[must_use]
    pub fn of_copy(self, copy: CopyRef, is_winner: bool) -> Self {
        Self { copy: Some(copy), is_winner, ..self }
    }

    /// How many rows of the table have the text of a row.
    pub fn shared(&self, row: u32) -> u32 {
        self.shared.get(row as usize).copied().unwrap_or(0)
    }

    /// The texts without letter case and marks; made when first asked for.
    pub(super) fn folded(&self) -> &Folded {
        self.folded.get_or_init(|| Folded::of(&self.table))
    }
}

/// Where the text of a row is.
fn place(table: &StringTable, row: u32) -> Place {
    let Some(start) = table.rows.get(row as usize).map(|row| row.start) else { return Place::Nowhere };
    let number = table.number_of(start);
    match u32::try_from(number) {
        Ok(whole) if table.start_of(number) == start => Place::Whole(whole),
        _ => Place::Inside,
    }
}

/// The rows of a table in the order of their keys; `None` where they are in it.
fn by_key(table: &StringTable) -> Option<Vec<u32>> {
    if table.rows.is_sorted_by_key(|row| row.key) {
        return None;
    }
    let mut rows: Vec<_> = (0u32..).zip(&table.rows).map(|(at, row)| (row.key, at)).collect();
    rows.sort_unstable();
    Some(rows.into_iter().map(|(_, at)| at).collect())
}

/// Ascending keys of both, each as often as the one has it that has it more often.
fn union(a: &[u32], b: &[u32]) -> Vec<u32> {
    let mut out = Vec::with_capacity(a.len().max(b.len()));
    let (mut a, mut b) = (a.iter().peekable(), b.iter().peekable());
    while let (Some(first), Some(second)) = (a.peek(), b.peek()) {
        let least = *first.min(second);
        out.push(*least);
        a.next_if_eq(&least);
        b.next_if_eq(&least);
    }
    out.extend(a.chain(b));
    out
}

impl Sheet {
    /// One table, its rows in the order of the file.
    pub fn of_table(column: Column) -> Self {
        let keys: Vec<_> = column.table.rows.iter().map(|row| row.key).collect();
        let cells = (0u32..).zip(&keys).map(|(at, _)| at).collect();
        Self::new(vec![column], keys, vec![cells], Against::Nothing)
    }

    /// Several tables: a row for each key that any of them has, ascending. A key that a table has several times
    /// has as many rows.
    pub fn of_tables(columns: Vec<Column>, against: Against) -> Self {
        let orders: Vec<_> = columns.par_iter().map(|column| by_key(&column.table)).collect();
        let rows_of = |at: usize| {
            let rows = columns.get(at).map_or(&[][..], |column| &column.table.rows);
            let order = orders.get(at).and_then(Option::as_deref);
            (0u32..).zip(rows).filter_map(move |(nth, row)| match order {
                None => Some((row.key, nth)),
                Some(order) => {
                    let at = *order.get(nth as usize)?;
                    Some((rows.get(at as usize)?.key, at))
                }
            })
        };
        let keys = (0..columns.len())
            .into_par_iter()
            .map(|at| rows_of(at).map(|(key, _)| key).collect::<Vec<_>>())
            .reduce(Vec::new, |a, b| union(&a, &b));
        let cells_of = |at: usize| {
            let mut own = rows_of(at).peekable();
            let cell = |key: &u32| own.next_if(|(next, _)| next == key).map_or(NONE, |(_, row)| row);
            keys.iter().map(cell).collect()
        };
        let cells = (0..columns.len()).into_par_iter().map(cells_of).collect();
        Self::new(columns, keys, cells, against)
    }

    fn new(columns: Vec<Column>, keys: Vec<u32>, cells: Vec<Vec<u32>>, against: Against) -> Self {
        let places_of = |(column, cells): (&Column, &Vec<u32>)| {
            cells.iter().map(|row| place(&column.table, *row)).collect()
        };
        let places = columns.par_iter().zip(&cells).map(places_of).collect();
        Self { columns, keys, cells, places, against }
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// The hash of a row's key.
    pub fn key(&self, row: usize) -> u32 {
        self.keys.get(row).copied().unwrap_or(0)
    }

    /// The first row of a key.
    pub fn find(&self, key: u32) -> Option<usize> {
        self.keys.iter().position(|own| *own == key)
    }

    /// The row of a column's table.
    pub fn cell(&self, row: usize, column: usize) -> Option<u32> {
        self.cells.get(column)?.get(row).copied().filter(|cell| *cell != NONE)
    }

    /// Where the texts of a column are, row by row.
    pub(super) fn places(&self, column: usize) -> &[Place] {
        self.places.get(column).map_or(&[], |places| places)
    }

    /// The text in a cell; `None` where there is none.
    pub fn text(&self, row: usize, column: usize) -> Option<StringText<'_>> {
        let table = &self.columns.get(column)?.table;
        match self.places(column).get(row)? {
            Place::Nowhere => None,
            Place::Whole(number) => table.text_of(*number as usize),
            Place::Inside => table.text(self.cell(row, column)? as usize),
        }
    }

    /// The column that a text of another one is held against.
    pub fn against(&self, column: usize) -> Option<usize> {
        match self.against {
            Against::Nothing => None,
            Against::Column(other) => Some(other).filter(|other| *other != column),
            Against::Before => column.checked_sub(1),
        }
    }

    /// How the text in a cell is beside the one that it is held against.
    pub fn mark(&self, row: usize, column: usize) -> Mark {
        let own = self.text(row, column);
        let Some(other) = self.against(column) else {
            return if own.is_some() { Mark::Plain } else { Mark::Absent };
        };
        match (own, self.text(row, other)) {
            (None, None) => Mark::Absent,
            (Some(_), None) => Mark::Added,
            (None, Some(_)) => Mark::Missing,
            (Some(own), Some(other)) if own.units == other.units => Mark::Same,
            (Some(_), Some(_)) => Mark::Changed,
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::asset::StringRow;

    /// A column of keys and texts.
    pub(in crate::strings) fn column(title: &str, rows: &[(u32, &str)]) -> Column {
        let rows: Vec<_> =
            rows.iter().map(|(key, text)| (*key, text.encode_utf16().collect::<Vec<_>>())).collect();
        let table = StringTable::of(rows.iter().map(|(key, text)| (*key, &**text)));
        Column::new(title.to_owned(), format!("{title}\\a.strdb"), Arc::new(table))
    }

    fn text(sheet: &Sheet, row: usize, column: usize) -> Option<String> {
        sheet.text(row, column).map(|text| text.to_string())
    }

    #[test]
    fn languages_stand_beside_each_other_and_are_held_against_one() {
        let english = column("en", &[(1, "Sword"), (2, "Orc"), (4, "")]);
        let german = column("de", &[(1, "Schwert"), (2, "Orc"), (3, "Neu")]);
        let sheet = Sheet::of_tables(vec![english, german], Against::Column(0));
        assert_eq!((0..sheet.len()).map(|row| sheet.key(row)).collect::<Vec<_>>(), [1, 2, 3, 4]);
        assert_eq!(text(&sheet, 0, 1).as_deref(), Some("Schwert"));
        assert_eq!((text(&sheet, 3, 0).as_deref(), text(&sheet, 3, 1)), (Some(""), None));
        let marks: Vec<_> = (0..4).map(|row| [0, 1].map(|column| sheet.mark(row, column))).collect();
        use Mark::{Absent, Added, Changed, Missing, Plain, Same};
        assert_eq!(marks, [[Plain, Changed], [Plain, Same], [Absent, Added], [Plain, Missing]]);
    }

    #[test]
    fn layers_are_held_against_the_one_below() {
        let columns = vec![
            column("base", &[(1, "a"), (2, "b")]),
            column("patch", &[(1, "A"), (2, "b"), (3, "c")]),
            column("top", &[(1, "A"), (3, "c")]),
        ];
        let sheet = Sheet::of_tables(columns, Against::Before);
        use Mark::{Absent, Added, Changed, Missing, Plain, Same};
        let marks: Vec<_> = (0..3).map(|row| [0, 1, 2].map(|column| sheet.mark(row, column))).collect();
        assert_eq!(marks, [[Plain, Changed, Same], [Plain, Same, Missing], [Absent, Added, Same]]);
    }

    #[test]
    fn a_key_that_comes_twice_or_out_of_order_has_as_many_rows() {
        let rows = [(5, 0), (3, 1), (5, 2)].map(|(key, start)| StringRow { key, start }).to_vec();
        let units = vec![0u8; 6];
        let table = Arc::new(StringTable::new(rows, units.into(), [0, 0]));
        let own = |title: &str| Column::new(title.to_owned(), String::new(), Arc::clone(&table));
        let alone = Sheet::of_table(own("a"));
        assert_eq!((0..3).map(|row| alone.key(row)).collect::<Vec<_>>(), [5, 3, 5], "as in the file");
        let sheet = Sheet::of_tables(vec![own("a"), own("b"), column("c", &[(5, "x")])], Against::Before);
        let cells: Vec<_> = (0..3).map(|row| [0, 1, 2].map(|column| sheet.cell(row, column))).collect();
        assert_eq!(cells, [[Some(1), Some(1), None], [Some(0), Some(0), Some(0)], [Some(2), Some(2), None]]);
    }
}
