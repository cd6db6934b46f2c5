//! The one cursor of all parsers: every read has a name, and may be recorded.

use std::ops::Range;

use bytes::Bytes;

use super::fact::{Fact, Facts};
use super::name::Name;
use super::record::{Layout, Record, Table};
use super::scalar::{Endian, Hash, Value};
use super::tree::{RecordNote, TextKind, Tree, Ty};
use super::warning::Warnings;
use crate::error::{Error, Result};
use crate::task::Task;

/// How many elements of a list are recorded in detail; one node stands for the rest.
pub const MAX_RECORDED: u64 = 1000;

/// How deep groups and jumps may nest before a file is refused.
pub const MAX_DEPTH: usize = 64;

/// Elements between two looks at the task.
const STEP: u64 = 4096;

/// Reads a buffer from its start, field by field.
///
/// Errors carry the path of groups and lists around the failing field and its offset. Nothing is
/// allocated by a count from the file before that count was checked against the bytes left.
#[derive(Debug)]
pub struct Reader<'a> {
    data: &'a Bytes,
    file: &'a str,
    pos: usize,
    endian: Endian,
    pub(super) path: Vec<Name>,
    /// The newest field: its name and its bytes.
    pub(super) last: (Name, Range<usize>),
    tree: Option<Tree>,
    muted: u32,
    facts: Facts,
    pub(super) warnings: Warnings,
    task: &'a Task,
}

impl<'a> Reader<'a> {
    /// A reader of `data`, the file at the path `file`, that returns values only.
    pub fn new(data: &'a Bytes, file: &'a str, task: &'a Task) -> Self {
        Self {
            data,
            file,
            pos: 0,
            endian: Endian::Little,
            path: Vec::new(),
            last: (Name::Field("file"), 0..0),
            tree: None,
            muted: 0,
            facts: Facts::new(),
            warnings: Warnings::default(),
            task,
        }
    }

    /// A reader that also records the structure and the facts.
    pub fn recording(data: &'a Bytes, file: &'a str, task: &'a Task) -> Self {
        Self { tree: Some(Tree::default()), ..Self::new(data, file, task) }
    }

    /// What was collected, the structure complete over the whole buffer.
    pub fn finish(self) -> (Tree, Facts, Warnings) {
        let mut tree = self.tree.unwrap_or_default();
        tree.finish(self.data.len() as u64);
        (tree, self.facts, self.warnings)
    }

    /// The broken rules, for a reader that did not record.
    pub fn into_warnings(self) -> Warnings {
        self.warnings
    }

    /// Whether the structure is recorded at this place.
    pub fn is_recording(&self) -> bool {
        self.tree.is_some() && self.muted == 0
    }

    /// Where the next read starts.
    pub fn pos(&self) -> u64 {
        self.pos as u64
    }

    /// Bytes left to read.
    pub fn left(&self) -> u64 {
        self.data.len().saturating_sub(self.pos) as u64
    }

