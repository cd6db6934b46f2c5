//! A choice among several in a list that opens.

use egui::{RichText, Ui, WidgetInfo};

use crate::theme;

/// A choice among several, with a name for those who do not see it.
pub fn combo(
    ui: &mut Ui,
    (id, name): (&str, &str),
    shown: &str,
    width: f32,
    add: impl FnOnce(&mut Ui),
) -> egui::Response {
    let response = egui::ComboBox::from_id_salt(id)
        .selected_text(RichText::new(shown).font(theme::mono(theme::CAPTION)))
        .width(width)
        .truncate()
        .height(340.0)
        .show_ui(ui, add)
        .response;
    let label = format!("{name}: {shown}");
    response.widget_info(|| WidgetInfo::labeled(egui::accesskit::Role::ComboBox, true, &label));
    response
}
