//! The tiers of a texture, joined into one chain of levels.
//!
//! A game ships the levels of a texture in up to three files of one stem: `.tex` has the small ones,
//! `.tex0` the larger ones and `.texuhd` the largest, each from whatever layer it wins in. Source: notes on
//! shipped installs; that the chain is the union of what the files carry is how their headers read.

use bytes::Bytes;

use crate::asset::{Asset, Image, Texture, Torn};
use crate::error::{Error, Result};
use crate::format::load;
use crate::mount::{CopyRef, Stack};
use crate::path::{split, to_text};
use crate::preview::salvage;
use crate::task::Task;

/// The endings of tiers, from the smallest levels to the largest.
const FAMILIES: [[&str; 3]; 2] = [["tex", "tex0", "texuhd"], ARRAYS];

/// Those of arrays.
const ARRAYS: [&str; 3] = ["texa", "texa0", "texauhd"];

/// The largest file that is read as a tier.
const LARGEST: u64 = 512 << 20;

/// The tiers of a texture.
#[derive(Debug)]
pub struct Tiers {
    /// The files of the stem, from the smallest levels to the largest; those that no layer holds have no
    /// copy.
    pub files: Vec<TierFile>,
    /// The levels of the full-size texture, largest first.
    pub levels: Vec<TierLevel>,
    /// What does not fit together or is missing, a sentence each.
    pub notes: Vec<String>,
    /// The longest run of levels without a gap; `None` where no file can be read.
    pub joined: Option<Texture>,
}

/// A file of the stem.
#[derive(Debug)]
pub struct TierFile {
    /// The path.
    pub path: String,
    /// The copy that is joined: the one that was asked for, of the other files the winner.
    pub copy: Option<CopyRef>,
    /// What it carries, or why it cannot be read; `None` where no layer holds it.
    pub texture: Option<Result<Texture>>,
    /// The first chunk that cannot be decoded, where the levels outside it are carried all the same.
    pub fault: Option<Error>,
    /// How many levels of the chain come before its first; `None` where it does not fit the others.
    pub first_level: Option<u32>,
}

/// A level of the full-size texture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TierLevel {
    /// Pixels.
    pub width: u32,
    /// Pixels.
    pub height: u32,
    /// The files that carry it, by their positions; the first one is used.
    pub files: Vec<usize>,
    /// Whether bytes of it are missing in each of them.
    pub is_torn: bool,
}

/// What the name of a file says of its place among tiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TierName<'a> {
    /// The path without its ending, which all tiers of a texture share.
    pub stem: &'a str,
    /// The ending of the first tier, which tells textures and arrays of one stem apart.
    pub family: &'static str,
    /// The place among the tiers, 0 for the one with the smallest levels.
    pub tier: usize,
}

impl<'a> TierName<'a> {
    /// What a path says; `None` for files that are no tiers.
    pub fn of(path: &'a str) -> Option<Self> {
        let (stem, family, tier) = family_of(path)?;
        Some(Self { stem, family: family[0], tier })
    }
}

impl Stack {
    /// Joins the tiers of the texture that a copy is part of; `None` for files that have no tiers.
    ///
    /// A tier that cannot be read is named, and the others are joined without it.
    ///
    /// # Errors
    /// `Cancelled`.
    pub fn tiers(&self, copy: CopyRef, task: &Task) -> Result<Option<Tiers>> {
        let path = self.path_of(copy);
        let Some((stem, family, own)) = family_of(&path) else { return Ok(None) };
        let mut files = Vec::new();
        for (at, ending) in family.iter().enumerate() {
            let (path, found) = if at == own {
                (path.clone(), Some(copy))
            } else {
                let path = format!("{stem}.{ending}");
                let winner = self.find(&path).and_then(|entry| self.index().copies(entry).first().copied());
                (path, winner)
            };
            let read = found.map(|copy| self.tier(copy, &path, task)).transpose();
            let (texture, fault) = match read {
                Err(error) if error.is_cancelled() => return Err(error),
                Err(error) => (Some(Err(error)), None),
                Ok(Some((texture, fault))) => (Some(Ok(texture)), fault),
                Ok(None) => (None, None),
            };
            files.push(TierFile { path, copy: found, texture, fault, first_level: None });
        }
        Ok(Some(Tiers::join(files)))
    }

