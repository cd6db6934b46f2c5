//! The pixel under the pointer, and where its bytes are.

use std::ops::Range;

use egui::{Align2, Color32, Pos2, Rect, Ui, pos2, vec2};
use palimpsest_core::asset::{Image, PixelFormat, Texture};
use palimpsest_core::codec::pixels::decode_rgba32f;
use palimpsest_core::mount::CopyRef;

use crate::command::{Command, Selection, Selector};
use crate::gpu::pixels::Part;
use crate::session::OpenDocument;
use crate::theme::{self, Theme};

/// What is shown: a level of a part of a texture.
#[derive(Clone, Copy)]
pub(super) struct Shown<'a> {
    pub(super) open: &'a OpenDocument,
    pub(super) texture: &'a Texture,
    pub(super) level: u32,
    pub(super) part: Part,
}

impl<'a> Shown<'a> {
    fn image(&self) -> Option<&'a Image> {
        self.texture.image(self.part.slice, self.level)
    }

    /// Where the layer that is shown starts among the bytes of its image.
    fn layer(&self, image: &Image) -> u64 {
        let layer = image.nearest_layer(self.part.layer);
        self.texture.format.level_size(image.width, image.height, 1) * u64::from(layer)
    }
}

/// A pixel with the bytes that it is decoded from.
pub(super) struct Texel {
    at: [u32; 2],
    value: [f32; 4],
    stored: Vec<u8>,
    format: PixelFormat,
    /// Where the bytes are in the file that the tab shows; `None` where they are in another tier.
    range: Option<Range<u64>>,
    /// The tier that the bytes are in, where that is another file: its ending, its copy, and where in it.
    elsewhere: Option<(String, CopyRef, Range<u64>)>,
}

impl Texel {
    /// The pixel at a place of the picture, 0 to 1.
    pub(super) fn at(shown: &Shown<'_>, uv: Pos2) -> Option<Self> {
        if !(0.0..1.0).contains(&uv.x) || !(0.0..1.0).contains(&uv.y) {
            return None;
        }
        let (image, format) = (shown.image()?, shown.texture.format);
        let at = [(uv.x * image.width as f32) as u32, (uv.y * image.height as f32) as u32];
        let (block, size) = (format.block_px(), format.block_size());
        let across = image.width.div_ceil(block);
        let number = u64::from(at[1] / block) * u64::from(across) + u64::from(at[0] / block);
        let start = shown.layer(image) + number * u64::from(size);
        let from = usize::try_from(start).ok()?;
        let stored = image.data.get(from..from + size as usize)?.to_vec();
        let decoded = decode_rgba32f(format, block, block, &stored).ok()?;
        let inside = ((at[1] % block) * block + at[0] % block) as usize;
        let value = decoded.as_chunks().0.get(inside).copied()?;
        // Of a joined texture only the levels of the file itself are among its bytes.
        let bytes = image.offset + start..image.offset + start + u64::from(size);
        let (range, elsewhere) = match shown.open.own_level(shown.level) {
            Some(_) => (Some(bytes), None),
            None => (None, shown.open.tier_of(shown.level).map(|(ending, copy)| (ending, copy, bytes))),
        };
        Some(Self { at, value, stored, format, range, elsewhere })
    }

    /// The command that selects the bytes.
    pub(super) fn selects(&self, open: &OpenDocument) -> Option<Command> {
        let range = self.range.clone()?;
        Some(Command::Select(open.id, Selection { range, by: Selector::Other }))
    }

    /// The commands that go to the bytes in the file of another tier.
    pub(super) fn follows(&self, open: &OpenDocument) -> Option<Command> {
        let (_, copy, range) = self.elsewhere.clone()?;
        let stack = &open.mounted.stack;
        let entry = stack.find(&stack.path_of(copy))?;
        let at = stack.index().copies(entry).iter().position(|other| *other == copy)?;
        Some(Command::OpenAt { entry, copy: at, range })
    }

