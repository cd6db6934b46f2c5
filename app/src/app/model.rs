//! Meshes and skeletons: made ready, joined with what goes with them, and dressed, in the background.

use std::collections::BTreeSet;
use std::sync::Arc;

use palimpsest_core::asset::{Asset, Kind};
use palimpsest_core::error::{Error, Result};
use palimpsest_core::format::detect;
use palimpsest_core::model::{Model, Quality};
use palimpsest_core::mount::{CopyRef, EntryId};
use palimpsest_core::scene::{Dress, Pair, Reach, TextureRole};
use palimpsest_core::task::Task;

use super::App;
use crate::command::{ModelCommand, Selection, Selector};
use crate::document::Document;
use crate::gpu::mesh::Drawable;
use crate::gpu::pixels::{Part, Pixels};
use crate::jobs::{Job, Load};
use crate::session::{DocumentId, ModelState, Offers, OpenDocument, Wanted};
use crate::shown::slots_of;

impl App {
    pub(super) fn model(&mut self, id: DocumentId, command: ModelCommand) {
        let Some(open) = self.session.document_mut(id) else { return };
        match command {
            ModelCommand::Join(wanted) => {
                open.model.wanted = wanted;
                self.join(id);
            }
            ModelCommand::LookEverywhere => self.look_for_offers(id, Reach::Stack),
            ModelCommand::Wear { slot, role, texture } => {
                open.model.worn.insert((slot, role), texture);
                self.need_pixels(id);
            }
            ModelCommand::Drop { entry, slot } => self.take_drop(id, entry, slot),
            ModelCommand::Pick { ray, groups, skin } => {
                let Some(drawable) = open.model.drawable().cloned() else { return };
                let job = self
                    .jobs
                    .spawn("Finding a vertex", move |task| drawable.model.pick(ray, &groups, &skin, task));
                if let Some(open) = self.session.document_mut(id) {
                    open.model.picking = Some(job);
                }
            }
            ModelCommand::SelectVertex(vertex) => select_vertex(open, vertex),
            ModelCommand::WearBest => {
                open.model.worn.clear();
                self.need_pixels(id);
            }
        }
    }

    /// Forgets the model of a copy that is not shown any more; what was asked for by hand stays.
    pub(super) fn forget_model(open: &mut OpenDocument) {
        let ModelState { wanted, worn, .. } = std::mem::take(&mut open.model);
        open.model = ModelState { wanted, worn, ..ModelState::default() };
    }

    /// Takes what is ready, and asks for what goes with meshes and skeletons that were read.
    pub(super) fn poll_models(&mut self) {
        let (mut read, mut known, mut failed, mut unknown) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let has_card = self.session.caps.is_some();
        for open in &mut self.session.open {
            open.model.drawable.as_mut().map(Load::poll);
            match open.model.joining.as_ref().and_then(Job::poll) {
                Some(Ok(joined)) => {
                    open.model.drawable = Some(Load::Ready(joined));
                    open.model.joining = None;
                }
                Some(Err(error)) => {
                    open.model.joining = None;
                    failed.extend((!error.is_cancelled()).then(|| (open.leaf().to_owned(), error)));
                }
                None => {}
            }
            if open.model.offers.as_mut().is_some_and(Load::poll) {
                known.push(open.id);
            }
            if let Some(found) = open.model.picking.as_ref().and_then(Job::poll) {
                open.model.picking = None;
                // What was stopped, or meets nothing, chooses nothing.
                let hit = found.ok().flatten();
                select_vertex(open, hit.map(|hit| (hit.group, hit.vertex)));
            }
            for pixels in open.model.pixels.values_mut() {
                pixels.poll();
            }
            if let Some((_, quality)) = &mut open.model.quality {
                quality.poll();
            }
            let drawn = open.model.drawable().filter(|drawn| drawn.model.mesh.is_some());
            let looked_at = open.model.quality.as_ref().map(|(id, _)| *id);
            if drawn.is_some_and(|drawn| looked_at != Some(drawn.id)) {
                unknown.push(open.id);
            }
            if has_card && open.is_model() && open.model.drawable.is_none() {
                read.push(open.id);
            }
        }
        for (leaf, error) in failed {
            self.say(true, format!("{leaf} was not joined: {error}"));
        }
        for id in read {
            self.need_drawable(id);
            self.look_for_offers(id, Reach::Folder);
        }
        for id in unknown {
            self.look_for_flaws(id);
        }
        for id in known {
            self.join(id);
            self.need_pixels(id);
        }
    }

