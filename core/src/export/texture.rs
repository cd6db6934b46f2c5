//! Textures as pictures and DDS files.

use std::ops::Range;

use bytes::Bytes;

use super::picture::{exr, png_and_cut};
use super::{Exported, Form, Told, Wanted, Which};
use crate::asset::{Image, Kind, Texture, Torn};
use crate::error::{Error, Result};
use crate::formats::dds::{self, NewSurface};
use crate::task::Task;

/// Makes the files of a form of a texture, see [`export`](super::export).
pub(super) fn export(
    texture: &Texture,
    file: &Bytes,
    form: Form,
    wanted: &Wanted,
    task: &Task,
    sink: &mut dyn FnMut(Exported) -> Result<()>,
) -> Result<Told> {
    match form {
        Form::Dds => {
            sink(Exported { ending: ".dds".to_owned(), bytes: stored_dds(texture, file)?, is_cut: false })?;
        }
        Form::Png | Form::Exr => pictures(texture, form, wanted, task, sink)?,
        _ => return Err(form.unfit(Kind::Texture)),
    }
    Ok(Told { missing: missing(texture).into_iter().collect(), notes: Vec::new() })
}

/// Makes the files of a form of a texture whose tiers are joined, see [`export`](super::export).
///
/// # Errors
/// See [`export`](super::export).
pub fn export_joined(
    texture: &Texture,
    form: Form,
    wanted: &Wanted,
    task: &Task,
    sink: &mut dyn FnMut(Exported) -> Result<()>,
) -> Result<()> {
    match form {
        Form::Native => Err(Error::usage("joined tiers have no file of their own")),
        Form::Dds => sink(Exported { ending: ".dds".to_owned(), bytes: joined_dds(texture)?, is_cut: false }),
        Form::Png | Form::Exr => pictures(texture, form, wanted, task, sink),
        _ => Err(form.unfit(Kind::Texture)),
    }
}

/// What a texture lacks of what its file promises.
fn missing(texture: &Texture) -> Option<String> {
    let all = u64::from(texture.slices) * u64::from(texture.levels);
    let there = texture.images.len() as u64;
    (there < all).then(|| {
        let torn = texture.torn.first().map(|Torn { image, missing }| {
            let (level, slice, size) = (image.level, image.slice, image.data.len());
            format!(", level {level} of slice {slice} lacks {missing} of its {size} bytes")
        });
        let cut = texture.cut.as_ref().map(|cut| {
            format!(", it ends inside level {} of slice {} at {:#X}", cut.level, cut.slice, cut.offset)
        });
        let place = torn.or(cut);
        format!("{there} of {all} images of the texture are whole{}", place.unwrap_or_default())
    })
}

/// The DDS of a texture exactly as its file carries it.
fn stored_dds(texture: &Texture, file: &Bytes) -> Result<Vec<u8>> {
    let start = usize::try_from(texture.dds_offset).unwrap_or(usize::MAX);
    let dds = file.get(start..).filter(|dds| !dds.is_empty());
    dds.map(<[u8]>::to_vec).ok_or_else(|| Error::not_found("the texture carries no DDS"))
}

/// A DDS of all levels that a texture has, whichever files they come from; of a damaged one the longest run of
/// those that are whole.
fn joined_dds(texture: &Texture) -> Result<Vec<u8>> {
    let nothing = || Error::malformed(missing(texture).unwrap_or_else(|| "no level is whole".to_owned()));
    let run = whole_run(texture);
    let first = texture.image(0, run.start).ok_or_else(nothing)?;
    let data = texture.images.iter().filter(|image| run.contains(&image.level));
    let data: Vec<&[u8]> = data.map(|image| &*image.data).collect();
    let Image { width, height, depth, .. } = *first;
    let Texture { format, slices, is_cube, is_stored_srgb: is_srgb, .. } = *texture;
    let levels = run.end - run.start;
    dds::write(&NewSurface { format, width, height, depth, levels, slices, is_cube, is_srgb }, &data)
}

/// The longest run of levels of which all slices are whole; of equal ones the one with the larger levels.
fn whole_run(texture: &Texture) -> Range<u32> {
    let is_whole = |level: &u32| (0..texture.slices).all(|slice| texture.image(slice, *level).is_some());
    let run =
        |first: u32| first..(first..texture.levels).find(|level| !is_whole(level)).unwrap_or(texture.levels);
    (0..texture.levels).rev().map(run).max_by_key(|run| run.end - run.start).unwrap_or(0..0)
}

/// A picture of every image that is wanted.
fn pictures(
    texture: &Texture,
    form: Form,
    wanted: &Wanted,
    task: &Task,
    sink: &mut dyn FnMut(Exported) -> Result<()>,
) -> Result<()> {
    let mut has_any = false;
    let first_level = |slice: u32| (0..texture.levels).find(|level| texture.image(slice, *level).is_some());
    let is_level = |image: &&Image| wanted.level.has(image.level, first_level(image.slice));
    let first_slice = texture.images.first().map(|image| image.slice);
    for image in texture.images.iter().filter(is_level) {
        // The slices of a volume get fewer from level to level.
        let is_volume = texture.is_volume();
        for layer in 0..image.depth {
            let slice = if is_volume { layer } else { image.slice };
            if wanted.slice.has(slice, first_slice) {
                task.check()?;
                let (bytes, is_cut) = match form {
                    Form::Exr => (exr(texture, image, layer, wanted.channels)?, false),
                    _ => png_and_cut(texture, image, layer, wanted.channels)?,
                };
                has_any = true;
                sink(Exported { ending: ending(texture, image, slice, wanted, form), bytes, is_cut })?;
            }
        }
    }
    if has_any {
        return Ok(());
    }
    let is_wanted = |Torn { image, .. }: &&Torn| {
        wanted.level.has(image.level, Some(image.level)) && wanted.slice.has(image.slice, Some(image.slice))
    };
    if let (Some(_), Some(missing)) = (texture.torn.iter().find(is_wanted), missing(texture)) {
        return Err(Error::malformed(missing));
    }
    let [level, slice] = [texture.levels, texture.slice_count()].map(|count| count.saturating_sub(1));
    let there = format!("levels 0 to {level} and slices 0 to {slice} are stated");
    let whole = missing(texture).map_or_else(String::new, |missing| format!("; {missing}"));
    Err(Error::not_found(format!("no such level or slice: {there}{whole}")))
}

/// What tells one picture of a texture from the others.
fn ending(texture: &Texture, image: &Image, slice: u32, wanted: &Wanted, form: Form) -> String {
    let has_slices = texture.slice_count() > 1;
    let slice = has_slices.then(|| format!(".slice{slice}"));
    let is_named = !matches!(wanted.level, Which::One(0) | Which::First);
    let level = is_named.then(|| format!(".level{}", image.level));
    format!("{}{}.{}", slice.unwrap_or_default(), level.unwrap_or_default(), form.name())
}
