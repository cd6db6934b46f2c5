//! `render`: the preview of a file as a picture, drawn by the graphics card.

use std::path::PathBuf;
use std::sync::Arc;

use clap::builder::NonEmptyStringValueParser;
use clap::{Args, ValueEnum};
use egui::Color32;
use palimpsest_core::error::{Error, Result};
use palimpsest_core::export::Channels;
use palimpsest_core::extract::{check_target, write_file};
use palimpsest_core::task::Task;
use serde_json::json;

use super::args::{MountArgs, size};
use super::form::channels;
use super::output::Output;
use super::session::{copy, mount};
use crate::gpu::Caps;
use crate::gpu::offscreen::render_state;
use crate::gpu::pixels::{Part, Pixels};
use crate::gpu::texture::{Mode, Shading, TILES};
use crate::headless::{Still, draw_texture, encode};
use crate::thumbnail::has_data_in_alpha;

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
    /// Pixels of the picture; as many as the level has when left out.
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
    /// Show the tier alone, and not all tiers of the texture joined.
    #[arg(long)]
    pub alone: bool,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
    /// What to mount.
    #[command(flatten)]
    pub mount: MountArgs,
}

/// How values become colours.
#[derive(Args, Debug)]
pub struct ViewArgs {
    /// What colours are made of.
    #[arg(long, value_name = "MODE", default_value = "colours")]
    pub mode: ModeName,
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
    /// The channels.
    Colours,
    /// Normals: X in green, Y in alpha, Z rebuilt.
    Normals,
    /// Light on those normals.
    Lit,
    /// The same on a ball.
    Sphere,
}

impl ModeName {
    const fn mode(self) -> Mode {
        match self {
            Self::Colours => Mode::Colours,
            Self::Normals => Mode::Normals,
            Self::Lit => Mode::Lit,
            Self::Sphere => Mode::Sphere,
        }
    }
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

/// Pixels along a side of the largest picture.
const LARGEST_SIDE: u32 = 8192;

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
    let (texture, notes) = stack.shown_texture(copy, !args.alone, &Task::new())?;
    if !args.mount.quiet {
        for note in &notes {
            out.warn(note);
        }
    }
    let state = render_state()?;
    let caps = Caps::of(&state);
    let part = Part::default().at(&texture, args.slice);
    let count = texture.slice_count();
    if args.slice >= count || args.level >= texture.levels {
        let (level, slice) = (texture.levels.saturating_sub(1), count.saturating_sub(1));
        let text = format!("no such level or slice: levels 0 to {level} and slices 0 to {slice} are there");
        return Err(stack.blame(copy, Error::not_found(text)));
    }
    let tiles = if args.view.tiled { TILES } else { 1 };
    let [width, height] =
        [texture.width, texture.height].map(|side| (side >> args.level).max(1).saturating_mul(tiles));
    if args.size.is_none() && width.max(height) > LARGEST_SIDE {
        let text = format!(
            "level {} has {width} × {height} pixels, at most {LARGEST_SIDE} along a side are drawn: choose --size or \
             a smaller level",
            args.level
        );
        return Err(stack.blame(copy, Error::limit(text)));
    }
    let pixels =
        Pixels::new(&texture, part, &caps, &Task::new()).map_err(|error| stack.blame(copy, error))?;
    // Levels that are too large are left out at the front.
    if pixels.skipped > args.level && !args.mount.quiet {
        out.warn(format!("level {} is too large to be drawn: level {} is", args.level, pixels.skipped));
    }
    let level = args.level.saturating_sub(pixels.skipped);
    let own = pixels.levels.get(level as usize).map_or((1, 1), |level| (level.width, level.height));
    let channels = match args.channels {
        Some(Channels::Shown(shown)) => shown,
        Some(Channels::Untouched) | None => [true; 4],
    };
    let [low, high] = args.view.range.unwrap_or([0.0, 1.0]);
    let shading = Shading {
        is_linear: match args.view.values {
            Some(values) => values == ValuesName::Linear,
            None => texture.format.is_float(),
        },
        range: [low, low + (high - low) / args.view.exposure.exp2()],
        is_opaque: args.view.opaque || has_data_in_alpha(&stack.path_of(copy)),
        mode: args.view.mode.mode(),
        tiles,
    };
    let size = args.size.unwrap_or((own.0 * tiles, own.1 * tiles));
    let still = Still {
        pixels: Arc::new(pixels),
        level,
        channels,
        shading,
        checker: [Color32::from_gray(0x50), Color32::from_gray(0x70)],
        size,
    };
    let drawn = draw_texture(state, &still)?;
    write_file(stack, &args.out, &encode(&drawn, size)?)?;
    let (width, height) = size;
    if args.json {
        return out.json(&json!({ "width": width, "height": height, "adapter": caps.adapter }));
    }
    out.line(format!("{width} × {height} pixels drawn on {} to {}", caps.adapter, args.out.display()))
}
