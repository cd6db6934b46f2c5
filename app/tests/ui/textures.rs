//! Pictures of textures: the same pixels whoever decodes them, their tiers, parts and ways to look at them.

use std::sync::Arc;

use egui::accesskit::Role;
use egui::{Color32, Rect, Vec2, pos2, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use image::RgbaImage;
use palimpsest::app::Start;
use palimpsest::command::{Command, PictureCommand};
use palimpsest::files::Files;
use palimpsest::gpu::Caps;
use palimpsest::gpu::offscreen::render_state;
use palimpsest::gpu::pixels::{Decoding, Part, Pixels};
use palimpsest::gpu::texture::{self, Draw, Mode, Shading};
use palimpsest::session::{PictureChoice, Tier};
use palimpsest::thumbnail::of_copy;
use palimpsest_core::asset::{Asset, PixelFormat, Texture};
use palimpsest_core::codec::pixels::decode_rgba8;
use palimpsest_core::export::{Conversion, Form};
use palimpsest_core::format::load;
use palimpsest_core::formats::dds::{self, NewSurface};
use palimpsest_core::mount::Mounts;
use palimpsest_core::task::Task;

use crate::Window;

const SWORD: &str = "characters\\ranger\\ranger_sword_d.tex";

const SIZES: [(u32, u32); 7] = [(20, 20), (10, 10), (5, 5), (2, 2), (1, 1), (250, 250), (64, 16)];

/// Bytes that are no special floats.
fn noise(format: PixelFormat, len: usize) -> Vec<u8> {
    let mut state = 11u32;
    let mut next = || {
        state = state.wrapping_mul(0x0019_660D).wrapping_add(0x3C6E_F35F);
        state.to_be_bytes()[0]
    };
    match format {
        PixelFormat::R16Float | PixelFormat::Rgba16Float => {
            (0..len / 2).flat_map(|_| [next(), 0x34 + next() % 8]).collect()
        }
        PixelFormat::R32Float | PixelFormat::Rgba32Float => {
            (0..len / 4).flat_map(|_| (f32::from(next()) / 200.0 - 0.1).to_le_bytes()).collect()
        }
        _ => (0..len).map(|_| next()).collect(),
    }
}

fn texture_of(format: PixelFormat, (width, height): (u32, u32)) -> Texture {
    let size = usize::try_from(format.level_size(width, height, 1)).unwrap();
    let new = NewSurface::flat(format, width, height);
    let bytes = dds::write(&new, &[&noise(format, size)]).unwrap();
    match load(&bytes.into(), "a.dds", &Task::new()).unwrap() {
        Asset::Texture(texture) => texture,
        other => panic!("{other:?}"),
    }
}

/// Draws pictures into places of a target, over each other in their order.
fn painted(size: Vec2, pictures: Vec<(Arc<Pixels>, Rect, Mode)>) -> RgbaImage {
    let state = render_state().unwrap();
    texture::install(&state);
    let paint = move |ui: &mut egui::Ui| {
        let painter = ui.ctx().layer_painter(egui::LayerId::background());
        for (slot, (pixels, rect, mode)) in (1..).zip(&pictures) {
            let draw = Draw {
                pixels: Arc::clone(pixels),
                slot,
                part: Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0)),
                level: 0,
                channels: [true; 4],
                is_sharp: true,
                checker: [Color32::BLACK; 2],
                square: 8.0,
                shading: Shading { is_opaque: true, mode: *mode, ..Shading::default() },
                heat: None,
                wake: ui.ctx().clone(),
            };
            painter.add(draw.shape(*rect));
        }
    };
    let mut harness = Harness::builder()
        .with_size(size)
        .with_pixels_per_point(1.0)
        .renderer(egui_kittest::wgpu::WgpuTestRenderer::from_render_state(state))
        .build_ui(paint);
    harness.run_steps(3);
    harness.render().unwrap()
}

