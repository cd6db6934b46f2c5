//! MMSH version 17, the mesh of Middle-earth: Shadow of War (`.mesh`).
//!
//! | offset | type | name | meaning |
//! |---|---|---|---|
//! | 0x00 | char\[4\] | magic | `MMSH` |
//! | 0x04 | u32 | version | 17 |
//! | 0x08 | u32 | sizes_size | bytes of the first section |
//! | 0x0C | u32 | descriptor_size | bytes of the second |
//! | 0x10 | u32 | buffers_size | bytes of the third |
//! | 0x14 | | sizes | how much the buffers hold: [`SizesHeader`], then a word of flags and of an arena for each object record, then bytes of vertices, of indices and of palettes for each arena |
//! | | | descriptor | [`Descriptor`], objects, [`RecordRow`], [`ArenaRow`], [`GroupRow`], the lists of levels of detail, the formats of vertices, [`BoneRow`] |
//! | | u32 | id | the mark of the buffers, then the vertices of all arenas, their indices, their palettes |
//!
//! A group's vertices lie stream by stream; what a vertex is made of is declared by its format alone. Indices
//! count from the group's first vertex. Source: three shipped meshes that parse to their last byte, and a
//! public parser; what two numbers of a group mean, and the types 0, 5 to 8, 10 and 11 of attributes, is not
//! known.

mod buffers;
mod checks;
mod descriptor;
mod facts;
mod places;
mod vertices;
mod write;

pub(crate) use self::vertices::{declared, streams};
pub use self::write::write;
use crate::asset::{Asset, Kind, Mesh};
use crate::error::Result;
use crate::format::Format;
use crate::parse::{Bits, Hash, Reader};
use crate::record;

/// The row of the format table.
pub static FORMAT: Format = Format {
    id: "mmsh",
    title: "MMSH v17 mesh",
    game: "Middle-earth: Shadow of War",
    kind: Kind::Mesh,
    extensions: &["mesh"],
    file_names: &[],
    magics: &[b"MMSH"],
    parse,
    sample,
};

/// The only version that is read.
pub const VERSION: u32 = 17;

/// The marks of the parts of a file.
const SIZES_ID: u32 = 0xEBAE_C3FA;
const DESCRIPTOR_ID: u32 = 0x1A15_41BC;
const LODS_ID: u32 = 0x8E3E_068E;
const FORMATS_ID: u32 = 0x37D7_49A6;
const BONES_ID: u32 = 0x93D9_A424;
const BUFFERS_ID: u32 = 0x95DB_DB69;

/// Bytes of an index.
const INDEX: u64 = 2;

record! {
    /// What stands before the sizes, 12 bytes.
    pub struct SizesHeader {
        /// The mark of the section.
        id: Hash,
        /// Object records.
        record_count: u32,
        /// Arenas.
        arena_count: u32,
    }
}

record! {
    /// A word, 4 bytes.
    pub struct Word {
        /// The word.
        value: i32,
    }
}

record! {
    /// The start of the descriptor, 72 bytes.
    pub struct Descriptor {
        /// The mark of the section.
        id: Hash,
        /// Objects.
        object_count: u32,
        /// Object records.
        record_count: u32,
        /// Arenas.
        arena_count: u32,
        /// Groups of all arenas.
        group_count: u32,
        /// The most groups of any arena.
        largest_group_count: u32,
        /// Words of all lists of levels of detail.
        lod_word_count: u32,
        /// Distances of what is seen.
        mesh_lod_count: u32,
        /// Distances of what casts a shadow.
        shadow_lod_count: u32,
        /// Formats of vertices.
        format_count: u32,
        /// Attributes of all formats.
        attribute_count: u32,
        /// Distance from which on nothing is drawn, in centimetres.
        cull_distance: f32,
        /// The centre of the sphere around everything.
        centre: [f32; 3],
        /// Its radius.
        radius: f32,
        /// Bones.
        bone_count: u32,
        /// Bytes of the table of bones.
        bone_bytes: u32,
    }
}

record! {
    /// A hash of a name, 4 bytes.
    pub struct Id {
        /// The hash.
        id: Hash,
    }
}

