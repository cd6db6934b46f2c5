//! Which rows of a sheet are looked for.

use memchr::memmem;
use rayon::prelude::*;
use regex::Regex;

use super::fold::folded;
use super::sheet::{Mark, Place, Sheet};
use crate::asset::StringText;
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

impl Texts {
    fn are_in(&self, text: &str) -> bool {
        match self {
            Self::All => true,
            Self::Holding(wanted) => folded(text).contains(wanted),
            Self::Exact { text: wanted, .. } => text.contains(wanted),
            Self::Regex(regex) => regex.is_match(text),
        }
    }
}

/// A text as it is written in tables.
struct Exact<'a> {
    text: &'a str,
    units: memmem::Finder<'static>,
}

impl<'a> Exact<'a> {
    fn new(text: &'a str) -> Self {
        let units: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        Self { text, units: memmem::Finder::new(&units).into_owned() }
    }

    fn is_in(&self, own: StringText<'_>) -> bool {
        // Halves of pairs are looked for as what stands for them.
        if self.text.contains(char::REPLACEMENT_CHARACTER) {
            return own.to_string().contains(self.text);
        }
        let bytes = own.units.as_flattened();
        let mut at = 0;
        while let Some(found) = bytes.get(at..).and_then(|rest| self.units.find(rest)) {
            if (at + found).is_multiple_of(2) {
                return true;
            }
            at += found + 1;
        }
        false
    }
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
        let is_such = |row: usize| {
            key.is_of(self.key(row), names)
                && (query.only.is_empty()
                    || wanted.clone().any(|column| self.is_such(row, column, query.only)))
        };
        let blocks: Vec<_> = (0..self.len()).step_by(STEP).collect();
        let found = blocks.into_par_iter().map(|start| {
            task.check()?;
            let rows = start..(start + STEP).min(self.len());
            let mut found = vec![matches!(texts, Texts::All); rows.len()];
            for (column, holding) in wanted.clone().zip(&holding) {
                self.find_in(column, start, holding, &texts, &mut found);
            }
            let found = rows.zip(found).filter(|(row, is_found)| *is_found && is_such(*row));
            Ok(found.filter_map(|(row, _)| u32::try_from(row).ok()).collect())
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
        Ok(match texts {
            Texts::All => Vec::new(),
            Texts::Holding(folded) => column.folded().holding(folded),
            Texts::Exact { folded, text } => {
                let mut holding = column.folded().holding(folded);
                let exact = Exact::new(text);
                for (number, holds) in holding.iter_mut().enumerate().filter(|(_, holds)| **holds) {
                    *holds = table.text_of(number).is_some_and(|own| exact.is_in(own));
                }
                holding
            }
            Texts::Regex(regex) => {
                let matches = |start: usize| {
                    task.check()?;
                    let mut own = String::new();
                    let numbers = start..(start + STEP).min(table.ends().len() + 1);
                    let matches = numbers.map(|number| {
                        own.clear();
                        if let Some(text) = table.text_of(number) {
                            text.push_to(&mut own);
                        }
                        regex.is_match(&own)
                    });
                    Ok(matches.collect())
                };
                let blocks: Vec<_> = (0..=table.ends().len()).step_by(STEP).collect();
                blocks.into_par_iter().map(matches).collect::<Result<Vec<Vec<_>>>>()?.concat()
            }
        })
    }

    /// Adds to `found` the rows from `start` on whose texts are found; of one that begins inside another the end
    /// alone counts.
    fn find_in(&self, column: usize, start: usize, holding: &[bool], texts: &Texts, found: &mut [bool]) {
        let places = self.places(column).get(start..).unwrap_or_default();
        for ((row, place), is_found) in (start..).zip(places).zip(found) {
            match place {
                Place::Nowhere => {}
                Place::Whole(number) => {
                    *is_found |= holding.get(*number as usize).is_some_and(|holds| *holds);
                }
                Place::Inside => {
                    let own = self.text(row, column).map(|text| text.to_string());
                    *is_found |= own.is_some_and(|own| texts.are_in(&own));
                }
            }
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
            || (only.faulty && !has(|column, cell| column.table.has_fault(cell as usize)))
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
pub(super) mod tests {
    use super::super::sheet::tests::column;
    use super::*;
    use crate::strings::{Against, Sheet};

    pub(in crate::strings) fn sheet() -> Sheet {
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
}
