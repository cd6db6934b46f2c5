//! PO, the form of gettext: the texts of one table beside their translations in another.
//!
//! `msgctxt` is the name of the key, or the key as `0xDCDB4713` where no name is known or the name looks like one; of
//! a key that comes again its number follows, as in `0xDCDB4713#2`. `msgid` is the text that a translation is held
//! against, and `msgstr` the translation; of one table alone `msgid` is its text and `msgstr` empty. PO does not tell
//! an empty text from one that is missing: comments do. The header names both tables for the way back.

use std::collections::HashMap;

use super::{Draft, Letter, Out};
use crate::asset::StringFault;
use crate::error::Result;

/// What the header calls the table of `msgid`.
pub(in crate::strings) const REFERENCE: &str = "X-Palimpsest-Reference";

/// What the header calls the table of `msgstr`.
pub(in crate::strings) const TARGET: &str = "X-Palimpsest-Translation";

/// Writes the file of a column.
pub(super) fn write(draft: &mut Draft<'_>, target: usize) -> Result<()> {
    let export = draft.export;
    let (source, target) = match export.reference(target) {
        Some(reference) if reference < export.sheet.columns.len() => (reference, Some(target)),
        _ => (target, None),
    };
    header(draft, source, target)?;
    let mut times: HashMap<u32, u64> = HashMap::new();
    for row in export.rows() {
        let key = export.sheet.key(row);
        let nth = times.entry(key).or_default();
        *nth += 1;
        let is_plain = |name: &&str| !name.trim_start().to_ascii_lowercase().starts_with("0x");
        let name = export.name(row).filter(is_plain).filter(|_| *nth == 1);
        let context = match name {
            Some(name) => name.to_owned(),
            None if *nth == 1 => format!("0x{key:08X}"),
            None => format!("0x{key:08X}#{nth}"),
        };
        draft.out.put("\n")?;
        if name.is_some() {
            draft.out.put(&format!("#. 0x{key:08X}\n"))?;
        }
        comments(draft, row, source)?;
        if let Some(target) = target {
            comments(draft, row, target)?;
        }
        draft.out.put("msgctxt ")?;
        string(&mut draft.out, &context)?;
        draft.out.put("msgid ")?;
        text(draft, row, source)?;
        draft.out.put("msgstr ")?;
        match target {
            Some(target) => text(draft, row, target)?,
            None => draft.out.put("\"\"\n")?,
        }
    }
    Ok(())
}

fn header(draft: &mut Draft<'_>, source: usize, target: Option<usize>) -> Result<()> {
    let sheet = draft.export.sheet;
    let column = sheet.columns.get(target.unwrap_or(source));
    let path = column.map_or("", |column| &column.path);
    let title = |column: usize| draft.titles.get(column).cloned().unwrap_or_default();
    let mut lines = vec![
        ("Project-Id-Version", path.to_owned()),
        ("MIME-Version", "1.0".to_owned()),
        ("Content-Type", "text/plain; charset=UTF-8".to_owned()),
        ("Content-Transfer-Encoding", "8bit".to_owned()),
        ("Language", target.map(|target| language(&title(target))).unwrap_or_default()),
        ("X-Generator", "Palimpsest".to_owned()),
        (REFERENCE, title(source)),
    ];
    lines.extend(target.map(|target| (TARGET, title(target))));
    let out = &mut draft.out;
    out.put("msgid \"\"\nmsgstr \"\"\n")?;
    for (name, value) in lines {
        // Each line of the header is one of the file.
        let value: String = value.chars().map(|c| if c.is_control() { '\u{FFFD}' } else { c }).collect();
        string(out, &format!("{name}: {value}\n"))?;
    }
    Ok(())
}

