//! Meshes and skeletons as pictures.

use std::collections::BTreeMap;
use std::sync::Arc;

use clap::Args;
use clap::builder::NonEmptyStringValueParser;
use egui::Color32;
use palimpsest_core::asset::Mesh;
use palimpsest_core::error::{Error, Result};
use palimpsest_core::model::{Model, Pose};
use palimpsest_core::mount::{CopyRef, Stack};
use palimpsest_core::scene::{Dress, Joined};
use palimpsest_core::task::Task;
use serde_json::json;

use super::{ModeName, Output, Picture, RenderArgs, copy};
use crate::gpu::Caps;
use crate::gpu::mesh::{Drawable, Look, Marks, Mode, Part, Spikes};
use crate::gpu::offscreen::render_state;
use crate::gpu::orbit::{DISTANCES, Orbit};
use crate::gpu::pixels::{Part as Slice, Pixels};
use crate::headless::{ModelStill, draw_model};
use crate::panels::Show;
use crate::shown::{ShownGroup, colour_of, distance, groups_at, outline, radius, triangles};

/// Pixels of a picture where nothing else is asked for.
const SIZE: (u32, u32) = (1024, 768);

/// How a mesh or a skeleton is seen.
#[derive(Args, Debug, Default)]
pub struct ModelArgs {
    /// The level of detail of a mesh, 0 for the nearest, or `auto` for the one that the distance of the camera
    /// asks for.
    #[arg(long, value_name = "LOD", value_parser = level)]
    pub lod: Option<Lod>,
    /// Where the camera is: degrees round to the left of the front, degrees up and, if given, centimetres away;
    /// such as 35,15 or 35,15,400.
    #[arg(long, value_name = "YAW,PITCH[,DISTANCE]", value_parser = camera, allow_hyphen_values = true)]
    pub camera: Option<[f32; 3]>,
    /// Draw what is far away as large as what is near.
    #[arg(long)]
    pub ortho: bool,
    /// Turn a bone by degrees about its own X, Y and Z axes, such as Jaw=0,0,25; repeatable. A bone is called
    /// by its name or its hash.
    #[arg(long, value_name = "BONE=RX,RY,RZ", value_parser = turn)]
    pub pose: Vec<(String, [f32; 3])>,
    /// The bone whose weights are shown, and which is marked.
    #[arg(long, value_name = "BONE", value_parser = NonEmptyStringValueParser::new())]
    pub bone: Option<String>,
    /// The skeleton of a mesh, or the mesh of a skeleton, instead of the one that fits best in the folder.
    #[arg(long = "with", value_name = "PATH", value_parser = NonEmptyStringValueParser::new())]
    pub companion: Option<String>,
    /// What is drawn beside the model, with commas between: edges, normals, tangents, bones, names, sockets,
    /// bounds, grid.
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = shown)]
    pub show: Vec<Show>,
}

impl ModelArgs {
    /// The name of the first option that was given.
    pub(super) fn given(&self) -> Option<&'static str> {
        let options = [
            (self.lod.is_some(), "lod"),
            (self.camera.is_some(), "camera"),
            (self.ortho, "ortho"),
            (!self.pose.is_empty(), "pose"),
            (self.bone.is_some(), "bone"),
            (self.companion.is_some(), "with"),
            (!self.show.is_empty(), "show"),
        ];
        options.into_iter().find(|(is_given, _)| *is_given).map(|(_, name)| name)
    }
}

/// A level of detail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lod {
    /// By its number.
    Fixed(usize),
    /// The one that belongs to the distance.
    ByDistance,
}

fn level(text: &str) -> std::result::Result<Lod, String> {
    if text == "auto" {
        return Ok(Lod::ByDistance);
    }
    let level = text.parse().ok().map(Lod::Fixed);
    level.ok_or_else(|| "expected a number, 0 for the nearest, or auto".to_owned())
}

/// Numbers with commas between.
fn numbers<const N: usize>(text: &str) -> Option<[f32; N]> {
    let numbers =
        text.split(',').map(|text| text.trim().parse().ok().filter(|number: &f32| number.is_finite()));
    numbers.collect::<Option<Vec<_>>>()?.try_into().ok()
}

