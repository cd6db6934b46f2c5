//! CSV and TSV, see [the writer](super::super::export).

use super::{Holds, Imported, ImportedRow, MOST_COLUMNS, decoded, key, units, wrong};
use crate::error::{Error, Result};

/// A field, and whether it was in quotes.
type Field = (String, bool);

/// Reads a CSV whose first line names the columns: `key`, `name` if it likes, and those of texts. Fields may be
/// separated by semicolons or tabs as well, as some spreadsheets do, and lines end in CR LF, LF or CR. A field of
/// nothing is a text that is missing; a pair of quotes is one that is empty. Since programs that write the file anew
/// lose that, [`check`](super::check()) takes both for one.
///
/// # Errors
/// `Malformed` when it is no such file, with the line.
pub fn read_csv(bytes: &[u8]) -> Result<Imported> {
    let text = decoded(bytes)?;
    let separator = text.chars().find(|letter| matches!(letter, ',' | ';' | '\t')).unwrap_or(',');
    let mut records = Records { letters: text.chars().peekable(), separator, line: 1 };
    let head = records.next_record()?.unwrap_or_default();
    let (mut imported, places) = of_head(head.into_iter().map(|(text, _)| text))?;
    loop {
        let line = records.line;
        let Some(record) = records.next_record()? else { break };
        if record.iter().all(|(text, is_quoted)| text.is_empty() && !is_quoted) {
            continue;
        }
        let text = |(text, is_quoted): &Field| (*is_quoted || !text.is_empty()).then(|| units(text));
        let of_key = record.get(places.key).and_then(|(text, _)| key(text));
        let key = of_key.ok_or_else(|| wrong(line, "no key such as 0xDCDB4713"))?;
        let texts = places.texts.iter().map(|place| record.get(*place).and_then(text)).collect();
        imported.rows.push(ImportedRow { key, texts });
    }
    Ok(imported)
}

/// Reads a TSV as it is written here: `\t`, `\n`, `\r` and `\\` stand for what they say, and `\N` alone for a text that
/// is missing.
///
/// # Errors
/// `Malformed` when it is no such file, with the line.
pub fn read_tsv(bytes: &[u8]) -> Result<Imported> {
    let text = decoded(bytes)?;
    let mut lines = text.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line)).zip(1..);
    let (head, _) = lines.next().unwrap_or_default();
    let titles = head.split('\t').map(|title| unescaped(title, 1)).collect::<Result<Vec<_>>>()?;
    let (mut imported, places) = of_head(titles.into_iter())?;
    imported.holds.missing = true;
    for (line, number) in lines.filter(|(line, _)| !line.is_empty()) {
        let fields: Vec<_> = line.split('\t').collect();
        let of_key = fields.get(places.key).and_then(|text| key(text));
        let key = of_key.ok_or_else(|| wrong(number, "no key such as 0xDCDB4713"))?;
        let text = |place: &usize| match fields.get(*place) {
            None | Some(&"\\N") => Ok(None),
            Some(text) => unescaped(text, number).map(|text| Some(units(&text))),
        };
        let texts = places.texts.iter().map(text).collect::<Result<_>>()?;
        imported.rows.push(ImportedRow { key, texts });
    }
    Ok(imported)
}

/// Which fields hold what.
struct Places {
    key: usize,
    texts: Vec<usize>,
}

fn of_head(titles: impl Iterator<Item = String>) -> Result<(Imported, Places)> {
    let mut places = Places { key: usize::MAX, texts: Vec::new() };
    let mut imported = Imported { holds: Holds::default(), ..Imported::default() };
    for (place, title) in titles.enumerate() {
        match title.trim() {
            "key" if places.key == usize::MAX => places.key = place,
            // Some programs end lines with a separator, which is a column of no title.
            "name" | "" => {}
            _ => {
                places.texts.push(place);
                imported.titles.push(title);
            }
        }
    }
    if places.key == usize::MAX {
        return Err(wrong(1, "no column is called key"));
    }
    if places.texts.len() > MOST_COLUMNS {
        return Err(Error::limit(format!("{} columns, at most {MOST_COLUMNS} are read", places.texts.len())));
    }
    Ok((imported, places))
}

/// A text without escapes.
fn unescaped(text: &str, line: usize) -> Result<String> {
    let mut out = String::with_capacity(text.len());
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        out.push(match letter {
            '\\' => match letters.next() {
                Some('t') => '\t',
                Some('n') => '\n',
                Some('r') => '\r',
                Some('\\') => '\\',
                _ => return Err(wrong(line, "a backslash that is none of \\t, \\n, \\r and \\\\")),
            },
            letter => letter,
        });
    }
    Ok(out)
}

/// The records of a CSV.
struct Records<I: Iterator<Item = char>> {
    letters: std::iter::Peekable<I>,
    separator: char,
    /// The line that comes, counted from 1.
    line: usize,
}

impl<I: Iterator<Item = char>> Records<I> {
    fn next_record(&mut self) -> Result<Option<Vec<Field>>> {
        if self.letters.peek().is_none() {
            return Ok(None);
        }
        let mut record = Vec::new();
        loop {
            record.push(self.next_field()?);
            match self.letters.next() {
                Some(letter) if letter == self.separator => {}
                Some('\r') => {
                    self.letters.next_if_eq(&'\n');
                    break;
                }
                _ => break,
            }
        }
        self.line += 1;
        Ok(Some(record))
    }

    /// The field up to what ends it, which is left.
    fn next_field(&mut self) -> Result<Field> {
        let is_quoted = self.letters.next_if_eq(&'"').is_some();
        let mut text = if is_quoted { self.rest_of_quotes()? } else { String::new() };
        let separator = self.separator;
        while let Some(letter) = self.letters.next_if(|letter| !ends(*letter, separator)) {
            if is_quoted {
                return Err(wrong(self.line, "letters behind a quote"));
            }
            text.push(letter);
        }
        Ok((text, is_quoted))
    }

    /// What lies between quotes, the first of which was read.
    fn rest_of_quotes(&mut self) -> Result<String> {
        let (mut text, first) = (String::new(), self.line);
        loop {
            match self.letters.next() {
                Some('"') if self.letters.next_if_eq(&'"').is_some() => text.push('"'),
                Some('"') => return Ok(text),
                Some(letter) => {
                    self.line += usize::from(letter == '\n');
                    text.push(letter);
                }
                None => return Err(wrong(first, "a quote is left open")),
            }
        }
    }
}

const fn ends(letter: char, separator: char) -> bool {
    matches!(letter, '\r' | '\n') || letter == separator
}
