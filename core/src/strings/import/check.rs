//! What a file says otherwise than the sheet.

use std::cmp::Ordering;
use std::collections::HashSet;

use super::super::export::titles;
use super::super::sheet::Sheet;
use super::{Holds, Imported};
use crate::asset::StringText;
use crate::error::{Error, Result};
use crate::task::Task;

/// Rows between two looks at the task.
const STEP: usize = 1 << 12;

/// One place where a file says otherwise than the sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The hash of the key.
    pub key: u32,
    /// What it is.
    pub kind: DifferenceKind,
}

/// How a file says otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DifferenceKind {
    /// The texts are not alike, or only one of them is there.
    Changed {
        /// The row of the sheet.
        row: u32,
        /// The column of the sheet.
        column: usize,
        /// The row of the file.
        imported: usize,
        /// The column of the file.
        imported_column: usize,
    },
    /// The file does not have the row.
    Missing {
        /// The row of the sheet.
        row: u32,
    },
    /// The sheet does not have the key, or not as many times.
    Unknown {
        /// The row of the file.
        imported: usize,
    },
}

/// Holds a file against a sheet: the differences in the order of keys. Columns are found by their titles; those that
/// the file does not have are not looked at. Of a key that comes several times the first stands for the first, and so
/// on. What the form of the file cannot hold is no difference.
///
/// # Errors
/// `NotFound` when a column of the file is none of the sheet, `Malformed` when two of its columns are called alike;
/// `Cancelled`.
pub fn check(sheet: &Sheet, imported: &Imported, task: &Task) -> Result<Vec<Difference>> {
    let columns = columns(sheet, imported)?;
    let mut own: Vec<(u32, u32)> =
        (0u32..).zip(0..sheet.len()).map(|(at, row)| (sheet.key(row), at)).collect();
    let mut other: Vec<(u32, usize)> = imported.rows.iter().map(|row| row.key).zip(0..).collect();
    own.sort_unstable();
    other.sort_unstable();
    let (mut own, mut other) = (own.into_iter().peekable(), other.into_iter().peekable());
    let mut found = Vec::new();
    for step in 0usize.. {
        if step % STEP == 0 {
            task.check()?;
        }
        let order = match (own.peek(), other.peek()) {
            (None, None) => break,
            (Some(own), Some(other)) => own.0.cmp(&other.0),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
        };
        let row = own.next_if(|_| order.is_le());
        let its = other.next_if(|_| order.is_ge());
        match (row, its) {
            (Some((key, row)), Some((_, at))) => {
                let texts = imported.rows.get(at).map_or(&[][..], |row| &row.texts);
                for (imported_column, (column, text)) in columns.iter().zip(texts).enumerate() {
                    if !is_same(sheet.text(row as usize, *column), text.as_deref(), imported.holds) {
                        let kind =
                            DifferenceKind::Changed { row, column: *column, imported: at, imported_column };
                        found.push(Difference { key, kind });
                    }
                }
            }
            (Some((key, row)), None) => found.push(Difference { key, kind: DifferenceKind::Missing { row } }),
            (None, Some((key, imported))) => {
                found.push(Difference { key, kind: DifferenceKind::Unknown { imported } });
            }
            (None, None) => break,
        }
    }
    Ok(found)
}

/// The column of the sheet for each of the file.
fn columns(sheet: &Sheet, imported: &Imported) -> Result<Vec<usize>> {
    let titles = titles(sheet);
    let mut taken = HashSet::new();
    let column = |title: &String| {
        let found = titles.iter().position(|own| own == title).ok_or_else(|| {
            Error::not_found(format!("no column is called {title:?}, there are {}", titles.join(", ")))
        })?;
        if taken.insert(found) {
            Ok(found)
        } else {
            Err(Error::malformed(format!("two columns are called {title:?}")))
        }
    };
    imported.titles.iter().map(column).collect()
}

fn is_same(own: Option<StringText<'_>>, other: Option<&[u16]>, holds: Holds) -> bool {
    match (own, other) {
        (None, None) => true,
        (Some(own), None) => !holds.missing && own.units.is_empty(),
        (None, Some(other)) => !holds.missing && other.is_empty(),
        (Some(own), Some(other)) if holds.halves => own.values().eq(other.iter().copied()),
        (Some(own), Some(other)) => {
            let letters = char::decode_utf16(other.iter().copied());
            own.chars().eq(letters.map(|letter| letter.unwrap_or(char::REPLACEMENT_CHARACTER)))
        }
    }
}
