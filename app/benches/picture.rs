//! How long it takes from selecting a texture to the frame that shows it: 4,096 × 4,096 pixels of BC7 with all
//! levels, its chunks packed in Kraken, with a graphics card that takes blocks and with one that does not.
//!
//! The reference is to read and decode the bytes of the file and to do nothing with them. Every frame is
//! read back from the card, which stands for the screen.

#![expect(clippy::print_stdout, clippy::unwrap_used, reason = "a benchmark prints, and fails loudly")]

#[path = "support/archive.rs"]
mod archive;
mod support;

use std::hint::black_box;
use std::time::{Duration, Instant};

use archive::archive;
use palimpsest::app::Start;
use palimpsest::command::Command;
use palimpsest::gpu::WANTED;
use palimpsest::gpu::offscreen::render_state_with;
use palimpsest::headless::{Look, Stage};
use palimpsest_core::mount::{Mounts, Stack};
use palimpsest_core::task::Task;
use support::quantile;

const SIDE: u32 = 4096;
/// How often each is measured. Each time another path is selected, so that nothing is known of it.
const ROUNDS: usize = 9;
const NAMES: [&str; 8] = [
    "read and decode the file",
    "blocks uploaded: first picture handed over",
    "blocks uploaded: first picture seen",
    "blocks uploaded: sharp picture seen",
    "decoded here: first picture handed over",
    "decoded here: first picture seen",
    "decoded here: sharp picture seen",
    "a frame in which nothing happens",
];
const LOOK: Look = Look { size: (1440, 900), is_light: false };

fn main() {
    let folder = tempfile::tempdir().unwrap();
    let path_of_archive = folder.path().join("textures.arch06");
    let (file, size) = archive(SIDE, ROUNDS + 1, path);
    std::fs::write(&path_of_archive, file).unwrap();
    let mounts = Mounts::of(&path_of_archive);
    let stack = Stack::mount(&mounts, &Task::new()).unwrap();
    let stage = |wanted| {
        let start = Start { mounts: Some(mounts.clone()), ..Start::default() };
        let mut stage = Stage::on(render_state_with(wanted).unwrap(), start, LOOK).unwrap();
        stage.settle().unwrap();
        stage
    };
    let mut stages = [stage(WANTED), stage(wgpu::Features::empty())];
    let finals = stages.each_mut().map(|stage| {
        select(stage, &path(0), None);
        stage.settle().unwrap();
        middle(&stage.pixels().unwrap())
    });
    let mut times = [const { Vec::new() }; NAMES.len()];
    for round in 1..=ROUNDS {
        let started = Instant::now();
        let entry = stack.find(&path(round)).unwrap();
        let copy = *stack.index().copies(entry).first().unwrap();
        let bytes = stack.content(copy).unwrap().read(0..u64::MAX, &Task::new()).unwrap();
        assert_eq!(black_box(bytes).len(), size);
        let read = started.elapsed();
        let [on_card, here] =
            [0, 1].map(|at| select(&mut stages[at], &path(round), Some(&finals[at])).unwrap());
        let started = Instant::now();
        stages[0].frame();
        stages[0].pixels().unwrap();
        let idle = started.elapsed();
        let all = [read].into_iter().chain(on_card).chain(here).chain([idle]);
        times.iter_mut().zip(all).for_each(|(times, time)| times.push(time));
    }
    println!("{} MB decoded; {}", size / 1_000_000, adapter());
    let reference = times[0].clone();
    for (name, own) in NAMES.into_iter().zip(times) {
        let ratios = own.iter().zip(&reference).map(|(own, of)| own.as_secs_f64() / of.as_secs_f64());
        let ms = 1000.0 * quantile(own.iter().map(Duration::as_secs_f64), 0.5);
        println!("{name:<42} {ms:>8.1} ms {:>6.2}", quantile(ratios, 0.5));
    }
}

/// Selects a path as a click in the tree does. With the middle of the window as it is in the end: the times
/// until the first frame with a picture is handed to the card, until it can be seen, and until the first that
/// is like the last one.
fn select(stage: &mut Stage, path: &str, last: Option<&[u8]>) -> Option<[Duration; 3]> {
    let entry = stage.app().session().stack().unwrap().find(path).unwrap();
    stage.settle().unwrap();
    stage.pixels().unwrap();
    let started = Instant::now();
    stage.app().commands().send(Command::Open { entry, copy: 0, stays: false });
    let last = last?;
    let mut times = None;
    loop {
        stage.frame();
        if stage.app().session().active().is_some_and(|open| open.shown_pixels().is_some()) {
            let handed = started.elapsed();
            let pixels = stage.pixels().unwrap();
            let [handed, seen] = *times.get_or_insert_with(|| [handed, started.elapsed()]);
            if middle(&pixels) == last {
                return Some([handed, seen, started.elapsed()]);
            }
        }
        // As a window does, which draws when there is something new.
        while !stage.is_awake() {
            std::thread::sleep(Duration::from_micros(200));
        }
    }
}

/// A square of the picture, in the middle of the window.
fn middle(pixels: &[u8]) -> Vec<u8> {
    let (width, _) = LOOK.size;
    let row = |y: u32| (4 * (y * width + 620)) as usize;
    (220..300).flat_map(|y| pixels[row(y)..row(y) + 4 * 80].iter().copied()).collect()
}

fn path(at: usize) -> String {
    format!("textures\\wall_{at}_d.dds")
}

fn adapter() -> String {
    palimpsest::gpu::Caps::of(&render_state_with(WANTED).unwrap()).adapter
}
