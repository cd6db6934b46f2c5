//! Texts without what is not heard: letter case, and marks over and under letters.

use unicode_normalization::char::decompose_canonical;

use crate::asset::StringTable;

/// The texts of a table, folded, to be searched all at once.
#[derive(Debug, Default)]
pub(super) struct Folded {
    /// All texts, each with a NUL behind it.
    text: String,
    /// Where each text begins, and where the last one ends.
    starts: Vec<u32>,
}

impl Folded {
    pub(super) fn of(table: &StringTable) -> Self {
        let mut folded = Self::default();
        for number in 0..=table.ends().len() {
            folded.starts.push(u32::try_from(folded.text.len()).unwrap_or(u32::MAX));
            if let Some(text) = table.text_at(table.start_of(number)) {
                push_folded(&mut folded.text, text.chars());
            }
            folded.text.push('\0');
        }
        folded
    }

    /// The text with a number.
    pub(super) fn text(&self, number: usize) -> &str {
        let at = |number: usize| self.starts.get(number).map_or(self.text.len(), |start| *start as usize);
        let end = at(number + 1).saturating_sub(1);
        self.text.get(at(number)..end).unwrap_or_default()
    }

    /// Which texts hold a folded text.
    pub(super) fn holding(&self, wanted: &str) -> Vec<bool> {
        let mut holding = vec![false; self.starts.len()];
        let finder = memchr::memmem::Finder::new(wanted.as_bytes());
        let bytes = self.text.as_bytes();
        let (mut at, mut number) = (0, 0);
        // What is empty is found behind the end as well.
        while let Some(found) =
            bytes.get(at..).filter(|rest| !rest.is_empty()).and_then(|rest| finder.find(rest))
        {
            let place = at + found;
            // Hits come in order, so that the next text is near.
            number += self.starts.get(number..).map_or(0, |starts| {
                starts.partition_point(|start| *start as usize <= place).saturating_sub(1)
            });
            if let Some(holds) = holding.get_mut(number) {
                *holds = true;
            }
            at = self.starts.get(number + 1).map_or(bytes.len(), |next| *next as usize);
        }
        holding
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
        assert_eq!(Folded::of(&table).text(3), "ab ab");
        assert_eq!(Folded::of(&table).holding(""), [true; 7]);
    }
}