/// Says in comments what the strings do not: that a text is missing, empty or faulty.
fn comments(draft: &mut Draft<'_>, row: usize, column: usize) -> Result<()> {
    let title = draft.titles.get(column).cloned().unwrap_or_default();
    let text = draft.export.sheet.text(row, column);
    let state = match text {
        None => Some("no text"),
        Some(text) if text.units.is_empty() => Some("an empty text"),
        Some(_) => None,
    };
    let mut faults = draft.faults(row, column);
    faults.extend(text.filter(|text| text.has_lone_surrogate()).map(|_| StringFault::LoneSurrogate));
    for words in state.into_iter().chain(faults.into_iter().map(StringFault::words)) {
        draft.out.put(&format!("#. {title}: {words}\n"))?;
    }
    Ok(())
}

fn string(out: &mut Out<'_>, text: &str) -> Result<()> {
    out.put("\"")?;
    text.chars().try_for_each(|letter| escaped(out, Ok(letter)))?;
    out.put("\"\n")
}

/// The text in a cell, each line of it on a line of its own.
fn text(draft: &mut Draft<'_>, row: usize, column: usize) -> Result<()> {
    let Some(text) = draft.text(row, column) else { return draft.out.put("\"\"\n") };
    const BREAK: [u8; 2] = (b'\n' as u16).to_le_bytes();
    let (units, has_break) = match text.units {
        [units @ .., last] => (units, *last == BREAK),
        [] => (&[][..], false),
    };
    if units.contains(&BREAK) {
        draft.out.put("\"\"\n")?;
    }
    draft.out.put("\"")?;
    let last = |units| crate::asset::StringText { units, has_end: true };
    draft.letters(&last(if has_break { units } else { text.units }), row, column, lines)?;
    draft.out.put(if has_break { "\\n\"\n" } else { "\"\n" })
}

/// Letters of a text; behind a line break another line of the file begins.
fn lines(out: &mut Out<'_>, letter: Letter) -> Result<()> {
    if letter == Ok('\n') { out.put("\\n\"\n\"") } else { escaped(out, letter) }
}

fn escaped(out: &mut Out<'_>, letter: Letter) -> Result<()> {
    match letter {
        Ok('"') => out.put("\\\""),
        Ok('\\') => out.put("\\\\"),
        Ok('\n') => out.put("\\n"),
        Ok('\r') => out.put("\\r"),
        Ok('\t') => out.put("\\t"),
        Ok(letter) if letter.is_ascii_control() => out.put(&format!("\\{:03o}", u32::from(letter))),
        letter => out.put_char(letter.unwrap_or(char::REPLACEMENT_CHARACTER)),
    }
}

/// The code of a language, where the folder is named as people name it or by a code such as `dede` or `de-DE`; the
/// name itself elsewhere.
fn language(title: &str) -> String {
    const CODES: [(&str, &str); 17] = [
        ("arabic", "ar"),
        ("brazilian", "pt_BR"),
        ("chinese", "zh"),
        ("czech", "cs"),
        ("english", "en"),
        ("french", "fr"),
        ("german", "de"),
        ("hungarian", "hu"),
        ("italian", "it"),
        ("japanese", "ja"),
        ("korean", "ko"),
        ("polish", "pl"),
        ("portuguese", "pt"),
        ("russian", "ru"),
        ("spanish", "es"),
        ("thai", "th"),
        ("turkish", "tr"),
    ];
    if let Some((_, code)) = CODES.iter().find(|(name, _)| name.eq_ignore_ascii_case(title)) {
        return (*code).to_owned();
    }
    let letters = title.replace(['-', '_'], "");
    match letters.split_at_checked(2) {
        Some((language, region)) if region.len() == 2 && letters.bytes().all(|b| b.is_ascii_alphabetic()) => {
            format!("{}_{}", language.to_ascii_lowercase(), region.to_ascii_uppercase())
        }
        _ => title.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::language;

    #[test]
    fn folders_of_languages_become_codes() {
        for (title, code) in [
            ("German", "de"),
            ("enus", "en_US"),
            ("pt-BR", "pt_BR"),
            ("orcish", "orcish"),
            ("Patch_02.arch06", "Patch_02.arch06"),
            ("日本", "日本"),
        ] {
            assert_eq!(language(title), code);
        }
    }
}
