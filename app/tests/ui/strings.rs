//! Tables of texts as people read them: found, ordered, beside each other, copied.

use egui::accesskit::Role;
use egui::{Key, Modifiers};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use palimpsest::command::{Command, StringsCommand};
use palimpsest_core::hash::string_hash;
use palimpsest_core::scene::Beside;
use palimpsest_core::strings::Order;

use crate::Window;

const TEXTS: &str = "database\\string\\english\\game.strdb";

impl Window {
    fn strings(&mut self, command: StringsCommand) {
        let id = self.active().id;
        self.app().commands().send(Command::Strings(id, command));
        self.settle();
    }

    /// The texts of the rows that are shown, from the first on.
    fn rows(&self) -> Vec<String> {
        let rows = self.harness.query_all_by_role(Role::Row);
        let labels = rows.filter_map(|node| node.accesskit_node().label());
        labels.filter_map(|label| label.strip_prefix("0x").map(|rest| rest[8..].trim().to_owned())).collect()
    }

    fn row_of(&self, name: &str) -> String {
        let key = format!("0x{:08X}", string_hash(name.as_bytes()));
        let rows = self.harness.query_all_by_role(Role::Row);
        rows.filter_map(|node| node.accesskit_node().label()).find(|label| label.starts_with(&key)).unwrap()
    }
}

#[test]
fn a_table_of_texts_is_found_in_by_typing() {
    let mut window = Window::open(TEXTS);
    assert_eq!(window.active().strings.found.len(), 23);
    window.type_into("Find in the texts", "EMBER");
    assert_eq!(window.rows(), ["The Drake of Ember Keep", "Emberfang the Elder"]);
    assert!(window.has_text("2 of 23 keys"));
    window.click("Aa");
    assert_eq!(window.rows(), [""; 0]);
    window.click("Aa");
    window.click(".*");
    window.type_into("Find in the texts", "(");
    assert!(window.has_text("unclosed group"));
    assert_eq!(window.rows().len(), 2, "what was found before stays");
}

#[test]
fn rows_are_chosen_by_what_is_true_of_them_and_by_their_keys() {
    let mut window = Window::open(TEXTS);
    window.click("empty");
    assert_eq!(window.active().strings.found.len(), 1);
    window.click("empty");
    window.click_role(Role::Button, "shared");
    assert_eq!(window.rows(), ["Back", "Back"]);
    window.click_role(Role::Button, "shared");
    window.click("faulty");
    assert_eq!(window.rows(), ["An unfinished \u{FFFD}"]);
    window.click("faulty");
    let key = format!("{:08x}", string_hash(b"UI_Menu_Quit"));
    window.type_into("Key or name", &key);
    assert_eq!(window.rows(), ["Quit"]);
}

#[test]
fn the_names_of_columns_order_the_rows() {
    let mut window = Window::open(TEXTS);
    window.click_role(Role::ColumnHeader, "text");
    let rows = window.rows();
    assert_eq!(
        &rows[..3],
        [
            "",
            "\"Hold the gate,\" it says; and, below: =held",
            "A blade that was never\ncold since it was forged."
        ]
    );
    window.click_role(Role::ColumnHeader, "text");
    assert_eq!(window.rows()[0], "You are late.");
    assert_eq!(window.active().strings.order, (Order::Text(0), true));
    window.click_role(Role::ColumnHeader, "text");
    assert_eq!(window.active().strings.order, (Order::Table, false));
}

#[test]
fn languages_stand_beside_each_other_with_what_is_missing() {
    let mut window = Window::open(TEXTS);
    window.click("languages");
    for language in ["english", "arabic", "german", "japanese"] {
        assert!(window.harness.query_by_role_and_label(Role::ColumnHeader, language).is_some(), "{language}");
    }
    assert!(window.row_of("UI_Menu_Quit").ends_with("Quit | خروج | Beenden | 終了"));
    window.click("missing");
    let missing = window.rows();
    assert!(missing.iter().any(|row| row.starts_with("Ask the drake.")), "{missing:?}");
    assert!(!missing.iter().any(|row| row.starts_with("Quit")));
    window.click("table");
    assert!(window.harness.query_by_role_and_label(Role::ColumnHeader, "units").is_some());
}

#[test]
fn a_text_is_found_in_all_tables_and_opened_at_its_row() {
    let mut window = Window::on_demo();
    window.press_with(Modifiers::COMMAND | Modifiers::SHIFT, Key::F);
    window.type_text("GLUT");
    assert!(window.has_text("2 texts"), "two names of the German table");
    window.harness.get_by_label_contains("Der Drache der Glutfeste in").click();
    window.settle();
    assert_eq!(window.active().answer.path, "database\\string\\german\\game.strdb");
    assert!(window.has_text("german"));
    let key = format!("0x{:08X}", string_hash(b"Npc_Drake_N"));
    assert!(window.has_text(&key), "the row is chosen");
}

#[test]
fn names_are_tried_guessed_and_kept() {
    let mut window = Window::open(TEXTS);
    window.click("names");
    assert!(window.has_text("0 of 23 keys have a known name."));
    window.type_into("Try a name", "UI_Menu_Quit");
    assert!(window.has("Quit") && window.has_text("Keep the name"));
    window.type_into("Guess names by a pattern", "Item_1Sword_{01-09}_{N,D}");
    assert!(window.has_text("18 names; about 0.0 hits by chance."));
    window.click("Guess");
    assert!(window.has_text("2 keys hit"), "one was removed by the patch");
    window.click("Keep 2 names");
    assert!(window.has_text("2 of 23 keys have a known name."));
    assert!(window.has_text("Item_1Sword_01_N"));
    window.type_into("Guess names by a pattern", "{");
    assert!(!window.active().strings.guessing.as_ref().unwrap().tried.is_pending());
}

#[test]
fn a_patch_is_seen_against_what_shipped_word_by_word() {
    let mut window = Window::open(TEXTS);
    window.strings(StringsCommand::Beside(Beside::Layers));
    window.click("changed");
    let changed = window.rows();
    assert_eq!(changed.len(), 2, "{changed:?}");
    window.strings(StringsCommand::Show(string_hash(b"Quest_Keep_01"), 1));
    assert!(window.has_text("changed beside World.arch06"));
}

#[test]
fn a_chosen_text_is_copied_and_its_bytes_are_selected() {
    let mut window = Window::open(TEXTS);
    let label = window.row_of("UI_Menu_Quit");
    window.click_role(Role::Row, &label);
    let document = window.active();
    let table = document.own_strings().unwrap();
    let row = table.find(string_hash(b"UI_Menu_Quit")).unwrap();
    assert_eq!(document.selection.clone().unwrap().range, table.text_range(row).unwrap());
    window.harness.event(egui::Event::Copy);
    window.harness.step();
    let copied = window.harness.output().platform_output.commands.clone();
    window.settle();
    let expected = format!("0x{:08X}\t\tQuit", string_hash(b"UI_Menu_Quit"));
    let has = copied
        .iter()
        .any(|command| matches!(command, egui::OutputCommand::CopyText(text) if *text == expected));
    assert!(has || window.has_text("Copied"), "{copied:?}");
    window.press(Key::ArrowDown);
    assert_ne!(window.active().selection.clone().unwrap().range, table_range(&window));
    window.press_with(Modifiers::SHIFT, Key::ArrowDown);
}

/// The bytes of the text that was chosen first.
fn table_range(window: &Window) -> std::ops::Range<u64> {
    let table = window.active().own_strings().unwrap();
    table.text_range(table.find(string_hash(b"UI_Menu_Quit")).unwrap()).unwrap()
}
