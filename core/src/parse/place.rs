//! Questions about the places of a tree: nodes, records of tables, and fields of records.

use std::borrow::Cow;
use std::ops::Range;

use super::name::Name;
use super::record::{FieldLayout, Layout};
use super::scalar::{Endian, Number, Scalar};
use super::tree::{TextKind, Tree, Ty};
use crate::path;

/// A row of the structure: a node, or a record of a table, or a field of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place {
    /// The node.
    pub node: u32,
    /// The record in it, for tables.
    pub record: Option<u64>,
    /// The field of that record.
    pub field: Option<usize>,
}

impl Place {
    /// The node itself.
    pub const fn node(node: u32) -> Self {
        Self { node, record: None, field: None }
    }
}

/// What the bytes of a field mean, which decides their tint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A group, a list or a table: no bytes of its own.
    Structure,
    /// A whole number.
    Number,
    /// A place in the file.
    Offset,
    /// Text.
    Text,
    /// A hash.
    Hash,
    /// A real number.
    Float,
    /// Filler.
    Padding,
    /// Data that the parser does not look into.
    Data,
    /// Bytes that no field explains.
    Gap,
}

impl Tree {
    /// The records of a table, 0 for every other node.
    pub fn records(&self, node: u32) -> u64 {
        let table = self.get(node).zip(self.layout(node));
        table.map_or(0, |(node, layout)| node.len / (layout.size as u64).max(1))
    }

    /// The layout of a table's records.
    pub fn layout(&self, node: u32) -> Option<&Layout> {
        match self.get(node)?.ty {
            Ty::Table { layout, .. } => Some(layout),
            Ty::Records { layout, .. } => self.layouts.get(layout as usize),
            _ => None,
        }
    }

    /// The bytes of a place.
    pub fn range(&self, place: Place) -> Range<u64> {
        let Some(node) = self.get(place.node) else { return 0..0 };
        let (Some(layout), Some(record)) = (self.layout(place.node), place.record) else {
            return node.start..node.start.saturating_add(node.len);
        };
        let start = node.start + record * layout.size as u64;
        match place.field.and_then(|field| layout.fields.get(field)) {
            Some(field) => {
                let start = start + field.offset as u64;
                start..start + field.size() as u64
            }
            None => start..start + layout.size as u64,
        }
    }

    /// The innermost place that holds the byte at `offset`.
    pub fn locate(&self, offset: u64) -> Option<Place> {
        let starts = |&at: &u32| self.get(at).is_some_and(|node| node.start <= offset);
        let candidates = self.leaves.get(..self.leaves.partition_point(starts))?;
        // Leaves rarely overlap, so the last one that starts before the byte nearly always has it.
        let holds = |&&at: &&u32| self.get(at).is_some_and(|node| offset - node.start < node.len);
        let node = *candidates.iter().rev().take(64).find(holds)?;
        let start = self.get(node)?.start;
        let Some(layout) = self.layout(node) else { return Some(Place::node(node)) };
        let size = (layout.size as u64).max(1);
        let (record, inside) = ((offset - start) / size, (offset - start) % size);
        let in_field = |field: &FieldLayout| inside < (field.offset + field.size()) as u64;
        Some(Place { node, record: Some(record), field: layout.fields.iter().position(in_field) })
    }

    /// The name of a place below its parent.
    pub fn name(&self, place: Place) -> String {
        match (place.record, self.field(place)) {
            (_, Some(field)) => field.name.to_owned(),
            (Some(record), None) => Name::Index(record).to_string(),
            (None, None) => self.get(place.node).map_or_else(String::new, |node| node.name.to_string()),
        }
    }

    /// The names from the root to a place, such as `files[2].size`.
    pub fn path(&self, place: Place) -> String {
        let ancestry = self.ancestry(place.node);
        let mut path: Vec<_> =
            ancestry.iter().filter_map(|&at| self.get(at)).map(|node| node.name.clone()).collect();
        path.extend(place.record.map(Name::Index));
        path.extend(self.field(place).map(|field| Name::Field(field.name)));
        Name::join(&path)
    }

    /// The type of a place, such as `u32`, `f32 × 3` or `FileRecord × 12`.
    pub fn type_name(&self, place: Place) -> String {
        let numbers = |scalar: Scalar, count: usize| match count {
            1 => scalar.name().to_owned(),
            count => format!("{} × {count}", scalar.name()),
        };
        if let Some(field) = self.field(place) {
            return numbers(field.scalar, field.count);
        }
        let Some(node) = self.get(place.node) else { return String::new() };
        match node.ty {
            Ty::Group => "group".to_owned(),
            Ty::List { count } => format!("list × {count}"),
            Ty::Value { scalar, count, .. } => numbers(scalar, count),
            Ty::Table { .. } | Ty::Records { .. } => {
                let name = self.layout(place.node).map_or("record", |layout| layout.name);
                match place.record {
                    Some(_) => name.to_owned(),
                    None => format!("{name} × {}", self.records(place.node)),
                }
            }
            Ty::Bytes => "bytes".to_owned(),
            Ty::Text(TextKind::Bytes) => "text".to_owned(),
            Ty::Text(TextKind::Utf16) => "utf16".to_owned(),
            Ty::Padding => "padding".to_owned(),
            Ty::Rest { count } => format!("{count} more"),
            Ty::Gap => "unexplained".to_owned(),
        }
    }

