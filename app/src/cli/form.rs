//! The words that say in which form files are written.

use clap::Args;
use palimpsest_core::asset::Kind;
use palimpsest_core::error::{Error, Result};
use palimpsest_core::export::{Channels, Conversion, Form, Texts, Wanted, Which};
use palimpsest_core::scene::Beside;

/// In which form files are written.
#[derive(Args, Debug)]
pub struct FormArgs {
    /// In which form. Of textures: png (8 bits a channel, 16 where a texture has more), exr (floats) or dds
    /// (exactly what the texture carries). Of meshes and skeletons: glb or gltf (one file each, with the
    /// skeleton and textures that belong to a mesh), of meshes also obj (at rest). Of string tables: csv, tsv,
    /// json or po (gettext). The form is added to the name: x.tex becomes x.tex.png.
    #[arg(long = "as", value_name = "FORM")]
    pub form: Option<Form>,
    /// Which level of a texture as a picture: a number, 0 for the largest that it carries, or all. Without it
    /// the largest that is whole.
    #[arg(long, value_name = "LEVEL", value_parser = which, requires = "form")]
    pub level: Option<Which>,
    /// Which slice of an array or a volume as a picture, by its number, or all, which they are without it. The
    /// faces of a cube are numbered from 0 in the order +X −X +Y −Y +Z −Z.
    #[arg(long, value_name = "SLICE", value_parser = which, requires = "form")]
    pub slice: Option<Which>,
    /// The channels of pictures, such as rgb: colours that are left out are black, alpha is opaque then, and
    /// one channel alone is grey. Without it every channel is as stored.
    #[arg(long, value_name = "CHANNELS", value_parser = channels, requires = "form")]
    pub channels: Option<Channels>,
    /// Join the tiers of a texture (.tex, .tex0, .texuhd) into one chain of levels first.
    #[arg(long, requires = "form")]
    pub joined: bool,
    /// Write each string table with others beside it, in columns: languages, which are those of its name in the
    /// folders beside its own, or layers, which are its copies from the lowest up. A po has a file for each column.
    /// All languages make one file, which stands beside the first table that the query finds.
    #[arg(long, value_name = "TABLES", value_parser = beside, requires = "form")]
    pub beside: Option<Beside>,
    /// Begin a csv or tsv with a byte order mark, which some spreadsheets need to read it as UTF-8.
    #[arg(long, requires = "form")]
    pub bom: bool,
}

impl FormArgs {
    /// How files are written.
    ///
    /// # Errors
    /// `Usage` where another form is asked for with a choice that only pictures have.
    pub fn conversion(&self) -> Result<Conversion> {
        let has_choice = self.level.is_some() || self.slice.is_some() || self.channels.is_some();
        if let Some(form) = self.form.filter(|form| has_choice && !form.is_picture()) {
            let text = match form {
                Form::Dds => "a dds has every level, slice and channel: ".to_owned(),
                form => format!("a {form} is no picture: "),
            };
            return Err(Error::usage(text + "--level, --slice and --channels are for pictures"));
        }
        let form = self.form.unwrap_or_default();
        if self.beside.is_some() && (form == Form::Native || !form.is_of(Kind::Strings)) {
            return Err(Error::usage(format!(
                "{form}: --beside is for string tables, as csv, tsv, json or po"
            )));
        }
        if self.bom && !form.is_separated() {
            return Err(Error::usage(format!("{form}: --bom is for csv and tsv")));
        }
        let all = Wanted::default();
        let wanted = Wanted {
            level: self.level.unwrap_or(all.level),
            slice: self.slice.unwrap_or(all.slice),
            channels: self.channels.unwrap_or_default(),
        };
        let texts = Texts { beside: self.beside.unwrap_or_default(), has_bom: self.bom };
        Ok(Conversion { form, wanted, is_joined: self.joined, texts })
    }
}

/// A number, or all.
fn which(text: &str) -> std::result::Result<Which, String> {
    match (text, text.parse()) {
        ("all", _) => Ok(Which::All),
        (_, Ok(number)) => Ok(Which::One(number)),
        (_, Err(_)) => Err("expected a number, or all".to_owned()),
    }
}

/// Tables that are set side by side.
fn beside(text: &str) -> std::result::Result<Beside, String> {
    match text {
        "languages" => Ok(Beside::Languages),
        "layers" => Ok(Beside::Layers),
        _ => Err("expected languages or layers".to_owned()),
    }
}

/// Letters of channels.
pub(super) fn channels(text: &str) -> std::result::Result<Channels, String> {
    let text = text.to_ascii_lowercase();
    if text.is_empty() || !text.chars().all(|letter| "rgba".contains(letter)) {
        return Err("expected letters of r, g, b and a".to_owned());
    }
    Ok(Channels::Shown(['r', 'g', 'b', 'a'].map(|channel| text.contains(channel))))
}
