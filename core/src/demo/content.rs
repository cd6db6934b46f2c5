//! What lies where in the demo install.

use super::art::{
    ADD_ON, BASE, FIRST, LAST, LOOSE, Palette, Picture, SECOND, TOP, chart, leaves, shield, sword, wall,
    wall_normals, wall_surface,
};
use super::bundles::{
    self, CAMP, CAMP_LIST, DATABASE_LIST, EMPTY_LIST, KEEP, KEEP_LIST, KEEP_NEWER, Listing, NEW_GATE, Part,
    RIDER, RIDER_LIST,
};
use super::creature::{self, PATCHED, Release, SHIPPED, skin};
use super::texts::{self, Edition, Language};
use super::textures::{Recipe, array, cube, light, texture};
use crate::asset::PixelFormat;
use crate::codec::chunks::{self, Chain};
use crate::error::Result;

/// The archive list, as the game's own is written.
pub(super) const LIST: &str = "\
; Archives of the Palimpsest demo.\r\n\
; File search order is from the bottom up.\r\n\
\r\n\
..\\Game\r\n\
..\\Characters.arch06\r\n\
..\\World.arch06\r\n\
..\\Great_Hall.arch06\t; did not ship\r\n\
..\\Patch_00_LC.arch06\r\n\
\r\n\
; Patches and add-ons are interleaved.\r\n\
..\\PATCH_01.arch06\r\n\
..\\Patch_DLC1.arch06\r\n\
..\\Patch_02.arch06\r\n\
..\\Patch_02_LC.arch06\r\n\
..\\Patch_10.arch06\r\n\
..\\patch_10.ARCH06\t; the same archive again\r\n\
..\\Patch_DLC4_LC.arch06\r\n\
..\\Patch_DLC4.arch06\r\n\
\r\n\
..\\Global.arch06\r\n\
..\\HotChunk.arch06\r\n\
\r\n\
; High-resolution textures, the second spelling from another shop's layout.\r\n\
..\\uhdmip.arch06\r\n\
uhdmip.arch06\r\n";

/// One archive.
pub(super) struct Layer {
    pub(super) name: &'static str,
    /// Whether it carries a path index.
    pub(super) has_index: bool,
    pub(super) files: &'static [File],
}

/// One file, or several alike: `#` in the path stands for the numbers from 1 to `count`.
pub(super) struct File {
    pub(super) path: &'static str,
    count: u32,
    pub(super) data: Data,
}

impl File {
    /// The paths that the file stands for.
    pub(super) fn paths(&self) -> impl Iterator<Item = String> + '_ {
        (1..=self.count).map(|number| self.path.replace('#', &format!("{number:02}")))
    }
}

