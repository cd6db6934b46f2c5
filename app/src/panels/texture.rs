//! The picture of a texture: moved, magnified, level by level, channel by channel.

use std::sync::Arc;

use egui::{Key, PointerButton, Pos2, Rect, Response, RichText, Sense, Ui, Vec2, WidgetInfo, pos2, vec2};

use super::{ViewCtx, icon_button};
use crate::command::{Command, Look};
use crate::format::{count, number, size};
use crate::gpu::pixels::Pixels;
use crate::gpu::texture::Draw;
use crate::session::OpenDocument;
use crate::theme;
use crate::widgets::{keys, menu};

const BAR: f32 = 32.0;
/// Points that an arrow key moves the picture by.
const STEP: f32 = 48.0;
const SMALLEST: f32 = 1.0 / 64.0;
const LARGEST: f32 = 64.0;
/// The ways to look at a picture by their names, with their keys.
pub(super) const LOOKS: [(&str, &str, Look); 12] = [
    ("Fit the picture", "F", Look::Fit),
    ("Exact pixels", "0", Look::Exact),
    ("Larger level", ",", Look::LargerLevel),
    ("Smaller level", ".", Look::SmallerLevel),
    ("Red on or off", "1", Look::Channel(0)),
    ("Green on or off", "2", Look::Channel(1)),
    ("Blue on or off", "3", Look::Channel(2)),
    ("Alpha on or off", "4", Look::Channel(3)),
    ("Red alone", "Shift+1", Look::ChannelAlone(0)),
    ("Green alone", "Shift+2", Look::ChannelAlone(1)),
    ("Blue alone", "Shift+3", Look::ChannelAlone(2)),
    ("Alpha alone", "Shift+4", Look::ChannelAlone(3)),
];
const CHANNELS: [&str; 4] = ["R", "G", "B", "A"];

/// How a texture is looked at; kept when another copy is shown, whatever its size.
#[derive(Debug)]
pub(super) struct TextureView {
    zoom: Zoom,
    /// The point of the picture that is in the middle, 0 to 1.
    centre: Pos2,
    level: u32,
    channels: [bool; 4],
}

/// How large a texture is shown.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Zoom {
    /// As large as the panel.
    Fit,
    /// Pixels of the screen for each pixel of the largest level.
    Times(f32),
}

impl Default for TextureView {
    fn default() -> Self {
        Self { zoom: Zoom::Fit, centre: pos2(0.5, 0.5), level: 0, channels: [true; 4] }
    }
}

impl TextureView {
    pub(super) fn ui(&mut self, ui: &mut Ui, open: &OpenDocument, pixels: &Arc<Pixels>, ctx: &ViewCtx<'_>) {
        let area = ui.available_rect_before_wrap();
        let picture = Rect::from_min_max(area.min, pos2(area.right(), (area.bottom() - BAR).max(area.top())));
        self.picture_ui(ui, picture, open, pixels, ctx);
        let bar = Rect::from_min_max(pos2(area.left(), picture.bottom()), area.max);
        ui.painter().rect_filled(bar, 0.0, ctx.theme.panel);
        ui.painter().hline(bar.x_range(), bar.top(), ctx.theme.line());
        let inside = egui::UiBuilder::new().max_rect(bar.shrink2(vec2(12.0, 2.0)));
        ui.scope_builder(inside, |ui| self.bar_ui(ui, picture, open, pixels, ctx));
        ui.advance_cursor_after_rect(area);
    }

