//! Meshes and skeletons: what goes with them, levels and parts, bones that are turned, vertices that are found.

use egui::accesskit::Role;
use egui::{Event, Key, Modifiers, PointerButton, Pos2, Rect};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use palimpsest::app::Start;
use palimpsest::command::{Command, Look, ModelCommand, ModelLook, PathFor, PictureCommand};
use palimpsest::gpu::mesh::Drawable;
use palimpsest::panels::ModelPage;
use palimpsest::session::Wanted;
use palimpsest_core::mount::Mounts;
use palimpsest_core::scene::TextureRole;

use crate::Window;
use crate::pictures::until_asked;

pub(crate) const DRAKE: &str = "characters\\drake\\drake.mesh";
pub(crate) const SKELETON: &str = "characters\\drake\\drake.skel";
pub(crate) const FLAWED: &str = "characters\\drake\\drake_flawed.mesh";

impl Window {
    pub(crate) fn drawable(&self) -> &Drawable {
        self.active().model.drawable().unwrap()
    }

    fn model(&mut self, look: ModelLook) {
        self.app().commands().send(Command::Look(Look::Model(look)));
        self.settle();
    }

    fn page(&mut self, page: ModelPage) {
        self.model(ModelLook::Page(page));
    }

    /// What is drawn of the model.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "pixels of a panel")]
    fn picture(&mut self) -> image::RgbaImage {
        let rect = self.viewport();
        let all = self.harness.render().unwrap();
        let [x, y] = [rect.left(), rect.top()].map(|at| at.ceil() as u32);
        let [width, height] = [rect.width(), rect.height()].map(|size| size.floor() as u32 - 1);
        image::imageops::crop_imm(&all, x, y, width, height).to_image()
    }

    /// Where the model is drawn.
    fn viewport(&self) -> Rect {
        self.harness.get_by_role_and_label(Role::Image, "Model").rect()
    }

    fn press_at(&mut self, from: Pos2, to: Pos2, modifiers: Modifiers) {
        let button = |pos: Pos2, pressed: bool| Event::PointerButton {
            pos,
            button: PointerButton::Primary,
            pressed,
            modifiers,
        };
        self.harness.event(Event::PointerMoved(from));
        self.harness.step();
        self.harness.event(button(from, true));
        self.harness.step();
        for step in 1..=4_u8 {
            self.harness.event(Event::PointerMoved(from.lerp(to, f32::from(step) / 4.0)));
            self.harness.step();
        }
        self.harness.event(button(to, false));
        self.settle();
    }

    fn bone(&self, name: &str) -> usize {
        self.drawable().model.rig.find(name).unwrap()
    }
}

#[test]
fn a_mesh_opens_on_its_skeleton_and_in_its_textures() {
    let window = Window::open(DRAKE);
    let model = &window.drawable().model;
    assert!(model.mesh.is_some() && model.skeleton.is_some());
    assert!(model.notes.is_empty(), "{:?}", model.notes);
    let worn = TextureRole::ALL.map(|role| window.active().model.texture(0, role));
    assert!(worn.iter().all(Option::is_some));
    assert!(window.active().model.pixels(0).iter().all(Option::is_some), "they are read");
    assert!(window.has_text("Colours: textured"));
}

#[test]
fn what_goes_with_a_model_can_be_chosen_and_left_away() {
    let mut window = Window::open(DRAKE);
    let id = window.active().id;
    let send = |window: &mut Window, command| {
        window.app().commands().send(Command::Model(id, command));
        window.settle();
    };
    let decoded = window.drawable().id;
    send(&mut window, ModelCommand::Join(Wanted::Nothing));
    assert!(window.drawable().model.skeleton.is_none());
    assert_eq!(window.drawable().id, decoded, "its vertices are not decoded again");
    send(&mut window, ModelCommand::Join(Wanted::Best));
    assert!(window.drawable().model.skeleton.is_some());
    // A texture cannot carry a mesh; what is there stays, and the reason is told.
    let stack = window.app().session().stack().unwrap();
    let texture = stack.find("characters\\drake\\drake_d.tex").unwrap();
    let copy = stack.index().copies(texture)[0];
    send(&mut window, ModelCommand::Join(Wanted::Copy(copy)));
    assert!(window.drawable().model.skeleton.is_some());
    assert!(window.app().session().notices.iter().any(|notice| notice.is_error));
    send(&mut window, ModelCommand::Wear { slot: 0, role: TextureRole::Diffuse, texture: None });
    assert_eq!(window.active().model.texture(0, TextureRole::Diffuse), None);
    send(&mut window, ModelCommand::Drop { entry: texture, slot: 0 });
    assert_eq!(window.active().model.texture(0, TextureRole::Diffuse), Some(copy));
    send(&mut window, ModelCommand::WearBest);
    assert_eq!(window.active().model.texture(0, TextureRole::Diffuse), Some(copy));
}