/// What a file holds.
pub(super) enum Data {
    Text(&'static str),
    /// UTF-16 with a byte order mark.
    Utf16(&'static str),
    /// A format that nobody knows: a tag, and as many bytes in all.
    Unknown(&'static [u8; 4], usize),
    Texture(Motif, Tier),
    /// An array of textures: four grounds.
    Grounds(u32),
    /// A cube with the sky on its faces.
    Sky(u32),
    /// The sky as light.
    Light(u32),
    /// The creature.
    Creature(Release),
    /// A part of the creature with faults.
    Flawed,
    /// The bones of the creature.
    Bones,
    /// The texts of a language.
    Strings(Language, Edition),
    /// The data with a damaged second chunk.
    Damaged(&'static Self),
    /// The manifest of a bundle.
    Manifest(&'static Listing),
    /// The container of a bundle.
    Container(&'static [Part]),
    /// A container whose last section overruns it.
    Overrunning(&'static [Part]),
}

/// What a texture shows.
#[derive(Clone, Copy)]
pub(super) enum Motif {
    Sword(Palette),
    Shield(Palette),
    Wall(Palette),
    WallNormals,
    WallSurface,
    Leaves(Palette),
    Chart(Palette),
    Coat,
    CoatNormals,
    CoatSurface,
}

/// Which levels of a picture a texture carries.
#[derive(Clone, Copy)]
pub(super) struct Tier {
    /// Pixels along a side of the full-size picture.
    side: u32,
    first_level: u32,
    levels: usize,
    format: PixelFormat,
}

const fn whole(side: u32, format: PixelFormat) -> Tier {
    Tier { side, first_level: 0, levels: usize::MAX, format }
}

const BC1: PixelFormat = PixelFormat::Bc1Unorm;
const BC3: PixelFormat = PixelFormat::Bc3Unorm;
const BC7: PixelFormat = PixelFormat::Bc7Unorm;
const RGBA8: PixelFormat = PixelFormat::Rgba8Unorm;

/// The tiers of the sword: a base file, a streamed level above it, and the largest one.
const SWORD_TIER: Tier = Tier { side: 1024, first_level: 2, levels: usize::MAX, format: BC3 };
const SWORD_TIER_0: Tier = Tier { side: 1024, first_level: 1, levels: 1, format: BC3 };
const SWORD_TIER_UHD: Tier = Tier { side: 1024, first_level: 0, levels: 1, format: BC3 };

impl Data {
    /// The bytes of the file at `path`.
    pub(super) fn bytes(&self, path: &str) -> Result<Vec<u8>> {
        Ok(match self {
            Self::Text(text) => text.as_bytes().to_vec(),
            Self::Utf16(text) => {
                let units = std::iter::once(0xFEFF).chain(text.encode_utf16());
                units.flat_map(u16::to_le_bytes).collect()
            }
            Self::Unknown(tag, len) => unknown(**tag, *len),
            Self::Grounds(side) => {
                let slice = |(name, motif): (&'static str, Motif)| (name, motif.draw(*side));
                array(path, &GROUNDS.map(slice), BC1)?
            }
            Self::Sky(side) => cube(*side, BASE)?,
            Self::Light(side) => light(&stored_name(path), *side, BASE)?,
            Self::Creature(release) => creature::mesh(*release)?,
            Self::Flawed => creature::flawed()?,
            Self::Bones => creature::skeleton()?,
            Self::Strings(language, edition) => texts::table(*language, *edition)?,
            Self::Damaged(data) => data.bytes(path)?,
            Self::Manifest(listing) => listing.manifest()?,
            Self::Container(parts) => bundles::container(parts)?,
            Self::Overrunning(parts) => bundles::overrunning(parts)?,
            Self::Texture(motif, tier) => {
                let name = stored_name(path);
                let recipe = Recipe {
                    name: &name,
                    format: tier.format,
                    first_level: tier.first_level,
                    levels: tier.levels,
                };
                texture(&motif.draw(tier.side >> tier.first_level), &recipe)?
            }
        })
    }
}

impl Motif {
    fn draw(self, side: u32) -> Picture {
        match self {
            Self::Sword(palette) => Picture::draw(side, sword(palette)),
            Self::Shield(palette) => Picture::draw(side, shield(palette)),
            Self::Wall(palette) => Picture::draw(side, wall(palette)),
            Self::WallNormals => Picture::draw(side, wall_normals),
            Self::WallSurface => Picture::draw(side, wall_surface),
            Self::Leaves(palette) => Picture::draw(side, leaves(palette)),
            Self::Chart(palette) => Picture::draw(side, chart(palette)),
            Self::Coat => Picture::draw(side, skin::coat),
            Self::CoatNormals => Picture::draw(side, skin::coat_normals),
            Self::CoatSurface => Picture::draw(side, skin::coat_surface),
        }
    }
}

/// The name that a texture stores: a base file names its higher tier, a higher tier its base file,
/// and textures of the world name nothing.
fn stored_name(path: &str) -> String {
    match path.rsplit_once('.') {
        Some((stem, "tex")) if stem.contains("sword") => format!("{stem}.tex0"),
        Some((stem, "tex0" | "texuhd")) => format!("{stem}.tex"),
        Some((stem, _)) if stem.starts_with("worlds") => String::new(),
        _ => path.to_owned(),
    }
}

/// Bytes with some structure behind a tag: rows of a number, its square and a word.
fn unknown(tag: [u8; 4], len: usize) -> Vec<u8> {
    let words = ["north", "gate", "ember", "tower"];
    let rows = (0u32..).zip(words.iter().cycle()).flat_map(|(row, word)| {
        let numbers = [row, row.wrapping_mul(row)].map(u32::to_le_bytes);
        numbers.concat().into_iter().chain(word.bytes().chain([0; 8]).take(8))
    });
    tag.into_iter().chain(17u32.to_le_bytes()).chain(rows).take(len).collect()
}

/// A chain with a fault in the middle of its second chunk.
pub(super) fn damaged(data: &[u8]) -> (Vec<u8>, u64) {
    let (mut bytes, size) = (chunks::pack(data), data.len() as u64);
    let second = Chain::new(bytes.clone().into(), size).chunks().flatten().nth(1);
    let middle = second.map_or(0, |chunk| usize::midpoint(chunk.data().start, chunk.data().end));
    if let Some(part) = bytes.get_mut(middle..middle + 64) {
        part.fill(0xFF);
    }
    (bytes, size)
}

const fn file(path: &'static str, data: Data) -> File {
    File { path, count: 1, data }
}

const fn files(path: &'static str, count: u32, data: Data) -> File {
    File { path, count, data }
}

const fn picture(path: &'static str, motif: Motif, tier: Tier) -> File {
    file(path, Data::Texture(motif, tier))
}

/// The slices of the array, and what they say that they were made from.
const GROUNDS: [(&str, Motif); 4] = [
    ("worlds\\source\\stone_d.tga", Motif::Wall(BASE)),
    ("worlds\\source\\leaves_d.tga", Motif::Leaves(FIRST)),
    ("worlds\\source\\ember_d.tga", Motif::Wall(ADD_ON)),
    ("worlds\\source\\frost_d.tga", Motif::Leaves(LAST)),
];

const SWORD: &str = "characters\\ranger\\ranger_sword_d.tex";
const SHIELD: &str = "characters\\guard\\guard_shield_d.tex";
const WALL: &str = "worlds\\retail\\keep\\textures\\keep_wall_d.tex";
const DRAKE: &str = "characters\\drake\\drake.mesh";
const ENGLISH: &str = "database\\string\\english\\game.strdb";
const GERMAN: &str = "database\\string\\german\\game.strdb";
const SHIPPED_TEXTS: Edition = Edition::Shipped;
const COMPASS: &str = "interface\\hud\\compass_d.tex";

/// A small text, and what a patch makes of it.
const KEYS: &str = "\
[keys]\r\nlook=mouse\r\nrun=shift\r\njump=space\r\ncrouch=ctrl\r\nuse=e\r\ndraw=r\r\n\r\n\
[mouse]\r\nspeed=0.80\r\ninvert=no\r\nsmooth=yes\r\n\r\n\
[pad]\r\nlook=right stick\r\nrun=left trigger\r\njump=a\r\nuse=x\r\nrumble=yes\r\n\r\n\
[view]\r\nfov=70\r\nshake=1.0\r\n";
const KEYS_PATCHED: &str = "\
[keys]\r\nlook=mouse\r\nrun=left shift\r\njump=space\r\ncrouch=ctrl\r\nuse=e\r\ndraw=r\r\nclimb=c\r\n\r\n\
[mouse]\r\nspeed=0.80\r\ninvert=no\r\nsmooth=yes\r\n\r\n\
[pad]\r\nlook=right stick\r\nrun=left trigger\r\njump=a\r\nuse=x\r\nrumble=yes\r\n\r\n\
[view]\r\nfov=85\r\n";

/// Loose files below `Game`, under everything else.
pub(super) const LOOSE_FILES: &[File] = &[
    file("readme.txt", Data::Text("Loose files of the demo.\r\nArchives above them win.\r\n")),
    file("config\\keys.ini", Data::Text(KEYS)),
    picture(COMPASS, Motif::Shield(LOOSE), whole(128, BC1)),
];

/// The archives, in no particular order: the list alone says which is searched first.
pub(super) const LAYERS: &[Layer] = &[
    Layer {
        name: "Characters",
        has_index: false,
        files: &[
            picture(SWORD, Motif::Sword(BASE), SWORD_TIER),
            picture("characters\\ranger\\ranger_sword_d.tex0", Motif::Sword(BASE), SWORD_TIER_0),
            picture(SHIELD, Motif::Shield(BASE), whole(256, BC1)),
            files(
                "characters\\guard\\guard_#.mat",
                12,
                Data::Text("shader=cloth\r\ndiffuse=guard_shield_d\r\n"),
            ),
            files("characters\\orc\\orc_#.mat", 24, Data::Text("shader=skin\r\n")),
            files("animation\\ranger\\ranger_idle_#.anix", 16, Data::Unknown(b"ANIX", 1500)),
            files("animation\\orc\\orc_walk_#.anix", 16, Data::Unknown(b"ANIX", 2400)),
            file("characters\\rider\\rider.mat", Data::Text("shader=skin\r\n")),
            file(DRAKE, Data::Creature(SHIPPED)),
            file("characters\\drake\\drake.skel", Data::Bones),
            file("characters\\drake\\drake_flawed.mesh", Data::Flawed),
            picture("characters\\drake\\drake_d.tex", Motif::Coat, whole(512, BC1)),
            picture("characters\\drake\\drake_n.tex", Motif::CoatNormals, whole(512, BC3)),
            picture("characters\\drake\\drake_s.tex", Motif::CoatSurface, whole(256, BC1)),
            file("animation\\drake\\drake_idle.anix", Data::Unknown(b"ANIX", 1800)),
        ],
    },
    Layer {
        name: "World",
        has_index: false,
        files: &[
            file("database\\string\\arabic\\game.strdb", Data::Strings(Language::Arabic, SHIPPED_TEXTS)),
            file(ENGLISH, Data::Strings(Language::English, SHIPPED_TEXTS)),
            file(GERMAN, Data::Strings(Language::German, SHIPPED_TEXTS)),
            file("database\\string\\japanese\\game.strdb", Data::Strings(Language::Japanese, SHIPPED_TEXTS)),
            picture(WALL, Motif::Wall(BASE), whole(512, BC1)),
            picture("worlds\\retail\\keep\\textures\\keep_wall_n.tex", Motif::WallNormals, whole(512, BC3)),
            picture("worlds\\retail\\keep\\textures\\keep_wall_s.tex", Motif::WallSurface, whole(256, BC1)),
            picture("worlds\\retail\\grove\\textures\\fern_d.tex", Motif::Leaves(FIRST), whole(512, BC3)),
            picture("worlds\\retail\\grove\\textures\\ivy_d.tex", Motif::Leaves(BASE), whole(256, BC3)),
            picture("worlds\\retail\\grove\\textures\\moss_d.tex", Motif::Leaves(SECOND), whole(128, BC7)),
            file("worlds\\retail\\grove\\textures\\ground_d.texa", Data::Grounds(128)),
            file("worlds\\retail\\grove\\textures\\sky.dds", Data::Sky(64)),
            file("worlds\\retail\\grove\\textures\\sky_light.tex", Data::Light(128)),
            picture("interface\\map\\region_d.tex", Motif::Chart(BASE), whole(512, BC1)),
            file(
                "worlds\\retail\\ruin\\textures\\ruin_wall_d.tex",
                Data::Damaged(&Data::Texture(Motif::Wall(LAST), whole(512, BC1))),
            ),
            files(
                "worlds\\retail\\keep\\sectionsandlayers\\layer_#.scripts",
                20,
                Data::Unknown(b"SCRI", 3000),
            ),
            files(
                "worlds\\retail\\grove\\sectionsandlayers\\layer_#.scripts",
                20,
                Data::Unknown(b"SCRI", 2200),
            ),
            files(
                "worlds\\retail\\ruin\\sectionsandlayers\\layer_#.scripts",
                12,
                Data::Unknown(b"SCRI", 1800),
            ),
            files("sound\\banks\\ambience_#.bnk", 18, Data::Unknown(b"BKHD", 4000)),
            file("bundles\\camp\\camp.bndl", Data::Manifest(&CAMP_LIST)),
            file("bundles\\camp\\camp.embb", Data::Container(CAMP)),
            file("bundles\\camp\\empty.bndl", Data::Manifest(&EMPTY_LIST)),
            file("bundles\\camp\\empty.embb", Data::Container(&[])),
            file("bundles\\camp\\broken.bndl", Data::Manifest(&CAMP_LIST)),
            file("bundles\\camp\\broken.embb", Data::Overrunning(CAMP)),
            file("worlds\\retail\\keep\\keep.bndl", Data::Manifest(&KEEP_LIST)),
            file("worlds\\retail\\keep\\keep.embb", Data::Container(KEEP)),
        ],
    },
    Layer { name: "Patch_00_LC", has_index: false, files: &[] },
    Layer {
        name: "Patch_01",
        has_index: true,
        files: &[
            picture(SWORD, Motif::Sword(FIRST), SWORD_TIER),
            picture(WALL, Motif::Wall(FIRST), whole(512, BC1)),
            picture(COMPASS, Motif::Shield(FIRST), whole(128, BC1)),
            files("characters\\orc\\orc_#.mat", 6, Data::Text("shader=skin\r\nwet=1\r\n")),
        ],
    },
    Layer {
        name: "Patch_DLC1",
        has_index: true,
        files: &[
            picture(SWORD, Motif::Sword(ADD_ON), SWORD_TIER),
            picture(SHIELD, Motif::Shield(ADD_ON), whole(256, BC1)),
            picture("interface\\map\\region_d.tex", Motif::Chart(ADD_ON), whole(512, BC1)),
            picture("dlc\\blades\\blade_banner_d.tex", Motif::Shield(ADD_ON), whole(256, BC1)),
            file("dlc\\blade.txt", Data::Text("Unlocked")),
            file("bundles\\rider\\rider.bndl", Data::Manifest(&RIDER_LIST)),
            file("bundles\\rider\\rider.embb", Data::Container(RIDER)),
        ],
    },
    Layer {
        name: "Patch_02",
        has_index: true,
        files: &[
            picture(SWORD, Motif::Sword(SECOND), SWORD_TIER),
            file(DRAKE, Data::Creature(PATCHED)),
            picture("interface\\hud\\cursor_d.tex", Motif::Leaves(SECOND), whole(64, RGBA8)),
            files("characters\\orc\\orc_#.mat", 3, Data::Text("shader=skin\r\nwet=1\r\n")),
            file("worlds\\retail\\keep\\keep.bndl", Data::Manifest(&KEEP_NEWER)),
            file(ENGLISH, Data::Strings(Language::English, Edition::Patched)),
            file(GERMAN, Data::Strings(Language::German, Edition::Patched)),
            file("worlds\\retail\\keep\\gate.mat", NEW_GATE),
        ],
    },
    Layer {
        name: "Patch_02_LC",
        has_index: true,
        files: &[
            file(
                "interface\\bundles\\credits\\credits_1.cred",
                Data::Utf16("Palimpsest demo\r\nPictures: drawn by code\r\nMálë, Ωραία, Имя, 名前\r\n"),
            ),
            file("config\\keys.ini", Data::Text(KEYS_PATCHED)),
        ],
    },
    Layer {
        name: "Patch_10",
        has_index: true,
        files: &[
            picture("bundles\\dlc4\\campfire_d.tex", Motif::Chart(SECOND), whole(128, BC1)),
            picture("bundles\\dlc\\camp_d.tex", Motif::Chart(FIRST), whole(128, BC1)),
        ],
    },
    Layer {
        name: "Patch_DLC4_LC",
        has_index: true,
        files: &[picture("bundles\\dlc4\\campfire_d.tex", Motif::Chart(ADD_ON), whole(128, BC1))],
    },
    Layer {
        name: "Patch_DLC4",
        has_index: true,
        files: &[
            picture("bundles\\dlc4\\campfire_d.tex", Motif::Chart(LAST), whole(128, BC1)),
            picture("bundles\\dlc4\\finale_d.tex", Motif::Shield(LAST), whole(128, BC1)),
            picture("bundles\\dlc\\camp_d.tex", Motif::Chart(LAST), whole(128, BC1)),
            picture(SWORD, Motif::Sword(LAST), SWORD_TIER),
        ],
    },
    Layer {
        name: "Global",
        has_index: true,
        files: &[
            picture(SHIELD, Motif::Shield(TOP), whole(256, BC1)),
            files("globalbundles\\sounds_#.bnk", 9, Data::Unknown(b"BKHD", 2000)),
        ],
    },
    Layer {
        name: "HotChunk",
        has_index: true,
        files: &[
            picture(SWORD, Motif::Sword(TOP), SWORD_TIER),
            file("database\\game\\game.gamedb", Data::Unknown(b"GADB", 600_000)),
            file("globalbundles\\globaldatabase.bndl", Data::Manifest(&DATABASE_LIST)),
        ],
    },
    Layer {
        name: "uhdmip",
        has_index: false,
        files: &[picture("characters\\ranger\\ranger_sword_d.texuhd", Motif::Sword(TOP), SWORD_TIER_UHD)],
    },
];
