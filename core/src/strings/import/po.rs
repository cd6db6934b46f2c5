//! PO, see [the writer](super::super::export).

use super::super::export::{REFERENCE, TARGET};
use super::{Holds, Imported, ImportedRow, decoded, key, units, wrong};
use crate::error::Result;
use crate::hash::string_hash;

/// Reads a PO: a column of `msgid`, and one of `msgstr` where the header names its table. Keys are those of
/// `msgctxt`. Comments are passed over, and so are entries that are commented out. Empty strings are texts that are
/// missing or empty, which PO does not tell.
///
/// # Errors
/// `Malformed` when it is no such file, or an entry has plurals or no `msgctxt`, with the line.
pub fn read_po(bytes: &[u8]) -> Result<Imported> {
    let text = decoded(bytes)?;
    let mut imported = Imported { holds: Holds::default(), ..Imported::default() };
    let mut entry = Entry::default();
    for (line, number) in text.lines().zip(1..) {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let (word, string) = line.split_at(line.find('"').unwrap_or(line.len()));
        let string = unquoted(string, number)?;
        let part = match word.trim_end() {
            "" => entry.last,
            "msgctxt" => Some(Part::Context),
            "msgid" => Some(Part::Id),
            "msgstr" => Some(Part::Text),
            word => return Err(wrong(number, &format!("{word:?} is none of msgctxt, msgid and msgstr"))),
        };
        let part = part.ok_or_else(|| wrong(number, "a string that belongs to nothing"))?;
        let begins = !word.is_empty() && entry.last == Some(Part::Text);
        if begins {
            std::mem::take(&mut entry).end(&mut imported)?;
        }
        if entry.last.is_none() {
            entry.line = number;
        }
        entry.add(part, &string);
    }
    if entry.last.is_some() {
        entry.end(&mut imported)?;
    }
    if imported.titles.is_empty() {
        imported.titles.push("text".to_owned());
    }
    Ok(imported)
}

/// What a string is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Context,
    Id,
    Text,
}

/// An entry in the making.
#[derive(Debug, Default)]
struct Entry {
    /// Its first line.
    line: usize,
    context: Option<String>,
    id: String,
    text: String,
    /// What strings that follow belong to.
    last: Option<Part>,
}

impl Entry {
    fn add(&mut self, part: Part, string: &str) {
        self.last = Some(part);
        match part {
            Part::Context => self.context.get_or_insert_default().push_str(string),
            Part::Id => self.id.push_str(string),
            Part::Text => self.text.push_str(string),
        }
    }

    fn end(self, imported: &mut Imported) -> Result<()> {
        let Some(context) = self.context else {
            if self.id.is_empty() && imported.rows.is_empty() {
                imported.titles = titles(&self.text);
                return Ok(());
            }
            return Err(wrong(self.line, "an entry without msgctxt, which has the key"));
        };
        // Behind a key that comes again stands its number.
        let digits = context.split_once('#').map_or(&*context, |(digits, _)| digits);
        let key = key(digits).unwrap_or_else(|| string_hash(context.as_bytes()));
        let text = |text: String| Some(units(&text)).filter(|units| !units.is_empty());
        let mut texts = vec![text(self.id)];
        texts.extend((imported.titles.len() > 1).then(|| text(self.text)));
        imported.rows.push(ImportedRow { key, texts });
        Ok(())
    }
}

/// What a header calls the tables of `msgid` and `msgstr`.
fn titles(header: &str) -> Vec<String> {
    let value = |name: &str| {
        let mut lines = header.lines().filter_map(|line| line.split_once(": "));
        lines.find(|(own, _)| own.eq_ignore_ascii_case(name)).map(|(_, value)| value.to_owned())
    };
    let reference = value(REFERENCE).unwrap_or_else(|| "text".to_owned());
    std::iter::once(reference).chain(value(TARGET)).collect()
}

/// The text between quotes, without escapes.
fn unquoted(string: &str, line: usize) -> Result<String> {
    let inside = string.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    let inside = inside.ok_or_else(|| wrong(line, "a string without quotes on both sides"))?;
    let mut out = String::with_capacity(inside.len());
    let mut letters = inside.chars().peekable();
    while let Some(letter) = letters.next() {
        if letter == '"' {
            return Err(wrong(line, "a quote inside a string"));
        }
        if letter != '\\' {
            out.push(letter);
            continue;
        }
        let unescaped = match letters.next() {
            Some('n') => Some('\n'),
            Some('t') => Some('\t'),
            Some('r') => Some('\r'),
            Some('a') => Some('\u{7}'),
            Some('b') => Some('\u{8}'),
            Some('f') => Some('\u{C}'),
            Some('v') => Some('\u{B}'),
            Some(letter @ ('"' | '\\')) => Some(letter),
            Some(first) => first.to_digit(8).and_then(|first| {
                let mut code = first;
                for _ in 0..2 {
                    let Some(digit) = letters.peek().and_then(|letter| letter.to_digit(8)) else { break };
                    code = code * 8 + digit;
                    letters.next();
                }
                char::from_u32(code).filter(char::is_ascii)
            }),
            None => None,
        };
        out.push(unescaped.ok_or_else(|| wrong(line, "a backslash that escapes nothing"))?);
    }
    Ok(out)
}
