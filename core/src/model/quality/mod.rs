//! What is abnormal about a mesh, and where it stands in its file.

mod detail;
mod flaw;
mod surface;
mod vertices;

use std::ops::Range;

pub use self::flaw::{Flaw, Severity};
use self::surface::Surface;
use crate::asset::Mesh;
use crate::error::Result;
use crate::task::Task;

/// How many places of a flaw are kept in a group; the others are counted.
pub const MOST_PLACES: usize = 1000;

/// How many places are kept in all: some 4 MB.
const MOST_PLACES_IN_ALL: usize = 100_000;

/// What is abnormal about a mesh.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Quality {
    /// What was found: wrong before unusual, group by group, in the order of [`Flaw::ALL`].
    pub findings: Vec<Finding>,
}

/// A flaw of a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The flaw.
    pub flaw: Flaw,
    /// The group, by its number in the mesh.
    pub group: usize,
    /// How many have it.
    pub count: u64,
    /// How many could have it, see [`Flaw::things`].
    pub of: u64,
    /// Where the first ones stand; at most [`MOST_PLACES`], and fewer where a mesh has very many flaws.
    pub places: Vec<FlawPlace>,
}

/// Where a flaw stands; [`Finding::detail`] tells more of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlawPlace {
    /// The bytes in the file.
    pub range: Range<u64>,
    /// The vertex that has it, or a corner of the triangle, counted from the group's first.
    pub vertex: Option<u32>,
}

impl FlawPlace {
    fn new(range: Range<u64>, vertex: impl Into<Option<u32>>) -> Self {
        Self { range, vertex: vertex.into() }
    }
}

impl Quality {
    /// Looks at all vertices, triangles and palettes of a mesh.
    ///
    /// # Errors
    /// `Cancelled`.
    pub fn of(mesh: &Mesh, task: &Task) -> Result<Self> {
        let mut report = Report::default();
        let mut surface = Surface::default();
        for (number, group) in mesh.groups.iter().enumerate() {
            task.step(1)?;
            report.group = number;
            let Some(format) = mesh.formats.get(group.format as usize) else { continue };
            vertices::look(&mut report, group, format);
            report.add(
                Flaw::Bone,
                group.palette.len() as u64,
                group
                    .palette_beyond(mesh.bones.len())
                    .map(|at| FlawPlace::new(group.palette_range(at), None)),
            );
            task.check()?;
            surface.look(&mut report, group, format);
        }
        let mut findings = report.findings;
        findings.sort_by_key(|finding| (finding.flaw.severity(), finding.group, finding.flaw));
        Ok(Self { findings })
    }

    /// How many flaws there are of a severity.
    pub fn count(&self, severity: Severity) -> u64 {
        let own = self.findings.iter().filter(|finding| finding.flaw.severity() == severity);
        own.map(|finding| finding.count).sum()
    }
}

/// What was found so far.
#[derive(Default)]
struct Report {
    /// The group that is looked at.
    group: usize,
    findings: Vec<Finding>,
    /// Places that are kept.
    kept: usize,
}

impl Report {
    /// How many places of a flaw may be kept.
    fn room(&self) -> usize {
        MOST_PLACES.min(MOST_PLACES_IN_ALL.saturating_sub(self.kept))
    }

    /// Adds a flaw of the group, unless there is none. `of` says how many could have it.
    fn add(&mut self, flaw: Flaw, of: u64, mut places: impl Iterator<Item = FlawPlace>) {
        let kept: Vec<_> = places.by_ref().take(self.room()).collect();
        let count = kept.len() as u64 + places.count() as u64;
        self.add_counted(flaw, [count, of], kept);
    }

    /// Adds a flaw whose places were counted already.
    fn add_counted(&mut self, flaw: Flaw, [count, of]: [u64; 2], places: Vec<FlawPlace>) {
        if count > 0 {
            self.kept += places.len();
            self.findings.push(Finding { flaw, group: self.group, count, of, places });
        }
    }
}

#[cfg(test)]
mod tests;
