//! Everything that can be chosen beside a model, in pages.

use std::sync::Arc;

use egui::{Rect, RichText, ScrollArea, Ui, UiBuilder, WidgetInfo, vec2};

use super::{ModelView, skeleton, style::Show};
use super::{data, parts, vertex};
use crate::gpu::mesh::{Drawable, Mode};
use crate::panels::{ViewCtx, choice};
use crate::session::OpenDocument;
use crate::theme::{self, Theme};

/// The width of the pages.
const WIDTH: f32 = 268.0;

/// What stands beside a model.
#[derive(Debug, Default)]
pub(super) struct Side {
    pub(super) pages: Pages,
    pub(super) bones: skeleton::BoneList,
    pub(super) data: data::DataPage,
    pub(super) slot: i32,
}

/// Which page is open, and whether any is.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::panels) struct Pages {
    pub(super) is_open: bool,
    pub(super) page: ModelPage,
}

/// A page of what can be chosen beside a model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ModelPage {
    /// Colours, lines and textures.
    #[default]
    View,
    /// Levels of detail, objects and groups.
    Parts,
    /// The skeleton and the pose.
    Bones,
    /// The vertex that was clicked.
    Vertex,
    /// What is abnormal.
    Data,
}

impl ModelPage {
    const ALL: [(Self, &'static str, &'static str); 5] = [
        (Self::View, "View", "Colours, lines and textures"),
        (Self::Parts, "Parts", "Levels of detail, objects and groups"),
        (Self::Bones, "Bones", "Skeleton, pose, masks and sockets"),
        (Self::Vertex, "Vertex", "The vertex that was clicked"),
        (Self::Data, "Data", "What is abnormal about the mesh"),
    ];
}

impl Side {
    /// The room of the model, and that of the pages where they are open.
    pub(super) fn divide(&self, area: Rect) -> (Rect, Option<Rect>) {
        if !self.pages.is_open {
            return (area, None);
        }
        let (model, side) = area.split_left_right_at_x(area.right() - WIDTH.min(area.width() * 0.6));
        (model, Some(side))
    }
}

impl ModelView {
    pub(super) fn side_ui(
        &mut self,
        ui: &mut Ui,
        rect: Rect,
        open: &OpenDocument,
        drawable: &Arc<Drawable>,
        ctx: &ViewCtx<'_>,
    ) {
        let theme = ctx.theme;
        ui.painter().rect_filled(rect, 0.0, theme.panel);
        ui.painter().vline(rect.left(), rect.y_range(), theme.line());
        let inside = UiBuilder::new().max_rect(rect.shrink2(vec2(10.0, 4.0)));
        ui.scope_builder(inside, |ui| {
            ui.horizontal(|ui| {
                ui.spacing_mut().item_spacing.x = 2.0;
                for (page, name, hint) in ModelPage::ALL {
                    let text = RichText::new(name).size(theme::DENSE);
                    let tab = ui.add(egui::Button::selectable(self.side.pages.page == page, text));
                    if tab.on_hover_text(hint).clicked() {
                        self.side.pages.page = page;
                    }
                }
            });
            ui.add_space(2.0);
            // Rails and boxes are seen on every ground.
            ui.visuals_mut().widgets.inactive.bg_fill = theme.hairline;
            match self.side.pages.page {
                ModelPage::View => scrolled(ui, "view", |ui| self.view_page_ui(ui, open, drawable, ctx)),
                ModelPage::Parts => parts::ui(ui, self, open, drawable, ctx),
                ModelPage::Bones => skeleton::ui(ui, self, open, drawable, ctx),
                ModelPage::Vertex => scrolled(ui, "vertex", |ui| vertex::ui(ui, self, open, drawable, ctx)),
                ModelPage::Data => data::ui(ui, self, open, drawable, ctx),
            }
        });
    }

    fn view_page_ui(
        &mut self,
        ui: &mut Ui,
        open: &OpenDocument,
        drawable: &Arc<Drawable>,
        ctx: &ViewCtx<'_>,
    ) {
        caption(ui, "Colours", ctx.theme);
        let shown = self.mode(open);
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing = vec2(2.0, 2.0);
            for mode in Mode::ALL {
                if choice(ui, shown == mode, mode.name()).clicked() {
                    self.style.mode = Some(mode);
                }
            }
        });
        note(ui, mode_words(shown), ctx.theme);
        self.coordinates_ui(ui, drawable, shown, ctx);
        caption(ui, "Shown", ctx.theme);
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing = vec2(2.0, 2.0);
            for show in Show::ALL {
                let is_shown = self.style.has(show);
                let button = choice(ui, is_shown, show.name());
                button.widget_info(|| {
                    WidgetInfo::selected(egui::accesskit::Role::CheckBox, true, is_shown, show.name())
                });
                if button.on_hover_text(show.hint()).clicked() {
                    self.style.toggle(show);
                }
            }
        });
        if drawable.model.mesh.is_some() {
            super::dress::ui(ui, &mut self.side.slot, open, drawable, ctx);
        }
    }

    /// The set of coordinates, and the squares of the checkerboard.
    fn coordinates_ui(&mut self, ui: &mut Ui, drawable: &Drawable, mode: Mode, ctx: &ViewCtx<'_>) {
        let sets = drawable.model.geometry.groups.iter().map(|span| span.uv_sets).max().unwrap_or(0);
        if sets > 1 {
            caption(ui, "Coordinates", ctx.theme);
            ui.horizontal(|ui| {
                for set in 0..sets {
                    if choice(ui, self.style.uv_set == set, &format!("uv{set}")).clicked() {
                        self.style.uv_set = set;
                    }
                }
            });
        }
        if mode == Mode::Checker {
            ui.spacing_mut().slider_width = 120.0;
            let squares = egui::Slider::new(&mut self.style.squares, 2.0..=128.0)
                .step_by(2.0)
                .logarithmic(true)
                .trailing_fill(false)
                .text(RichText::new("squares").size(theme::DENSE));
            ui.add(squares);
        }
    }
}

/// What a mode shows, in a sentence.
const fn mode_words(mode: Mode) -> &'static str {
    match mode {
        Mode::Clay => "Light on one material.",
        Mode::Textured => {
            "Colours, normals and surface maps. How the game lights them is not known: an approximation."
        }
        Mode::Colours => "The colours of the vertices.",
        Mode::Checker => "Squares along the coordinates: red grows with u, green with v.",
        Mode::Normals => "The normals as colours, X in red, Y in green, Z in blue.",
        Mode::Weights => "How much the chosen bone moves each vertex.",
        Mode::Sides => "Blue from outside, red from inside.",
        Mode::Parts => "A colour for each object.",
    }
}

pub(super) fn scrolled(ui: &mut Ui, name: &str, add: impl FnOnce(&mut Ui)) {
    ScrollArea::vertical().id_salt(name).auto_shrink([false, false]).show(ui, add);
}

pub(super) fn caption(ui: &mut Ui, text: &str, theme: &Theme) {
    ui.add_space(4.0);
    ui.label(RichText::new(text).size(theme::CAPTION).color(theme.muted));
}

pub(super) fn note(ui: &mut Ui, text: &str, theme: &Theme) {
    let text = RichText::new(text).size(theme::CAPTION).color(theme.muted);
    ui.add(egui::Label::new(text).wrap());
}
