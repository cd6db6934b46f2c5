//! The program: a window, or a command.

use std::process::ExitCode;

use clap::Parser as _;
use palimpsest::cli;
use palimpsest::cli::args::Cli;

fn main() -> ExitCode {
    let args = Cli::parse();
    match &args.command {
        Some(command) => ExitCode::from(cli::run(command).status()),
        None => ExitCode::SUCCESS,
    }
}
