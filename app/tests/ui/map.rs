//! The shadow map as a person uses it.

use egui::accesskit::Role;
use egui::{Event, Key, Modifiers, PointerButton};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use palimpsest::app::Start;
use palimpsest::command::Command;
use palimpsest::session::Front;
use palimpsest_core::mount::Mounts;

use crate::{Window, common, demo};

const SWORD: &str = "characters\\ranger\\ranger_sword_d.tex";

/// The names of the rectangles with their sizes.
fn tiles(window: &Window) -> Vec<String> {
    let tiles = window.harness.query_all_by_role(Role::ListItem);
    tiles.filter_map(|tile| tile.accesskit_node().label()).collect()
}

fn has_tile(window: &Window, name: &str) -> bool {
    tiles(window).iter().any(|tile| tile.starts_with(name))
}

/// Clicks the rectangle whose name begins so.
fn click(window: &mut Window, name: &str) {
    let label = tiles(window).into_iter().find(|tile| tile.starts_with(name)).unwrap();
    window.click_role(Role::ListItem, &label);
    // Two clicks far apart are no double click.
    window.harness.run_steps(40);
}

fn with_map() -> Window {
    let mut window = Window::on_demo();
    window.press(Key::M);
    window
}

#[test]
fn the_map_opens_from_the_menu_the_palette_and_by_its_key_and_closes_as_a_tab() {
    let mut window = Window::on_demo();
    window.click_role(Role::Button, "View");
    window.click_role(Role::MenuItem, "Shadow map");
    assert!(window.app().session().front() == Front::Map && has_tile(&window, "World.arch06, "));
    window.press_with(Modifiers::COMMAND, Key::W);
    assert!(window.app().session().map.is_none() && tiles(&window).is_empty());
    window.press(Key::M);
    window.press(Key::M);
    assert!(window.app().session().front() == Front::Map);
    window.press_with(Modifiers::COMMAND, Key::W);
    window.press_with(Modifiers::COMMAND | Modifiers::SHIFT, Key::P);
    window.type_text("shadow map");
    window.press(Key::Enter);
    assert!(window.app().session().front() == Front::Map);
    // A letter that is typed into a field is no key.
    window.press_with(Modifiers::COMMAND, Key::W);
    window.press_with(Modifiers::COMMAND, Key::F);
    window.press(Key::M);
    assert!(window.app().session().map.is_none());
}

#[test]
fn a_click_looks_inside_and_the_way_back_leads_out() {
    let mut window = with_map();
    click(&mut window, "World.arch06");
    assert!(has_tile(&window, "worlds, ") && !has_tile(&window, "World.arch06"));
    click(&mut window, "worlds");
    click(&mut window, "retail");
    assert!(has_tile(&window, "keep, ") || has_tile(&window, "grove, "), "{:?}", tiles(&window));
    window.press(Key::Backspace);
    assert!(has_tile(&window, "retail, "));
    window.press(Key::Escape);
    assert!(has_tile(&window, "worlds, "));
    window.click_role(Role::Button, "All layers");
    assert!(has_tile(&window, "World.arch06"));
}

#[test]
fn keys_move_between_rectangles_and_open_files() {
    let mut window = with_map();
    window.press(Key::ArrowRight);
    window.press(Key::Enter);
    assert!(window.has_text("All layers") && !has_tile(&window, "World.arch06"));
    window.press(Key::Escape);
    click(&mut window, "HotChunk.arch06");
    click(&mut window, "characters");
    click(&mut window, "ranger");
    window.press(Key::ArrowRight);
    window.press(Key::Enter);
    assert!(window.active().answer.path.starts_with("characters\\ranger\\"));
    assert_eq!(window.shown_layer(), "HotChunk.arch06");
    assert!(window.app().session().front() != Front::Map);
}

#[test]
fn a_double_click_shows_a_folder_in_the_tree() {
    let mut window = with_map();
    window.click("By folder");
    let label = tiles(&window).into_iter().find(|tile| tile.starts_with("characters")).unwrap();
    let at = window.harness.get_by_role_and_label(Role::ListItem, &label).rect().center();
    window.harness.event(Event::PointerMoved(at));
    for pressed in [true, false, true, false] {
        let (button, modifiers) = (PointerButton::Primary, Modifiers::NONE);
        window.harness.event(Event::PointerButton { pos: at, button, pressed, modifiers });
        window.harness.run_steps(3);
    }
    window.settle();
    assert!(has_tile(&window, "ranger, "), "{:?}", tiles(&window));
    assert!(window.is_chosen(Role::TreeItem, "characters"));
}

