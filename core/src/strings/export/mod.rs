//! Sheets of texts as files that spreadsheets, scripts and translators' programs read: CSV, TSV, JSON, PO.
//!
//! Rows are in the order of the sheet, or in that of a list. CSV, TSV and PO hold characters alone: half of a
//! surrogate pair becomes `U+FFFD` in them and is told of; JSON keeps it. See [`import`](super::import) for the way
//! back.

mod json;
mod out;
mod po;
mod separated;
mod tally;

use std::collections::HashSet;
use std::io::Write;

use self::out::Out;
pub(super) use self::po::{REFERENCE, TARGET};
use self::separated::Separated;
use self::tally::Tally;
use super::sheet::{Against, Sheet};
use crate::asset::{StringFault, StringText};
use crate::error::{Error, Result};
use crate::export::{Exported, Form, Told};
use crate::hash::NameBook;
use crate::task::Task;

/// Bytes of the largest file that is made. Rows may share one long text, so that a small table can ask for more.
const LARGEST: u64 = 1 << 30;

/// What of a sheet is written.
#[derive(Clone, Copy, Debug)]
pub struct SheetExport<'a> {
    /// The sheet.
    pub sheet: &'a Sheet,
    /// Names of keys.
    pub names: &'a NameBook,
    /// The rows, in the order in which they are written; all when left out.
    pub rows: Option<&'a [u32]>,
    /// The column; all when left out. In a PO the texts of this one are the translations.
    pub column: Option<usize>,
    /// Whether a CSV or TSV begins with a byte order mark, without which some spreadsheets take it for another
    /// encoding.
    pub has_bom: bool,
}

/// A file in the making.
struct Draft<'a> {
    export: &'a SheetExport<'a>,
    titles: Vec<String>,
    out: Out<'a>,
    tally: Tally,
}

/// A character, or half of a surrogate pair.
type Letter = Result<char, u16>;

/// Makes the files of a form, each given to `sink` as soon as it is made: one of all columns, or a PO of each that
/// is held against another. Nothing is written where texts are missing; what is wrong with rows is told.
///
/// # Errors
/// `Unsupported` when a sheet has no such form, `NotFound` when there is no such column, `Limit` when a file would be
/// larger than 1 GB; `Cancelled`; what the sink says.
pub fn export_sheet(
    export: &SheetExport<'_>,
    form: Form,
    task: &Task,
    sink: &mut dyn FnMut(Exported) -> Result<()>,
) -> Result<Told> {
    let targets = if form == Form::Po { export.targets()? } else { vec![export.column] };
    let titles = titles(export.sheet);
    let mut told = Told::default();
    for target in &targets {
        let mut bytes = Vec::new();
        let of_file = write_sheet(&SheetExport { column: *target, ..*export }, form, task, &mut bytes)?;
        let title = target.filter(|_| titles.len() > 1).and_then(|target| titles.get(target));
        // A name of a layer or folder is one part of a path, whatever it holds.
        let title = title.map(|title| format!(".{}", title.replace(['/', '\\'], "_"))).unwrap_or_default();
        sink(Exported { ending: format!("{title}.{form}"), bytes, is_cut: false })?;
        for (all, more) in [(&mut told.missing, of_file.missing), (&mut told.notes, of_file.notes)] {
            for text in more {
                if !all.contains(&text) {
                    all.push(text);
                }
            }
        }
    }
    Ok(told)
}

/// Writes one file; see [`export_sheet`]. A PO has the texts of the column that is asked for, or else of the only
/// one.
///
/// # Errors
/// See [`export_sheet`]; what the writer says.
pub fn write_sheet(
    export: &SheetExport<'_>,
    form: Form,
    task: &Task,
    writer: &mut dyn Write,
) -> Result<Told> {
    write_up_to(export, form, LARGEST, task, writer)
}

fn write_up_to(
    export: &SheetExport<'_>,
    form: Form,
    most: u64,
    task: &Task,
    writer: &mut dyn Write,
) -> Result<Told> {
    let columns = export.columns()?;
    let out = Out::new(writer, most, task);
    let mut draft = Draft { export, titles: titles(export.sheet), out, tally: Tally::default() };
    match form {
        Form::Csv => separated::write(&mut draft, &columns, Separated::Commas)?,
        Form::Tsv => separated::write(&mut draft, &columns, Separated::Tabs)?,
        Form::Json => json::write(&mut draft, &columns)?,
        Form::Po => po::write(&mut draft, export.column.unwrap_or(0))?,
        other => return Err(Error::unsupported(format!("tables of texts are not written as {other}"))),
    }
    draft.out.finish()?;
    Ok(draft.tally.told(&draft.titles, form))
}

