//! What can be done with a picture beside looking at it: exact pixels, values, tiers, files.

use egui::accesskit::Role;
use egui::{Key, Modifiers, pos2};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use image::RgbaImage;
use palimpsest::app::Start;
use palimpsest::command::{Command, Look, PathFor, PictureCommand, Shade};
use palimpsest::files::Files;
use palimpsest::gpu::texture::Mode;
use palimpsest::session::{Drawing, Tier};
use palimpsest_core::asset::PixelFormat;
use palimpsest_core::export::{Channels, Conversion, Form, Wanted, Which};
use palimpsest_core::formats::dds::{self, NewSurface};
use palimpsest_core::mount::Mounts;

use crate::Window;

const SWORD: &str = "characters\\ranger\\ranger_sword_d.tex";

/// A window on a texture of 64 × 64 pixels that all differ, with a name.
fn on_texture(folder: &std::path::Path, name: &str, alpha: u8) -> Window {
    let pixels: Vec<u8> =
        (0..64u8).flat_map(|y| (0..64u8).flat_map(move |x| [4 * x, 4 * y, 77, alpha])).collect();
    let new = NewSurface::flat(PixelFormat::Rgba8Unorm, 64, 64);
    std::fs::write(folder.join(name), dds::write(&new, &[&pixels]).unwrap()).unwrap();
    let mounts = Some(Mounts::of(folder.to_path_buf()));
    Window::on(Start { mounts, open: Some(name.to_owned()), ..Start::default() })
}

/// The pixels in the middle of the picture on the screen.
fn middle(window: &mut Window, per_point: f32) -> RgbaImage {
    let picture = window.harness.get_by_role_and_label(Role::Image, "Picture").rect();
    let screen = window.harness.render().unwrap();
    let centre = picture.center() * per_point - pos2(32.0, 32.0).to_vec2();
    let rect = egui::Rect::from_min_size(centre, egui::Vec2::splat(64.0));
    let at = |x: u32, y: u32| {
        let [u, v] = [
            (rect.left().round() + x as f32 + 0.5) / screen.width() as f32,
            (rect.top().round() + y as f32 + 0.5) / screen.height() as f32,
        ];
        image::imageops::sample_nearest(&screen, u, v).unwrap()
    };
    RgbaImage::from_fn(64, 64, at)
}

/// Waits until a path is asked for by typing, because there is no dialog.
pub(crate) fn until_asked(window: &mut Window) {
    let started = std::time::Instant::now();
    while !window.has_text("folders are made where missing") && !window.has_text("draws the picture into it")
    {
        window.harness.step();
        assert!(started.elapsed() < crate::PATIENCE, "no path is asked for");
    }
}

#[test]
fn exact_pixels_are_those_of_the_screen_also_where_points_are_larger() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = on_texture(folder.path(), "a_d.dds", 255);
    for per_point in [1.0, 2.0, 1.5] {
        window.harness.set_pixels_per_point(per_point);
        window.settle();
        window.press(Key::Num0);
        // The pointer is elsewhere, or it would be told about.
        let drawn = middle(&mut window, per_point);
        let first = drawn.get_pixel(0, 0).0;
        // The corner lies on a pixel of the screen, which may be one beside the middle.
        let (left, top) = (u32::from(first[0]) / 4, u32::from(first[1]) / 4);
        assert!(left <= 1 && top <= 1, "{per_point}: {first:?}");
        for (x, y) in [(0, 0), (1, 0), (0, 1), (31, 17), (62, 62)] {
            let [r, g, b, _] = drawn.get_pixel(x, y).0;
            let wanted = [4 * (x + left), 4 * (y + top), 77];
            assert_eq!([r, g, b].map(u32::from), wanted, "{per_point}: {x}, {y}");
        }
    }
}

