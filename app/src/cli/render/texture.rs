//! Textures as pictures.

use std::sync::Arc;

use egui::Color32;
use palimpsest_core::error::{Error, Result};
use palimpsest_core::export::Channels;
use palimpsest_core::mount::{CopyRef, Stack};
use palimpsest_core::task::Task;
use serde_json::json;

use super::{ModeName, Output, Picture, RenderArgs, ValuesName};
use crate::gpu::Caps;
use crate::gpu::offscreen::render_state;
use crate::gpu::pixels::{Part, Pixels};
use crate::gpu::texture::{Mode, Shading, TILES};
use crate::headless::{Still, draw_texture};
use crate::thumbnail::has_data_in_alpha;

/// Pixels along a side of the largest picture.
const LARGEST_SIDE: u32 = 8192;

/// What the colours of a texture are made of.
fn mode(name: Option<ModeName>) -> Result<Mode> {
    Ok(match name {
        None | Some(ModeName::Colours) => Mode::Colours,
        Some(ModeName::Normals) => Mode::Normals,
        Some(ModeName::Lit) => Mode::Lit,
        Some(ModeName::Sphere) => Mode::Sphere,
        Some(_) => {
            return Err(Error::usage(
                "--mode: that is for meshes; a texture has colours, normals, lit and sphere",
            ));
        }
    })
}

/// Draws a texture.
pub(super) fn draw(args: &RenderArgs, stack: &Stack, copy: CopyRef, out: &mut Output) -> Result<Picture> {
    let mode = mode(args.view.mode)?;
    if let Some(name) = args.model.given() {
        return Err(Error::usage(format!("--{name} is for meshes and skeletons, and this is a texture")));
    }
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
        mode,
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
    let what = json!({ "level": args.level.max(still.pixels.skipped), "slice": args.slice });
    Ok(Picture { pixels: drawn, size, adapter: caps.adapter, drawn: what })
}