    /// Uses a path that was dropped on a model.
    fn take_drop(&mut self, id: DocumentId, entry: EntryId, slot: i32) {
        let Some(open) = self.session.document_mut(id) else { return };
        let stack = &open.mounted.stack;
        let Some(copy) = stack.index().copies(entry).first().copied() else { return };
        let path = stack.path(entry);
        match detect(&path, &[]).map(|format| format.kind) {
            Some(Kind::Texture) => {
                let role = TextureRole::of(&path).map_or(TextureRole::Diffuse, |(_, role)| role);
                open.model.worn.insert((slot, role), Some(copy));
                self.need_pixels(id);
            }
            Some(Kind::Mesh | Kind::Skeleton) => {
                open.model.wanted = Wanted::Copy(copy);
                self.join(id);
            }
            _ => {
                let text = format!("{path} is no texture, mesh or skeleton that can be put on a model");
                self.say(true, text);
            }
        }
    }

    /// Has the vertices of a mesh decoded, or the bones of a skeleton made ready.
    fn need_drawable(&mut self, id: DocumentId) {
        let Some(open) = self.session.document(id) else { return };
        let Some(document) = open.document().cloned() else { return };
        let name = format!("Decoding {}", open.leaf());
        let job = self.jobs.spawn(name, move |task| {
            let Pair { mesh, skeleton } = Pair::new(own_asset(&document)?.clone(), None)?;
            Ok(Arc::new(Drawable::new(Arc::new(Model::new(mesh, skeleton, task)?))))
        });
        if let Some(open) = self.session.document_mut(id) {
            open.model.drawable = Some(Load::Pending(job));
        }
    }

    /// Looks for what is abnormal about the mesh that is drawn.
    fn look_for_flaws(&mut self, id: DocumentId) {
        let Some(open) = self.session.document_mut(id) else { return };
        let Some(drawn) = open.model.drawable().cloned() else { return };
        let Some(mesh) = drawn.model.mesh.clone() else { return };
        let job = self.jobs.spawn(format!("Looking for flaws in {}", open.leaf()), move |task| {
            task.set_total(mesh.groups.len() as u64);
            Quality::of(&mesh, task).map(Arc::new)
        });
        if let Some(open) = self.session.document_mut(id) {
            open.model.quality = Some((drawn.id, Load::Pending(job)));
        }
    }

    /// Looks for what goes with a mesh or a skeleton.
    fn look_for_offers(&mut self, id: DocumentId, reach: Reach) {
        let Some(open) = self.session.document(id) else { return };
        let Some(document) = open.document().cloned() else { return };
        let (mounted, path) = (Arc::clone(&open.mounted), open.answer.path.clone());
        let what = if open.own_mesh().is_some() { "skeleton" } else { "mesh" };
        let name = format!("Looking for a {what} of {}", open.leaf());
        let job = self.jobs.spawn(name, move |task| {
            let stack = &mounted.stack;
            let companions = stack.companions(&path, own_asset(&document)?, reach, task)?;
            let textures = stack.textures_near(&path);
            Ok(Arc::new(Offers { companions, dress: Dress::of(&textures), textures, reach }))
        });
        if let Some(open) = self.session.document_mut(id) {
            open.model.offers = Some(Load::Pending(job));
        }
    }

