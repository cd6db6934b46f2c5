//! The table of formats: detect, load, inspect.

use std::fmt;

use bytes::Bytes;

use crate::asset::{Asset, Kind};
use crate::error::{Error, Result};
use crate::formats::{FORMATS, skdb};
use crate::parse::{Facts, Reader, Tree, Warnings};
use crate::path;
use crate::task::Task;

/// One format: how it is recognised, read and exemplified.
pub struct Format {
    /// Short lower-case name, as the command line spells it.
    pub id: &'static str,
    /// Name for people.
    pub title: &'static str,
    /// Where it comes from.
    pub game: &'static str,
    /// What its files hold.
    pub kind: Kind,
    /// Endings of its files, lower case, without the dot.
    pub extensions: &'static [&'static str],
    /// Whole leaf names of its files, lower case.
    pub file_names: &'static [&'static str],
    /// First bytes of its files.
    pub magics: &'static [&'static [u8]],
    /// Reads a file.
    pub parse: fn(&mut Reader<'_>) -> Result<Asset>,
    /// A small valid file with every feature, from the format's own writer.
    pub sample: fn() -> Vec<u8>,
}

impl fmt::Debug for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Format({})", self.id)
    }
}

/// A file as the window and `info` show it. Making one never fails.
#[derive(Debug)]
pub struct Inspection {
    /// The format, where one is known.
    pub format: Option<&'static Format>,
    /// What was read: nothing where no format is known.
    pub asset: Result<Option<Asset>>,
    /// The structure, up to the field where the parser stopped.
    pub tree: Tree,
    /// The facts that the parser stated.
    pub facts: Facts,
    /// The rules that the file breaks.
    pub warnings: Warnings,
}

impl Inspection {
    /// Facts that are as long as the file, for whoever asks for all of it.
    ///
    /// # Errors
    /// `Limit` when they would take more than 512 MB.
    pub fn long_facts(&self) -> Result<Facts> {
        const MOST: usize = 512 << 20;
        match &self.asset {
            Ok(Some(Asset::Strings(table))) => Ok(vec![("rows", skdb::rows(table, MOST)?.into())]),
            Ok(_) | Err(_) => Ok(Facts::new()),
        }
    }
}

/// The format of a file from its path and its first bytes.
///
/// A whole leaf name decides first, then the longest magic, then the extension; the table's order
/// breaks ties.
pub fn detect(path: &str, head: &[u8]) -> Option<&'static Format> {
    let leaf = path::to_text(path::split(path.as_bytes()).1).to_ascii_lowercase();
    let extension = leaf.rsplit_once('.').map_or("", |(_, extension)| extension);
    let magic_len = |format: &Format| {
        format.magics.iter().filter(|magic| head.starts_with(magic)).map(|magic| magic.len()).max()
    };
    let by_name = || FORMATS.iter().find(|format| format.file_names.contains(&leaf.as_str()));
    let by_magic = || {
        let found = FORMATS.iter().filter_map(|format| magic_len(format).map(|len| (len, format)));
        // The first of the longest.
        found.reduce(|best, next| if next.0 > best.0 { next } else { best }).map(|(_, format)| format)
    };
    let by_extension = || FORMATS.iter().find(|format| format.extensions.contains(&extension));
    by_name().or_else(by_magic).or_else(by_extension).copied()
}

/// Reads a file's values.
///
/// # Errors
/// `Unsupported` when no format is known, and whatever the format's parser says.
pub fn load(bytes: &Bytes, path: &str, task: &Task) -> Result<Asset> {
    let format = detect(path, bytes).ok_or_else(|| Error::unsupported("no known format"))?;
    (format.parse)(&mut Reader::new(bytes, path, task))
}

/// Reads a file's values, structure, facts and broken rules in one pass.
pub fn inspect(bytes: &Bytes, path: &str, task: &Task) -> Inspection {
    let format = detect(path, bytes);
    let mut reader = Reader::recording(bytes, path, task);
    let asset = format.map(|format| (format.parse)(&mut reader)).transpose();
    let (tree, facts, warnings) = reader.finish();
    Inspection { format, asset, tree, facts, warnings }
}
