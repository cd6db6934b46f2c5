//! Objects as meshes and nodes, with their levels of detail.

use std::collections::{BTreeMap, BTreeSet};

use gltf::json;
use gltf::json::mesh::{Mode, Primitive};
use gltf::json::validation::Checked;
use serde_json::json;

use super::document::Document;
use super::joints::Bones;
use super::materials::Materials;
use super::vertices::{Attributes, Part};
use crate::asset::Mesh;
use crate::error::{Error, Result};
use crate::export::Told;
use crate::export::model::{names_of, nearest};
use crate::export::surface::{Repairs, Surface};
use crate::model::Model;
use crate::task::Task;

/// The extension that lists levels of detail.
const LODS: &str = "MSFT_lod";

/// How often groups are drawn at most; several records may draw the same ones.
const MOST: usize = 1 << 18;

/// The objects of a mesh while they are added.
pub(super) struct Objects<'a> {
    pub(super) model: &'a Model,
    pub(super) mesh: &'a Mesh,
    pub(super) bones: Option<Bones>,
    pub(super) materials: Materials<'a>,
    /// The groups that were added, by their numbers; several records may draw the same. `None` inside for those
    /// without triangles.
    pub(super) groups: BTreeMap<usize, Option<Part>>,
    /// How often groups are drawn.
    pub(super) drawn: usize,
    pub(super) repairs: &'a mut Repairs,
    pub(super) told: &'a mut Told,
    pub(super) task: &'a Task,
}

impl Objects<'_> {
    /// Adds a node with a mesh for each record that draws something; those of the scene, which are seen from
    /// nearby.
    ///
    /// # Errors
    /// `Limit` when records draw groups too many times; `Cancelled`.
    pub(super) fn add(&mut self, out: &mut Document) -> Result<Vec<json::Index<json::Node>>> {
        let mut nodes = BTreeMap::new();
        let records = (0u32..).zip(&self.mesh.records).zip(names_of(self.model, self.mesh));
        for ((at, record), name) in records {
            let primitives = self.primitives(out, self.mesh.groups_of_record(at), record.material)?;
            if primitives.is_empty() {
                continue;
            }
            let name = Some(name);
            let mesh =
                json::Mesh { extensions: None, extras: None, name: name.clone(), primitives, weights: None };
            let mesh = out.root.push(mesh);
            let skin = self.bones.map(|bones| bones.skin);
            let node = json::Node { name, mesh: Some(mesh), skin, ..json::Node::default() };
            nodes.insert(at, out.root.push(node));
        }
        let mut shown: BTreeSet<_> =
            nearest(self.mesh).into_iter().filter(|at| nodes.contains_key(at)).collect();
        if shown.is_empty() && !nodes.is_empty() {
            self.told
                .notes
                .push("nothing is seen from nearby: the scene has every level of detail".to_owned());
            shown.extend(nodes.keys());
        }
        self.link(out, &nodes, &shown);
        Ok(shown.iter().filter_map(|at| nodes.get(at).copied()).collect())
    }

    /// Lets the node of each object that is seen from nearby list those that are seen from farther away.
    fn link(
        &self,
        out: &mut Document,
        nodes: &BTreeMap<u32, json::Index<json::Node>>,
        shown: &BTreeSet<u32>,
    ) {
        let mut objects: BTreeMap<u32, (usize, Vec<usize>)> = BTreeMap::new();
        for (at, node) in nodes {
            let Some(record) = self.mesh.records.get(*at as usize) else { continue };
            if shown.contains(at) {
                objects.entry(record.object).or_insert_with(|| (node.value(), Vec::new()));
            } else if record.is_visible()
                && let Some((_, coarser)) = objects.get_mut(&record.object)
            {
                coarser.push(node.value());
            }
        }
        objects.retain(|_, (_, coarser)| !coarser.is_empty());
        if !objects.is_empty() {
            out.root.extensions_used.push(LODS.to_owned());
        }
        for (finest, coarser) in objects.into_values() {
            if let Some(node) = out.root.nodes.get_mut(finest) {
                let others = [(LODS.to_owned(), json!({ "ids": coarser }))].into_iter().collect();
                node.extensions = Some(json::extensions::scene::Node { others });
            }
        }
    }

    /// A primitive for each group that has triangles.
    fn primitives(
        &mut self,
        out: &mut Document,
        groups: std::ops::Range<usize>,
        slot: i32,
    ) -> Result<Vec<Primitive>> {
        let mut primitives = Vec::new();
        for group in groups {
            self.task.check()?;
            let Some(part) = self.part(out, group) else { continue };
            self.drawn += 1;
            if self.drawn > MOST {
                return Err(Error::limit(format!("groups are drawn more than {MOST} times")));
            }
            let material = self.materials.of(out, slot, part.has_uvs, self.told);
            primitives.push(Primitive {
                attributes: part.attributes,
                extensions: None,
                extras: None,
                indices: Some(part.indices),
                material: Some(material),
                mode: Checked::Valid(Mode::Triangles),
                targets: None,
            });
        }
        Ok(primitives)
    }

    /// The vertices and triangles of a group.
    fn part(&mut self, out: &mut Document, group: usize) -> Option<Part> {
        if let Some(part) = self.groups.get(&group) {
            return part.clone();
        }
        let geometry = &self.model.geometry;
        let span = geometry.groups.get(group)?;
        let surface = Surface::of(geometry, span, self.materials.has_normals(), self.repairs);
        let part = if surface.indices.is_empty() {
            None
        } else {
            let attributes = Attributes { model: self.model, span, surface: &surface };
            Some(attributes.add(out, self.bones, self.repairs))
        };
        self.groups.insert(group, part.clone());
        part
    }
}
