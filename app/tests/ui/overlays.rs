//! The palette, the pages over the panels, and copying.

use egui::accesskit::Role;
use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable as _;

use crate::Window;

const SWORD: &str = "characters\\ranger\\ranger_sword_d.tex";

#[test]
fn the_palette_goes_to_a_path_by_words() {
    let mut window = Window::on_demo();
    window.press_with(Modifiers::COMMAND, Key::P);
    window.type_text("sword d.tex");
    assert!(window.has_text("of 170 paths"));
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
    window.type_text(">close");
    window.settle();
    window.type_text("close tab");
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
    assert!(text.starts_with(SWORD) && text.contains("→ layer 1  HotChunk.arch06"), "{text}");
    assert_eq!(text.lines().filter(|line| line.contains(" layer ")).count(), 6 + 1, "{text}");
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
