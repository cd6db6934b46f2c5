//! Two copies of one path against each other, read and compared; never changed afterwards.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use palimpsest_core::asset::{ArchiveEntry, Asset, Member, Texture};
use palimpsest_core::diff::{
    self, ByteDiff, Change, FieldDiff, LineDiff, Listed, MemberDiff, PixelDiff, Side,
};
use palimpsest_core::error::Result;
use palimpsest_core::mount::Stack;
use palimpsest_core::task::Task;

use crate::document::Document;
use crate::format::{count, number, size};
use crate::gpu::pixels::{Level, Pixels};

/// Texts of more lines are compared byte by byte only.
const MOST_LINES: usize = 1_000_000;

/// How two copies relate.
pub struct Comparison {
    /// The bytes that both have.
    pub bytes: ByteDiff,
    /// The bytes that one side alone has, behind the end of the other.
    pub tail: Option<(Range<u64>, Change)>,
    /// Whether their layers store them alike, where all bytes are the same.
    pub is_stored_alike: bool,
    /// The fields.
    pub fields: FieldDiff,
    /// The lines, where both are texts.
    pub lines: Option<LineDiff>,
    /// The members, where both are lists or archives.
    pub members: Option<MemberDiff>,
    /// The pixels, where both are textures; or why they are not compared.
    pub pixels: Option<Result<Heat>>,
}

/// How far pixels of two textures differ.
#[derive(Debug)]
pub struct Heat {
    /// The difference of each channel as a picture, level by level.
    pub pixels: Option<Arc<Pixels>>,
    /// For each of its levels how many pixels differ, and by how much at most.
    pub levels: Vec<(u64, u8)>,
    /// How many larger levels were not compared.
    pub skipped: u32,
}

impl fmt::Debug for Comparison {
    /// Without the lists.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Comparison({} of {} bytes differ)", self.bytes.differing, self.bytes.compared)
    }
}

impl Comparison {
    /// Compares two copies that were read.
    ///
    /// # Errors
    /// `Cancelled`.
    pub fn of(stack: &Stack, left: &Document, right: &Document, task: &Task) -> Result<Self> {
        task.set_total(left.bytes.len().min(right.bytes.len()) as u64);
        let bytes = diff::bytes(&left.bytes, &right.bytes, task)?;
        let tail = tail(left, right);
        let is_same = bytes.count == 0 && tail.is_none();
        let stored = |of: &Document| stack.stored(of.copy).ok();
        let is_stored_alike = is_same && stored(left) == stored(right);
        task.check()?;
        let side = |of| -> Side<'_> {
            let of: &Document = of;
            Side { tree: &of.inspection.tree, bytes: &of.bytes }
        };
        let fields = diff::fields(side(left), side(right), task)?;
        let (mut lines, mut members, mut pixels) = (None, None, None);
        match (asset(left), asset(right)) {
            (Some(Asset::Text(_)), Some(Asset::Text(_)))
                if left.lines.len().max(right.lines.len()) <= MOST_LINES =>
            {
                lines = Some(diff::lines(&left.all_lines(), &right.all_lines(), task)?);
            }
            (Some(Asset::Texture(left)), Some(Asset::Texture(right))) => {
                pixels = Some(compare_pixels(left, right, task));
            }
            (Some(before), Some(after)) => {
                if let (Some(left), Some(right)) = (members_of(before, left), members_of(after, right)) {
                    members = Some(diff::members(&left, &right, task)?);
                }
            }
            _ => {}
        }
        task.check()?;
        Ok(Self { bytes, tail, is_stored_alike, fields, lines, members, pixels })
    }

    /// Whether every byte of both is there and the same.
    pub fn is_same(&self) -> bool {
        self.bytes.count == 0 && self.tail.is_none()
    }

    /// How many places differ, what one side alone has among them.
    pub fn places(&self) -> u64 {
        self.bytes.count + u64::from(self.tail.is_some())
    }

    /// A place that differs by its number. Of very many, those in the middle are left out.
    pub fn place(&self, at: u64) -> Option<Range<u64>> {
        if at == self.bytes.count {
            return self.tail.as_ref().map(|(range, _)| range.clone());
        }
        self.bytes.places.get(usize::try_from(at).ok()?).cloned()
    }

    /// The number of the place after an offset, or of the one before it.
    pub fn place_from(&self, offset: u64, is_forward: bool) -> Option<u64> {
        let kept = self.bytes.places.len() as u64;
        let tail = self.tail.as_ref().map(|(range, _)| range.start);
        if is_forward {
            let next = self.bytes.places.partition_point(|place| place.start <= offset) as u64;
            return if next < kept {
                Some(next)
            } else {
                tail.filter(|at| *at > offset).map(|_| self.bytes.count)
            };
        }
        if tail.is_some_and(|at| at < offset) {
            return Some(self.bytes.count);
        }
        (self.bytes.places.partition_point(|place| place.start < offset) as u64).checked_sub(1)
    }

    /// How the bytes relate, in words.
    pub fn words(&self, left: &Document, right: &Document) -> String {
        let (before, after) = (left.len(), right.len());
        if left.is_whole() && right.is_whole() && self.is_same() {
            let how = if self.is_stored_alike { "stored the same way" } else { "packed differently" };
            return format!("The same bytes, {how}");
        }
        let compared = number(self.bytes.compared);
        let differing = match (self.bytes.differing, self.bytes.compared) {
            (_, 0) => "No byte could be compared".to_owned(),
            (0, _) => format!("The first {compared} bytes are the same"),
            (differing, _) => format!(
                "{} of {compared} bytes differ in {}",
                number(differing),
                count(self.bytes.count, "place")
            ),
        };
        let lines = self.lines.as_ref().filter(|_| left.is_whole() && right.is_whole());
        let lines = lines.map(|lines| lines.changed + lines.added + lines.removed);
        let differing = match lines {
            Some(1) => format!("1 line differs; byte by byte {}", differing.to_lowercase()),
            Some(lines) => {
                format!("{} lines differ; byte by byte {}", number(lines), differing.to_lowercase())
            }
            None => differing,
        };
        if before == after {
            return format!("{differing}; both have {} bytes", number(before));
        }
        let tail = before.abs_diff(after);
        format!(
            "{differing}, and one copy goes on for {}: {} bytes against {}",
            count(tail, "byte"),
            number(before),
            number(after)
        )
    }
}

