//! Patterns that many names are made of, such as `UI_{1-99}Sword_{*}_{N,D}`.
//!
//! | written | stands for |
//! |---|---|
//! | `{a,b,c}` | one of these texts; one of them may be empty |
//! | `{1-99}` | a number |
//! | `{01-99}` | a number with as many digits |
//! | `{A-F}` | a letter |
//! | `{*}` | any known word |
//! | `{{`, `}}` | a brace |
//! | other letters | themselves |
//!
//! All of these can stand together between braces: `{*,0-9,}`.

use std::fmt::Write as _;

use crate::error::{Error, Result};

/// A text with parts that vary.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pattern {
    /// What is before the first part that varies.
    pub(super) start: String,
    /// Each part that varies, and the text behind it.
    pub(super) parts: Vec<(Vec<Choice>, String)>,
}

/// What a part can be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Choice {
    Text(String),
    Number { first: u64, last: u64, digits: usize },
    Letter { first: u8, last: u8 },
    Word,
}

impl Choice {
    /// How many texts it stands for.
    pub(super) fn count(&self, words: usize) -> u64 {
        match self {
            Self::Text(_) => 1,
            Self::Number { first, last, .. } => (last - first).saturating_add(1),
            Self::Letter { first, last } => u64::from(last - first) + 1,
            Self::Word => words as u64,
        }
    }

    /// Adds the text with a number to `out`.
    pub(super) fn push(&self, at: u64, words: &[String], out: &mut String) {
        match self {
            Self::Text(text) => out.push_str(text),
            // Writing to a text cannot fail.
            Self::Number { first, digits, .. } => drop(write!(out, "{:0digits$}", first.saturating_add(at))),
            Self::Letter { first, .. } => {
                out.push(u8::try_from(at).ok().and_then(|at| first.checked_add(at)).unwrap_or(*first).into());
            }
            Self::Word => {
                out.extend(usize::try_from(at).ok().and_then(|at| words.get(at)).map(String::as_str));
            }
        }
    }

    fn parse(text: &str) -> Result<Self, String> {
        if text == "*" {
            return Ok(Self::Word);
        }
        let range = text.split_once('-').filter(|(first, last)| !first.is_empty() && !last.is_empty());
        let Some((first, last)) = range else { return Ok(Self::Text(text.to_owned())) };
        let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        if is_number(first) && is_number(last) {
            let number = |text: &str| {
                text.parse::<u64>().map_err(|_too_large| format!("{text:?} is larger than numbers may be"))
            };
            let digits = if first.starts_with('0') { first.len() } else { 0 };
            let (first, last) = (number(first)?, number(last)?);
            return if first <= last {
                Ok(Self::Number { first, last, digits })
            } else {
                Err(descends(text))
            };
        }
        match (first.as_bytes(), last.as_bytes()) {
            ([first], [last])
                if (first.is_ascii_lowercase() && last.is_ascii_lowercase())
                    || (first.is_ascii_uppercase() && last.is_ascii_uppercase()) =>
            {
                if first <= last {
                    Ok(Self::Letter { first: *first, last: *last })
                } else {
                    Err(descends(text))
                }
            }
            _ => Ok(Self::Text(text.to_owned())),
        }
    }
}

fn descends(range: &str) -> String {
    format!("{range:?} descends, and the smaller end stands first")
}

impl Pattern {
    /// Reads a pattern.
    ///
    /// # Errors
    /// `Usage` with the letter at fault, counted from 1.
    pub fn parse(text: &str) -> Result<Self> {
        let mut pattern = Self::default();
        let mut letters = (1usize..).zip(text.chars()).peekable();
        while let Some((at, letter)) = letters.next() {
            let is_double = matches!(letter, '{' | '}') && letters.next_if(|next| next.1 == letter).is_some();
            if is_double || !matches!(letter, '{' | '}') {
                pattern.plain().push(letter);
                continue;
            }
            if letter == '}' {
                return Err(Error::usage(format!(
                    "`}}` at letter {at} closes nothing; `}}}}` stands for one"
                )));
            }
            let mut inner = String::new();
            loop {
                match letters.next() {
                    None => return Err(Error::usage(format!("`{{` at letter {at} is not closed"))),
                    Some((_, '}')) => break,
                    Some((at, '{')) => {
                        return Err(Error::usage(format!("`{{` at letter {at} is inside other braces")));
                    }
                    Some((_, letter)) => inner.push(letter),
                }
            }
            if inner.is_empty() {
                let text = format!("nothing is between the braces at letter {at}, expected such as {{a,b}}");
                return Err(Error::usage(text));
            }
            let choices = inner.split(',').map(Choice::parse).collect::<Result<_, _>>();
            let choices =
                choices.map_err(|what| Error::usage(format!("in the braces at letter {at}: {what}")))?;
            pattern.parts.push((choices, String::new()));
        }
        Ok(pattern)
    }

