//! Tables of fields: CSV, and TSV.
//!
//! The first line names the columns: `key,name,` and a title for each table, or `text` where there is one. Keys are
//! `0xDCDB4713`, names are empty where none is known.
//!
//! **CSV** is that of RFC 4180: lines end in CR LF, a quote inside quotes is doubled. Texts are always in quotes, line
//! breaks and all; a text that is missing is a field of nothing, and one that is empty a pair of quotes. A text that
//! begins with `=`, `+`, `-` or `@` is written as it is, so that it comes back as it was: a spreadsheet may take it for
//! a formula, unless its columns are read in as text.
//!
//! **TSV** has no quotes: a tab in a text is `\t`, its line breaks are `\n` and `\r`, a backslash is `\\`, and `\N`
//! alone stands for a text that is missing. Lines end in LF.

use super::{Draft, Letter, Out};
use crate::error::Result;

/// What stands between fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Separated {
    Commas,
    Tabs,
}

/// Writes the file.
pub(super) fn write(draft: &mut Draft<'_>, columns: &[usize], form: Separated) -> Result<()> {
    if draft.export.has_bom {
        draft.out.put("\u{FEFF}")?;
    }
    draft.out.put("key")?;
    form.next(&mut draft.out)?;
    draft.out.put("name")?;
    for column in columns {
        form.next(&mut draft.out)?;
        let title = draft.titles.get(*column).map_or("", |title| title);
        form.field(&mut draft.out, title)?;
    }
    form.end(&mut draft.out)?;
    let export = draft.export;
    for row in export.rows() {
        draft.out.put(&format!("0x{:08X}", export.sheet.key(row)))?;
        form.next(&mut draft.out)?;
        form.field(&mut draft.out, export.name(row).unwrap_or_default())?;
        for column in columns {
            form.next(&mut draft.out)?;
            form.text(draft, row, *column)?;
        }
        form.end(&mut draft.out)?;
    }
    Ok(())
}

impl Separated {
    fn next(self, out: &mut Out<'_>) -> Result<()> {
        out.put(if self == Self::Commas { "," } else { "\t" })
    }

    fn end(self, out: &mut Out<'_>) -> Result<()> {
        out.put(if self == Self::Commas { "\r\n" } else { "\n" })
    }

    /// A name or a title; in quotes only where it needs them.
    fn field(self, out: &mut Out<'_>, text: &str) -> Result<()> {
        match self {
            Self::Commas if text.contains([',', '"', '\r', '\n', ';', '\t']) => {
                out.put("\"")?;
                text.chars().try_for_each(|letter| quoted(out, Ok(letter)))?;
                out.put("\"")
            }
            Self::Commas => out.put(text),
            Self::Tabs => text.chars().try_for_each(|letter| escaped(out, Ok(letter))),
        }
    }

    fn text(self, draft: &mut Draft<'_>, row: usize, column: usize) -> Result<()> {
        let Some(text) = draft.text(row, column) else {
            return if self == Self::Commas { Ok(()) } else { draft.out.put("\\N") };
        };
        if self == Self::Tabs {
            return draft.letters(&text, row, column, escaped);
        }
        draft.out.put("\"")?;
        draft.letters(&text, row, column, quoted)?;
        draft.out.put("\"")
    }
}

fn quoted(out: &mut Out<'_>, letter: Letter) -> Result<()> {
    match letter {
        Ok('"') => out.put("\"\""),
        letter => out.put_char(letter.unwrap_or(char::REPLACEMENT_CHARACTER)),
    }
}

fn escaped(out: &mut Out<'_>, letter: Letter) -> Result<()> {
    match letter {
        Ok('\t') => out.put("\\t"),
        Ok('\n') => out.put("\\n"),
        Ok('\r') => out.put("\\r"),
        Ok('\\') => out.put("\\\\"),
        letter => out.put_char(letter.unwrap_or(char::REPLACEMENT_CHARACTER)),
    }
}