/// What ends early, in words, for a copy that could not be read to its end.
pub fn fault_words(of: &Document) -> Option<String> {
    if of.is_whole() {
        return None;
    }
    let read = size(of.bytes.len() as u64);
    Some(match &of.fault {
        Some(fault) => format!("{}: {}; its first {read} are compared", of.layer, fault.in_place()),
        None => format!("{}: its first {read} of {} are compared", of.layer, size(of.len())),
    })
}

/// What one side has behind the end of the other, where that end is known.
fn tail(left: &Document, right: &Document) -> Option<(Range<u64>, Change)> {
    let (before, after) = (left.len(), right.len());
    if before > after && right.is_whole() {
        return Some((after..before, Change::Removed));
    }
    (after > before && left.is_whole()).then_some((before..after, Change::Added))
}

fn asset(of: &Document) -> Option<&Asset> {
    of.inspection.asset.as_ref().ok()?.as_ref()
}

/// A member of a list or an archive: its path, and its size where that is told.
pub fn member(of: &Document, at: usize) -> Option<(&str, Option<u64>)> {
    match asset(of)? {
        Asset::Archive(archive) => {
            archive.entries.get(at).map(|entry| (entry.path.as_str(), Some(entry.size)))
        }
        Asset::Manifest(list) => list.members.get(at).map(|member| (&*member.path, member.size)),
        Asset::Mesh(_) | Asset::Skeleton(_) | Asset::Strings(_) | Asset::Text(_) | Asset::Texture(_) => None,
    }
}

/// All members of a list or an archive, with what is in them where it is stored in one piece.
fn members_of<'a>(asset: &'a Asset, of: &'a Document) -> Option<Vec<Listed<'a>>> {
    match asset {
        Asset::Archive(archive) => {
            let listed = |entry: &'a ArchiveEntry| {
                let end = entry.offset.checked_add(entry.stored).and_then(|end| usize::try_from(end).ok());
                let range = usize::try_from(entry.offset).ok().zip(end);
                let content = range.and_then(|(start, end)| of.bytes.get(start..end));
                Listed { path: &entry.path, size: Some(entry.size), content }
            };
            Some(archive.entries.iter().map(listed).collect())
        }
        Asset::Manifest(list) => {
            let listed = |member: &'a Member| Listed { path: &member.path, size: member.size, content: None };
            Some(list.members.iter().map(listed).collect())
        }
        Asset::Mesh(_) | Asset::Skeleton(_) | Asset::Strings(_) | Asset::Text(_) | Asset::Texture(_) => None,
    }
}

fn compare_pixels(left: &Texture, right: &Texture, task: &Task) -> Result<Heat> {
    let PixelDiff { levels, skipped } = diff::pixels(left, right, task)?;
    let counts = levels.iter().map(|level| (level.differing, level.most)).collect();
    let levels: Vec<_> = levels
        .into_iter()
        .map(|level| Level { width: level.width, height: level.height, data: level.pixels.into() })
        .collect();
    let pixels = (!levels.is_empty()).then(|| Arc::new(Pixels::of_levels(levels)));
    Ok(Heat { pixels, levels: counts, skipped })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn comparison(places: Vec<Range<u64>>, tail: Option<(Range<u64>, Change)>) -> Comparison {
        let bytes = ByteDiff { compared: 100, differing: 9, count: places.len() as u64, places };
        Comparison {
            bytes,
            tail,
            is_stored_alike: false,
            fields: FieldDiff::default(),
            lines: None,
            members: None,
            pixels: None,
        }
    }

    #[test]
    fn places_are_found_before_and_after_an_offset() {
        let of = comparison(vec![10..12, 30..31], Some((100..120, Change::Added)));
        assert_eq!(of.places(), 3);
        assert_eq!([0, 10, 30, 100].map(|at| of.place_from(at, true)), [Some(0), Some(1), Some(2), None]);
        assert_eq!([10, 11, 30, 101].map(|at| of.place_from(at, false)), [None, Some(0), Some(0), Some(2)]);
        assert_eq!([0, 1, 2, 3].map(|at| of.place(at)), [Some(10..12), Some(30..31), Some(100..120), None]);
        assert_eq!(comparison(Vec::new(), None).place_from(0, true), None);
    }
}
