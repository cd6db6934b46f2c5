//! Which rows of a sheet are looked for, and their order.

use std::cmp::Ordering;

use rayon::prelude::*;
use regex::Regex;

use super::fold::folded;
use super::sheet::{Mark, Sheet};
use crate::error::{Error, Result};
use crate::hash::NameBook;
use crate::task::Task;

/// Rows between two looks at the task.
const STEP: usize = 1 << 13;

/// What rows are looked for; an empty one finds all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StringQuery {
    /// What texts hold.
    pub text: String,
    /// In which column; any of them when left out.
    pub column: Option<usize>,
    /// Whether it is a regular expression.
    pub is_regex: bool,
    /// Whether letter case and marks over and under letters count.
    pub is_exact: bool,
    /// What keys hold: digits of the hash, or a part of a known name.
    pub key: String,
    /// What else is true of rows.
    pub only: Only,
}

/// What is true of the rows that are looked for, each in the column that is asked for or in any.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is asked for by itself")]
pub struct Only {
    /// A text is there, and empty.
    pub empty: bool,
    /// Several rows of the table have the text.
    pub shared: bool,
    /// Something is wrong with the row.
    pub faulty: bool,
    /// The text is another one than the one that it is held against.
    pub changed: bool,
    /// There is none to hold it against.
    pub added: bool,
    /// There is only the other one.
    pub missing: bool,
    /// The text is the one that it is held against.
    pub same: bool,
}

impl Only {
    /// Whether nothing is asked for.
    pub fn is_empty(self) -> bool {
        self == Self::default()
    }

    fn wants_marks(self) -> bool {
        self.changed || self.added || self.missing || self.same
    }
}

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

/// How texts are matched.
enum Texts {
    All,
    Holding(String),
    /// As written: what holds the folded text may.
    Exact {
        folded: String,
        text: String,
    },
    Regex(Regex),
}

impl StringQuery {
    /// Whether all rows are found.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty() && self.key.trim().is_empty() && self.only.is_empty()
    }

    fn texts(&self) -> Result<Texts> {
        if self.text.is_empty() {
            return Ok(Texts::All);
        }
        if self.is_regex {
            let text = if self.is_exact { self.text.clone() } else { format!("(?i){}", self.text) };
            let regex = Regex::new(&text).map_err(|error| Error::usage(last_line(&error.to_string())))?;
            return Ok(Texts::Regex(regex));
        }
        let folded = folded(&self.text);
        Ok(if self.is_exact {
            Texts::Exact { folded, text: self.text.clone() }
        } else {
            Texts::Holding(folded)
        })
    }
}

/// What is wrong with an expression, without the drawing of where.
fn last_line(text: &str) -> String {
    let line = text.lines().last().unwrap_or_default();
    line.strip_prefix("error: ").unwrap_or(line).to_owned()
}

impl Sheet {
    /// The rows that a query finds, in their order.
    ///
    /// # Errors
    /// `Usage` when the regular expression is none; `Cancelled`.
    pub fn find_rows(&self, query: &StringQuery, names: &NameBook, task: &Task) -> Result<Vec<u32>> {
        let texts = query.texts()?;
        let wanted = self.wanted(query);
        let holding = wanted
            .clone()
            .into_par_iter()
            .map(|column| self.holding(column, &texts, task))
            .collect::<Result<Vec<_>>>()?;
        let key = Key::of(&query.key);
        let is_found = |row: usize| {
            key.is_of(self.key(row), names)
                && (matches!(texts, Texts::All)
                    || wanted.clone().zip(&holding).any(|(column, holding)| {
                        self.cell(row, column).is_some_and(|cell| self.holds(column, cell, holding, &texts))
                    }))
                && (query.only.is_empty()
                    || wanted.clone().any(|column| self.is_such(row, column, query.only)))
        };
        let blocks: Vec<_> = (0..self.len()).step_by(STEP).collect();
        let found = blocks.into_par_iter().map(|start| {
            task.check()?;
            let rows = start..(start + STEP).min(self.len());
            Ok(rows.filter(|row| is_found(*row)).filter_map(|row| u32::try_from(row).ok()).collect())
        });
        Ok(found.collect::<Result<Vec<Vec<_>>>>()?.concat())
    }

    fn wanted(&self, query: &StringQuery) -> std::ops::Range<usize> {
        match query.column.filter(|column| *column < self.columns.len()) {
            Some(column) => column..column + 1,
            None => 0..self.columns.len(),
        }
    }

