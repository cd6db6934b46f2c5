//! Items of menus, alike everywhere.

use egui::{Button, Id, Key, Response, Ui, WidgetInfo};

/// An item with its key, which may be empty; whether it was chosen, which closes the menu.
pub fn item(ui: &mut Ui, name: &str, key: &str, is_enabled: bool) -> bool {
    let button = Button::new(name);
    let button = if key.is_empty() { button } else { button.shortcut_text(key) };
    let response = ui.add_enabled(is_enabled, button);
    response.widget_info(|| WidgetInfo::labeled(egui::accesskit::Role::MenuItem, is_enabled, name));
    if is_enabled {
        take_keyboard(ui, &response);
    }
    let is_chosen = response.clicked();
    if is_chosen {
        ui.close();
    }
    is_chosen
}

/// Gives the keyboard to the first item of a menu once an arrow is pressed; from there on arrows lead from
/// item to item, and Enter chooses.
fn take_keyboard(ui: &Ui, item: &Response) {
    let focused = Id::unique("item with the keyboard").with(ui.layer_id());
    if item.has_focus() {
        ui.data_mut(|data| data.insert_temp(focused, item.id));
        return;
    }
    let inside = ui.data(|data| data.get_temp::<Id>(focused));
    let has_keyboard = inside.is_some_and(|inside| ui.memory(|memory| memory.focused() == Some(inside)));
    let is_down = |input: &mut egui::InputState| input.consume_key(egui::Modifiers::NONE, Key::ArrowDown);
    if !has_keyboard && ui.input_mut(is_down) {
        // The press leads to this item, and not to the one behind it.
        ui.memory_mut(|memory| memory.move_focus(egui::FocusDirection::None));
        item.request_focus();
    }
}
