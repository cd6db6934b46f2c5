//! The picture of a texture: moved, magnified, level by level, channel by channel, in the light of its
//! tiers.

mod histogram;
mod inspect;
mod shading;
mod sheet;
mod tiers;

use std::sync::Arc;

use egui::{Rect, RichText, Sense, Ui, Vec2, WidgetInfo, pos2, vec2};
use palimpsest_core::asset::Texture;

use self::inspect::Texel;
use self::shading::{Sampling, ShadingChoice};
use self::sheet::CubeView;
use super::ViewCtx;
use super::actions::PICTURE;
use super::camera::{Camera, Shown};
use super::channels::{Channels, level_after, level_ui, slice_ui};
use super::top::items_ui;
use crate::command::{Command, Look, PictureCommand};
use crate::format::{count, number, size};
use crate::gpu::pixels::Pixels;
use crate::gpu::texture::Draw;
use crate::jobs::Load;
use crate::session::{Drawing, OpenDocument, TextureDrawing, Tier};
use crate::theme;
use crate::widgets::card;

/// Height of the bar below a picture.
pub(super) const BAR: f32 = 32.0;

/// Points of width below which the bar has two lines.
pub(super) const NARROW: f32 = 520.0;

/// How a texture is looked at; kept when another copy is shown, whatever its size.
#[derive(Debug, Default)]
pub(super) struct TextureView {
    camera: Camera,
    channels: Channels,
    level: u32,
    shading: ShadingChoice,
    cube: CubeView,
    /// The pixels that were shown last, and the size of their level.
    seen: Option<(u64, (u32, u32))>,
}

impl TextureView {
    pub(super) fn ui(&mut self, ui: &mut Ui, open: &OpenDocument, pixels: &Arc<Pixels>, ctx: &ViewCtx<'_>) {
        let Some(texture) = open.shown_texture() else { return };
        self.follow(pixels);
        let area = ui.available_rect_before_wrap();
        // In a narrow panel the bar has two lines.
        let height = if area.width() < NARROW { 2.0 * BAR } else { BAR };
        let above =
            Rect::from_min_max(area.min, pos2(area.right(), (area.bottom() - height).max(area.top())));
        let (picture, values) = self.shading.divide(above);
        match &open.picture.sheet {
            Some(Load::Ready(slices)) => {
                let shown = (slices.as_slice(), &self.shading, self.channels.0);
                sheet::ui(ui, picture, open, texture, shown, &mut self.cube, ctx);
            }
            Some(Load::Failed(error)) if !error.is_cancelled() => {
                ui.scope_builder(egui::UiBuilder::new().max_rect(picture), |ui| {
                    card::failed_ui(ui, "The slices cannot be shown", &error.to_string(), &[]);
                });
            }
            _ => self.picture_ui(ui, picture, open, texture, pixels, ctx),
        }
        if let Some(values) = values {
            let shown = (self.level.min(last_level(pixels)), self.channels.0);
            ui.scope_builder(egui::UiBuilder::new().max_rect(values), |ui| {
                self.shading.panel_ui(ui, open, texture, pixels, shown, ctx);
            });
        }
        let bar = Rect::from_min_max(pos2(area.left(), above.bottom()), area.max);
        ui.painter().rect_filled(bar, 0.0, ctx.theme.panel);
        ui.painter().hline(bar.x_range(), bar.top(), ctx.theme.line());
        let inside = egui::UiBuilder::new().max_rect(bar.shrink2(vec2(12.0, 2.0)));
        ui.scope_builder(inside, |ui| self.bar_ui(ui, picture, open, texture, pixels, ctx));
        ui.advance_cursor_after_rect(area);
    }

    /// Goes on with the level of the size that was shown, where other pixels have one.
    fn follow(&mut self, pixels: &Pixels) {
        let size = |level: &crate::gpu::pixels::Level| (level.width, level.height);
        if let Some((_, shown)) = self.seen.filter(|(of, _)| *of != pixels.id) {
            let same = pixels.levels.iter().position(|level| size(level) == shown);
            // The largest level stays the largest one, whatever its size.
            if let Some(same) = same.filter(|_| self.level > 0) {
                self.level = same as u32;
            }
        }
        let level = pixels.levels.get(self.level.min(last_level(pixels)) as usize);
        self.seen = level.map(|level| (pixels.id, size(level)));
    }

