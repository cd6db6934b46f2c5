//! Models as glTF 2.0, binary or as text, through the structures of the crate `gltf`.
//!
//! | of | in the file |
//! |---|---|
//! | axes | Y up, the front at +Z as glTF has it; the game's are left-handed and glTF's right-handed, so that X is turned over |
//! | units | metres; the game counts in centimetres |
//! | triangles | counter-clockwise from outside; with X turned over, their corners go the other way round |
//! | texture coordinates | as in the game: V grows downwards in both |
//! | tangents | W is turned over twice, and stays: by X, and as glTF's bitangent points where V gets smaller, the game's binormal where it grows |
//! | colours | `_COLOR_0`, a name of its own: glTF's `COLOR_0` tints, those of the game are masks |
//! | normal maps | X in red, Y in green, Z in blue; the game's Y lies along its binormal, so that it is turned over too |
//! | bones | nodes with transforms relative to the one above, all in one skin, in the order of their records |
//! | sockets | nodes on their bones |
//! | objects | a mesh for each record that draws something, with a primitive for each group |
//! | levels of detail | nodes of their own that the node of the finest one lists (`MSFT_lod`); only that one is in the scene |
//! | materials | one for each slot: colours without their alpha, whose meaning is not known, no metal, rough |
//!
//! The text form carries its data in itself: the names of files beside it could be taken or be changed.
//!
//! That glTF's bitangent is cross(normal, tangent) × W is in its specification; that it points up in a picture
//! follows from normal maps, whose green points up, and is how the converters of three.js and Blender see it.

mod document;
mod joints;
mod materials;
mod objects;
mod vertices;

use std::borrow::Cow;
use std::collections::BTreeMap;

use gltf::binary::{Glb, Header};
use gltf::json;
use serde_json::json;

use self::document::Document;
use self::materials::Materials;
use self::objects::Objects;
use super::model::{Dressed, LONGEST};
use super::surface::Repairs;
use super::{Form, Told};
use crate::error::{Error, Result};
use crate::task::Task;

/// Writes the file.
pub(super) fn write(
    dressed: &Dressed<'_>,
    form: Form,
    repairs: &mut Repairs,
    told: &mut Told,
    task: &Task,
) -> Result<Vec<u8>> {
    let model = dressed.model;
    let mut out = Document::default();
    let bones = joints::add(&mut out, &model.rig, repairs);
    let mut scene: Vec<_> = bones.iter().map(|bones| bones.root).collect();
    repairs.sockets += joints::add_sockets(&mut out, model);
    if model.skeleton.as_ref().is_some_and(|skeleton| !skeleton.masks.is_empty()) {
        told.notes.push("the masks of the skeleton are left out: glTF has none".to_owned());
    }
    if let Some(mesh) = &model.mesh {
        let materials = Materials::new(dressed.materials);
        let mut objects =
            Objects { model, mesh, bones, materials, groups: BTreeMap::new(), drawn: 0, repairs, told, task };
        let shown = objects.add(&mut out)?;
        if shown.is_empty() && bones.is_some() {
            told.missing.push("no object has a triangle: the bones are all there is".to_owned());
        }
        scene.extend(shown);
        if !mesh.bones.is_empty() && model.skeleton.is_none() {
            told.notes.push("without a skeleton bones are named by the hashes of their names".to_owned());
        }
    }
    if scene.is_empty() {
        return Err(Error::unsupported("it has neither triangles nor bones"));
    }
    let scene = json::Scene { extensions: None, extras: None, name: None, nodes: scene };
    out.root.scene = Some(out.root.push(scene));
    out.root.asset = asset();
    task.check()?;
    finish(out, form)
}

/// What wrote the file, and what its numbers mean.
fn asset() -> json::Asset {
    let conventions = json!({
        "units": "metres, the game counts in centimetres",
        "axes": "Y up, front at +Z, right-handed: X of the game's left-handed numbers is turned over",
        "uvs": "V grows downwards, as in the game",
    });
    let extras = serde_json::value::to_raw_value(&conventions).expect("three texts are JSON");
    json::Asset { generator: Some("Palimpsest".to_owned()), extras: Some(extras), ..json::Asset::default() }
}

/// The file around a document.
fn finish(mut out: Document, form: Form) -> Result<Vec<u8>> {
    let is_binary = form == Form::Glb;
    let uri = (!is_binary).then(|| format!("data:application/octet-stream;base64,{}", base64(&out.bytes)));
    let buffer =
        json::Buffer { byte_length: out.bytes.len().into(), name: None, uri, extensions: None, extras: None };
    out.root.buffers.push(buffer);
    let wrong = |error: json::Error| Error::malformed(error.to_string());
    if !is_binary {
        return out.root.to_string_pretty().map(String::into_bytes).map_err(wrong);
    }
    let text = out.root.to_vec().map_err(wrong)?;
    // There are some bytes around them.
    let len = out.bytes.len() + text.len();
    if len > LONGEST - 64 {
        return Err(Error::limit(format!(
            "a file of more than {len} bytes, at most {LONGEST} can be stated"
        )));
    }
    let header = Header { magic: *b"glTF", version: 2, length: 0 };
    let glb = Glb { header, json: Cow::Owned(text), bin: Some(Cow::Owned(out.bytes)) };
    glb.to_vec().map_err(|error| Error::malformed(error.to_string()))
}

/// Bytes as text, by RFC 4648.
fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let byte = |at: usize| u32::from(three.get(at).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for at in 0..4 {
            let letter = LETTERS.get((bits >> (18 - 6 * at) & 63) as usize).copied().map_or('=', char::from);
            text.push(if at > three.len() { '=' } else { letter });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_become_the_letters_of_the_rfc() {
        let expected = ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"];
        for (len, expected) in expected.into_iter().enumerate() {
            assert_eq!(base64(&b"foobar"[..len]), expected);
        }
        assert_eq!(base64(&[0xFB, 0xFF, 0xBF]), "+/+/");
    }
}
