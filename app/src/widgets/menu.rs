//! Items of menus, alike everywhere.

use egui::{Button, Ui, WidgetInfo};

/// An item with its key, which may be empty; whether it was chosen, which closes the menu.
pub fn item(ui: &mut Ui, name: &str, key: &str, is_enabled: bool) -> bool {
    let button = Button::new(name);
    let button = if key.is_empty() { button } else { button.shortcut_text(key) };
    let response = ui.add_enabled(is_enabled, button);
    response.widget_info(|| WidgetInfo::labeled(egui::accesskit::Role::MenuItem, is_enabled, name));
    let is_chosen = response.clicked();
    if is_chosen {
        ui.close();
    }
    is_chosen
}
