//! Two copies of a path beside each other: the five faces as pictures, and the way through by keys and
//! labels.

use std::path::Path;
use std::sync::Arc;

use egui::accesskit::Role;
use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable as _;
use palimpsest::app::Start;
use palimpsest::command::{Command, CompareView, PictureMode};
use palimpsest::comparison::Comparison;
use palimpsest::document::Document;
use palimpsest::gpu::Caps;
use palimpsest::jobs::Load;
use palimpsest::session::{ComparedCopy, DocumentId, Mounted, OpenComparison, Session};
use palimpsest_core::asset::PixelFormat;
use palimpsest_core::error::Error;
use palimpsest_core::formats::texr::{self, NewTexture};
use palimpsest_core::mount::Mounts;
use palimpsest_core::task::Task;

use crate::faces::{compare_after, jobs, mounted, stuck};
use crate::{Window, demo};

const SWORD: &str = "characters\\ranger\\ranger_sword_d.tex";
const KEYS: &str = "config\\keys.ini";
const LIST: &str = "archivepatchloosefiles.txt";

/// A session on two copies of a path, compared.
fn session(mounted: &Arc<Mounted>, path: &str, copies: [usize; 2], caps: Caps) -> Session {
    let entry = mounted.stack.find(path).unwrap();
    let answer = mounted.stack.resolve(entry);
    let read = |copy: usize| {
        let of = answer.copies[copy.min(answer.copies.len() - 1)].copy;
        Arc::new(Document::read(&mounted.stack, entry, of, Some(&caps), &Task::new()).unwrap())
    };
    let [left, right] = copies.map(read);
    let result = Comparison::of(&mounted.stack, &left, &right, &Task::new()).unwrap();
    let side = |copy, document| ComparedCopy { copy, load: Load::Ready(document) };
    let open = OpenComparison {
        id: DocumentId(1),
        mounted: Arc::clone(mounted),
        entry,
        sides: [side(copies[0], left), side(copies[1], right)],
        answer,
        result: Some(Load::Ready(Arc::new(result))),
    };
    Session {
        mounted: Some(Arc::clone(mounted)),
        comparisons: vec![open],
        active: Some(DocumentId(1)),
        caps: Some(caps),
        ..Session::default()
    }
}

fn on_demo() -> Arc<Mounted> {
    mounted(Mounts::of(demo().to_path_buf()))
}

/// The picture of a comparison that is looked at in a way.
fn picture(name: &str, mounted: &Arc<Mounted>, path: &str, copies: [usize; 2], view: CompareView) {
    compare_after(
        name,
        |caps| session(mounted, path, copies, caps),
        |panels, session, frame| {
            // The state of a tab is there after its first frame.
            if frame == 2 {
                panels.view_comparison(session, view);
            }
            if frame == 4 && matches!(view, CompareView::Text | CompareView::Bytes) {
                panels.step_difference(session, 1);
            }
        },
    );
}

#[test]
fn pictures_are_swiped_blinked_and_subtracted() {
    let mounted = on_demo();
    for (name, mode) in [
        ("compare_swipe", PictureMode::Swipe),
        ("compare_blink", PictureMode::Blink),
        ("compare_heat", PictureMode::Difference),
        ("compare_beside", PictureMode::Beside),
    ] {
        compare_after(
            name,
            |caps| session(&mounted, SWORD, [5, 0], caps),
            |panels, session, frame| {
                if frame == 2 {
                    panels.view_comparison(session, CompareView::Picture(mode));
                }
            },
        );
    }
}

#[test]
fn texts_lists_fields_and_bytes_are_compared() {
    let mounted = on_demo();
    picture("compare_text", &mounted, KEYS, [1, 0], CompareView::Text);
    picture("compare_members", &mounted, LIST, [1, 0], CompareView::Members);
    picture("compare_fields", &mounted, LIST, [1, 0], CompareView::Structure);
    picture("compare_bytes", &mounted, SWORD, [5, 0], CompareView::Bytes);
}