    /// What the bytes of a place mean.
    pub fn role(&self, place: Place) -> Role {
        let of_scalar = |scalar| match scalar {
            Scalar::F32 | Scalar::F16 => Role::Float,
            Scalar::Hash32 => Role::Hash,
            Scalar::Offset32 | Scalar::Offset64 => Role::Offset,
            _ => Role::Number,
        };
        if let Some(field) = self.field(place) {
            return of_scalar(field.scalar);
        }
        match self.get(place.node).map(|node| node.ty) {
            Some(Ty::Value { scalar, .. }) => of_scalar(scalar),
            Some(Ty::Bytes | Ty::Rest { .. }) => Role::Data,
            Some(Ty::Text(_)) => Role::Text,
            Some(Ty::Padding) => Role::Padding,
            Some(Ty::Gap) => Role::Gap,
            Some(Ty::Group | Ty::List { .. } | Ty::Table { .. } | Ty::Records { .. }) | None => {
                Role::Structure
            }
        }
    }

    /// The value of a place as text, read from `bytes`, the whole buffer; empty for groups.
    pub fn value(&self, place: Place, bytes: &[u8]) -> String {
        let range = self.range(place);
        let range = usize::try_from(range.start).ok().zip(usize::try_from(range.end).ok());
        let Some(own) = range.and_then(|(start, end)| bytes.get(start..end)) else {
            return String::new();
        };
        let Some(node) = self.get(place.node) else { return String::new() };
        if let (Ty::Table { endian, .. } | Ty::Records { endian, .. }, Some(field)) =
            (node.ty, self.field(place))
        {
            return numbers(own, field.scalar, endian, field.count);
        }
        match node.ty {
            Ty::Value { scalar, endian, count } => numbers(own, scalar, endian, count),
            Ty::Text(kind) => text(own, kind),
            Ty::Bytes | Ty::Gap => hex(own),
            Ty::Table { note: Some(note), .. } if place.record.is_some() => escaped(&note(own, bytes)),
            Ty::Group
            | Ty::List { .. }
            | Ty::Table { .. }
            | Ty::Records { .. }
            | Ty::Padding
            | Ty::Rest { .. } => String::new(),
        }
    }

    /// The hash that a place holds, where it is a hash.
    pub fn hash(&self, place: Place, bytes: &[u8]) -> Option<u32> {
        let (scalar, endian) = match (self.get(place.node)?.ty, self.field(place)) {
            (Ty::Table { endian, .. } | Ty::Records { endian, .. }, Some(field)) if field.count == 1 => {
                (field.scalar, endian)
            }
            (Ty::Value { scalar, endian, count: 1 }, _) => (scalar, endian),
            _ => return None,
        };
        let start = usize::try_from(self.range(place).start).ok()?;
        match scalar.read(bytes.get(start..)?, endian)? {
            Number::Hash(hash) => Some(hash),
            _ => None,
        }
    }

    /// What the value of a place stands for, read from `bytes`, the whole buffer.
    pub fn meaning(&self, place: Place, bytes: &[u8]) -> Option<Cow<'_, str>> {
        let Some(field) = self.field(place) else { return self.note(place).map(Cow::Borrowed) };
        let (Ty::Table { endian, .. } | Ty::Records { endian, .. }) = self.get(place.node)?.ty else {
            return None;
        };
        let start = usize::try_from(self.range(place).start).ok()?;
        field.meaning(bytes.get(start..)?, endian).map(Cow::Owned)
    }

    /// What the parser said about a place: the meaning of its value, or a field's documentation.
    pub fn note(&self, place: Place) -> Option<&str> {
        if let Some(field) = self.field(place) {
            return Some(field.doc.trim());
        }
        let note = self.get(place.node)?.note?;
        self.notes.get(note as usize).map(String::as_str)
    }

    fn field(&self, place: Place) -> Option<&FieldLayout> {
        place.record?;
        self.layout(place.node)?.fields.get(place.field?)
    }
}

/// How many numbers or bytes a value shows before it is cut short.
const SHOWN: usize = 16;

fn numbers(bytes: &[u8], scalar: Scalar, endian: Endian, count: usize) -> String {
    if scalar == Scalar::U8 && count > 1 {
        return hex(bytes);
    }
    let shown: Vec<_> = bytes
        .chunks_exact(scalar.size())
        .take(SHOWN)
        .filter_map(|bytes| scalar.read(bytes, endian))
        .map(|number| number.to_string())
        .collect();
    shown.join(", ") + if count > SHOWN { ", …" } else { "" }
}

fn hex(bytes: &[u8]) -> String {
    let shown: Vec<_> = bytes.iter().take(SHOWN).map(|byte| format!("{byte:02X}")).collect();
    shown.join(" ") + if bytes.len() > SHOWN { " …" } else { "" }
}

fn text(bytes: &[u8], kind: TextKind) -> String {
    const SHOWN_CHARS: usize = 200;
    let shown = bytes.get(..4 * SHOWN_CHARS).unwrap_or(bytes);
    let text = match kind {
        TextKind::Bytes => path::to_text(shown).into_owned(),
        TextKind::Utf16 => {
            let units: Vec<_> = shown.as_chunks().0.iter().map(|unit| u16::from_le_bytes(*unit)).collect();
            String::from_utf16_lossy(&units)
        }
    };
    let text = text.trim_end_matches('\0');
    let (end, is_cut) = match text.char_indices().nth(SHOWN_CHARS) {
        Some((end, _)) => (end, true),
        None => (text.len(), shown.len() < bytes.len()),
    };
    escaped(text.get(..end).unwrap_or_default()) + if is_cut { "…" } else { "" }
}

/// The text on one line: `\n`, `\t` and the like for characters that have no shape. A backslash stays
/// one, since most texts are paths.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() {
            out.extend(c.escape_default());
        } else {
            out.push(c);
        }
    }
    out
}
