//! The words of the command line.

use std::path::PathBuf;

use clap::builder::NonEmptyStringValueParser;
use clap::{Args, CommandFactory as _, Parser, Subcommand};
use palimpsest_core::mount::Mounts;

use super::form::FormArgs;
use super::render::RenderArgs;
use crate::oodle::{By, CHECK, OodleChoice};

/// Explorer for the archive stacks of games: which layer wins a path, and why.
///
/// With no subcommand the window opens on what is mounted.
#[derive(Debug, Parser)]
#[command(name = "palimpsest", version, args_conflicts_with_subcommands = true)]
pub struct Cli {
    /// What to do instead of opening the window.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// What to mount in the window.
    #[command(flatten)]
    pub window: WindowArgs,
}

/// What the window mounts.
#[derive(Args, Debug)]
pub struct WindowArgs {
    /// Like -m, and below the mounts that are given with -m.
    #[arg(value_name = "MOUNT")]
    pub places: Vec<PathBuf>,
    /// What to mount.
    #[command(flatten)]
    pub sources: Sources,
}

impl WindowArgs {
    /// The subcommand that stands where a mount is expected, unless there is a file or folder of its
    /// name.
    pub fn misplaced_command(&self) -> Option<&str> {
        let command = Cli::command();
        let is_command = |name: &&str| command.find_subcommand(name).is_some();
        let missing = self.places.iter().filter(|place| !place.exists());
        missing.filter_map(|place| place.to_str()).find(is_command)
    }
}

/// What every subcommand mounts.
#[derive(Args, Debug)]
pub struct MountArgs {
    /// What to mount.
    #[command(flatten)]
    pub sources: Sources,
    /// Print no progress and no warnings.
    #[arg(long)]
    pub quiet: bool,
}

/// What makes the stack.
#[derive(Args, Debug, Default)]
pub struct Sources {
    /// An install folder, .archcfg list, archive, folder of loose files or loose file; may be
    /// repeated, later ones are searched before earlier ones.
    #[arg(short = 'm', long = "mount", value_name = "MOUNT")]
    pub mounts: Vec<PathBuf>,
    /// Mount the built-in demo install.
    #[arg(long)]
    pub demo: bool,
    /// Mount this archive below the list, like the engine's -arch; may be repeated.
    #[arg(long, value_name = "FILE")]
    pub arch: Vec<PathBuf>,
    /// Read this list instead of the install's own, like the engine's -archcfg.
    #[arg(long, value_name = "FILE")]
    pub archcfg: Option<PathBuf>,
    /// A list of names, one a line, to show beside hashes; may be repeated.
    #[arg(long, value_name = "FILE")]
    pub names: Vec<PathBuf>,
    /// Decode Oodle's chunks with the library in this file; the built-in decoder takes what it refuses.
    /// A file that is no such library is named, the built-in decoder does all the work, and the exit
    /// status is 1. A library runs inside this program: one that crashes later takes it along.
    #[arg(long, value_name = "FILE")]
    pub oodle: Option<PathBuf>,
    /// Decode with both, and fail where the library and the built-in decoder differ.
    #[arg(long, requires = "oodle")]
    pub oodle_compare: bool,
}

impl Sources {
    /// The mounts, with other paths below them.
    pub fn above(&self, below: &[PathBuf]) -> Mounts {
        Mounts {
            paths: [below, &self.mounts].concat(),
            arch: self.arch.clone(),
            archcfg: self.archcfg.clone(),
        }
    }

    /// Who decodes Oodle's chunks, where the call says so.
    pub fn oodle(&self) -> Option<OodleChoice> {
        let by = if self.oodle_compare { By::Compare } else { By::Library };
        self.oodle.as_ref().map(|path| OodleChoice { by, path: Some(path.clone()) })
    }

    /// Whether there is nothing to mount.
    pub fn is_empty(&self) -> bool {
        !self.demo && self.mounts.is_empty() && self.arch.is_empty() && self.archcfg.is_none()
    }
}

/// What to do instead of opening the window.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// List the mounted layers, first searched first, and the list lines that mounted nothing.
    Layers(LayersArgs),
    /// List the paths that a query finds, with their winning copies.
    Ls(LsArgs),
    /// Say which copy of each path wins, and why.
    Which(WhichArgs),
    /// Print the decoded bytes of a path.
    Cat(CatArgs),
    /// Write the files that a query finds into a folder.
    Extract(ExtractArgs),
    /// Say what a file is: format, facts, warnings, structure.
    Info(InfoArgs),
    /// Draw the preview of a texture, a mesh or a skeleton into a PNG, as the window shows it.
    Render(RenderArgs),
    /// Draw the whole window into a PNG, without a display.
    Screenshot(ScreenshotArgs),
    /// Print every hash of a text.
    Hash(HashArgs),
    /// Write the demo install into a folder.
    Demo(DemoArgs),
    /// Open an Oodle library and do nothing else: the program asks itself so, and lives when it crashes.
    #[command(name = CHECK, hide = true)]
    CheckOodle(CheckOodleArgs),
}

