//! The picture of a texture: moved, magnified, level by level, channel by channel.

use std::sync::Arc;

use egui::{Rect, RichText, Sense, Ui, Vec2, WidgetInfo, pos2, vec2};

use super::ViewCtx;
use super::actions::PICTURE;
use super::camera::Camera;
use super::channels::{Channels, level_after, level_ui};
use super::top::items_ui;
use crate::command::Look;
use crate::format::{count, number, size};
use crate::gpu::pixels::Pixels;
use crate::gpu::texture::{Draw, Shading};
use crate::session::OpenDocument;
use crate::theme;

/// Height of the bar below a picture.
pub(super) const BAR: f32 = 32.0;

/// How a texture is looked at; kept when another copy is shown, whatever its size.
#[derive(Debug, Default)]
pub(super) struct TextureView {
    camera: Camera,
    channels: Channels,
    level: u32,
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
        let Some(size) = size_px(pixels) else { return };
        let shown = self.camera.ui(ui, &response, rect, size);
        let visible = shown.full.intersect(rect);
        if visible.width() <= 0.0 || visible.height() <= 0.0 {
            return;
        }
        let draw = Draw {
            pixels: Arc::clone(pixels),
            slot: open.id.0,
            part: shown.part(visible),
            level: self.level.min(last_level(pixels)),
            channels: self.channels.0,
            is_sharp: shown.scale * (1u32 << self.level.min(15)) as f32 >= 1.0,
            checker: theme.checker(),
            square: (8.0 * ui.ctx().pixels_per_point()).round(),
            shading: Shading::default(),
            heat: None,
            wake: ui.ctx().clone(),
        };
        ui.painter().with_clip_rect(rect).add(draw.shape(visible));
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
            self.channels.ui(ui);
            ui.add_space(8.0);
            let sizes: Vec<_> = pixels.levels.iter().map(|level| (level.width, level.height)).collect();
            level_ui(ui, &mut self.level, &sizes);
            if ui.available_width() < 140.0 {
                return;
            }
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                self.camera.bar_ui(ui, picture, size_px(pixels).unwrap_or(Vec2::splat(1.0)));
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

    /// Looks at the picture in another way.
    pub(super) fn look(&mut self, look: Look, pixels: &Pixels) {
        match look {
            Look::Fit => self.camera.fit(),
            Look::Exact => self.camera.exact(),
            Look::LargerLevel | Look::SmallerLevel => {
                self.level = level_after(self.level, look, last_level(pixels));
            }
            Look::Channel(_) | Look::ChannelAlone(_) => self.channels.look(look),
        }
    }
}

/// The menu of a picture.
pub(super) fn menu_ui(ui: &mut Ui, ctx: &ViewCtx<'_>) {
    items_ui(ui, &PICTURE, ctx);
}

/// Pixels of the largest level that is shown.
pub(super) fn size_px(pixels: &Pixels) -> Option<Vec2> {
    pixels.levels.first().map(|first| vec2(first.width as f32, first.height as f32))
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
