//! The program: a window, or a command.

use std::path::Path;
use std::process::ExitCode;

use clap::Parser as _;
use palimpsest::app::Start;
use palimpsest::cli::args::{Cli, WindowArgs};
use palimpsest::cli::{self, Outcome};
use palimpsest::window::{self, Ended};

/// Where the window is drawn to when there is no display.
const PICTURE: &str = "palimpsest.png";

fn main() -> ExitCode {
    let args = Cli::parse();
    let outcome = match &args.command {
        Some(command) => cli::run(command),
        None => open_window(&args),
    };
    ExitCode::from(outcome.status())
}

#[expect(clippy::print_stdout, clippy::print_stderr, reason = "without a window this is all a person sees")]
fn open_window(args: &Cli) -> Outcome {
    if let Some(command) = args.window.misplaced_command() {
        eprintln!(
            "error: {command}: no such file or folder; a subcommand comes first: palimpsest {command} …"
        );
        return Outcome::Usage;
    }
    let WindowArgs { places, sources } = &args.window;
    let is_something = !places.is_empty() || !sources.is_empty();
    let start = Start {
        mounts: is_something.then(|| sources.above(places)),
        has_demo: sources.demo,
        open: None,
        names: sources.names.clone(),
        oodle: sources.oodle(),
        cache: palimpsest::members::cache(),
        thumbnails: palimpsest::thumbnail::Kept::of_user(),
    };
    match window::open(start, Path::new(PICTURE)) {
        Ok(Ended::Closed) => Outcome::Done,
        Ok(Ended::Drawn(picture)) => {
            println!("There is no display, so the window was drawn into {picture}.");
            Outcome::Done
        }
        Err(error) => {
            eprintln!("error: {error}");
            if error.is_usage() { Outcome::Usage } else { Outcome::SomeFailed }
        }
    }
}
