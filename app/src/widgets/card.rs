//! What stands where content would: nothing chosen, on its way, failed.

use egui::{Align, Layout, RichText, Ui, vec2};
use egui_material_icons::MaterialIcon;
use palimpsest_core::error::Error;
use palimpsest_core::task::Task;

use crate::theme::{self, Theme};

/// A short text in the middle: what this place is for, and what to do.
pub fn empty_ui(ui: &mut Ui, icon: MaterialIcon, title: &str, hint: &str) {
    middle_ui(ui, |ui, theme| {
        ui.label(icon.rich_text().size(28.0).color(theme.muted));
        ui.label(RichText::new(title).font(theme::semibold(theme::BODY)).color(theme.text));
        ui.label(RichText::new(hint).size(theme::DENSE).color(theme.muted));
    });
}

/// Why something is not there, in words: whoever stopped it is not told of an error.
pub fn reason(error: &Error) -> String {
    if error.is_cancelled() { "It was stopped, as you asked.".to_owned() } else { error.to_string() }
}

/// What went wrong and where, with what can be done about it; whether that was asked for.
pub fn failed_ui(ui: &mut Ui, title: &str, text: &str, actions: &[&str]) -> Option<usize> {
    let mut chosen = None;
    middle_ui(ui, |ui, theme| {
        ui.label(theme::icon::ERROR.rich_text().size(28.0).color(theme.error));
        ui.label(RichText::new(title).font(theme::semibold(theme::BODY)).color(theme.text));
        ui.label(RichText::new(text).size(theme::DENSE).color(theme.muted));
        if actions.is_empty() {
            return;
        }
        ui.add_space(theme::GRID);
        // As wide as its buttons, so that the row stands in the middle.
        let size = vec2(row_width(ui, actions), ui.spacing().interact_size.y);
        ui.allocate_ui_with_layout(size, Layout::left_to_right(Align::Center), |ui| {
            for (at, action) in actions.iter().enumerate() {
                if ui.button(*action).clicked() {
                    chosen = Some(at);
                }
            }
        });
    });
    chosen
}

/// The width of a row of buttons.
fn row_width(ui: &Ui, names: &[&str]) -> f32 {
    let spacing = ui.spacing();
    let font = egui::TextStyle::Button.resolve(ui.style());
    let width = |name: &&str| {
        let text = ui.painter().layout_no_wrap((*name).to_owned(), font.clone(), egui::Color32::PLACEHOLDER);
        text.size().x + 2.0 * spacing.button_padding.x + spacing.item_spacing.x
    };
    names.iter().map(width).sum::<f32>() - spacing.item_spacing.x
}

/// Rows without content, for what is on its way.
pub fn skeleton_ui(ui: &Ui) {
    let theme = Theme::of(ui.ctx());
    let area = ui.available_rect_before_wrap();
    let mut top = area.top() + 2.0 * theme::GRID;
    for share in [0.62, 0.48, 0.71, 0.55, 0.40, 0.66] {
        let size = vec2((area.width() - 6.0 * theme::GRID).max(0.0) * share, theme::ROW - 2.0 * theme::GRID);
        let bar = egui::Rect::from_min_size(egui::pos2(area.left() + 3.0 * theme::GRID, top), size);
        // The middle belongs to what is said about the work.
        if bar.bottom() < middle(area) {
            ui.painter().rect_filled(bar, 4.0, theme.raised);
        }
        top += theme::ROW;
    }
}

/// The same, with how far the work is; whether it was cancelled.
pub fn loading_ui(ui: &mut Ui, name: &str, task: &Task) -> bool {
    skeleton_ui(ui);
    let mut is_cancelled = false;
    middle_ui(ui, |ui, theme| {
        ui.label(RichText::new(name).size(theme::DENSE).color(theme.muted));
        let (done, total) = task.progress();
        if total > 0 {
            ui.add(
                egui::ProgressBar::new(done as f32 / total as f32).desired_width(180.0).desired_height(6.0),
            );
        } else {
            ui.add(egui::Spinner::new().size(16.0).color(theme.muted));
        }
        is_cancelled = ui.button("Cancel").clicked();
    });
    is_cancelled
}

/// Puts content into the middle of what is left of a panel.
fn middle_ui(ui: &mut Ui, content: impl FnOnce(&mut Ui, &Theme)) {
    let theme = Theme::of(ui.ctx());
    let area = ui.available_rect_before_wrap();
    let width = (area.width() - 8.0 * theme::GRID).clamp(40.0, 460.0);
    let top = middle(area);
    let rect = egui::Rect::from_min_max(
        egui::pos2(area.center().x - width / 2.0, top),
        egui::pos2(area.center().x + width / 2.0, area.bottom()),
    );
    let layout = Layout::top_down(Align::Center);
    ui.scope_builder(egui::UiBuilder::new().max_rect(rect).layout(layout), |ui| content(ui, theme));
    ui.advance_cursor_after_rect(area);
}

/// Where the content in the middle of an area starts.
fn middle(area: egui::Rect) -> f32 {
    area.top() + (area.height() * 0.5 - 60.0).max(2.0 * theme::GRID)
}
