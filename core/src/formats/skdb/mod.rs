//! SKDB version 9, the table of texts of Middle-earth: Shadow of War (`.strdb`).
//!
//! | offset | type | name | meaning |
//! |---|---|---|---|
//! | 0x00 | char\[4\] | magic | `SKDB` |
//! | 0x04 | u32 | version | 9 |
//! | 0x08 | u32 | header_size | 28: where the rows begin |
//! | 0x0C | u32 | count | rows |
//! | 0x10 | u32 | unknown_10 | 0 |
//! | 0x14 | u32 | text_units | units of all texts, with their NULs |
//! | 0x18 | u32 | unknown_18 | 0 |
//! | header_size | [`Row`] × count | rows | ascending keys; several may have one text |
//! | | u16 × text_units | text | UTF-16, lowest byte first, a NUL behind each text |
//!
//! A key is the [`string_hash`](crate::hash::string_hash) of a name that the file does not have. Source: notes on
//! the tables of fourteen languages, which agree with two public parsers.

mod write;

pub use self::write::write;
use crate::asset::{Asset, Kind, STRING_ROW, StringFault, StringRow, StringTable};
use crate::error::{Error, Result};
use crate::format::Format;
use crate::parse::{Fact, Hash, Reader, Table};
use crate::record;

/// The row of the format table.
pub static FORMAT: Format = Format {
    id: "skdb",
    title: "SKDB v9 string table",
    game: "Middle-earth: Shadow of War",
    kind: Kind::Strings,
    extensions: &["strdb"],
    file_names: &[],
    magics: &[b"SKDB"],
    parse,
    sample,
};

/// The only version that is read.
pub const VERSION: u32 = 9;

/// Bytes of the header.
const HEADER: u32 = 0x1C;

/// Where the header states its own size and how many rows there are.
const STATED: std::ops::Range<usize> = 8..16;

/// Letters of a text that are shown beside its row.
const SHOWN: usize = 80;

record! {
    /// A key and its text, 8 bytes.
    pub struct Row {
        /// The hash of the key's name.
        key: Hash,
        /// The first unit of the text.
        offset: u32,
    }
}

fn parse(r: &mut Reader<'_>) -> Result<Asset> {
    let (count, text_units) = r.group("header", |r| {
        r.magic("magic", &[b"SKDB"])?;
        match r.u32("version")? {
            VERSION => {}
            version => return Err(r.unsupported(format!("version {version}, expected {VERSION}"))),
        }
        let size = r.u32("header_size")?;
        let Some(more) = size.checked_sub(HEADER) else {
            return Err(r.malformed(format!("{size} bytes, expected {HEADER}")));
        };
        if more > 0 {
            r.warn(format!("{size} bytes, expected {HEADER}"));
        }
        let count = r.u32("count")?;
        zero(r, "unknown_10")?;
        let text_units = r.u32("text_units")?;
        zero(r, "unknown_18")?;
        if more > 0 {
            r.bytes("unknown_1c", more.into())?;
        }
        let rows = r.left() / STRING_ROW;
        if u64::from(count) > rows {
            let at = r.pos();
            r.warn(format!("{count} rows are stated before {at:#X}, there is room for {rows}"));
        }
        Ok((u64::from(count).min(rows), text_units))
    })?;
    let rows = r.table::<Row>("rows", count, Some(note))?;
    let unit_offset = r.pos();
    let left = r.left();
    let units = r.data().slice(r.data().len() - usize::try_from(left).unwrap_or(0)..);
    let row = |Row { key: Hash(key), offset }: Row| StringRow { key, start: offset };
    let table = StringTable::new(rows.iter().map(row).collect(), units, [rows.offset_of(0), unit_offset]);
    read_text(r, &table)?;
    if r.left() > 0 {
        let left = r.left();
        r.bytes("trailing", left)?;
        r.warn("a byte more than whole units");
    }
    if table.unit_count() as u64 != u64::from(text_units) {
        let text = format!("{text_units} units are stated, {} are there", table.unit_count());
        r.warn_at(|| crate::parse::Warning {
            field: "header.text_units".to_owned(),
            offset: 0x14,
            len: 4,
            text,
        });
    }
    check(r, &table, rows);
    r.fact("version", || VERSION);
    r.fact("keys", || table.len() as u64);
    r.fact("texts", || table.ends().len() as u64);
    r.fact("text_units", || table.unit_count() as u64);
    Ok(Asset::Strings(table))
}

/// Reads a word that is 0 in all files that were seen.
fn zero(r: &mut Reader<'_>, name: &'static str) -> Result<()> {
    match r.u32(name)? {
        0 => {}
        other => r.warn(format!("{other}, expected 0")),
    }
    Ok(())
}

