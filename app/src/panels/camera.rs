//! Where a picture stands in a panel: moved, magnified, or as large as the panel.

use egui::{Key, PointerButton, Pos2, Rect, Response, RichText, Ui, Vec2, pos2, vec2};

use super::icon_button;
use crate::theme::{self, Theme};
use crate::widgets::keys;

/// Points that an arrow key moves the picture by.
const STEP: f32 = 48.0;
const SMALLEST: f32 = 1.0 / 32_768.0;
const LARGEST: f32 = 64.0;

/// How a picture is looked at; kept when another one is shown, whatever its size.
#[derive(Debug)]
pub(super) struct Camera {
    zoom: Zoom,
    /// The point of the picture that is in the middle, 0 to 1.
    centre: Pos2,
}

/// How large a picture is shown.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Zoom {
    /// As large as the panel.
    Fit,
    /// Pixels of the screen for each pixel of the largest level.
    Times(f32),
}

impl Default for Camera {
    fn default() -> Self {
        Self { zoom: Zoom::Fit, centre: pos2(0.5, 0.5) }
    }
}

/// Where a picture stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shown {
    /// All of it, also where it cannot be seen.
    pub(super) full: Rect,
    /// Pixels of the screen for each of its pixels.
    pub(super) scale: f32,
}

impl Shown {
    /// The part of the picture, 0 to 1, that a rectangle of the screen shows.
    pub(super) fn part(&self, visible: Rect) -> Rect {
        let part = |at: Pos2| ((at - self.full.min) / self.full.size()).to_pos2();
        Rect::from_min_max(part(visible.min), part(visible.max))
    }
}

impl Camera {
    /// Follows the pointer and the keys of a picture of `size` pixels in a rectangle; where it stands.
    pub(super) fn ui(&mut self, ui: &Ui, picture: &Response, rect: Rect, size: Vec2) -> Shown {
        let per_point = ui.ctx().pixels_per_point();
        let scale = self.scale(rect, size, per_point);
        if picture.dragged_by(PointerButton::Primary) || picture.dragged_by(PointerButton::Middle) {
            let moved = picture.drag_delta() * per_point / (size * scale);
            self.centre = within(self.centre - moved);
            self.zoom = Zoom::Times(scale);
        }
        if picture.hovered() {
            let (wheel, pinch) = ui.input(|input| (input.smooth_scroll_delta().y, input.zoom_delta()));
            let factor = pinch * (wheel / 200.0).exp2();
            if (factor - 1.0).abs() > 1e-4 {
                self.magnify(rect, size, scale, scale * factor, picture.hover_pos(), per_point);
                ui.input_mut(|input| input.smooth_scroll_delta = Vec2::ZERO);
            }
        }
        self.keys(ui, picture, size * scale / per_point);
        if picture.double_clicked() {
            self.zoom = if self.zoom == Zoom::Fit { Zoom::Times(1.0) } else { Zoom::Fit };
        }
        let scale = self.scale(rect, size, per_point);
        let centre = if self.zoom == Zoom::Fit { pos2(0.5, 0.5) } else { self.centre };
        Shown { full: place(rect, size * scale / per_point, centre, per_point), scale }
    }

    /// The arrow keys move a picture that was clicked.
    fn keys(&mut self, ui: &Ui, picture: &Response, shown: Vec2) {
        if picture.clicked() || picture.dragged() {
            ui.memory_mut(|memory| memory.request_focus(picture.id));
        }
        if !picture.has_focus() {
            return;
        }
        keys::keep_arrows(ui, picture.id);
        for (key, by) in [
            (Key::ArrowLeft, vec2(-STEP, 0.0)),
            (Key::ArrowRight, vec2(STEP, 0.0)),
            (Key::ArrowUp, vec2(0.0, -STEP)),
            (Key::ArrowDown, vec2(0.0, STEP)),
        ] {
            if keys::takes(ui, key) && self.zoom != Zoom::Fit {
                self.centre = within(self.centre + by / shown);
            }
        }
    }

    /// Changes the scale around a point of the screen, which stays where it is.
    fn magnify(&mut self, rect: Rect, size: Vec2, from: f32, to: f32, around: Option<Pos2>, per_point: f32) {
        let to = to.clamp(SMALLEST, LARGEST);
        let centre = if self.zoom == Zoom::Fit { pos2(0.5, 0.5) } else { self.centre };
        let away = around.map_or(Vec2::ZERO, |at| (at - rect.center()) * per_point);
        self.centre = within(centre + away / (size * from) - away / (size * to));
        self.zoom = Zoom::Times(to);
    }