/// Draws pictures below each other, one pixel of the target for each of theirs.
fn drawn(pictures: &[Arc<Pixels>]) -> Vec<RgbaImage> {
    let size = |pixels: &Pixels| vec2(pixels.levels[0].width as f32, pixels.levels[0].height as f32);
    let mut top = 0.0;
    let place = |pixels: &Arc<Pixels>| {
        let rect = Rect::from_min_size(pos2(0.0, top), size(pixels));
        top = rect.bottom();
        (Arc::clone(pixels), rect, Mode::Colours)
    };
    let placed: Vec<_> = pictures.iter().map(place).collect();
    let target = painted(vec2(256.0, top), placed);
    let mut top = 0;
    let cut = |pixels: &Arc<Pixels>| {
        let (width, height) = (pixels.levels[0].width, pixels.levels[0].height);
        let cut = image::imageops::crop_imm(&target, 0, top, width, height).to_image();
        top += height;
        cut
    };
    pictures.iter().map(cut).collect()
}

#[test]
fn card_and_processor_show_the_same_pixels_of_every_format_and_odd_size() {
    let caps = Caps::of(&render_state().unwrap());
    assert!(caps.has_bc, "the reference rasteriser takes blocks");
    let all = PixelFormat::ALL.iter().flat_map(|format| SIZES.map(|size| (*format, size)));
    let textures: Vec<_> = all.map(|(format, size)| texture_of(format, size)).collect();
    let ready = |decoding| -> Vec<_> {
        let part = Part { decoding, ..Part::default() };
        let ready = |texture| Arc::new(Pixels::new(texture, part, &caps, &Task::new()).unwrap());
        textures.iter().map(ready).collect()
    };
    let [card, processor] = [Decoding::Card, Decoding::Processor].map(ready);
    for ((card, processor), texture) in card.iter().zip(&processor).zip(&textures) {
        let is_stored = !matches!(
            texture.format,
            PixelFormat::Bgrx8Unorm | PixelFormat::R32Float | PixelFormat::Rgba32Float
        );
        assert_eq!((card.is_decoded, processor.is_decoded), (!is_stored, true), "{}", texture.format.name());
    }
    let [card, processor] = [card, processor].map(|pictures| drawn(&pictures));
    for ((card, processor), texture) in card.iter().zip(&processor).zip(&textures) {
        let (format, size) = (texture.format, (texture.width, texture.height));
        assert_eq!(card.dimensions(), size);
        // Graphics cards may round what lies between the ends of a block.
        let most = if format.block_px() == 4 { 2 } else { 1 };
        let far = card.as_raw().iter().zip(processor.as_raw()).map(|(a, b)| a.abs_diff(*b)).max();
        assert!(far.unwrap() <= most, "{} {size:?}: {far:?}", format.name());
        // What the window shows is what an export has.
        let image = texture.image(0, 0).unwrap();
        let exported = decode_rgba8(format, size.0, size.1, &image.data).unwrap();
        for (shown, exported) in processor.as_raw().chunks(4).zip(exported.chunks(4)) {
            let [r, g, b] = [exported[0], exported[1], exported[2]];
            let exported = if format.is_single_channel() { [r; 3] } else { [r, g, b] };
            for (shown, exported) in shown.iter().zip(exported) {
                assert!(shown.abs_diff(exported) <= 1, "{} {size:?}", format.name());
            }
        }
    }
}

/// The size of the largest level that is shown.
fn shown(window: &Window) -> (u32, u32) {
    let open = window.active();
    let pixels = open.shown_pixels().unwrap().unwrap();
    (pixels.levels[0].width, pixels.levels[0].height)
}

#[test]
fn the_tiers_of_a_texture_are_shown_joined_and_one_by_one() {
    let mut window = Window::open(SWORD);
    assert_eq!(shown(&window), (1024, 1024));
    assert!(window.has_text("level 0   1024 × 1024   .texuhd"));
    window.click("tiers: joined");
    assert!(window.has_text(".tex  of HotChunk.arch06: 256 × 256, 9 levels"));
    window.click(".tex  of HotChunk.arch06: 256 × 256, 9 levels");
    assert_eq!(shown(&window), (256, 256));
    let choice = window.active().picture.choice;
    assert_eq!(choice.tier, Tier::File(0));
    // Another copy keeps the part, and joins its own tiers.
    window.press(egui::Key::OpenBracket);
    assert_eq!((window.active().copy, window.active().picture.choice.tier), (1, Tier::Joined));
}