    /// The texture that a copy is shown as: all its tiers joined where that is wanted and there are several,
    /// or the copy alone; of damaged ones what can be read. And what does not fit or is missing.
    ///
    /// # Errors
    /// When no part of it can be read, or the copy is no texture; `Cancelled`.
    pub fn shown_texture(
        &self,
        copy: CopyRef,
        is_joined: bool,
        task: &Task,
    ) -> Result<(Texture, Vec<String>)> {
        if is_joined
            && let Some(tiers) = self.tiers(copy, task)?.filter(Tiers::has_several)
            && let Some(joined) = tiers.joined
        {
            return Ok((joined, tiers.notes));
        }
        let (texture, fault) = self.tier(copy, &self.path_of(copy), task)?;
        Ok((texture, fault.iter().map(ToString::to_string).collect()))
    }

    /// A tier, and what is wrong with it where not all of it can be read.
    fn tier(&self, copy: CopyRef, path: &str, task: &Task) -> Result<(Texture, Option<Error>)> {
        let content = self.content(copy)?;
        if content.len() > LARGEST {
            let text = format!("{} bytes, at most {LARGEST} are joined", content.len());
            return Err(self.blame(copy, Error::limit(text)));
        }
        let bytes: Bytes = match content.read(0..content.len(), task) {
            Ok(bytes) => bytes,
            Err(error) if error.is_cancelled() => return Err(error),
            Err(error) => {
                let error = self.blame(copy, error);
                return match salvage(&content, path, task) {
                    Ok(texture) => Ok((texture, Some(error))),
                    // It says less than the first fault.
                    Err(other) => Err(if other.is_cancelled() { other } else { error }),
                };
            }
        };
        match load(&bytes, path, task).map_err(|error| self.blame(copy, error))? {
            Asset::Texture(texture) => Ok((texture, None)),
            other => Err(Error::unsupported(format!(
                "{path} is no texture, but of the kind {}",
                other.kind().name()
            ))),
        }
    }
}

/// The stem of a path that is a tier, its family, and its own place in it.
fn family_of(path: &str) -> Option<(&str, &'static [&'static str; 3], usize)> {
    let (stem, ending) = path.rsplit_once('.')?;
    FAMILIES.iter().find_map(|family| {
        let own = family.iter().position(|known| known.eq_ignore_ascii_case(ending))?;
        Some((stem, family, own))
    })
}

impl TierFile {
    /// The texture, where a level of it is there, whole or torn.
    fn read(&self) -> Option<&Texture> {
        let texture = self.texture.as_ref()?.as_ref().ok()?;
        (0..texture.levels).any(|level| is_there(texture, level)).then_some(texture)
    }

    /// Where the file ends though its levels go on.
    fn cut(&self) -> Option<&Image> {
        self.texture.as_ref()?.as_ref().ok()?.cut.as_ref()
    }

    /// What is wrong with the file itself.
    fn fault(&self) -> Option<String> {
        if let Err(error) = self.texture.as_ref()? {
            return Some(format!("{}: {error}", self.leaf()));
        }
        if let Some(error) = &self.fault {
            return Some(format!("{error}. Levels outside that chunk are there."));
        }
        let Image { level, slice, offset, .. } = self.cut()?;
        let whole = if self.read().is_none() { "; no level of it is whole" } else { "" };
        Some(format!("{} ends inside its level {level} of slice {slice} at {offset:#X}{whole}.", self.leaf()))
    }

    /// The name without its folder.
    pub fn leaf(&self) -> String {
        to_text(split(self.path.as_bytes()).1).into_owned()
    }
}

impl Tiers {
    /// Whether more than one file of the stem is there.
    pub fn has_several(&self) -> bool {
        self.files.iter().filter(|file| file.copy.is_some()).count() > 1
    }

    fn join(mut files: Vec<TierFile>) -> Self {
        let mut notes: Vec<_> = files.iter().filter_map(TierFile::fault).collect();
        let size = |texture: &&Texture| (texture.width, texture.height, texture.depth);
        let largest = files.iter().filter_map(TierFile::read).max_by_key(size);
        let Some(largest) = largest.cloned() else {
            return Self { files, levels: Vec::new(), notes, joined: None };
        };
        let above = levels_above(&files, &largest, &mut notes);
        for file in &mut files {
            let own = file.read().map(|texture| place(texture, &largest));
            match own {
                Some(Ok(level)) => {
                    file.first_level = Some(above + level);
                    if file.read().is_some_and(|own| own.is_stored_srgb != largest.is_stored_srgb) {
                        notes.push(format!("{} differs from the largest tier in being sRGB.", file.leaf()));
                    }
                }
                Some(Err(reason)) => notes.push(format!("{} is not joined: {reason}", file.leaf())),
                None => {}
            }
        }
        let levels = levels_of(&files, &largest, above);
        note_gaps(&files, &levels, &mut notes);
        note_overlaps(&files, &levels, &mut notes);
        let joined = joined(&files, &levels, &largest);
        note_left_out(&files, &levels, joined.as_ref(), &mut notes);
        Self { files, levels, notes, joined }
    }
}

