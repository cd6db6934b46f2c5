//! Assets as files that other programs read.

mod picture;

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use bytes::Bytes;

use self::picture::png_and_cut;
pub use self::picture::{exr, png};
use crate::asset::{Asset, Image, Texture, Torn};
use crate::error::{Error, Result};
use crate::formats::dds::{self, NewSurface};
use crate::task::Task;

/// The form in which a file is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// As it is stored.
    #[default]
    Native,
    /// Pictures of 8 bits a channel, or of 16 where a texture has more.
    Png,
    /// Pictures of floats.
    Exr,
    /// The DDS that a texture carries.
    Dds,
}

impl Form {
    /// Every form but the native one.
    pub const ALL: [Self; 3] = [Self::Png, Self::Exr, Self::Dds];

    /// The name, which is the ending as well; empty for the native form.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Native => "",
            Self::Png => "png",
            Self::Exr => "exr",
            Self::Dds => "dds",
        }
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Form {
    type Err = Error;

    /// Finds a form by its name, letter case ignored.
    ///
    /// # Errors
    /// `Usage` with the names that are known.
    fn from_str(name: &str) -> Result<Self> {
        let known = Self::ALL.iter().find(|form| form.name().eq_ignore_ascii_case(name));
        known.copied().ok_or_else(|| {
            let names = Self::ALL.map(Self::name).join(", ");
            Error::usage(format!("{name}: no such form, known are {names}"))
        })
    }
}

/// One of several, or all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// The one with a number.
    One(u32),
    /// Every one.
    All,
    /// The first that is whole.
    First,
}

impl Which {
    /// Whether one with a number is meant; `first` is the first that is whole.
    fn has(self, number: u32, first: Option<u32>) -> bool {
        match self {
            Self::One(wanted) => wanted == number,
            Self::All => true,
            Self::First => first == Some(number),
        }
    }
}

/// The channels of a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Channels {
    /// All as they are stored: alpha straight, no colour space applied.
    #[default]
    Untouched,
    /// Red, green, blue, alpha as the window shows them: colours that are off are black, alpha that is off
    /// is opaque, and one channel alone is grey.
    Shown([bool; 4]),
}

/// What of a texture is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// Carried levels, 0 for the largest.
    pub level: Which,
    /// Array slices and faces, or slices of a volume.
    pub slice: Which,
    /// Channels of pictures; a DDS has all of them.
    pub channels: Channels,
}

impl Default for Wanted {
    /// The largest level of every slice that is whole.
    fn default() -> Self {
        Self { level: Which::First, slice: Which::All, channels: Channels::Untouched }
    }
}

/// How files are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Conversion {
    /// The form.
    pub form: Form,
    /// What of a texture is written.
    pub wanted: Wanted,
    /// Whether the tiers of a texture are joined first, see [`Stack::tiers`](crate::mount::Stack::tiers).
    pub is_joined: bool,
}

/// A file that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exported {
    /// What the name of the asset's file is followed by, such as `.png` or `.slice2.png`.
    pub ending: String,
    /// The file.
    pub bytes: Vec<u8>,
    /// Whether values below 0 or above 1 were cut, which the form cannot hold.
    pub is_cut: bool,
}

/// Makes the files of a form and gives each to `sink` as soon as it is made; `file` is the asset's own.
/// What is missing from them, where it is not all that the asset's file promises.
///
/// # Errors
/// `Unsupported` when the asset has no such form, `NotFound` when a level or slice is not there,
/// `Malformed` when one cannot be decoded; `Cancelled`; what the sink says.
pub fn export(
    asset: &Asset,
    file: &Bytes,
    form: Form,
    wanted: &Wanted,
    task: &Task,
    sink: &mut dyn FnMut(Exported) -> Result<()>,
) -> Result<Option<String>> {
    let Asset::Texture(texture) = asset else {
        let text = format!("{} files are made of textures, and this is {}", form.name(), asset.kind().name());
        return Err(Error::unsupported(text));
    };
    match form {
        Form::Native => sink(Exported { ending: String::new(), bytes: file.to_vec(), is_cut: false })?,
        Form::Dds => {
            sink(Exported { ending: ".dds".to_owned(), bytes: stored_dds(texture, file)?, is_cut: false })?;
        }
        Form::Png | Form::Exr => pictures(texture, form, wanted, task, sink)?,
    }
    Ok(missing(texture))
}

/// Makes the files of a form of a texture whose tiers are joined, see [`export`].
///
/// # Errors
/// See [`export`].
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