impl SheetExport<'_> {
    /// The columns that are written.
    fn columns(&self) -> Result<Vec<usize>> {
        let count = self.sheet.columns.len();
        match self.column {
            None => Ok((0..count).collect()),
            Some(column) if column < count => Ok(vec![column]),
            Some(column) => Err(Error::not_found(format!("no column {column}, there are {count}"))),
        }
    }

    /// The columns that have a PO of their own: those that are held against another, or the only one.
    fn targets(&self) -> Result<Vec<Option<usize>>> {
        let columns = self.columns()?;
        if self.column.is_some() {
            return Ok(vec![self.column]);
        }
        let held: Vec<_> = columns.into_iter().filter(|column| self.reference(*column).is_some()).collect();
        Ok(if held.is_empty() { vec![None] } else { held.into_iter().map(Some).collect() })
    }

    /// The column whose texts the translations of another one are held against.
    fn reference(&self, column: usize) -> Option<usize> {
        match self.sheet.against {
            Against::Nothing => Some(0).filter(|first| *first != column),
            Against::Column(_) | Against::Before => self.sheet.against(column),
        }
    }

    /// The rows that are written.
    fn rows(&self) -> impl Iterator<Item = usize> + use<'_> {
        let count = self.rows.map_or(self.sheet.len(), <[u32]>::len);
        let row = |nth: usize| match self.rows {
            Some(rows) => rows.get(nth).map(|row| *row as usize),
            None => Some(nth),
        };
        (0..count).filter_map(row).filter(|row| *row < self.sheet.len())
    }

    /// The known name of a row's key; the first where several are known.
    fn name(&self, row: usize) -> Option<&str> {
        self.names.names(self.sheet.key(row)).next()
    }
}

impl<'a> Draft<'a> {
    /// The text in a cell; what is wrong with its place and key is noted.
    fn text(&mut self, row: usize, column: usize) -> Option<StringText<'a>> {
        let sheet = self.export.sheet;
        let cell = sheet.cell(row, column)?;
        for fault in self.faults(row, column) {
            self.tally.add(column, fault, sheet.key(row));
        }
        sheet.columns.get(column)?.table.text(cell as usize)
    }

    /// What is wrong with a row of a column, its letters aside.
    fn faults(&self, row: usize, column: usize) -> Vec<StringFault> {
        let sheet = self.export.sheet;
        let (Some(column), Some(cell)) = (sheet.columns.get(column), sheet.cell(row, column)) else {
            return Vec::new();
        };
        let (table, cell) = (&column.table, cell as usize);
        let mut faults = table.rows.get(cell).map_or_else(Vec::new, |own| table.faults_of_place(own.start));
        faults.extend(table.fault_of_key(cell));
        faults
    }

    /// Writes the letters of a cell's text; halves of pairs among them are noted.
    fn letters(
        &mut self,
        text: &StringText<'_>,
        row: usize,
        column: usize,
        put: fn(&mut Out<'_>, Letter) -> Result<()>,
    ) -> Result<()> {
        let mut has_half = false;
        for letter in char::decode_utf16(text.values()) {
            let letter = letter.map_err(|half| half.unpaired_surrogate());
            has_half |= letter.is_err();
            put(&mut self.out, letter)?;
        }
        if has_half {
            self.tally.add(column, StringFault::LoneSurrogate, self.export.sheet.key(row));
        }
        Ok(())
    }
}

/// What the columns are called in files: their titles without control characters, each once.
pub fn titles(sheet: &Sheet) -> Vec<String> {
    let mut taken = HashSet::from(["key".to_owned(), "name".to_owned()]);
    let mut unique = |title: &str| {
        let plain: String = title.chars().map(|c| if c.is_control() { '\u{FFFD}' } else { c }).collect();
        let mut own = plain.clone();
        for nth in 2u64.. {
            if taken.insert(own.clone()) {
                break;
            }
            own = format!("{plain} ({nth})");
        }
        own
    };
    match &*sheet.columns {
        [_] => vec!["text".to_owned()],
        columns => columns.iter().map(|column| unique(&column.title)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::asset::{StringRow, StringTable};
    use crate::strings::Column;

    /// A small table whose many rows all have one long text.
    fn hostile() -> Sheet {
        let units: Vec<u8> = [0x41, 0].repeat(1 << 20);
        let rows = (0..10_000).map(|key| StringRow { key, start: 0 }).collect();
        let table = StringTable::new(rows, units.into(), [0, 0]);
        Sheet::of_table(Column::new("a".to_owned(), "a.strdb".to_owned(), Arc::new(table)))
    }

    #[test]
    fn a_file_ends_at_the_limit_and_where_the_task_is_cancelled() {
        let (sheet, names) = (hostile(), NameBook::new());
        let export = SheetExport { sheet: &sheet, names: &names, rows: None, column: None, has_bom: false };
        let cancelled = Task::new();
        cancelled.cancel();
        for form in [Form::Csv, Form::Tsv, Form::Json, Form::Po] {
            let mut bytes = Vec::new();
            let error = write_up_to(&export, form, 5 << 20, &Task::new(), &mut bytes).unwrap_err();
            assert!(matches!(error.kind(), crate::error::ErrorKind::Limit(_)), "{error}");
            assert!(bytes.len() <= 5 << 20);
            let error = write_up_to(&export, form, 5 << 20, &cancelled, &mut bytes).unwrap_err();
            assert!(error.is_cancelled());
        }
    }

    #[test]
    fn columns_are_called_apart() {
        let column =
            |title: &str| Column::new(title.to_owned(), String::new(), Arc::new(StringTable::default()));
        let columns = ["a", "key", "a", "b\n"].map(column).into();
        assert_eq!(
            titles(&Sheet::of_tables(columns, Against::Before)),
            ["a", "key (2)", "a (2)", "b\u{FFFD}"]
        );
        assert_eq!(titles(&Sheet::of_table(column("a"))), ["text"]);
    }
}
