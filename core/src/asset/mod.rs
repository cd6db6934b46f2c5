//! What the program shows, whatever the format: closed kinds without layouts and format names.

mod archive;
mod manifest;
mod texture;

pub use archive::{Archive, ArchiveEntry};
pub use manifest::{Manifest, Member};
pub use texture::{Image, PixelFormat, Texture};

/// A parsed file. The panels match on it, so that a missing panel is a compile error.
#[derive(Clone, Debug, PartialEq)]
pub enum Asset {
    /// Files inside a file.
    Archive(Archive),
    /// A list of paths that lie elsewhere.
    Manifest(Manifest),
    /// Text.
    Text(String),
    /// Pixels.
    Texture(Texture),
}

impl Asset {
    /// What kind of thing it is, in one word.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Archive(_) => "archive",
            Self::Manifest(_) => "manifest",
            Self::Text(_) => "text",
            Self::Texture(_) => "texture",
        }
    }
}
