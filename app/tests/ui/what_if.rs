//! Other orders of the layers: tried, followed by every view, exported and taken back.

use egui::accesskit::Role;
use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable as _;
use palimpsest::command::Command;
use palimpsest::session::Front;
use palimpsest_core::mount::{ChangeKind, Mounts};

use crate::Window;

const SWORD: &str = "characters\\ranger\\ranger_sword_d.tex";

fn with_panel(path: &str) -> Window {
    let mut window = Window::open(path);
    window.app().commands().send(Command::ShowWhatIf);
    window.settle();
    window
}

fn click_layer(window: &mut Window, name: &str) {
    window.click_role(Role::CheckBox, name);
}

fn changes(window: &Window) -> Vec<(ChangeKind, String)> {
    let what_if = window.app().session().what_if.as_ref().unwrap();
    let shown = what_if.shown.as_ref().unwrap();
    shown.changes.iter().map(|change| (change.kind(), shown.path(change))).collect()
}

#[test]
fn a_layer_that_is_left_out_changes_winners_and_comes_back() {
    let mut window = with_panel(SWORD);
    click_layer(&mut window, "HotChunk.arch06");
    assert!(window.has("simulated order"));
    assert_eq!(window.shown_layer(), "Patch_DLC4.arch06", "the tab follows the winner");
    let changed = changes(&window);
    assert!(changed.contains(&(ChangeKind::Changed, SWORD.to_owned())), "{changed:?}");
    assert!(
        changed.contains(&(ChangeKind::Removed, "database\\game\\game.gamedb".to_owned())),
        "{changed:?}"
    );
    window.click("Back to the real order");
    assert!(window.app().session().what_if.is_none() && !window.has("simulated order"));
    assert_eq!(window.shown_layer(), "HotChunk.arch06");
    // Taken back by hand it is the real order as well.
    click_layer(&mut window, "HotChunk.arch06");
    click_layer(&mut window, "HotChunk.arch06");
    assert!(window.app().session().what_if.is_none());
}

#[test]
fn a_tab_whose_path_is_gone_comes_back_with_the_real_order() {
    let mut window = with_panel("database\\game\\game.gamedb");
    click_layer(&mut window, "HotChunk.arch06");
    assert!(window.app().session().active().is_none());
    window.click("Back to the real order");
    assert_eq!(window.active().answer.path, "database\\game\\game.gamedb");
}

#[test]
fn layers_are_moved_by_keys() {
    let mut window = with_panel(SWORD);
    // Left out and taken back, which gives the list the keyboard.
    click_layer(&mut window, "Global.arch06");
    click_layer(&mut window, "Global.arch06");
    window.press(Key::End);
    window.press(Key::ArrowUp);
    for _ in 0..20 {
        window.press_with(Modifiers::ALT, Key::ArrowUp);
    }
    let order = window.app().session().what_if.as_ref().unwrap().scenario.order();
    assert_eq!(order[..3], [12, 0, 1]);
    assert_eq!(window.shown_layer(), "Characters.arch06");
    window.press(Key::Space);
    assert_eq!(window.app().session().what_if.as_ref().unwrap().scenario.order()[..2], [0, 1]);
}

#[test]
fn an_archive_is_tried_on_top_and_the_changes_are_written() {
    let root = tempfile::tempdir().unwrap();
    std::fs::create_dir(root.path().join("mod")).unwrap();
    std::fs::write(root.path().join("mod/readme.txt"), "mine").unwrap();
    std::fs::write(root.path().join("mod/new.txt"), "new").unwrap();
    let mut window = with_panel("readme.txt");
    window.app().commands().send(Command::PutOnTop(Mounts::of(root.path().join("mod"))));
    window.settle();
    let expected =
        [(ChangeKind::Added, "new.txt".to_owned()), (ChangeKind::Changed, "readme.txt".to_owned())];
    assert_eq!(changes(&window), expected);
    assert_eq!(window.shown_layer(), "mod");
    let file = root.path().join("changes.tsv");
    window.app().commands().send(Command::ExportChanges(Some(file.clone())));
    window.settle();
    let text = std::fs::read_to_string(&file).unwrap();
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(lines[1], "added\tnew.txt\t\t\tmod\t3");
    assert_eq!(lines[2], "changed\treadme.txt\tGame\t52\tmod\t4");
    // Never into what is mounted.
    let inside = root.path().join("mod/changes.tsv");
    window.app().commands().send(Command::ExportChanges(Some(inside.clone())));
    window.settle();
    assert!(!inside.exists() && window.has_text("Nothing was written"));
    window.app().commands().send(Command::PutOnTop(Mounts::of("no such thing")));
    window.settle();
    assert!(window.has_text("Nothing was put on top"));
    assert_eq!(window.shown_layer(), "mod");
    window.app().commands().send(Command::EndWhatIf);
    window.settle();
    assert_eq!(window.shown_layer(), "Game");
}

