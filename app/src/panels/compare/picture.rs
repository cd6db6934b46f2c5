//! Two textures: swiped, in turns, beside each other, or how far their pixels differ.

use std::sync::Arc;

use egui::{Align2, Rect, RichText, Sense, Ui, Vec2, WidgetInfo, pos2, vec2};
use palimpsest_core::diff::Change;

use super::Compared;
use super::bar::{bar_ui, caption, with_bar};
use super::legend::Scale;
use super::levels::{HeatLevel, Levels, shared_words};
use super::swipe::Swipe;
use super::turns::Turns;
use crate::command::{Command, CompareView, Look, PictureMode};
use crate::document::Document;
use crate::gpu::pixels::Pixels;
use crate::gpu::texture::{Draw, Heat, Shading};
use crate::panels::ViewCtx;
use crate::panels::camera::{Camera, Shown};
use crate::panels::channels::{Channels, level_after, level_names, level_ui};
use crate::panels::texture::{menu_ui, size_px};
use crate::theme;
use crate::widgets::card;

/// Height of the strip above the pictures.
const STRIP: f32 = 30.0;
/// Height of the line below them.
const WORDS: f32 = 22.0;
/// Between pictures beside each other.
const GAP: f32 = 6.0;

const MODES: [(PictureMode, &str, &str); 4] = [
    (PictureMode::Swipe, "Swipe", "The left copy up to a line that can be moved, the right one behind it"),
    (PictureMode::Blink, "Blink", "One copy after the other (Space)"),
    (PictureMode::Difference, "Difference", "How far the pixels differ"),
    (PictureMode::Beside, "Side by side", "Both copies, moved and magnified together"),
];

/// How two textures are looked at.
#[derive(Debug, Default)]
pub(super) struct PictureView {
    mode: PictureMode,
    camera: Camera,
    channels: Channels,
    /// The level, counted among those that are compared.
    level: u32,
    swipe: Swipe,
    turns: Turns,
    scale: Scale,
}

impl PictureView {
    pub(super) fn show(&mut self, mode: PictureMode) {
        self.mode = mode;
    }

    /// Shows the other picture, in turns.
    pub(super) fn blink(&mut self) {
        if self.mode == PictureMode::Blink {
            self.turns.next();
        } else {
            self.mode = PictureMode::Blink;
        }
    }

    /// Looks at the pictures in another way.
    pub(super) fn look(&mut self, look: Look, left: &Document, right: &Document) {
        match look {
            Look::Fit | Look::All => self.camera.fit(),
            Look::Exact => self.camera.exact(self.level),
            Look::LargerLevel | Look::SmallerLevel => {
                if let (Some(Ok(left)), Some(Ok(right))) = (&left.picture, &right.picture) {
                    self.level = level_after(self.level, look, Levels::of(left, right).last());
                }
            }
            Look::Channel(_) | Look::ChannelAlone(_) => self.channels.look(look),
            // What colours are made of is chosen, and written, for one picture.
            Look::Shade(_)
            | Look::Export
            | Look::Copy
            | Look::SaveDrawn
            | Look::CopyDrawn
            | Look::Model(_) => {}
        }
    }