    fn picture_ui(
        &mut self,
        ui: &Ui,
        rect: Rect,
        open: &OpenDocument,
        pixels: &Arc<Pixels>,
        ctx: &ViewCtx<'_>,
    ) {
        let theme = ctx.theme;
        ui.painter().rect_filled(rect, 0.0, theme.canvas);
        let response = ui.interact(rect, ui.scope_id().with(("picture", open.id)), Sense::click_and_drag());
        response.widget_info(|| WidgetInfo::labeled(egui::accesskit::Role::Image, true, "Picture"));
        response.context_menu(|ui| menu_ui(ui, ctx));
        let Some(first) = pixels.levels.first() else { return };
        let per_point = ui.ctx().pixels_per_point();
        let size = vec2(first.width as f32, first.height as f32);
        let fit = fit(rect, size, per_point);
        let scale = match self.zoom {
            Zoom::Fit => fit,
            Zoom::Times(times) => times,
        };
        if response.dragged_by(PointerButton::Primary) || response.dragged_by(PointerButton::Middle) {
            let moved = response.drag_delta() * per_point / (size * scale);
            self.centre = (self.centre - moved).clamp(pos2(0.0, 0.0), pos2(1.0, 1.0));
            self.zoom = Zoom::Times(scale);
        }
        if response.hovered() {
            let (wheel, pinch) = ui.input(|input| (input.smooth_scroll_delta().y, input.zoom_delta()));
            let factor = pinch * (wheel / 200.0).exp2();
            if (factor - 1.0).abs() > 1e-4 {
                self.magnify(rect, size, scale, scale * factor, response.hover_pos(), per_point);
                ui.input_mut(|input| input.smooth_scroll_delta = Vec2::ZERO);
            }
        }
        self.picture_keys(ui, &response, size * scale / per_point);
        if response.double_clicked() {
            self.zoom = if self.zoom == Zoom::Fit { Zoom::Times(1.0) } else { Zoom::Fit };
        }
        let scale = match self.zoom {
            Zoom::Fit => fit,
            Zoom::Times(times) => times,
        };
        let centre = if self.zoom == Zoom::Fit { pos2(0.5, 0.5) } else { self.centre };
        let shown = place(rect, size * scale / per_point, centre, per_point);
        let visible = shown.intersect(rect);
        if visible.width() <= 0.0 || visible.height() <= 0.0 {
            return;
        }
        let part = |at: Pos2| ((at - shown.min) / shown.size()).to_pos2();
        let draw = Draw {
            pixels: Arc::clone(pixels),
            slot: open.id.0,
            part: Rect::from_min_max(part(visible.min), part(visible.max)),
            level: self.level.min(last_level(pixels)),
            channels: self.channels,
            is_sharp: scale * (1u32 << self.level.min(15)) as f32 >= 1.0,
            checker: if theme.is_dark {
                [egui::Color32::from_gray(0x38), egui::Color32::from_gray(0x48)]
            } else {
                [egui::Color32::from_gray(0xC4), egui::Color32::from_gray(0xD8)]
            },
            square: (8.0 * per_point).round(),
            wake: ui.ctx().clone(),
        };
        ui.painter().with_clip_rect(rect).add(draw.shape(visible));
    }

    /// The arrow keys move a picture that was clicked.
    fn picture_keys(&mut self, ui: &Ui, picture: &Response, shown: Vec2) {
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
                self.centre = (self.centre + by / shown).clamp(pos2(0.0, 0.0), pos2(1.0, 1.0));
            }
        }
    }

    /// Changes the scale around a point of the screen, which stays where it is.
    fn magnify(&mut self, rect: Rect, size: Vec2, from: f32, to: f32, around: Option<Pos2>, per_point: f32) {
        let to = to.clamp(SMALLEST, LARGEST);
        let centre = if self.zoom == Zoom::Fit { pos2(0.5, 0.5) } else { self.centre };
        let away = around.map_or(Vec2::ZERO, |at| (at - rect.center()) * per_point);
        self.centre =
            (centre + away / (size * from) - away / (size * to)).clamp(pos2(0.0, 0.0), pos2(1.0, 1.0));
        self.zoom = Zoom::Times(to);
    }

    fn bar_ui(
        &mut self,
        ui: &mut Ui,
        picture: Rect,
        open: &OpenDocument,
        pixels: &Pixels,
        ctx: &ViewCtx<'_>,
    ) {
        let theme = ctx.theme;
        ui.horizontal_centered(|ui| {
            ui.spacing_mut().item_spacing.x = 4.0;
            for (at, name) in CHANNELS.into_iter().enumerate() {
                let is_on = self.channels.get(at).copied().unwrap_or(false);
                let text = RichText::new(name).font(theme::mono(theme::DENSE));
                let response = ui.add_sized([24.0, 22.0], egui::Button::selectable(is_on, text));
                response.widget_info(|| {
                    WidgetInfo::selected(
                        egui::accesskit::Role::CheckBox,
                        true,
                        is_on,
                        format!("Channel {name}"),
                    )
                });
                let response = response
                    .on_hover_text(format!("{name}: key {}; right-click or Shift shows it alone", at + 1));
                let is_alone = response.secondary_clicked() || keys::shift_at_pointer(ui);
                if response.clicked() || response.secondary_clicked() {
                    if is_alone { self.solo(at) } else { self.toggle(at) }
                }
            }
            ui.add_space(8.0);
            self.level_ui(ui, pixels);
            if ui.available_width() < 140.0 {
                return;
            }
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                let response = icon_button(ui, theme::icon::FIT, "Fit into the panel (F)");
                if response.clicked() {
                    self.zoom = Zoom::Fit;
                }
                let is_exact = self.zoom == Zoom::Times(1.0);
                let exact =
                    egui::Button::selectable(is_exact, RichText::new("1:1").font(theme::mono(theme::DENSE)));
                if ui.add(exact).on_hover_text("One pixel of the screen for each pixel (0)").clicked() {
                    self.zoom = Zoom::Times(1.0);
                }
                let scale = match (self.zoom, pixels.levels.first()) {
                    (Zoom::Times(times), _) => times,
                    (Zoom::Fit, Some(first)) => {
                        let size = vec2(first.width as f32, first.height as f32);
                        fit(picture, size, ui.ctx().pixels_per_point())
                    }
                    (Zoom::Fit, None) => 1.0,
                };
                let text = RichText::new(format!("{:.0} %", scale * 100.0)).font(theme::mono(theme::CAPTION));
                ui.label(text.color(theme.muted));
                if let Some(text) = note(pixels, open, ctx) {
                    ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
                        ui.add_space(4.0);
                        ui.label(theme::icon::WARNING.rich_text().size(14.0).color(theme.warning));
                        let label = RichText::new(&text).size(theme::CAPTION).color(theme.warning);
                        ui.add(egui::Label::new(label).truncate()).on_hover_text(&text);
                    });
                }
            });
        });
    }

    fn level_ui(&mut self, ui: &mut Ui, pixels: &Pixels) {
        let level = self.level.min(last_level(pixels));
        let name = |at: u32| {
            let size = pixels.levels.get(at as usize).map_or((0, 0), |level| (level.width, level.height));
            format!("{at}   {} × {}", size.0, size.1)
        };
        let response = egui::ComboBox::from_id_salt("level")
            .selected_text(RichText::new(format!("level {}", name(level))).font(theme::mono(theme::CAPTION)))
            .width(150.0)
            .show_ui(ui, |ui| {
                for at in 0..=last_level(pixels) {
                    let text = RichText::new(name(at)).font(theme::mono(theme::DENSE));
                    ui.selectable_value(&mut self.level, at, text);
                }
            });
        response.response.on_hover_text("Level: , for a larger one, . for a smaller one");
    }

    /// Looks at the picture in another way.
    pub(super) fn look(&mut self, look: Look, pixels: &Pixels) {
        match look {
            Look::Fit => self.zoom = Zoom::Fit,
            Look::Exact => self.zoom = Zoom::Times(1.0),
            Look::LargerLevel => self.level = self.level.min(last_level(pixels)).saturating_sub(1),
            Look::SmallerLevel => self.level = (self.level + 1).min(last_level(pixels)),
            Look::Channel(at) => self.toggle(at),
            Look::ChannelAlone(at) => self.solo(at),
        }
    }

    fn toggle(&mut self, channel: usize) {
        if let Some(shown) = self.channels.get_mut(channel) {
            *shown = !*shown;
        }
    }

    /// Shows one channel alone, or all again.
    fn solo(&mut self, channel: usize) {
        let mut alone = [false; 4];
        if let Some(shown) = alone.get_mut(channel) {
            *shown = true;
        }
        self.channels = if self.channels == alone { [true; 4] } else { alone };
    }
}