    /// Which texts of a column are found, by their numbers; for [`Texts::All`] none is looked at.
    fn holding(&self, column: usize, texts: &Texts, task: &Task) -> Result<Vec<bool>> {
        task.check()?;
        let Some(column) = self.columns.get(column) else { return Ok(Vec::new()) };
        let table = &column.table;
        let start = |number: usize| table.text_at(table.start_of(number));
        Ok(match texts {
            Texts::All => Vec::new(),
            Texts::Holding(folded) => column.folded().holding(folded),
            Texts::Exact { folded, text } => {
                let mut holding = column.folded().holding(folded);
                for (number, holds) in holding.iter_mut().enumerate().filter(|(_, holds)| **holds) {
                    *holds = start(number).is_some_and(|own| own.to_string().contains(text));
                }
                holding
            }
            Texts::Regex(regex) => {
                let mut own = String::new();
                let mut holding = Vec::new();
                for number in 0..=table.ends().len() {
                    if number % STEP == 0 {
                        task.check()?;
                    }
                    own.clear();
                    if let Some(text) = start(number) {
                        own.extend(text.chars());
                    }
                    holding.push(regex.is_match(&own));
                }
                holding
            }
        })
    }

    /// Whether the text of a row is found; of one that begins inside another the end alone counts.
    fn holds(&self, column: usize, cell: u32, holding: &[bool], texts: &Texts) -> bool {
        let Some(column) = self.columns.get(column) else { return false };
        let number = column.number(cell);
        let is_whole = column
            .table
            .rows
            .get(cell as usize)
            .is_some_and(|row| row.start == column.table.start_of(number));
        let is_found = holding.get(number).is_some_and(|holds| *holds);
        if is_whole {
            return is_found;
        }
        let Some(text) = column.table.text(cell as usize) else { return false };
        let own = || text.to_string();
        match texts {
            Texts::All => true,
            Texts::Holding(wanted) => is_found && folded(&own()).contains(wanted),
            Texts::Exact { text: wanted, .. } => is_found && own().contains(wanted),
            Texts::Regex(regex) => regex.is_match(&own()),
        }
    }

    fn is_such(&self, row: usize, column: usize, only: Only) -> bool {
        let cell = self.cell(row, column);
        let of = self.columns.get(column).zip(cell);
        let has = |is: fn(&super::Column, u32) -> bool| of.is_some_and(|(column, cell)| is(column, cell));
        let is_empty = |column: &super::Column, cell: u32| {
            column.table.text(cell as usize).is_some_and(|text| text.units.is_empty())
        };
        if (only.empty && !has(is_empty))
            || (only.shared && !has(|column, cell| column.shared(cell) > 1))
            || (only.faulty && !has(|column, cell| !column.table.faults(cell as usize).is_empty()))
        {
            return false;
        }
        // Of several marks one is enough: a row has but one.
        let wanted = |mark: Mark| match mark {
            Mark::Changed => only.changed,
            Mark::Added => only.added,
            Mark::Missing => only.missing,
            Mark::Same => only.same,
            Mark::Absent | Mark::Plain => false,
        };
        !only.wants_marks() || wanted(self.mark(row, column))
    }

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
        let sort = |rows: &mut [u32], cmp: &(dyn Fn(u32, u32) -> Ordering + Sync)| {
            rows.par_sort_by(|a, b| if is_descending { cmp(*b, *a) } else { cmp(*a, *b) });
        };
        match order {
            Order::Table if is_descending => rows.sort_by(|a, b| b.cmp(a)),
            Order::Table => rows.sort_unstable(),
            Order::Key => sort(rows, &|a, b| self.key(at(a)).cmp(&self.key(at(b)))),
            Order::Name => {
                let name = |row| names.names(self.key(at(row))).next();
                // What has no name is at the end, whichever way.
                rows.par_sort_by(|a, b| match (name(*a), name(*b)) {
                    (Some(a), Some(b)) if is_descending => b.cmp(a),
                    (Some(a), Some(b)) => a.cmp(b),
                    (a, b) => b.is_some().cmp(&a.is_some()),
                });
            }
            Order::Text(column) => {
                let text = |row| self.folded_text(at(row), column);
                sort(rows, &|a, b| text(a).cmp(text(b)));
            }
            Order::Units(column) => {
                let units = |row| self.text(at(row), column).map_or(0, |text| text.units.len() + 1);
                sort(rows, &|a, b| units(a).cmp(&units(b)));
            }
            Order::Shared(column) => {
                let shared = |row| {
                    let of = self.columns.get(column).zip(self.cell(at(row), column));
                    of.map_or(0, |(column, cell)| column.shared(cell))
                };
                sort(rows, &|a, b| shared(a).cmp(&shared(b)));
            }
        }
        task.check()
    }

    /// The text in a cell, folded; empty where there is none.
    fn folded_text(&self, row: usize, column: usize) -> &str {
        let of = self.columns.get(column).zip(self.cell(row, column));
        of.map_or("", |(column, cell)| column.folded().text(column.number(cell)))
    }
}

