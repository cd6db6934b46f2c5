//! The words that say in which form files are written.

use clap::Args;
use palimpsest_core::export::{Channels, Conversion, Form, Wanted, Which};

/// In which form files are written.
#[derive(Args, Debug)]
pub struct FormArgs {
    /// In which form: png (8 bits a channel, 16 where a texture has more), exr (floats) or dds (exactly
    /// what the texture carries). The form is added to the name: x.tex becomes x.tex.png.
    #[arg(long = "as", value_name = "FORM")]
    pub form: Option<Form>,
    /// Which level of a texture as a picture, 0 for the largest that it carries, or all.
    #[arg(long, value_name = "LEVEL", value_parser = which, default_value = "0", requires = "form")]
    pub level: Which,
    /// Which slice of an array, a volume or a cube (+X −X +Y −Y +Z −Z) as a picture, or all.
    #[arg(long, value_name = "SLICE", value_parser = which, default_value = "all", requires = "form")]
    pub slice: Which,
    /// The channels of pictures, such as rgb: colours that are left out are black, alpha is opaque then, and
    /// one channel alone is grey. Without it every channel is as stored.
    #[arg(long, value_name = "CHANNELS", value_parser = channels, requires = "form")]
    pub channels: Option<Channels>,
    /// Join the tiers of a texture (.tex, .tex0, .texuhd) into one chain of levels first.
    #[arg(long, requires = "form")]
    pub joined: bool,
}

impl FormArgs {
    /// How files are written.
    pub fn conversion(&self) -> Conversion {
        let channels = self.channels.unwrap_or_default();
        let wanted = Wanted { level: self.level, slice: self.slice, channels };
        Conversion { form: self.form.unwrap_or_default(), wanted, is_joined: self.joined }
    }
}

/// A number, or all.
pub(super) fn which(text: &str) -> Result<Which, String> {
    match (text, text.parse()) {
        ("all", _) => Ok(Which::All),
        (_, Ok(number)) => Ok(Which::One(number)),
        (_, Err(_)) => Err("expected a number, or all".to_owned()),
    }
}

/// Letters of channels.
pub(super) fn channels(text: &str) -> Result<Channels, String> {
    let text = text.to_ascii_lowercase();
    if text.is_empty() || !text.chars().all(|letter| "rgba".contains(letter)) {
        return Err("expected letters of r, g, b and a".to_owned());
    }
    Ok(Channels::Shown(['r', 'g', 'b', 'a'].map(|channel| text.contains(channel))))
}
