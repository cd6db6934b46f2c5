//! Texts without what is not heard: letter case, and marks over and under letters.

use unicode_normalization::char::decompose_canonical;

use crate::asset::{StringTable, StringText};

/// The texts of a table, folded, to be searched all at once.
#[derive(Debug, Default)]
pub(super) struct Folded {
    /// All texts in UTF-8, each with a NUL behind it.
    text: Vec<u8>,
    /// Where each text begins.
    starts: Vec<u32>,
}

impl Folded {
    pub(super) fn of(table: &StringTable) -> Self {
        let count = table.ends().len() + 1;
        let (mut text, mut starts) = (Vec::with_capacity(table.unit_count() + 1), Vec::with_capacity(count));
        let letters = Letters::new();
        for number in 0..count {
            starts.push(u32::try_from(text.len()).unwrap_or(u32::MAX));
            if let Some(own) = table.text_of(number) {
                letters.push_folded(&mut text, own);
            }
            text.push(0);
        }
        Self { text, starts }
    }

    /// The text with a number, in UTF-8.
    pub(super) fn text(&self, number: usize) -> &[u8] {
        let at = |number: usize| self.starts.get(number).map_or(self.text.len(), |start| *start as usize);
        let end = at(number + 1).saturating_sub(1);
        self.text.get(at(number)..end).unwrap_or_default()
    }

    /// Which texts hold a folded text.
    pub(super) fn holding(&self, wanted: &str) -> Vec<bool> {
        let mut holding = vec![false; self.starts.len()];
        let finder = memchr::memmem::Finder::new(wanted.as_bytes());
        let (mut at, mut number) = (0, 0);
        // What is empty is found behind the end as well.
        while let Some(found) =
            self.text.get(at..).filter(|rest| !rest.is_empty()).and_then(|rest| finder.find(rest))
        {
            number = self.number_from(number, at + found);
            if let Some(holds) = holding.get_mut(number) {
                *holds = true;
            }
            at = self.starts.get(number + 1).map_or(self.text.len(), |next| *next as usize);
        }
        holding
    }

    /// The number of the text that holds a byte, which is that of an earlier one or a later number. Hits come in
    /// order, so that it is near.
    fn number_from(&self, mut number: usize, place: usize) -> usize {
        let is_before = |number: usize| self.starts.get(number).is_some_and(|start| *start as usize <= place);
        let mut step = 1;
        while is_before(number + step) {
            number += step;
            step *= 2;
        }
        let end = (number + step).min(self.starts.len());
        let near = self.starts.get(number + 1..end).unwrap_or_default();
        number + near.partition_point(|start| *start as usize <= place)
    }
}

/// Letters that most texts are made of, folded beforehand.
struct Letters {
    /// For each unit its bytes, and how many there are.
    folded: Vec<([u8; Self::LONGEST], u8)>,
}

impl Letters {
    /// Behind the Arabic letters.
    const COUNT: u16 = 0x700;
    const LONGEST: usize = 7;

    fn new() -> Self {
        let mut text = String::new();
        let folded = (0..Self::COUNT).map(|unit| {
            text.clear();
            // No half of a pair is that small.
            push_folded(&mut text, char::from_u32(unit.into()).into_iter());
            let mut bytes = [0; Self::LONGEST];
            match bytes.get_mut(..text.len()) {
                Some(own) => own.copy_from_slice(text.as_bytes()),
                None => return (bytes, u8::MAX),
            }
            (bytes, u8::try_from(text.len()).unwrap_or(u8::MAX))
        });
        Self { folded: folded.collect() }
    }

