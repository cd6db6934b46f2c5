//! Reading all bundles of a layer.

use std::ops::Range;

use rayon::prelude::*;

use super::walk::{self, Walked};
use super::{Bundles, CONTAINER, Listed, MANIFEST, Parts, Row, Section};
use crate::error::{Error, Result};
use crate::mount::layer::Layer;
use crate::mount::path_set::PathSet;
use crate::path::{LONGEST, has_ending};
use crate::task::Task;

/// Files that are read before their names are put together, and the names that they may have.
const BATCH: usize = 512;
const BATCH_BYTES: u64 = 128 << 20;

/// The most members that are kept of a layer; all of a shipped game have a tenth.
const MOST: usize = 4 << 20;
/// The most bytes that their paths may have together.
const MOST_TEXT: usize = 256 << 20;

/// The files of a layer that are manifests or containers.
pub(in crate::mount) fn files(layer: &Layer) -> Vec<u32> {
    let is_one = |file: &u32| {
        let leaf = layer.leaf(*file);
        has_ending(leaf, MANIFEST) || has_ending(leaf, CONTAINER)
    };
    (0..layer.file_count()).filter(is_one).collect()
}

impl Bundles {
    /// Reads manifests and containers of a layer; a step of the task for each.
    ///
    /// # Errors
    /// `Cancelled`.
    pub(in crate::mount) fn read(layer: &Layer, files: &[u32], task: &Task) -> Result<Self> {
        let mut maker = Maker { paths: PathSet::of_spellings(), parts: Parts::default() };
        let mut left = files;
        while !left.is_empty() && !maker.is_full() {
            let (batch, behind) = left.split_at(batch_len(layer, left));
            left = behind;
            let read = |file: &u32| {
                let found = Found::read(layer, *file, task)?;
                task.step(1).map(|()| found)
            };
            let found: Vec<_> = batch.par_iter().map(read).collect::<Result<_>>()?;
            for (file, found) in batch.iter().zip(found) {
                maker.add(layer, *file, found);
            }
        }
        for file in left {
            // Not read: nothing of them could be kept.
            task.step(1)?;
            let is_manifest = has_ending(layer.leaf(*file), MANIFEST);
            let found = if is_manifest {
                Found::Manifest(Walked::nothing(too_many()))
            } else {
                Found::Container(Walked::nothing(too_many()))
            };
            maker.add(layer, *file, found);
        }
        let (text, ends) = maker.paths.into_parts();
        let parts = Parts { text, ends, ..maker.parts };
        // What was just made fits.
        Ok(Self::of(parts, layer.file_count()).unwrap_or_default())
    }
}

enum Found {
    Manifest(Walked<u32>),
    Container(Walked<Range<u64>>),
}

impl Found {
    fn read(layer: &Layer, file: u32, task: &Task) -> Result<Self> {
        let is_manifest = has_ending(layer.leaf(file), MANIFEST);
        Ok(match (layer.content(file), is_manifest) {
            (Ok(content), true) => Self::Manifest(walk::manifest(&content, task)?),
            (Ok(content), false) => Self::Container(walk::container(&content, task)?),
            (Err(error), true) => Self::Manifest(Walked::nothing(error)),
            (Err(error), false) => Self::Container(Walked::nothing(error)),
        })
    }
}

/// Puts together what was read.
struct Maker {
    paths: PathSet,
    parts: Parts,
}

impl Maker {
    fn add(&mut self, layer: &Layer, file: u32, found: Found) {
        match found {
            Found::Manifest(walked) => {
                let start = self.parts.rows.len();
                let row = |parts: &mut Parts, path, size| parts.rows.push(Row { path, size });
                let listed = self.members(layer, file, walked, start, row, |parts| parts.rows.len());
                self.parts.manifests.push(listed);
            }
            Found::Container(walked) => {
                let (start, container) = (self.parts.sections.len(), count(self.parts.containers.len()));
                let section = |parts: &mut Parts, path, range: Range<u64>| {
                    let size = u32::try_from(range.end - range.start).unwrap_or(u32::MAX);
                    parts.sections.push(Section { path, container, offset: range.start, size });
                };
                let listed = self.members(layer, file, walked, start, section, |parts| parts.sections.len());
                self.parts.containers.push(listed);
            }
        }
    }

    fn is_full(&self) -> bool {
        self.parts.sections.len() + self.parts.rows.len() >= MOST || self.paths.text_len() >= MOST_TEXT
    }

    /// Takes the members of a file in; those without a path cannot be asked for.
    fn members<T: Clone>(
        &mut self,
        layer: &Layer,
        file: u32,
        mut walked: Walked<T>,
        start: usize,
        push: impl Fn(&mut Parts, u32, T),
        len: impl Fn(&Parts) -> usize,
    ) -> Listed {
        let (mut is_full, mut nameless) = (false, 0u64);
        for (path, member) in walked.members() {
            if self.is_full() {
                is_full = true;
                break;
            }
            if !path.is_empty() && path.len() <= LONGEST {
                let path = self.paths.find(path).unwrap_or_else(|| self.paths.add(path));
                push(&mut self.parts, path, member.clone());
            } else {
                nameless += 1;
            }
        }
        let lost = || {
            let text =
                format!("{nameless} members cannot be asked for: no path, or one of over {LONGEST} bytes");
            (nameless > 0).then(|| Error::malformed(text))
        };
        let is_whole = !is_full && walked.fault.is_none();
        let fault = if is_full { Some(too_many()) } else { walked.fault.take().or_else(lost) };
        let fault = fault.map(|error| layer.blame(file, error).to_string());
        let (start, end) = (count(start), count(len(&self.parts)));
        Listed { file, start, end, declared: walked.declared, predicted: walked.predicted, fault, is_whole }
    }
}

fn too_many() -> Error {
    Error::limit(format!("more than {MOST} members of bundles in one layer, or too many names"))
}

/// How many of the files are read at a time: fewer where they may have many names.
fn batch_len(layer: &Layer, files: &[u32]) -> usize {
    let mut bytes = 0;
    let fits = |file: &&u32| {
        bytes += layer.stat(**file).size.min(walk::LARGEST);
        bytes <= BATCH_BYTES
    };
    files.iter().take(BATCH).take_while(fits).count().max(1)
}

fn count(len: usize) -> u32 {
    u32::try_from(len).unwrap_or(u32::MAX)
}