/// How many levels the full size has above the largest carried one.
fn levels_above(files: &[TierFile], largest: &Texture, notes: &mut Vec<String>) -> u32 {
    let mut sizes: Vec<_> = files
        .iter()
        .filter_map(|file| Some((file.leaf(), file.read()?)))
        .map(|(leaf, texture)| (texture.full_width, texture.full_height, leaf))
        .collect();
    sizes.sort_by(|a, b| b.cmp(a));
    let Some((width, height, _)) = sizes.first().cloned() else { return 0 };
    // Arrays state no full size.
    let states = |file: &TierFile| family_of(&file.path).is_none_or(|(_, family, _)| *family != ARRAYS);
    if files.iter().all(states) && sizes.iter().any(|(w, h, _)| (*w, *h) != (width, height)) {
        let sizes: Vec<_> = sizes.iter().map(|(w, h, leaf)| format!("{leaf} {w} × {h}")).collect();
        notes.push(format!("The files state different full sizes: {}.", sizes.join(", ")));
    }
    (0..16)
        .find(|level| (width >> level).max(1) == largest.width && (height >> level).max(1) == largest.height)
        .unwrap_or(0)
}

/// How many levels come between the largest texture's first and this one's, or why it does not fit.
fn place(texture: &Texture, largest: &Texture) -> Result<u32, String> {
    if texture.format != largest.format {
        return Err(format!("it is {}, the largest tier {}", texture.format.name(), largest.format.name()));
    }
    if (texture.slices, texture.is_cube) != (largest.slices, largest.is_cube) {
        return Err(format!("it has {} slices, the largest tier {}", texture.slices, largest.slices));
    }
    let at = |side: u32, level: u32| (side >> level).max(1);
    (0..32)
        .find(|level| {
            let sides = [largest.width, largest.height, largest.depth].map(|side| at(side, *level));
            sides == [texture.width, texture.height, texture.depth]
        })
        .ok_or_else(|| {
            let Texture { width, height, .. } = *texture;
            format!("no level of {} × {} has its {width} × {height}", largest.width, largest.height)
        })
}

/// Whether all slices of a level are whole.
fn is_whole(texture: &Texture, level: u32) -> bool {
    (0..texture.slices).all(|slice| texture.image(slice, level).is_some())
}

/// Whether all slices of a level are there, whole or torn.
fn is_there(texture: &Texture, level: u32) -> bool {
    let is_torn = |slice: u32| texture.torn_image(slice, level).is_some();
    (0..texture.slices).all(|slice| texture.image(slice, level).is_some() || is_torn(slice))
}

fn levels_of(files: &[TierFile], largest: &Texture, above: u32) -> Vec<TierLevel> {
    let carried = |file: &TierFile| Some(file.first_level? + file.read()?.levels);
    let count = files.iter().filter_map(carried).max().unwrap_or(0);
    let size = |side: u32, level: u32| match above.checked_sub(level) {
        Some(larger) => side << larger.min(15),
        None => (side >> (level - above).min(31)).max(1),
    };
    let holding = |level: u32, is_held: fn(&Texture, u32) -> bool| -> Vec<usize> {
        let holds = |file: &TierFile| {
            let own = file.first_level.zip(file.read());
            own.is_some_and(|(first, texture)| {
                level.checked_sub(first).is_some_and(|own| is_held(texture, own))
            })
        };
        files.iter().enumerate().filter(|(_, file)| holds(file)).map(|(at, _)| at).collect()
    };
    let level = |level: u32| {
        let (width, height) = (size(largest.width, level), size(largest.height, level));
        let whole = holding(level, is_whole);
        // One that is torn stands in where no other is there.
        let torn = if whole.is_empty() { holding(level, is_there) } else { Vec::new() };
        let is_torn = !torn.is_empty();
        TierLevel { width, height, files: if is_torn { torn } else { whole }, is_torn }
    };
    (0..count).map(level).collect()
}