#[test]
fn a_path_with_one_copy_has_nothing_to_compare() {
    let mounted = on_demo();
    compare_after("compare_nothing", |caps| session(&mounted, "readme.txt", [0, 0], caps), |_, _, _| {});
}

#[test]
fn a_comparison_is_on_its_way() {
    let (mounted, jobs) = (on_demo(), jobs());
    let make = |caps| {
        let mut session = session(&mounted, SWORD, [5, 0], caps);
        session.comparisons[0].sides[0].load = Load::Pending(stuck(&jobs, "Reading Characters.arch06"));
        session.comparisons[0].result = None;
        session
    };
    compare_after("compare_loading", make, |_, _, _| {});
}

#[test]
fn a_copy_cannot_be_had() {
    let mounted = on_demo();
    let make = |caps| {
        let mut session = session(&mounted, SWORD, [5, 0], caps);
        let error = Error::malformed("64 bytes at 0x7C00 lie behind the end of the archive, 0x4000");
        session.comparisons[0].sides[0].load = Load::Failed(error.of("Characters.arch06"));
        session.comparisons[0].result = None;
        session
    };
    compare_after("compare_failed", make, |_, _, _| {});
}

/// Two layers that hold a path, with what each of them has there.
fn two_layers(name: &str, write: impl Fn(&Path, usize)) -> (tempfile::TempDir, Mounts) {
    let root = tempfile::tempdir().unwrap();
    let mut paths = Vec::new();
    for (at, layer) in ["below", "above"].into_iter().enumerate() {
        let folder = root.path().join(layer);
        std::fs::create_dir(&folder).unwrap();
        write(&folder.join(name), at);
        paths.push(folder);
    }
    (root, Mounts { paths, ..Mounts::default() })
}

#[test]
fn files_of_two_gigabytes_are_compared_to_their_last_byte() {
    use std::io::{Seek as _, SeekFrom, Write as _};
    const SIZE: u64 = 2 << 30;
    let (_root, mounts) = two_layers("large.bin", |path, at| {
        let mut file = std::fs::File::create(path).unwrap();
        file.set_len(SIZE - 100 * at as u64).unwrap();
        file.seek(SeekFrom::Start(SIZE - 160)).unwrap();
        file.write_all(&[u8::from(at > 0); 20]).unwrap();
    });
    let mounted = mounted(mounts);
    compare_after(
        "compare_huge",
        |caps| session(&mounted, "large.bin", [1, 0], caps),
        |panels, session, frame| {
            if frame == 4 {
                panels.step_difference(session, 1);
            }
        },
    );
}

impl Window {
    fn comparison(&self) -> &OpenComparison {
        self.app().session().active_comparison().unwrap()
    }

    fn compared(&self) -> &Comparison {
        self.comparison().result.as_ref().and_then(Load::ready).unwrap()
    }

    fn sides(&self) -> [String; 2] {
        [0, 1].map(|side| self.comparison().side(side))
    }

    fn look_at(&mut self, view: CompareView) {
        self.app().commands().send(Command::ViewComparison(view));
        self.settle();
    }
}

#[test]
fn a_key_compares_the_shown_copy_with_the_winner_and_the_winner_with_the_one_below() {
    let mut window = Window::open(SWORD);
    window.press(Key::C);
    assert_eq!(window.sides(), ["Patch_DLC4", "HotChunk"]);
    assert!(window.has("ranger_sword_d.tex: Patch_DLC4 ↔ HotChunk"));
    window.press_with(Modifiers::COMMAND, Key::W);
    assert!(window.app().session().comparisons.is_empty());
    assert_eq!(window.active().answer.path, SWORD);
    window.click_role(Role::Row, "Patch_01.arch06");
    window.press(Key::C);
    assert_eq!(window.sides(), ["Patch_01", "HotChunk"]);
    assert!(window.has_text("bytes differ in"));
    window.press(Key::X);
    assert_eq!(window.sides(), ["HotChunk", "Patch_01"]);
    window.press(Key::X);
    window.press(Key::CloseBracket);
    assert_eq!(window.sides(), ["Patch_DLC1", "HotChunk"]);
}

