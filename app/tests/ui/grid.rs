//! The grid of textures as a person uses it.

use egui::accesskit::Role;
use egui::{Key, Modifiers};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use palimpsest::app::Start;
use palimpsest::grid::GridCommand;
use palimpsest::session::Front;
use palimpsest_core::asset::PixelFormat;
use palimpsest_core::formats::dds::{self, NewSurface};
use palimpsest_core::mount::Mounts;

use crate::Window;

/// The names of the tiles that are visible.
fn tiles(window: &Window) -> Vec<String> {
    let tiles = window.harness.query_all_by_role(Role::Cell);
    tiles.filter_map(|tile| tile.accesskit_node().label()).collect()
}

fn front(window: &Window) -> Front {
    window.app().session().front()
}

/// How many textures are listed, and how many files they are made of.
fn listed(window: &Window) -> (usize, usize) {
    let grid = window.app().session().grid.as_ref().unwrap().shown.as_ref().unwrap();
    (grid.tiles.len(), grid.tiles.iter().map(|tile| usize::from(tile.tiers)).sum())
}

fn with_grid() -> Window {
    let mut window = Window::on_demo();
    window.press(Key::T);
    window
}

#[test]
fn the_grid_opens_by_its_key_and_from_the_menu_and_closes_as_a_tab() {
    let mut window = with_grid();
    assert_eq!(front(&window), Front::Grid);
    assert!(tiles(&window).contains(&"ranger_sword_d.tex".to_owned()), "{:?}", tiles(&window));
    window.press_with(Modifiers::COMMAND, Key::W);
    assert!(window.app().session().grid.is_none());
    window.click_role(Role::Button, "View");
    window.click_role(Role::MenuItem, "Textures as a grid");
    assert_eq!(front(&window), Front::Grid);
}

#[test]
fn the_tiers_of_a_texture_make_one_tile_and_its_picture_says_what_it_is() {
    let window = with_grid();
    let (textures, files) = listed(&window);
    assert_eq!(files - textures, 2, "three tiers of the sword");
    let names = tiles(&window);
    assert!(!names.iter().any(|name| name == "ranger_sword_d.tex0"), "{names:?}");
    let grid = window.app().session().grid.as_ref().unwrap().shown.as_ref().unwrap();
    let sword = grid.mounted.stack.find("characters\\ranger\\ranger_sword_d.tex").unwrap();
    let copy = grid.mounted.stack.index().copies(sword)[0];
    let made = window.app().session().pictures.get((copy, 128)).unwrap().as_ref().unwrap();
    assert_eq!((made.size, made.format, made.slices), ([1024, 1024], "BC3_UNORM", 1));
    assert_eq!(made.picture.size, [128, 128]);
}

#[test]
fn arrows_move_enter_and_space_open_and_the_way_back_leads_to_the_grid() {
    let mut window = with_grid();
    window.press(Key::ArrowDown);
    window.press(Key::ArrowRight);
    let second = tiles(&window)[1].clone();
    assert!(window.is_chosen(Role::Cell, &second));
    window.press(Key::Space);
    assert_eq!((front(&window), window.active().leaf()), (Front::Path, second.as_str()));
    assert!(!window.active().stays);
    window.press_with(Modifiers::ALT, Key::ArrowLeft);
    assert_eq!(front(&window), Front::Grid);
    assert!(window.is_chosen(Role::Cell, &second));
    window.press(Key::ArrowLeft);
    window.press(Key::Enter);
    assert!(window.active().stays);
    // A key that is held while a frame takes long counts as often as it came.
    window.press_with(Modifiers::ALT, Key::ArrowLeft);
    window.press(Key::Home);
    for _ in 0..3 {
        window.harness.key_press(Key::ArrowRight);
    }
    window.settle();
    let fourth = tiles(&window)[3].clone();
    assert!(window.is_chosen(Role::Cell, &fourth));
}

