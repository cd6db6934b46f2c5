//! The words of the command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use palimpsest_core::mount::Mounts;

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
    /// Install folders, .archcfg lists, archives, folders of loose files or loose files; later ones
    /// are searched before earlier ones.
    #[arg(value_name = "MOUNT")]
    pub mounts: Vec<PathBuf>,
    /// More to mount.
    #[command(flatten)]
    pub more: MoreMounts,
}

/// What every subcommand mounts.
#[derive(Args, Debug)]
pub struct MountArgs {
    /// An install folder, .archcfg list, archive, folder of loose files or loose file; later ones
    /// are searched before earlier ones.
    #[arg(short = 'm', long = "mount", value_name = "MOUNT")]
    pub mounts: Vec<PathBuf>,
    /// More to mount.
    #[command(flatten)]
    pub more: MoreMounts,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
    /// Print no progress and no warnings.
    #[arg(long)]
    pub quiet: bool,
}

/// Mounts beside the paths.
#[derive(Args, Debug, Default)]
pub struct MoreMounts {
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
}

impl MoreMounts {
    /// The mounts, with the demo below the others.
    pub fn mounts(&self, demo: Option<PathBuf>, paths: &[PathBuf]) -> Mounts {
        Mounts {
            paths: demo.into_iter().chain(paths.iter().cloned()).collect(),
            arch: self.arch.clone(),
            archcfg: self.archcfg.clone(),
        }
    }

    /// Whether anything is mounted without a path.
    pub fn is_something(&self) -> bool {
        self.demo || !self.arch.is_empty() || self.archcfg.is_some()
    }
}

/// What to do instead of opening the window.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// List the mounted layers, first searched first, and the list lines that mounted nothing.
    Layers(MountArgs),
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
    /// Draw the whole window into a PNG, without a display.
    Screenshot(ScreenshotArgs),
    /// Print every hash of a text.
    Hash(HashArgs),
    /// Write the demo install into a folder.
    Demo(DemoArgs),
}

/// `ls`.
#[derive(Args, Debug)]
pub struct LsArgs {
    /// Words, globs, /expressions/ and fields such as ext:tex or copies:>1; all when left out.
    #[arg(value_name = "QUERY")]
    pub query: Vec<String>,
    /// List every copy instead of each path once.
    #[arg(long)]
    pub copies: bool,
    /// What to mount.
    #[command(flatten)]
    pub mount: MountArgs,
}

/// `which`.
#[derive(Args, Debug)]
pub struct WhichArgs {
    /// Paths; letter case is ignored, / is taken for \.
    #[arg(value_name = "PATH", required = true)]
    pub paths: Vec<String>,
    /// What to mount.
    #[command(flatten)]
    pub mount: MountArgs,
}

/// `cat`.
#[derive(Args, Debug)]
pub struct CatArgs {
    /// The path; letter case is ignored, / is taken for \.
    #[arg(value_name = "PATH")]
    pub path: String,
    /// Take the copy of this layer, by name or number, instead of the winner.
    #[arg(long, value_name = "LAYER")]
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
    /// What to write; everything when left out.
    #[arg(value_name = "QUERY")]
    pub query: Vec<String>,
    /// The folder to write into.
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// Take the copies of this layer, by name or number, instead of the winners.
    #[arg(long, value_name = "LAYER")]
    pub layer: Option<String>,
    /// Write all files right into the folder.
    #[arg(long)]
    pub flat: bool,
    /// What to mount.
    #[command(flatten)]
    pub mount: MountArgs,
}

/// `info`.
#[derive(Args, Debug)]
pub struct InfoArgs {
    /// The path, or the name of a mounted archive.
    #[arg(value_name = "PATH")]
    pub path: String,
    /// Take the copy of this layer, by name or number, instead of the winner.
    #[arg(long, value_name = "LAYER")]
    pub layer: Option<String>,
    /// Add the structure with offsets.
    #[arg(long)]
    pub tree: bool,
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
    #[arg(long, value_name = "PATH")]
    pub open: Option<String>,
    /// Pixels of the picture.
    #[arg(long, value_name = "WxH", default_value = "1440x900", value_parser = size)]
    pub size: (u32, u32),
    /// Draw the light theme.
    #[arg(long)]
    pub light: bool,
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
    /// The folder to write into; it has to be new or empty.
    #[arg(value_name = "DIR")]
    pub dir: PathBuf,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

/// A size such as 1440x900, each side from 64 to 8192.
fn size(text: &str) -> Result<(u32, u32), String> {
    let side = |text: &str| text.trim().parse().ok().filter(|side| (64..=8192).contains(side));
    text.split_once(['x', 'X', '×'])
        .and_then(|(width, height)| Some((side(width)?, side(height)?)))
        .ok_or_else(|| "expected a size such as 1440x900, each side from 64 to 8192".to_owned())
}