#[test]
fn a_copy_is_compared_from_its_menu_and_another_one_is_chosen() {
    let mut window = Window::open(SWORD);
    window.harness.get_by_role_and_label(Role::Row, "Patch_01.arch06").click_secondary();
    window.settle();
    window.click("Compare with the winner");
    assert_eq!(window.sides(), ["Patch_01", "HotChunk"]);
    window.click_role(Role::ComboBox, "Right copy");
    window.click_role(Role::ListBoxOption, "Patch_02.arch06");
    assert_eq!(window.sides(), ["Patch_01", "Patch_02"]);
    // The same path is compared in the same tab.
    window.app().commands().send(Command::Compare { entry: window.comparison().entry, copies: [1, 0] });
    window.settle();
    assert_eq!(window.app().session().comparisons.len(), 1);
    assert_eq!(window.sides(), ["Patch_DLC4", "HotChunk"]);
}

#[test]
fn differences_are_gone_to_one_by_one() {
    let (_root, mounts) = two_layers("a.bin", |path, at| {
        let mut bytes = vec![0; 900];
        for place in [5, 300, 700] {
            bytes[place] = u8::from(at > 0);
        }
        std::fs::write(path, &bytes[..900 - 50 * at]).unwrap();
    });
    let mut window =
        Window::on(Start { mounts: Some(mounts), open: Some("a.bin".to_owned()), ..Start::default() });
    window.press(Key::C);
    let all = window.compared().places();
    assert_eq!(all, 4, "three places and what one side alone has");
    assert!(window.has(&format!("{all} differences")));
    window.press(Key::N);
    window.press(Key::N);
    assert!(window.has(&format!("2 of {all} differences")));
    window.press_with(Modifiers::SHIFT, Key::N);
    assert!(window.has(&format!("1 of {all} differences")));
    window.press_with(Modifiers::SHIFT, Key::N);
    assert!(window.has(&format!("{all} of {all} differences")));
    window.click("Next difference (N)");
    assert!(window.has(&format!("1 of {all} differences")));
}

#[test]
fn lines_are_folded_and_unfolded() {
    let mut window = Window::open(KEYS);
    window.press(Key::C);
    assert!(window.has("− 3 run=shift") && window.has("+ 3 run=left shift"));
    assert!(window.has("+ 8 climb=c") && window.has("− 23 shake=1.0"));
    assert!(!window.has_text("rumble=yes") || window.has_text("that are the same"));
    let folded = window.harness.get_by_label_contains("that are the same").rect();
    window.harness.hover_at(folded.center());
    window.harness.drag_at(folded.center());
    window.harness.drop_at(folded.center());
    window.settle();
    assert!(!window.has_text("that are the same"));
    window.click("all lines");
    assert!(window.has("= 1 [keys]"));
}

#[test]
fn fields_that_differ_are_listed_and_select_their_bytes() {
    let mut window = Window::open(LIST);
    window.press(Key::C);
    window.look_at(CompareView::Structure);
    let fields = &window.compared().fields;
    let (changed, count) = (fields.changed, fields.count);
    assert!(changed > 0 && window.has_text(&format!("{changed} of {count} fields differ")));
    let before = window.harness.render().unwrap();
    let row = window.harness.get_all_by_role(Role::Row).next().unwrap().rect().center();
    window.harness.drag_at(row);
    window.harness.drop_at(row);
    window.settle();
    window.press(Key::ArrowDown);
    assert!(window.harness.render().unwrap() != before);
    window.click("all");
    let before = window.harness.render().unwrap();
    window.press(Key::End);
    assert_eq!(window.comparison().answer.path, LIST, "the list of paths has not taken the key");
    assert!(window.harness.render().unwrap() != before);
}

