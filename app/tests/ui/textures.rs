//! Pictures of textures: the same pixels whoever decodes them.

use std::sync::Arc;

use egui::{Color32, Rect, Vec2, pos2, vec2};
use egui_kittest::Harness;
use image::RgbaImage;
use palimpsest::gpu::Caps;
use palimpsest::gpu::offscreen::render_state;
use palimpsest::gpu::pixels::{Decoding, Part, Pixels};
use palimpsest::gpu::texture::{self, Draw, Shading};
use palimpsest_core::asset::{Asset, PixelFormat, Texture};
use palimpsest_core::codec::pixels::decode_rgba8;
use palimpsest_core::format::load;
use palimpsest_core::formats::dds::{self, NewSurface};
use palimpsest_core::task::Task;

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
    let new = NewSurface { format, width, height, depth: 1, levels: 1, slices: 1, is_cube: false };
    let bytes = dds::write(&new, &[&noise(format, size)]).unwrap();
    match load(&bytes.into(), "a.dds", &Task::new()).unwrap() {
        Asset::Texture(texture) => texture,
        other => panic!("{other:?}"),
    }
}

/// Draws pictures below each other, one pixel of the target for each of theirs.
fn drawn(pictures: &[Arc<Pixels>]) -> Vec<RgbaImage> {
    let state = render_state().unwrap();
    texture::install(&state);
    let size = |pixels: &Pixels| vec2(pixels.levels[0].width as f32, pixels.levels[0].height as f32);
    let height: f32 = pictures.iter().map(|pixels| size(pixels).y).sum();
    let shown = pictures.to_vec();
    let paint = move |ui: &mut egui::Ui| {
        let painter = ui.ctx().layer_painter(egui::LayerId::background());
        let mut top = 0.0;
        for (slot, pixels) in (1..).zip(&shown) {
            let rect = Rect::from_min_size(pos2(0.0, top), size(pixels));
            top = rect.bottom();
            let draw = Draw {
                pixels: Arc::clone(pixels),
                slot,
                part: Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0)),
                level: 0,
                channels: [true; 4],
                is_sharp: true,
                checker: [Color32::BLACK; 2],
                square: 8.0,
                shading: Shading { is_opaque: true, ..Shading::default() },
                heat: None,
                wake: ui.ctx().clone(),
            };
            painter.add(draw.shape(rect));
        }
    };
    let mut harness = Harness::builder()
        .with_size(Vec2::new(256.0, height))
        .with_pixels_per_point(1.0)
        .renderer(egui_kittest::wgpu::WgpuTestRenderer::from_render_state(state))
        .build_ui(paint);
    harness.run_steps(3);
    let target = harness.render().unwrap();
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
        let is_stored = !matches!(texture.format, PixelFormat::R32Float | PixelFormat::Rgba32Float);
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
