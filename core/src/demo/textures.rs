//! Pictures as the textures of the demo install, block-compressed through the crate `texpresso`.
//!
//! The crate was chosen because it is the one in pure Rust that compresses these formats; it is
//! MIT-licensed and needs no compiler but Rust's.

use texpresso::{Algorithm, Format, Params};

use super::art::Picture;
use crate::asset::PixelFormat;
use crate::error::Result;
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

/// A level as its format stores it.
fn stored(picture: &Picture, format: PixelFormat) -> Vec<u8> {
    let blocks = match format {
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