#[test]
fn a_pixel_of_another_tier_leads_to_its_bytes_there() {
    let mut window = Window::open(SWORD);
    let at = window.harness.get_by_role_and_label(Role::Image, "Picture").rect().center();
    let modifiers = egui::Modifiers::COMMAND;
    for is_pressed in [true, false] {
        window.harness.event(egui::Event::PointerMoved(at));
        let button = egui::PointerButton::Primary;
        window.harness.event_modifiers(
            egui::Event::PointerButton { pos: at, button, pressed: is_pressed, modifiers },
            modifiers,
        );
        window.harness.step();
    }
    window.settle();
    let open = window.active();
    assert_eq!(open.leaf(), "ranger_sword_d.texuhd");
    let range = open.selection.clone().unwrap().range;
    let image = open.document().map(|document| document.inspection.asset.as_ref().unwrap().as_ref().unwrap());
    let Some(Asset::Texture(texture)) = image else { panic!("it is a texture") };
    let own = texture.image(0, 0).unwrap();
    assert_eq!(range.end - range.start, 16);
    assert!(range.start >= own.offset && range.end <= own.offset + own.data.len() as u64);
}

#[test]
fn a_click_on_the_picture_selects_the_block_among_the_bytes() {
    let mut window = Window::open("worlds\\retail\\grove\\textures\\fern_d.tex");
    let picture = window.harness.get_by_role_and_label(Role::Image, "Picture").rect();
    let click = |window: &mut Window, at: egui::Pos2| {
        for is_pressed in [true, false] {
            window.harness.event(egui::Event::PointerMoved(at));
            window.harness.event(egui::Event::PointerButton {
                pos: at,
                button: egui::PointerButton::Primary,
                pressed: is_pressed,
                modifiers: egui::Modifiers::NONE,
            });
            window.harness.step();
        }
        window.settle();
    };
    click(&mut window, picture.center());
    let open = window.active();
    let texture = open.shown_texture().unwrap();
    let image = texture.image(0, 0).unwrap();
    let range = open.selection.clone().unwrap().range;
    let size = u64::from(texture.format.block_size());
    assert_eq!(range.end - range.start, size);
    // The block in the middle.
    let across = u64::from(image.width / 4);
    let middle = u64::from(image.height / 8) * across + across / 2;
    let number = (range.start - image.offset) / size;
    assert!(
        [middle, middle - 1, middle - across, middle - across - 1].contains(&number),
        "{number} {middle}"
    );
}

#[test]
fn slices_are_chosen_and_decoded_by_either_side() {
    let folder = tempfile::tempdir().unwrap();
    let format = PixelFormat::Rgba8Unorm;
    let new = NewSurface { slices: 6, is_cube: true, ..NewSurface::flat(format, 2, 2) };
    let faces: Vec<_> = (0..6).map(|face| vec![face; 16]).collect();
    let faces: Vec<_> = faces.iter().map(Vec::as_slice).collect();
    std::fs::write(folder.path().join("sky.dds"), dds::write(&new, &faces).unwrap()).unwrap();
    let mounts = Some(Mounts::of(folder.path().to_path_buf()));
    let mut window = Window::on(Start { mounts, open: Some("sky.dds".to_owned()), ..Start::default() });
    window.click_role(Role::ComboBox, "face 0  +X");
    window.click("face 3  −Y");
    let pixels = |window: &Window| Arc::clone(window.active().shown_pixels().unwrap().unwrap());
    assert_eq!((pixels(&window).levels[0].data[0], pixels(&window).is_decoded), (3, false));
    // All of them, and back to one by a click.
    window.click_role(Role::ComboBox, "face 3  −Y");
    window.click("all faces");
    let sheet = window.active().picture.sheet.as_ref().unwrap().ready().unwrap().clone();
    assert_eq!(sheet.iter().map(|pixels| pixels.levels[0].data[0]).collect::<Vec<_>>(), [0, 1, 2, 3, 4, 5]);
    window.click_role(Role::Image, "face 5  −Z");
    assert!(window.active().picture.sheet.is_none());
    assert_eq!(pixels(&window).levels[0].data[0], 5);
    window.click_role(Role::ComboBox, "face 5  −Z");
    window.click("face 3  −Y");
    let (id, choice) = (window.active().id, window.active().picture.choice);
    let part = Part { decoding: Decoding::Processor, ..choice.part };
    window
        .app()
        .commands()
        .send(Command::Picture(id, PictureCommand::Show(PictureChoice { part, ..choice })));
    window.settle();
    assert_eq!((pixels(&window).levels[0].data[0], pixels(&window).is_decoded), (3, true));
}