    /// The plain text at the end.
    fn plain(&mut self) -> &mut String {
        self.parts.last_mut().map_or(&mut self.start, |(_, behind)| behind)
    }

    /// How many names it stands for with so many known words, those counted again that are made in several ways;
    /// `u64::MAX` for more.
    pub fn count(&self, words: usize) -> u64 {
        self.counts(words).into_iter().fold(1, u64::saturating_mul)
    }

    /// How many texts each part that varies stands for.
    pub(super) fn counts(&self, words: usize) -> Vec<u64> {
        let count = |choices: &[Choice]| {
            choices.iter().fold(0, |sum: u64, choice| sum.saturating_add(choice.count(words)))
        };
        self.parts.iter().map(|(choices, _)| count(choices)).collect()
    }

    /// Whether it asks for known words.
    pub fn has_words(&self) -> bool {
        self.parts.iter().any(|(choices, _)| choices.contains(&Choice::Word))
    }

    /// The name with a number below [`count`](Self::count); the last part varies fastest.
    pub fn name(&self, mut number: u64, words: &[String]) -> String {
        let mut numbers: Vec<u64> = Vec::new();
        for count in self.counts(words.len()).into_iter().rev() {
            numbers.push(number.checked_rem(count).unwrap_or(0));
            number = number.checked_div(count).unwrap_or(0);
        }
        let mut name = self.start.clone();
        for ((choices, behind), mut at) in self.parts.iter().zip(numbers.into_iter().rev()) {
            for choice in choices {
                let count = choice.count(words.len());
                if at < count {
                    choice.push(at, words, &mut name);
                    break;
                }
                at -= count;
            }
            name.push_str(behind);
        }
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(pattern: &str, words: &[&str]) -> Vec<String> {
        let words: Vec<_> = words.iter().map(|word| (*word).to_owned()).collect();
        let pattern = Pattern::parse(pattern).unwrap();
        (0..pattern.count(words.len())).map(|at| pattern.name(at, &words)).collect()
    }

    #[test]
    fn a_pattern_stands_for_its_names() {
        assert_eq!(
            names("UI_{1-2}Sword_{N,D}", &[]).join(" "),
            "UI_1Sword_N UI_1Sword_D UI_2Sword_N UI_2Sword_D"
        );
        assert_eq!(names("{08-11}", &[]), ["08", "09", "10", "11"]);
        assert_eq!(names("{8-11}", &[]), ["8", "9", "10", "11"]);
        assert_eq!(names("{098-100}", &[]), ["098", "099", "100"]);
        assert_eq!(names("{c-e}{X-Y}", &[]), ["cX", "cY", "dX", "dY", "eX", "eY"]);
        assert_eq!(names("UI_{*,0-1}", &["Menu", "Orc"]), ["UI_Menu", "UI_Orc", "UI_0", "UI_1"]);
        assert_eq!(names("plain", &[]), ["plain"]);
        assert_eq!(names("", &[]), [""]);
    }

    #[test]
    fn what_is_empty_or_only_seems_to_be_a_range_is_a_text() {
        assert_eq!(names("a{,_N}", &[]), ["a", "a_N"]);
        assert_eq!(names("{a-,-b,ab-c,1-b,A-c}", &[]), ["a-", "-b", "ab-c", "1-b", "A-c"]);
        assert_eq!(names("{{a}}{b}{{", &[]), ["{a}b{"]);
        assert_eq!(names("{*}", &[]), [""; 0]);
    }

    #[test]
    fn a_pattern_that_is_none_says_what_and_where() {
        for (pattern, expected) in [
            ("ä{1-2", "`{` at letter 2 is not closed"),
            ("a}", "`}` at letter 2 closes nothing; `}}` stands for one"),
            ("{a{b}}", "`{` at letter 3 is inside other braces"),
            ("x{}", "nothing is between the braces at letter 2, expected such as {a,b}"),
            ("{9-1}", "in the braces at letter 1: \"9-1\" descends, and the smaller end stands first"),
            (
                "_{N,1-99999999999999999999}",
                "in the braces at letter 2: \"99999999999999999999\" is larger than numbers may be",
            ),
        ] {
            let error = Pattern::parse(pattern).unwrap_err();
            assert!(error.is_usage());
            assert_eq!(error.to_string(), expected);
        }
    }

    #[test]
    fn a_count_beyond_measure_is_the_most() {
        let count = |pattern: &str| Pattern::parse(pattern).unwrap().count(10);
        assert_eq!(count("{0-18446744073709551615}{0-9}"), u64::MAX);
        assert_eq!(count("{*}{*}{1-5}"), 500);
        assert_eq!(count("{0-18446744073709551615,a}"), u64::MAX);
    }
}
