//! The order of the rows of a sheet.

use rayon::prelude::*;

use super::sheet::Sheet;
use crate::error::Result;
use crate::hash::NameBook;
use crate::task::Task;

/// By what rows are ordered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// As they are in the file; by key where there are several.
    #[default]
    Table,
    /// By the hash.
    Key,
    /// By the known name; rows without one at the end.
    Name,
    /// By the text of a column, letter case and marks aside.
    Text(usize),
    /// By the units of the text of a column.
    Units(usize),
    /// By how many rows of a column have the text.
    Shared(usize),
}

impl Sheet {
    /// Brings rows into an order; equal ones keep theirs.
    ///
    /// # Errors
    /// `Cancelled`.
    pub fn order(
        &self,
        rows: &mut [u32],
        order: Order,
        is_descending: bool,
        names: &NameBook,
        task: &Task,
    ) -> Result<()> {
        task.check()?;
        let at = |row: u32| row as usize;
        match order {
            Order::Table if is_descending => rows.sort_by(|a, b| b.cmp(a)),
            Order::Table => rows.sort_unstable(),
            Order::Key => sort(rows, is_descending, |row| self.key(at(row))),
            Order::Name => {
                let name = |row: &u32| (names.names(self.key(at(*row))).next(), *row);
                let mut named: Vec<_> = rows.par_iter().map(name).collect();
                // What has no name is at the end, whichever way.
                named.par_sort_by(|(a, _), (b, _)| match (a, b) {
                    (Some(a), Some(b)) if is_descending => b.cmp(a),
                    (Some(a), Some(b)) => a.cmp(b),
                    (a, b) => b.is_some().cmp(&a.is_some()),
                });
                put(rows, named.into_iter().map(|(_, row)| row));
            }
            Order::Text(column) => {
                // The beginning decides nearly always, and lies beside the row.
                sort(rows, is_descending, |row| {
                    let text = self.folded_text(at(row), column);
                    (beginning(text), text)
                });
            }
            Order::Units(column) => {
                let units = |row| self.text(at(row), column).map_or(0, |text| text.units.len() + 1);
                sort(rows, is_descending, units);
            }
            Order::Shared(column) => {
                sort(rows, is_descending, |row| {
                    let of = self.columns.get(column).zip(self.cell(at(row), column));
                    of.map_or(0, |(column, cell)| column.shared(cell))
                });
            }
        }
        task.check()
    }

    /// The text in a cell, folded, in UTF-8; empty where there is none. What begins inside another text is taken
    /// as the whole of it.
    fn folded_text(&self, row: usize, column: usize) -> &[u8] {
        let Some((column, cell)) = self.columns.get(column).zip(self.cell(row, column)) else { return &[] };
        let start = column.table.rows.get(cell as usize).map_or(u32::MAX, |row| row.start);
        column.folded().text(column.table.number_of(start))
    }
}

/// Brings rows into the order of their values; equal ones keep theirs.
fn sort<V: Ord + Send>(rows: &mut [u32], is_descending: bool, value: impl Fn(u32) -> V + Sync) {
    let mut valued: Vec<_> = rows.par_iter().map(|row| (value(*row), *row)).collect();
    valued.par_sort_by(|(a, _), (b, _)| if is_descending { b.cmp(a) } else { a.cmp(b) });
    put(rows, valued.into_iter().map(|(_, row)| row));
}

fn put(rows: &mut [u32], sorted: impl Iterator<Item = u32>) {
    rows.iter_mut().zip(sorted).for_each(|(row, sorted)| *row = sorted);
}

/// The first bytes of a text as a number of the same order.
fn beginning(text: &[u8]) -> u128 {
    let mut bytes = [0; 16];
    bytes.iter_mut().zip(text).for_each(|(byte, own)| *byte = *own);
    u128::from_be_bytes(bytes)
}

#[cfg(test)]
mod tests {
    use super::super::query::tests::sheet;
    use super::*;

    #[test]
    fn rows_are_ordered() {
        let sheet = sheet();
        let mut names = NameBook::new();
        names.extend(["UI_1Sword_Starting_N"]);
        let ordered = |order, is_descending| {
            let mut rows = vec![0, 1, 2, 3, 4];
            sheet.order(&mut rows, order, is_descending, &names, &Task::new()).unwrap();
            rows
        };
        assert_eq!(ordered(Order::Text(1), false), [3, 0, 1, 2, 4]);
        assert_eq!(ordered(Order::Text(1), true), [4, 2, 1, 0, 3]);
        assert_eq!(ordered(Order::Key, true), [4, 3, 2, 1, 0]);
        assert_eq!(ordered(Order::Name, true), [4, 0, 1, 2, 3]);
        assert_eq!(ordered(Order::Units(0), false), [2, 3, 1, 4, 0]);
        assert_eq!(ordered(Order::Table, true), [4, 3, 2, 1, 0]);
    }
}