    /// Adds a text, folded, to `out`.
    fn push_folded(&self, out: &mut Vec<u8>, text: StringText<'_>) {
        let units = text.units;
        let mut at = 0;
        let mut other = String::new();
        while let Some(unit) = units.get(at).map(|unit| u16::from_le_bytes(*unit)) {
            at += 1;
            if let Some((bytes, len)) = self.folded.get(usize::from(unit))
                && let Some(bytes) = bytes.get(..usize::from(*len))
            {
                out.extend_from_slice(bytes);
                continue;
            }
            let letter = char::from_u32(unit.into()).unwrap_or_else(|| {
                let pair = [unit, units.get(at).map_or(0, |unit| u16::from_le_bytes(*unit))];
                let letter = char::decode_utf16(pair).next().and_then(Result::ok);
                at += usize::from(letter.is_some());
                letter.unwrap_or(char::REPLACEMENT_CHARACTER)
            });
            other.clear();
            push_folded(&mut other, std::iter::once(letter));
            out.extend_from_slice(other.as_bytes());
        }
    }
}

/// A text in lower case and without marks over and under its letters. Marks that make another letter of one, as
/// in Japanese and Korean, stay.
pub fn folded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    push_folded(&mut out, text.chars());
    out
}

fn push_folded(out: &mut String, letters: impl Iterator<Item = char>) {
    for letter in letters {
        if letter.is_ascii() {
            out.push(if letter == '\0' { '\u{FFFD}' } else { letter.to_ascii_lowercase() });
        } else if is_mark(letter) {
        } else if has_marks(letter) {
            decompose_canonical(letter, |part| {
                if !is_mark(part) {
                    out.extend(part.to_lowercase());
                }
            });
        } else if !('\u{2E80}'..'\u{FF00}').contains(&letter) {
            out.extend(letter.to_lowercase());
        } else {
            out.push(letter);
        }
    }
}

/// Marks of Latin, Greek, Cyrillic and Arabic letters.
const fn is_mark(letter: char) -> bool {
    matches!(letter, '\u{0300}'..='\u{036F}' | '\u{064B}'..='\u{065F}' | '\u{0670}' | '\u{0640}')
}

/// Where letters are that have such marks.
const fn has_marks(letter: char) -> bool {
    matches!(letter, '\u{00C0}'..='\u{052F}' | '\u{0622}'..='\u{0626}' | '\u{1E00}'..='\u{1FFF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_and_marks_are_left_away_and_other_letters_stay() {
        for (text, expected) in [
            ("Azkâr ÉLAN", "azkar elan"),
            ("Ångström ẞ İ", "angstrom ß i"),
            ("Ёлка Й", "елка и"),
            ("Ἀθῆναι", "αθηναι"),
            ("سَيْف", "سيف"),
            ("ガカ がか", "ガカ がか"),
            ("각하", "각하"),
            ("ＡＢ 剣 🗡", "ａｂ 剣 🗡"),
        ] {
            assert_eq!(folded(text), expected);
        }
    }

    #[test]
    fn every_text_that_holds_another_is_found_and_no_other() {
        let texts = ["", "Ab", "b", "aB ab", "ba", "Äb"];
        let units: Vec<Vec<u16>> = texts.iter().map(|text| text.encode_utf16().collect()).collect();
        let table = StringTable::of((0u32..).zip(units.iter().map(|units| &**units)));
        let holding = Folded::of(&table).holding("ab");
        assert_eq!(holding, [false, true, false, true, false, true, false]);
        assert_eq!(Folded::of(&table).text(3), b"ab ab");
        assert_eq!(Folded::of(&table).holding(""), [true; 7]);
    }
    #[test]
    fn tables_are_folded_as_single_texts_are() {
        let all = (0u32..0x2_0000).filter_map(char::from_u32).filter(|letter| *letter != '\0');
        let all: Vec<_> = all.map(|letter| format!("a{letter}B")).collect();
        let units: Vec<Vec<u16>> = all.iter().map(|text| text.encode_utf16().collect()).collect();
        let halves =
            [vec![0x41, 0xD83D], vec![0xD83D, 0x41], vec![0xDDE1, 0xD83D, 0xDDE1], vec![0xD83D, 0xD83D]];
        let units: Vec<_> = units.into_iter().chain(halves).collect();
        let table = StringTable::of((0u32..).zip(units.iter().map(|units| &**units)));
        let tables = Folded::of(&table);
        for number in 0..table.ends().len() {
            let text = table.text_of(number).unwrap().to_string();
            assert_eq!(tables.text(number), folded(&text).as_bytes(), "{text}");
        }
    }
}
