//! The palette, the pages over the panels, and copying.

use egui::accesskit::Role;
use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable as _;

use palimpsest::command::{Command, PathFor};
use palimpsest::files::Files;
use palimpsest_core::export::Conversion;
use palimpsest_core::task::Task;

use crate::{Window, demo};

const SWORD: &str = "characters\\ranger\\ranger_sword_d.tex";

#[test]
fn the_palette_goes_to_a_path_by_words() {
    let mut window = Window::on_demo();
    window.press_with(Modifiers::COMMAND, Key::P);
    window.type_text("sword d.tex");
    assert!(window.has_text("of 204 paths"));
    window.press(Key::Enter);
    assert_eq!(window.active().answer.path, SWORD);
    assert!(window.active().stays);
}

#[test]
fn the_palette_runs_commands() {
    let mut window = Window::open(SWORD);
    window.press_with(Modifiers::COMMAND | Modifiers::SHIFT, Key::P);
    window.type_text("why");
    window.press(Key::Enter);
    assert!(window.has_text("first layer from the top"));
    window.press(Key::Escape);
    window.press_with(Modifiers::COMMAND, Key::P);
    // What stands behind the sign is not lost.
    window.type_text(">close");
    window.type_text(" tab");
    window.press(Key::Enter);
    assert!(window.app().session().active().is_none());
}

#[test]
fn an_offset_is_gone_to_and_a_wrong_one_is_refused() {
    let mut window = Window::open(SWORD);
    window.press(Key::G);
    window.type_text("0xFFFFFFFF");
    assert!(window.has_text("lies behind the last byte"));
    window.press(Key::Enter);
    assert!(window.active().selection.is_none());
    window.press(Key::Escape);
    window.press(Key::G);
    window.type_text("0x38");
    window.press(Key::Enter);
    assert_eq!(window.active().selection.as_ref().unwrap().range, 0x38..0x39);
}

#[test]
fn keys_are_explained_and_letters_typed_into_fields_are_no_keys() {
    let mut window = Window::open(SWORD);
    window.press(Key::F1);
    assert!(window.has("Queries"));
    window.press(Key::Escape);
    assert!(!window.has("Queries"));
    window.press_with(Modifiers::COMMAND, Key::F);
    window.press(Key::W);
    window.type_text("w");
    assert!(!window.has("Why does this win?"));
    assert_eq!(window.app().session().search.text, "w");
}

#[test]
fn the_path_and_the_whole_answer_are_copied_as_text() {
    let mut window = Window::open(SWORD);
    window.harness.event(egui::Event::Copy);
    window.harness.step();
    assert_eq!(copied(&window).as_deref(), Some(SWORD));
    window.settle();
    window.press(Key::W);
    window.harness.get_by_label_contains("Copy as text").click();
    // The click is seen in one frame, the text leaves with it.
    let mut text = None;
    for _ in 0..4 {
        window.harness.step();
        text = text.or_else(|| copied(&window));
    }
    let text = text.unwrap();
    assert!(text.starts_with(SWORD) && text.contains("→ 1. layer 1  HotChunk.arch06"), "{text}");
    assert_eq!(text.lines().filter(|line| line.contains(". layer ")).count(), 6, "{text}");
}

fn copied(window: &Window) -> Option<String> {
    let commands = &window.harness.output().platform_output.commands;
    commands.iter().find_map(|command| match command {
        egui::OutputCommand::CopyText(text) => Some(text.clone()),
        _ => None,
    })
}

#[test]
fn skipped_lines_are_listed() {
    let mut window = Window::on_demo();
    window.click_role(Role::Button, "Stack");
    window.click_role(Role::MenuItem, "Warnings and skipped lines");
    assert!(window.has_text("Great_Hall"));
}

#[test]
fn a_path_is_typed_where_there_is_no_dialog() {
    let root = tempfile::tempdir().unwrap();
    std::fs::write(root.path().join("own.txt"), "mine").unwrap();
    let mut window = Window::open(SWORD);
    let copy = window.active().copy_ref().unwrap();
    let out = root.path().join("out");
    window.app().commands().send(Command::TypePath(PathFor::Extract(
        Files::Copy(copy),
        "the sword".to_owned(),
        Conversion::default(),
    )));
    window.settle();
    assert!(window.has_text("Enter extracts the sword"));
    window.type_text(&format!(" \"{}\" ", out.display()));
    window.press(Key::Enter);
    assert!(out.join("characters/ranger/ranger_sword_d.tex").exists());
    assert!(window.has_text("1 of 1 file written"));
    window.app().commands().send(Command::TypePath(PathFor::Mount));
    window.settle();
    // What was typed stays until it could be mounted.
    window.type_text(root.path().join("mine").to_str().unwrap());
    window.press(Key::Enter);
    assert!(window.has_text("no such file or folder"));
    for _ in 0.."/mine".len() {
        window.press(Key::Backspace);
    }
    window.press(Key::Enter);
    assert!(window.has("own.txt") && window.has("2 paths"));
    assert!(!window.has("A folder or file to mount"));
}

