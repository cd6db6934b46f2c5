//! Who decodes Oodle's chunks.

use egui::{RichText, Ui};

use super::{Overlays, heading, path::path_of};
use crate::command::Command;
use crate::oodle::{By, OodleChoice};
use crate::panels::ViewCtx;
use crate::theme;

const WAYS: [(By, &str, &str); 3] = [
    (By::BuiltIn, "Built-in decoder", "needs nothing, on every system"),
    (By::Library, "My Oodle library", "the built-in decoder takes what it refuses"),
    (By::Compare, "Both, and compare", "chunks that they decode to different bytes are errors"),
];

impl Overlays {
    pub(super) fn oodle_ui(&mut self, ui: &mut Ui, ctx: &ViewCtx<'_>) -> bool {
        let theme = ctx.theme;
        if std::mem::take(&mut self.is_new) {
            let OodleChoice { by, path } = &ctx.session.oodle;
            self.chosen = WAYS.iter().position(|(way, ..)| way == by).unwrap_or(0);
            self.text = path.as_ref().map_or_else(String::new, |path| path.display().to_string());
        }
        ui.set_width(520.0);
        heading(ui, "Who decodes Oodle's chunks");
        // On a raised surface the circles need a line that can be seen.
        ui.visuals_mut().widgets.inactive.bg_stroke.color = theme.muted;
        for (at, (_, name, hint)) in WAYS.iter().enumerate() {
            ui.horizontal(|ui| {
                ui.radio_value(&mut self.chosen, at, *name);
                ui.label(RichText::new(*hint).size(theme::CAPTION).color(theme.muted));
            });
        }
        ui.add_space(theme::GRID);
        let by = WAYS.get(self.chosen).map_or(By::BuiltIn, |(by, ..)| *by);
        let is_taken = ui
            .add_enabled_ui(by != By::BuiltIn, |ui| {
                let hint = "The file of the library; empty for the one beside the install";
                self.line_ui(ui, hint, "Oodle library", theme)
            })
            .inner;
        let (text, colour) = state(ctx);
        ui.add(egui::Label::new(RichText::new(text).size(theme::CAPTION).color(colour)).wrap());
        ui.add_space(8.0);
        let mut closes = false;
        ui.horizontal(|ui| {
            if ui.button("Use it").clicked() || is_taken {
                ctx.send(Command::DecodeBy(OodleChoice { by, path: path_of(&self.text) }));
            }
            closes = ui.button("Close").clicked();
        });
        closes
    }
}

/// Who decodes at the moment, or why the library does not.
fn state(ctx: &ViewCtx<'_>) -> (String, egui::Color32) {
    let theme = ctx.theme;
    if ctx.session.mounting.is_some() {
        return ("Mounting again…".to_owned(), theme.muted);
    }
    match ctx.session.mounted.as_ref().map(|mounted| &mounted.oodle) {
        None => ("It is opened when something is mounted.".to_owned(), theme.muted),
        Some(Ok(None)) => ("The built-in decoder decodes.".to_owned(), theme.muted),
        Some(Ok(Some(oodle))) => {
            let path =
                oodle.library().map_or_else(String::new, |library| library.path().display().to_string());
            (format!("{path} decodes."), theme.muted)
        }
        Some(Err(error)) => (format!("{error}. The built-in decoder decodes."), theme.error),
    }
}
