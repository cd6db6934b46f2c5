//! How long frames take while an arrow key leads through 2,000 textures, one in each frame: in the grid of small
//! pictures, and in the list of paths, where each is opened.
//!
//! What is measured is the program's own part of a frame: from the key to the moment when the card has all it
//! needs, with nothing left to do from the frame before. The reference is a frame in which nothing happens.

#![expect(clippy::print_stdout, clippy::unwrap_used, reason = "a benchmark prints, and fails loudly")]

#[path = "support/archive.rs"]
mod archive;
mod support;

use std::time::{Duration, Instant};

use archive::archive;
use egui::Key;
use palimpsest::app::Start;
use palimpsest::command::Command;
use palimpsest::gpu::Caps;
use palimpsest::gpu::offscreen::render_state;
use palimpsest::grid::GridCommand;
use palimpsest::headless::{Look, Stage};
use palimpsest_core::mount::Mounts;
use support::quantile;

const COUNT: usize = 2000;
const LOOK: Look = Look { size: (1080, 675), is_light: false };

fn main() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("textures.arch06");
    let (bytes, _) = archive(512, COUNT, |at| format!("wall_{at:04}_d.dds"));
    std::fs::write(&file, bytes).unwrap();
    println!("{}", Caps::of(&render_state().unwrap()).adapter);
    for (name, command) in [("grid", Some(Command::Grid(GridCommand::Show))), ("list", None)] {
        let start = Start { mounts: Some(Mounts::of(&file)), ..Start::default() };
        let mut stage = Stage::new(start, LOOK).unwrap();
        stage.settle().unwrap();
        stage.app().commands().send_some(command);
        stage.press(Key::ArrowDown);
        stage.settle().unwrap();
        let still: Vec<_> = (0..200).map(|_| frame(&mut stage, None)).collect();
        let key = if name == "grid" { Key::ArrowRight } else { Key::ArrowDown };
        let moving: Vec<_> = (1..COUNT).map(|_| frame(&mut stage, Some(key))).collect();
        let started = Instant::now();
        stage.settle().unwrap();
        println!("{name}: at rest again after {:.0} ms", 1000.0 * started.elapsed().as_secs_f64());
        for (what, times) in [("nothing happens", &still), ("arrow held", &moving)] {
            let ms = |share| 1000.0 * quantile(times.iter().map(Duration::as_secs_f64), share);
            let [median, most, longest] = [0.5, 0.95, 1.0].map(ms);
            println!(
                "{name}, {what:<16} median {median:>6.2} ms, 95 % {most:>6.2} ms, longest {longest:>6.2} ms"
            );
        }
    }
}

/// Draws a frame, in which a key may be pressed; the time that it takes without that of the card.
fn frame(stage: &mut Stage, key: Option<Key>) -> Duration {
    if let Some(key) = key {
        stage.press(key);
    }
    let started = Instant::now();
    stage.frame();
    let time = started.elapsed();
    stage.pixels().unwrap();
    time
}