#[test]
fn a_menu_that_is_open_has_the_keys() {
    let mut window = with_grid();
    window.press(Key::Home);
    let tile = tiles(&window)[1].clone();
    window.harness.get_by_role_and_label(Role::Cell, &tile).click_secondary();
    window.settle();
    assert!(window.is_chosen(Role::Cell, &tile));
    for _ in 0..3 {
        window.press(Key::ArrowDown);
    }
    assert!(window.is_chosen(Role::Cell, &tile), "the arrows moved in the menu");
    window.press(Key::Enter);
    let copied = window.app().session().notices.last().unwrap().text.clone();
    assert!(copied.starts_with("Copied: ") && copied.ends_with(&tile), "{copied}");
    assert_eq!(front(&window), Front::Grid);
}

#[test]
fn clicks_above_the_grid_leave_the_keyboard_with_it_and_the_chosen_texture_in_sight() {
    let mut window = with_grid();
    window.press(Key::End);
    let last = tiles(&window).last().unwrap().clone();
    window.click("L");
    assert!(window.is_chosen(Role::Cell, &last), "it is still in sight");
    window.press(Key::ArrowLeft);
    assert!(!window.is_chosen(Role::Cell, &last));
    assert_eq!(front(&window), Front::Grid);
}

#[test]
fn the_grid_follows_the_search_and_the_folder_that_is_chosen() {
    let mut window = with_grid();
    let (all, _) = listed(&window);
    window.type_into("Search", "_d ext:tex");
    let (found, _) = listed(&window);
    assert!(found < all && window.has_text("Found: _d ext:tex"));
    window.press(Key::Escape);
    assert_eq!(listed(&window).0, all);
    window.click_role(Role::TreeItem, "characters");
    let (below, _) = listed(&window);
    assert!(below > 0 && below < all);
    window.click("All textures");
    assert_eq!(listed(&window).0, all);
    window
        .app()
        .commands()
        .send(palimpsest::command::Command::Grid(GridCommand::ShowFolder(b"no such folder".to_vec())));
    window.settle();
    assert_eq!(listed(&window).0, all, "a folder that is gone stands for everything");
}

#[test]
fn a_texture_that_cannot_be_drawn_says_why_and_harms_no_other() {
    let root = tempfile::tempdir().unwrap();
    let good = dds::write(&NewSurface::flat(PixelFormat::R8Unorm, 4, 4), &[&[7; 16]]).unwrap();
    std::fs::write(root.path().join("bad.dds"), &good[..100]).unwrap();
    std::fs::write(root.path().join("cut.dds"), &good[..good.len() - 1]).unwrap();
    std::fs::write(root.path().join("good.dds"), &good).unwrap();
    let mut window = Window::on(Start { mounts: Some(Mounts::of(root.path())), ..Start::default() });
    window.press(Key::T);
    assert_eq!(tiles(&window), ["bad.dds", "cut.dds", "good.dds"]);
    let session = window.app().session();
    let stack = session.stack().unwrap();
    let made = |path: &str| {
        let copy = stack.index().copies(stack.find(path).unwrap())[0];
        session.pictures.get((copy, 128)).unwrap().as_ref()
    };
    assert_eq!(made("good.dds").unwrap().picture.pixels[0].r(), 7);
    for path in ["bad.dds", "cut.dds"] {
        let error = made(path).unwrap_err();
        assert!(error.contains(path), "{error}");
    }
}

#[test]
fn all_that_are_shown_are_exported_with_their_tiers_joined() {
    use palimpsest::command::Command;
    use palimpsest::files::Files;
    use palimpsest_core::export::{Conversion, Form};

    let mut window = with_grid();
    window.click("Export all that are shown");
    assert!(window.has("Export all as PNG, tiers joined…"));
    window.press(Key::Escape);
    let grid = window.app().session().grid.as_ref().unwrap().shown.clone().unwrap();
    let out = tempfile::tempdir().unwrap();
    let conversion = Conversion { form: Form::Png, is_joined: true, ..Conversion::default() };
    let files = Files::Found(std::sync::Arc::new(grid.entries()));
    window.app().commands().send(Command::Extract(out.path().to_path_buf(), files, conversion));
    window.settle();
    let sword = out.path().join("characters/ranger/ranger_sword_d.tex.png");
    let size = image::image_dimensions(sword).unwrap();
    assert_eq!(size, (1024, 1024), "the largest tier, not the one that the tile is named by");
}
