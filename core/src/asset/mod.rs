//! What the program shows, whatever the format: closed kinds without layouts and format names.

mod archive;
mod manifest;
mod mesh;
mod skeleton;
mod strings;
mod texture;

pub use archive::{Archive, ArchiveEntry};
pub use manifest::{Manifest, Member};
pub use mesh::{
    Arena, Attribute, AttributeLayout, Group, Lod, Mesh, ObjectRecord, Semantic, Stream, Values,
    VertexFormat, Weights,
};
pub(crate) use skeleton::FARTHEST;
pub use skeleton::{Bone, Cloth, Library, Mask, Part, PartLod, Skeleton, Socket, name_order};
pub use strings::{STRING_ROW, StringFault, StringRow, StringTable, StringText};
pub use texture::{Image, PixelFormat, Texture, Torn};

/// A parsed file. The panels match on it, so that a missing panel is a compile error.
#[derive(Clone, Debug, PartialEq)]
pub enum Asset {
    /// Files inside a file.
    Archive(Archive),
    /// A list of paths that lie elsewhere.
    Manifest(Manifest),
    /// Triangles.
    Mesh(Mesh),
    /// Bones.
    Skeleton(Skeleton),
    /// Texts by the hashes of their keys.
    Strings(StringTable),
    /// Text.
    Text(String),
    /// Pixels.
    Texture(Texture),
}

impl Asset {
    /// What kind of thing it is.
    pub const fn kind(&self) -> Kind {
        match self {
            Self::Archive(_) => Kind::Archive,
            Self::Manifest(_) => Kind::Manifest,
            Self::Mesh(_) => Kind::Mesh,
            Self::Skeleton(_) => Kind::Skeleton,
            Self::Strings(_) => Kind::Strings,
            Self::Text(_) => Kind::Text,
            Self::Texture(_) => Kind::Texture,
        }
    }
}

/// What kind of thing an asset is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Files inside a file.
    Archive,
    /// A list of paths that lie elsewhere.
    Manifest,
    /// Triangles.
    Mesh,
    /// Bones.
    Skeleton,
    /// Texts by the hashes of their keys.
    Strings,
    /// Text.
    Text,
    /// Pixels.
    Texture,
}

impl Kind {
    /// The kind in one word.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Archive => "archive",
            Self::Manifest => "manifest",
            Self::Mesh => "mesh",
            Self::Skeleton => "skeleton",
            Self::Strings => "string table",
            Self::Text => "text",
            Self::Texture => "texture",
        }
    }
}
