//! Meshes of a stack with what belongs to them, written into a folder.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use palimpsest_core::asset::{Asset, PixelFormat, Skeleton};
use palimpsest_core::export::{Conversion, Form};
use palimpsest_core::extract::{Extraction, Picked, Report};
use palimpsest_core::format::load;
use palimpsest_core::formats::ltar::Builder;
use palimpsest_core::formats::texr::{self, NewTexture};
use palimpsest_core::formats::{mmsh, skel};
use palimpsest_core::hash::string_hash;
use palimpsest_core::mount::{Mounts, Stack};
use palimpsest_core::task::Task;

/// A texture of one pixel.
fn texture(pixel: [u8; 4]) -> Vec<u8> {
    let format = PixelFormat::Rgba8Unorm;
    let new = NewTexture { name: "", format, width: 1, height: 1, first_level: 0, levels: &[pixel.to_vec()] };
    texr::write(&new).unwrap()
}

fn bones() -> Skeleton {
    let bytes = (skel::FORMAT.sample)().into();
    let Ok(Asset::Skeleton(bones)) = load(&bytes, "x.skel", &Task::new()) else { panic!("a skeleton") };
    bones
}

/// A mesh whose first object is a part of the skeleton.
fn mesh() -> Vec<u8> {
    let bytes = (mmsh::FORMAT.sample)().into();
    let Ok(Asset::Mesh(mut mesh)) = load(&bytes, "x.mesh", &Task::new()) else { panic!("a mesh") };
    mesh.objects[0] = string_hash(bones().parts[0].name.as_bytes());
    mmsh::write(&mesh).unwrap()
}

fn stack(root: &Path) -> Stack {
    let mut builder = Builder::new();
    builder.add("a\\x.mesh", &mesh());
    builder.add("a\\x.skel", &(skel::FORMAT.sample)());
    builder.add("a\\x_d.tex", &texture([10, 20, 30, 40]));
    builder.add("a\\x_n.tex", &texture([0, 255, 0, 128]));
    builder.add("b\\x.mesh", &(mmsh::FORMAT.sample)());
    builder.add("read.txt", b"text");
    fs::write(root.join("a.arch06"), builder.finish()).unwrap();
    Stack::mount(&Mounts::of(root.join("a.arch06")), &Task::new()).unwrap()
}

/// Writes everything that has a form.
pub(crate) fn extract(stack: &Stack, out: &Path, form: Form) -> Report {
    let picked = Picked::of(stack.index(), stack.index().entries(), None);
    let conversion = Conversion { form, ..Conversion::default() };
    Extraction { out: out.to_path_buf(), is_flat: false, conversion, names: Arc::default() }
        .run(stack, &picked, &Task::new())
        .unwrap()
}

fn pixel(file: &gltf::Gltf, texture: &gltf::Texture<'_>) -> Vec<u8> {
    let gltf::image::Source::View { view, .. } = texture.source().source() else { panic!("it is inside") };
    let png = &file.blob.as_ref().unwrap()[view.offset()..view.offset() + view.length()];
    image::load_from_memory(png).unwrap().into_bytes()
}

#[test]
fn a_mesh_is_written_with_its_skeleton_and_textures() {
    let root = tempfile::tempdir().unwrap();
    let (stack, out) = (stack(root.path()), root.path().join("out"));
    let report = extract(&stack, &out, Form::Glb);
    assert_eq!((report.written, report.renamed.len(), report.incomplete.len()), (3, 0, 0));
    assert!(out.join("a/x.skel.glb").exists() && out.join("b/x.mesh.glb").exists());
    let file = gltf::Gltf::from_slice(&fs::read(out.join("a/x.mesh.glb")).unwrap()).unwrap();
    let names: Vec<_> =
        file.skins().next().unwrap().joints().map(|joint| joint.name().unwrap().to_owned()).collect();
    assert!(names.iter().eq(bones().bones.iter().map(|bone| &bone.name)), "{names:?}");
    let material = file.materials().next().unwrap();
    let colours = material.pbr_metallic_roughness().base_color_texture().unwrap();
    assert_eq!(pixel(&file, &colours.texture()), [10, 20, 30], "alpha is left out");
    assert_eq!(pixel(&file, &material.normal_texture().unwrap().texture()), [255, 127, 128]);
    assert_eq!(material.alpha_mode(), gltf::material::AlphaMode::Opaque);
    // The bones of the samples are not the same, which is told and no failure.
    assert!(report.notes.iter().any(|(path, note)| path == "a\\x.mesh" && note.contains("has no bone")));
    assert!(
        report.notes.iter().any(|(path, note)| path == "b\\x.mesh" && note.contains("without a skeleton"))
    );
}

#[test]
fn what_has_no_such_form_is_named_with_what_it_is_made_of() {
    let root = tempfile::tempdir().unwrap();
    let stack = stack(root.path());
    for (form, written, path, reason) in [
        (Form::Png, 2, "a\\x.mesh", "png files are made of textures, and this is mesh"),
        (Form::Gltf, 3, "a\\x_d.tex", "gltf files are made of meshes and skeletons, and this is texture"),
        (Form::Obj, 2, "a\\x.skel", "obj files are made of meshes, and this is skeleton"),
        (Form::Obj, 2, "read.txt", "obj files are made of meshes, and this is text"),
    ] {
        let report = extract(&stack, &root.path().join(form.name()), form);
        assert_eq!(report.written, written, "{form}");
        let (_, error) = report.failed.iter().find(|(failed, _)| failed == path).unwrap();
        assert!(error.to_string().ends_with(reason), "{error}");
    }
}
