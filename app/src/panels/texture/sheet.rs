//! All slices of a texture at once: arrays and volumes in rows, the faces of a cube as a cross.

use std::f32::consts::{FRAC_PI_2, FRAC_PI_4, FRAC_PI_8, TAU};
use std::sync::Arc;

use egui::{Rect, RichText, Sense, Ui, WidgetInfo, pos2, vec2};
use palimpsest_core::asset::Texture;

use super::shading::ShadingChoice;
use crate::command::{Command, PictureCommand};
use crate::gpu::pixels::Pixels;
use crate::gpu::texture::{Draw, Mode, Shading};
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

/// How a cube is looked at.
#[derive(Debug)]
pub(super) struct CubeView {
    /// Whether it is a ball, and not a cross.
    is_ball: bool,
    /// How the ball is turned, in radians: about the vertical axis, then about the horizontal one.
    turn: [f32; 2],
}

impl Default for CubeView {
    /// A corner between three faces is in front.
    fn default() -> Self {
        Self { is_ball: false, turn: [-FRAC_PI_4, FRAC_PI_8] }
    }
}

/// Draws all slices into a rectangle; a click shows one alone.
pub(super) fn ui(
    ui: &mut Ui,
    rect: Rect,
    open: &OpenDocument,
    texture: &Texture,
    (sheet, shading, channels): (&[Arc<Pixels>], &ShadingChoice, [bool; 4]),
    cube: &mut CubeView,
    ctx: &ViewCtx<'_>,
) {
    let theme = ctx.theme;
    ui.painter().rect_filled(rect, 0.0, theme.canvas);
    let is_cross = texture.is_cube && texture.slices == 6;
    if is_cross {
        let corner = Rect::from_min_size(rect.min + vec2(8.0, 8.0), vec2(160.0, 24.0)).intersect(rect);
        if cube.is_ball {
            ball_ui(ui, rect, open, texture, (sheet, shading, channels), cube, ctx);
        }
        ui.scope_builder(egui::UiBuilder::new().max_rect(corner), |ui| {
            ui.horizontal(|ui| {
                for (is_ball, name, hint) in [
                    (false, "cross", "All faces, unfolded; a click shows one"),
                    (true, "ball", "On a ball, seen from outside; dragging turns it"),
                ] {
                    let text = RichText::new(name).size(theme::DENSE);
                    let button = egui::Button::selectable(cube.is_ball == is_ball, text);
                    if ui.add(button).on_hover_text(hint).clicked() {
                        cube.is_ball = is_ball;
                    }
                }
            });
        });
        if cube.is_ball {
            return;
        }
    }
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

/// The faces of a cube on a ball, turned by dragging; a double click turns it back.
fn ball_ui(
    ui: &Ui,
    rect: Rect,
    open: &OpenDocument,
    texture: &Texture,
    (sheet, shading, channels): (&[Arc<Pixels>], &ShadingChoice, [bool; 4]),
    cube: &mut CubeView,
    ctx: &ViewCtx<'_>,
) {
    let side = (rect.width().min(rect.height()) - 2.0 * GAP).max(32.0).floor();
    let place = Rect::from_center_size(rect.center(), vec2(side, side));
    let response = ui.interact(rect, ui.scope_id().with("ball"), Sense::click_and_drag());
    response.widget_info(|| WidgetInfo::labeled(egui::accesskit::Role::Image, true, "Cube on a ball"));
    let [about, up] = &mut cube.turn;
    let moved = response.drag_delta() / (side / 2.0);
    *about = (*about + moved.x) % TAU;
    *up = (*up + moved.y).clamp(-FRAC_PI_2, FRAC_PI_2);
    if response.double_clicked() {
        cube.turn = CubeView::default().turn;
    }
    for (face, pixels) in (0u32..).zip(sheet) {
        let mode = Mode::Face { face, turn: cube.turn };
        let draw = Draw {
            is_sharp: false,
            shading: Shading { mode, ..shading.flat(open.leaf(), texture) },
            ..whole(ui, open, texture, (face, pixels), (shading, channels), ctx)
        };
        ui.painter().with_clip_rect(rect).add(draw.shape(place));
    }
}

/// Draws a whole slice, sharp and in its own colours.
fn whole(
    ui: &Ui,
    open: &OpenDocument,
    texture: &Texture,
    (at, pixels): (u32, &Arc<Pixels>),
    (shading, channels): (&ShadingChoice, [bool; 4]),
    ctx: &ViewCtx<'_>,
) -> Draw {
    Draw {
        pixels: Arc::clone(pixels),
        slot: slot(open, at),
        part: Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0)),
        level: 0,
        channels,
        is_sharp: true,
        checker: shading.ground(ctx.theme),
        square: (8.0 * ui.ctx().pixels_per_point()).round(),
        shading: shading.flat(open.leaf(), texture),
        heat: None,
        wake: ui.ctx().clone(),
    }
}

/// The place that a slice is drawn from, beside those of tabs and comparisons.
fn slot(open: &OpenDocument, at: u32) -> u64 {
    (1 << 50) + open.id.0 * 4096 + u64::from(at)
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
        is_sharp: picture.width() >= size.x,
        ..whole(ui, open, texture, (at, pixels), (shading, channels), ctx)
    };
    ui.painter().add(draw.shape(picture));
    let colour = if response.hovered() { theme.text } else { theme.muted };
    text::path(ui, line, line.left(), line.right(), &name, theme::sans(theme::CAPTION), colour);
    if response.clicked() {
        let choice = open.picture.choice;
        let part = choice.part.at(texture, at);
        ctx.send(Command::Picture(open.id, PictureCommand::Show(PictureChoice { part, ..choice })));
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
