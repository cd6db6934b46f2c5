//! The files of a texture's stem: which of them supplies each level, and what does not fit.

use egui::{RichText, Ui};
use palimpsest_core::scene::{TierFile, Tiers};

use crate::command::{Command, PictureCommand};
use crate::panels::ViewCtx;
use crate::session::{OpenDocument, PictureChoice, Tier};
use crate::theme::{self, Theme};

/// The button that opens the table of tiers, and what can be chosen there.
pub(super) fn menu_ui(ui: &mut Ui, open: &OpenDocument, ctx: &ViewCtx<'_>) {
    let Some(tiers) = open.picture.tiers() else { return };
    let theme = ctx.theme;
    let choice = open.picture.choice;
    let shown = match choice.tier {
        Tier::Joined => "joined".to_owned(),
        Tier::File(at) => tiers.files.get(at).map_or_else(String::new, ending),
    };
    let has_notes = !tiers.notes.is_empty();
    let colour = if has_notes { theme.warning } else { theme.text };
    let text = RichText::new(format!("tiers: {shown}")).font(theme::mono(theme::CAPTION)).color(colour);
    let button = ui.menu_button(text, |ui| {
        ui.set_min_width(380.0);
        let offer = |ui: &mut Ui, name: String, tier: Tier, is_enabled: bool| {
            let item = egui::Button::selectable(choice.tier == tier, RichText::new(name).size(theme::DENSE));
            if ui.add_enabled(is_enabled, item).clicked() {
                ctx.send(Command::Picture(open.id, PictureCommand::Show(PictureChoice { tier, ..choice })));
                ui.close();
            }
        };
        offer(ui, "All tiers joined".to_owned(), Tier::Joined, tiers.joined.is_some());
        for (at, file) in tiers.files.iter().enumerate() {
            let can_show = matches!(file.texture, Some(Ok(_)));
            offer(ui, file_words(file, open), Tier::File(at), can_show);
        }
        ui.separator();
        levels_ui(ui, tiers, open, theme);
        for note in &tiers.notes {
            let note = RichText::new(note).size(theme::CAPTION).color(theme.warning);
            ui.add(egui::Label::new(note).wrap());
        }
    });
    button.response.on_hover_text("Which file supplies each level");
}

/// The ending of a tier's file.
fn ending(file: &TierFile) -> String {
    file.path.rsplit_once('.').map_or_else(String::new, |(_, ending)| format!(".{ending}"))
}

/// A file in a line: its ending, the layer that it wins in, and what it carries.
fn file_words(file: &TierFile, open: &OpenDocument) -> String {
    let layer = file.copy.map(|copy| open.mounted.stack.layer_name(copy));
    let what = match &file.texture {
        None => "no layer holds it".to_owned(),
        Some(Err(error)) => error.reason(),
        Some(Ok(texture)) => {
            let levels =
                if texture.levels == 1 { "1 level".to_owned() } else { format!("{} levels", texture.levels) };
            format!("{} × {}, {levels}", texture.width, texture.height)
        }
    };
    match layer {
        Some(layer) => format!("{}  of {layer}: {what}", ending(file)),
        None => format!("{}: {what}", ending(file)),
    }
}

/// The levels of the full size, and who supplies each.
fn levels_ui(ui: &mut Ui, tiers: &Tiers, open: &OpenDocument, theme: &Theme) {
    egui::Grid::new("tier levels").num_columns(3).spacing([16.0, 2.0]).show(ui, |ui| {
        for (at, level) in tiers.levels.iter().enumerate() {
            let mono = |text: String| RichText::new(text).font(theme::mono(theme::CAPTION));
            ui.label(mono(format!("level {at}")).color(theme.muted));
            ui.label(mono(format!("{} × {}", level.width, level.height)).color(theme.text));
            let name = |file: &TierFile| match file.copy.map(|copy| open.mounted.stack.layer_name(copy)) {
                Some(layer) => format!("{} of {layer}", ending(file)),
                None => ending(file),
            };
            let names: Vec<_> =
                level.files.iter().filter_map(|file| tiers.files.get(*file)).map(name).collect();
            let (names, colour) = match names.as_slice() {
                [] => ("missing".to_owned(), theme.warning),
                names => (names.join(", "), theme.text),
            };
            ui.label(mono(names).color(colour));
            ui.end_row();
        }
    });
}
