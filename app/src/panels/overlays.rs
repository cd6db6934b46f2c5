//! Windows over the panels, one at a time: go to a path, run a command, keys, log, why, offset.

use std::fmt::Write as _;

use egui::{Id, Key, Modal, Modifiers, RichText, ScrollArea, TextEdit, Ui, WidgetInfo};

use super::top::extract;
use super::{ViewCtx, icon_of};
use crate::command::{Command, Overlay, Selection, Selector};
use crate::format::number;
use crate::session::OpenDocument;
use crate::theme;

/// How many tabs the palette lists while nothing is typed.
const LISTED: usize = 12;

/// The window that is open, and what was typed into it.
#[derive(Debug, Default)]
pub(super) struct Overlays {
    open: Option<Overlay>,
    text: String,
    chosen: usize,
    takes_focus: bool,
}

impl Overlays {
    pub(super) fn show(&mut self, overlay: Overlay, is_shown: bool) {
        *self = Self { open: is_shown.then_some(overlay), takes_focus: true, ..Self::default() };
    }

    pub(super) fn is_open(&self) -> bool {
        self.open.is_some()
    }

    pub(super) fn ui(&mut self, ui: &Ui, ctx: &ViewCtx<'_>) {
        let Some(overlay) = self.open else { return };
        let modal = Modal::new(Id::unique("overlay")).show(ui.ctx(), |ui| match overlay {
            Overlay::GoTo => self.go_to_ui(ui, ctx),
            Overlay::Commands => self.commands_ui(ui, ctx),
            Overlay::Help => help_ui(ui, ctx),
            Overlay::Log => log_ui(ui, ctx),
            Overlay::Why => why_ui(ui, ctx),
            Overlay::Offset => self.offset_ui(ui, ctx),
        });
        if modal.should_close() || modal.inner {
            ctx.send(Command::Show(overlay, false));
        }
    }

