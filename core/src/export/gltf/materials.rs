//! Slots as materials, and textures as pictures in them.

use std::collections::BTreeMap;

use gltf::json;
use gltf::json::image::MimeType;
use gltf::json::material::{NormalTexture, PbrMetallicRoughness, StrengthFactor};
use gltf::json::texture::Info;

use super::document::Document;
use crate::asset::Texture;
use crate::error::Result;
use crate::export::Told;
use crate::export::model::{Material, TextureOf};
use crate::export::picture::{base_colour_png, normal_png};

/// How rough everything is: what the game's own maps say of it is not certain.
const ROUGHNESS: f32 = 0.8;

/// What a texture is used for, which says how its picture is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    Colours,
    Normals,
}

/// Materials as they are needed.
pub(super) struct Materials<'a> {
    /// Those that have textures, by slot.
    given: BTreeMap<i32, &'a Material<'a>>,
    /// Those that were added, by slot and whether they are textured.
    added: BTreeMap<(i32, bool), json::Index<json::Material>>,
    /// The pictures that were added, `None` for those that cannot be made.
    pictures: Vec<(&'a Texture, Role, Option<json::Index<json::Texture>>)>,
}

impl<'a> Materials<'a> {
    pub(super) fn new(given: &'a [Material<'a>]) -> Self {
        let given = given.iter().map(|material| (material.slot, material)).collect();
        Self { given, added: BTreeMap::new(), pictures: Vec::new() }
    }

    /// Whether any of them has normals.
    pub(super) fn has_normals(&self) -> bool {
        self.given.values().any(|material| material.normals.is_some())
    }

    /// The material of a slot; without coordinates it has no textures.
    pub(super) fn of(
        &mut self,
        out: &mut Document,
        slot: i32,
        has_uvs: bool,
        told: &mut Told,
    ) -> json::Index<json::Material> {
        let given = self.given.get(&slot).copied().filter(|_| has_uvs);
        let key = (slot, given.is_some());
        if let Some(index) = self.added.get(&key) {
            return *index;
        }
        let mut picture = |texture: Option<TextureOf<'a>>, role| {
            texture.and_then(|texture| self.picture(out, texture, role, told))
        };
        let diffuse = picture(given.and_then(|given| given.diffuse), Role::Colours);
        let normals = picture(given.and_then(|given| given.normals), Role::Normals);
        let info = |index| Info { index, tex_coord: 0, extensions: None, extras: None };
        let normal_texture = normals.map(|index| NormalTexture {
            index,
            scale: 1.0,
            tex_coord: 0,
            extensions: None,
            extras: None,
        });
        let material = json::Material {
            name: Some(format!("material_{slot}")),
            normal_texture,
            pbr_metallic_roughness: PbrMetallicRoughness {
                base_color_texture: diffuse.map(info),
                metallic_factor: StrengthFactor(0.0),
                roughness_factor: StrengthFactor(ROUGHNESS),
                ..PbrMetallicRoughness::default()
            },
            ..json::Material::default()
        };
        let index = out.root.push(material);
        self.added.insert(key, index);
        index
    }

    /// The picture of a texture, which several materials may share.
    fn picture(
        &mut self,
        out: &mut Document,
        TextureOf { path, texture }: TextureOf<'a>,
        role: Role,
        told: &mut Told,
    ) -> Option<json::Index<json::Texture>> {
        let is_same = |(other, its, _): &&(&Texture, Role, _)| std::ptr::eq(*other, texture) && *its == role;
        if let Some((_, _, index)) = self.pictures.iter().find(is_same) {
            return *index;
        }
        let index = match png(texture, role) {
            Ok(png) => Some(add(out, &png, texture)),
            Err(error) => {
                told.missing.push(format!("{path}: {error}"));
                None
            }
        };
        self.pictures.push((texture, role, index));
        index
    }
}

fn png(texture: &Texture, role: Role) -> Result<Vec<u8>> {
    match role {
        Role::Colours => base_colour_png(texture),
        Role::Normals => normal_png(texture),
    }
}

fn add(out: &mut Document, png: &[u8], texture: &Texture) -> json::Index<json::Texture> {
    let view = out.view(png, None);
    let name = (!texture.name.is_empty()).then(|| texture.name.clone());
    let source = out.root.push(json::Image {
        buffer_view: Some(view),
        mime_type: Some(MimeType("image/png".to_owned())),
        name,
        uri: None,
        extensions: None,
        extras: None,
    });
    out.root.push(json::Texture { name: None, sampler: None, source, extensions: None, extras: None })
}
