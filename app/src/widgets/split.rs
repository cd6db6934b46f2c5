//! Two parts above each other with a line between them that can be moved.

use egui::{CursorIcon, Id, Rect, Sense, Stroke, Ui, pos2};

use crate::theme::Theme;

/// Points that take hold of the line.
const GRIP: f32 = 6.0;
/// The least height of each part, where there is room for both.
const LEAST: f32 = 72.0;

/// How two parts share their room. The share stays when the room changes.
#[derive(Clone, Copy, Debug)]
pub struct Split {
    /// The part of the lower one.
    below: f32,
}

impl Default for Split {
    fn default() -> Self {
        Self { below: 0.36 }
    }
}

impl Split {
    /// Divides an area, and lets the line be moved: the upper and the lower part.
    pub fn ui(&mut self, ui: &Ui, area: Rect, id: Id) -> (Rect, Rect) {
        let line = self.line(area);
        let grip =
            Rect::from_min_max(pos2(area.left(), line - GRIP / 2.0), pos2(area.right(), line + GRIP / 2.0));
        let response =
            ui.interact(grip, id, Sense::click_and_drag()).on_hover_cursor(CursorIcon::ResizeVertical);
        if let Some(at) = response.interact_pointer_pos().filter(|_| response.dragged()) {
            self.below = ((area.bottom() - at.y) / area.height().max(1.0)).clamp(0.0, 1.0);
        }
        if response.double_clicked() {
            *self = Self::default();
        }
        let line = self.line(area);
        let theme = Theme::of(ui.ctx());
        let is_held = response.hovered() || response.dragged();
        let stroke = if is_held { Stroke::new(2.0, theme.muted) } else { theme.line() };
        ui.painter().hline(area.x_range(), line, stroke);
        let above = Rect::from_min_max(area.min, pos2(area.right(), line));
        (above, Rect::from_min_max(pos2(area.left(), line + 1.0), area.max))
    }

    /// Where the line stands.
    fn line(self, area: Rect) -> f32 {
        let least = LEAST.min(area.height() / 2.0);
        let below = (area.height() * self.below).clamp(least, area.height() - least);
        (area.bottom() - below).round()
    }
}

#[cfg(test)]
mod tests {
    use egui::vec2;

    use super::*;

    #[test]
    fn the_share_stays_when_the_room_changes() {
        let split = Split { below: 0.25 };
        let line = |height: f32| split.line(Rect::from_min_size(pos2(0.0, 0.0), vec2(100.0, height)));
        assert_eq!(line(800.0), 600.0);
        assert_eq!(line(200.0), 128.0);
        assert_eq!(line(60.0), 30.0);
        assert_eq!(line(800.0), 600.0);
        assert_eq!(line(0.0), 0.0);
    }
}