#[test]
fn folders_and_finds_are_extracted_from_their_menu() {
    let mut window = Window::on_demo();
    window.harness.get_by_role_and_label(Role::TreeItem, "characters").click_secondary();
    window.settle();
    assert!(window.has("Extract all below…"));
    window.press(Key::Escape);
    window.type_into("Search", "ext:tex");
    window.harness.get_by_role_and_label(Role::TreeItem, "fern_d.tex").click_secondary();
    window.settle();
    assert!(window.has("Extract all 20 found…"));
    let stack = window.app().session().mounted.clone().unwrap();
    let found = window.app().session().search.results.clone().unwrap();
    assert_eq!(Files::Found(found).picked(&stack.stack, &Task::new()).unwrap().copies.len(), 20);
    let folder = stack.stack.index().find_folder(b"characters").unwrap();
    let winners = Files::Below(folder).picked(&stack.stack, &Task::new()).unwrap();
    assert_eq!(winners.copies.len(), 48);
    let own = std::sync::Arc::new(stack.stack.index_of_layer(12, &Task::new()).unwrap());
    let folder = own.find_folder(b"characters").unwrap();
    let picked = Files::OfLayer(own, folder).picked(&stack.stack, &Task::new()).unwrap();
    assert!(!picked.copies.is_empty() && picked.copies.iter().all(|copy| copy.layer == 12));
    let layer = Files::Layer(12);
    assert_eq!(layer.title(&stack.stack), "79 files of Characters.arch06");
    assert_eq!(layer.picked(&stack.stack, &Task::new()).unwrap().copies.len(), 79);
}

#[test]
fn tabs_are_kept_and_closed_by_the_pointer() {
    let mut window = Window::on_demo();
    window.click_role(Role::TreeItem, "readme.txt");
    window.harness.get_by_role_and_label(Role::Button, "readme.txt").click_secondary();
    window.settle();
    window.click("Keep open");
    assert!(window.active().stays);
    window.click_role(Role::TreeItem, "archivepatchloosefiles.txt");
    assert_eq!(window.app().session().open.len(), 2);
    window.harness.get_by_role_and_label(Role::Button, "readme.txt").click_secondary();
    window.settle();
    window.click("Close the others");
    let open: Vec<_> = window.app().session().open.iter().map(|open| open.leaf().to_owned()).collect();
    assert_eq!(open, ["readme.txt"]);
}

#[test]
fn a_whole_layer_is_extracted_from_its_menu() {
    let mut window = Window::on_demo();
    window.click("Layers");
    window.harness.get_by_role_and_label(Role::TreeItem, "Characters.arch06").click_secondary();
    window.settle();
    assert!(window.has("Extract the layer…") && window.has("Copy name"));
}

#[test]
fn a_link_leads_to_its_copy() {
    let mut window = Window::open(SWORD);
    window.press(Key::OpenBracket);
    window.press_with(Modifiers::COMMAND | Modifiers::SHIFT, Key::C);
    let link = window.active().link().unwrap();
    assert_eq!(link, format!("palimpsest:{}:{SWORD}", window.shown_layer()));
    assert!(window.has_text("Copied: palimpsest:"));
    window.press(Key::CloseBracket);
    window.press_with(Modifiers::COMMAND, Key::P);
    window.type_text(&link);
    assert!(window.has("1 of 204 paths"));
    window.press(Key::Enter);
    assert_eq!((window.active().copy, window.active().link()), (1, Some(link)));
}

#[test]
fn nothing_is_extracted_into_what_is_mounted() {
    let mut window = Window::open(SWORD);
    let copy = window.active().copy_ref().unwrap();
    let out = demo().join("Game/new");
    window.app().commands().send(Command::Extract(out.clone(), Files::Copy(copy), Conversion::default()));
    window.settle();
    let last = window.app().session().notices.last().cloned().unwrap();
    assert!(last.is_error && last.text.contains("files of a game are only ever read"), "{last:?}");
    assert!(!out.exists());
}

#[test]
fn a_library_that_is_refused_leaves_the_built_in_decoder_in_charge() {
    let mut window = Window::open(SWORD);
    window.click_role(Role::Button, "Stack");
    window.click_role(Role::MenuItem, "Decoding of Oodle…");
    assert!(window.has("The built-in decoder decodes."));
    window.click("My Oodle library");
    window.click("Use it");
    assert!(window.has_text("no Oodle library lies beside what is mounted"));
    window.type_into("Oodle library", "no/such/library.so");
    window.click("Use it");
    assert!(window.has_text("library.so: no such file"));
    window.press(Key::Escape);
    assert_eq!(window.active().answer.path, SWORD);
    assert!(window.has("Picture"));
    let settings = window.app().settings();
    assert_eq!(settings.oodle.path.as_deref(), Some(std::path::Path::new("no/such/library.so")));
}

#[test]
fn keys_typed_right_after_the_shortcut_are_in_the_palette() {
    let mut window = Window::on_demo();
    // All in one frame, then more in the next one.
    window.harness.key_press_modifiers(Modifiers::COMMAND, Key::P);
    window.harness.key_press(Key::M);
    window.harness.event(egui::Event::Text("m".to_owned()));
    window.harness.step();
    window.harness.event(egui::Event::Text("at tent".to_owned()));
    window.settle();
    assert!(window.app().session().map.is_none());
    assert_eq!(window.app().session().palette.text, "mat tent");
}
