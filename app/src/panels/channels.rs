//! Which channels and which level of a picture are shown.

use egui::{RichText, Ui, WidgetInfo};
use palimpsest_core::asset::Texture;

use super::ViewCtx;
use crate::command::{Command, Look, PictureCommand};
use crate::session::{OpenDocument, PictureChoice};
use crate::theme;
use crate::widgets::keys;

const NAMES: [&str; 4] = ["R", "G", "B", "A"];

/// The channels that are shown: red, green, blue, alpha.
#[derive(Debug)]
pub(super) struct Channels(pub(super) [bool; 4]);

impl Default for Channels {
    fn default() -> Self {
        Self([true; 4])
    }
}

impl Channels {
    /// A button for each channel; `labels` say what the first three stand for.
    pub(super) fn ui(&mut self, ui: &mut Ui, labels: Option<[&str; 3]>) {
        for (at, name) in NAMES.into_iter().enumerate() {
            let is_on = self.0.get(at).copied().unwrap_or(false);
            let text = RichText::new(name).font(theme::mono(theme::DENSE));
            let response = ui.add_sized([24.0, 22.0], egui::Button::selectable(is_on, text));
            response.widget_info(|| {
                WidgetInfo::selected(egui::accesskit::Role::CheckBox, true, is_on, format!("Channel {name}"))
            });
            let label = labels.and_then(|labels| labels.get(at).copied()).map(|label| format!(", {label}"));
            let label = label.unwrap_or_default();
            let hint = format!("{name}{label}: key {}; right-click or Shift shows it alone", at + 1);
            let response = response.on_hover_text(hint);
            let is_alone = response.secondary_clicked() || keys::shift_at_pointer(ui);
            if response.clicked() || response.secondary_clicked() {
                if is_alone { self.solo(at) } else { self.toggle(at) }
            }
        }
    }

    /// Shows other channels, where a way to look is about them.
    pub(super) fn look(&mut self, look: Look) {
        match look {
            Look::Channel(at) => self.toggle(at),
            Look::ChannelAlone(at) => self.solo(at),
            _ => {}
        }
    }

    fn toggle(&mut self, channel: usize) {
        if let Some(shown) = self.0.get_mut(channel) {
            *shown = !*shown;
        }
    }

    /// Shows one channel alone, or all again.
    fn solo(&mut self, channel: usize) {
        let mut alone = [false; 4];
        if let Some(shown) = alone.get_mut(channel) {
            *shown = true;
        }
        self.0 = if self.0 == alone { [true; 4] } else { alone };
    }
}

/// What levels are called by their sizes.
pub(super) fn level_names(sizes: &[(u32, u32)]) -> Vec<String> {
    sizes.iter().enumerate().map(|(at, (width, height))| format!("{at}   {width} × {height}")).collect()
}

/// What a slice of an array, a face of a cube or a layer of a volume is called.
pub(super) fn slice_name(texture: &Texture, at: u32) -> String {
    const FACES: [&str; 6] = ["+X", "−X", "+Y", "−Y", "+Z", "−Z"];
    let face = FACES.get(at as usize % FACES.len()).copied().unwrap_or_default();
    let path = texture.slice_paths.get(at as usize).filter(|path| !path.is_empty());
    match (texture.is_cube, path) {
        (true, _) => format!("face {at}  {face}"),
        (false, Some(path)) => format!("slice {at}  {}", path.rsplit('\\').next().unwrap_or_default()),
        (false, None) => format!("slice {at}"),
    }
}

/// Chooses a slice of an array, a face or a layer of a volume.
pub(super) fn slice_ui(ui: &mut Ui, open: &OpenDocument, texture: &Texture, ctx: &ViewCtx<'_>) {
    let choice = open.picture.choice;
    let shown = choice.part.shown(texture);
    let name = |at: u32| slice_name(texture, at);
    let has_sheet = open.picture.sheet.is_some();
    let all = if texture.is_cube { "all faces" } else { "all slices" };
    let selected = if has_sheet { all.to_owned() } else { name(shown) };
    let response = egui::ComboBox::from_id_salt("slice")
        .selected_text(RichText::new(&selected).font(theme::mono(theme::CAPTION)))
        .width(90.0)
        .show_ui(ui, |ui| {
            let all = RichText::new(all).font(theme::mono(theme::DENSE));
            if ui.selectable_label(has_sheet, all).clicked() {
                ctx.send(Command::Picture(open.id, PictureCommand::Sheet));
            }
            for at in 0..texture.slice_count() {
                let text = RichText::new(name(at)).font(theme::mono(theme::DENSE));
                let item = ui.selectable_label(!has_sheet && at == shown, text);
                let item = match texture.slice_paths.get(at as usize) {
                    Some(path) if !path.is_empty() => item.on_hover_text(path),
                    _ => item,
                };
                if item.clicked() {
                    let part = choice.part.at(texture, at);
                    ctx.send(Command::Picture(
                        open.id,
                        PictureCommand::Show(PictureChoice { part, ..choice }),
                    ));
                }
            }
        });
    let response = response.response;
    response.widget_info(|| WidgetInfo::labeled(egui::accesskit::Role::ComboBox, true, &selected));
    response.on_hover_text("Slice of the array, face of the cube or layer of the volume");
}

/// Chooses a level by its name.
pub(super) fn level_ui(ui: &mut Ui, level: &mut u32, names: &[String]) {
    let last = u32::try_from(names.len().saturating_sub(1)).unwrap_or(u32::MAX);
    let shown = (*level).min(last);
    let name = |at: u32| names.get(at as usize).map_or("", String::as_str);
    let response = egui::ComboBox::from_id_salt("level")
        .selected_text(RichText::new(format!("level {}", name(shown))).font(theme::mono(theme::CAPTION)))
        .width(190.0)
        .height(320.0)
        .show_ui(ui, |ui| {
            for at in 0..=last {
                let text = RichText::new(name(at)).font(theme::mono(theme::DENSE));
                ui.selectable_value(level, at, text);
            }
        });
    let response = response.response;
    let label = format!("level {}", name(shown));
    response.widget_info(|| WidgetInfo::labeled(egui::accesskit::Role::ComboBox, true, &label));
    response.on_hover_text("Level: , for a larger one, . for a smaller one");
}

/// The level that a way to look leads to, of levels up to `last`.
pub(super) fn level_after(level: u32, look: Look, last: u32) -> u32 {
    let level = level.min(last);
    match look {
        Look::LargerLevel => level.saturating_sub(1),
        Look::SmallerLevel => (level + 1).min(last),
        _ => level,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_channel_alone_and_all_again() {
        let mut channels = Channels::default();
        channels.solo(3);
        assert_eq!(channels.0, [false, false, false, true]);
        channels.solo(3);
        assert_eq!(channels.0, [true; 4]);
        channels.toggle(0);
        assert_eq!(channels.0, [false, true, true, true]);
    }

    #[test]
    fn levels_end_at_the_first_and_the_last() {
        let levels =
            [(0, Look::LargerLevel), (9, Look::LargerLevel), (3, Look::SmallerLevel), (2, Look::Fit)];
        assert_eq!(levels.map(|(level, look)| level_after(level, look, 3)), [0, 2, 3, 2]);
    }
}