fn camera(text: &str) -> std::result::Result<[f32; 3], String> {
    let Some(numbers) =
        numbers::<2>(text).map(|[yaw, pitch]| [yaw, pitch, 0.0]).or_else(|| numbers::<3>(text))
    else {
        return Err("expected two or three numbers, such as 35,15 or 35,15,400".to_owned());
    };
    let [_, pitch, distance] = numbers;
    if pitch.abs() > 90.0 {
        return Err(format!("{pitch}° up: expected -90 to 90"));
    }
    let has_distance = text.matches(',').count() > 1;
    if has_distance && !DISTANCES.contains(&distance) {
        let (least, most) = (DISTANCES.start(), DISTANCES.end());
        return Err(format!("{distance} cm away: expected {least} to {most}"));
    }
    Ok(numbers)
}

fn turn(text: &str) -> std::result::Result<(String, [f32; 3]), String> {
    let parts = text.rsplit_once('=').and_then(|(bone, angles)| Some((bone.trim(), numbers::<3>(angles)?)));
    let named = parts.filter(|(bone, _)| !bone.is_empty()).map(|(bone, angles)| (bone.to_owned(), angles));
    named.ok_or_else(|| "expected a bone and three angles in degrees, such as Jaw=0,0,25".to_owned())
}

/// What can be asked for beside a model.
const SHOWN: [(&str, Show); 8] = [
    ("edges", Show::Edges),
    ("normals", Show::Normals),
    ("tangents", Show::Tangents),
    ("bones", Show::Bones),
    ("names", Show::Names),
    ("sockets", Show::Sockets),
    ("bounds", Show::Bounds),
    ("grid", Show::Grid),
];

fn shown(text: &str) -> std::result::Result<Show, String> {
    let known = SHOWN.into_iter().find(|(name, _)| *name == text).map(|(_, show)| show);
    known.ok_or_else(|| format!("expected some of {}", SHOWN.map(|(name, _)| name).join(", ")))
}

/// What the colours of a mesh are made of; `None` for textures where there are some.
fn mode(name: Option<ModeName>) -> Result<Option<Mode>> {
    Ok(Some(match name {
        None => return Ok(None),
        Some(ModeName::Colours) => Mode::Colours,
        Some(ModeName::Normals) => Mode::Normals,
        Some(ModeName::Clay) => Mode::Clay,
        Some(ModeName::Textured) => Mode::Textured,
        Some(ModeName::Checker) => Mode::Checker,
        Some(ModeName::Weights) => Mode::Weights,
        Some(ModeName::Sides) => Mode::Sides,
        Some(ModeName::Parts) => Mode::Parts,
        Some(ModeName::Lit | ModeName::Sphere) => {
            let modes = Mode::ALL.map(Mode::name).join(", ");
            return Err(Error::usage(format!("--mode: that is for textures; a mesh has {modes}")));
        }
    }))
}

