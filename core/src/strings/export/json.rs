//! JSON: a list of rows, one a line.
//!
//! `{"key":"0xDCDB4713","name":"UI_Back","text":"Back"}` where there is one table; of several each row has
//! `"texts":{"english":"Back","german":null}`. A name that is not known and a text that is missing are `null`. Half of
//! a surrogate pair is kept as an escape such as `\ud83d`, which not every program takes.

use super::{Draft, Letter, Out};
use crate::error::Result;

/// Writes the file.
pub(super) fn write(draft: &mut Draft<'_>, columns: &[usize]) -> Result<()> {
    let export = draft.export;
    let is_one = export.sheet.columns.len() == 1;
    let titles: Vec<_> =
        columns.iter().map(|column| draft.titles.get(*column).cloned().unwrap_or_default()).collect();
    draft.out.put("[")?;
    for (nth, row) in export.rows().enumerate() {
        draft.out.put(if nth == 0 { "\n" } else { ",\n" })?;
        draft.out.put(&format!("{{\"key\":\"0x{:08X}\",\"name\":", export.sheet.key(row)))?;
        match export.name(row) {
            Some(name) => string(&mut draft.out, name)?,
            None => draft.out.put("null")?,
        }
        draft.out.put(if is_one { "," } else { ",\"texts\":{" })?;
        for (nth, (column, title)) in columns.iter().zip(&titles).enumerate() {
            if nth > 0 {
                draft.out.put(",")?;
            }
            string(&mut draft.out, title)?;
            draft.out.put(":")?;
            text(draft, row, *column)?;
        }
        draft.out.put(if is_one { "}" } else { "}}" })?;
    }
    draft.out.put("\n]\n")
}

fn string(out: &mut Out<'_>, text: &str) -> Result<()> {
    out.put("\"")?;
    text.chars().try_for_each(|letter| escaped(out, Ok(letter)))?;
    out.put("\"")
}

fn text(draft: &mut Draft<'_>, row: usize, column: usize) -> Result<()> {
    let Some(text) = draft.text(row, column) else { return draft.out.put("null") };
    draft.out.put("\"")?;
    draft.letters(&text, row, column, escaped)?;
    draft.out.put("\"")
}

fn escaped(out: &mut Out<'_>, letter: Letter) -> Result<()> {
    match letter {
        Ok('"') => out.put("\\\""),
        Ok('\\') => out.put("\\\\"),
        Ok('\n') => out.put("\\n"),
        Ok('\r') => out.put("\\r"),
        Ok('\t') => out.put("\\t"),
        Ok(letter) if letter.is_control() => out.put(&format!("\\u{:04x}", u32::from(letter))),
        Ok(letter) => out.put_char(letter),
        Err(half) => out.put(&format!("\\u{half:04x}")),
    }
}