    fn picture_ui(
        &mut self,
        ui: &Ui,
        rect: Rect,
        open: &OpenDocument,
        texture: &Texture,
        pixels: &Arc<Pixels>,
        ctx: &ViewCtx<'_>,
    ) {
        let theme = ctx.theme;
        ui.painter().rect_filled(rect, 0.0, theme.canvas);
        let response = ui.interact(rect, ui.scope_id().with(("picture", open.id)), Sense::click_and_drag());
        response.widget_info(|| WidgetInfo::labeled(egui::accesskit::Role::Image, true, "Picture"));
        response.context_menu(|ui| menu_ui(ui, ctx));
        let Some(size) = size_px(pixels) else { return };
        let tiles = self.shading.tiles();
        let shown = self.camera.ui(ui, &response, rect, size * tiles as f32);
        let visible = shown.full.intersect(rect);
        if visible.width() <= 0.0 || visible.height() <= 0.0 {
            return;
        }
        let level = self.level.min(last_level(pixels));
        let is_sharp = match self.shading.sampling {
            Sampling::Auto => shown.scale * (1u32 << level.min(15)) as f32 >= 1.0,
            Sampling::Nearest => true,
            Sampling::Smooth => false,
        };
        let draw = Draw {
            pixels: Arc::clone(pixels),
            slot: open.id.0,
            part: shown.part(visible),
            level,
            channels: self.channels.0,
            is_sharp,
            checker: self.shading.ground(theme),
            square: (8.0 * ui.ctx().pixels_per_point()).round(),
            shading: self.shading.shading(open.leaf(), texture),
            heat: None,
            wake: ui.ctx().clone(),
        };
        ui.painter().with_clip_rect(rect).add(draw.shape(visible));
        self.inspect_ui(ui, rect, &response, &shown, (open, texture, pixels, level), ctx);
    }

    /// What lies under the pointer, and the block that is selected among the bytes.
    fn inspect_ui(
        &self,
        ui: &Ui,
        rect: Rect,
        response: &egui::Response,
        shown: &Shown,
        (open, texture, pixels, level): (&OpenDocument, &Texture, &Pixels, u32),
        ctx: &ViewCtx<'_>,
    ) {
        if self.shading.tiles() > 1 || self.shading.is_ball() {
            return;
        }
        let part = open.picture.choice.part;
        // Levels that are not shown come before those that are.
        let of = inspect::Shown { open, texture, level: level + pixels.skipped, part };
        let painter = ui.painter().with_clip_rect(rect);
        if let Some(block) = inspect::selected(&of) {
            let place = |at: egui::Pos2| shown.full.min + at.to_vec2() * shown.full.size();
            let outline = Rect::from_min_max(place(block.min), place(block.max));
            painter.rect_stroke(
                outline,
                0.0,
                egui::Stroke::new(1.0, theme::SELECTED),
                egui::StrokeKind::Outside,
            );
        }
        let Some(at) = response.hover_pos().filter(|_| !response.dragged()) else { return };
        let uv = ((at - shown.full.min) / shown.full.size()).to_pos2();
        let Some(texel) = Texel::at(&of, uv) else { return };
        inspect::chip(ui, rect, at, &texel, ctx.theme);
        if response.clicked() {
            let goes = ui.input(|input| input.modifiers.command).then(|| texel.follows(open)).flatten();
            ctx.commands.send_some(goes.or_else(|| texel.selects(open)));
        }
    }