/// Draws a mesh or a skeleton.
pub(super) fn draw(args: &RenderArgs, stack: &Stack, own: CopyRef, out: &mut Output) -> Result<Picture> {
    let asked = &args.model;
    if let Some(name) = args.given_for_textures() {
        return Err(Error::usage(format!("--{name} is for textures, and this is a mesh or a skeleton")));
    }
    let mode = mode(args.view.mode)?;
    if mode == Some(Mode::Weights) && asked.bone.is_none() {
        return Err(Error::usage("--mode weights: of which bone? Name it with --bone"));
    }
    let companion = asked.companion.as_deref().map(|path| copy(stack, path, None)).transpose()?;
    let companion = companion.map(|(_, copy)| copy);
    if args.alone && companion.is_some() {
        return Err(Error::usage("--alone or --with: one of them"));
    }
    let joined =
        if args.alone { stack.alone(own, &Task::new()) } else { stack.joined(own, companion, &Task::new()) };
    let Joined { model, companion: companion_path, dress, unread } = joined?;
    let unread = unread.iter().map(|error| format!("it may belong to it: {error}"));
    for note in model.notes.iter().cloned().chain(unread).filter(|_| !args.mount.quiet) {
        out.warn(note);
    }
    if let (None, Some(mode)) = (&model.mesh, mode) {
        let text = "colours are those of a mesh, and there is none: name one with --with";
        return Err(Error::usage(format!("--mode {}: {text}", mode.name())));
    }
    let pose = pose(&model, &asked.pose)?;
    let bone = asked.bone.as_deref().map(|name| bone(&model, name)).transpose()?;
    let size = args.size.unwrap_or(SIZE);
    let camera = orbit(&model, asked, size);
    let level = model.mesh.as_ref().map(|mesh| level_of(mesh, &camera, asked.lod)).transpose()?;
    let state = render_state()?;
    let caps = Caps::of(&state);
    let is_dressed = dress.textures.iter().any(Option::is_some);
    let mode = mode.unwrap_or(if is_dressed { Mode::Textured } else { Mode::Clay });
    let textures = if mode == Mode::Textured {
        textures(stack, &dress, &caps, args.mount.quiet, out)?
    } else {
        Default::default()
    };
    let parts = model.mesh.as_ref().map(|mesh| parts(mesh, level.flatten(), &textures)).unwrap_or_default();
    let count = triangles(&model.geometry, parts.iter().map(|part| part.group));
    for words in missing(&model, &parts, level.flatten()).into_iter().filter(|_| !args.mount.quiet) {
        out.warn(words);
    }
    let drawn = json!({
        "lod": level.flatten(),
        "triangles": count,
        "bones": model.rig.joints.len(),
        "mode": model.mesh.is_some().then(|| mode.name()),
        "companion": companion_path,
    });
    let has = |show: Show| asked.show.contains(&show);
    let look = Look {
        skin: Arc::new(model.skin(&pose)),
        parts,
        mode,
        place: bone.and_then(|bone| model.place_of(bone)),
        has_wires: has(Show::Edges),
        spikes: Spikes::of(&model, [Show::Normals, Show::Tangents].map(has)),
        marks: Arc::new(marks(&model, &has)),
        ground: Color32::from_gray(0x1C),
        ..Look::new(camera, radius(&model, &camera))
    };
    let still = ModelStill {
        drawable: Arc::new(Drawable::new(Arc::new(model))),
        look,
        size,
        pose,
        bone,
        is_light: false,
        // A skeleton alone is nothing but its bones.
        shown: if level.is_none() {
            [asked.show.clone(), vec![Show::Bones]].concat()
        } else {
            asked.show.clone()
        },
    };
    let pixels = draw_model(state, &still)?;
    Ok(Picture { pixels, size, adapter: caps.adapter, drawn })
}

/// What a picture does not have that is asked for, a sentence each.
fn missing(model: &Model, parts: &[Part], level: Option<usize>) -> Vec<String> {
    let Some(mesh) = &model.mesh else { return Vec::new() };
    let Some(level) = level else {
        return vec![format!("nothing is drawn from {} cm on", mesh.cull_distance)];
    };
    let spans = parts.iter().filter_map(|part| model.geometry.groups.get(part.group));
    let left_out: u64 = spans.map(|span| u64::from(span.left_out)).sum();
    let mut missing = Vec::new();
    if left_out > 0 {
        let left_out = crate::format::count(left_out, "triangle");
        missing.push(format!("{left_out} left out: past their group, or at a vertex that is nowhere"));
    }
    if triangles(&model.geometry, parts.iter().map(|part| part.group)) == 0 {
        missing.push(format!("level of detail {level} draws no triangle"));
    }
    missing
}

/// The groups of a level of detail in the textures that the mesh wears.
fn parts(mesh: &Mesh, level: Option<usize>, textures: &[Option<Arc<Pixels>>; 3]) -> Vec<Part> {
    let shown = level.map(|level| groups_at(mesh, level, false)).unwrap_or_default();
    let part = |shown: ShownGroup| Part {
        group: shown.group,
        colour: colour_of(shown.object),
        mark: 0.0,
        textures: textures.clone(),
    };
    shown.into_iter().map(part).collect()
}

/// Lines beside a model.
fn marks(model: &Model, has: &dyn Fn(Show) -> bool) -> Vec<crate::gpu::mesh::Mark> {
    let mut marks = Marks::default();
    if has(Show::Grid) {
        marks.grid(model.bounds(), Color32::from_gray(0x50));
    }
    if has(Show::Bounds) {
        marks.bounds(model, [Color32::from_rgb(0x4C, 0x9B, 0xE8), Color32::from_rgb(0xE0, 0x65, 0x3A)]);
    }
    marks.0
}

