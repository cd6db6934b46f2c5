//! How a rectangle of the map looks.

use egui::{Color32, Rect, Stroke, StrokeKind, Ui, pos2, vec2};
use palimpsest_core::mount::Tally;

use super::class::Class;
use super::level::Tile;
use crate::format::size;
use crate::theme::{self, Theme};
use crate::widgets::text;

/// Draws a rectangle. `only` is the class that is looked for, `edge` the width of the line around what is
/// chosen or pointed at.
pub(super) fn tile(ui: &Ui, tile: &Tile, only: Option<Class>, edge: f32, theme: &Theme) {
    let rect = inset(tile.rect, tile.gap());
    let body = tile.body();
    if tile.blocks.is_empty() {
        fill(ui, body, &tile.tally, only, theme);
    }
    for block in &tile.blocks {
        // Those at the right and at the bottom end with the rectangle around them.
        let rect = inset(block.rect.with_max_x(block.rect.right().min(body.right() + 1.0)), 1.0);
        let rect = rect.with_max_y(rect.bottom().min(body.bottom()));
        fill(ui, rect, &block.tally, only, theme);
        block_name(ui, rect, &block.name, theme);
    }
    if let Some(strip) = tile.strip() {
        let strip = strip.with_max_x(rect.right());
        ui.painter().rect_filled(strip, 0.0, if edge > 0.0 { theme.hovered } else { theme.raised });
        label(ui, strip, tile, theme);
    }
    if edge > 0.0 {
        ui.painter().rect_stroke(rect, 0.0, Stroke::new(edge, theme.text), StrokeKind::Inside);
    }
}

/// Writes the name of a block on a plate, because the ground has several colours, where all of it fits.
fn block_name(ui: &Ui, rect: Rect, name: &str, theme: &Theme) {
    if name.is_empty() || rect.height() < 20.0 || rect.width() < 28.0 {
        return;
    }
    let text = ui.painter().layout_no_wrap(name.to_owned(), theme::sans(theme::CAPTION), theme.text);
    let plate = Rect::from_min_size(rect.min + vec2(3.0, 3.0), text.size() + vec2(8.0, 2.0));
    if plate.right() + 3.0 <= rect.right() {
        ui.painter().rect_filled(plate, 3.0, theme.canvas.gamma_multiply(0.78));
        ui.painter().galley(plate.min + vec2(4.0, 1.0), text, theme.text);
    }
}

fn label(ui: &Ui, strip: Rect, tile: &Tile, theme: &Theme) {
    const SIZE_FROM: f32 = 128.0;
    let inside = strip.shrink2(vec2(5.0, 0.0));
    let mut end = inside.right();
    if strip.width() >= SIZE_FROM {
        let size = size(tile.tally.stored());
        end = text::right(ui, inside, end, &size, theme::mono(theme::CAPTION), theme.muted).left() - 6.0;
    }
    let colour = if tile.part.is_some() { theme.text } else { theme.muted };
    text::left(ui, inside, inside.left(), end, &tile.name, theme::sans(theme::CAPTION), colour);
}

/// Fills a rectangle with the colours of its bytes, each with its share of the area.
pub(super) fn fill(ui: &Ui, rect: Rect, tally: &Tally, only: Option<Class>, theme: &Theme) {
    if !rect.is_positive() {
        return;
    }
    let faint = theme.quiet(theme.muted, 0.12);
    if only == Some(Class::Unlisted) {
        ui.painter().rect_filled(rect, 0.0, faint);
        hatch(ui, share(rect, 0.0, part(tally.unlisted, tally)), theme.text, theme.hovered);
        return;
    }
    let mut from = 0.0;
    for class in Class::PARTS {
        let to = from + part(class.of(tally), tally);
        if to > from {
            let colour = if only.is_none_or(|only| only == class) { class.colour(theme) } else { faint };
            ui.painter().rect_filled(share(rect, from, to), 0.0, colour);
        }
        from = to;
    }
}

fn part(bytes: u64, tally: &Tally) -> f32 {
    (bytes as f64 / tally.stored().max(1) as f64) as f32
}

/// The part of a rectangle from one share to another, along its longer side.
fn share(rect: Rect, from: f32, to: f32) -> Rect {
    if rect.width() >= rect.height() {
        let at = |share: f32| rect.left() + rect.width() * share;
        Rect::from_x_y_ranges(at(from)..=at(to), rect.y_range())
    } else {
        let at = |share: f32| rect.top() + rect.height() * share;
        Rect::from_x_y_ranges(rect.x_range(), at(from)..=at(to))
    }
}

/// Draws slanted lines on a ground of their own.
pub(super) fn hatch(ui: &Ui, rect: Rect, colour: Color32, ground: Color32) {
    const STEP: f32 = 5.0;
    if rect.width() < 0.5 || rect.height() < 0.5 {
        return;
    }
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    painter.rect_filled(rect, 0.0, ground);
    // Lines of all rectangles lie on one pattern, so that they join.
    let first = ((rect.left() + rect.top()) / STEP).floor() * STEP;
    let count = ((rect.width() + rect.height()) / STEP).ceil() as usize + 1;
    for at in (0..count).map(|line| first + line as f32 * STEP) {
        let line = [pos2(at - rect.top(), rect.top()), pos2(at - rect.bottom(), rect.bottom())];
        painter.line_segment(line, Stroke::new(1.0, colour));
    }
}

/// Leaves a gap to the next rectangle at the right and below.
fn inset(rect: Rect, gap: f32) -> Rect {
    Rect::from_min_max(rect.min, rect.max - vec2(gap, gap))
}
