//! Where the triangles of a mesh lie on its texture.

use std::sync::Arc;

use egui::{Color32, Painter, Pos2, Rect, Response, Ui, vec2};
use glam::Vec2;

use super::ModelView;
use super::overlay::words;
use super::viewport::size_px;
use crate::gpu::mesh::{Draw, Drawable, Look};
use crate::gpu::texture;
use crate::panels::ViewCtx;
use crate::session::OpenDocument;

/// Where the layout of coordinates stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    /// The coordinates in the middle of the panel.
    middle: Vec2,
    /// How often a whole texture fits into the shorter side of the panel.
    zoom: f32,
}

impl Default for Layout {
    fn default() -> Self {
        Self { middle: Vec2::splat(0.5), zoom: 0.9 }
    }
}

impl ModelView {
    /// Where the triangles lie on the texture.
    pub(super) fn layout_ui(
        &mut self,
        ui: &Ui,
        painter: &Painter,
        (rect, response): (Rect, &Response),
        open: &OpenDocument,
        drawable: &Arc<Drawable>,
        ctx: &ViewCtx<'_>,
    ) {
        let theme = ctx.theme;
        let side = rect.width().min(rect.height()) * self.layout.zoom;
        if response.dragged() {
            let moved = response.drag_delta() / side;
            self.layout.middle -= Vec2::new(moved.x, moved.y);
        }
        if let Some(at) = response.hover_pos() {
            let factor =
                ui.input(|input| input.zoom_delta() * (input.smooth_scroll_delta().y / 240.0).exp2());
            if (factor - 1.0).abs() > 1e-4 {
                let away = at - rect.center();
                let away = Vec2::new(away.x, away.y);
                let zoom = (self.layout.zoom * factor).clamp(0.05, 64.0);
                self.layout.middle += away / side - away / (side * zoom / self.layout.zoom);
                self.layout.zoom = zoom;
            }
        }
        if response.double_clicked() {
            self.layout = Layout::default();
        }
        let side = rect.width().min(rect.height()) * self.layout.zoom;
        let corner = rect.center() - vec2(self.layout.middle.x, self.layout.middle.y) * side;
        let whole = Rect::from_min_size(corner, egui::Vec2::splat(side));
        painter.rect_filled(whole, 0.0, theme.raised);
        self.layout_ground(painter, whole, rect, open, ui);
        painter.rect_stroke(whole, 0.0, theme.line(), egui::StrokeKind::Outside);
        let (look, _) = self.compose(open, drawable, 1.0, theme);
        let halves = Vec2::new(2.0 * side / rect.width(), 2.0 * side / rect.height());
        let has_none = look.parts.is_empty();
        let draw = Draw {
            drawable: Arc::clone(drawable),
            slot: open.id.0,
            size_px: size_px(rect, ui.ctx().pixels_per_point()),
            look: Look {
                line: if theme.is_dark {
                    Color32::from_white_alpha(56)
                } else {
                    Color32::from_rgba_unmultiplied(20, 40, 70, 84)
                },
                ground: Color32::TRANSPARENT,
                marks: Arc::default(),
                unwrap: Some([self.layout.middle, halves]),
                ..look
            },
            wake: ui.ctx().clone(),
        };
        painter.add(draw.shape(rect));
        let set = self.style.uv_set;
        let none = if has_none { "\nnothing is drawn" } else { "" };
        words(painter, rect, format!("uv{set}, from the top left corner{none}"), theme);
    }

    /// The texture below the layout of coordinates.
    fn layout_ground(&self, painter: &Painter, whole: Rect, rect: Rect, open: &OpenDocument, ui: &Ui) {
        let [diffuse, _, _] = open.model.pixels(self.side.slot);
        let Some(pixels) = diffuse else { return };
        let visible = whole.intersect(rect);
        if visible.width() <= 0.0 || visible.height() <= 0.0 {
            return;
        }
        let part = |at: Pos2| ((at - whole.min) / whole.size()).to_pos2();
        let draw = texture::Draw {
            pixels,
            slot: (1 << 51) + open.id.0,
            part: Rect::from_min_max(part(visible.min), part(visible.max)),
            level: 0,
            channels: [true; 4],
            is_sharp: false,
            checker: [Color32::BLACK; 2],
            square: 8.0,
            shading: texture::Shading { is_opaque: true, ..Default::default() },
            heat: None,
            wake: ui.ctx().clone(),
        };
        painter.add(draw.shape(visible));
    }
}