/// `check-oodle`.
#[derive(Args, Debug)]
pub struct CheckOodleArgs {
    /// The library.
    pub file: PathBuf,
}

/// `layers`.
#[derive(Args, Debug)]
pub struct LayersArgs {
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
    /// What to mount.
    #[command(flatten)]
    pub mount: MountArgs,
}

/// `ls`.
#[derive(Args, Debug)]
pub struct LsArgs {
    /// Words, globs, /expressions/ and fields such as ext:tex or copies:>1; all paths when left out.
    /// Several arguments are one query: all of them have to match a path. 'a | b' finds either.
    #[arg(value_name = "QUERY")]
    pub query: Vec<String>,
    /// List every copy instead of each path once.
    #[arg(long)]
    pub copies: bool,
    /// List the members of bundles as well.
    #[arg(long)]
    pub members: bool,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
    /// What to mount.
    #[command(flatten)]
    pub mount: MountArgs,
}

/// `which`.
#[derive(Args, Debug)]
pub struct WhichArgs {
    /// Paths; letter case is ignored, / is taken for \. With --json each path gives one object on a
    /// line of its own, in the order of the call.
    #[arg(value_name = "PATH", required = true, value_parser = NonEmptyStringValueParser::new())]
    pub paths: Vec<String>,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
    /// What to mount.
    #[command(flatten)]
    pub mount: MountArgs,
}

/// `cat`.
#[derive(Args, Debug)]
pub struct CatArgs {
    /// The path; letter case is ignored, / is taken for \.
    #[arg(value_name = "PATH", value_parser = NonEmptyStringValueParser::new())]
    pub path: String,
    /// Take the copy of this layer, by name or number, instead of the winner.
    #[arg(long, value_name = "LAYER", value_parser = NonEmptyStringValueParser::new())]
    pub layer: Option<String>,
    /// Print the bytes as the layer stores them.
    #[arg(long)]
    pub stored: bool,
    /// What to mount.
    #[command(flatten)]
    pub mount: MountArgs,
}

/// `extract`.
#[derive(Args, Debug)]
pub struct ExtractArgs {
    /// What to write, a query as for ls; everything when left out. Several arguments are one query:
    /// all of them have to match a path.
    #[arg(value_name = "QUERY")]
    pub query: Vec<String>,
    /// The folder to write into.
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// Take the copies of this layer, by name or number, instead of the winners.
    #[arg(long, value_name = "LAYER", value_parser = NonEmptyStringValueParser::new())]
    pub layer: Option<String>,
    /// Write all files right into the folder.
    #[arg(long)]
    pub flat: bool,
    /// In which form files are written.
    #[command(flatten)]
    pub form: FormArgs,
    /// Write the members of bundles as well.
    #[arg(long)]
    pub members: bool,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
    /// What to mount.
    #[command(flatten)]
    pub mount: MountArgs,
}

/// `info`.
#[derive(Args, Debug)]
pub struct InfoArgs {
    /// The path, or the name of a mounted archive.
    #[arg(value_name = "PATH", value_parser = NonEmptyStringValueParser::new())]
    pub path: String,
    /// Take the copy of this layer, by name or number, instead of the winner.
    #[arg(long, value_name = "LAYER", value_parser = NonEmptyStringValueParser::new())]
    pub layer: Option<String>,
    /// Add the structure with offsets.
    #[arg(long)]
    pub tree: bool,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
    /// What to mount.
    #[command(flatten)]
    pub mount: MountArgs,
}

/// `screenshot`.
#[derive(Args, Debug)]
pub struct ScreenshotArgs {
    /// The PNG to write.
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// The path to open first.
    #[arg(long, value_name = "PATH", value_parser = NonEmptyStringValueParser::new())]
    pub open: Option<String>,
    /// Pixels of the picture.
    #[arg(long, value_name = "WxH", default_value = "1440x900", value_parser = size)]
    pub size: (u32, u32),
    /// Draw the light theme.
    #[arg(long)]
    pub light: bool,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
    /// What to mount.
    #[command(flatten)]
    pub mount: MountArgs,
}

/// `hash`.
#[derive(Args, Debug)]
pub struct HashArgs {
    /// The texts.
    #[arg(value_name = "TEXT", required = true)]
    pub texts: Vec<String>,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

/// `demo`.
#[derive(Args, Debug)]
pub struct DemoArgs {
    /// The folder to write into; it has to be new, empty or an earlier demo, which is written anew.
    #[arg(value_name = "DIR")]
    pub dir: PathBuf,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

/// A size such as 1440x900, each side from 64 to 8192.
pub(super) fn size(text: &str) -> Result<(u32, u32), String> {
    let side = |text: &str| text.trim().parse().ok().filter(|side| (64..=8192).contains(side));
    text.split_once(['x', 'X', '×'])
        .and_then(|(width, height)| Some((side(width)?, side(height)?)))
        .ok_or_else(|| "expected a size such as 1440x900, each side from 64 to 8192".to_owned())
}
