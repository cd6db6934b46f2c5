//! An open file: its copies, fields, bytes and picture, and the way between files.

use egui::accesskit::Role;
use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable as _;
use palimpsest::app::Start;
use palimpsest::command::{Command, Selection, Selector};
use palimpsest::session::Front;
use palimpsest_core::asset::PixelFormat;
use palimpsest_core::formats::texr::{self, NewTexture};
use palimpsest_core::mount::Mounts;
use palimpsest_core::parse::Fact;

use crate::Window;

const SWORD: &str = "characters\\ranger\\ranger_sword_d.tex";

#[test]
fn brackets_and_clicks_go_through_the_copies() {
    let mut window = Window::open(SWORD);
    assert_eq!(window.shown_layer(), "HotChunk.arch06");
    window.press(Key::CloseBracket);
    assert_eq!(window.active().copy, 0);
    window.press(Key::OpenBracket);
    window.press(Key::OpenBracket);
    assert_eq!((window.active().copy, window.shown_layer()), (2, "Patch_02.arch06".to_owned()));
    window.press(Key::CloseBracket);
    assert_eq!(window.active().copy, 1);
    window.click_role(Role::Row, "Patch_01.arch06");
    assert_eq!(window.shown_layer(), "Patch_01.arch06");
    // The last one comes into view.
    window.press(Key::OpenBracket);
    assert!(window.is_chosen(Role::Row, "Characters.arch06"));
    window.press(Key::OpenBracket);
    assert_eq!(window.shown_layer(), "Characters.arch06");
}

#[test]
fn a_field_selects_its_bytes_and_bytes_their_field() {
    let mut window = Window::open(SWORD);
    window.click("header.version 8");
    let selection = window.active().selection.clone().unwrap();
    assert_eq!(selection.range, 4..8);
    assert!(matches!(selection.by, Selector::Structure(_)));
    let id = window.active().id;
    let range = 0x38..0x39;
    window.app().commands().send(Command::Select(id, Selection { range, by: Selector::Hex }));
    window.settle();
    assert!(window.is_chosen(Role::TreeItem, "full.width 1024"));
}

#[test]
fn values_stand_with_what_they_are_called() {
    let mut window = Window::open(SWORD);
    assert!(window.has("full.dxgi_format 77  BC3_UNORM"));
    let bytes = window.active().document().unwrap().bytes.clone();
    let code = bytes.windows(4).position(|four| four == b"DXT5").unwrap() as u64;
    let selection = Selection { range: code..code + 4, by: Selector::Hex };
    let id = window.active().id;
    window.app().commands().send(Command::Select(id, selection));
    window.settle();
    assert!(window.is_chosen(Role::TreeItem, "dds.header.four_cc 894720068  DXT5"));
    assert!(
        window.has(
            "dds.header.flags 0x000A1007  CAPS | HEIGHT | WIDTH | PIXELFORMAT | MIPMAPCOUNT | LINEARSIZE"
        )
    );
}

#[test]
fn the_lines_of_a_text_are_counted_as_they_are_numbered() {
    for path in ["readme.txt", "config\\keys.ini"] {
        let window = Window::open(path);
        let document = window.active().document().unwrap();
        let fact = document.inspection.facts.iter().find(|(key, _)| *key == "lines").unwrap();
        assert_eq!(fact.1, Fact::Integer(document.lines.len() as u64), "{path}");
    }
}

#[test]
fn a_text_in_the_structure_has_no_line_breaks() {
    let window = Window::open("config\\keys.ini");
    assert!(window.has_text(r"text [keys]\r\nlook="));
}

#[test]
fn fields_are_walked_by_keys_also_across_empty_ones() {
    let mut window = Window::open("worlds\\retail\\grove\\textures\\fern_d.tex");
    window.click("name_size 0");
    window.press(Key::ArrowDown);
    assert!(window.is_chosen(Role::TreeItem, "name"));
    window.press(Key::ArrowDown);
    assert!(window.is_chosen(Role::TreeItem, "full"));
    window.press(Key::ArrowDown);
    assert_eq!(window.active().selection.as_ref().unwrap().range, 0x12..0x13);
    window.press(Key::ArrowUp);
    window.press(Key::ArrowLeft);
    assert!(!window.has("full.width 512"));
}

