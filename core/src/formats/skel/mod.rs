//! SKEL version 17, the skeleton of Middle-earth: Shadow of War (`.skel`).
//!
//! | offset | type | name | meaning |
//! |---|---|---|---|
//! | 0x00 | char\[4\] | magic | `SKEL` |
//! | 0x04 | 64 bytes | header | [`Header`] |
//! | 0x44 | 28 bytes | bounds | [`Bounds`] |
//! | 0x60 | | parts | for each part of the mesh u32 lod_count and as many [`LodRow`] |
//! | | u32 | | 0xDCDCFF00 |
//! | | | strings | texts that end with a NUL, the first one empty |
//! | | 37 bytes each | bones | [`BoneRow`], depth first |
//! | | | masks | u32 count, for each [`MaskRow`] and a byte for each bone |
//! | | | sockets | u32 count, for each [`SocketRow`] |
//! | | u32 | | 0xDCDCFF01, then the names of libraries and of parts |
//! | | u32 | | 0xDCDCFF02, then a word for each library |
//! | | u32 | | 0xDCDCFF03, then a byte for each bone |
//! | | u32 | | 0xDCDCFF04, then u32 count, names, and for each piece of cloth 0xBEEFFEED, its size, its data; 0xDEADDEAD |
//! | | u32 | | 0xDCDCFF05, then 0 and 0xDEADDEAD |
//! | | u32 | | 0xDCDCFF99, then `SKPY`, 1 and what follows |
//!
//! Names are offsets into the strings. Transforms of bones are those of the model, not of the bone that they
//! hang on. Source: three shipped skeletons that parse to their last byte, and notes on 973 others; sockets
//! are known from the notes alone. What six words of the header and the bytes of 0xDCDCFF03 mean is not known.

mod facts;
mod read;
mod write;

pub use self::write::write;
use crate::asset::{Asset, Kind};
use crate::error::Result;
use crate::format::Format;
use crate::parse::{Offset, Reader};
use crate::record;

/// The row of the format table.
pub static FORMAT: Format = Format {
    id: "skel",
    title: "SKEL v17 skeleton",
    game: "Middle-earth: Shadow of War",
    kind: Kind::Skeleton,
    extensions: &["skel"],
    file_names: &[],
    magics: &[b"SKEL"],
    parse,
    sample,
};

/// The only version that is read.
pub const VERSION: u32 = 17;

/// Bytes of the header, as it states itself.
const HEADER_SIZE: u32 = 64;

/// Bytes of a bone.
const BONE_SIZE: u32 = 37;

/// The marks of the parts of a file.
const STRINGS_MARK: u32 = 0xDCDC_FF00;
const NAMES_MARK: u32 = 0xDCDC_FF01;
const FLAGS_MARK: u32 = 0xDCDC_FF02;
const NUMBERS_MARK: u32 = 0xDCDC_FF03;
const CLOTHS_MARK: u32 = 0xDCDC_FF04;
const END_MARK: u32 = 0xDCDC_FF05;
const PHYSICS_MARK: u32 = 0xDCDC_FF99;
const CLOTH_MARK: u32 = 0xBEEF_FEED;
const CLOSING_MARK: u32 = 0xDEAD_DEAD;

record! {
    /// The header behind its magic, 64 bytes.
    pub struct Header {
        /// 17.
        version: u32,
        /// Bytes of the header, 64.
        own_size: u32,
        /// Bytes of the strings.
        string_bytes: u32,
        /// Libraries and parts together.
        name_count: u32,
        /// Bones.
        bone_count: u32,
        /// Bytes of the bones.
        bone_bytes: u32,
        /// Libraries of animations.
        library_count: u32,
        /// Parts of the mesh.
        part_count: u32,
        /// Sockets.
        socket_count: u32,
        /// Bones once more.
        bone_count_again: u32,
        /// Not known.
        unknown_28: [u32; 6],
    }
}

record! {
    /// A sphere and a box around everything, 28 bytes.
    pub struct Bounds {
        /// The radius, in centimetres.
        radius: f32,
        /// The lower corner.
        lower: [f32; 3],
        /// The upper corner.
        upper: [f32; 3],
    }
}

record! {
    /// A level of detail of a part, 14 bytes.
    pub struct LodRow {
        /// 1: casts a shadow.
        casts_shadow: u8,
        /// 1: is seen.
        is_visible: u8,
        /// The distance from which on it is used.
        distance: f32,
        /// The slot of its material.
        material: u32,
        /// The piece of cloth, -1 for none.
        cloth: i32,
    }
}

record! {
    /// A bone, 37 bytes, in the space of the model.
    pub struct BoneRow {
        /// Its name.
        name: Offset<u32>,
        /// 1: moves vertices.
        deforms: u8,
        /// Where it is.
        position: [f32; 3],
        /// How it is turned: x, y, z, w.
        rotation: [f32; 4],
        /// Bones that hang on it.
        child_count: u32,
    }
}

record! {
    /// The start of a mask, 12 bytes.
    pub struct MaskRow {
        /// Its name.
        name: Offset<u32>,
        /// Bones.
        bone_count: u32,
        /// Controls.
        control_count: u32,
    }
}

record! {
    /// A socket, 40 bytes.
    pub struct SocketRow {
        /// The bone, by its number.
        bone: u32,
        /// Its name.
        name: Offset<u32>,
        /// How it is turned: x, y, z, w.
        rotation: [f32; 4],
        /// Where it is.
        position: [f32; 3],
        /// How much larger everything there is.
        scale: f32,
    }
}

record! {
    /// A name, 4 bytes.
    pub struct NameRow {
        /// An offset into the strings.
        name: Offset<u32>,
    }
}

record! {
    /// A word, 4 bytes.
    pub struct FlagRow {
        /// The word.
        flag: u32,
    }
}

record! {
    /// A number for a bone, 1 byte.
    pub struct NumberRow {
        /// The number.
        number: u8,
    }
}

fn parse(r: &mut Reader<'_>) -> Result<Asset> {
    let skeleton = read::read(r)?;
    facts::state(r, &skeleton);
    Ok(Asset::Skeleton(skeleton))
}

/// Three bones with a mask, a socket, a piece of cloth and a part of two levels of detail.
fn sample() -> Vec<u8> {
    // What is written is small enough for every field.
    write(&write::sample()).unwrap_or_default()
}

#[cfg(test)]
mod tests;
