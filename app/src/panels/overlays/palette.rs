//! The palette: goes to a path, or runs a command.

use egui::{RichText, Ui};

use super::{Overlays, room, scroll};
use crate::command::{Command, Overlay};
use crate::format::number;
use crate::panels::{ViewCtx, actions, icon_of};
use crate::theme;

/// How many tabs the palette lists while nothing is typed.
const LISTED: usize = 12;

impl Overlays {
    pub(super) fn go_to_ui(&mut self, ui: &mut Ui, ctx: &ViewCtx<'_>) -> bool {
        let theme = ctx.theme;
        let Some(stack) = ctx.session.stack() else {
            ui.label("Nothing is mounted.");
            return false;
        };
        let palette = &ctx.session.palette;
        if palette.text != self.text {
            ctx.send(Command::FindPath(self.text.clone()));
        }
        // Where nothing is typed, the open tabs are near.
        let recent: Vec<_> =
            ctx.session.open.iter().rev().map(|open| (open.entry, open.copy)).take(LISTED).collect();
        let entries = if self.text.trim().is_empty() { &recent } else { &palette.nearest.entries };
        let listed = entries.len();
        let is_taken = self.field_ui(ui, "Words of a path; > for commands", "Go to path", listed, ctx);
        if let Some(behind) = self.text.strip_prefix('>') {
            ctx.send(Command::Show(Overlay::Commands, true));
            // In a slow frame there is more behind the sign.
            ctx.send(Command::Type(behind.to_owned()));
            return false;
        }
        let mut chosen = is_taken.then_some(self.chosen);
        for (at, (entry, _)) in entries.iter().enumerate() {
            let path = stack.path(*entry);
            let leaf = path.rsplit('\\').next().unwrap_or_default();
            let icon = icon_of(leaf).rich_text().size(15.0).color(theme.muted);
            let text = RichText::new(&path).font(theme::mono(theme::DENSE));
            let button = egui::Button::selectable(at == self.chosen, (icon, text))
                .truncate()
                .min_size(egui::vec2(ui.available_width(), theme::ROW));
            if ui.add(button).clicked() {
                chosen = Some(at);
            }
        }
        let all = number(stack.index().entry_count().into());
        let text = match self.text.trim() {
            "" => format!("{all} paths"),
            _ if palette.job.is_some() || palette.text != self.text => "searching…".to_owned(),
            _ => format!("{} of {all} paths", number(palette.nearest.count as u64)),
        };
        ui.label(RichText::new(text).size(theme::CAPTION).color(theme.muted));
        if let Some((entry, copy)) = chosen.and_then(|chosen| entries.get(chosen)) {
            ctx.send(Command::Open { entry: *entry, copy: *copy, stays: true });
            return true;
        }
        false
    }

    pub(super) fn commands_ui(&mut self, ui: &mut Ui, ctx: &ViewCtx<'_>) -> bool {
        let words: Vec<_> =
            self.text.trim_start_matches('>').to_lowercase().split_whitespace().map(str::to_owned).collect();
        let matches = |name: &str| words.iter().all(|word| name.to_lowercase().contains(word));
        let commands = actions::all().into_iter().filter(|action| matches(action.name));
        let commands: Vec<_> =
            commands.filter_map(|action| Some((action, action.command(ctx.session)?))).collect();
        let before = self.chosen;
        let is_taken = self.field_ui(ui, "Words of a command", "Command", commands.len(), ctx);
        let has_moved = before != self.chosen;
        let mut chosen = is_taken.then_some(self.chosen);
        scroll(room(ui)).show(ui, |ui| {
            for (at, (action, _)) in commands.iter().enumerate() {
                let button = egui::Button::selectable(at == self.chosen, action.name)
                    .shortcut_text(action.key())
                    .min_size(egui::vec2(ui.available_width(), theme::ROW));
                let response = ui.add(button);
                if at == self.chosen && has_moved {
                    response.scroll_to_me(None);
                }
                if response.clicked() {
                    chosen = Some(at);
                }
            }
        });
        if commands.is_empty() {
            ui.label(
                RichText::new("No command has these words.").size(theme::CAPTION).color(ctx.theme.muted),
            );
        }
        match chosen.and_then(|chosen| commands.into_iter().nth(chosen)) {
            Some((_, command)) => {
                // Closed first: the command may open another window.
                ctx.send(Command::Show(Overlay::Commands, false));
                ctx.send(command);
                false
            }
            None => false,
        }
    }
}
