//! How differences become colours, and the legend that says so.

use egui::epaint::{Mesh, Vertex, WHITE_UV};
use egui::{Rect, RichText, Sense, Shape, Ui, WidgetInfo, pos2, vec2};

use crate::theme::{self, HEAT, Theme};

/// The difference that has the last colour, of 255.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Scale {
    /// The largest one that there is.
    #[default]
    Largest,
    /// This one.
    UpTo(u8),
}

const SCALES: [Scale; 4] = [Scale::Largest, Scale::UpTo(255), Scale::UpTo(64), Scale::UpTo(16)];

impl Scale {
    /// The difference that has the last colour where the largest one is `most`.
    fn top(self, most: u8) -> u8 {
        match self {
            Self::Largest => most.max(1),
            Self::UpTo(top) => top,
        }
    }

    /// What differences of 0 to 1 are multiplied by.
    pub(super) fn times(self, most: u8) -> f32 {
        255.0 / f32::from(self.top(most))
    }

    /// The legend and the choice, from the right to the left.
    pub(super) fn ui(&mut self, ui: &mut Ui, most: u8) {
        let theme = Theme::of(ui.ctx());
        let name = |scale: Self| match scale {
            Self::Largest => format!("{most}, the largest"),
            Self::UpTo(top) => top.to_string(),
        };
        let chooser = egui::ComboBox::from_id_salt("heat scale")
            .selected_text(RichText::new(name(*self)).size(theme::CAPTION))
            .width(104.0)
            .show_ui(ui, |ui| {
                for scale in SCALES {
                    ui.selectable_value(self, scale, RichText::new(name(scale)).size(theme::DENSE));
                }
            });
        chooser.response.on_hover_text("The difference of a channel, of 255, that has the last colour");
        let (rect, response) = ui.allocate_exact_size(vec2(64.0, 10.0), Sense::hover());
        let label = format!("Differences from 0 to {} of 255", self.top(most));
        response.widget_info(|| WidgetInfo::labeled(egui::accesskit::Role::Image, true, &label));
        ui.painter().add(ramp(rect));
        ui.painter().rect_stroke(rect, 0.0, theme.line(), egui::StrokeKind::Outside);
        ui.label(RichText::new("0").font(theme::mono(theme::CAPTION)).color(theme.muted));
    }
}

/// The colours from the left to the right.
fn ramp(rect: Rect) -> Shape {
    let mut mesh = Mesh::default();
    for (at, color) in HEAT.into_iter().enumerate() {
        let x = rect.left() + rect.width() * at as f32 / (HEAT.len() - 1) as f32;
        for y in [rect.top(), rect.bottom()] {
            mesh.vertices.push(Vertex { pos: pos2(x, y), uv: WHITE_UV, color });
        }
    }
    for first in (0..2 * (HEAT.len() as u32 - 1)).step_by(2) {
        mesh.add_triangle(first, first + 1, first + 2);
        mesh.add_triangle(first + 1, first + 2, first + 3);
    }
    Shape::mesh(mesh)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_colour_is_that_of_the_top() {
        assert_eq!(Scale::Largest.times(51), 5.0);
        assert_eq!(Scale::Largest.times(0), 255.0);
        assert_eq!(Scale::UpTo(255).times(9), 1.0);
    }
}