/// The menu of a picture.
fn menu_ui(ui: &mut Ui, ctx: &ViewCtx<'_>) {
    for (name, key, look) in LOOKS {
        if menu::item(ui, name, key, true) {
            ctx.send(Command::Look(look));
        }
    }
}

/// What is not shown of a picture.
fn note(pixels: &Pixels, open: &OpenDocument, ctx: &ViewCtx<'_>) -> Option<String> {
    if let Some((rows, all)) = pixels.cut {
        let has_fault = open.document().is_some_and(|document| document.fault.is_some());
        let why = if has_fault { "the rest is behind the fault" } else { "the file ends inside the level" };
        return Some(format!("{} of {} rows: {why}", number(rows.into()), number(all.into())));
    }
    let mut notes = Vec::new();
    let left_out = |levels: u32, what: &str, why: &str| {
        let verb = if levels == 1 { "is" } else { "are" };
        format!("{} {verb} left out: {why}", count(levels.into(), what))
    };
    if pixels.depth > 1 {
        notes.push(format!("the first of {} slices of a volume", number(pixels.depth.into())));
    }
    if pixels.dropped > 0 {
        notes.push(left_out(pixels.dropped, "smaller level", "one pixel each"));
    }
    if pixels.skipped > 0 {
        let most = ctx.session.caps.as_ref().map_or(0, |caps| caps.max_side);
        let why = format!("a level has up to {most} pixels along a side and {}", size(pixels.most_bytes()));
        notes.push(left_out(pixels.skipped, "larger level", &why));
    }
    (!notes.is_empty()).then(|| notes.join("; "))
}

fn last_level(pixels: &Pixels) -> u32 {
    u32::try_from(pixels.levels.len().saturating_sub(1)).unwrap_or(u32::MAX)
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
        let mut view = TextureView { zoom: Zoom::Times(1.0), ..TextureView::default() };
        let under = |view: &TextureView, scale: f32| {
            let shown = place(rect, size * scale, view.centre, 1e6);
            ((pointer - shown.min) / shown.size()).to_pos2()
        };
        let before = under(&view, 1.0);
        view.magnify(rect, size, 1.0, 4.0, Some(pointer), 1.0);
        assert!((under(&view, 4.0) - before).length() < 1e-3);
    }

    #[test]
    fn one_channel_alone_and_all_again() {
        let mut view = TextureView::default();
        view.solo(3);
        assert_eq!(view.channels, [false, false, false, true]);
        view.solo(3);
        assert_eq!(view.channels, [true; 4]);
        view.toggle(0);
        assert_eq!(view.channels, [false, true, true, true]);
    }
}
