//! The pictures of the README, drawn on the demo install.
//!
//! They are compared with those in `screenshots/`; `UPDATE_SNAPSHOTS=1` writes them anew.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail loudly")]

mod common;

use egui::Key;
use image::RgbaImage;
use palimpsest::app::Start;
use palimpsest::command::{Command, Look as View, ModelLook, Overlay, Selection, Selector, StringsCommand};
use palimpsest::gpu::mesh::Mode as Colours;
use palimpsest::grid::GridCommand;
use palimpsest::headless::{Look, Stage};
use palimpsest::panels::{ModelPage, Show};
use palimpsest::scenario::Scenario;
use palimpsest::shadow::MapCommand;
use palimpsest_core::hash::string_hash;
use palimpsest_core::scene::Beside;

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

/// The creature of the demo on a stage, looked at in some ways.
fn drake(path: &str, is_light: bool, looks: &[ModelLook]) -> Stage {
    let mut stage = stage(path, is_light);
    send(&mut stage, looks.iter().map(|look| Command::Look(View::Model(*look))));
    stage
}

/// A bone of what is drawn, by its name.
fn bone(stage: &mut Stage, name: &str) -> usize {
    let drawable = stage.app().session().active().unwrap().model.drawable().unwrap().clone();
    drawable.model.rig.find(name).unwrap()
}

const DRAKE: &str = "characters\\drake\\drake.mesh";

#[test]
fn a_mesh_in_its_textures() {
    let stage = drake(DRAKE, false, &[ModelLook::Page(ModelPage::View)]);
    compare(&stage, "mesh");
}

#[test]
fn the_weights_of_a_bone() {
    let mut stage = drake(DRAKE, true, &[ModelLook::See([2.0, 0.3]), ModelLook::Toggle(Show::Bones)]);
    let neck = bone(&mut stage, "Neck_2");
    let looks =
        [ModelLook::Choose(Some(neck)), ModelLook::Mode(Colours::Weights), ModelLook::Page(ModelPage::Parts)];
    send(&mut stage, looks.map(|look| Command::Look(View::Model(look))));
    compare(&stage, "weights");
}

#[test]
fn a_creature_that_is_posed() {
    let mut stage = drake(DRAKE, false, &[ModelLook::See([0.9, 0.15]), ModelLook::Toggle(Show::Bones)]);
    let turns = [("Jaw", [0.0, 0.0, 14.0]), ("L_Wing_Arm", [0.0, 25.0, 0.0]), ("Neck_1", [0.0, 0.0, 12.0])];
    let mut looks = vec![ModelLook::Page(ModelPage::Bones)];
    for (name, angles) in turns {
        looks.push(ModelLook::Turn(bone(&mut stage, name), angles));
    }
    looks.push(ModelLook::Choose(Some(bone(&mut stage, "Neck_1"))));
    send(&mut stage, looks.into_iter().map(|look| Command::Look(View::Model(look))));
    compare(&stage, "posed");
}

#[test]
fn a_skeleton_with_its_sockets() {
    let looks = [ModelLook::Toggle(Show::Sockets), ModelLook::Page(ModelPage::Bones)];
    let stage = drake("characters\\drake\\drake.skel", true, &looks);
    compare(&stage, "bones");
}

#[test]
fn what_is_abnormal_about_a_mesh() {
    let looks = [ModelLook::Toggle(Show::Edges), ModelLook::Page(ModelPage::Data)];
    let stage = drake("characters\\drake\\drake_flawed.mesh", false, &looks);
    compare(&stage, "flaws");
}

#[test]
fn where_triangles_lie_on_the_texture() {
    let stage = drake(DRAKE, false, &[ModelLook::Toggle(Show::Unwrapped)]);
    compare(&stage, "uv");
}

/// The texts of the demo on a stage with letters for all of them, one of them chosen.
fn texts(path: &str, beside: Beside, (name, column): (&str, usize), is_light: bool) -> Stage {
    let mut stage = stage(path, is_light);
    common::add_fonts(stage.ctx());
    let active = stage.app().session().active.unwrap();
    let key = string_hash(name.as_bytes());
    send(&mut stage, [Command::Strings(active, StringsCommand::Beside(beside))]);
    send(&mut stage, [Command::Strings(active, StringsCommand::Show(key, column))]);
    stage
}

const TEXTS: &str = "database\\string\\english\\game.strdb";

#[test]
fn a_table_of_texts() {
    compare(&texts(TEXTS, Beside::Alone, ("Item_Shield_01_D", 0), false), "texts");
}

#[test]
fn texts_in_all_languages() {
    compare(&texts(TEXTS, Beside::Languages, ("Quest_Keep_01", 2), true), "languages");
}

#[test]
fn what_a_patch_changed_of_the_texts() {
    compare(&texts(TEXTS, Beside::Layers, ("Quest_Keep_01", 1), false), "patched_texts");
}
