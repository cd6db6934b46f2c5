//! One row of a list or tree: its ground, and a pen that writes it from both sides.

use egui::text::{LayoutJob, TextWrapping};
use egui::{Align2, Color32, FontId, Pos2, Rect, Response, Stroke, Ui, pos2};
use egui_material_icons::MaterialIcon;

use super::text;
use crate::theme::{self, Theme, icon};

/// How a row stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Not chosen.
    Plain,
    /// Chosen, in a list that does not have the keyboard.
    Chosen,
    /// Chosen, in the list that has the keyboard.
    Focused,
}

impl Standing {
    /// The standing of a row in a list.
    pub fn new(is_chosen: bool, list: &Response) -> Self {
        match (is_chosen, list.has_focus()) {
            (false, _) => Self::Plain,
            (true, false) => Self::Chosen,
            (true, true) => Self::Focused,
        }
    }
}

/// Draws the ground of a row.
pub fn ground(ui: &Ui, row: &Response, standing: Standing) {
    let theme = Theme::of(ui.ctx());
    let colour = match standing {
        Standing::Focused => theme.selection,
        Standing::Chosen => theme.hovered,
        Standing::Plain if row.hovered() => theme.raised,
        Standing::Plain => return,
    };
    ui.painter().rect_filled(row.rect, 0.0, colour);
}

/// Draws an icon around a point.
pub fn icon_at(ui: &Ui, centre: Pos2, icon: MaterialIcon, size: f32, colour: Color32) {
    let font = FontId::new(size, icon.font_family());
    ui.painter().text(centre, Align2::CENTER_CENTER, icon.codepoint, font, colour);
}

/// Writes a row from the left and from the right; what the right side takes, the left side leaves.
pub struct Pen<'a> {
    ui: &'a Ui,
    row: Rect,
    x: f32,
}

impl std::fmt::Debug for Pen<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Pen({:?}, {})", self.row, self.x)
    }
}

impl<'a> Pen<'a> {
    /// A pen at `x` in a row.
    pub fn new(ui: &'a Ui, mut row: Rect, x: f32) -> Self {
        row.max.x -= 8.0;
        Self { ui, row, x }
    }

    /// Leaves room.
    pub fn skip(&mut self, width: f32) {
        self.x += width;
    }

    /// Leaves room at the right.
    pub fn gap(&mut self, width: f32) {
        self.row.max.x -= width;
    }

    /// The mark of what can be opened.
    pub fn chevron(&mut self, is_open: bool) {
        let theme = Theme::of(self.ui.ctx());
        let icon = if is_open { icon::OPEN } else { icon::CLOSED };
        icon_at(self.ui, pos2(self.x + 6.0, self.row.center().y), icon, 14.0, theme.muted);
        self.x += 18.0;
    }

    /// An icon.
    pub fn icon(&mut self, icon: MaterialIcon, colour: Color32) {
        icon_at(self.ui, pos2(self.x + 7.0, self.row.center().y), icon, 15.0, colour);
        self.x += 20.0;
    }

    /// Text for reading.
    pub fn text(&mut self, text: &str, colour: Color32) {
        self.write(text, theme::sans(theme::DENSE), colour);
    }

    /// A path for reading, whose end is kept.
    pub fn path(&mut self, path: &str, colour: Color32) {
        let font = theme::sans(theme::DENSE);
        self.x = text::path(self.ui, self.row, self.x, self.row.right(), path, font, colour).right();
    }

    /// Text for reading that is crossed out.
    pub fn struck(&mut self, text: &str, colour: Color32) {
        let mut job = LayoutJob::simple_singleline(text.to_owned(), theme::sans(theme::DENSE), colour);
        job.wrap = TextWrapping::truncate_at_width((self.row.right() - self.x).max(0.0));
        for section in &mut job.sections {
            section.format.strikethrough = Stroke::new(1.0, colour);
        }
        self.x = text::job_at(self.ui, self.row, self.x, job).right();
    }

    /// Text beside other text.
    pub fn small(&mut self, text: &str, colour: Color32) {
        self.write(text, theme::sans(theme::CAPTION), colour);
    }

    fn write(&mut self, text: &str, font: FontId, colour: Color32) {
        self.x = text::left(self.ui, self.row, self.x, self.row.right(), text, font, colour).right();
    }

    /// A number at the right.
    pub fn right(&mut self, text: &str, colour: Color32) {
        let font = theme::mono(theme::CAPTION);
        let drawn = text::right(self.ui, self.row, self.row.right(), text, font, colour);
        self.row.max.x = drawn.left() - 4.0;
    }

    /// An icon at the right.
    pub fn right_icon(&mut self, icon: MaterialIcon, colour: Color32) {
        icon_at(self.ui, pos2(self.row.right() - 6.0, self.row.center().y), icon, 13.0, colour);
        self.row.max.x -= 18.0;
    }
}
