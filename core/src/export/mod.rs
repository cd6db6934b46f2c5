//! Assets as files that other programs read.

mod gltf;
mod model;
mod obj;
mod picture;
mod surface;
mod texture;

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use bytes::Bytes;

pub use self::model::{Dressed, Material, TextureOf, export_model};
pub use self::picture::{exr, png};
pub use self::texture::export_joined;
use crate::asset::{Asset, Kind};
use crate::error::{Error, Result};
use crate::hash::NameBook;
use crate::model::Model;
use crate::scene::Beside;
use crate::strings::{Column, Sheet, SheetExport, export_sheet};
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
    /// A model as binary glTF 2.0, everything in one file.
    Glb,
    /// A model as glTF 2.0 in text, everything in one file.
    Gltf,
    /// A model at rest as Wavefront OBJ.
    Obj,
    /// Texts in fields between commas.
    Csv,
    /// Texts in fields between tabs.
    Tsv,
    /// Texts as a list in JSON.
    Json,
    /// Texts and their translations for gettext.
    Po,
}

impl Form {
    /// Every form but the native one.
    pub const ALL: [Self; 10] = [
        Self::Png,
        Self::Exr,
        Self::Dds,
        Self::Glb,
        Self::Gltf,
        Self::Obj,
        Self::Csv,
        Self::Tsv,
        Self::Json,
        Self::Po,
    ];

    /// The name, which is the ending as well; empty for the native form.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Native => "",
            Self::Png => "png",
            Self::Exr => "exr",
            Self::Dds => "dds",
            Self::Glb => "glb",
            Self::Gltf => "gltf",
            Self::Obj => "obj",
            Self::Csv => "csv",
            Self::Tsv => "tsv",
            Self::Json => "json",
            Self::Po => "po",
        }
    }

    /// Whether its files are pictures, of which level, slice and channels can be chosen.
    pub const fn is_picture(self) -> bool {
        matches!(self, Self::Png | Self::Exr)
    }

    /// Whether its files have fields of texts, which can begin with a byte order mark.
    pub const fn is_separated(self) -> bool {
        matches!(self, Self::Csv | Self::Tsv)
    }

    /// Whether assets of a kind have this form.
    pub fn is_of(self, kind: Kind) -> bool {
        self == Self::Native || self.kinds().contains(&kind)
    }

    /// The kinds of assets that it is made of, where it is not the native one.
    const fn kinds(self) -> &'static [Kind] {
        match self {
            Self::Native => &[],
            Self::Png | Self::Exr | Self::Dds => &[Kind::Texture],
            Self::Glb | Self::Gltf => &[Kind::Mesh, Kind::Skeleton],
            Self::Obj => &[Kind::Mesh],
            Self::Csv | Self::Tsv | Self::Json | Self::Po => &[Kind::Strings],
        }
    }

    /// The error for an asset that it is not made of.
    fn unfit(self, kind: Kind) -> Error {
        let made_of: Vec<_> = self
            .kinds()
            .iter()
            .map(|kind| match kind {
                Kind::Mesh => "meshes",
                Kind::Skeleton => "skeletons",
                Kind::Strings => "string tables",
                _ => "textures",
            })
            .collect();
        let (name, made_of) = (self.name(), made_of.join(" and "));
        Error::unsupported(format!("{name} files are made of {made_of}, and this is {}", kind.name()))
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

/// How tables of texts are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Texts {
    /// Which tables are set beside each.
    pub beside: Beside,
    /// Whether a CSV or TSV begins with a byte order mark.
    pub has_bom: bool,
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
    /// How tables of texts are written.
    pub texts: Texts,
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

/// What is told of files that were made, a sentence each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Told {
    /// What is missing from them, where it is not all that the asset's file promises.
    pub missing: Vec<String>,
    /// What they say otherwise than the asset's file, or what would have said more.
    pub notes: Vec<String>,
}

/// Makes the files of a form and gives each to `sink` as soon as it is made; `file` is the asset's own. A mesh
/// stands for itself, see [`export_model`] for one with a skeleton and textures; so does a table of texts, without
/// names of keys, see [`export_sheet`] for more.
///
/// # Errors
/// `Unsupported` when the asset has no such form, `NotFound` when a level or slice is not there,
/// `Malformed` when one cannot be decoded, `Limit` when it is too large; `Cancelled`; what the sink says.
pub fn export(
    asset: &Asset,
    file: &Bytes,
    form: Form,
    wanted: &Wanted,
    task: &Task,
    sink: &mut dyn FnMut(Exported) -> Result<()>,
) -> Result<Told> {
    let of = |model: Result<Model>, sink| {
        export_model(&Dressed { model: &model?, materials: &[] }, form, task, sink)
    };
    match asset {
        _ if form == Form::Native => {
            sink(Exported { ending: String::new(), bytes: file.to_vec(), is_cut: false })?;
            Ok(Told::default())
        }
        _ if !form.is_of(asset.kind()) => Err(form.unfit(asset.kind())),
        Asset::Texture(texture) => texture::export(texture, file, form, wanted, task, sink),
        Asset::Mesh(mesh) => of(Model::new(Some(Arc::new(mesh.clone())), None, task), sink),
        Asset::Skeleton(skeleton) => of(Model::new(None, Some(Arc::new(skeleton.clone())), task), sink),
        Asset::Strings(table) => {
            let column = Column::new(String::new(), String::new(), Arc::new(table.clone()));
            let (sheet, names) = (Sheet::of_table(column), NameBook::new());
            let of_sheet =
                SheetExport { sheet: &sheet, names: &names, rows: None, column: None, has_bom: false };
            export_sheet(&of_sheet, form, task, sink)
        }
        other => Err(form.unfit(other.kind())),
    }
}
