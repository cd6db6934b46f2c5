//! Fields for a line of text.

use egui::{Response, WidgetInfo};

/// Gives a field its name for those who do not see it.
pub fn name(field: &Response, text: &str, name: &str) {
    let info = || WidgetInfo { label: Some(name.to_owned()), ..WidgetInfo::text_edit(true, text, text, "") };
    field.widget_info(info);
}