    /// Joins what a tab shows with what is asked for to go with it.
    fn join(&mut self, id: DocumentId) {
        let Some(open) = self.session.document(id) else { return };
        let Some(document) = open.document().cloned() else { return };
        let companion = open.model.companion();
        let (mounted, drawn) = (Arc::clone(&open.mounted), open.model.drawable().cloned());
        let is_bare = drawn.as_ref().is_some_and(|drawn| {
            // Nothing but what the file of the tab holds.
            drawn.model.mesh.is_none() || (open.own_mesh().is_some() && drawn.model.skeleton.is_none())
        });
        if companion.is_none() && is_bare {
            return;
        }
        let job = self.jobs.spawn(format!("Joining {}", open.leaf()), move |task| {
            let stack = &mounted.stack;
            let other = companion.map(|copy| stack.asset(copy, task)).transpose()?;
            let pair = Pair::new(own_asset(&document)?.clone(), other).map_err(|error| match companion {
                Some(companion) => stack.blame(companion, error),
                None => error,
            })?;
            joined(pair, drawn.as_deref(), task).map(Arc::new)
        });
        if let Some(open) = self.session.document_mut(id) {
            open.model.joining = Some(job);
        }
    }

    /// Has the textures read that what a tab shows wears.
    fn need_pixels(&mut self, id: DocumentId) {
        let Some(caps) = self.session.caps.clone() else { return };
        let Some(open) = self.session.document(id) else { return };
        let mut slots: BTreeSet<i32> = open.model.worn.keys().map(|(slot, _)| *slot).collect();
        let mesh = open.model.drawable().and_then(|drawable| drawable.model.mesh.as_deref());
        slots.extend(mesh.map(slots_of).unwrap_or_default());
        slots.insert(0);
        let worn: BTreeSet<CopyRef> = slots
            .into_iter()
            .flat_map(|slot| TextureRole::ALL.map(|role| open.model.texture(slot, role)))
            .flatten()
            .collect();
        let mounted = Arc::clone(&open.mounted);
        let missing: Vec<_> =
            worn.iter().copied().filter(|copy| !open.model.pixels.contains_key(copy)).collect();
        let mut jobs = Vec::new();
        for copy in missing {
            let (mounted, caps) = (Arc::clone(&mounted), caps.clone());
            let name = format!("Reading {}", mounted.stack.path_of(copy));
            let job = self.jobs.spawn(name, move |task| {
                let (texture, _) = mounted.stack.shown_texture(copy, true, task)?;
                Pixels::new(&texture, Part::default(), &caps, task).map(Arc::new)
            });
            jobs.push((copy, Load::Pending(job)));
        }
        if let Some(open) = self.session.document_mut(id) {
            open.model.pixels.retain(|copy, _| worn.contains(copy));
            open.model.pixels.extend(jobs);
        }
    }
}

/// Chooses a vertex, and selects its bytes.
fn select_vertex(open: &mut OpenDocument, vertex: Option<(usize, u32)>) {
    open.model.picked = vertex;
    let Some((group, vertex)) = vertex else { return };
    let own = open.own_mesh().and_then(|mesh| mesh.groups.get(group)?.streams.first().cloned());
    if let Some(stream) = own {
        let start = stream.offset + u64::from(vertex) * u64::from(stream.stride);
        let range = start..start + u64::from(stream.stride);
        open.selection = Some(Selection { range, by: Selector::Other });
    }
}

/// What a file holds. To be copied where nobody waits: its tables may be long.
fn own_asset(document: &Document) -> Result<&Asset> {
    match &document.inspection.asset {
        Ok(Some(asset)) => Ok(asset),
        _ => Err(Error::not_found("the file holds no model")),
    }
}

/// A model of a mesh and a skeleton; the vertices of the mesh, where they are decoded, are taken over.
fn joined(pair: Pair, drawn: Option<&Drawable>, task: &Task) -> Result<Drawable> {
    let is_same = |drawn: &&Drawable| pair.mesh.is_some() && pair.mesh == drawn.model.mesh;
    if let Some(drawn) = drawn.filter(is_same) {
        return Ok(drawn.with(Arc::new(drawn.model.with_skeleton(pair.skeleton))));
    }
    Ok(Drawable::new(Arc::new(Model::new(pair.mesh, pair.skeleton, task)?)))
}