    /// The field of a palette; whether it has to be taken as it stands.
    fn field_ui(&mut self, ui: &mut Ui, hint: &str, name: &str, count: usize, ctx: &ViewCtx<'_>) -> bool {
        ui.set_width(560.0);
        let move_by = |ui: &Ui, key| ui.input_mut(|input| input.consume_key(Modifiers::NONE, key));
        if move_by(ui, Key::ArrowDown) {
            self.chosen = (self.chosen + 1).min(count.saturating_sub(1));
        }
        if move_by(ui, Key::ArrowUp) {
            self.chosen = self.chosen.saturating_sub(1);
        }
        let field = TextEdit::singleline(&mut self.text)
            .hint_text(RichText::new(hint).color(ctx.theme.muted))
            .desired_width(f32::INFINITY)
            .margin(egui::Margin::symmetric(8, 6));
        let response = ui.add(field);
        response.widget_info(|| WidgetInfo::text_edit(true, "", &self.text, name));
        if std::mem::take(&mut self.takes_focus) {
            response.request_focus();
        }
        if response.changed() {
            self.chosen = 0;
        }
        response.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter))
    }

    fn go_to_ui(&mut self, ui: &mut Ui, ctx: &ViewCtx<'_>) -> bool {
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
        let recent: Vec<_> = ctx.session.open.iter().rev().map(|open| open.entry).take(LISTED).collect();
        let entries = if self.text.trim().is_empty() { &recent } else { &palette.nearest.entries };
        let listed = entries.len();
        let is_taken = self.field_ui(ui, "Words of a path; > for commands", "Go to path", listed, ctx);
        if self.text.starts_with('>') {
            ctx.send(Command::Show(Overlay::Commands, true));
            return false;
        }
        let mut chosen = is_taken.then_some(self.chosen);
        for (at, entry) in entries.iter().enumerate() {
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
            _ => format!("{} of {all} paths", number(palette.nearest.count as u64)),
        };
        ui.label(RichText::new(text).size(theme::CAPTION).color(theme.muted));
        if let Some(entry) = chosen.and_then(|chosen| entries.get(chosen)) {
            ctx.send(Command::Open { entry: *entry, copy: 0, stays: true });
            return true;
        }
        false
    }

    fn commands_ui(&mut self, ui: &mut Ui, ctx: &ViewCtx<'_>) -> bool {
        let words: Vec<_> =
            self.text.trim_start_matches('>').to_lowercase().split_whitespace().map(str::to_owned).collect();
        let matches = |name: &str| words.iter().all(|word| name.to_lowercase().contains(word));
        let commands: Vec<_> = commands(ctx).into_iter().filter(|(name, ..)| matches(name)).collect();
        let is_taken = self.field_ui(ui, "Words of a command", "Command", commands.len(), ctx);
        let mut chosen = is_taken.then_some(self.chosen);
        for (at, (name, key, _)) in commands.iter().enumerate() {
            let button = egui::Button::selectable(at == self.chosen, *name)
                .shortcut_text(*key)
                .min_size(egui::vec2(ui.available_width(), theme::ROW));
            if ui.add(button).clicked() {
                chosen = Some(at);
            }
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

    fn offset_ui(&mut self, ui: &mut Ui, ctx: &ViewCtx<'_>) -> bool {
        let Some(open) = ctx.session.active() else { return true };
        let Some(document) = open.document() else { return true };
        let is_taken =
            self.field_ui(ui, "An offset: 0x1A2F, 6703, or +64 from the selection", "Offset", 0, ctx);
        let from = open.selection.as_ref().map_or(0, |selection| selection.range.start);
        let offset = offset(&self.text, from);
        let last = document.len().saturating_sub(1);
        let (text, colour) = match offset {
            Some(offset) if offset <= last => (format!("{offset:#X} of {last:#X}"), ctx.theme.muted),
            Some(offset) => (format!("{offset:#X} lies behind the last byte, {last:#X}"), ctx.theme.error),
            None if self.text.is_empty() => (format!("0 to {last:#X}"), ctx.theme.muted),
            None => ("Not an offset".to_owned(), ctx.theme.error),
        };
        ui.label(RichText::new(text).size(theme::CAPTION).color(colour));
        if let (true, Some(offset)) = (is_taken, offset.filter(|offset| *offset <= last)) {
            let selection = Selection { range: offset..offset + 1, by: Selector::Other };
            ctx.send(Command::Select(open.id, selection));
            return true;
        }
        false
    }
}

/// Every command by its name, with its key.
fn commands(ctx: &ViewCtx<'_>) -> Vec<(&'static str, &'static str, Command)> {
    let mut all = vec![
        ("Open a folder", "Ctrl+O", Command::PickFolder),
        ("Open a file", "Ctrl+Shift+O", Command::PickFile),
        ("Open the demo", "", Command::MountDemo),
        ("Find in the stack", "Ctrl+F", Command::FocusSearch),
        ("Go to a path", "Ctrl+P", Command::Show(Overlay::GoTo, true)),
        ("Dark or light", "", Command::ToggleTheme),
        ("Larger text", "Ctrl++", Command::Zoom(1)),
        ("Smaller text", "Ctrl+−", Command::Zoom(-1)),
        ("Normal text", "Ctrl+0", Command::Zoom(0)),
        ("Put the panels back", "", Command::ResetLayout),
        ("Warnings and skipped lines", "", Command::Show(Overlay::Log, true)),
        ("Keys and queries", "F1", Command::Show(Overlay::Help, true)),
    ];
    if ctx.session.mounted.is_some() {
        all.push(("Mount again", "F5", Command::Remount));
    }
    if let Some(open) = ctx.session.active() {
        all.push(("Why does this win?", "W", Command::Show(Overlay::Why, true)));
        all.push(("Go to an offset", "G", Command::Show(Overlay::Offset, true)));
        all.push(("Copy one layer below", "[", Command::StepCopy(1)));
        all.push(("Copy one layer above", "]", Command::StepCopy(-1)));
        all.push(("Copy the path", "Ctrl+C", Command::CopyText(open.answer.path.clone())));
        all.push(("Close tab", "Ctrl+W", Command::Close(open.id)));
        all.extend(extract(ctx).map(|command| ("Extract this file", "Ctrl+E", command)));
    }
    all
}

fn heading(ui: &mut Ui, text: &str) {
    ui.label(RichText::new(text).font(theme::semibold(theme::BODY)));
}

fn help_ui(ui: &mut Ui, ctx: &ViewCtx<'_>) -> bool {
    const KEYS: [(&str, &str); 24] = [
        ("Ctrl+P", "go to a path"),
        ("Ctrl+Shift+P", "run a command"),
        ("Ctrl+F", "find in the stack"),
        ("Ctrl+O", "open a folder"),
        ("↑ ↓ ← →", "move, open and close"),
        ("Enter  Space", "open in a tab of its own, peek"),
        ("Alt+←  Alt+→", "back, forward"),
        ("[  ]", "copy one layer below, above"),
        ("W", "why does this win"),
        ("Ctrl+C", "copy the path"),
        ("Ctrl+Shift+C", "copy it as a link"),
        ("Ctrl+E", "extract"),
        ("Ctrl+W", "close the tab"),
        ("F5", "mount again"),
        ("G", "go to an offset"),
        ("1 2 3 4", "red, green, blue, alpha"),
        ("Shift+1…4", "one channel alone"),
        (",  .", "larger level, smaller level"),
        ("F  Home", "fit the picture"),
        ("0", "exact pixels"),
        ("Wheel, drag", "magnify, move the picture"),
        ("Ctrl++  Ctrl+−", "larger, smaller text"),
        ("Esc", "close this, clear the search"),
        ("F1", "this page"),
    ];
    const QUERIES: [(&str, &str); 11] = [
        ("sword orc", "both words, anywhere in the path"),
        ("\"a b\"", "words with a space"),
        ("sword_?.tex", "? one character, * any"),
        (r"/_\d+\.tex$/", "a regular expression"),
        ("ext:tex", "names that end so"),
        ("layer:patch_11", "copies in a layer"),
        ("format:texr", "files of a format"),
        ("size:>1m", "k, m, g; < <= > >="),
        ("copies:>1  wins:no", "copies that lose"),
        ("hash:0xDCDB4713", "paths with this hash"),
        ("!word   a | b", "not, or"),
    ];
    let table = |ui: &mut Ui, rows: &[(&str, &str)]| {
        for (key, text) in rows {
            ui.horizontal(|ui| {
                let key = RichText::new(*key).font(theme::mono(theme::DENSE)).color(ctx.theme.text);
                ui.add_sized([150.0, 18.0], egui::Label::new(key).halign(egui::Align::LEFT));
                ui.label(RichText::new(*text).size(theme::DENSE).color(ctx.theme.muted));
            });
        }
    };
    ui.set_width(760.0);
    let mut closes = false;
    ui.horizontal_top(|ui| {
        ui.vertical(|ui| {
            heading(ui, "Keys");
            table(ui, &KEYS);
        });
        ui.add_space(24.0);
        ui.vertical(|ui| {
            heading(ui, "Queries");
            table(ui, &QUERIES);
            ui.add_space(16.0);
            heading(ui, "Marks");
            for (icon, colour, text) in [
                (theme::icon::WINNER, ctx.theme.accent, "this copy wins"),
                (theme::icon::WARNING, ctx.theme.warning, "the engine's own search would miss it"),
                (theme::icon::LAYERS, ctx.theme.muted, "how many layers hold the path"),
            ] {
                ui.horizontal(|ui| {
                    ui.label(icon.rich_text().size(15.0).color(colour));
                    ui.label(RichText::new(text).size(theme::DENSE).color(ctx.theme.muted));
                });
            }
            ui.add_space(16.0);
            closes = ui.button("Close").clicked();
        });
    });
    closes
}

fn log_ui(ui: &mut Ui, ctx: &ViewCtx<'_>) -> bool {
    let theme = ctx.theme;
    ui.set_width(720.0);
    let mut closes = false;
    let mut text = String::new();
    ScrollArea::vertical().max_height(420.0).auto_shrink([false, true]).show(ui, |ui| {
        let mut line = |ui: &mut Ui, colour, line: &str| {
            ui.label(RichText::new(line).size(theme::DENSE).color(colour));
            let _ = writeln!(text, "{line}");
        };
        if let Some(stack) = ctx.session.stack() {
            heading(ui, "Mounting");
            for (layer, error) in stack.broken() {
                line(ui, theme.error, &format!("{}: {error}", layer.name));
            }
            for warning in stack.warnings() {
                line(ui, theme.warning, warning);
            }
            for layer in stack.layers() {
                for warning in &layer.warnings {
                    line(ui, theme.warning, &format!("{}: {warning}", layer.name));
                }
            }
            for skipped in stack.skipped() {
                let text = format!("line {}, {}: {}", skipped.line, skipped.text, skipped.reason);
                line(ui, theme.muted, &text);
            }
        }
        if !ctx.session.notices.is_empty() {
            ui.add_space(8.0);
            heading(ui, "Since then");
            for notice in ctx.session.notices.iter().rev() {
                line(ui, if notice.is_error { theme.error } else { theme.text }, &notice.text);
            }
        }
    });
    if text.is_empty() {
        ui.label(RichText::new("Nothing was noticed.").size(theme::DENSE).color(theme.muted));
    }
    ui.add_space(8.0);
    ui.horizontal(|ui| {
        closes = ui.button("Close").clicked();
        if !text.is_empty() && ui.button("Copy").clicked() {
            ctx.send(Command::CopyText(text));
        }
        if !ctx.session.notices.is_empty() && ui.button("Forget").clicked() {
            ctx.send(Command::ClearNotices);
        }
    });
    closes
}

fn why_ui(ui: &mut Ui, ctx: &ViewCtx<'_>) -> bool {
    let Some(open) = ctx.session.active() else { return true };
    let theme = ctx.theme;
    let text = trace(open);
    ui.set_width(720.0);
    heading(ui, "Why does this win?");
    ScrollArea::vertical().max_height(420.0).auto_shrink([false, true]).show(ui, |ui| {
        for line in text.lines() {
            let is_winner = line.starts_with('→');
            let colour = if is_winner { theme.accent } else { theme.text };
            ui.label(RichText::new(line).size(theme::DENSE).color(colour));
        }
    });
    ui.add_space(8.0);
    let mut closes = false;
    ui.horizontal(|ui| {
        closes = ui.button("Close").clicked();
        if ui.button("Copy").clicked() {
            ctx.send(Command::CopyText(text));
        }
    });
    closes
}

/// The whole answer as text: every copy in search order, and the rule.
pub(super) fn trace(open: &OpenDocument) -> String {
    let mut text = format!("{}\n\n", open.answer.path);
    for copy in &open.answer.copies {
        let name = open.mounted.stack.layer(copy.copy).map_or("", |layer| &layer.name);
        let mark = if copy.wins { '→' } else { ' ' };
        let place = copy.stat.offset.map_or_else(|| "loose".to_owned(), |offset| format!("@ {offset:#X}"));
        let size = number(copy.stat.size);
        let _ =
            writeln!(text, "{mark} layer {}  {name}  {size} bytes  {place}: {}", copy.copy.layer, copy.why);
    }
    let _ = write!(text, "\n{}\n", open.answer.rule);
    text
}

/// An offset as a person writes it; `from` is where `+` and `-` count from.
fn offset(text: &str, from: u64) -> Option<u64> {
    let text = text.trim().replace('_', "");
    let number = |digits: &str| {
        let hex = digits
            .strip_prefix("0x")
            .or_else(|| digits.strip_prefix("0X"))
            .or_else(|| digits.strip_suffix(['h', 'H']));
        hex.map_or_else(|| digits.parse().ok(), |hex| u64::from_str_radix(hex, 16).ok())
    };
    if let Some(digits) = text.strip_prefix('+') {
        return from.checked_add(number(digits)?);
    }
    if let Some(digits) = text.strip_prefix('-') {
        return from.checked_sub(number(digits)?);
    }
    number(&text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_are_read_as_people_write_them() {
        assert_eq!(offset("0x1A", 0), Some(26));
        assert_eq!(offset(" 1Ah ", 0), Some(26));
        assert_eq!(offset("26", 0), Some(26));
        assert_eq!(offset("+0x10", 16), Some(32));
        assert_eq!(offset("-16", 16), Some(0));
        assert_eq!(offset("-17", 16), None);
        assert_eq!(offset("xyz", 0), None);
    }
}