/// What a key is looked for by.
struct Key {
    digits: Option<String>,
    name: String,
}

impl Key {
    fn of(wanted: &str) -> Self {
        let name = wanted.trim().to_ascii_lowercase();
        let digits = name.strip_prefix("0x").unwrap_or(&name);
        let is_hash =
            !digits.is_empty() && digits.len() <= 8 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        Self { digits: is_hash.then(|| digits.to_owned()), name }
    }

    fn is_of(&self, key: u32, names: &NameBook) -> bool {
        let has_digits = |digits: &String| format!("{key:08x}").contains(digits);
        self.name.is_empty()
            || self.digits.as_ref().is_some_and(has_digits)
            || names.names(key).any(|name| name.to_ascii_lowercase().contains(&self.name))
    }
}

#[cfg(test)]
mod tests {
    use super::super::sheet::tests::column;
    use super::*;
    use crate::strings::{Against, Sheet};

    fn sheet() -> Sheet {
        let english = column("en", &[(1, "The Sword"), (2, "Orc"), (4, ""), (0xDCDB_4713, "Urfael")]);
        let german = column("de", &[(1, "Das Schwert"), (2, "Orc"), (3, "Über"), (0xDCDB_4713, "URFAEL")]);
        Sheet::of_tables(vec![english, german], Against::Column(0))
    }

    fn found(query: &StringQuery) -> Vec<u32> {
        let mut names = NameBook::new();
        names.extend(["UI_1Sword_Starting_N"]);
        sheet().find_rows(query, &names, &Task::new()).unwrap()
    }

    fn text(text: &str) -> StringQuery {
        StringQuery { text: text.to_owned(), ..StringQuery::default() }
    }

    #[test]
    fn texts_are_found_in_any_column_or_in_one() {
        assert_eq!(found(&text("")), [0, 1, 2, 3, 4]);
        assert_eq!(found(&text("UBER")), [2], "marks and case do not count");
        assert_eq!(found(&text("urfael")), [4]);
        assert_eq!(found(&StringQuery { is_exact: true, ..text("urfael") }), [0; 0]);
        assert_eq!(found(&StringQuery { is_exact: true, ..text("URFAEL") }), [4]);
        assert_eq!(found(&StringQuery { column: Some(0), ..text("schwert") }), [0; 0]);
        assert_eq!(found(&StringQuery { is_regex: true, ..text("^(the|das) ") }), [0]);
        assert_eq!(found(&StringQuery { is_regex: true, is_exact: true, ..text("^(the|das) ") }), [0; 0]);
    }

    #[test]
    fn an_expression_that_is_none_says_why() {
        let query = StringQuery { is_regex: true, ..text("(a") };
        let error = sheet().find_rows(&query, &NameBook::new(), &Task::new()).unwrap_err();
        assert_eq!(error.to_string(), "unclosed group");
    }

    #[test]
    fn keys_are_found_by_digits_and_by_names() {
        let key = |key: &str| found(&StringQuery { key: key.to_owned(), ..StringQuery::default() });
        assert_eq!(key("0xdcdb"), [4]);
        assert_eq!(key("4713"), [4]);
        assert_eq!(key("sword_start"), [4]);
        assert_eq!(key("nobody"), [0; 0]);
    }

    #[test]
    fn rows_are_found_by_what_is_true_of_them() {
        let only = |only| found(&StringQuery { only, ..StringQuery::default() });
        assert_eq!(only(Only { empty: true, ..Only::default() }), [3]);
        assert_eq!(only(Only { changed: true, ..Only::default() }), [0, 4]);
        assert_eq!(only(Only { missing: true, added: true, ..Only::default() }), [2, 3]);
        assert_eq!(only(Only { same: true, ..Only::default() }), [1]);
        assert_eq!(only(Only { faulty: true, ..Only::default() }), [0; 0]);
    }

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
