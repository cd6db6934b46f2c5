//! JSON, see [the writer](super::super::export).

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};

use super::{Holds, Imported, ImportedRow, MOST_COLUMNS, decoded, key};
use crate::error::{Error, Result};

/// A row as the file has it.
#[derive(serde::Deserialize)]
struct Row {
    key: String,
    #[serde(default)]
    text: Option<Units>,
    #[serde(default)]
    texts: Texts,
}

/// Texts by their titles, in the order of the file.
#[derive(Default)]
struct Texts(Vec<(String, Option<Units>)>);

/// A text with its halves of surrogate pairs.
struct Units(Vec<u16>);

/// Reads a list of rows, each with `key` and either `text`, for one table, or `texts` by their titles. A text that is
/// `null` or not there is missing.
///
/// # Errors
/// `Malformed` when it is no such file, with the line.
pub fn read_json(bytes: &[u8]) -> Result<Imported> {
    let text = decoded(bytes)?;
    let rows: Vec<Row> = serde_json::from_str(&text).map_err(|error| Error::malformed(error.to_string()))?;
    let holds = Holds { halves: true, missing: true };
    let mut imported = Imported { titles: Vec::new(), rows: Vec::with_capacity(rows.len()), holds };
    for row in rows {
        let key = key(&row.key)
            .ok_or_else(|| Error::malformed(format!("{:?} is no key such as 0xDCDB4713", row.key)))?;
        let of_one = row.text.map(|text| ("text".to_owned(), Some(text)));
        let mut texts = vec![None; imported.titles.len()];
        for (title, text) in of_one.into_iter().chain(row.texts.0) {
            let at = imported.titles.iter().position(|own| *own == title).unwrap_or_else(|| {
                imported.titles.push(title);
                imported.titles.len() - 1
            });
            if at >= MOST_COLUMNS {
                return Err(Error::limit(format!("more than {MOST_COLUMNS} columns")));
            }
            texts.resize(imported.titles.len(), None);
            if let Some(own) = texts.get_mut(at) {
                *own = text.map(|Units(units)| units);
            }
        }
        imported.rows.push(ImportedRow { key, texts });
    }
    if imported.titles.is_empty() {
        imported.titles.push("text".to_owned());
    }
    let width = imported.titles.len();
    imported.rows.iter_mut().for_each(|row| row.texts.resize(width, None));
    Ok(imported)
}

impl<'de> Deserialize<'de> for Texts {
    fn deserialize<D: Deserializer<'de>>(from: D) -> std::result::Result<Self, D::Error> {
        struct InOrder;

        impl<'de> Visitor<'de> for InOrder {
            type Value = Texts;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("texts by their titles")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> std::result::Result<Texts, A::Error> {
                let mut texts = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    texts.push(entry);
                }
                Ok(Texts(texts))
            }
        }
        from.deserialize_map(InOrder)
    }
}

impl<'de> Deserialize<'de> for Units {
    fn deserialize<D: Deserializer<'de>>(from: D) -> std::result::Result<Self, D::Error> {
        struct OfBytes;

        impl Visitor<'_> for OfBytes {
            type Value = Units;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a text")
            }

            fn visit_bytes<E: serde::de::Error>(self, bytes: &[u8]) -> std::result::Result<Units, E> {
                of_wtf8(bytes).map(Units).ok_or_else(|| E::custom("a text that is not UTF-8"))
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> std::result::Result<Units, E> {
                Ok(Units(super::units(text)))
            }
        }
        // As text, halves of pairs would be refused.
        from.deserialize_bytes(OfBytes)
    }
}

/// The units of a text whose halves of pairs have three bytes each, as other characters of their size have.
fn of_wtf8(mut bytes: &[u8]) -> Option<Vec<u16>> {
    let mut units = Vec::with_capacity(bytes.len());
    loop {
        let valid = match std::str::from_utf8(bytes) {
            Ok(text) => {
                units.extend(text.encode_utf16());
                return Some(units);
            }
            Err(error) => error.valid_up_to(),
        };
        let (text, rest) = bytes.split_at_checked(valid)?;
        units.extend(std::str::from_utf8(text).ok()?.encode_utf16());
        let ([0xED, high @ 0xA0..=0xBF, low @ 0x80..=0xBF], rest) = rest.split_first_chunk()? else {
            return None;
        };
        units.push(0xD000 | (u16::from(high & 0x3F) << 6) | u16::from(low & 0x3F));
        bytes = rest;
    }
}
