//! Saying which field of a file is wrong: warnings and errors with a place.

use std::borrow::Cow;

use super::name::Name;
use super::reader::Reader;
use super::record::{Record, Table};
use super::warning::Warning;
use crate::error::{Error, ErrorKind};

impl Reader<'_> {
    /// Warns about the newest field.
    pub fn warn(&mut self, text: impl Into<String>) {
        let (name, range) = self.last.clone();
        let field = self.path_to(&name);
        self.warnings.add(|| Warning {
            field: Name::join(&field),
            offset: range.start as u64,
            len: range.len() as u64,
            text: text.into(),
        });
    }

    /// Adds a warning about bytes anywhere in the buffer.
    pub fn warn_at(&mut self, warning: impl FnOnce() -> Warning) {
        self.warnings.add(warning);
    }

    /// Warns about one field of a record of the open group that was read already; `start` is the record's.
    pub fn warn_in<T: Record>(
        &mut self,
        (record, start): (&'static str, u64),
        field: &'static str,
        text: impl Into<String>,
    ) {
        let range = T::LAYOUT.range_of(field);
        let path = self.path_into(record, field);
        self.warnings.add(|| Warning {
            field: Name::join(&path),
            offset: start + range.start,
            len: range.end - range.start,
            text: text.into(),
        });
    }

    /// Warns about one field of a row of a table that was read already; `name` is that of the table below the
    /// open group.
    pub fn warn_row<T: Record>(
        &mut self,
        (name, table): (&'static str, Table<'_, T>),
        row: usize,
        field: &'static str,
        text: impl FnOnce() -> String,
    ) {
        let range = T::LAYOUT.range_of(field);
        let path = &self.path;
        self.warnings.add(|| {
            let own = [name.into(), Name::Index(row as u64), field.into()];
            let path: Vec<_> = path.iter().cloned().chain(own).collect();
            Warning {
                field: Name::join(&path),
                offset: table.offset_of(row) + range.start,
                len: range.end - range.start,
                text: text(),
            }
        });
    }

    /// Places an error at one field of a record, see [`warn_in`](Self::warn_in).
    pub fn blame_in<T: Record>(
        &self,
        (record, start): (&'static str, u64),
        field: &'static str,
        error: Error,
    ) -> Error {
        error.at(start + T::LAYOUT.range_of(field).start).in_fields(self.path_into(record, field))
    }

    /// Places an error at one field of a row of a table, see [`warn_row`](Self::warn_row).
    pub fn blame_row<T: Record>(
        &self,
        (name, table): (&'static str, Table<'_, T>),
        row: usize,
        field: &'static str,
        error: Error,
    ) -> Error {
        let own = [name.into(), Name::Index(row as u64), field.into()];
        let path = self.path.iter().cloned().chain(own).collect();
        error.at(table.offset_of(row) + T::LAYOUT.range_of(field).start).in_fields(path)
    }

    /// The error that the newest field breaks a rule.
    pub fn malformed(&self, text: impl Into<Cow<'static, str>>) -> Error {
        self.blame(Error::malformed(text))
    }

    /// The error that this program cannot read what the newest field asks for.
    pub fn unsupported(&self, text: impl Into<Cow<'static, str>>) -> Error {
        self.blame(Error::unsupported(text))
    }

    /// Places an error at the newest field.
    pub fn blame(&self, error: Error) -> Error {
        let (name, range) = &self.last;
        error.at(range.start as u64).in_fields(self.path_to(name))
    }

    pub(super) fn eof(&self, name: &Name, wanted: u64) -> Error {
        let kind = ErrorKind::Eof { wanted, left: self.left() };
        Error::new(kind).at(self.pos()).in_fields(self.path_to(name))
    }

    fn path_into(&self, record: &'static str, field: &'static str) -> Vec<Name> {
        self.path.iter().cloned().chain([record.into(), field.into()]).collect()
    }

    fn path_to(&self, name: &Name) -> Vec<Name> {
        self.path.iter().chain([name]).cloned().collect()
    }
}
