//! Models as files of glTF and OBJ: what goes into one, and what is told of it.

use std::collections::HashMap;

use super::surface::Repairs;
use super::{Exported, Form, Told, gltf, obj};
use crate::asset::{Kind, Mesh, ObjectRecord, Texture};
use crate::error::{Error, Result};
use crate::hash::string_hash;
use crate::model::Model;
use crate::task::Task;

/// Metres of a centimetre, which is the game's unit: glTF counts in metres, and OBJ is written in them too.
pub(super) const METRES: f32 = 0.01;

/// A place or a direction in the axes of the files: right-handed, as glTF and OBJ are. What is in front stays
/// there, and left and right are exchanged in numbers, so that they are what they are in the game.
pub(super) const fn right_handed([x, y, z]: [f32; 3]) -> [f32; 3] {
    [-x, y, z]
}

/// The longest file: glTF states its length and offsets inside it in 32 bits.
pub(super) const LONGEST: usize = u32::MAX as usize;

/// A model and what it is covered with.
#[derive(Clone, Copy, Debug)]
pub struct Dressed<'a> {
    /// The model.
    pub model: &'a Model,
    /// The materials that have textures, at most one for each slot.
    pub materials: &'a [Material<'a>],
}

/// What covers the triangles of a slot.
#[derive(Clone, Copy, Debug)]
pub struct Material<'a> {
    /// The slot, see [`ObjectRecord`].
    pub slot: i32,
    /// Its colours.
    pub diffuse: Option<TextureOf<'a>>,
    /// Its normals: X in green and Y in alpha, or in red and green where there are two channels alone.
    pub normals: Option<TextureOf<'a>>,
}

/// A texture and where it comes from.
#[derive(Clone, Copy, Debug)]
pub struct TextureOf<'a> {
    /// The path, by which it is called where something is wrong with it.
    pub path: &'a str,
    /// What it holds.
    pub texture: &'a Texture,
}

/// Makes the file of a form of a model and gives it to `sink`.
///
/// # Errors
/// `Unsupported` when the model has no such form or nothing to draw, `Limit` when the file would be larger
/// than 4 GB; `Cancelled`; what the sink says.
pub fn export_model(
    dressed: &Dressed<'_>,
    form: Form,
    task: &Task,
    sink: &mut dyn FnMut(Exported) -> Result<()>,
) -> Result<Told> {
    let model = dressed.model;
    let kind = if model.mesh.is_some() { Kind::Mesh } else { Kind::Skeleton };
    if !form.is_of(kind) {
        return Err(form.unfit(kind));
    }
    let mut repairs = Repairs::default();
    let mut told = Told { missing: Vec::new(), notes: model.notes.clone() };
    let bytes = match (form, &model.mesh) {
        (Form::Obj, Some(mesh)) => obj::write(model, mesh, &mut repairs, &mut told, task)?,
        (Form::Glb | Form::Gltf, _) => gltf::write(dressed, form, &mut repairs, &mut told, task)?,
        _ => return Err(Error::usage("a model has no file of its own")),
    };
    repairs.tell(&mut told);
    sink(Exported { ending: format!(".{form}"), bytes, is_cut: false })?;
    Ok(told)
}

/// The records that are seen from nearby, by their numbers, without those that draw nothing.
pub(super) fn nearest(mesh: &Mesh) -> Vec<u32> {
    let draws = |at: &u32| mesh.records.get(*at as usize).is_some_and(|record| record.arena.is_some());
    mesh.records_at(0, false).into_iter().filter(draws).collect()
}

/// What the records are called: their objects, by the names that the skeleton has for them or by their hashes,
/// and which of the object's records that draw something it is, where it is not the first.
pub(super) fn names_of(model: &Model, mesh: &Mesh) -> Vec<String> {
    let parts = model.skeleton.iter().flat_map(|skeleton| &skeleton.parts);
    let parts: HashMap<u32, &str> =
        parts.map(|part| (string_hash(part.name.as_bytes()), &*part.name)).collect();
    let mut drawn: HashMap<u32, u32> = HashMap::new();
    let name = |record: &ObjectRecord| {
        let hash = mesh.objects.get(record.object as usize).copied().unwrap_or_default();
        let name = parts.get(&hash).map_or_else(|| format!("object_{hash:#010x}"), |name| (*name).to_owned());
        let before = drawn.entry(record.object).or_default();
        let lod = *before;
        *before += u32::from(record.arena.is_some());
        if lod == 0 { name } else { format!("{name}_lod{lod}") }
    };
    mesh.records.iter().map(name).collect()
}