#[test]
fn bytes_are_selected_by_pointer_and_keys() {
    let mut window = Window::open(SWORD);
    let bytes = window.harness.get_by_role_and_label(Role::Table, "Bytes").rect();
    // The first byte of the second row: a part of the name's size, which is selected whole.
    window.harness.hover_at(bytes.left_top() + egui::vec2(90.0, 27.0));
    window.harness.drag_at(bytes.left_top() + egui::vec2(90.0, 27.0));
    window.harness.drop_at(bytes.left_top() + egui::vec2(90.0, 27.0));
    window.settle();
    assert_eq!(window.active().selection.as_ref().unwrap().range, 0x10..0x12);
    window.press(Key::ArrowRight);
    assert_eq!(window.active().selection.as_ref().unwrap().range, 0x12..0x13);
    window.press_with(Modifiers::SHIFT, Key::ArrowDown);
    assert_eq!(window.active().selection.as_ref().unwrap().range, 0x12..0x23);
    window.press_with(Modifiers::SHIFT, Key::ArrowLeft);
    assert_eq!(window.active().selection.as_ref().unwrap().range, 0x12..0x22);
    window.press(Key::End);
    let last = window.active().document().unwrap().len() - 1;
    assert_eq!(window.active().selection.as_ref().unwrap().range, last..last + 1);
}

#[test]
fn a_click_within_one_frame_selects_what_is_under_it() {
    let mut window = Window::open(SWORD);
    let bytes = window.harness.get_by_role_and_label(Role::Table, "Bytes").rect();
    for (row, expected) in [(0.0, 0..4), (1.0, 0x10..0x12), (0.0, 0..4)] {
        let pos = bytes.left_top() + egui::vec2(90.0, 9.0 + 18.0 * row);
        window.harness.hover_at(pos);
        window.harness.step();
        for pressed in [true, false] {
            window.harness.input_mut().events.push(egui::Event::PointerButton {
                pos,
                button: egui::PointerButton::Primary,
                pressed,
                modifiers: Modifiers::NONE,
            });
        }
        window.settle();
        assert_eq!(window.active().selection.as_ref().unwrap().range, expected);
    }
}

#[test]
fn what_is_held_is_asked_of_the_key() {
    let mut window = Window::open(SWORD);
    // Shift is up again before the frame ends.
    window.harness.input_mut().events.push(egui::Event::Key {
        key: Key::Num2,
        physical_key: None,
        pressed: true,
        repeat: false,
        modifiers: Modifiers::SHIFT,
    });
    window.settle();
    assert!(window.is_chosen(Role::CheckBox, "Channel G") && !window.is_chosen(Role::CheckBox, "Channel R"));
    // Some systems name the character that Shift makes of a digit.
    window.harness.input_mut().events.push(egui::Event::Key {
        key: Key::Exclamationmark,
        physical_key: Some(Key::Num1),
        pressed: true,
        repeat: false,
        modifiers: Modifiers::SHIFT,
    });
    window.settle();
    assert!(window.is_chosen(Role::CheckBox, "Channel R") && !window.is_chosen(Role::CheckBox, "Channel G"));
}

#[test]
fn back_and_forward_go_the_way_that_was_gone() {
    let mut window = Window::on_demo();
    window.click("readme.txt");
    window.click("archivepatchloosefiles.txt");
    window.press_with(Modifiers::ALT, Key::ArrowLeft);
    assert_eq!(window.active().answer.path, "readme.txt");
    window.press_with(Modifiers::ALT, Key::ArrowRight);
    assert_eq!(window.active().answer.path, "archivepatchloosefiles.txt");
    window.press_with(Modifiers::COMMAND, Key::W);
    assert!(window.app().session().active().is_none());
    assert!(window.has("No file is open"));
}