    /// The path of the file, for what only its name tells.
    pub fn file(&self) -> &'a str {
        self.file
    }

    /// The whole buffer.
    pub fn data(&self) -> &'a Bytes {
        self.data
    }

    /// The bytes ahead, up to `len`, without reading them.
    pub fn peek(&self, len: usize) -> &'a [u8] {
        let end = self.pos.saturating_add(len).min(self.data.len());
        self.data.get(self.pos..end).unwrap_or_default()
    }

    /// Reads a number, or an array of numbers.
    ///
    /// # Errors
    /// `Eof` when too few bytes are left.
    #[inline]
    pub fn value<T: Value>(&mut self, name: &'static str) -> Result<T> {
        let ty = Ty::Value { scalar: T::SCALAR, endian: self.endian, count: T::COUNT };
        let bytes = self.take(Name::Field(name), ty, T::SIZE as u64)?;
        Ok(T::read(bytes, self.endian))
    }

    /// Reads a `u8`.
    ///
    /// # Errors
    /// `Eof` when no byte is left.
    pub fn u8(&mut self, name: &'static str) -> Result<u8> {
        self.value(name)
    }

    /// Reads a `u16`.
    ///
    /// # Errors
    /// `Eof` when too few bytes are left.
    pub fn u16(&mut self, name: &'static str) -> Result<u16> {
        self.value(name)
    }

    /// Reads a `u32`.
    ///
    /// # Errors
    /// `Eof` when too few bytes are left.
    pub fn u32(&mut self, name: &'static str) -> Result<u32> {
        self.value(name)
    }

    /// Reads bytes that must have one of the given spellings, and returns which.
    ///
    /// # Errors
    /// `Malformed` when they have none, `Eof` when too few bytes are left.
    pub fn magic(&mut self, name: &'static str, spellings: &[&[u8]]) -> Result<usize> {
        let len = spellings.first().map_or(0, |spelling| spelling.len());
        let found = self.take(Name::Field(name), Ty::Text(TextKind::Bytes), len as u64)?;
        spellings.iter().position(|spelling| *spelling == found).ok_or_else(|| {
            let expected: Vec<_> = spellings.iter().map(|bytes| bytes.escape_ascii().to_string()).collect();
            self.malformed(format!(
                "found {:?}, expected {}",
                found.escape_ascii().to_string(),
                expected.join(" or ")
            ))
        })
    }

    /// Reads a word that marks a part of the file.
    ///
    /// # Errors
    /// `Malformed` for another word, `Eof` when too few bytes are left.
    pub fn mark(&mut self, name: &'static str, wanted: u32) -> Result<()> {
        let Hash(found) = self.value(name)?;
        self.check_mark(found, wanted)
    }

    /// Holds a mark that was read already against the one that is wanted.
    ///
    /// # Errors
    /// `Malformed` for another word; the newest field is to blame.
    pub fn check_mark(&self, found: u32, wanted: u32) -> Result<()> {
        if found == wanted {
            return Ok(());
        }
        Err(self.malformed(format!("{found:#010X}, expected {wanted:#010X}")))
    }

    /// Reads text of `len` bytes.
    ///
    /// # Errors
    /// `Eof` when too few bytes are left.
    pub fn text(&mut self, name: impl Into<Name>, len: u64) -> Result<&'a [u8]> {
        self.take(name.into(), Ty::Text(TextKind::Bytes), len)
    }

    /// Reads UTF-16 text of `len` bytes.
    ///
    /// # Errors
    /// `Eof` when too few bytes are left.
    pub fn utf16(&mut self, name: impl Into<Name>, len: u64) -> Result<&'a [u8]> {
        self.take(name.into(), Ty::Text(TextKind::Utf16), len)
    }

    /// Reads text up to a NUL and the NUL; the text is returned without it.
    ///
    /// # Errors
    /// `Malformed` when no NUL is left.
    pub fn cstr(&mut self, name: impl Into<Name>) -> Result<&'a [u8]> {
        let name = name.into();
        let ahead = self.peek(usize::MAX);
        let Some(len) = memchr::memchr(0, ahead) else {
            self.last = (name, self.pos..self.data.len());
            return Err(self.malformed("the text has no end: no NUL follows"));
        };
        self.take(name, Ty::Text(TextKind::Bytes), len as u64 + 1)?;
        Ok(ahead.get(..len).unwrap_or_default())
    }

    /// Reads `len` bytes of texts that each end with a NUL, and returns them with their NULs.
    ///
    /// # Errors
    /// `Eof` when too few bytes are left.
    pub fn cstrs(&mut self, name: &'static str, len: u64) -> Result<&'a [u8]> {
        let start = self.pos();
        let bytes = self.advance(&Name::Field(name), len)?;
        let last = self.last.clone();
        if self.is_recording() {
            let count = memchr::memchr_iter(0, bytes).count() as u64
                + u64::from(bytes.last().is_some_and(|byte| *byte != 0));
            self.pos = self.last.1.start;
            self.nest(name.into(), Ty::List { count }, |r| {
                r.pos = r.last.1.end;
                let mut texts = bytes.split_inclusive(|byte| *byte == 0);
                let mut at = start;
                for (index, text) in (0..MAX_RECORDED).zip(&mut texts) {
                    r.put(index, Ty::Text(TextKind::Bytes), at, text.len() as u64);
                    at += text.len() as u64;
                }
                if count > MAX_RECORDED {
                    r.put("rest", Ty::Rest { count: count - MAX_RECORDED }, at, start + len - at);
                }
                Ok(())
            })?;
        }
        self.last = last;
        Ok(bytes)
    }

    /// Reads `len` bytes as they are; they share the buffer's memory.
    ///
    /// # Errors
    /// `Eof` when too few bytes are left.
    pub fn bytes(&mut self, name: impl Into<Name>, len: u64) -> Result<Bytes> {
        let bytes = self.take(name.into(), Ty::Bytes, len)?;
        Ok(self.data.slice_ref(bytes))
    }

    /// Reads filler.
    ///
    /// # Errors
    /// `Eof` when too few bytes are left.
    pub fn padding(&mut self, name: &'static str, len: u64) -> Result<&'a [u8]> {
        self.take(Name::Field(name), Ty::Padding, len)
    }

    /// Reads one record, its fields below a node of that name.
    ///
    /// # Errors
    /// `Eof` when too few bytes are left.
    pub fn record<T: Record>(&mut self, name: &'static str) -> Result<T> {
        let layout = T::LAYOUT;
        let start = self.pos;
        let bytes = self.advance(&Name::Field(name), layout.size as u64)?;
        if self.is_recording() {
            let (depth, endian) = (self.depth(), self.endian);
            if let Some(tree) = &mut self.tree {
                let group = tree.push(Name::Field(name), Ty::Group, start as u64, layout.size as u64, depth);
                for field in layout.fields.iter() {
                    let ty = Ty::Value { scalar: field.scalar, endian, count: field.count };
                    let at = (start + field.offset) as u64;
                    tree.push(Name::Field(field.name), ty, at, field.size() as u64, depth + 1);
                    let own = bytes.get(field.offset..).unwrap_or_default();
                    if let Some(meaning) = field.meaning(own, endian) {
                        tree.add_note(meaning);
                    }
                }
                tree.close(group, (start + layout.size) as u64);
            }
        }
        Ok(T::read(bytes, self.endian))
    }

    /// Reads `count` records, decoded when asked for; one node, whatever the count.
    ///
    /// # Errors
    /// `Eof` when too few bytes are left.
    pub fn table<T: Record>(
        &mut self,
        name: &'static str,
        count: u64,
        note: Option<RecordNote>,
    ) -> Result<Table<'a, T>> {
        let start = self.pos();
        let ty = Ty::Table { layout: T::LAYOUT, endian: self.endian, note };
        let len = count.saturating_mul(T::LAYOUT.size as u64);
        let bytes = self.take(Name::Field(name), ty, len)?;
        Ok(Table::new(bytes, start, self.endian))
    }

    /// Reads `count` records of a layout that the file declares; one node, whatever the count. Where they
    /// start, and their bytes.
    ///
    /// # Errors
    /// `Eof` when too few bytes are left.
    pub fn records(&mut self, name: impl Into<Name>, count: u64, layout: Layout) -> Result<(u64, Bytes)> {
        let (start, name, endian) = (self.pos(), name.into(), self.endian);
        let size = layout.size as u64;
        let number = match &mut self.tree {
            Some(tree) if self.muted == 0 => {
                tree.layouts.push(layout);
                tree.layouts.len() - 1
            }
            _ => 0,
        };
        let ty = Ty::Records { layout: u32::try_from(number).unwrap_or(u32::MAX), endian };
        let bytes = self.take(name, ty, count.saturating_mul(size))?;
        Ok((start, self.data.slice_ref(bytes)))
    }

    /// Reads parts under one name.
    ///
    /// # Errors
    /// Those of `read`, and `Limit` when groups nest too deep.
    pub fn group<T>(
        &mut self,
        name: impl Into<Name>,
        read: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        self.nest(name.into(), Ty::Group, read)
    }

    /// Reads `count` elements of at least `min_size` bytes each; 0 only where something that was read has as many
    /// elements.
    ///
    /// The first [`MAX_RECORDED`] elements are recorded in detail; `read` runs for all of them.
    ///
    /// # Errors
    /// Those of `read`, `Eof` when the count cannot fit the bytes left, `Cancelled`.
    pub fn list<T>(
        &mut self,
        name: &'static str,
        count: u64,
        min_size: u64,
        mut read: impl FnMut(&mut Self, u64) -> Result<T>,
    ) -> Result<Vec<T>> {
        let wanted = count.saturating_mul(min_size);
        if wanted > self.left() {
            return Err(self.eof(&Name::Field(name), wanted));
        }
        self.nest(name.into(), Ty::List { count }, |r| {
            let mut elements = Vec::with_capacity(usize::try_from(count.min(STEP)).unwrap_or(0));
            for at in 0..count.min(MAX_RECORDED) {
                elements.push(read(r, at)?);
            }
            if count > MAX_RECORDED {
                let start = r.pos();
                r.muted += 1;
                let rest: Result<()> = (MAX_RECORDED..count).try_for_each(|at| {
                    if at % STEP == 0 {
                        r.task.check()?;
                    }
                    elements.push(read(r, at)?);
                    Ok(())
                });
                r.muted -= 1;
                r.put(Name::Field("rest"), Ty::Rest { count: count - MAX_RECORDED }, start, r.pos() - start);
                rest?;
            }
            Ok(elements)
        })
    }

    /// Reads elsewhere and comes back.
    ///
    /// # Errors
    /// Those of `read`; `Malformed` when the place is outside the buffer.
    pub fn at<T>(&mut self, offset: u64, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let back = self.pos;
        self.seek(offset)?;
        let result = read(self);
        self.pos = back;
        result
    }

    /// Moves to a place in the buffer.
    ///
    /// # Errors
    /// `Malformed` when the place is outside the buffer; the newest field is to blame.
    pub fn seek(&mut self, offset: u64) -> Result<()> {
        match usize::try_from(offset) {
            Ok(pos) if pos <= self.data.len() => {
                self.pos = pos;
                Ok(())
            }
            _ => {
                Err(self.malformed(format!("points to {offset:#X}, past the end at {:#X}", self.data.len())))
            }
        }
    }

    /// Attaches the meaning of the newest field to its node; the text is made only when recording.
    pub fn note(&mut self, text: impl FnOnce() -> String) {
        if self.is_recording()
            && let Some(tree) = &mut self.tree
        {
            tree.add_note(text());
        }
    }

    /// States a fact about the file; the value is made only when recording.
    pub fn fact<F: Into<Fact>>(&mut self, key: &'static str, value: impl FnOnce() -> F) {
        if self.tree.is_some() {
            self.facts.push((key, value().into()));
        }
    }

    /// Looks at the task.
    ///
    /// # Errors
    /// `Cancelled` once the task was cancelled.
    pub fn check(&self) -> Result<()> {
        self.task.check()
    }

    /// Adds a node for bytes that were looked at in another way than by a read.
    pub fn put(&mut self, name: impl Into<Name>, ty: Ty, start: u64, len: u64) {
        if self.is_recording() {
            let depth = self.depth();
            if let Some(tree) = &mut self.tree {
                tree.push(name.into(), ty, start, len, depth);
            }
        }
    }

    fn nest<T>(&mut self, name: Name, ty: Ty, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.path.len() >= MAX_DEPTH {
            return Err(self.blame(Error::limit(format!("groups nest deeper than {MAX_DEPTH}"))));
        }
        let (start, depth) = (self.pos(), self.depth());
        let recording = self.is_recording();
        let node = match &mut self.tree {
            Some(tree) if recording => Some(tree.push(name.clone(), ty, start, 0, depth)),
            _ => None,
        };
        self.path.push(name);
        let result = read(self);
        self.path.pop();
        let end = self.pos();
        if let (Some(node), Some(tree)) = (node, &mut self.tree) {
            tree.close(node, end);
        }
        result
    }

    #[inline]
    fn take(&mut self, name: Name, ty: Ty, len: u64) -> Result<&'a [u8]> {
        let start = self.pos();
        let bytes = self.advance(&name, len)?;
        self.put(name, ty, start, len);
        Ok(bytes)
    }

    #[inline]
    fn advance(&mut self, name: &Name, len: u64) -> Result<&'a [u8]> {
        if len > self.left() {
            return Err(self.eof(name, len));
        }
        // `len` fits: it is at most what is left of a buffer in memory.
        #[expect(clippy::cast_possible_truncation, reason = "checked against the bytes left")]
        let range = self.pos..self.pos + len as usize;
        self.pos = range.end;
        let bytes = self.data.get(range.clone()).unwrap_or_default();
        self.last = (name.clone(), range);
        Ok(bytes)
    }

    fn depth(&self) -> u16 {
        u16::try_from(self.path.len()).unwrap_or(u16::MAX)
    }
}