    pub(super) fn ui(&mut self, ui: &mut Ui, compared: Compared<'_>, ctx: &ViewCtx<'_>) {
        let [left, right] = compared.both().map(|of| picture_of(of));
        let (left, right) = match (left, right) {
            (Ok(left), Ok(right)) => (left, right),
            (Err(reason), _) | (_, Err(reason)) => {
                card::failed_ui(ui, "The pictures cannot be compared", &reason, &[]);
                return;
            }
        };
        let levels = Levels::of(left, right);
        let mode = if levels.is_shared() { self.mode } else { PictureMode::Beside };
        let (area, bar) = with_bar(ui, ctx);
        let strip = Rect::from_min_size(area.min, vec2(area.width(), STRIP));
        let words = Rect::from_min_max(pos2(area.left(), area.bottom() - WORDS), area.max);
        let rect = Rect::from_min_max(strip.left_bottom(), words.right_top());
        ui.painter().rect_filled(area, 0.0, ctx.theme.canvas);
        ui.painter().rect_filled(strip, 0.0, ctx.theme.panel);
        bar_ui(ui, strip, |ui| self.strip_ui(ui, mode, &levels, compared, ctx));
        let scene = Scene { compared, sides: [left, right], levels: &levels, rect, ctx };
        let size = levels.sizes().first().map_or(Vec2::splat(1.0), |(w, h)| vec2(*w as f32, *h as f32));
        match mode {
            PictureMode::Beside => self.beside_ui(ui, &scene),
            _ => self.over_ui(ui, &scene, mode, size),
        }
        let line = shared_words(&scene.sides.map(|side| &**side), compared, mode, self.level, &levels);
        ui.scope_builder(egui::UiBuilder::new().max_rect(words.shrink2(vec2(12.0, 0.0))), |ui| {
            ui.horizontal_centered(|ui| caption(ui, line, ctx));
        });
        bar_ui(ui, bar, |ui| {
            ui.spacing_mut().item_spacing.x = 4.0;
            self.channels.ui(ui, None);
            ui.add_space(8.0);
            level_ui(ui, &mut self.level, &level_names(&levels.sizes()));
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                // Beside each other each picture has half the room.
                let room = if mode == PictureMode::Beside { halves(rect)[0] } else { rect };
                self.camera.bar_ui(ui, room, size, self.level);
            });
        });
        ui.allocate_rect(area.union(bar), Sense::hover());
    }

    /// The ways to look at the pictures, and what belongs to the one that is chosen.
    fn strip_ui(
        &mut self,
        ui: &mut Ui,
        mode: PictureMode,
        levels: &Levels,
        compared: Compared<'_>,
        ctx: &ViewCtx<'_>,
    ) {
        ui.spacing_mut().item_spacing.x = 2.0;
        for (of, name, hint) in MODES {
            let text = RichText::new(name).size(theme::DENSE);
            let button = egui::Button::selectable(of == mode, text);
            let is_enabled = levels.is_shared() || of == PictureMode::Beside;
            let response = ui.add_enabled(is_enabled, button);
            let response = response.on_disabled_hover_text("Needs a level that both have in the same size");
            if response.on_hover_text(hint).clicked() {
                ctx.send(Command::ViewComparison(CompareView::Picture(of)));
            }
        }
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = 6.0;
            match mode {
                PictureMode::Blink => self.turns.ui(ui),
                PictureMode::Difference => {
                    let most = levels.heat(self.level, compared).map_or(0, |heat| heat.most);
                    self.scale.ui(ui, most);
                }
                PictureMode::Swipe | PictureMode::Beside => {}
            }
        });
    }

    /// Both pictures at one place.
    fn over_ui(&mut self, ui: &Ui, scene: &Scene<'_>, mode: PictureMode, size: Vec2) {
        let Scene { compared, rect, ctx, .. } = *scene;
        let response = ui.interact(rect, compared.focus_id(), Sense::click_and_drag());
        response.widget_info(|| WidgetInfo::labeled(egui::accesskit::Role::Image, true, "Pictures"));
        response.context_menu(|ui| menu_ui(ui, ctx));
        // Registered behind the picture, so that the line gets the pointer first.
        let line =
            (mode == PictureMode::Swipe).then(|| self.swipe.ui(ui, rect, compared.focus_id().with("swipe")));
        let shown = self.camera.ui(ui, &response, rect, size);
        match (mode, line) {
            (PictureMode::Difference, _) => self.heat_ui(ui, scene, &shown),
            (_, Some(x)) => {
                for (side, part) in [(0, rect.x_range().min..=x), (1, x..=rect.right())] {
                    let clip = Rect::from_x_y_ranges(part, rect.y_range());
                    self.draw(ui, scene, side, &shown, clip);
                    chip(ui, scene, side, clip);
                }
                self.swipe.draw(ui, rect);
            }
            _ => {
                let side = self.turns.side(ui);
                self.draw(ui, scene, side, &shown, rect);
                chip(ui, scene, side, Rect::from_min_max(rect.min, rect.max));
            }
        }
    }

    fn beside_ui(&mut self, ui: &Ui, scene: &Scene<'_>) {
        let Scene { compared, rect, ctx, .. } = *scene;
        for (side, clip) in halves(rect).into_iter().enumerate() {
            let Some(pixels) = scene.sides.get(side) else { continue };
            let id = if side == 0 { compared.focus_id() } else { compared.focus_id().with("right") };
            let response = ui.interact(clip, id, Sense::click_and_drag());
            let name = if side == 0 { "Left picture" } else { "Right picture" };
            response.widget_info(|| WidgetInfo::labeled(egui::accesskit::Role::Image, true, name));
            response.context_menu(|ui| menu_ui(ui, ctx));
            // Pictures of one shape are as large as each other, whatever their pixels.
            let own = size_px(pixels).unwrap_or(Vec2::splat(1.0));
            let all = scene.sides.map(|side| size_px(side).unwrap_or(own));
            let is_alike = (all[0].x * all[1].y - all[0].y * all[1].x).abs() < 1.0;
            let size = if is_alike { all[0].max(all[1]) } else { own };
            let shown = self.camera.ui(ui, &response, clip, size);
            self.draw(ui, scene, side, &shown, clip);
            chip(ui, scene, side, clip);
        }
        let line = rect.center().x;
        ui.painter().vline(line, rect.y_range(), ctx.theme.line());
    }

    /// Draws one of the pictures inside a rectangle.
    fn draw(&self, ui: &Ui, scene: &Scene<'_>, side: usize, shown: &Shown, clip: Rect) {
        let Some(pixels) = scene.sides.get(side) else { return };
        let level = scene.levels.level(self.level, side);
        self.draw_pixels(ui, scene, (pixels, level, side as u64), None, shown, clip);
    }

    fn heat_ui(&self, ui: &Ui, scene: &Scene<'_>, shown: &Shown) {
        let Some(HeatLevel { level, most, .. }) = scene.levels.heat(self.level, scene.compared) else {
            return;
        };
        let Some(Ok(diff)) = &scene.compared.result.pixels else { return };
        let Some(pixels) = &diff.pixels else { return };
        let heat = Heat { colours: theme::HEAT, times: self.scale.times(most) };
        self.draw_pixels(ui, scene, (pixels, level, 2), Some(heat), shown, scene.rect);
    }

    fn draw_pixels(
        &self,
        ui: &Ui,
        scene: &Scene<'_>,
        (pixels, level, slot): (&Arc<Pixels>, u32, u64),
        heat: Option<Heat>,
        shown: &Shown,
        clip: Rect,
    ) {
        let visible = shown.full.intersect(clip);
        if visible.width() <= 0.0 || visible.height() <= 0.0 {
            return;
        }
        let draw = Draw {
            pixels: Arc::clone(pixels),
            // Tabs with documents count from 1; both sides may be of one texture.
            slot: (1 << 40) + scene.compared.open.id.0 * 4 + slot,
            part: shown.part(visible),
            level,
            channels: self.channels.0,
            is_sharp: shown.scale * (1u32 << self.level.min(15)) as f32 >= 1.0,
            checker: scene.ctx.theme.checker(),
            square: (8.0 * ui.ctx().pixels_per_point()).round(),
            shading: Shading::default(),
            heat,
            wake: ui.ctx().clone(),
        };
        ui.painter().with_clip_rect(clip).add(draw.shape(visible));
    }
}