#[test]
fn a_skeleton_opens_with_its_mesh_and_alone() {
    let mut window = Window::open(SKELETON);
    assert!(window.drawable().model.mesh.is_some(), "the mesh whose objects are its parts");
    let id = window.active().id;
    window.app().commands().send(Command::Model(id, ModelCommand::Join(Wanted::Nothing)));
    window.settle();
    assert!(window.drawable().model.mesh.is_none() && window.drawable().model.skeleton.is_some());
    for page in [ModelPage::View, ModelPage::Parts, ModelPage::Bones, ModelPage::Vertex, ModelPage::Data] {
        window.page(page);
    }
}

#[test]
fn levels_of_detail_are_stepped_through_and_follow_the_distance() {
    let mut window = Window::open(DRAKE);
    assert!(window.has_text("Level of detail: lod 0"));
    window.press(Key::Period);
    assert!(window.has_text("Level of detail: lod 1"));
    for _ in 0..9 {
        window.press(Key::Period);
    }
    let last = window.drawable().model.mesh.as_ref().unwrap().levels(false).len() - 1;
    assert!(window.has_text(&format!("Level of detail: lod {last}")));
    window.press(Key::Comma);
    assert!(window.has_text(&format!("Level of detail: lod {}", last - 1)));
    window.model(ModelLook::LevelByDistance);
    assert!(window.has_text("Level of detail: auto: lod 0"));
}

#[test]
fn a_part_is_hidden_and_shown_and_its_bytes_are_found() {
    let mut window = Window::open(DRAKE);
    window.page(ModelPage::Parts);
    let label = {
        let boxes = window.harness.query_all_by_role(Role::CheckBox);
        let labels = boxes.filter_map(|node| node.accesskit_node().label());
        labels.into_iter().find(|label| label.starts_with("Hide ")).unwrap()
    };
    let name = label.trim_start_matches("Hide ").to_owned();
    window.harness.query_all_by_label(&label).next().unwrap().click();
    window.settle();
    assert!(window.has(&format!("Show {name}")));
    window.click("show all");
    assert!(!window.has(&format!("Show {name}")));
    assert!(window.active().selection.is_none());
    window.harness.query_all_by_role_and_label(Role::Row, &name).next().unwrap().click();
    window.settle();
    let range = window.active().selection.clone().unwrap().range;
    let mesh = window.drawable().model.mesh.clone().unwrap();
    assert!(mesh.groups.iter().any(|group| group.streams[0].offset == range.start));
}

#[test]
fn a_bone_is_found_turned_mirrored_and_let_go_again() {
    let mut window = Window::open(DRAKE);
    window.page(ModelPage::Bones);
    window.type_into("Find a bone", "jaw");
    window.click_role(Role::TreeItem, "Jaw");
    let jaw = window.bone("Jaw");
    assert!(window.has("Turn about X"), "the bone is chosen");
    let rest = window.picture();
    // No slider shows these angles to their last digit.
    window.model(ModelLook::Turn(jaw, [11.372, -120.214, 25.768]));
    let bent = window.picture();
    assert!(bent != rest);
    window.click("Undo");
    assert!(window.picture() == rest);
    window.press_with(Modifiers::COMMAND, Key::Y);
    assert!(window.picture() == bent);
    window.press_with(Modifiers::COMMAND, Key::Z);
    assert!(window.picture() == rest);
}

#[test]
fn escape_lets_go_of_what_is_chosen_wherever_the_keyboard_is() {
    let mut window = Window::open(DRAKE);
    window.page(ModelPage::Bones);
    let middle = window.viewport().center();
    window.press_at(middle, middle, Modifiers::NONE);
    window.model(ModelLook::Choose(Some(window.bone("Jaw"))));
    // The list of paths gets the keyboard.
    window.click_role(Role::TreeItem, "drake.mesh");
    assert!(window.has("Turn about X") && window.active().model.picked.is_some());
    window.press(Key::Escape);
    assert!(!window.has("Turn about X") && window.active().model.picked.is_some());
    window.press(Key::Escape);
    assert_eq!(window.active().model.picked, None);
}