/// Names the texts in the structure, each with its NUL.
fn read_text(r: &mut Reader<'_>, table: &StringTable) -> Result<()> {
    let (start, len) = (r.pos(), table.units.len() as u64);
    if !r.is_recording() {
        return r.seek(start + len);
    }
    let last = table.ends().last().map_or(0, |end| u64::from(*end) + 1);
    let is_open = 2 * last < len;
    let count = table.ends().len() as u64 + u64::from(is_open);
    let bytes_of = |number: usize| {
        let own = table.ends().get(number).map(|end| u64::from(*end) + 1);
        let end = own.unwrap_or_else(|| table.unit_count() as u64);
        2 * (end - u64::from(table.start_of(number)))
    };
    let read =
        |r: &mut Reader<'_>, at| r.utf16(at, bytes_of(usize::try_from(at).unwrap_or(usize::MAX))).map(drop);
    r.list("text", count, 0, read).map(drop)
}

/// Tells what is wrong with rows; of texts with halves of pairs only how many there are.
fn check(r: &mut Reader<'_>, table: &StringTable, rows: Table<'_, Row>) {
    if !r.is_recording() {
        return;
    }
    for (at, row) in table.rows.iter().enumerate() {
        let place = table.faults_of_place(row.start);
        let key = table.fault_of_key(at);
        for (field, fault) in
            place.into_iter().map(|fault| ("offset", fault)).chain(key.map(|fault| ("key", fault)))
        {
            r.warn_row(("rows", rows), at, field, || fault.words().to_owned());
        }
    }
    let lone = (0..=table.ends().len()).filter(|number| {
        table.text_at(table.start_of(*number)).is_some_and(|text| text.has_lone_surrogate())
    });
    for number in lone {
        let start = table.start_of(number);
        let len = table.text_at(start).map_or(0, |text| 2 * text.units.len() as u64);
        let field = format!("text[{number}]");
        let (offset, text) = (table.unit_offset + 2 * u64::from(start), StringFault::LoneSurrogate.words());
        r.warn_at(|| crate::parse::Warning { field, offset, len, text: text.to_owned() });
    }
}

/// The text of a row, from the row and the whole file.
fn note(row: &[u8], file: &[u8]) -> String {
    let word = |bytes: &[u8]| bytes.first_chunk().map(|word| u32::from_le_bytes(*word) as usize);
    let found = || {
        let stated = file.get(STATED)?;
        let (header, count) = (word(stated)?, word(stated.get(4..)?)?);
        let rows = count.min(file.len().checked_sub(header)? / 8);
        let start = header + 8 * rows + 2 * word(row.get(4..)?)?;
        let (units, _) = file.get(start..)?.as_chunks();
        let units = units.iter().map(|unit| u16::from_le_bytes(*unit)).take_while(|unit| *unit != 0);
        let mut letters =
            char::decode_utf16(units).map(|letter| letter.unwrap_or(char::REPLACEMENT_CHARACTER));
        let text: String = letters.by_ref().take(SHOWN).collect();
        Some(if letters.next().is_some() { text + "…" } else { text })
    };
    found().unwrap_or_default()
}

/// Rows of a table as facts are; a text that is not there is left out.
///
/// # Errors
/// `Limit` where rows take more than `most` bytes: many of them may share a long text.
pub fn rows(table: &StringTable, most: usize) -> Result<Vec<Fact>> {
    /// Bytes of a fact beside its text.
    const FACT: usize = 256;
    let mut left = most;
    let mut rows = Vec::new();
    for (at, own) in table.rows.iter().enumerate() {
        let text = table.text(at);
        let size = FACT + text.map_or(0, |text| 2 * text.units.len());
        left =
            left.checked_sub(size).ok_or_else(|| Error::limit(format!("rows of more than {most} bytes")))?;
        let mut row = vec![("key", format!("0x{:08X}", own.key).into())];
        row.extend(text.map(|text| ("text", text.to_string().into())));
        rows.push(Fact::Map(row));
    }
    Ok(rows)
}

/// A table of a shared text, an empty one, and letters of several scripts.
fn sample() -> Vec<u8> {
    let rows = [(1, "Urfael"), (2, ""), (7, "Азкар"), (9, "アズカル 🗡"), (0xDCDB_4713, "Urfael")];
    let rows = rows.map(|(key, text)| (key, text.encode_utf16().collect::<Vec<_>>()));
    // What is written is small enough for every field.
    write(&StringTable::of(rows.iter().map(|(key, text)| (*key, &**text)))).unwrap_or_default()
}

#[cfg(test)]
mod tests;
