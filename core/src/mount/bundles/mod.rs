//! The bundles of a layer: which members its containers hold, and what its manifests name.
//!
//! Names are kept once in each spelling, members and rows as flat arrays. As a listing, members stand
//! sorted by folder and leaf, behind the files of their layer: file number `file_count + n` is member `n`.

mod build;
mod cache;
mod walk;

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::layer::Folder;
use super::path_set::text_of;
use crate::path::{cmp_fold, eq_fold, split};

pub(super) use build::files as bundle_files;
pub use cache::BundleCache;

/// The endings of manifests and of containers.
pub(super) const MANIFEST: &[u8] = b".bndl";
pub(super) const CONTAINER: &[u8] = b".embb";

/// The bundles of one layer.
#[derive(Debug, Default)]
pub struct Bundles {
    parts: Parts,
    /// Sections by folder and leaf: member numbers are positions in it.
    sorted: Vec<u32>,
    /// The member that each section is.
    members: Vec<u32>,
    /// The first member of each folder.
    folders: Vec<u32>,
    /// Places of those with a fault, manifests first: the window asks for them in every frame.
    faults: Vec<usize>,
}

/// What is read from the files, and kept in the cache.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Parts {
    /// Paths of members, one after another.
    text: Vec<u8>,
    /// Where each path ends.
    ends: Vec<u32>,
    /// In the order of their files.
    containers: Vec<Listed>,
    sections: Vec<Section>,
    /// In the order of their files.
    manifests: Vec<Listed>,
    rows: Vec<Row>,
}

/// A manifest or a container with its share of the rows or sections.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Listed {
    /// The file in its layer.
    pub file: u32,
    start: u32,
    end: u32,
    /// How many members it says that it has.
    pub declared: u64,
    /// Bytes of the container that a manifest predicts; 0 for containers.
    pub predicted: u64,
    /// What is wrong with it, where that is so.
    pub fault: Option<String>,
    /// Whether it was read to its end, so that nothing of it is unknown.
    pub is_whole: bool,
}

/// A member of a container.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Section {
    path: u32,
    container: u32,
    /// Where its bytes start in the container.
    pub offset: u64,
    /// Bytes.
    pub size: u32,
}

/// What a manifest says of a member.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Row {
    path: u32,
    /// Bytes.
    pub size: u32,
}

impl Bundles {
    /// Sorts what was read; `None` where it does not fit a layer of so many files or itself.
    pub(super) fn of(parts: Parts, file_count: u32) -> Option<Self> {
        parts.is_sound(file_count).then_some(())?;
        let mut sorted: Vec<u32> = (0..u32::try_from(parts.sections.len()).ok()?).collect();
        let path = |section: u32| parts.path(parts.sections.get(section as usize).map_or(0, |of| of.path));
        sorted.sort_by(|a, b| {
            let (a, b) = (split(path(*a)), split(path(*b)));
            cmp_fold(a.0, b.0).then_with(|| cmp_fold(a.1, b.1))
        });
        let mut members = vec![0; sorted.len()];
        let mut folders = Vec::new();
        let mut before: Option<&[u8]> = None;
        for (member, section) in (0..).zip(&sorted) {
            if let Some(slot) = members.get_mut(*section as usize) {
                *slot = member;
            }
            let folder = split(path(*section)).0;
            if before.is_none_or(|before| !eq_fold(before, folder)) {
                folders.push(member);
            }
            before = Some(folder);
        }
        let listed = parts.manifests.iter().chain(&parts.containers);
        let faults = listed.enumerate().filter(|(_, of)| of.fault.is_some()).map(|(at, _)| at).collect();
        Some(Self { parts, sorted, members, folders, faults })
    }

    /// How many members all containers hold.
    pub fn member_count(&self) -> u32 {
        u32::try_from(self.sorted.len()).unwrap_or(u32::MAX)
    }