#[test]
fn a_damaged_file_is_explained_and_its_stored_bytes_can_be_seen() {
    let mut window = Window::open("worlds\\retail\\ruin\\textures\\ruin_wall_d.tex");
    let document = window.active().document().unwrap().clone();
    let palimpsest_core::mount::Content::Chunks(chain) = &document.content else { panic!("it is packed") };
    let chunks: Vec<_> = chain.chunks().flatten().collect();
    let place = chain.offset_of(&chunks[1]);
    assert!(window.has_text("Chunk 2 of 3 cannot be decoded (Oodle Kraken: "));
    assert!(window.has_text(&format!(", at {place:#X})")));
    assert!(window.has_text("3\u{a0}chunks  · Oodle\u{a0}Kraken  · packed\u{a0}to"));
    // What lies behind the bad chunk is there all the same.
    let id = window.active().id;
    let behind = chunks[2].at + 16;
    let selection = Selection { range: behind..behind + 4, by: Selector::Other };
    window.app().commands().send(Command::Select(id, selection));
    window.settle();
    window.settle();
    let page = window.active().pages.get(behind / 0x10000).unwrap().ready().unwrap();
    assert_eq!(page.len() as u64, document.len() - chunks[2].at);
    let selection = Selection { range: chunks[1].at + 64..chunks[1].at + 65, by: Selector::Other };
    window.app().commands().send(Command::Select(id, selection));
    window.settle();
    window.settle();
    let gap = window.active().pages.get(1).unwrap();
    assert!(matches!(gap, palimpsest::jobs::Load::Failed(_)));
    window.click("show the bytes as stored");
    assert!(window.active().is_stored);
    assert!(window.active().document().unwrap().fault.is_none());
    window.click("show decoded");
    assert!(!window.active().is_stored);
}

#[test]
fn channels_and_levels_answer_to_clicks_and_keys() {
    let mut window = Window::open(SWORD);
    assert!(window.is_chosen(Role::CheckBox, "Channel R"));
    window.click("Channel R");
    assert!(!window.is_chosen(Role::CheckBox, "Channel R"));
    window.press(Key::Num1);
    assert!(window.is_chosen(Role::CheckBox, "Channel R"));
    window.press_with(Modifiers::SHIFT, Key::Num4);
    assert!(window.is_chosen(Role::CheckBox, "Channel A") && !window.is_chosen(Role::CheckBox, "Channel G"));
    let before = window.harness.render().unwrap();
    window.press_with(Modifiers::SHIFT, Key::Num4);
    window.press(Key::Period);
    assert_ne!(window.harness.render().unwrap(), before);
}

#[test]
fn a_list_opens_the_paths_that_it_names() {
    let mut window = Window::open("archivepatchloosefiles.txt");
    let rows: Vec<_> = window.active().document().unwrap().inspection.tree.roots().collect();
    assert!(!rows.is_empty());
    let row = window.harness.get_by_role_and_label(Role::Row, SWORD).rect().center();
    for _ in 0..2 {
        window.harness.drag_at(row);
        window.harness.drop_at(row);
    }
    window.settle();
    assert_eq!(window.active().answer.path, SWORD);
}

#[test]
fn a_picture_that_was_clicked_is_moved_by_the_arrow_keys() {
    let mut window = Window::open(SWORD);
    window.press(Key::Num0);
    let picture = window.harness.get_by_role_and_label(Role::Image, "Picture").rect().center();
    window.harness.drag_at(picture);
    window.harness.drop_at(picture);
    window.settle();
    let before = window.harness.render().unwrap();
    window.press(Key::ArrowRight);
    assert_ne!(window.harness.render().unwrap(), before);
    assert_eq!(window.active().answer.path, SWORD);
}

#[test]
fn mounting_again_keeps_tabs_copies_and_search() {
    let mut window = Window::open(SWORD);
    window.press(Key::OpenBracket);
    window.click_role(Role::TreeItem, "readme.txt");
    window.type_into("Search", "ext:tex");
    window.press(Key::Escape);
    window.click_role(Role::TreeItem, "worlds");
    window.type_into("Search", "ext:tex");
    let before = window.app().session().mounted.clone().unwrap();
    let shown = |window: &Window| {
        let open = window.app().session().open.iter();
        open.map(|open| (open.link().unwrap(), open.stays)).collect::<Vec<_>>()
    };
    let tabs = shown(&window);
    assert_eq!(tabs.len(), 2);
    window.press(Key::F5);
    assert!(!std::sync::Arc::ptr_eq(&before, window.app().session().mounted.as_ref().unwrap()));
    assert_eq!(shown(&window), tabs);
    assert_eq!(window.active().answer.path, "readme.txt");
    assert!(window.has("20 of 204"));
    window.press(Key::Escape);
    window.press(Key::Escape);
    assert!(window.has("204 paths") && window.has("retail"), "folders stay open");
    window.click_role(Role::TreeItem, "archivepatchloosefiles.txt");
    window.press_with(Modifiers::ALT, Key::ArrowLeft);
    assert_eq!(window.active().answer.path, "readme.txt");
}