    /// Makes the picture as large as the panel.
    pub(super) fn fit(&mut self) {
        self.zoom = Zoom::Fit;
    }

    /// Gives every pixel of a level one of the screen.
    pub(super) fn exact(&mut self, level: u32) {
        self.zoom = Zoom::Times(exact_scale(level));
    }

    /// Pixels of the screen for each pixel of a picture in a rectangle.
    fn scale(&self, rect: Rect, size: Vec2, per_point: f32) -> f32 {
        match self.zoom {
            Zoom::Fit => fit(rect, size, per_point),
            Zoom::Times(times) => times,
        }
    }

    /// The scale and its buttons, from the right to the left.
    pub(super) fn bar_ui(&mut self, ui: &mut Ui, rect: Rect, size: Vec2, level: u32) {
        let theme = Theme::of(ui.ctx());
        if icon_button(ui, theme::icon::FIT, "Fit into the panel (F)").clicked() {
            self.fit();
        }
        let is_exact = self.zoom == Zoom::Times(exact_scale(level));
        let exact = egui::Button::selectable(is_exact, RichText::new("1:1").font(theme::mono(theme::DENSE)));
        if ui.add(exact).on_hover_text("One pixel of the screen for each pixel of the level (0)").clicked() {
            self.exact(level);
        }
        let scale = self.scale(rect, size, ui.ctx().pixels_per_point());
        let text = RichText::new(format!("{:.0} %", scale / exact_scale(level) * 100.0))
            .font(theme::mono(theme::CAPTION));
        ui.label(text.color(theme.muted));
    }
}

/// Pixels of the screen for each of the largest level's where those of a level are as large.
fn exact_scale(level: u32) -> f32 {
    (-(level as f32)).exp2()
}

/// A point of the picture, moved back where it lies outside.
fn within(point: Pos2) -> Pos2 {
    point.clamp(pos2(0.0, 0.0), pos2(1.0, 1.0))
}

/// The scale at which a picture is as large as a rectangle; never more than whole pixels can be
/// told apart at.
fn fit(rect: Rect, size: Vec2, per_point: f32) -> f32 {
    let room = (rect.size() - Vec2::splat(16.0)).max(Vec2::splat(8.0)) * per_point;
    let scale = (room.x / size.x).min(room.y / size.y);
    // Small pictures grow by whole steps, so that every pixel has the same size.
    let scale = if scale > 1.0 { scale.floor() } else { scale };
    scale.clamp(SMALLEST, LARGEST)
}

/// Where a picture of a size in points stands, its corner on a pixel of the screen.
fn place(rect: Rect, size: Vec2, centre: Pos2, per_point: f32) -> Rect {
    let min = rect.center() - vec2(size.x * centre.x, size.y * centre.y);
    let on_pixel = |at: f32| (at * per_point).round() / per_point;
    Rect::from_min_size(pos2(on_pixel(min.x), on_pixel(min.y)), size)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_pictures_grow_by_whole_steps_and_large_ones_fit() {
        let rect = Rect::from_min_size(Pos2::ZERO, vec2(416.0, 316.0));
        assert_eq!(fit(rect, vec2(64.0, 64.0), 1.0), 4.0);
        assert_eq!(fit(rect, vec2(800.0, 300.0), 1.0), 0.5);
        assert_eq!(fit(rect, vec2(800.0, 300.0), 2.0), 1.0);
        assert_eq!(fit(rect, vec2(1.0, 1.0), 1.0), LARGEST);
    }

    #[test]
    fn the_point_under_the_pointer_stays_when_the_scale_changes() {
        let rect = Rect::from_min_size(pos2(10.0, 20.0), vec2(400.0, 300.0));
        let (size, pointer) = (vec2(256.0, 128.0), pos2(111.0, 99.0));
        let mut camera = Camera { zoom: Zoom::Times(1.0), ..Camera::default() };
        let under = |camera: &Camera, scale: f32| {
            let shown = place(rect, size * scale, camera.centre, 1e6);
            ((pointer - shown.min) / shown.size()).to_pos2()
        };
        let before = under(&camera, 1.0);
        camera.magnify(rect, size, 1.0, 4.0, Some(pointer), 1.0);
        assert!((under(&camera, 4.0) - before).length() < 1e-3);
    }
}