#[test]
fn pictures_take_turns_by_the_space_bar() {
    let mut window = Window::open(SWORD);
    window.press(Key::C);
    window.press(Key::Space);
    let left = window.harness.render().unwrap();
    window.press(Key::Space);
    let right = window.harness.render().unwrap();
    assert!(left != right);
    window.press(Key::Space);
    assert!(window.harness.render().unwrap() == left);
    window.click("Difference");
    assert!(window.has_text("pixels differ"));
    window.click("Swipe");
    assert!(window.has("Line between the pictures"));
}

#[test]
fn a_damaged_copy_is_compared_up_to_its_fault() {
    let (_root, mounts) = two_layers("a.txt", |path, at| {
        std::fs::write(path, format!("alike\nside {at}\n")).unwrap();
    });
    let mounted = mounted(mounts);
    let entry = mounted.stack.find("a.txt").unwrap();
    let read = |copy: usize| {
        let of = mounted.stack.resolve(entry).copies[copy].copy;
        Document::read(&mounted.stack, entry, of, None, &Task::new()).unwrap()
    };
    let (mut left, right) = (read(1), read(0));
    left.bytes = left.bytes.slice(..8);
    left.fault = Some(Error::malformed("a bad chunk"));
    let result = Comparison::of(&mounted.stack, &left, &right, &Task::new()).unwrap();
    assert_eq!((result.bytes.compared, result.places()), (8, 0));
    assert_eq!(result.words(&left, &right), "The first 8 bytes are the same; both have 13 bytes");
    let words = palimpsest::comparison::fault_words(&left).unwrap();
    assert!(words.contains("a bad chunk; its first 8 B are compared"), "{words}");
}

#[test]
fn mounting_again_keeps_comparisons() {
    let mut window = Window::open(SWORD);
    window.press(Key::C);
    window.press(Key::OpenBracket);
    let sides = window.sides();
    window.press(Key::F5);
    assert_eq!(window.sides(), sides);
    assert_eq!(window.app().session().open.len(), 1);
}

#[test]
fn the_same_bytes_are_said_to_be_the_same() {
    let mut window = Window::open("characters\\orc\\orc_01.mat");
    window.press(Key::C);
    assert_eq!(window.sides(), ["Patch_01", "Patch_02"]);
    assert!(window.has("The same bytes, stored the same way"));
    assert!(window.has("No difference"));
    window.press(Key::N);
    window.app().commands().send(Command::CompareOther(window.comparison().id, 0, 0));
    window.settle();
    assert!(window.has("The same copy on both sides"));
}

#[test]
fn textures_of_other_sizes_are_compared_from_the_first_level_that_both_have() {
    let write = |path: &Path, at: usize| {
        let (side, format, block) =
            if at == 0 { (8, PixelFormat::Bc3Unorm, 16) } else { (4, PixelFormat::Bc1Unorm, 8) };
        let levels: Vec<_> = if at == 0 { vec![4, 1, 1, 1] } else { vec![1, 1, 1] };
        let levels: Vec<_> = levels.into_iter().map(|blocks| vec![7; blocks * block]).collect();
        let new = NewTexture { name: "", format, width: side, height: side, first_level: 0, levels: &levels };
        std::fs::write(path, texr::write(&new).unwrap()).unwrap();
    };
    let (_root, mounts) = two_layers("a.tex", write);
    let mut window =
        Window::on(Start { mounts: Some(mounts), open: Some("a.tex".to_owned()), ..Start::default() });
    window.press(Key::C);
    assert!(window.has_text("BC3_UNORM against BC1_UNORM"));
    assert!(window.has_text("8 × 8 against 4 × 4: compared from 4 × 4 down"));
    window.click("Side by side");
    assert!(window.has("Left picture") && window.has("Right picture"));
}
