//! Reading one manifest or container: paths and sizes, no payload.

use std::ops::Range;

use bytes::Bytes;

use crate::error::{Error, Result};
use crate::formats::bndl;
use crate::formats::embb::{HEADER, Head, Sections};
use crate::mount::content::Content;
use crate::parse::{Name, Reader};
use crate::path::canonical;
use crate::task::Task;

/// The largest manifest, or head of a container, that is read; the shipped ones have less than a megabyte.
const LARGEST: u64 = 64 << 20;

/// What was read, and why it is not all.
#[derive(Debug)]
pub(super) struct Walked<T> {
    /// Paths in canonical spelling, and what belongs to them.
    pub(super) members: Vec<(Vec<u8>, T)>,
    /// How many members the file says that it has.
    pub(super) declared: u64,
    pub(super) fault: Option<Error>,
}

impl<T> Walked<T> {
    pub(super) const fn nothing(fault: Error) -> Self {
        Self { members: Vec::new(), declared: 0, fault: Some(fault) }
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
        let members: Vec<_> =
            bundle.members().map(|(path, size)| (canonical(path).into_owned(), size)).collect();
        Ok(Walked { declared: members.len() as u64, members, fault: None })
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
        let mut header = [0; HEADER];
        walk.read(0, &mut header)?;
        let head_size = limited(Head::size(&header))?;
        let mut head = header.to_vec();
        let size = usize::try_from(head_size.min(content.len())).unwrap_or(HEADER);
        head.resize(size.max(HEADER), 0);
        walk.read(HEADER as u64, head.get_mut(HEADER..).unwrap_or_default())?;
        let head = Bytes::from(head);
        let mut reader = Reader::new(&head, "", task);
        let head = Head::read(&mut reader)?;
        let mut walked = Walked { members: Vec::new(), declared: head.count(), fault: None };
        let mut sections = Sections::new(reader.pos(), content.len());
        for index in 0..head.count() {
            task.check()?;
            let at = sections.at();
            let mut word = [0; size_of::<u32>()];
            let range = walk
                .read(at, &mut word)
                .and_then(|()| sections.take(u32::from_le_bytes(word)).map_err(Error::malformed));
            let fields = || vec![Name::Field("sections"), Name::Index(index), Name::Field("size")];
            match range {
                Ok(range) => {
                    let path = head.path(usize::try_from(index).unwrap_or(usize::MAX));
                    walked.members.push((canonical(path).into_owned(), range));
                }
                Err(error) => {
                    walked.fault = Some(error.at(at).in_fields(fields()));
                    break;
                }
            }
        }
        Ok(walked)
    };
    kept(read())
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