    fn bar_ui(
        &mut self,
        ui: &mut Ui,
        picture: Rect,
        open: &OpenDocument,
        texture: &Texture,
        pixels: &Pixels,
        ctx: &ViewCtx<'_>,
    ) {
        let theme = ctx.theme;
        let lines = if ui.max_rect().width() < NARROW {
            egui::Layout::left_to_right(egui::Align::Center).with_main_wrap(true)
        } else {
            egui::Layout::left_to_right(egui::Align::Center)
        };
        ui.with_layout(lines, |ui| {
            ui.spacing_mut().item_spacing.x = 4.0;
            self.channels.ui(ui, shading::labels(open.leaf()));
            ui.add_space(4.0);
            let names = level_names(open, pixels);
            level_ui(ui, &mut self.level, &names);
            if texture.slice_count() > 1 {
                slice_ui(ui, open, texture, ctx);
            }
            let shown = (self.level.min(last_level(pixels)), self.channels.0);
            self.shading.button_ui(ui);
            if open.picture.tiers().is_some() {
                tiers::menu_ui(ui, open, ctx);
            }
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                // All slices together have a scale of their own.
                if open.picture.sheet.is_none() {
                    let size = size_px(pixels).unwrap_or(Vec2::splat(1.0)) * self.shading.tiles() as f32;
                    self.camera.bar_ui(ui, picture, size, shown.0);
                }
                if let Some(text) = note(pixels, shown.0, open, ctx) {
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

    /// Looks at the picture in another way; what is to be done with what is looked at.
    pub(super) fn look(
        &mut self,
        look: Look,
        open: &OpenDocument,
        pixels: &Pixels,
        theme: &theme::Theme,
    ) -> Option<Command> {
        let texture = open.shown_texture()?;
        let level = self.level.min(last_level(pixels)) + pixels.skipped;
        let channels = self.channels.0;
        let drawing = || TextureDrawing {
            level,
            channels,
            shading: self.shading.shading(open.leaf(), texture),
            ground: self.shading.ground(theme),
        };
        match look {
            Look::Export => return shading::export(open, level, channels),
            Look::Copy => return Some(Command::Picture(open.id, PictureCommand::Copy(level, channels))),
            Look::SaveDrawn => {
                return Some(Command::Picture(
                    open.id,
                    PictureCommand::PickDrawnFile(Drawing::Texture(drawing())),
                ));
            }
            Look::CopyDrawn => {
                return Some(Command::Picture(
                    open.id,
                    PictureCommand::CopyDrawn(Drawing::Texture(drawing())),
                ));
            }
            Look::Shade(shade) => self.shading.shade(shade, open.leaf(), texture),
            Look::Fit | Look::All => self.camera.fit(),
            Look::Exact => self.camera.exact(self.level.min(last_level(pixels))),
            Look::LargerLevel | Look::SmallerLevel => {
                self.level = level_after(self.level, look, last_level(pixels));
            }
            Look::Channel(_) | Look::ChannelAlone(_) => self.channels.look(look),
            Look::Model(_) => {}
        }
        None
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

/// What each level is called: its size, and the ending of the tier that it comes from.
fn level_names(open: &OpenDocument, pixels: &Pixels) -> Vec<String> {
    let is_joined = open.picture.choice.tier == Tier::Joined;
    let name = |(at, level): (u32, &crate::gpu::pixels::Level)| {
        let of = is_joined.then(|| open.tier_of(pixels.skipped + at)).flatten();
        let of = of.map_or_else(String::new, |(ending, _)| format!("   .{ending}"));
        format!("{at}   {} × {}{of}", level.width, level.height)
    };
    (0..).zip(&pixels.levels).map(name).collect()
}

/// What is not shown of a picture.
fn note(pixels: &Pixels, level: u32, open: &OpenDocument, ctx: &ViewCtx<'_>) -> Option<String> {
    if let Some((rows, all)) = pixels.cut {
        let has_fault = open.document().is_some_and(|document| document.fault.is_some());
        let why = if has_fault { "the rest is behind the fault" } else { "the file ends inside the level" };
        return Some(format!("{} of {} rows: {why}", number(rows.into()), number(all.into())));
    }
    let mut notes = Vec::new();
    if let Some(share) = pixels.torn.get(level as usize).filter(|share| **share > 0.0) {
        let percent = (share * 100.0).ceil();
        notes.push(format!("{percent} % missing, shown as zeros"));
    }
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
