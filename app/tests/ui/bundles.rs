//! Bundles: containers in the tree, members in tabs, and the stack that goes on while they are read.

use egui::accesskit::Role;
use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable as _;
use palimpsest::app::Start;
use palimpsest::command::Command;
use palimpsest_core::mount::{CopyKind, Mounts};

use crate::{Window, demo};

const KEEP: &str = "worlds\\retail\\keep\\keep.embb";

/// Whether the tree has a row of that name.
fn is_listed(window: &Window, name: &str) -> bool {
    window.harness.query_by_role_and_label(Role::TreeItem, name).is_some()
}

#[test]
fn containers_open_like_folders_in_both_trees() {
    let mut window = Window::open(KEEP);
    let members = ["worlds\\retail\\keep\\gate.mat", "worlds\\retail\\keep\\keep.objres"];
    for tree in ["Merged", "Layers"] {
        window.click(tree);
        window.click_role(Role::TreeItem, "keep.embb");
        for member in members {
            assert!(is_listed(&window, member), "{tree}: {member}");
        }
        window.click_role(Role::TreeItem, members[0]);
        let open = window.active();
        let copy = &open.answer.copies[open.copy];
        assert_eq!((open.answer.path.as_str(), copy.kind), (members[0], CopyKind::Member));
        assert_eq!(copy.container.as_deref(), Some(KEEP));
        // Up to the container, which closes.
        window.press(Key::ArrowLeft);
        assert!(window.is_chosen(Role::TreeItem, "keep.embb"));
        window.press(Key::ArrowLeft);
        assert!(!is_listed(&window, members[1]), "{tree}");
        window.press(Key::ArrowRight);
        assert!(is_listed(&window, members[1]), "{tree}");
        window.press(Key::ArrowLeft);
    }
}

#[test]
fn a_bundle_lists_where_its_members_come_from_and_opens_them() {
    let mut window = Window::open("worlds\\retail\\keep\\keep.bndl");
    assert!(window.has_text("The manifest ships above its container, Patch_02.arch06 over World.arch06"));
    let bundle = window.active().bundle.as_ref().unwrap().ready().unwrap();
    assert_eq!(bundle.members.len(), 5);
    let member = "characters\\guard\\guard_01.mat";
    let row = |window: &mut Window| {
        let row = window.harness.get_by_role_and_label(Role::Row, member);
        row.click();
        window.harness.step();
        window.harness.get_by_role_and_label(Role::Row, member).click();
        window.settle();
    };
    row(&mut window);
    assert_eq!(window.active().answer.path, member);
    assert_eq!(window.shown_layer(), "Characters.arch06");
}

#[test]
fn what_is_not_proven_is_said_where_the_path_is_open() {
    let mut window = Window::open("characters\\rider\\rider.mat");
    assert!(window.has_text("which of the two the game takes is not proven"));
    window.press(Key::W);
    assert!(window.has("Copy as JSON") && window.has_text("declares 22 bytes"));
}

#[test]
fn what_is_open_stays_open_when_the_bundles_are_read() {
    let mounts = || Some(Mounts::of(demo().to_path_buf()));
    let mut window = Window::on(Start::default());
    window.app().commands().send(Command::Mount(mounts().unwrap()));
    // Until the stack is shown; its bundles are read in the meantime.
    while window.app().session().mounted.is_none() {
        window.harness.step();
    }
    let path = "characters\\ranger\\ranger_sword_d.tex";
    window.app().commands().send(Command::OpenPath(path.to_owned()));
    window.app().commands().send(Command::Search("sword".to_owned()));
    window.harness.step();
    window.settle();
    let session = window.app().session();
    assert!(session.stack().unwrap().has_members() && session.bundles.is_none());
    let open = session.active().unwrap();
    assert_eq!((open.answer.path.as_str(), open.mounted.stack.path(open.entry).as_str()), (path, path));
    assert!(open.mounted.stack.has_members());
    let found = session.search.results.clone().unwrap();
    assert!(found.iter().all(|entry| session.stack().unwrap().path(*entry).contains("sword")));
    window.press_with(Modifiers::ALT, Key::ArrowLeft);
    assert_eq!(window.active().answer.path, path);
}

#[test]
fn reading_the_bundles_is_stopped_and_begun_again() {
    let mut window = Window::on(Start::default());
    window.app().commands().send(Command::Mount(Mounts::of(demo().to_path_buf())));
    while window.app().session().mounted.is_none() {
        window.harness.step();
    }
    if let Some(palimpsest::jobs::Load::Pending(job)) = &window.app().session().bundles {
        job.task().cancel();
    }
    window.settle();
    // It may have ended before it was stopped.
    if !window.app().session().stack().unwrap().has_members() {
        assert!(window.has_text("The bundles were not read, as you asked"));
        window.click_role(Role::Button, "Stack");
        window.click_role(Role::MenuItem, "Read the bundles");
    }
    assert!(window.app().session().stack().unwrap().has_members());
}

#[test]
fn a_path_index_is_held_against_its_archive() {
    let mut window = Window::open("archivepatchloosefiles.txt");
    assert!(window.has("All rows 3") && window.has("Not in this layer 0"));
    let row = "database\\game\\game.gamedb";
    let has_row = |window: &Window| window.harness.query_by_role_and_label(Role::Row, row).is_some();
    assert!(has_row(&window));
    window.type_into("Filter the index", "0xE9EA7207");
    assert!(!has_row(&window) && window.has("characters\\ranger\\ranger_sword_d.tex"));
    window.click("Not listed 1");
    assert!(window.has("Nothing to list"));
    // Another copy is another index.
    window.press(Key::Escape);
    let id = window.active().id;
    window.app().commands().send(Command::ShowCopy(id, 1));
    window.settle();
    assert!(window.has("All rows 10"));
}
