//! Names of keys: those of word lists, and one that is tried.

use egui::{Rect, RichText, ScrollArea, TextEdit, Ui, UiBuilder, vec2};
use palimpsest_core::hash::string_hash;
use palimpsest_core::strings::{Sheet, word_list};

use super::{StringsView, guess};
use crate::command::{Command, NamesCommand, StringsCommand};
use crate::format::{count, number};
use crate::jobs::Load;
use crate::panels::ViewCtx;
use crate::session::OpenDocument;
use crate::theme;
use crate::widgets::field;

/// The width of the panel.
pub(super) const WIDTH: f32 = 236.0;

/// Letters of a text that are shown beside a name.
const LETTERS: usize = 160;

/// What is typed beside the table.
#[derive(Debug, Default)]
pub(super) struct NamesPage {
    pub(super) is_open: bool,
    /// The name that is tried.
    name: String,
    /// The pattern that names are guessed by.
    pattern: String,
    /// How many keys of the sheet have a name, by the book and the sheet that they were counted in.
    named: Option<((usize, usize), usize)>,
}

impl StringsView {
    pub(super) fn names_ui(
        &mut self,
        ui: &mut Ui,
        area: Rect,
        sheet: &Sheet,
        open: &OpenDocument,
        ctx: &ViewCtx<'_>,
    ) {
        let theme = ctx.theme;
        ui.painter().rect_filled(area, 0.0, theme.panel);
        ui.painter().vline(area.left(), area.y_range(), theme.line());
        let inside = UiBuilder::new().max_rect(area.shrink2(vec2(10.0, 6.0)));
        ui.scope_builder(inside, |ui| {
            ScrollArea::vertical().id_salt("names").auto_shrink([false, false]).show(ui, |ui| {
                self.known_ui(ui, sheet, ctx);
                ui.add_space(8.0);
                self.tried_ui(ui, sheet, open, ctx);
                ui.add_space(8.0);
                guess::ui(ui, &mut self.names.pattern, sheet, open, ctx);
            });
        });
    }

    /// How many keys have names, and where more come from.
    fn known_ui(&mut self, ui: &mut Ui, sheet: &Sheet, ctx: &ViewCtx<'_>) {
        let theme = ctx.theme;
        let book = ctx.session.book();
        let of = (std::sync::Arc::as_ptr(&book) as usize, sheet.len());
        let named = match self.names.named {
            Some((own, named)) if own == of => named,
            _ => (0..sheet.len()).filter(|row| book.names(sheet.key(*row)).next().is_some()).count(),
        };
        self.names.named = Some((of, named));
        let all = sheet.len() as u64;
        let words = format!("{} of {} have a known name.", number(named as u64), count(all, "key"));
        ui.label(RichText::new(words).size(theme::DENSE));
        let words = "Keys are hashes: their names are found in word lists, one name a line, and among the paths of \
                     the stack.";
        let words = RichText::new(words).size(theme::CAPTION).color(theme.muted);
        ui.add(egui::Label::new(words).wrap());
        ui.add_space(4.0);
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing = vec2(4.0, 4.0);
            if ui.button(RichText::new("Load a word list…").size(theme::DENSE)).clicked() {
                ctx.send(Command::Names(NamesCommand::PickList));
            }
            let save = egui::Button::new(RichText::new("Save the names…").size(theme::DENSE));
            let hint = "The names of the keys that are shown, as a word list";
            if ui.add_enabled(named > 0, save).on_hover_text(hint).clicked() {
                let known = (0..sheet.len()).flat_map(|row| ctx.session.names_of(sheet.key(row)));
                ctx.send(Command::Names(NamesCommand::PickFile(word_list(known, "\n"))));
            }
        });
        match &ctx.session.names {
            Some(Load::Pending(job)) => {
                ui.horizontal(|ui| {
                    ui.add(egui::Spinner::new().size(12.0));
                    ui.label(RichText::new("Reading names…").size(theme::CAPTION).color(theme.muted));
                    if ui.link(RichText::new("stop").size(theme::CAPTION)).clicked() {
                        job.task().cancel();
                    }
                });
            }
            Some(Load::Ready(names)) if !names.failed.is_empty() => {
                for error in &names.failed {
                    let text = RichText::new(error.to_string()).size(theme::CAPTION).color(theme.warning);
                    ui.add(egui::Label::new(text).wrap());
                }
            }
            _ => {}
        }
    }

    /// A name that is typed, its hash, and the texts of that key.
    fn tried_ui(&mut self, ui: &mut Ui, sheet: &Sheet, open: &OpenDocument, ctx: &ViewCtx<'_>) {
        let theme = ctx.theme;
        ui.label(RichText::new("Try a name").size(theme::CAPTION).color(theme.muted));
        let edit = TextEdit::singleline(&mut self.names.name)
            .hint_text("UI_1Sword_Starting_N")
            .font(theme::mono(theme::DENSE))
            .desired_width(ui.available_width() - 8.0);
        let response = ui.add(edit);
        field::name(&response, &self.names.name, "Try a name");
        let name = self.names.name.trim();
        if name.is_empty() {
            return;
        }
        let key = string_hash(name.as_bytes());
        let hash = format!("0x{key:08X}");
        ui.horizontal(|ui| {
            ui.label(RichText::new(&hash).font(theme::mono(theme::DENSE)));
            if ui.link(RichText::new("copy").size(theme::CAPTION)).clicked() {
                ctx.send(Command::CopyText(hash.clone()));
            }
        });
        let Some(row) = sheet.find(key) else {
            let text = RichText::new("No key has this hash.").size(theme::CAPTION).color(theme.muted);
            ui.label(text);
            return;
        };
        for (column, of) in sheet.columns.iter().enumerate() {
            let Some(text) = sheet.text(row, column) else { continue };
            if sheet.columns.len() > 1 {
                ui.label(RichText::new(&of.title).size(theme::CAPTION).color(theme.muted));
            }
            let text: String = text.chars().take(LETTERS).collect();
            let text = if text.is_empty() { "(empty)".to_owned() } else { text };
            let label = egui::Label::new(RichText::new(text).size(theme::DENSE)).wrap();
            let response = ui.add(label.sense(egui::Sense::click()));
            if response.on_hover_text("Click: show the row").clicked() {
                ctx.send(Command::Strings(open.id, StringsCommand::Show(key, column)));
            }
        }
        let others: Vec<_> =
            ctx.session.names_of(key).into_iter().filter(|own| !own.eq_ignore_ascii_case(name)).collect();
        if !others.is_empty() {
            let text = format!("The hash is also that of {}.", others.join(", "));
            ui.add(egui::Label::new(RichText::new(text).size(theme::CAPTION).color(theme.warning)).wrap());
        }
        if ui.button(RichText::new("Keep the name").size(theme::DENSE)).clicked() {
            ctx.send(Command::Names(NamesCommand::Keep(vec![name.to_owned()])));
        }
    }
}
