//! One line of text in a row. Sizes and faces that share a row share its baseline.

use std::borrow::Cow;

use egui::text::{LayoutJob, TextWrapping};
use egui::{Align2, Color32, FontId, Pos2, Rect, Ui, Vec2, pos2};

use crate::theme;

/// Draws text from `x` on, cut short with an ellipsis where it would pass `end`, and left
/// out where there is no room at all; where it stands.
pub fn left(ui: &Ui, row: Rect, x: f32, end: f32, text: &str, font: FontId, colour: Color32) -> Rect {
    if end <= x {
        return Rect::from_min_size(pos2(x, row.top()), Vec2::ZERO);
    }
    let mut job = LayoutJob::simple_singleline(text.to_owned(), font, colour);
    job.wrap = TextWrapping::truncate_at_width(end - x);
    job_at(ui, row, x, job)
}

/// Draws a path from `x` on. Where it would pass `end` its first folders are left out, because the name at
/// its end tells more; where it stands.
pub fn path(ui: &Ui, row: Rect, x: f32, end: f32, path: &str, font: FontId, colour: Color32) -> Rect {
    let width = |text: &str| {
        let job = LayoutJob::simple_singleline(text.to_owned(), font.clone(), colour);
        ui.ctx().fonts_mut(|fonts| fonts.layout_job(job)).size().x
    };
    let mut shown = Cow::Borrowed(path);
    if end > x && width(path) > end - x {
        let ends = path.char_indices().filter(|(_, letter)| matches!(letter, '\\' | '/'));
        let ends: Vec<_> = ends.filter_map(|(at, _)| path.get(at..)).collect();
        // The longest end that fits, or else the shortest.
        let fits = ends.partition_point(|rest| width(&format!("…{rest}")) > end - x);
        if let Some(rest) = ends.get(fits).or_else(|| ends.last()) {
            shown = Cow::Owned(format!("…{rest}"));
        }
    }
    left(ui, row, x, end, &shown, font, colour)
}

/// A path as a line of its own, see [`path`]; the pointer shows all of it.
pub fn path_line(ui: &mut Ui, text: &str, font: FontId, colour: Color32) {
    let size = egui::vec2(ui.available_width(), ui.spacing().interact_size.y);
    let (rect, response) = ui.allocate_exact_size(size, egui::Sense::hover());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::accesskit::Role::Label, true, text));
    path(ui, rect, rect.left(), rect.right(), text, font, colour);
    response.on_hover_text(text);
}

/// Draws text that ends at `x`; where it stands.
pub fn right(ui: &Ui, row: Rect, x: f32, text: &str, font: FontId, colour: Color32) -> Rect {
    let job = LayoutJob::simple_singleline(text.to_owned(), font, colour);
    let galley = ui.ctx().fonts_mut(|fonts| fonts.layout_job(job));
    let left = x - galley.size().x;
    galley_at(ui, row, left, galley)
}

/// Draws a line of several colours from `x` on; where it stands.
pub fn job_at(ui: &Ui, row: Rect, x: f32, job: LayoutJob) -> Rect {
    let galley = ui.ctx().fonts_mut(|fonts| fonts.layout_job(job));
    galley_at(ui, row, x, galley)
}

fn galley_at(ui: &Ui, row: Rect, x: f32, galley: std::sync::Arc<egui::Galley>) -> Rect {
    /// Half the height of a capital letter, in parts of the font's size; much the same in our faces.
    const HALF_CAPITAL: f32 = 0.364;
    let baseline = (row.center().y + HALF_CAPITAL * theme::DENSE).round();
    let first = galley.rows.first();
    let ascent = first.and_then(|row| row.glyphs.first().map(|glyph| row.pos.y + glyph.pos.y));
    let top = baseline - ascent.unwrap_or_else(|| galley.size().y / 2.0);
    let at: Pos2 = pos2(x, top);
    let rect = Align2::LEFT_TOP.anchor_size(at, galley.size());
    ui.painter().galley(at, galley, Color32::PLACEHOLDER);
    rect
}
