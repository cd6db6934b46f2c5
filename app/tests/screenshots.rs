//! The pictures of the README, drawn on the demo install.
//!
//! They are compared with those in `screenshots/`; `UPDATE_SNAPSHOTS=1` writes them anew.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail loudly")]

mod common;

use egui::Key;
use image::RgbaImage;
use palimpsest::app::Start;
use palimpsest::command::{Command, Overlay, Selection, Selector};
use palimpsest::grid::GridCommand;
use palimpsest::headless::{Look, Stage};
use palimpsest::scenario::Scenario;
use palimpsest::shadow::MapCommand;

const SIZE: (u32, u32) = (1440, 900);

/// The demo on a stage, with a path opened.
fn stage(open: &str, is_light: bool) -> Stage {
    let start = Start { has_demo: true, open: Some(open.to_owned()), ..Start::default() };
    let mut stage = Stage::new(start, Look { size: SIZE, is_light }).unwrap();
    stage.settle().unwrap();
    stage
}

fn send(stage: &mut Stage, commands: impl IntoIterator<Item = Command>) {
    for command in commands {
        stage.app().commands().send(command);
    }
    stage.settle().unwrap();
}

fn select(stage: &mut Stage, range: std::ops::Range<u64>) {
    let active = stage.app().session().active.unwrap();
    send(stage, [Command::Select(active, Selection { range, by: Selector::Other })]);
}

fn compare(stage: &Stage, name: &str) {
    let picture = RgbaImage::from_raw(SIZE.0, SIZE.1, stage.pixels().unwrap()).unwrap();
    common::compare(picture, "../screenshots", name);
}

#[test]
fn the_winner_of_a_texture_that_six_layers_hold() {
    let mut stage = stage("characters\\ranger\\ranger_sword_d.tex", false);
    select(&mut stage, 0x38..0x3A);
    compare(&stage, "window");
}

#[test]
fn the_light_theme_with_what_a_search_found() {
    let mut stage = stage("worlds\\retail\\grove\\textures\\fern_d.tex", true);
    send(&mut stage, [Command::Search("_d ext:tex".to_owned())]);
    compare(&stage, "light");
}

#[test]
fn the_answer_where_the_engine_misses_the_winner() {
    let mut stage = stage("bundles\\dlc4\\campfire_d.tex", false);
    send(&mut stage, [Command::Show(Overlay::Why, true)]);
    compare(&stage, "why");
}

#[test]
fn two_copies_of_a_texture_beside_each_other() {
    let mut stage = stage("characters\\ranger\\ranger_sword_d.tex", false);
    let entry = stage.app().session().active().unwrap().entry;
    send(&mut stage, [Command::Compare { entry, copies: [5, 0] }]);
    compare(&stage, "compare");
}

#[test]
fn what_becomes_of_the_stored_bytes() {
    let mut stage = stage("characters\\ranger\\ranger_sword_d.tex", false);
    send(&mut stage, [Command::Map(MapCommand::Show)]);
    compare(&stage, "shadow_map");
}

#[test]
fn the_textures_of_the_stack_as_a_grid() {
    let mut stage = stage("characters\\ranger\\ranger_sword_d.tex", true);
    send(&mut stage, [Command::Grid(GridCommand::ShowFolder(Vec::new()))]);
    stage.press(Key::Home);
    send(&mut stage, []);
    compare(&stage, "textures");
}

#[test]
fn a_damaged_file_keeps_its_bytes() {
    let mut stage = stage("worlds\\retail\\ruin\\textures\\ruin_wall_d.tex", false);
    select(&mut stage, 0x11..0x12);
    compare(&stage, "damaged");
}

#[test]
fn where_the_members_of_a_bundle_come_from() {
    let mut stage = stage("worlds\\retail\\keep\\keep.bndl", false);
    compare(&stage, "bundle");
    send(&mut stage, [Command::OpenPath("characters\\rider\\rider.mat".to_owned())]);
    send(&mut stage, [Command::Show(Overlay::Why, true)]);
    compare(&stage, "trace");
}

#[test]
fn the_stack_in_another_order() {
    let mut stage = stage("characters\\ranger\\ranger_sword_d.tex", false);
    let mut scenario = Scenario::of(14);
    scenario.set(1, false);
    scenario.set(2, false);
    scenario.move_slot(9, 5);
    send(&mut stage, [Command::ShowWhatIf, Command::Arrange(scenario)]);
    compare(&stage, "what_if");
}
