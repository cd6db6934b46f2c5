//! Names of keys that are guessed by patterns.

use std::sync::PoisonError;

use egui::{RichText, Sense, TextEdit, Ui, vec2};
use palimpsest_core::strings::{GuessedKey, Pattern, Sheet, Standing, by_chance, by_key};

use crate::command::{Command, NamesCommand, StringsCommand};
use crate::format::{count, number};
use crate::jobs::Load;
use crate::panels::ViewCtx;
use crate::session::{Guessing, OpenDocument};
use crate::theme;
use crate::widgets::field;

/// Guesses that are listed.
const LISTED: usize = 200;
/// Letters of a text that are shown beside a guess.
const LETTERS: usize = 60;

pub(super) fn ui(ui: &mut Ui, pattern: &mut String, sheet: &Sheet, open: &OpenDocument, ctx: &ViewCtx<'_>) {
    let theme = ctx.theme;
    let small = |text: String| RichText::new(text).size(theme::CAPTION).color(theme.muted);
    ui.label(small("Guess names by a pattern".to_owned())).on_hover_text(
        "{N,D}: one of several; {1-99}: numbers; {01-99}: with as many digits; {*}: the words of the names that are \
         known; {{ and }}: braces",
    );
    let edit = TextEdit::singleline(pattern)
        .hint_text("Item_1Sword_{01-99}_{N,D}")
        .font(theme::mono(theme::DENSE))
        .desired_width(ui.available_width() - 8.0);
    let response = ui.add(edit);
    field::name(&response, pattern, "Guess names by a pattern");
    let is_entered = response.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter));
    let parsed = (!pattern.trim().is_empty()).then(|| Pattern::parse(pattern.trim()));
    match &parsed {
        Some(Err(error)) => {
            let text = RichText::new(error.to_string()).size(theme::CAPTION).color(theme.error);
            ui.add(egui::Label::new(text).wrap());
        }
        Some(Ok(parsed)) if !parsed.has_words() => {
            let names = parsed.count(0);
            let chance = by_chance(names, sheet.len());
            let words = format!("{}; about {chance:.1} hits by chance.", count(names, "name"));
            ui.add(egui::Label::new(small(words)).wrap());
        }
        _ => {}
    }
    let is_right = matches!(parsed, Some(Ok(_)));
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(4.0, 4.0);
        let button = egui::Button::new(RichText::new("Guess").size(theme::DENSE));
        if ui.add_enabled(is_right, button).clicked() || (is_entered && is_right) {
            let command = StringsCommand::Guess(pattern.trim().to_owned());
            ctx.send(Command::Strings(open.id, command));
        }
        if let Some(guessing) = &open.strings.guessing {
            guessing_ui(ui, guessing, open, ctx);
        }
    });
    if let Some(guessing) = &open.strings.guessing {
        hits_ui(ui, guessing, sheet, open, ctx);
    }
}

/// How far guessing came.
fn guessing_ui(ui: &mut Ui, guessing: &Guessing, open: &OpenDocument, ctx: &ViewCtx<'_>) {
    let theme = ctx.theme;
    match &guessing.tried {
        Load::Pending(job) => {
            let (done, all) = job.task().progress();
            let words = format!("{} of {}", number(done), number(all));
            ui.label(RichText::new(words).size(theme::CAPTION).color(theme.muted));
            if ui.link(RichText::new("stop").size(theme::CAPTION)).clicked() {
                job.task().cancel();
            }
        }
        Load::Ready(tried) => {
            let more = if tried.is_full { ", and stopped: there are very many hits" } else { "" };
            let words = format!("{} tried{more}.", count(tried.names, "name"));
            ui.label(RichText::new(words).size(theme::CAPTION).color(theme.muted));
            if ui.link(RichText::new("forget").size(theme::CAPTION)).clicked() {
                ctx.send(Command::Strings(open.id, StringsCommand::ForgetGuesses));
            }
        }
        Load::Failed(error) if error.is_cancelled() => {
            ui.label(RichText::new("Stopped.").size(theme::CAPTION).color(theme.muted));
        }
        Load::Failed(error) => {
            let text = RichText::new(error.to_string()).size(theme::CAPTION).color(theme.error);
            ui.add(egui::Label::new(text).wrap());
        }
    }
}

/// What was hit so far; guesses of which not all can be right are told apart.
fn hits_ui(ui: &mut Ui, guessing: &Guessing, sheet: &Sheet, open: &OpenDocument, ctx: &ViewCtx<'_>) {
    let theme = ctx.theme;
    let hits = guessing.hits.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let keys = by_key(hits, &ctx.session.book());
    let fresh = |key: &&GuessedKey| key.standing() == Standing::Alone;
    let names: Vec<_> = keys.iter().filter(fresh).flat_map(|key| key.names.clone()).collect();
    let hit = count(keys.len() as u64, "key");
    ui.label(RichText::new(format!("{hit} hit")).size(theme::DENSE));
    let keep = egui::Button::new(
        RichText::new(format!("Keep {}", count(names.len() as u64, "name"))).size(theme::DENSE),
    );
    let hint = "Those of keys that have no other name, known or guessed";
    if ui.add_enabled(!names.is_empty(), keep).on_hover_text(hint).clicked() {
        ctx.send(Command::Names(NamesCommand::Keep(names)));
    }
    for key in keys.iter().take(LISTED) {
        let colour = match key.standing() {
            Standing::Alone => theme.text,
            Standing::Known => theme.muted,
            Standing::Disputed => theme.warning,
        };
        let text = sheet.find(key.key).and_then(|row| sheet.text(row, 0));
        let text: String = text.map(|text| text.chars().take(LETTERS).collect()).unwrap_or_default();
        let words = format!("{}\n{text}", key.names.join(", "));
        let label = egui::Label::new(RichText::new(words).size(theme::CAPTION).color(colour)).wrap();
        let hover = match key.standing() {
            Standing::Alone => "Click: show the row".to_owned(),
            Standing::Known => "The name that is known. Click: show the row".to_owned(),
            Standing::Disputed => format!("Not all of them can be right; known: {}", key.known.join(", ")),
        };
        if ui.add(label.sense(Sense::click())).on_hover_text(hover).clicked() {
            ctx.send(Command::Strings(open.id, StringsCommand::Show(key.key, 0)));
        }
    }
    if keys.len() > LISTED {
        let words = format!("and {} more", number((keys.len() - LISTED) as u64));
        ui.label(RichText::new(words).size(theme::CAPTION).color(theme.muted));
    }
}
