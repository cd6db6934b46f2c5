//! A line between two pictures that can be moved: by the pointer, or by the arrow keys once it was
//! clicked.

use egui::{CursorIcon, Id, Key, Rect, Sense, Stroke, Ui, WidgetInfo, pos2, vec2};

use crate::theme::Theme;
use crate::widgets::keys;

/// Points that take hold of the line.
const GRIP: f32 = 10.0;
/// The share of the width that an arrow key moves it by.
const STEP: f32 = 0.02;

/// Where the line stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Swipe {
    /// The share of the width that is to its left.
    share: f32,
}

impl Default for Swipe {
    fn default() -> Self {
        Self { share: 0.5 }
    }
}

impl Swipe {
    /// Lets the line be moved inside a rectangle; where it stands.
    pub(super) fn ui(&mut self, ui: &Ui, area: Rect, id: Id) -> f32 {
        let x = self.x(ui, area);
        let grip = Rect::from_x_y_ranges(x - GRIP / 2.0..=x + GRIP / 2.0, area.y_range());
        let response = ui.interact(grip, id, Sense::click_and_drag());
        let name = "Line between the pictures";
        response.widget_info(|| WidgetInfo::slider(true, f64::from(self.share), name));
        let response = response.on_hover_cursor(CursorIcon::ResizeHorizontal);
        if let Some(at) = response.interact_pointer_pos().filter(|_| response.dragged()) {
            self.share = ((at.x - area.left()) / area.width().max(1.0)).clamp(0.0, 1.0);
        }
        if response.double_clicked() {
            *self = Self::default();
        }
        if response.clicked() || response.dragged() {
            ui.memory_mut(|memory| memory.request_focus(id));
        }
        if response.has_focus() {
            keys::keep_arrows(ui, id);
            for (key, by) in [(Key::ArrowLeft, -STEP), (Key::ArrowRight, STEP)] {
                if keys::takes(ui, key) {
                    self.share = (self.share + by).clamp(0.0, 1.0);
                }
            }
        }
        self.x(ui, area)
    }

    /// Draws the line over both pictures.
    pub(super) fn draw(self, ui: &Ui, area: Rect) {
        let theme = Theme::of(ui.ctx());
        let x = self.x(ui, area);
        let painter = ui.painter();
        // Light beside dark, so that it is seen on every picture.
        painter.vline(x, area.y_range(), Stroke::new(4.0, theme.canvas));
        painter.vline(x, area.y_range(), Stroke::new(2.0, theme.text));
        let knob = Rect::from_center_size(pos2(x, area.center().y), vec2(12.0, 28.0));
        painter.rect(knob, 4.0, theme.raised, Stroke::new(1.0, theme.text), egui::StrokeKind::Inside);
        for by in [-2.0, 2.0] {
            let middle = knob.center().y - 5.0..=knob.center().y + 5.0;
            painter.vline(x + by, middle, Stroke::new(1.0, theme.muted));
        }
    }

    /// Where the line stands: on a pixel of the screen.
    fn x(self, ui: &Ui, area: Rect) -> f32 {
        let per_point = ui.ctx().pixels_per_point();
        ((area.left() + area.width() * self.share) * per_point).round() / per_point
    }
}
