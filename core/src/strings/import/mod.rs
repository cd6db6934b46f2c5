//! Files of texts read back and held against a sheet: what a translator's program made of an export.

mod check;
mod json;
mod po;
mod separated;

pub use self::check::{Difference, DifferenceKind, check};
pub use self::json::read_json;
pub use self::po::read_po;
pub use self::separated::{read_csv, read_tsv};
use crate::error::{Error, Result};

/// Columns of the widest file that is read.
const MOST_COLUMNS: usize = 1000;

/// The texts of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Imported {
    /// What the columns are called, see [`titles`](super::titles).
    pub titles: Vec<String>,
    /// The rows, in the order of the file.
    pub rows: Vec<ImportedRow>,
    /// What the form of the file can hold.
    pub holds: Holds,
}

/// A key and its texts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ImportedRow {
    /// The hash of the key.
    pub key: u32,
    /// The text of each column as UTF-16; none where it is missing.
    pub texts: Vec<Option<Vec<u16>>>,
}

/// What a form can hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Holds {
    /// Halves of surrogate pairs; elsewhere they are `U+FFFD`.
    pub halves: bool,
    /// Whether a text is empty or missing; elsewhere both are alike.
    pub missing: bool,
}

/// A key such as `0xDCDB4713`.
fn key(text: &str) -> Option<u32> {
    let digits = text.trim();
    let digits = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X"))?;
    let is_key = (1..=8).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_key.then(|| u32::from_str_radix(digits, 16).ok()).flatten()
}

/// The text of a file: UTF-8, or what its byte order mark says.
fn decoded(bytes: &[u8]) -> Result<std::borrow::Cow<'_, str>> {
    let (encoding, mark) = encoding_rs::Encoding::for_bom(bytes).unwrap_or((encoding_rs::UTF_8, 0));
    let text = bytes.get(mark..).unwrap_or_default();
    let decoded = encoding.decode_without_bom_handling_and_without_replacement(text);
    decoded.ok_or_else(|| Error::malformed(format!("the text is not {}", encoding.name())))
}

fn units(text: &str) -> Vec<u16> {
    text.encode_utf16().collect()
}

/// What is wrong in a line, counted from 1.
fn wrong(line: usize, what: &str) -> Error {
    Error::malformed(format!("line {line}: {what}"))
}