    /// The containers in the order of their files.
    pub fn containers(&self) -> &[Listed] {
        &self.parts.containers
    }

    /// The manifests in the order of their files.
    pub fn manifests(&self) -> &[Listed] {
        &self.parts.manifests
    }

    /// What is wrong with manifests and containers.
    pub(super) fn faults(&self) -> impl Iterator<Item = &str> {
        let Parts { manifests, containers, .. } = &self.parts;
        let at = |at: usize| manifests.get(at).or_else(|| containers.get(at.checked_sub(manifests.len())?));
        self.faults.iter().filter_map(move |place| at(*place)?.fault.as_deref())
    }

    /// A container by its file.
    pub fn container(&self, file: u32) -> Option<&Listed> {
        find(&self.parts.containers, file)
    }

    /// A manifest by its file.
    pub fn manifest(&self, file: u32) -> Option<&Listed> {
        find(&self.parts.manifests, file)
    }

    /// The members of a container in its own order, as member numbers.
    pub fn members_of(&self, container: &Listed) -> &[u32] {
        self.members.get(container.range()).unwrap_or_default()
    }

    /// What a manifest says, in its own order: paths and sizes.
    pub fn rows_of(&self, manifest: &Listed) -> impl ExactSizeIterator<Item = (&[u8], u32)> + '_ {
        let rows = self.parts.rows.get(manifest.range()).unwrap_or_default();
        rows.iter().map(|row| (self.parts.path(row.path), row.size))
    }

    /// A member: its section, and the file of its container.
    pub fn member(&self, member: u32) -> Option<(Section, u32)> {
        let section = *self.parts.sections.get(*self.sorted.get(member as usize)? as usize)?;
        Some((section, self.parts.containers.get(section.container as usize)?.file))
    }

    /// The path of a member.
    pub fn path(&self, member: u32) -> &[u8] {
        self.member(member).map_or(&[], |(section, _)| self.parts.path(section.path))
    }

    /// How many folders members lie in.
    pub(super) fn folder_count(&self) -> u32 {
        u32::try_from(self.folders.len()).unwrap_or(u32::MAX)
    }

    /// A folder with its members.
    pub(super) fn folder(&self, folder: u32) -> Folder<'_> {
        let at = folder as usize;
        let start = self.folders.get(at).copied().unwrap_or(0);
        let end = self.folders.get(at + 1).copied().unwrap_or_else(|| self.member_count());
        Folder { path: split(self.path(start)).0, files: start..end.max(start) }
    }
}

impl Listed {
    fn range(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// How many of its members could be read.
    pub const fn count(&self) -> u32 {
        self.end - self.start
    }
}

fn find(listed: &[Listed], file: u32) -> Option<&Listed> {
    listed.binary_search_by_key(&file, |listed| listed.file).ok().and_then(|at| listed.get(at))
}

impl Parts {
    fn path(&self, path: u32) -> &[u8] {
        text_of(&self.text, &self.ends, path)
    }

    /// Whether every number leads to something that is there.
    fn is_sound(&self, file_count: u32) -> bool {
        let in_order = |listed: &[Listed], count: usize| {
            let mut end = 0;
            let ranges = listed.iter().all(|listed| {
                let fits = listed.start == end && listed.end >= listed.start && listed.file < file_count;
                end = listed.end;
                fits
            });
            ranges && end as usize == count && listed.is_sorted_by(|a, b| a.file < b.file)
        };
        let paths = self.ends.len();
        let is_path = |path: u32| (path as usize) < paths;
        let of_container = |section: &Section| {
            self.containers.get(section.container as usize).is_some() && is_path(section.path)
        };
        self.ends.is_sorted()
            && self.ends.last().is_none_or(|end| *end as usize <= self.text.len())
            && in_order(&self.containers, self.sections.len())
            && in_order(&self.manifests, self.rows.len())
            && self.sections.iter().all(of_container)
            && self.rows.iter().all(|row| is_path(row.path))
    }
}