/// The room of each of two pictures beside each other.
fn halves(rect: Rect) -> [Rect; 2] {
    let half = ((rect.width() - GAP) / 2.0).floor();
    [
        Rect::from_min_size(rect.min, vec2(half, rect.height())),
        Rect::from_min_max(pos2(rect.right() - half, rect.top()), rect.max),
    ]
}

/// What is drawn: both pictures, and where.
#[derive(Clone, Copy)]
struct Scene<'a> {
    compared: Compared<'a>,
    sides: [&'a Arc<Pixels>; 2],
    levels: &'a Levels,
    rect: Rect,
    ctx: &'a ViewCtx<'a>,
}

/// The picture of a copy, or why there is none.
fn picture_of(of: &Document) -> Result<&Arc<Pixels>, String> {
    match &of.picture {
        Some(Ok(pixels)) => match pixels.refusal.get() {
            None => Ok(pixels),
            Some(refusal) => Err(format!("{}: {refusal}", of.layer)),
        },
        Some(Err(error)) => Err(format!("{}: {error}", of.layer)),
        None => Err(format!("{}: no picture without a graphics adapter", of.layer)),
    }
}

/// Says which copy a part of the picture is of, in its corner.
fn chip(ui: &Ui, scene: &Scene<'_>, side: usize, part: Rect) {
    let theme = scene.ctx.theme;
    let change = if side == 0 { Change::Removed } else { Change::Added };
    let text = format!("{} {}", change.sign(), scene.compared.open.side(side));
    let font = theme::sans(theme::CAPTION);
    let galley = ui.painter().layout_no_wrap(text, font, theme.change(change));
    let size = galley.size() + vec2(12.0, 6.0);
    // The left one keeps to its left corner, the right one to its right.
    let (corner, min) = if side == 0 {
        (Align2::LEFT_TOP, part.left_top() + vec2(8.0, 8.0))
    } else {
        (Align2::RIGHT_TOP, part.right_top() + vec2(-8.0, 8.0))
    };
    let rect = corner.anchor_size(min, size);
    let painter = ui.painter().with_clip_rect(part.intersect(ui.clip_rect()));
    painter.rect_filled(rect, 4.0, theme.panel);
    painter.galley(rect.min + vec2(6.0, 3.0), galley, theme.text);
}
