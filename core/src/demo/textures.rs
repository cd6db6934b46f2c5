//! Pictures as the textures of the demo install, block-compressed through the crate `texpresso`.
//!
//! The crate was chosen because it is the one in pure Rust that compresses these formats; it is
//! MIT-licensed and needs no compiler but Rust's.

use half::f16;
use texpresso::{Algorithm, Format, Params};

use super::art::{Palette, Picture, direction, sky};
use super::blocks::{bc6h, bc7};
use crate::asset::PixelFormat;
use crate::error::Result;
use crate::formats::dds::{self, NewSurface};
use crate::formats::texa;
use crate::formats::texr::{self, NewTexture};

/// How a picture becomes a texture.
pub(super) struct Recipe<'a> {
    /// The name to store.
    pub(super) name: &'a str,
    pub(super) format: PixelFormat,
    /// How many of the largest levels are left to other tiers.
    pub(super) first_level: u32,
    /// How many levels to carry; all that are left when there are fewer.
    pub(super) levels: usize,
}

/// Writes a picture, which is the first level to carry, as a texture.
pub(super) fn texture(picture: &Picture, recipe: &Recipe<'_>) -> Result<Vec<u8>> {
    let smaller = |picture: &Picture| (picture.side > 1).then(|| picture.halved());
    let levels: Vec<_> = std::iter::successors(Some(picture.clone()), smaller).take(recipe.levels).collect();
    let side = levels.first().map_or(0, |level| level.side);
    let levels: Vec<_> = levels.iter().map(|level| stored(level, recipe.format)).collect();
    texr::write(&NewTexture {
        name: recipe.name,
        format: recipe.format,
        width: side,
        height: side,
        first_level: recipe.first_level,
        levels: &levels,
    })
}

/// The levels of a picture down to one pixel, one behind another.
fn chain(picture: &Picture, format: PixelFormat) -> Vec<u8> {
    let smaller = |picture: &Picture| (picture.side > 1).then(|| picture.halved());
    let levels = std::iter::successors(Some(picture.clone()), smaller);
    levels.flat_map(|level| stored(&level, format)).collect()
}

/// Pictures as the slices of an array, each with the path that it says it was made from.
pub(super) fn array(name: &str, slices: &[(&str, Picture)], format: PixelFormat) -> Result<Vec<u8>> {
    let side = slices.first().map_or(0, |(_, picture)| picture.side);
    let chains: Vec<_> = slices.iter().map(|(_, picture)| chain(picture, format)).collect();
    let paths: Vec<_> = slices.iter().map(|(path, _)| *path).collect();
    let count = u32::try_from(slices.len()).unwrap_or(u32::MAX);
    let new = surface(side, format, count, false);
    texa::write(name, &paths, &new, &chains.iter().map(Vec::as_slice).collect::<Vec<_>>())
}

/// The sky as the six faces of a cube, in BC7.
pub(super) fn cube(side: u32, palette: Palette) -> Result<Vec<u8>> {
    let face = |face| {
        let colour = |p| {
            let [r, g, b] = sky(direction(face, p), palette);
            [r, g, b, 1.0]
        };
        chain(&Picture::draw(side, colour), PixelFormat::Bc7Unorm)
    };
    let faces: Vec<_> = (0..6).map(face).collect();
    let new = surface(side, PixelFormat::Bc7Unorm, 6, true);
    dds::write(&new, &faces.iter().map(Vec::as_slice).collect::<Vec<_>>())
}

/// The sky towards the sun as light, in BC6H.
pub(super) fn light(name: &str, side: u32, palette: Palette) -> Result<Vec<u8>> {
    let sides = std::iter::successors(Some(side), |side| (*side > 1).then_some(side / 2));
    let level = |side: u32| {
        let at = |pixel: u32| (2.0 * pixel as f32 + 1.0) / side as f32 - 1.0;
        let places = (0..side).flat_map(|y| (0..side).map(move |x| (x, y)));
        let pixel =
            |(x, y)| sky(direction(4, [at(x), at(y)]), palette).map(|value| f16::from_f32(value).to_bits());
        bc6h(side, &places.map(pixel).collect::<Vec<_>>())
    };
    let levels: Vec<_> = sides.map(level).collect();
    let format = PixelFormat::Bc6hUf16;
    texr::write(&NewTexture { name, format, width: side, height: side, first_level: 0, levels: &levels })
}

const fn surface(side: u32, format: PixelFormat, slices: u32, is_cube: bool) -> NewSurface {
    NewSurface { levels: side.ilog2() + 1, slices, is_cube, ..NewSurface::flat(format, side, side) }
}

/// A level as its format stores it.
fn stored(picture: &Picture, format: PixelFormat) -> Vec<u8> {
    let blocks = match format {
        PixelFormat::Bc7Unorm => return bc7(picture),
        PixelFormat::Bc1Unorm => Format::Bc1,
        PixelFormat::Bc3Unorm => Format::Bc3,
        _ => return picture.pixels.clone(),
    };
    let side = picture.side as usize;
    let mut out = vec![0; blocks.compressed_size(side, side)];
    let params = Params { algorithm: Algorithm::RangeFit, ..Params::default() };
    blocks.compress(&picture.pixels, side, side, params, &mut out);
    out
}