#[test]
fn home_looks_at_everything_whatever_is_chosen_and_the_pages_stay_open() {
    let mut window = Window::open(DRAKE);
    // The model gets the keyboard: in lists the key has another meaning.
    let middle = window.viewport().center();
    window.press_at(middle, middle, Modifiers::NONE);
    window.model(ModelLook::Choose(Some(window.bone("Jaw"))));
    let chosen = window.picture();
    window.press(Key::F);
    assert!(window.picture() != chosen);
    window.press(Key::Home);
    assert!(window.picture() == chosen);
    window.page(ModelPage::Parts);
    window.click("drake_flawed.mesh");
    assert!(window.has_text("Culled from"), "another model has the page beside it as well");
}

#[test]
fn a_turn_is_made_on_the_other_side_as_well_and_mirrored() {
    let mut window = Window::open(DRAKE);
    window.page(ModelPage::Bones);
    window.type_into("Find a bone", "Wing_Arm");
    window.click_role(Role::TreeItem, "L_Wing_Arm");
    let wing = window.bone("L_Wing_Arm");
    window.model(ModelLook::Turn(wing, [0.0, 30.0, 0.0]));
    let turned = |window: &Window| window.harness.query_all_by_label_contains("Wing_Arm, turned").count();
    assert_eq!(turned(&window), 1);
    window.click("To other side");
    assert_eq!(turned(&window), 2);
    window.model(ModelLook::Mirror);
    assert_eq!(turned(&window), 2, "a pose that is alike on both sides is its own mirror image");
    window.click("Rest");
    assert_eq!(turned(&window), 0);
}

#[test]
fn a_click_on_the_model_finds_a_vertex_and_selects_its_bytes() {
    let mut window = Window::open(DRAKE);
    let middle = window.viewport().center();
    window.press_at(middle, middle, Modifiers::NONE);
    let (group, vertex) = window.active().model.picked.expect("the model is in the middle");
    let mesh = window.drawable().model.mesh.clone().unwrap();
    let stream = &mesh.groups[group].streams[0];
    let start = stream.offset + u64::from(vertex * stream.stride);
    let selected = window.active().selection.clone().unwrap().range;
    assert_eq!(selected, start..start + u64::from(stream.stride));
    let record = format!("stream[{vertex}].");
    let rows = window.harness.query_all_by_role(Role::TreeItem);
    let labels: Vec<_> = rows.filter_map(|node| node.accesskit_node().label()).collect();
    assert!(labels.iter().any(|label| label.contains(&record)), "{record}: {labels:?}");
    window.page(ModelPage::Vertex);
    assert!(window.has_text("Weights, in parts of 255"));
    // The corner of the panel shows nothing of the model.
    let corner = window.viewport().left_bottom() + egui::vec2(6.0, -6.0);
    window.press_at(corner, corner, Modifiers::NONE);
    assert_eq!(window.active().model.picked, None);
}

#[test]
fn dragging_turns_the_camera_and_not_the_model() {
    let mut window = Window::open(DRAKE);
    let before = window.picture();
    let middle = window.viewport().center();
    window.press_at(middle, middle + egui::vec2(120.0, 20.0), Modifiers::NONE);
    assert_eq!(window.active().model.picked, None, "a drag is no click");
    assert!(window.picture() != before);
    window.press_at(middle, middle + egui::vec2(-40.0, 0.0), Modifiers::SHIFT);
    window.press(Key::Home);
}

#[test]
fn every_way_to_look_is_in_the_commands_and_draws() {
    use palimpsest::gpu::mesh::Mode;
    use palimpsest::panels::Show;
    let mut window = Window::open(DRAKE);
    window.model(ModelLook::Toggle(Show::Bones));
    let mut seen = Vec::new();
    for mode in Mode::ALL {
        window.model(ModelLook::Choose(Some(window.bone("Jaw"))));
        window.model(ModelLook::Mode(mode));
        let picture = window.picture();
        assert!(!seen.contains(&picture), "{mode:?} looks like another mode");
        seen.push(picture);
    }
    for show in Show::ALL.into_iter().filter(|show| *show != Show::Turntable) {
        let before = window.picture();
        window.model(ModelLook::Toggle(show));
        let after = window.picture();
        // Culling changes nothing where no surface is seen from behind, and shadows where all cast them.
        if !matches!(show, Show::BackFaces | Show::Shadows) {
            assert!(before != after, "{show:?} shows nothing");
        }
        window.model(ModelLook::Toggle(show));
    }
}

