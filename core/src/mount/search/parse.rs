//! From the words of a query to its terms.

use std::cmp::Ordering;

use memchr::memmem::Finder;
use regex::bytes::{Regex, RegexBuilder};

use super::glob::Glob;
use crate::error::{Error, Result};
use crate::formats::FORMATS;
use crate::mount::layer::Layer;

/// How much memory a compiled expression may take.
const REGEX_LIMIT: usize = 1 << 20;

/// The fields that a query knows.
const FIELDS: [&str; 7] = ["ext", "layer", "format", "size", "copies", "wins", "hash"];

/// A parsed query.
#[derive(Clone, Debug)]
pub struct Query {
    text: String,
    /// One of the branches has to match.
    pub(super) branches: Vec<Branch>,
    /// The first word that names a field that there is not.
    unknown_field: Option<String>,
}

/// Terms that all have to match.
#[derive(Clone, Debug, Default)]
pub(super) struct Branch {
    pub(super) terms: Vec<Term>,
}

#[derive(Clone, Debug)]
pub(super) struct Term {
    pub(super) is_not: bool,
    pub(super) test: Test,
}

#[derive(Clone, Debug)]
pub(super) enum Test {
    /// Lower-case text with `\` for `/`.
    Word(Box<Finder<'static>>),
    /// A glob over the whole path, and over the leaf where it names no folder.
    Glob(Glob),
    /// An expression over the whole path.
    Expression(Regex),
    /// Lower-case ending of the leaf, with its dot.
    Extension(Vec<u8>),
    /// The layer's name, with or without its ending, or its number.
    Layer(LayerName),
    /// The id of a format.
    Format(&'static str),
    Size(Comparison),
    Copies(Comparison),
    Wins(bool),
    Hash(u32),
}

/// What `layer:` says.
#[derive(Clone, Debug)]
pub(super) struct LayerName {
    pub(super) text: String,
    glob: Glob,
    number: Option<u16>,
}

impl LayerName {
    fn new(text: &str) -> Self {
        Self { text: text.to_owned(), glob: Glob::new(text), number: text.parse().ok() }
    }

    /// Whether it means this layer, which is searched as number `at`.
    pub(super) fn means(&self, layer: &Layer, at: u16) -> bool {
        let covers = |name: &str| self.glob.covers(name.to_ascii_lowercase().as_bytes());
        covers(&layer.name) || covers(layer.stem()) || self.number == Some(at)
    }
}

impl Test {
    /// Whether the test picks copies, so that others look at those instead of the winner.
    pub(super) const fn picks_copies(&self) -> bool {
        matches!(self, Self::Layer(_) | Self::Wins(_))
    }
}

/// A number and how to compare with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Comparison {
    accepts: [bool; 3],
    number: u64,
}

impl Comparison {
    pub(super) fn accepts(self, number: u64) -> bool {
        let [less, equal, greater] = self.accepts;
        match number.cmp(&self.number) {
            Ordering::Less => less,
            Ordering::Equal => equal,
            Ordering::Greater => greater,
        }
    }
}

impl Query {
    /// Parses a query.
    ///
    /// # Errors
    /// `Usage` that quotes the word at fault and says what was expected.
    pub fn parse(text: &str) -> Result<Self> {
        let mut branches = vec![Branch::default()];
        let words = words(text);
        for word in &words {
            match (word.as_str(), branches.last_mut()) {
                ("|", _) => branches.push(Branch::default()),
                (word, Some(branch)) => branch.terms.push(term(word)?),
                (_, None) => {}
            }
        }
        // A bar at an end leaves an empty side, which would find everything.
        if branches.iter().any(|branch| !branch.terms.is_empty()) {
            branches.retain(|branch| !branch.terms.is_empty());
        }
        let unknown_field = words.into_iter().find(|word| has_unknown_field(word));
        Ok(Self { text: text.trim().to_owned(), branches, unknown_field })
    }

    /// Whether every field is known. A path may look like a field, so this is asked only where the
    /// query is no path.
    ///
    /// # Errors
    /// `Usage` that quotes the word at fault and lists the fields.
    pub(super) fn check_fields(&self) -> Result<()> {
        self.unknown_field.as_ref().map_or(Ok(()), |word| {
            let known = FIELDS.join(", ");
            Err(Error::usage(format!("{word}: no such field; known are {known}; quotes make it a word")))
        })
    }

    /// Whether the query finds everything.
    pub fn is_everything(&self) -> bool {
        self.text == "*" || self.branches.iter().all(|branch| branch.terms.is_empty())
    }

    /// The query as a path, in case it is one.
    pub(super) fn path(&self) -> Option<&str> {
        (!self.text.is_empty()).then_some(&self.text)
    }
}

/// Splits at spaces and bars, but not inside quotes and expressions.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let len = expression_len(rest).unwrap_or_else(|| word_len(rest));
        let (word, behind) = rest.split_at(len);
        words.push(word.to_owned());
        rest = behind.trim_start();
    }
    words
}

/// Bytes of the expression `/…/` or `!/…/` at the start of `text`, up to a slash before an end.
fn expression_len(text: &str) -> Option<usize> {
    let start = text
        .find('/')
        .filter(|at| text.get(..*at).is_some_and(|before| before.is_empty() || before == "!"))?;
    let body = start + 1;
    let slashes = text.get(body..)?.match_indices('/').map(|(at, _)| body + at + 1);
    let ends =
        |end: &usize| text.get(*end..).is_some_and(|rest| rest.is_empty() || rest.starts_with(is_word_end));
    slashes.into_iter().find(ends).filter(|end| *end > body + 1)
}