/// The camera, which looks at everything.
fn orbit(model: &Model, asked: &ModelArgs, size: (u32, u32)) -> Orbit {
    let mut camera = Orbit { is_orthographic: asked.ortho, ..Orbit::default() };
    if let Some([yaw, pitch, _]) = asked.camera {
        camera.yaw = yaw.to_radians();
        camera.pitch = pitch.to_radians();
    }
    camera.frame(outline(model), size.0 as f32 / size.1 as f32);
    if let Some([.., distance]) = asked.camera
        && distance > 0.0
    {
        camera.distance = distance;
    }
    camera
}

/// The level of detail; `None` where nothing is drawn.
fn level_of(mesh: &Mesh, camera: &Orbit, asked: Option<Lod>) -> Result<Option<usize>> {
    let count = mesh.levels(false).len().max(1);
    match asked.unwrap_or(Lod::Fixed(0)) {
        Lod::Fixed(level) if level < count => Ok(Some(level)),
        Lod::Fixed(level) => {
            let text = format!("no level of detail {level}: there are {count}, from 0 on");
            Err(Error::not_found(text))
        }
        Lod::ByDistance => Ok(mesh.level_at(distance(mesh, camera), false)),
    }
}

/// The pose that was asked for.
fn pose(model: &Model, turns: &[(String, [f32; 3])]) -> Result<Pose> {
    let mut pose = Pose::default();
    let mut known = BTreeMap::new();
    for (name, angles) in turns {
        let bone = bone(model, name)?;
        if known.insert(bone, name).is_some() {
            return Err(Error::usage(format!("--pose {name}: the bone is turned twice")));
        }
        pose.set_angles_deg(bone, *angles);
    }
    Ok(pose)
}

/// A bone by its name or its hash.
fn bone(model: &Model, name: &str) -> Result<usize> {
    model.rig.find(name).ok_or_else(|| {
        let count = model.rig.joints.len();
        let names = model.rig.joints.iter().map(|joint| joint.name.as_str()).filter(|name| !name.is_empty());
        let some: Vec<_> = names.take(8).collect();
        let such = if some.is_empty() { String::new() } else { format!(", such as {}", some.join(", ")) };
        Error::not_found(format!("no bone {name:?} among {count}{such}"))
    })
}

/// The textures that a mesh wears. One that cannot be read is told of and left out.
fn textures(
    stack: &Stack,
    dress: &Dress,
    caps: &Caps,
    is_quiet: bool,
    out: &mut Output,
) -> Result<[Option<Arc<Pixels>>; 3]> {
    let mut textures = [None, None, None];
    for (slot, file) in textures.iter_mut().zip(&dress.textures) {
        let Some(file) = file else { continue };
        let task = Task::new();
        let read = stack.shown_texture(file.copy, true, &task);
        match read.and_then(|(texture, _)| Pixels::new(&texture, Slice::default(), caps, &task)) {
            Ok(pixels) => *slot = Some(Arc::new(pixels)),
            Err(error) if error.is_cancelled() => return Err(error),
            Err(error) if is_quiet => drop(error),
            Err(error) => out.warn(format!("{} is not shown: {error}", file.path)),
        }
    }
    Ok(textures)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cameras_and_poses_are_numbers_with_commas() {
        assert_eq!(camera("35,-15"), Ok([35.0, -15.0, 0.0]));
        assert_eq!(camera("0, 90, 400"), Ok([0.0, 90.0, 400.0]));
        assert!(
            ["", "1", "1,2,3,4", "1,2,0", "1,2,-3", "1,91", "1,nan", "a,b"]
                .into_iter()
                .all(|text| camera(text).is_err())
        );
        assert_eq!(turn("L_Arm=0,0,25.5"), Ok(("L_Arm".to_owned(), [0.0, 0.0, 25.5])));
        assert!(["Jaw", "=1,2,3", "Jaw=1,2", "Jaw=1,2,inf"].into_iter().all(|text| turn(text).is_err()));
        assert_eq!(level("auto"), Ok(Lod::ByDistance));
        assert!(level("-1").is_err());
    }
}
