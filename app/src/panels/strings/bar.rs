//! What stands above a table of texts: which tables, and what is looked for.

use egui::{RichText, TextEdit, Ui, vec2};
use palimpsest_core::scene::Beside;
use palimpsest_core::strings::{Only, StringQuery};

use super::StringsView;
use crate::command::{Command, StringsCommand};
use crate::format::{count, number};
use crate::panels::{ViewCtx, choice};
use crate::session::OpenDocument;
use crate::theme;
use crate::widgets::combo::combo;
use crate::widgets::field;

/// What was typed into the fields.
#[derive(Debug, Default)]
pub(super) struct Typed {
    text: String,
    key: String,
    /// What was typed when it was looked for last.
    sent: [String; 2],
}

/// A property that rows can be chosen by.
type Property = (&'static str, &'static str, fn(&mut Only) -> &mut bool);

/// Those of a table.
const OF_ROWS: [Property; 3] = [
    ("empty", "Texts of no letter", |only| &mut only.empty),
    ("shared", "Texts that several keys have", |only| &mut only.shared),
    ("faulty", "Rows that something is wrong with", |only| &mut only.faulty),
];

/// Those of tables beside each other.
const OF_PAIRS: [Property; 4] = [
    ("changed", "Texts other than the one that they are held against", |only| &mut only.changed),
    ("added", "Texts that the other table does not have", |only| &mut only.added),
    ("missing", "Texts that only the other table has", |only| &mut only.missing),
    ("same", "Texts that are the same as the other one", |only| &mut only.same),
];

impl StringsView {
    pub(super) fn bar_ui(&mut self, ui: &mut Ui, open: &OpenDocument, ctx: &ViewCtx<'_>) {
        ui.add_space(4.0);
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing = vec2(4.0, 2.0);
            ui.add_space(8.0);
            tables_ui(ui, open, ctx);
            ui.separator();
            let mut query = open.strings.query.clone();
            properties_ui(ui, &mut query, open);
            if query != open.strings.query {
                ctx.send(Command::Strings(open.id, StringsCommand::Find(Box::new(query))));
            }
        });
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing = vec2(4.0, 2.0);
            ui.add_space(8.0);
            let mut query = open.strings.query.clone();
            self.fields_ui(ui, &mut query, open, ctx);
            if query != open.strings.query {
                ctx.send(Command::Strings(open.id, StringsCommand::Find(Box::new(query))));
            }
            if choice(ui, self.wraps, "wrap").on_hover_text("Several lines of each text").clicked() {
                self.wraps = !self.wraps;
            }
            let hint = "Names of keys: word lists, and names that are tried";
            if choice(ui, self.names.is_open, "names").on_hover_text(hint).clicked() {
                self.names.is_open = !self.names.is_open;
            }
            counts_ui(ui, open, ctx);
        });
    }

    fn fields_ui(&mut self, ui: &mut Ui, query: &mut StringQuery, open: &OpenDocument, ctx: &ViewCtx<'_>) {
        let has_error = open.strings.refusal.is_some();
        let colour = if has_error { ctx.theme.error } else { ctx.theme.text };
        let room = ui.available_width();
        if [&query.text, &query.key] != self.typed.sent.each_ref() {
            // Somebody else looks for something.
            self.typed.text.clone_from(&query.text);
            self.typed.key.clone_from(&query.key);
        }
        let text = TextEdit::singleline(&mut self.typed.text)
            .hint_text("Find in the texts")
            .text_color(colour)
            .desired_width((room * 0.3).clamp(90.0, 320.0));
        let response = ui.add(text);
        field::name(&response, &self.typed.text, "Find in the texts");
        if let Some(refusal) = &open.strings.refusal {
            response.on_hover_text(refusal);
        }
        query.text.clone_from(&self.typed.text);
        if choice(ui, query.is_exact, "Aa").on_hover_text("Letter case and accents count").clicked() {
            query.is_exact = !query.is_exact;
        }
        if choice(ui, query.is_regex, ".*").on_hover_text("A regular expression").clicked() {
            query.is_regex = !query.is_regex;
        }
        if let Some(sheet) = open.strings.sheet().filter(|sheet| sheet.sheet.columns.len() > 1) {
            let title = |column: Option<usize>| {
                let column = column.and_then(|column| sheet.sheet.columns.get(column));
                column.map_or("in any column", |column| column.title.as_str())
            };
            combo(ui, ("searched column", "Searched column"), title(query.column), 110.0, |ui| {
                for column in std::iter::once(None).chain((0..sheet.sheet.columns.len()).map(Some)) {
                    ui.selectable_value(&mut query.column, column, title(column));
                }
            });
        }
        let key = TextEdit::singleline(&mut self.typed.key)
            .hint_text("Key or name")
            .desired_width((room * 0.16).clamp(70.0, 180.0));
        let response = ui.add(key);
        field::name(&response, &self.typed.key, "Key or name");
        query.key.clone_from(&self.typed.key);
        self.typed.sent = [query.text.clone(), query.key.clone()];
    }
}

fn tables_ui(ui: &mut Ui, open: &OpenDocument, ctx: &ViewCtx<'_>) {
    for (beside, name, hint) in [
        (Beside::Alone, "table", "This table alone"),
        (Beside::Languages, "languages", "Beside the same table of all languages"),
        (Beside::Layers, "layers", "Beside the same table of all layers, the lowest first"),
    ] {
        if choice(ui, open.strings.beside == beside, name).on_hover_text(hint).clicked() {
            ctx.send(Command::Strings(open.id, StringsCommand::Beside(beside)));
        }
    }
}

fn properties_ui(ui: &mut Ui, query: &mut StringQuery, open: &OpenDocument) {
    let pairs: &[Property] = if open.strings.beside == Beside::Alone { &[] } else { &OF_PAIRS };
    for (name, hint, of) in OF_ROWS.iter().chain(pairs) {
        let is_on = *of(&mut query.only);
        if choice(ui, is_on, name).on_hover_text(*hint).clicked() {
            *of(&mut query.only) = !is_on;
        }
    }
}

/// How many rows are shown, and what is not.
fn counts_ui(ui: &mut Ui, open: &OpenDocument, ctx: &ViewCtx<'_>) {
    let Some(of) = open.strings.sheet() else { return };
    let all = of.sheet.len() as u64;
    let found = open.strings.found.len() as u64;
    let words = if open.strings.query.is_empty() && found == all {
        count(all, "key")
    } else {
        format!("{} of {}", number(found), count(all, "key"))
    };
    ui.label(RichText::new(words).size(theme::CAPTION).color(ctx.theme.muted));
    if open.strings.finding.is_some() {
        ui.add(egui::Spinner::new().size(12.0));
    }
    if let Some(refusal) = &open.strings.refusal {
        ui.label(RichText::new(refusal).size(theme::CAPTION).color(ctx.theme.error));
    }
    if !of.unread.is_empty() {
        let words = format!("{} cannot be read", count(of.unread.len() as u64, "table"));
        let label = ui.label(RichText::new(words).size(theme::CAPTION).color(ctx.theme.warning));
        label.on_hover_text(of.unread.join("\n"));
    }
    ui.allocate_space(vec2(0.0, 0.0));
}