#[test]
fn a_cube_on_a_ball_has_its_faces_where_directions_meet_them() {
    let caps = Caps::of(&render_state().unwrap());
    let format = PixelFormat::Rgba8Unorm;
    let new = NewSurface { slices: 6, is_cube: true, ..NewSurface::flat(format, 2, 2) };
    // The left half of a face has its number in red, the right half in green; the lower half is blue as well.
    let texels = |at: u8| {
        let value = 20 * at + 20;
        [[value, 0, 0, 255], [0, value, 0, 255], [value, 0, 255, 255], [0, value, 255, 255]]
    };
    let face = |at: u8| texels(at).concat();
    let faces: Vec<_> = (0..6).map(face).collect();
    let faces: Vec<_> = faces.iter().map(Vec::as_slice).collect();
    let bytes = dds::write(&new, &faces).unwrap();
    let Asset::Texture(cube) = load(&bytes.into(), "a.dds", &Task::new()).unwrap() else { panic!() };
    let pixels = |slice| {
        let part = Part { slice, ..Part::default() };
        Arc::new(Pixels::new(&cube, part, &caps, &Task::new()).unwrap())
    };
    let place = Rect::from_min_size(pos2(0.0, 0.0), vec2(65.0, 65.0));
    let quarter = std::f32::consts::FRAC_PI_2;
    let turns = [
        (0, [-quarter, 0.0]),
        (1, [quarter, 0.0]),
        (2, [0.0, quarter]),
        (3, [0.0, -quarter]),
        (4, [2.0 * quarter, 0.0]),
        (5, [0.0, 0.0]),
    ];
    for (front, turn) in turns {
        let faces = (0..6).map(|face| (pixels(face), place, Mode::Face { face, turn })).collect();
        let target = painted(place.size(), faces);
        let shown = [(28, 28), (36, 28), (28, 36), (36, 36)].map(|(x, y)| target.get_pixel(x, y).0);
        // Faces are made to be seen from inside: from outside they are mirrored.
        let [a, b, c, d] = texels(front);
        let mirrored = if matches!(front, 2 | 3) { [c, d, a, b] } else { [b, a, d, c] };
        assert_eq!(shown, mirrored, "face {front}");
    }
}

/// Moves the pointer from one place to another with the button held.
fn drag(window: &mut Window, from: egui::Pos2, to: egui::Pos2) {
    let mut button = |pos, pressed| {
        let (button, modifiers) = (egui::PointerButton::Primary, egui::Modifiers::NONE);
        window.harness.event(egui::Event::PointerMoved(pos));
        window.harness.step();
        window.harness.event(egui::Event::PointerButton { pos, button, pressed, modifiers });
        window.harness.step();
    };
    button(from, true);
    button(to, false);
    window.settle();
}