#[test]
fn paths_that_change_are_marked_and_opened_from_the_list() {
    let mut window = with_panel("readme.txt");
    click_layer(&mut window, "Patch_01.arch06");
    click_layer(&mut window, "Global.arch06");
    let row = "changed characters\\guard\\guard_shield_d.tex";
    let label = window.harness.get_by_label_contains(row);
    label.click();
    window.settle();
    assert_eq!(window.active().answer.path, "characters\\guard\\guard_shield_d.tex");
    let what_if = window.app().session().what_if.as_ref().unwrap();
    let shown = what_if.shown.as_ref().unwrap();
    assert_eq!(shown.mark(window.active().entry), Some(ChangeKind::Changed));
}

#[test]
fn mounting_again_ends_a_simulation_and_brings_everything_back() {
    let mut window = with_panel("database\\game\\game.gamedb");
    window.app().commands().send(Command::OpenPath("prefabs\\camp\\tent.mat".to_owned()));
    window.app().commands().send(Command::OpenPath(SWORD.to_owned()));
    window.settle();
    window.press(Key::C);
    click_layer(&mut window, "HotChunk.arch06");
    let session = window.app().session();
    assert_eq!((session.open.len(), session.comparisons.len()), (2, 0));
    window.press(Key::F5);
    let session = window.app().session();
    assert!(session.what_if.is_none());
    assert_eq!((session.open.len(), session.comparisons.len()), (3, 1));
    let sword = session.open.iter().find(|open| open.answer.path == SWORD).unwrap();
    assert_eq!(sword.answer.winner, Some(sword.copy));
}

#[test]
fn the_layers_stay_where_they_are_when_a_simulation_begins() {
    let mut window = with_panel(SWORD);
    let place = |window: &Window| window.harness.get_by_role_and_label(Role::CheckBox, "Game").rect();
    let before = place(&window);
    click_layer(&mut window, "Global.arch06");
    assert_eq!(place(&window).min, before.min);
    // The name alone chooses the layer.
    window.harness.get_by_role_and_label(Role::Row, "Patch_10.arch06").click();
    window.settle();
    assert_eq!(window.app().session().what_if.as_ref().unwrap().scenario.order().len(), 13);
}

#[test]
fn what_an_order_removes_stands_in_the_tree_and_leads_back() {
    const GONE: &str = "database\\game\\game.gamedb";
    let mut window = with_panel(SWORD);
    click_layer(&mut window, "HotChunk.arch06");
    window.click("Paths");
    for folder in ["database", "game", "game.gamedb"] {
        assert!(window.has(folder), "{folder}");
        window.click_role(Role::TreeItem, folder);
        assert!(window.is_chosen(Role::TreeItem, folder), "{folder}");
    }
    assert_eq!(window.active().answer.path, SWORD, "there is nothing to open");
    // Another order leaves the folders open; the path is still gone in it.
    window.click("What if");
    click_layer(&mut window, "Patch_01.arch06");
    window.click("Paths");
    assert!(window.has("game.gamedb"));
    window.click_role(Role::TreeItem, "game.gamedb");
    window.press(Key::ArrowLeft);
    assert!(window.is_chosen(Role::TreeItem, "game"));
    window.press(Key::ArrowLeft);
    assert!(!window.has("game.gamedb"));
    window.press(Key::ArrowRight);
    window.press_with(Modifiers::COMMAND, Key::C);
    window.harness.get_by_role_and_label(Role::TreeItem, "game.gamedb").click_secondary();
    window.settle();
    window.click("Back to the real order, and open it");
    assert!(window.app().session().what_if.is_none());
    assert_eq!(window.active().answer.path, GONE);
}

#[test]
fn tabs_keep_their_places_and_the_list_its_keyboard() {
    let mut window = with_panel(SWORD);
    window.press(Key::C);
    let send = |window: &mut Window, command| {
        window.app().commands().send(command);
        window.settle();
    };
    send(&mut window, Command::OpenPath("readme.txt".to_owned()));
    send(&mut window, Command::OpenPath("database\\game\\game.gamedb".to_owned()));
    let ids = |window: &Window| {
        let session = window.app().session();
        (session.tabs().collect::<Vec<_>>(), session.active)
    };
    let compared = window.app().session().comparisons[0].id;
    send(&mut window, Command::Focus(compared));
    let before = ids(&window);
    // The list of layers keeps the keyboard, whatever tab is in front.
    window.harness.get_by_role_and_label(Role::Row, "Global.arch06").click();
    window.settle();
    for _ in 0..4 {
        window.press(Key::Space);
    }
    assert_eq!(ids(&window), before);
    window.press(Key::Space);
    assert!(window.app().session().what_if.is_some());
    assert_eq!(ids(&window), before);
    // What is in front and goes for a while comes back to the front.
    click_layer(&mut window, "HotChunk.arch06");
    assert!(window.app().session().active_comparison().is_none());
    window.click("Back to the real order");
    let after = ids(&window);
    assert_eq!((after.0.len(), after.1), (before.0.len(), before.1));
    // The map stays in front.
    window.press(Key::M);
    window.click("What if");
    click_layer(&mut window, "HotChunk.arch06");
    assert!(window.app().session().front() == Front::Map);
}