/// A window on a loose texture of 4 × 4 pixels, changed before it is written.
fn on_texture(change: impl FnOnce(&mut Vec<u8>)) -> Window {
    let levels = [16, 16, 16].map(|size| vec![7; size]);
    let new = NewTexture {
        name: "",
        format: PixelFormat::Bc3Unorm,
        width: 4,
        height: 4,
        first_level: 0,
        levels: &levels,
    };
    let mut bytes = texr::write(&new).unwrap();
    change(&mut bytes);
    let root = tempfile::tempdir().unwrap();
    let file = root.path().join("a.tex");
    std::fs::write(&file, bytes).unwrap();
    Window::on(Start { mounts: Some(Mounts::of(file)), open: Some("a.tex".to_owned()), ..Start::default() })
}

#[test]
fn a_texture_with_too_many_levels_is_shown_with_those_it_has() {
    // The number of levels in the DDS header, behind the name's size and the full size.
    let window = on_texture(|bytes| bytes[0x12 + 23 + 28] = 32);
    assert!(window.has("Picture") && !window.has("The picture cannot be shown"));
    let document = window.active().document().unwrap();
    assert_eq!(document.picture.as_ref().unwrap().as_ref().unwrap().levels.len(), 3);
    assert!(document.inspection.warnings.lines().any(|line| line.contains("at most 3")));
}

#[test]
fn a_picture_that_cannot_be_shown_says_why() {
    let window = on_texture(|bytes| bytes.truncate(bytes.len() - 40));
    assert!(window.has("The picture cannot be shown"));
    assert!(window.has_text("the file ends before the first row of level 0"));
    let mut window = on_texture(|_| {});
    assert!(window.has("Picture"));
    let document = window.active().document().unwrap();
    document.picture.as_ref().unwrap().as_ref().unwrap().refusal.set("the card is tired".to_owned()).unwrap();
    window.settle();
    assert!(window.has("The picture cannot be shown") && window.has_text("the card is tired"));
}

#[test]
fn back_leads_through_comparisons_and_the_map_as_well() {
    let mut window = Window::open(SWORD);
    window.press(Key::C);
    window.press(Key::CloseBracket);
    let compared = |window: &Window| {
        window.app().session().active_comparison().map(|open| open.sides.each_ref().map(|side| side.copy))
    };
    window.press(Key::OpenBracket);
    let last = compared(&window).unwrap();
    window.press(Key::M);
    window.click("readme.txt");
    let back = |window: &mut Window| window.press_with(Modifiers::ALT, Key::ArrowLeft);
    back(&mut window);
    assert!(window.app().session().front() == Front::Map);
    back(&mut window);
    assert_eq!(compared(&window), Some(last));
    back(&mut window);
    assert_ne!(compared(&window), Some(last));
    // Closed by now, they come again.
    window.press_with(Modifiers::COMMAND, Key::W);
    assert!(window.app().session().active_comparison().is_none());
    back(&mut window);
    assert!(compared(&window).is_some());
    for _ in 0..6 {
        back(&mut window);
    }
    assert_eq!(window.active().answer.path, SWORD);
    assert!(!window.app().session().trail.can_go(true));
}

#[test]
fn a_tab_that_is_brought_to_the_front_comes_into_sight() {
    let mut window = Window::open(SWORD);
    let orcs: Vec<_> = (1..=24).map(|at| format!("characters\\orc\\orc_{at:02}.mat")).collect();
    let is_in_sight = |window: &Window, name: &str| {
        let mut tabs = window.harness.query_all_by_role_and_label(Role::Button, name);
        tabs.any(|tab| tab.rect().left() > 320.0 && tab.rect().right() < 1060.0)
    };
    for path in &orcs {
        window.app().commands().send(Command::OpenPath(path.clone()));
        window.settle();
    }
    window.harness.run_steps(8);
    assert!(is_in_sight(&window, "orc_24.mat") && !is_in_sight(&window, "orc_01.mat"));
    window.app().commands().send(Command::OpenPath(orcs[0].clone()));
    window.settle();
    window.harness.run_steps(8);
    assert!(is_in_sight(&window, "orc_01.mat") && !is_in_sight(&window, "orc_24.mat"));
}
