//! Reading one manifest or container: paths and sizes, no payload.

use std::ops::Range;

use bytes::Bytes;

use crate::error::{Error, Result};
use crate::formats::bndl;
use crate::formats::embb::{HEADER, Head, Sections, repair};
use crate::mount::content::{Content, ContentWalk};
use crate::parse::{Name, Reader, Warnings};
use crate::path::canonical;
use crate::task::Task;

/// The largest manifest, or head of a container, that is read; the shipped ones have less than a megabyte.
pub(super) const LARGEST: u64 = 64 << 20;

/// What was read, and what is wrong with it.
#[derive(Debug)]
pub(super) struct Walked<T> {
    /// Paths in canonical spelling, one after another, and where each ends.
    text: Vec<u8>,
    members: Vec<(usize, T)>,
    /// How many members the file says that it has.
    pub(super) declared: u64,
    /// Bytes of the container that a manifest predicts.
    pub(super) predicted: u64,
    pub(super) fault: Option<Error>,
}

impl<T> Walked<T> {
    pub(super) const fn nothing(fault: Error) -> Self {
        Self { text: Vec::new(), members: Vec::new(), declared: 0, predicted: 0, fault: Some(fault) }
    }

    fn with_room(declared: u64) -> Self {
        Self { text: Vec::new(), members: Vec::new(), declared, predicted: 0, fault: None }
    }

    fn push(&mut self, path: &[u8], member: T) {
        self.text.extend_from_slice(&canonical(path));
        self.members.push((self.text.len(), member));
    }

    /// Keeps the first members alone.
    fn truncate(&mut self, count: u64) {
        self.members.truncate(usize::try_from(count).unwrap_or(usize::MAX));
        self.text.truncate(self.members.last().map_or(0, |(end, _)| *end));
    }

    /// The members with their paths.
    pub(super) fn members(&self) -> impl Iterator<Item = (&[u8], &T)> {
        let starts = std::iter::once(0).chain(self.members.iter().map(|(end, _)| *end));
        self.members
            .iter()
            .zip(starts)
            .map(|((end, member), start)| (self.text.get(start..*end).unwrap_or_default(), member))
    }

    /// Keeps the first broken rule, where nothing worse is known.
    fn judge(&mut self, warnings: &Warnings) {
        if self.fault.is_none() {
            self.fault = warnings.lines().next().map(Error::malformed);
        }
    }
}

/// Reads a manifest: the size that it states of each member.
///
/// # Errors
/// `Cancelled`.
pub(super) fn manifest(content: &Content, task: &Task) -> Result<Walked<u32>> {
    let read = || {
        let bytes = content.read(0..limited(content.len())?, task)?;
        let mut reader = Reader::new(&bytes, "", task);
        let bundle = bndl::open(&mut reader)?;
        let mut walked = Walked::with_room(bundle.members().len() as u64);
        walked.predicted = bundle.predicted();
        bundle.members().for_each(|(path, size)| walked.push(path, size));
        walked.judge(&reader.into_warnings());
        Ok(walked)
    };
    kept(read())
}

/// Walks a container by its size words: where each member lies.
///
/// # Errors
/// `Cancelled`.
pub(super) fn container(content: &Content, task: &Task) -> Result<Walked<Range<u64>>> {
    let read = || {
        let mut walk = content.walk();
        let mut head = vec![0; HEADER];
        walk.read(0, &mut head)?;
        let header = head.first_chunk().copied().unwrap_or_default();
        // What is left of a container that ends too early is judged as it stands.
        let mut read_to = |head: &mut Vec<u8>, size: u64| {
            let start = head.len();
            let end = usize::try_from(limited(size)?.min(content.len())).unwrap_or(start);
            head.resize(end.max(start), 0);
            walk.read(start as u64, head.get_mut(start..).unwrap_or_default())
        };
        read_to(&mut head, HEADER as u64 + Head::paths_size(&header))?;
        let size = Head::size(head.get(HEADER..).unwrap_or_default());
        read_to(&mut head, size)?;
        let head = Bytes::from(head);
        let mut reader = Reader::new(&head, "", task);
        let head = Head::read(&mut reader)?;
        let mut walked = Walked::with_room(head.count());
        let sections = Sections::new(reader.pos(), content.len(), head.count());
        take_sections(content, walk, &sections, &head, &mut walked, task)?;
        walked.judge(&reader.into_warnings());
        Ok(walked)
    };
    kept(read())
}

/// Takes the sections of a container, up to a size word that is wrong.
fn take_sections(
    content: &Content,
    mut walk: ContentWalk<'_>,
    start: &Sections,
    head: &Head<'_>,
    walked: &mut Walked<Range<u64>>,
    task: &Task,
) -> Result<()> {
    let mut sections = start.clone();
    let mut stop = None;
    let fields = |section| vec![Name::Field("sections"), Name::Index(section), Name::Field("size")];
    while stop.is_none() && sections.is_open() {
        task.check()?;
        let mut word = [0; size_of::<u32>()];
        let at = sections.at();
        if sections.has_word()
            && let Err(error) = walk.read(at, &mut word)
        {
            walked.fault = Some(error.at(at).in_fields(fields(walked.members.len() as u64)));
            return Ok(());
        }
        match sections.take(sections.has_word().then_some(u32::from_le_bytes(word))) {
            Ok(range) => walked.push(head.path(walked.members.len()), range),
            Err(found) => stop = Some(found),
        }
    }
    let Some(mut stop) = stop.or_else(|| sections.left_over()) else { return Ok(()) };
    if content.len() <= repair::LARGEST {
        // Where a chunk is damaged, no more is known.
        match content.read(0..content.len(), task) {
            Ok(bytes) => stop = repair::place(&bytes, start, stop, || task.check())?,
            Err(error) if error.is_cancelled() => return Err(error),
            Err(_) => {}
        }
    }
    let is_word = stop.section < head.count();
    let fields = if is_word { fields(stop.section) } else { vec![Name::Field("trailing")] };
    walked.truncate(stop.section);
    walked.fault = Some(Error::malformed(stop.text).at(stop.at).in_fields(fields));
    Ok(())
}

/// A fault is kept beside what was read; being cancelled is none.
fn kept<T>(result: Result<Walked<T>>) -> Result<Walked<T>> {
    match result {
        Err(error) if error.is_cancelled() => Err(error),
        Err(error) => Ok(Walked::nothing(error)),
        whole => whole,
    }
}

fn limited(size: u64) -> Result<u64> {
    if size > LARGEST {
        return Err(Error::limit(format!("{size} bytes of names, at most {LARGEST} are read")));
    }
    Ok(size)
}
