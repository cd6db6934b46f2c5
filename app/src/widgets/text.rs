//! One line of text in a given width, cut short with an ellipsis where it is longer.

use egui::text::{LayoutJob, TextWrapping};
use egui::{Align2, Color32, FontId, Pos2, Rect, Ui, vec2};

/// Draws a line at a point and returns where it stands. The height is that of its font, whatever
/// fallback faces its letters come from.
pub fn line(ui: &Ui, at: Pos2, align: Align2, text: &str, font: FontId, colour: Color32, width: f32) -> Rect {
    let mut job = LayoutJob::simple_singleline(text.to_owned(), font, colour);
    job.wrap = TextWrapping::truncate_at_width(width.max(0.0));
    let galley = ui.ctx().fonts_mut(|fonts| fonts.layout_job(job));
    let rect = align.anchor_size(at, galley.size());
    ui.painter().galley(rect.min, galley, colour);
    rect
}

/// The same from the left, around the middle of a row; `to` is where it has to end.
pub fn from_left(ui: &Ui, row: Rect, x: f32, to: f32, text: &str, font: FontId, colour: Color32) -> Rect {
    line(ui, row.left_center() + vec2(x - row.left(), 0.0), Align2::LEFT_CENTER, text, font, colour, to - x)
}
