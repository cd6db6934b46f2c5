//! From nothing to an open file: the start page, the tree, the search.

use egui::accesskit::Role;
use egui::{Key, Modifiers};
use palimpsest::app::Start;

use crate::{Window, demo};

const SWORD: &str = "characters\\ranger\\ranger_sword_d.tex";

#[test]
fn the_demo_opens_from_the_start_page_and_a_file_from_the_tree() {
    let mut window = Window::on(Start::default());
    assert!(window.has("Nothing is mounted"));
    window.click("Open the demo");
    assert!(window.has("204 paths"));
    window.click("characters");
    window.click("ranger");
    window.click("ranger_sword_d.tex");
    assert_eq!(window.active().answer.path, SWORD);
    assert!(!window.active().stays);
    assert_eq!(window.shown_layer(), "HotChunk.arch06");
}

#[test]
fn a_pasted_path_is_mounted_and_a_wrong_one_is_explained() {
    let mut window = Window::on(Start::default());
    window.type_into("Path to mount", "no/such/folder");
    window.press(Key::Enter);
    assert!(window.has_text("no/such/folder"));
    assert!(window.app().session().mounted.is_none());
    let field = window.app().session().mount_error.as_ref().map(|(title, _)| title.clone());
    assert_eq!(field.as_deref(), Some("folder"));
    let mut window = Window::on(Start::default());
    window.type_into("Path to mount", &format!("\"{}\"", demo().display()));
    window.press(Key::Enter);
    assert!(window.has("204 paths"));
}

#[test]
fn the_tree_is_walked_by_keys() {
    let mut window = Window::on_demo();
    window.click("animation");
    // Closed again, then from folder to folder.
    window.press(Key::ArrowLeft);
    window.press(Key::ArrowDown);
    assert!(window.is_chosen(Role::TreeItem, "bundles"));
    window.press(Key::ArrowDown);
    window.press(Key::ArrowRight);
    assert!(window.has("ranger"));
    window.press(Key::ArrowRight);
    assert!(window.is_chosen(Role::TreeItem, "drake"));
    window.press(Key::ArrowLeft);
    window.press(Key::ArrowLeft);
    assert!(!window.has("ranger"));
    window.press(Key::End);
    assert_eq!(window.active().answer.path, "readme.txt");
    assert!(!window.active().stays);
    window.press(Key::Enter);
    assert!(window.active().stays);
    window.press(Key::Home);
    assert!(window.is_chosen(Role::TreeItem, "animation"));
    // The passing tab would have gone, this one stays.
    assert_eq!(window.app().session().open.len(), 1);
}

#[test]
fn typing_finds_and_enter_opens_the_first() {
    let mut window = Window::on_demo();
    window.press_with(Modifiers::COMMAND, Key::F);
    window.type_text("sword ext:tex");
    assert!(window.has("1 of 204"));
    window.press(Key::Enter);
    assert_eq!(window.active().answer.path, SWORD);
    let mut window = Window::on_demo();
    window.type_into("Search", "size:>nonsense");
    assert!(window.has_text("size:>nonsense"));
    window.press(Key::Escape);
    assert!(window.has("204 paths"));
    window.type_into("Search", "no such words");
    assert!(window.has("Nothing found") && window.has("0 of 204"));
}

#[test]
fn every_layer_has_its_own_tree_where_losing_copies_are_open_too() {
    let mut window = Window::on_demo();
    window.click("Layers");
    window.click_role(Role::TreeItem, "Characters.arch06");
    window.click("characters");
    window.click("ranger");
    window.click("ranger_sword_d.tex");
    assert_eq!(window.active().answer.path, SWORD);
    assert_eq!(window.shown_layer(), "Characters.arch06");
    window.click("Merged");
    assert!(window.has("animation") && !window.has("Characters.arch06 12"));
}

#[test]
fn what_the_window_opens_is_what_the_core_answers_for_every_path() {
    let mut window = Window::on_demo();
    let stack = &window.app().session().mounted.clone().unwrap().stack;
    let paths: Vec<_> = stack.index().entries().map(|entry| stack.path(entry)).collect();
    for path in paths {
        window.app().commands().send(palimpsest::command::Command::OpenPath(path.clone()));
        window.settle();
        let open = window.active();
        assert_eq!(open.answer.path, path);
        assert_eq!(Some(open.copy), open.answer.winner);
        let own = stack.resolve(stack.find(&path).unwrap());
        assert_eq!(open.answer.rule, own.rule, "{path}");
        assert_eq!(open.answer.engine_winner, own.engine_winner, "{path}");
        let winner = own.copies[own.winner.unwrap()].copy;
        assert_eq!(open.copy_ref(), Some(winner), "{path}");
        let bytes = stack.content(winner).unwrap().read(0..u64::MAX, &palimpsest_core::task::Task::new());
        match bytes {
            Ok(bytes) => assert_eq!(open.document().unwrap().bytes, bytes, "{path}"),
            Err(error) => {
                assert_eq!(open.document().unwrap().fault.as_ref().unwrap().in_place(), error.in_place());
            }
        }
        let id = open.id;
        window.app().commands().send(palimpsest::command::Command::Close(id));
        window.settle();
    }
}

#[test]
fn the_tree_has_the_keyboard_where_nothing_else_wants_it() {
    let mut window = Window::on_demo();
    window.press(Key::ArrowDown);
    assert!(window.is_chosen(Role::TreeItem, "animation"));
    window.press_with(Modifiers::COMMAND, Key::P);
    window.press(Key::Escape);
    window.press(Key::ArrowDown);
    assert!(window.is_chosen(Role::TreeItem, "bundles"));
}

#[test]
fn escape_ends_the_search_also_from_the_list() {
    let mut window = Window::on_demo();
    window.type_into("Search", "ext:tex");
    window.press(Key::ArrowDown);
    window.press(Key::Enter);
    assert!(window.has("20 of 204"));
    window.press(Key::Escape);
    assert!(window.has("204 paths"));
    window.type_into("Search", "ext:tex");
    window.click_role(Role::Button, "End the search (Escape)");
    assert!(window.has("204 paths"));
}

#[test]
fn keys_typed_right_after_the_shortcut_are_in_the_search() {
    let mut window = Window::on_demo();
    window.harness.key_press_modifiers(Modifiers::COMMAND, Key::F);
    window.harness.step();
    window.type_text("sword ext:tex");
    assert!(window.has("1 of 204"));
}

#[test]
fn a_path_is_shown_in_the_tree_of_its_layer_too() {
    let mut window = Window::on_demo();
    window.click("Layers");
    window.app().commands().send(palimpsest::command::Command::OpenPath(SWORD.to_owned()));
    window.settle();
    assert!(window.is_chosen(Role::TreeItem, "ranger_sword_d.tex"));
    assert_eq!(window.shown_layer(), "HotChunk.arch06");
    window.click("Merged");
    assert!(window.is_chosen(Role::TreeItem, "ranger_sword_d.tex"));
}

#[test]
fn a_broken_layer_says_why() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("Bad.arch06"), b"LTAR").unwrap();
    std::fs::write(
        folder.path().join("Good.arch06"),
        palimpsest_core::formats::ltar::Builder::new().finish(),
    )
    .unwrap();
    let mounts = Some(palimpsest_core::mount::Mounts::of(folder.path().to_path_buf()));
    let mut window = Window::on(Start { mounts, ..Start::default() });
    assert!(window.has_text("1 broken layer"));
    window.click("Layers");
    window.click_role(Role::TreeItem, "Bad.arch06");
    assert!(window.has_text("needs 4 bytes, 0 are left"));
}
