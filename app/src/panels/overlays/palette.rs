//! The palette: goes to a path, or runs a command.

use egui::{RichText, Ui};

use super::{Overlays, room, scroll};
use crate::command::{Command, CompareView, Overlay, PathFor, PictureMode, Tree};
use crate::format::number;
use crate::panels::texture::LOOKS;
use crate::panels::top::{close, extract, extract_found, extract_layer, read_bundles};
use crate::panels::{ViewCtx, compare, icon_of};
use crate::shadow::MapCommand;
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
        if self.text.starts_with('>') {
            ctx.send(Command::Show(Overlay::Commands, true));
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
        let commands: Vec<_> = commands(ctx).into_iter().filter(|(name, ..)| matches(name)).collect();
        let before = self.chosen;
        let is_taken = self.field_ui(ui, "Words of a command", "Command", commands.len(), ctx);
        let has_moved = before != self.chosen;
        let mut chosen = is_taken.then_some(self.chosen);
        scroll(room(ui)).show(ui, |ui| {
            for (at, (name, key, _)) in commands.iter().enumerate() {
                let button = egui::Button::selectable(at == self.chosen, *name)
                    .shortcut_text(*key)
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
            Some((_, _, command)) => {
                // Closed first: the command may open another window.
                ctx.send(Command::Show(Overlay::Commands, false));
                ctx.send(command);
                false
            }
            None => false,
        }
    }
}

/// Every command by its name, with its key.
fn commands(ctx: &ViewCtx<'_>) -> Vec<(&'static str, &'static str, Command)> {
    let mut all = vec![
        ("Open a folder", "Ctrl+O", Command::PickFolder),
        ("Open a file", "Ctrl+Shift+O", Command::PickFile),
        ("Open a path", "", Command::TypePath(PathFor::Mount)),
        ("Open the demo", "", Command::MountDemo),
        ("Find in the stack", "Ctrl+F", Command::FocusSearch),
        ("Go to a path", "Ctrl+P", Command::Show(Overlay::GoTo, true)),
        ("Dark or light", "", Command::ToggleTheme),
        ("Larger text", "Ctrl++", Command::Zoom(1)),
        ("Smaller text", "Ctrl+−", Command::Zoom(-1)),
        ("Normal text", "Ctrl+0", Command::Zoom(0)),
        ("Merged tree", "", Command::ShowTree(Tree::Merged)),
        ("Tree of each layer", "", Command::ShowTree(Tree::Layers)),
        ("Shadow map", "M", Command::Map(MapCommand::Show)),
        ("Put the panels back", "", Command::ResetLayout),
        ("Warnings and skipped lines", "", Command::Show(Overlay::Log, true)),
        ("Decoding of Oodle", "", Command::Show(Overlay::Oodle, true)),
        ("Keys and queries", "F1", Command::Show(Overlay::Help, true)),
    ];
    if ctx.session.mounted.is_some() {
        all.push(("Mount again", "F5", Command::Remount));
        all.push(("What if: other orders of the layers", "", Command::ShowWhatIf));
        all.push(("What if: put an archive on top", "", Command::PickOnTop { is_folder: false }));
        all.push(("What if: put a folder on top", "", Command::PickOnTop { is_folder: true }));
    }
    if ctx.session.what_if.is_some() {
        all.push(("Back to the real order", "", Command::EndWhatIf));
    }
    for (name, key, is_back) in [("Back", "Alt+←", true), ("Forward", "Alt+→", false)] {
        if ctx.session.trail.can_go(is_back) {
            all.push((name, key, if is_back { Command::Back } else { Command::Forward }));
        }
    }
    all.extend(read_bundles(ctx).map(|command| ("Read the bundles", "", command)));
    all.extend(extract_found(ctx).map(|command| ("Extract all that was found", "", command)));
    all.extend(close(ctx).map(|command| ("Close tab", "Ctrl+W", command)));
    if let Some(open) = ctx.session.active() {
        all.push(("Why does this win?", "W", Command::Show(Overlay::Why, true)));
        all.push(("Go to an offset", "G", Command::Show(Overlay::Offset, true)));
        all.push(("Copy one layer below", "[", Command::StepCopy(1)));
        all.push(("Copy one layer above", "]", Command::StepCopy(-1)));
        all.push(("Copy the path", "Ctrl+C", Command::CopyText(open.answer.path.clone())));
        all.extend(compare::command(ctx).map(|command| ("Compare with the winner", "C", command)));
        all.extend(open.link().map(|link| ("Copy as a link", "Ctrl+Shift+C", Command::CopyText(link))));
        all.extend(extract(ctx).map(|command| ("Extract this file", "Ctrl+E", command)));
        all.extend(extract_layer(ctx).map(|command| ("Extract its layer", "", command)));
        if open.document().is_some_and(|document| matches!(document.picture, Some(Ok(_)))) {
            all.extend(LOOKS.into_iter().map(|(name, key, look)| (name, key, Command::Look(look))));
        }
    }
    if let Some(open) = ctx.session.active_comparison() {
        all.push(("Next difference", "N", Command::StepDifference(1)));
        all.push(("Previous difference", "Shift+N", Command::StepDifference(-1)));
        all.push(("Swap the sides", "X", Command::SwapSides(open.id)));
        for (name, view) in [
            ("Swipe the pictures", CompareView::Picture(PictureMode::Swipe)),
            ("Blink the pictures", CompareView::Picture(PictureMode::Blink)),
            ("Difference of the pictures", CompareView::Picture(PictureMode::Difference)),
            ("Pictures side by side", CompareView::Picture(PictureMode::Beside)),
            ("Compare line by line", CompareView::Text),
            ("Compare member by member", CompareView::Members),
            ("Compare field by field", CompareView::Structure),
            ("Compare byte by byte", CompareView::Bytes),
        ] {
            if compare::applies(open, view) {
                all.push((name, "", Command::ViewComparison(view)));
            }
        }
        if compare::applies(open, CompareView::Picture(PictureMode::Swipe)) {
            all.extend(LOOKS.into_iter().map(|(name, key, look)| (name, key, Command::Look(look))));
        }
    }
    all.extend(ctx.session.active.map(|id| ("Close tab", "Ctrl+W", Command::Close(id))));
    all.push(("Quit", "Ctrl+Q", Command::Quit));
    all
}
