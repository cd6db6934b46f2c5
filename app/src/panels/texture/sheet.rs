//! All slices of a texture at once: arrays and volumes in rows, the faces of a cube as a cross.

use std::sync::Arc;

use egui::{Rect, RichText, Sense, Ui, WidgetInfo, pos2, vec2};
use palimpsest_core::asset::Texture;

use super::shading::ShadingChoice;
use crate::command::Command;
use crate::gpu::pixels::{Part, Pixels};
use crate::gpu::texture::Draw;
use crate::panels::ViewCtx;
use crate::panels::channels::slice_name;
use crate::session::{OpenDocument, PictureChoice};
use crate::theme;
use crate::widgets::text;

/// Between pictures.
const GAP: f32 = 8.0;
/// Height of the name below a picture.
const NAME: f32 = 18.0;
/// The smallest side of a picture in rows.
const SMALLEST: f32 = 96.0;
const LARGEST: f32 = 256.0;

/// Where the faces of a cube stand in a cross of 4 × 3 places, in the order +X −X +Y −Y +Z −Z.
const CROSS: [(u32, u32); 6] = [(2, 1), (0, 1), (1, 0), (1, 2), (1, 1), (3, 1)];

/// Draws all slices into a rectangle; a click shows one alone.
pub(super) fn ui(
    ui: &mut Ui,
    rect: Rect,
    open: &OpenDocument,
    texture: &Texture,
    (sheet, shading, channels): (&[Arc<Pixels>], &ShadingChoice, [bool; 4]),
    ctx: &ViewCtx<'_>,
) {
    let theme = ctx.theme;
    ui.painter().rect_filled(rect, 0.0, theme.canvas);
    let is_cross = texture.is_cube && texture.slices == 6;
    let (columns, rows, side) = if is_cross { cross(rect) } else { grid(rect, sheet.len()) };
    let step = vec2(side + GAP, side + GAP + NAME);
    let area = vec2(columns as f32 * step.x, rows as f32 * step.y);
    let scroll = egui::ScrollArea::vertical().id_salt(("sheet", open.id)).auto_shrink(false);
    ui.scope_builder(egui::UiBuilder::new().max_rect(rect), |ui| {
        scroll.show(ui, |ui| {
            let (inside, _) = ui.allocate_exact_size(area.max(vec2(rect.width(), 0.0)), Sense::hover());
            let left = inside.left() + ((inside.width() - area.x) / 2.0).max(0.0) + GAP / 2.0;
            for (at, pixels) in (0u32..).zip(sheet) {
                let (column, row) = match CROSS.get(at as usize).filter(|_| is_cross) {
                    Some(place) => *place,
                    None => (at % columns, at / columns),
                };
                let min = pos2(left + column as f32 * step.x, inside.top() + GAP + row as f32 * step.y);
                let place = Rect::from_min_size(min, vec2(side, side));
                if ui.is_rect_visible(place) {
                    tile_ui(ui, place, at, open, texture, (pixels, shading, channels), ctx);
                }
            }
        });
    });
}

/// A slice with its name; a click shows it alone.
fn tile_ui(
    ui: &Ui,
    place: Rect,
    at: u32,
    open: &OpenDocument,
    texture: &Texture,
    (pixels, shading, channels): (&Arc<Pixels>, &ShadingChoice, [bool; 4]),
    ctx: &ViewCtx<'_>,
) {
    let theme = ctx.theme;
    let name = slice_name(texture, at);
    let line = Rect::from_min_size(place.left_bottom(), vec2(place.width(), NAME));
    let response = ui.interact(place.union(line), ui.scope_id().with(("slice", at)), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(egui::accesskit::Role::Image, true, &name));
    let size =
        pixels.levels.first().map_or(vec2(1.0, 1.0), |level| vec2(level.width as f32, level.height as f32));
    let picture = Rect::from_center_size(place.center(), size * (place.width() / size.max_elem()));
    let draw = Draw {
        pixels: Arc::clone(pixels),
        // Places of their own, beside those of tabs and comparisons.
        slot: (1 << 50) + open.id.0 * 4096 + u64::from(at),
        part: Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0)),
        level: 0,
        channels,
        is_sharp: picture.width() >= size.x,
        checker: shading.ground(theme),
        square: (8.0 * ui.ctx().pixels_per_point()).round(),
        shading: shading.flat(texture),
        heat: None,
        wake: ui.ctx().clone(),
    };
    ui.painter().add(draw.shape(picture));
    let colour = if response.hovered() { theme.text } else { theme.muted };
    text::path(ui, line, line.left(), line.right(), &name, theme::sans(theme::CAPTION), colour);
    if response.clicked() {
        let choice = open.picture.choice;
        let part = if texture.depth > 1 {
            Part { layer: at, ..choice.part }
        } else {
            Part { slice: at, ..choice.part }
        };
        ctx.send(Command::ShowPicture(open.id, PictureChoice { part, ..choice }));
    }
    let path = texture.slice_paths.get(at as usize).filter(|path| !path.is_empty());
    response.on_hover_ui(|ui| {
        ui.label(RichText::new(path.map_or(name.as_str(), String::as_str)).font(theme::mono(theme::CAPTION)));
    });
}

/// Columns, rows and the side of a picture of a cross.
fn cross(rect: Rect) -> (u32, u32, f32) {
    let side = ((rect.width() / 4.0) - GAP).min(rect.height() / 3.0 - GAP - NAME);
    (4, 3, side.max(32.0).floor())
}

/// Columns, rows and the side of a picture of so many in rows.
fn grid(rect: Rect, count: usize) -> (u32, u32, f32) {
    let count = u32::try_from(count.max(1)).unwrap_or(u32::MAX);
    let most = ((rect.width() / (SMALLEST + GAP)) as u32).clamp(1, count);
    let side = (rect.width() / most as f32 - GAP).clamp(32.0, LARGEST).floor();
    (most, count.div_ceil(most), side)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_fill_the_width_in_rows() {
        let rect = Rect::from_min_size(pos2(0.0, 0.0), vec2(640.0, 400.0));
        assert_eq!(grid(rect, 2), (2, 1, 256.0));
        let (columns, rows, side) = grid(rect, 20);
        assert_eq!((columns, rows), (6, 4));
        assert!((side + GAP) * columns as f32 <= rect.width());
        let (columns, _, side) = cross(rect);
        assert!((side + GAP) * columns as f32 <= rect.width());
    }
}
