//! `render`: the preview of a file as a picture, drawn by the graphics card.

mod model;
mod texture;

use std::path::PathBuf;

use clap::builder::NonEmptyStringValueParser;
use clap::{Args, ValueEnum};
use palimpsest_core::asset::Kind;
use palimpsest_core::error::{Error, Result};
use palimpsest_core::export::Channels;
use palimpsest_core::extract::{check_target, write_file};
use palimpsest_core::format::detect;
use palimpsest_core::mount::{CopyRef, Stack};
use palimpsest_core::task::Task;
use serde_json::{Value, json};

use self::model::ModelArgs;
use super::args::{MountArgs, size};
use super::form::channels;
use super::output::Output;
use super::session::{copy, mount};
use crate::headless::encode;

/// `render`.
#[derive(Args, Debug)]
pub struct RenderArgs {
    /// The path, or a link to a copy.
    #[arg(value_name = "PATH", value_parser = NonEmptyStringValueParser::new())]
    pub path: String,
    /// The PNG to write.
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Take the copy of this layer, by name or number, instead of the winner.
    #[arg(long, value_name = "LAYER", value_parser = NonEmptyStringValueParser::new())]
    pub layer: Option<String>,
    /// Pixels of the picture; when left out as many as the level of a texture has, and 1024x768 for a model.
    #[arg(long, value_name = "WxH", value_parser = size)]
    pub size: Option<(u32, u32)>,
    /// The level, 0 for the largest.
    #[arg(long, value_name = "LEVEL", default_value_t = 0)]
    pub level: u32,
    /// The slice of an array, the face of a cube or the layer of a volume.
    #[arg(long, value_name = "SLICE", default_value_t = 0)]
    pub slice: u32,
    /// The channels, such as rgb; one alone is grey.
    #[arg(long, value_name = "CHANNELS", value_parser = channels)]
    pub channels: Option<Channels>,
    /// How values become colours.
    #[command(flatten)]
    pub view: ViewArgs,
    /// How a mesh or a skeleton is seen.
    #[command(flatten)]
    pub model: ModelArgs,
    /// Show the file alone: one tier of a texture and not all of them joined, a mesh without its skeleton, a
    /// skeleton without its mesh.
    #[arg(long)]
    pub alone: bool,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
    /// What to mount.
    #[command(flatten)]
    pub mount: MountArgs,
}

impl RenderArgs {
    /// The name of the first option that was given and is about textures alone.
    fn given_for_textures(&self) -> Option<&'static str> {
        let ViewArgs { mode: _, exposure, range, values, opaque, tiled } = &self.view;
        let options = [
            (self.level > 0, "level"),
            (self.slice > 0, "slice"),
            (self.channels.is_some(), "channels"),
            (*exposure != 0.0, "exposure"),
            (range.is_some(), "range"),
            (values.is_some(), "values"),
            (*opaque, "opaque"),
            (*tiled, "tiled"),
        ];
        options.into_iter().find(|(is_given, _)| *is_given).map(|(_, name)| name)
    }
}

/// How values become colours.
#[derive(Args, Debug)]
pub struct ViewArgs {
    /// What colours are made of: of a texture colours (if left out), normals, lit or sphere; of a mesh textured
    /// (if left out, where there are textures), clay, colours, checker, normals, weights, sides or parts.
    #[arg(long, value_name = "MODE", hide_possible_values = true)]
    pub mode: Option<ModeName>,
    /// Powers of two that values are multiplied by.
    #[arg(long, value_name = "STOPS", default_value_t = 0.0, allow_negative_numbers = true, value_parser = stops)]
    pub exposure: f32,
    /// The values that become black and white before exposure, such as 0,4.
    #[arg(long, value_name = "LOW,HIGH", value_parser = range, allow_negative_numbers = true)]
    pub range: Option<[f32; 2]>,
    /// How values are meant; floats are light and all others are as stored without it.
    #[arg(long, value_name = "VALUES")]
    pub values: Option<ValuesName>,
    /// Ignore alpha, which in _n maps is done without it.
    #[arg(long)]
    pub opaque: bool,
    /// Draw the picture three times beside itself in each direction.
    #[arg(long)]
    pub tiled: bool,
}

/// How values are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ValuesName {
    /// As they are shown: colours in sRGB, and data.
    Stored,
    /// Light, to be encoded for the screen.
    Linear,
}

/// What colours are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ModeName {
    /// The channels of a texture, or the colours of vertices.
    Colours,
    /// Normals: of a texture X in green, Y in alpha, Z rebuilt.
    Normals,
    /// Light on the normals of a texture.
    Lit,
    /// The same on a ball.
    Sphere,
    /// Light on one material.
    Clay,
    /// Light on the textures of a mesh.
    Textured,
    /// A checkerboard on the coordinates.
    Checker,
    /// How much a bone moves each vertex.
    Weights,
    /// What is seen from outside and from inside.
    Sides,
    /// A colour for each object.
    Parts,
}

/// Two numbers, the second one larger.
fn range(text: &str) -> std::result::Result<[f32; 2], String> {
    let numbers = text.split_once(',').and_then(|(low, high)| {
        let number = |text: &str| text.trim().parse().ok().filter(|number: &f32| number.is_finite());
        Some([number(low)?, number(high)?])
    });
    numbers.filter(|[low, high]| low < high).ok_or_else(|| "expected two numbers, such as 0,4".to_owned())
}

/// Powers of two, as far as floats go.
fn stops(text: &str) -> std::result::Result<f32, String> {
    const MOST: f32 = 30.0;
    let stops = text.parse().ok().filter(|stops: &f32| stops.abs() <= MOST);
    stops.ok_or_else(|| format!("expected a number from -{MOST} to {MOST}"))
}

/// A picture that was drawn.
struct Picture {
    /// RGBA, row by row.
    pixels: Vec<u8>,
    size: (u32, u32),
    adapter: String,
    /// What of the file is drawn, for JSON.
    drawn: Value,
}

/// Runs `render`.
pub(super) fn run(args: &RenderArgs, out: &mut Output) -> Result<()> {
    if args.out.extension().is_none_or(|ending| !ending.eq_ignore_ascii_case("png")) {
        return Err(Error::usage(format!(
            "--out {}: a PNG is written, its name ends in .png",
            args.out.display()
        )));
    }
    let mut mounted = mount(&args.mount, out)?;
    mounted.reach(&args.path, args.layer.as_deref(), &args.mount, out)?;
    let stack = &mounted.stack;
    let (_, copy) = copy(stack, &args.path, args.layer.as_deref())?;
    check_target(stack, &args.out)?;
    let picture = if is_model(stack, copy) {
        model::draw(args, stack, copy, out)?
    } else {
        texture::draw(args, stack, copy, out)?
    };
    let (width, height) = picture.size;
    write_file(stack, &args.out, &encode(&picture.pixels, picture.size)?)?;
    if args.json {
        let Picture { adapter, drawn, .. } = picture;
        return out.json(&json!({ "width": width, "height": height, "adapter": adapter, "drawn": drawn }));
    }
    out.line(format!("{width} × {height} pixels drawn on {} to {}", picture.adapter, args.out.display()))
}

/// Whether the name or the start of a file says that it is a mesh or a skeleton.
fn is_model(stack: &Stack, copy: CopyRef) -> bool {
    let head = stack.content(copy).and_then(|content| content.read(0..16, &Task::new()));
    let format = detect(&stack.path_of(copy), head.as_deref().unwrap_or_default());
    matches!(format.map(|format| format.kind), Some(Kind::Mesh | Kind::Skeleton))
}