record! {
    /// An object at a level of detail, 16 bytes.
    pub struct RecordRow {
        /// The object.
        object: u32,
        /// The arena, -1 for nothing.
        arena: i32,
        /// The slot of its material.
        material: i32,
        /// Bit 0: may be seen; bit 1: may cast a shadow.
        flags: Bits,
    }
}

record! {
    /// A buffer, 48 bytes.
    pub struct ArenaRow {
        /// Bytes of vertices.
        vertex_bytes: u32,
        /// Bytes of indices.
        index_bytes: u32,
        /// Bytes of palettes.
        palette_bytes: u32,
        /// Groups.
        group_count: u32,
        /// Triangles at sixteen steps of detail.
        triangles: [u16; 16],
    }
}

record! {
    /// A group of triangles, 40 bytes; places count inside the arena.
    pub struct GroupRow {
        /// First byte of the vertices.
        vertex_offset: u32,
        /// First vertex.
        first_vertex: u32,
        /// Vertices.
        vertex_count: u32,
        /// First index.
        first_index: u32,
        /// Indices.
        index_count: u32,
        /// First byte of the palette.
        palette_start: u32,
        /// Bytes of the palette.
        palette_count: u32,
        /// Not known.
        unknown_1c: f32,
        /// Not known.
        unknown_20: f32,
        /// The format of its vertices.
        format: u32,
    }
}

record! {
    /// An attribute of vertices, 4 bytes.
    pub struct AttributeRow {
        /// The stream that it lies in.
        stream: u8,
        /// What it is made of.
        layout: u8 => vertices::layout_name,
        /// What it means.
        semantic: u8 => vertices::semantic_name,
        /// Which one of several with that meaning.
        channel: u8,
    }
}

record! {
    /// A bone, 40 bytes, in the space of the mesh.
    pub struct BoneRow {
        /// The hash of its name.
        name: Hash,
        /// The bone that it hangs on, -1 for none.
        parent: i16,
        /// Bones that hang on it.
        child_count: u16,
        /// Where it is.
        position: [f32; 3],
        /// How it is turned: x, y, z, w.
        rotation: [f32; 4],
        /// How much larger everything on it is.
        scale: f32,
    }
}

record! {
    /// A distance, 4 bytes.
    pub struct Distance {
        /// In centimetres.
        distance: f32,
    }
}

record! {
    /// A corner of a triangle, 2 bytes.
    pub struct IndexRow {
        /// A vertex, counted from the group's first.
        index: u16,
    }
}

record! {
    /// A bone of a palette, 1 byte.
    pub struct PaletteRow {
        /// A place in the order of names.
        bone: u8,
    }
}

fn parse(r: &mut Reader<'_>) -> Result<Asset> {
    let mesh = read(r)?;
    facts::state(r, &mesh);
    Ok(Asset::Mesh(mesh))
}

fn read(r: &mut Reader<'_>) -> Result<Mesh> {
    let [sizes, descriptor, _] = r.group("header", |r| {
        r.magic("magic", &[b"MMSH"])?;
        match r.u32("version")? {
            VERSION => {}
            version => return Err(r.unsupported(format!("version {version}, expected {VERSION}"))),
        }
        let sizes = [r.u32("sizes_size")?, r.u32("descriptor_size")?, r.u32("buffers_size")?].map(u64::from);
        let all: u64 = sizes.iter().sum();
        if all != r.left() {
            r.warn(format!("the three sections have {all} bytes, {} are there", r.left()));
        }
        Ok(sizes)
    })?;
    let start = r.pos();
    let sizes = r.group("sizes", |r| descriptor::read_sizes(r, sizes))?;
    let described = r.group("descriptor", |r| descriptor::read(r, start + sizes.len, descriptor))?;
    checks::sections(r, &sizes, &described.tables);
    let tables = described.tables;
    let mesh = r.group("buffers", |r| buffers::read(r, described))?;
    if r.left() > 0 {
        let left = r.left();
        r.bytes("trailing", left)?;
        r.warn(format!("{left} bytes after the last palette"));
    }
    checks::check(r, &mesh, &tables);
    Ok(mesh)
}

/// A mesh of two triangles on two bones, and one that is drawn from afar as nothing.
fn sample() -> Vec<u8> {
    // What is written is small enough for every field.
    write(&write::sample()).unwrap_or_default()
}

#[cfg(test)]
mod tests;
