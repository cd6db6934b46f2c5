//! Models as files of other programs: read back, and held against the rules of their formats.

#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "helpers of tests say what they skip and fail loudly"
)]

mod extracted;
mod obj;
mod read_back;
mod rough;
mod validator;

use std::path::Path;
use std::sync::Arc;

use bytes::Bytes;
use palimpsest_core::asset::{Asset, Image, PixelFormat, Texture};
use palimpsest_core::export::{Dressed, Exported, Form, Material, TextureOf, Told, export_model};
use palimpsest_core::format::load;
use palimpsest_core::formats::{mmsh, skel};
use palimpsest_core::model::Model;
use palimpsest_core::task::Task;

const SWORD: &str = "player_rangerswordt1.mesh";
const ARMOUR: &str = "grafteltariel_bladet2_armor.mesh";
const BONES: &str = "grafteltariel_bladet2_armor.skel";

/// A shipped file, or `None` and a line on standard output where there is none.
fn shipped(name: &str) -> Option<Bytes> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/corpus/shadow-of-war").join(name);
    if !path.exists() {
        println!("skipped: {} is not there", path.display());
        return None;
    }
    Some(std::fs::read(path).unwrap().into())
}

/// The model of a mesh, a skeleton, or both.
fn model(files: &[(&str, Bytes)]) -> Model {
    let (mut mesh, mut skeleton) = (None, None);
    for (name, bytes) in files {
        match load(bytes, name, &Task::new()).unwrap() {
            Asset::Mesh(own) => mesh = Some(Arc::new(own)),
            Asset::Skeleton(own) => skeleton = Some(Arc::new(own)),
            other => panic!("{name} is of the kind {}", other.kind().name()),
        }
    }
    Model::new(mesh, skeleton, &Task::new()).unwrap()
}

/// Every model that is at hand, by its name.
fn models() -> Vec<(&'static str, Model)> {
    let mut models = vec![
        ("the sample of meshes", model(&[("a.mesh", (mmsh::FORMAT.sample)().into())])),
        ("the sample of skeletons", model(&[("a.skel", (skel::FORMAT.sample)().into())])),
        ("a mesh in a bad state", rough::model()),
    ];
    for (name, files) in [
        ("the sword", &[SWORD][..]),
        ("the armour", &[ARMOUR]),
        ("the armour and its bones", &[ARMOUR, BONES]),
        ("the bones", &[BONES]),
    ] {
        let files: Option<Vec<_>> = files.iter().map(|name| Some((*name, shipped(name)?))).collect();
        models.extend(files.map(|files| (name, model(&files))));
    }
    models
}

/// A picture of 2 × 2 pixels.
fn picture(pixels: [[u8; 4]; 4]) -> Texture {
    let data = Bytes::from(pixels.concat());
    Texture {
        name: "small".to_owned(),
        format: PixelFormat::Rgba8Unorm,
        width: 2,
        height: 2,
        depth: 1,
        full_width: 2,
        full_height: 2,
        full_levels: 1,
        first_level: 0,
        levels: 1,
        slices: 1,
        is_cube: false,
        slice_paths: Vec::new(),
        is_srgb: false,
        srgb_reason: "",
        is_stored_srgb: false,
        dds_offset: 0,
        images: vec![Image { slice: 0, level: 0, width: 2, height: 2, depth: 1, offset: 0, data }],
        cut: None,
        torn: Vec::new(),
    }
}

/// The same textures for every slot of a model.
fn materials<'a>(model: &Model, diffuse: &'a Texture, normals: &'a Texture) -> Vec<Material<'a>> {
    let records = model.mesh.iter().flat_map(|mesh| &mesh.records);
    let slots: std::collections::BTreeSet<_> = records.map(|record| record.material).collect();
    let [diffuse, normals] =
        [("x_d.tex", diffuse), ("x_n.tex", normals)].map(|(path, texture)| Some(TextureOf { path, texture }));
    let material = |slot| Material { slot, diffuse, normals };
    slots.into_iter().map(material).collect()
}

/// The file of a form of a model, and what is told of it.
fn exported(model: &Model, materials: &[Material<'_>], form: Form) -> (Vec<u8>, Told) {
    let mut made = Vec::new();
    let dressed = Dressed { model, materials };
    let told = export_model(&dressed, form, &Task::new(), &mut |file| {
        made.push(file);
        Ok(())
    });
    let told = told.unwrap();
    let [Exported { ending, bytes, is_cut }] = <[Exported; 1]>::try_from(made).unwrap();
    assert_eq!((ending, is_cut), (format!(".{form}"), false));
    (bytes, told)
}