fn note_gaps(files: &[TierFile], levels: &[TierLevel], notes: &mut Vec<String>) {
    let missing = |level: &&TierLevel| level.files.is_empty();
    let absent: Vec<_> = files.iter().filter(|file| file.copy.is_none()).map(TierFile::leaf).collect();
    let first = levels.iter().take_while(missing).count();
    if let (Some(largest), 1..) = (levels.first(), first) {
        let what =
            if first == 1 { "The largest level".to_owned() } else { format!("The {first} largest levels") };
        let short: Vec<_> = files.iter().filter(|file| file.cut().is_some()).map(TierFile::leaf).collect();
        let why = match (short.as_slice(), absent.as_slice()) {
            ([], []) => "no file carries them".to_owned(),
            ([], absent) => format!("no layer holds {}", absent.join(" or ")),
            (short, _) => format!("{} ends early", short.join(" and ")),
        };
        notes.push(format!("{what}, from {} × {} on, missing: {why}.", largest.width, largest.height));
    }
    for (at, level) in levels.iter().enumerate().skip(first).filter(|(_, level)| level.files.is_empty()) {
        notes.push(format!("Level {at}, {} × {}, is in no file.", level.width, level.height));
    }
    for (at, level) in levels.iter().enumerate().filter(|(_, level)| level.is_torn) {
        let file = level.files.first().and_then(|file| files.get(*file));
        let leaf = file.map(TierFile::leaf).unwrap_or_default();
        notes.push(format!("Level {at}, {} × {}, of {leaf} is damaged.", level.width, level.height));
    }
}

fn note_overlaps(files: &[TierFile], levels: &[TierLevel], notes: &mut Vec<String>) {
    for (at, level) in levels.iter().enumerate() {
        let [used, others @ ..] = level.files.as_slice() else { continue };
        for other in others {
            let [Some(used), Some(other)] = [used, other].map(|file| files.get(*file)) else { continue };
            let is_same = (0..used.read().map_or(0, |texture| texture.slices))
                .all(|slice| image_of(used, slice, at) == image_of(other, slice, at));
            // The same bytes twice are nothing wrong; the table has both files.
            if !is_same {
                let [used, other] = [used, other].map(TierFile::leaf);
                notes
                    .push(format!("Level {at} is in {used} and in {other}: other bytes, the first is used."));
            }
        }
    }
}

/// Levels that are there, and in no run with those that are joined.
fn note_left_out(
    files: &[TierFile],
    levels: &[TierLevel],
    joined: Option<&Texture>,
    notes: &mut Vec<String>,
) {
    let Some(joined) = joined else { return };
    let shown = joined.first_level as usize..(joined.first_level + joined.levels) as usize;
    for (at, level) in levels.iter().enumerate().filter(|(at, _)| !shown.contains(at)) {
        if let Some(file) = level.files.first().and_then(|file| files.get(*file)) {
            let TierLevel { width, height, .. } = level;
            let leaf = file.leaf();
            notes.push(format!(
                "Level {at}, {width} × {height}, of {leaf} is left out: the levels beside it are missing."
            ));
        }
    }
}

/// The stored bytes of a slice of a level.
fn image_of(file: &TierFile, slice: u32, level: usize) -> Option<&Bytes> {
    let own = u32::try_from(level).ok()?.checked_sub(file.first_level?)?;
    Some(&file.read()?.image(slice, own)?.data)
}

/// One texture of the longest run of levels without a gap, torn ones among them; of equal ones the larger.
fn joined(files: &[TierFile], levels: &[TierLevel], largest: &Texture) -> Option<Texture> {
    let run =
        |first: usize| levels.iter().skip(first).map_while(|level| level.files.first()).collect::<Vec<_>>();
    let runs = (0..levels.len()).map(|first| (first, run(first)));
    let (first, chain) = runs.rev().max_by_key(|(_, run)| run.len()).filter(|(_, run)| !run.is_empty())?;
    let top = levels.get(first)?;
    let full = levels.first()?;
    let (mut images, mut torn) = (Vec::new(), Vec::new());
    for slice in 0..largest.slices {
        for (level, file) in (0..).zip(&chain) {
            let file = files.get(**file)?;
            let own = (u32::try_from(first).ok()? + level).checked_sub(file.first_level?)?;
            if let Some(image) = file.read()?.image(slice, own) {
                images.push(Image { level, ..image.clone() });
            } else {
                let Torn { image, missing } = file.read()?.torn_image(slice, own)?.clone();
                torn.push(Torn { image: Image { level, ..image }, missing });
            }
        }
    }
    Some(Texture {
        width: top.width,
        height: top.height,
        full_width: full.width,
        full_height: full.height,
        full_levels: u32::try_from(levels.len()).ok()?,
        first_level: u32::try_from(first).ok()?,
        levels: u32::try_from(chain.len()).ok()?,
        images,
        cut: None,
        torn,
        ..largest.clone()
    })
}
