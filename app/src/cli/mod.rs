//! The command line: the same answers as the window, for people and scripts.

pub mod args;
mod cat;
mod chunks;
mod extract;
mod form;
mod info;
mod json;
mod layers;
mod ls;
mod output;
mod progress;
mod render;
mod screenshot;
mod session;
mod small;
mod structure;
mod which;

use args::Command;
use output::Output;

use crate::oodle;

/// What became of a command, as its exit status says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// All done.
    Done,
    /// Some items failed; the rest was done, and each failure was named.
    SomeFailed,
    /// The words of the call are wrong.
    Usage,
}

impl Outcome {
    /// The exit status.
    pub const fn status(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::SomeFailed => 1,
            Self::Usage => 2,
        }
    }
}

/// Runs a subcommand.
pub fn run(command: &Command) -> Outcome {
    let mut out = Output::new();
    let result = match command {
        Command::Layers(args) => layers::run(args, &mut out),
        Command::Ls(args) => ls::run(args, &mut out),
        Command::Which(args) => which::run(args, &mut out),
        Command::Cat(args) => cat::run(args, &mut out),
        Command::Extract(args) => extract::run(args, &mut out),
        Command::Info(args) => info::run(args, &mut out),
        Command::Render(args) => render::run(args, &mut out),
        Command::Screenshot(args) => screenshot::run(args, &mut out),
        Command::Hash(args) => small::hash(args, &mut out),
        Command::Demo(args) => small::demo(args, &mut out),
        Command::CheckOodle(args) => oodle::answer(&args.file),
    };
    out.finish(result)
}