#[test]
fn a_pose_stays_when_the_skeleton_goes_and_comes() {
    let mut window = Window::open(DRAKE);
    let jaw = window.bone("Jaw");
    window.model(ModelLook::Turn(jaw, [25.0, 0.0, 0.0]));
    let posed = window.picture();
    let id = window.active().id;
    for wanted in [Wanted::Nothing, Wanted::Best] {
        window.app().commands().send(Command::Model(id, ModelCommand::Join(wanted)));
        window.settle();
    }
    assert!(window.picture() == posed);
}

#[test]
fn a_model_is_saved_as_it_is_drawn() {
    let mut window = Window::open(DRAKE);
    window.app().commands().send(Command::Look(Look::SaveDrawn));
    window.settle();
    until_asked(&mut window);
    let PathFor::Drawn(id, drawing) = window.app().session().path_for.clone() else {
        panic!("nothing asked")
    };
    window.press(Key::Escape);
    let out = tempfile::tempdir().unwrap();
    let file = out.path().join("drake.png");
    let save = PictureCommand::SaveDrawn(file.clone(), drawing);
    window.app().commands().send(Command::Picture(id, save));
    window.settle();
    let drawn = image::open(&file).unwrap().into_rgba8();
    let seen = window.picture();
    assert!(drawn.width() >= 2 * seen.width() && drawn.height() >= 2 * seen.height());
    // The creature stands in the middle, in its colours, and not the ground alone.
    let ground = *drawn.get_pixel(4, drawn.height() / 2);
    assert!(drawn.pixels().filter(|pixel| **pixel != ground).count() > 100_000);
}

#[test]
fn the_flaws_of_a_mesh_are_listed_and_lead_to_their_bytes() {
    let mut window = Window::open(FLAWED);
    window.page(ModelPage::Data);
    let finding = "weights that do not add up, group 0";
    window.click_role(Role::Row, finding);
    let place = window.harness.query_all_by_label_contains("add up to").next().unwrap();
    place.click();
    window.settle();
    let (group, vertex) = window.active().model.picked.unwrap();
    let range = window.active().selection.clone().unwrap().range;
    let bytes = &window.active().document().unwrap().bytes
        [usize::try_from(range.start).unwrap()..usize::try_from(range.end).unwrap()];
    assert_eq!(bytes.len(), 4);
    assert_ne!(bytes.iter().map(|byte| u16::from(*byte)).sum::<u16>(), 255);
    let mesh = window.drawable().model.mesh.clone().unwrap();
    assert!(vertex < mesh.groups[group].vertex_count);
}

#[test]
fn without_a_skeleton_in_the_folder_the_whole_stack_is_looked_through() {
    let folder = tempfile::tempdir().unwrap();
    let demo = palimpsest_core::mount::Stack::mount(
        &Mounts::of(crate::demo().to_path_buf()),
        &palimpsest_core::task::Task::new(),
    )
    .unwrap();
    for (path, name) in [(DRAKE, "a/drake.mesh"), (SKELETON, "b/other.skel")] {
        let copy = demo.index().copies(demo.find(path).unwrap())[0];
        let content = demo.content(copy).unwrap();
        let bytes = content.read(0..content.len(), &palimpsest_core::task::Task::new()).unwrap();
        let file = folder.path().join(name);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, bytes).unwrap();
    }
    let mounts = Some(Mounts::of(folder.path().to_path_buf()));
    let mut window = Window::on(Start { mounts, open: Some("a\\drake.mesh".to_owned()), ..Start::default() });
    assert!(window.drawable().model.skeleton.is_none());
    window.page(ModelPage::Bones);
    window.click("Look in the whole stack");
    assert!(window.drawable().model.skeleton.is_some());
    assert_eq!(window.active().model.offers().unwrap().companions.found[0].path, "b\\other.skel");
}