#[test]
fn values_are_counted_and_the_range_is_fitted_to_them() {
    let folder = tempfile::tempdir().unwrap();
    let format = PixelFormat::R8Unorm;
    let new = NewSurface::flat(format, 64, 64);
    let file = dds::write(&new, &[&[[51; 32], [102; 32]].concat().repeat(64)]).unwrap();
    std::fs::write(folder.path().join("a.dds"), file).unwrap();
    let mounts = Some(Mounts::of(folder.path().to_path_buf()));
    let mut window = Window::on(Start { mounts, open: Some("a.dds".to_owned()), ..Start::default() });
    assert!(window.active().picture.histogram.is_none(), "counted when it is looked at");
    let before = window.harness.render().unwrap();
    window.click("view");
    window.settle();
    let histogram = window.harness.get_by_role_and_label(Role::Image, "Histogram: 0.2 to 0.4").rect();
    // White is taken hold of at the right edge.
    let from = histogram.right_center() - vec2(2.0, 0.0);
    drag(&mut window, from, histogram.left_center() + vec2(histogram.width() * 0.6, 0.0));
    assert!(window.has("view *"), "the range has another edge");
    window.click("fit");
    window.click("view *");
    assert!(window.has("view *"), "what was chosen stays when it is not looked at");
    let after = window.harness.render().unwrap();
    let picture = window.harness.get_by_role_and_label(Role::Image, "Picture").rect();
    let red = |image: &RgbaImage, x: f32| {
        let at = picture.center() + vec2(x, 0.0) - pos2(0.5, 0.5);
        image::imageops::sample_nearest(image, at.x / image.width() as f32, at.y / image.height() as f32)
            .unwrap()
            .0[0]
    };
    assert_eq!((red(&before, -9.0), red(&after, -9.0)), (51, 0));
    assert_eq!((red(&before, 9.0), red(&after, 9.0)), (102, 255));
}

#[test]
fn preview_thumbnail_and_both_exports_have_the_same_pixels() {
    let root = tempfile::tempdir().unwrap();
    let format = PixelFormat::Bc1Unorm;
    let size = usize::try_from(format.level_size(64, 64, 1)).unwrap();
    // Opaque blocks: the first end is the larger number.
    let blocks = noise(format, size);
    let opaque = |block: &[u8]| [&[0xFF, 0xFF, block[2] & 0x7F, block[3] & 0x7F], &block[4..]].concat();
    let blocks: Vec<u8> = blocks.chunks(8).flat_map(opaque).collect();
    let new = NewSurface::flat(format, 64, 64);
    let folder = root.path().join("game");
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(folder.join("a_d.dds"), dds::write(&new, &[&blocks]).unwrap()).unwrap();
    let start = Start {
        mounts: Some(Mounts::of(folder.clone())),
        open: Some("a_d.dds".to_owned()),
        ..Start::default()
    };
    let mut window = Window::on(start);
    let rgb =
        |pixels: &[u8]| pixels.chunks(4).flat_map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect::<Vec<_>>();
    let open = window.active();
    let copy = open.copy_ref().unwrap();
    let texture = open.shown_texture().unwrap().clone();
    let part = Part { decoding: Decoding::Processor, ..Part::default() };
    let caps = Caps::of(&render_state().unwrap());
    let pixels = Arc::new(Pixels::new(&texture, part, &caps, &Task::new()).unwrap());
    let preview = rgb(drawn(&[pixels])[0].as_raw());
    let stack = &open.mounted.stack;
    let thumbnail = of_copy(stack, copy, 64, None, &Task::new()).unwrap();
    assert_eq!((thumbnail.picture.size, thumbnail.size), ([64, 64], [64, 64]));
    assert_eq!(rgb(thumbnail.picture.as_raw()), preview);
    let out = root.path().join("menu");
    let conversion = Conversion { form: Form::Png, ..Conversion::default() };
    window.app().commands().send(Command::Extract(out.clone(), Files::Copy(copy), conversion));
    window.settle();
    let menu = std::fs::read(out.join("a_d.dds.png")).unwrap();
    assert_eq!(rgb(image::load_from_memory(&menu).unwrap().into_rgba8().as_raw()), preview);
    let out = root.path().join("line");
    let ran = std::process::Command::new(env!("CARGO_BIN_EXE_palimpsest"))
        .args(["extract", "a_d.dds", "--as", "png", "-m"])
        .arg(&folder)
        .arg("--out")
        .arg(&out)
        .output()
        .unwrap();
    assert!(ran.status.success());
    assert_eq!(std::fs::read(out.join("a_d.dds.png")).unwrap(), menu, "the same bytes");
}