    /// The pixel in words: place, value, bytes, and the ends of the block.
    fn words(&self) -> String {
        let [x, y] = self.at;
        let value = if self.format.is_float() {
            self.value.map(|value| format!("{value:.4}")).join(" ")
        } else {
            self.value.map(|value| format!("{:.0}", value * 255.0)).join(" ")
        };
        let bytes: Vec<_> = self.stored.iter().map(|byte| format!("{byte:02X}")).collect();
        let ends = self.ends().map_or_else(String::new, |ends| format!("   ends {ends}"));
        let elsewhere = self
            .elsewhere
            .as_ref()
            .map_or_else(String::new, |(tier, ..)| format!("   in the .{tier}: Ctrl and a click go there"));
        format!("{x}, {y}   {value}   {}{ends}{elsewhere}", bytes.join(" "))
    }

    /// The two colours that a block lies between, of the formats that have them.
    fn ends(&self) -> Option<String> {
        let colours = match self.format {
            PixelFormat::Bc1Unorm => self.stored.get(..4)?,
            PixelFormat::Bc2Unorm | PixelFormat::Bc3Unorm => self.stored.get(8..12)?,
            PixelFormat::Bc4Unorm => {
                let ends = self.stored.get(..2)?;
                return Some(format!("{} {}", ends[0], ends[1]));
            }
            _ => return None,
        };
        let (words, _) = colours.as_chunks::<2>();
        let hex = |word: &[u8; 2]| {
            let word = u32::from(u16::from_le_bytes(*word));
            let widen = |value: u32, most: u32| (value * 255 + most / 2) / most;
            let [r, g, b] = [widen(word >> 11, 31), widen(word >> 5 & 63, 63), widen(word & 31, 31)];
            format!("#{r:02X}{g:02X}{b:02X}")
        };
        Some(words.iter().map(hex).collect::<Vec<_>>().join(" "))
    }

    fn colour(&self) -> Color32 {
        let [r, g, b, _] = self.value.map(|value| (value.clamp(0.0, 1.0) * 255.0).round() as u8);
        if self.format.is_single_channel() { Color32::from_gray(r) } else { Color32::from_rgb(r, g, b) }
    }
}

/// The place, 0 to 1, of the block or pixel whose bytes are selected.
pub(super) fn selected(shown: &Shown<'_>) -> Option<Rect> {
    let selection = shown.open.selection.as_ref()?;
    shown.open.own_level(shown.level)?;
    let (image, format) = (shown.image()?, shown.texture.format);
    let start = image.offset + shown.layer(image);
    let end = start + format.level_size(image.width, image.height, 1);
    let at = Some(selection.range.start).filter(|at| (start..end).contains(at))? - start;
    // Whole levels are fields of their own, and no block.
    let size = u64::from(format.block_size());
    if selection.range.end - selection.range.start > size {
        return None;
    }
    let block = format.block_px();
    let across = u64::from(image.width.div_ceil(block));
    let (x, y) = ((at / size % across) as f32, (at / size / across) as f32);
    let (width, height) = (image.width as f32, image.height as f32);
    let step = vec2(block as f32 / width, block as f32 / height);
    let min = pos2(x * step.x, y * step.y);
    Some(Rect::from_min_max(min, (min + step).min(pos2(1.0, 1.0))))
}

/// Shows a pixel in a corner of the picture.
pub(super) fn chip(ui: &Ui, rect: Rect, pointer: Pos2, texel: &Texel, theme: &Theme) {
    let font = theme::mono(theme::CAPTION);
    let painter = ui.painter().with_clip_rect(rect);
    let room = (rect.width() - 48.0).max(40.0);
    let galley = painter.layout(texel.words(), font, theme.text, room);
    let size = galley.size() + vec2(34.0, 6.0);
    let below = Align2::LEFT_BOTTOM.anchor_size(rect.left_bottom() + vec2(8.0, -8.0), size);
    let above = Align2::LEFT_TOP.anchor_size(rect.left_top() + vec2(8.0, 8.0), size);
    // What is pointed at is not covered.
    let chip = if below.expand(32.0).contains(pointer) { above } else { below };
    painter.rect_filled(chip, 4.0, theme.panel);
    let swatch = Rect::from_min_size(chip.min + vec2(6.0, 5.0), vec2(14.0, 12.0));
    painter.rect_filled(swatch, 2.0, texel.colour());
    painter.galley(chip.min + vec2(28.0, 3.0), galley, theme.text);
}