#[test]
fn alpha_that_is_a_direction_is_no_transparency_until_it_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = on_texture(folder.path(), "wall_n.dds", 0);
    window.press(Key::Num0);
    let is_shown = |drawn: &RgbaImage| drawn.get_pixel(30, 30).0[2] == 77;
    assert!(is_shown(&middle(&mut window, 1.0)));
    let shade = |window: &mut Window, shade| {
        window.app().commands().send(Command::Look(Look::Shade(shade)));
        window.settle();
    };
    shade(&mut window, Shade::Alpha);
    assert!(!is_shown(&middle(&mut window, 1.0)));
    shade(&mut window, Shade::Reset);
    assert!(is_shown(&middle(&mut window, 1.0)));
    shade(&mut window, Shade::Exposure(-1));
    assert_eq!(middle(&mut window, 1.0).get_pixel(30, 30).0[2], 38, "half of the values");
}

#[test]
fn values_and_tiers_are_chosen_from_the_palette() {
    let mut window = Window::open(SWORD);
    let before = window.harness.render().unwrap();
    let run = |window: &mut Window, words: &str| {
        window.press_with(Modifiers::COMMAND | Modifiers::SHIFT, Key::P);
        window.type_text(words);
        window.press(Key::Enter);
    };
    run(&mut window, "normals lit");
    let lit = window.harness.render().unwrap();
    assert_ne!(lit, before);
    run(&mut window, "values first");
    for tier in [Tier::File(0), Tier::File(1), Tier::File(2), Tier::Joined] {
        run(&mut window, "next tier");
        assert_eq!(window.active().picture.choice.tier, tier);
    }
}

#[test]
fn a_picture_is_saved_as_it_is_drawn_and_never_into_what_is_mounted() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = on_texture(folder.path(), "a_d.dds", 255);
    window.app().commands().send(Command::Look(Look::Shade(Shade::Exposure(-1))));
    window.app().commands().send(Command::Look(Look::Shade(Shade::Tiles)));
    window.app().commands().send(Command::Look(Look::SaveDrawn));
    window.settle();
    until_asked(&mut window);
    let PathFor::Drawn(id, drawing) = window.app().session().path_for.clone() else {
        panic!("nothing asked")
    };
    let Drawing::Texture(shown) = &drawing else { panic!("a texture is shown") };
    assert_eq!((shown.shading.tiles, shown.shading.mode), (3, Mode::Colours));
    window.press(Key::Escape);
    let out = tempfile::tempdir().unwrap();
    let file = out.path().join("drawn.png");
    let save = |window: &mut Window, file: std::path::PathBuf| {
        window.app().commands().send(Command::Picture(id, PictureCommand::SaveDrawn(file, drawing.clone())));
        window.settle();
    };
    save(&mut window, file.clone());
    let drawn = image::open(&file).unwrap().into_rgba8();
    assert_eq!(drawn.dimensions(), (192, 192));
    assert_eq!([0, 64, 128].map(|at| drawn.get_pixel(at + 10, 20).0), [[20, 40, 38, 255]; 3]);
    assert!(window.app().session().notices.last().unwrap().text.contains("192 × 192 pixels written to"));
    save(&mut window, folder.path().join("drawn.png"));
    assert!(window.app().session().notices.last().unwrap().is_error);
    assert!(!folder.path().join("drawn.png").exists());
}

#[test]
fn the_question_for_a_folder_says_what_is_written_and_begins_with_the_last_one() {
    let mut window = Window::open(SWORD);
    let copy = window.active().copy_ref().unwrap();
    let out = tempfile::tempdir().unwrap();
    let wanted = Wanted {
        level: Which::One(2),
        slice: Which::One(0),
        channels: Channels::Shown([true, false, true, false]),
    };
    let conversion = Conversion { form: Form::Png, wanted, is_joined: true, ..Conversion::default() };
    window.app().commands().send(Command::Extract(out.path().to_path_buf(), Files::Copy(copy), conversion));
    window.settle();
    let said = window.app().session().notices.last().unwrap().text.clone();
    assert!(said.starts_with(&format!("1 of 1 file written to {}", out.path().display())), "{said}");
    window.app().commands().send(Command::PickExportFolder(Files::Copy(copy), conversion));
    until_asked(&mut window);
    let title = " as png, tiers joined, level 2, slice 0, channels RB; folders are made where missing";
    assert!(window.has_text(title));
    let field = window.harness.get_by_role_and_label(Role::TextInput, "A folder to extract into");
    let text = field.accesskit_node().value().unwrap_or_default();
    assert_eq!(text, out.path().display().to_string());
}