#[test]
fn the_map_counts_what_wins_and_what_is_shadowed_and_copies_it_as_a_table() {
    let mut window = with_map();
    let session = window.app().session();
    let tab = session.map.as_ref().unwrap();
    let map = &tab.shown.as_ref().unwrap().map;
    // The demo is small: its copies are compared at once.
    assert!(map.knows_twins() && map.total().identical > 0 && map.total().shadowed > 0);
    let total = map.total();
    window.harness.event(egui::Event::Copy);
    let mut text = None;
    for _ in 0..4 {
        window.harness.step();
        let commands = &window.harness.output().platform_output.commands;
        text = text.or_else(|| {
            commands.iter().find_map(|command| match command {
                egui::OutputCommand::CopyText(text) => Some(text.clone()),
                _ => None,
            })
        });
    }
    let text = text.unwrap();
    assert!(text.starts_with("name\tstored\twins\tshadowed\tidentical\tin no index\tfiles\n"), "{text}");
    let last = text.lines().last().unwrap();
    assert!(
        last.starts_with(&format!("total\t{}\t{}\t{}", total.stored(), total.wins, total.shadowed)),
        "{text}"
    );
}

#[test]
fn the_legend_highlights_a_class() {
    let mut window = with_map();
    window.click_role(Role::Button, "Shadowed");
    assert!(window.is_chosen(Role::Button, "Shadowed"));
    window.click_role(Role::Button, "In no index");
    assert!(!window.is_chosen(Role::Button, "Shadowed") && window.is_chosen(Role::Button, "In no index"));
    // The keys stay with the map.
    window.press(Key::ArrowRight);
    window.press(Key::Enter);
    assert!(!has_tile(&window, "World.arch06"));
    window.click_role(Role::Button, "All layers");
    window.press(Key::ArrowRight);
    window.press(Key::Enter);
    assert!(!has_tile(&window, "World.arch06"));
    // Of the bytes that win, nothing is shadowed.
    window.click("By folder");
    assert!(window.harness.query_by_role_and_label(Role::Button, "Shadowed").is_none());
}

#[test]
fn the_zoom_stays_where_the_stack_is_mounted_again_or_its_bundles_are_read() {
    let mut window = Window::on(Start::default());
    window.press(Key::M);
    assert!(window.has("Nothing is mounted"));
    window.app().commands().send(Command::Mount(Mounts::of(demo().to_path_buf())));
    while window.app().session().mounted.is_none() {
        window.harness.step();
    }
    window.settle();
    let tab = window.app().session().map.as_ref().unwrap();
    assert!(tab.shown.as_ref().unwrap().mounted.stack.has_members());
    click(&mut window, "World.arch06");
    let before = tiles(&window);
    window.press(Key::F5);
    assert_eq!(tiles(&window), before);
}

#[test]
fn a_file_and_the_map_are_tabs_beside_each_other() {
    let mut window = Window::open(SWORD);
    window.press(Key::M);
    assert!(has_tile(&window, "World.arch06"));
    window.press_with(Modifiers::COMMAND, Key::W);
    assert_eq!(window.active().answer.path, SWORD);
    window.press(Key::M);
    window.click_role(Role::Button, "ranger_sword_d.tex");
    assert!(window.app().session().front() != Front::Map);
    window.press_with(Modifiers::COMMAND, Key::W);
    assert!(window.app().session().active().is_none() && window.app().session().front() == Front::Map);
}

#[test]
fn what_is_under_the_pointer_is_explained() {
    let mut window = with_map();
    let label = tiles(&window).into_iter().find(|tile| tile.starts_with("Characters.arch06")).unwrap();
    window.harness.get_by_role_and_label(Role::ListItem, &label).hover();
    window.harness.run_steps(60);
    assert!(window.has_text("shadowed by Patch_02.arch06"), "the mesh of the drake");
    let picture = window.harness.render().unwrap();
    common::compare(picture, "tests/snapshots", "map_hover_dark");
    click(&mut window, "World.arch06");
    click(&mut window, "worlds");
    click(&mut window, "retail");
    window.click_role(Role::Button, "Shadowed");
    let picture = window.harness.render().unwrap();
    common::compare(picture, "tests/snapshots", "map_folder_dark");
}