/// Bytes of the word at the start of `text`: a bar, or everything up to a space or bar outside
/// quotes.
fn word_len(text: &str) -> usize {
    if text.starts_with('|') {
        return 1;
    }
    let mut is_quoted = false;
    let end = text.find(|c| {
        is_quoted ^= c == '"';
        !is_quoted && is_word_end(c)
    });
    end.unwrap_or(text.len())
}

fn is_word_end(c: char) -> bool {
    c.is_whitespace() || c == '|'
}

/// Whether the word has the shape of a field that there is not. A single letter is a drive of Windows.
fn has_unknown_field(word: &str) -> bool {
    let word = word.strip_prefix('!').unwrap_or(word);
    word.split_once(':').is_some_and(|(name, value)| {
        let is_name = name.len() > 1 && name.bytes().all(|byte| byte.is_ascii_alphabetic());
        is_name && !value.is_empty() && !FIELDS.iter().any(|field| field.eq_ignore_ascii_case(name))
    })
}

fn term(word: &str) -> Result<Term> {
    let (is_not, word) = match word.strip_prefix('!') {
        Some(word) if !word.is_empty() => (true, word),
        _ => (false, word),
    };
    let key = word.split_once(':').map(|(key, value)| (key.to_ascii_lowercase(), value.trim_matches('"')));
    let test = match key.as_ref().map(|(key, value)| (key.as_str(), *value)) {
        Some(("ext", value)) => {
            Test::Extension(format!(".{}", value.trim_start_matches('.').to_ascii_lowercase()).into_bytes())
        }
        Some(("layer", value)) => Test::Layer(LayerName::new(value)),
        Some(("format", value)) => Test::Format(format(value)?),
        Some(("size", value)) => Test::Size(comparison(word, value)?),
        Some(("copies", value)) => Test::Copies(comparison(word, value)?),
        Some(("wins", value)) => Test::Wins(yes_or_no(word, value)?),
        Some(("hash", value)) => Test::Hash(hash(word, value)?),
        _ => plain(word)?,
    };
    Ok(Term { is_not, test })
}

fn plain(word: &str) -> Result<Test> {
    if let Some(body) = word.strip_prefix('/').and_then(|body| body.strip_suffix('/'))
        && !body.is_empty()
    {
        return expression(body).map(Test::Expression);
    }
    let word = word.replace('"', "").replace('/', "\\");
    if word.contains(['*', '?']) {
        return Ok(Test::Glob(Glob::new(&word)));
    }
    let word = word.to_ascii_lowercase();
    Ok(Test::Word(Box::new(Finder::new(word.as_bytes()).into_owned())))
}

fn expression(expression: &str) -> Result<Regex> {
    RegexBuilder::new(expression)
        .case_insensitive(true)
        .dot_matches_new_line(true)
        .size_limit(REGEX_LIMIT)
        .build()
        .map_err(|error| Error::usage(format!("/{expression}/: {}", short(&error))))
}

/// The last line of an expression's error, which says what is wrong; the others draw it.
fn short(error: &regex::Error) -> String {
    let text = error.to_string();
    let last = text.lines().last().unwrap_or_default();
    last.trim_start_matches("error: ").to_owned()
}

fn format(value: &str) -> Result<&'static str> {
    let known = FORMATS.iter().map(|format| format.id);
    known.clone().find(|id| id.eq_ignore_ascii_case(value)).ok_or_else(|| {
        Error::usage(format!("format:{value}: known are {}", known.collect::<Vec<_>>().join(", ")))
    })
}

fn comparison(word: &str, value: &str) -> Result<Comparison> {
    let operators: [(&str, [bool; 3]); 5] = [
        ("<=", [true, true, false]),
        (">=", [false, true, true]),
        ("<", [true, false, false]),
        (">", [false, false, true]),
        ("=", [false, true, false]),
    ];
    let found =
        operators.iter().find_map(|(operator, accepts)| Some((*accepts, value.strip_prefix(operator)?)));
    let (accepts, number) = found.unwrap_or(([false, true, false], value));
    let number = number.trim_end_matches(['b', 'B']);
    let unit = |unit: char| number.strip_suffix([unit, unit.to_ascii_uppercase()]);
    let units = [('k', 1u64 << 10), ('m', 1 << 20), ('g', 1 << 30)];
    let scaled = units.iter().find_map(|(name, scale)| Some((unit(*name)?, *scale)));
    let (digits, scale) = scaled.unwrap_or((number, 1));
    let wrong = || Error::usage(format!("{word}: expected a number such as >1, <=64k or 1.5m"));
    let number = match digits.parse::<u64>() {
        Ok(whole) => whole.checked_mul(scale).ok_or_else(wrong)?,
        Err(_) => fraction(digits, scale).ok_or_else(wrong)?,
    };
    Ok(Comparison { accepts, number })
}

/// A number such as `1.5`, times its scale.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the range is checked before the cast"
)]
fn fraction(digits: &str, scale: u64) -> Option<u64> {
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let number = digits.parse::<f64>().ok().filter(|_| is_number)? * scale as f64;
    (number < 9e18).then_some(number as u64)
}

fn yes_or_no(word: &str, value: &str) -> Result<bool> {
    match value.to_ascii_lowercase().as_str() {
        "yes" | "y" | "true" | "1" => Ok(true),
        "no" | "n" | "false" | "0" => Ok(false),
        _ => Err(Error::usage(format!("{word}: expected yes or no"))),
    }
}

fn hash(word: &str, value: &str) -> Result<u32> {
    let hex = value.strip_prefix("0x").or_else(|| value.strip_prefix("0X"));
    let number = match hex {
        Some(hex) => u32::from_str_radix(hex, 16).ok(),
        None => value.parse().ok(),
    };
    number.ok_or_else(|| Error::usage(format!("{word}: expected a hash of 32 bits such as 0xDCDB4713")))
}
