//! A stack that knows what its bundles hold and name.

use std::sync::Arc;

use super::Stack;
use super::bundles::{BundleCache, Bundles, bundle_files};
use super::index::{CopyRef, Index};
use super::layer::Layer;
use crate::error::Result;
use crate::hash::string_hash;
use crate::path::eq_fold;
use crate::task::Task;

/// What winning manifests name, to be found by path.
#[derive(Debug, Default)]
pub(super) struct Mentions(Vec<Mention>);

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Mention {
    /// StringHash of the path.
    hash: u32,
    manifest: CopyRef,
    row: u32,
}

/// What a winning manifest says of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declared {
    /// The manifest.
    pub manifest: CopyRef,
    /// Its path.
    pub path: String,
    /// The bytes that it states.
    pub size: u32,
}

impl Stack {
    /// Reads what all manifests name and all containers hold: a stack of the same layers whose index
    /// has the members as well. What a cache knows of an archive is not read again.
    ///
    /// A bundle that cannot be read is a fault of its own, see [`Layer::bundles`], and harms no other.
    ///
    /// # Errors
    /// `Cancelled`.
    pub fn with_members(&self, cache: Option<&BundleCache>, task: &Task) -> Result<Self> {
        let files: Vec<Vec<u32>> = self.layers.iter().map(bundle_files).collect();
        task.set_total(files.iter().map(|files| files.len() as u64).sum());
        let mut layers = self.layers.clone();
        let mut warnings = self.warnings.clone();
        for (layer, files) in layers.iter_mut().zip(files) {
            if files.is_empty() {
                continue;
            }
            if let Some(known) = cache.and_then(|cache| cache.load(layer)) {
                task.step(files.len() as u64)?;
                layer.bundles = Some(Arc::new(known));
                continue;
            }
            let read = Bundles::read(layer, &files, task)?;
            let kept = cache.map_or(Ok(()), |cache| cache.store(layer, &read));
            warnings.extend(kept.err().map(|error| format!("what bundles hold is not kept: {error}")));
            layer.bundles = Some(Arc::new(read));
        }
        let read = Self { has_members: true, warnings, ..self.clone() };
        let (index, mentions) = read.index_of(&layers, task)?;
        Ok(Self { layers, index: Arc::new(index), mentions: Arc::new(mentions), ..read })
    }

    /// The index of layers, and what their winning manifests name.
    pub(super) fn index_of(&self, layers: &[Layer], task: &Task) -> Result<(Index, Mentions)> {
        let mut index = Index::build(layers, 0..layers.len(), task)?;
        let mentions = if self.has_members { settle(layers, &mut index, task)? } else { Mentions::default() };
        Ok((index, mentions))
    }

    /// Whether the index has the members of bundles.
    pub const fn has_members(&self) -> bool {
        self.has_members
    }

    /// What is wrong with manifests and containers, a line each.
    pub fn bundle_faults(&self) -> impl Iterator<Item = &str> {
        self.layers.iter().filter_map(Layer::bundles).flat_map(Bundles::faults)
    }

    /// What winning manifests say of a path.
    pub fn declared(&self, path: &[u8]) -> Vec<Declared> {
        let hash = string_hash(path);
        let start = self.mentions.0.partition_point(|mention| mention.hash < hash);
        let same = self.mentions.0.iter().skip(start).take_while(|mention| mention.hash == hash);
        same.filter_map(|mention| {
            let copy = mention.manifest;
            let bundles = self.layer(copy)?.bundles()?;
            let (named, size) = bundles.rows_of(bundles.manifest(copy.file)?).nth(mention.row as usize)?;
            eq_fold(named, path).then(|| Declared { manifest: copy, path: self.path_of(copy), size })
        })
        .collect()
    }

    /// The container of a member, as a copy.
    pub fn container_of(&self, copy: CopyRef) -> Option<CopyRef> {
        let (_, file) = self.layer(copy)?.section(copy.file)?;
        Some(CopyRef { layer: copy.layer, file })
    }

    /// The copy that wins the path of a copy.
    pub(super) fn winner_over(&self, copy: CopyRef) -> Option<CopyRef> {
        self.winner_of(&self.layer(copy)?.path_of(copy.file))
    }

    /// The copy that wins a path.
    pub(super) fn winner_of(&self, path: &[u8]) -> Option<CopyRef> {
        self.index.copies(self.index.find_bytes(&self.layers, path)?).first().copied()
    }

    /// The members of a container in its own order.
    pub fn members_of(&self, container: CopyRef) -> impl ExactSizeIterator<Item = CopyRef> + '_ {
        let layer = self.layer(container);
        let bundles = layer.and_then(Layer::bundles);
        let listed = bundles.and_then(|bundles| Some(bundles.members_of(bundles.container(container.file)?)));
        let first = layer.map_or(0, Layer::file_count);
        listed.unwrap_or_default().iter().map(move |member| CopyRef { file: first + member, ..container })
    }
}

/// Puts members of containers that win before those of containers that do not, and collects what
/// manifests that win name.
fn settle(layers: &[Layer], index: &mut Index, task: &Task) -> Result<Mentions> {
    let mut wins: Vec<Vec<bool>> =
        layers.iter().map(|layer| vec![false; layer.file_count() as usize]).collect();
    for entry in index.entries() {
        let first = index.copies(entry).first();
        let slot = first.and_then(|copy| wins.get_mut(usize::from(copy.layer))?.get_mut(copy.file as usize));
        if let Some(slot) = slot {
            *slot = true;
        }
    }
    task.check()?;
    let is_winner = |copy: CopyRef| {
        wins.get(usize::from(copy.layer)).and_then(|files| files.get(copy.file as usize)) == Some(&true)
    };
    index.sort_copies(|copy| {
        let section = layers.get(usize::from(copy.layer)).and_then(|layer| layer.section(copy.file));
        section.map_or(0, |(_, file)| if is_winner(CopyRef { file, ..copy }) { 1 } else { 2 })
    });
    let mut mentions = Vec::new();
    for (layer, of) in (0..).zip(layers) {
        let Some(bundles) = of.bundles() else { continue };
        task.check()?;
        for manifest in bundles.manifests() {
            let copy = CopyRef { layer, file: manifest.file };
            if is_winner(copy) {
                let rows = (0..).zip(bundles.rows_of(manifest));
                mentions.extend(rows.map(|(row, (path, _))| Mention {
                    hash: string_hash(path),
                    manifest: copy,
                    row,
                }));
            }
        }
    }
    mentions.sort_unstable();
    Ok(Mentions(mentions))
}

impl Layer {
    /// The same layer with its bundles read.
    ///
    /// # Errors
    /// `Cancelled`.
    pub(super) fn with_bundles(self, task: &Task) -> Result<Self> {
        let bundles = Bundles::read(&self, &bundle_files(&self), task)?;
        Ok(Self { bundles: Some(Arc::new(bundles)), ..self })
    }
}
