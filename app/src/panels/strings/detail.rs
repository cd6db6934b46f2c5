//! All of the chosen text, and how it differs from the one that it is held against.

use egui::text::{LayoutJob, TextFormat};
use egui::{Rect, RichText, ScrollArea, Ui, UiBuilder, vec2};
use palimpsest_core::asset::StringText;
use palimpsest_core::diff;
use palimpsest_core::strings::{Against, Mark, Sheet};

use super::StringsView;
use crate::command::Command;
use crate::format::{count, number};
use crate::panels::ViewCtx;
use crate::session::OpenDocument;
use crate::theme;

/// Letters of a text that are told in full.
const LETTERS: usize = 20_000;

/// The sign for the break of a line in a text of one line.
const BREAK: char = '↵';

impl StringsView {
    pub(super) fn detail_ui(
        &self,
        ui: &mut Ui,
        area: Rect,
        sheet: &Sheet,
        open: &OpenDocument,
        ctx: &ViewCtx<'_>,
    ) {
        let theme = ctx.theme;
        let Some((row, column)) = self.cell else { return };
        let (row, Some(of)) = (row as usize, sheet.columns.get(column)) else { return };
        ui.painter().rect_filled(area, 0.0, theme.panel);
        ui.painter().hline(area.x_range(), area.top(), theme.line());
        let inside = UiBuilder::new().max_rect(area.shrink2(vec2(12.0, 4.0)));
        ui.scope_builder(inside, |ui| {
            ui.spacing_mut().item_spacing.y = 2.0;
            let own = sheet.text(row, column);
            // Words of another language have none to be held against.
            let other = sheet.against(column).filter(|_| sheet.against == Against::Before);
            let other = other.and_then(|other| Some((other, sheet.text(row, other)?)));
            ui.horizontal(|ui| {
                let mut words = vec![format!("0x{:08X}", sheet.key(row))];
                words.extend(ctx.session.names_of(sheet.key(row)).into_iter().map(ToOwned::to_owned));
                if sheet.columns.len() > 1 {
                    words.push(of.title.clone());
                }
                if let Some(text) = own {
                    words.push(count(text.units.len() as u64, "unit"));
                }
                let shared = sheet.cell(row, column).map_or(0, |cell| of.shared(cell));
                if shared > 1 {
                    words.push(format!("{} keys have this text", number(shared.into())));
                }
                let mark = sheet.mark(row, column);
                let says = |mark| sheet.against == Against::Before || mark != Mark::Changed;
                if let Some(against) = sheet.against(column).and_then(|other| sheet.columns.get(other))
                    && mark != Mark::Absent
                    && says(mark)
                {
                    words.push(format!("{} beside {}", mark.word(), against.title));
                }
                ui.label(RichText::new(words.join("  ·  ")).size(theme::CAPTION).color(theme.muted));
                if let Some(text) = own
                    && ui.link(RichText::new("copy").size(theme::CAPTION)).clicked()
                {
                    ctx.send(Command::CopyText(text.to_string()));
                }
            });
            let faults =
                sheet.cell(row, column).map(|cell| of.table.faults(cell as usize)).unwrap_or_default();
            if !faults.is_empty() {
                let words: Vec<_> = faults.iter().map(|fault| fault.words()).collect();
                let text = RichText::new(words.join("; ")).size(theme::CAPTION).color(theme.warning);
                ui.label(text);
            }
            ScrollArea::vertical().id_salt(("text", open.id)).auto_shrink([false, false]).show(ui, |ui| {
                let Some(own) = own else {
                    ui.label(RichText::new("There is no text here.").size(theme::DENSE).color(theme.muted));
                    return;
                };
                let job = job(&told(own), other.map(|(_, text)| told(text)).as_deref(), theme);
                ui.add(egui::Label::new(job).selectable(true).wrap());
            });
        });
    }
}

/// As much of a text as is told.
fn told(text: StringText<'_>) -> String {
    let mut told: String = text.chars().take(LETTERS).collect();
    if text.units.len() > 2 * LETTERS || text.chars().nth(LETTERS).is_some() {
        told.push('…');
    }
    told
}

/// A text; the words that another one does not have are on a ground of their own.
fn job(own: &str, other: Option<&str>, theme: &theme::Theme) -> LayoutJob {
    let words = match other.filter(|other| *other != own) {
        Some(other) => diff::words(other, own).right,
        None => Vec::new(),
    };
    let mut job = LayoutJob::default();
    let mut append = |text: &str, background| {
        for (part, is_wrong) in parts(text) {
            let color = if is_wrong { theme.warning } else { theme.text };
            let font_id = theme::sans(theme::BODY);
            job.append(part, 0.0, TextFormat { font_id, color, background, ..TextFormat::default() });
        }
    };
    let mut at = 0;
    for word in words {
        append(own.get(at..word.start).unwrap_or_default(), egui::Color32::TRANSPARENT);
        append(own.get(word.clone()).unwrap_or_default(), theme.added_ground);
        at = word.end;
    }
    append(own.get(at..).unwrap_or_default(), egui::Color32::TRANSPARENT);
    job
}

/// Letters as a row shows them: breaks of lines and tabs are signs where there is one line.
pub(super) fn visible(letters: impl Iterator<Item = char>, has_lines: bool) -> impl Iterator<Item = char> {
    letters.filter(|letter| *letter != '\r').map(move |letter| match letter {
        '\n' if has_lines => '\n',
        '\n' => BREAK,
        '\t' => '⇥',
        letter if letter.is_control() => '·',
        letter => letter,
    })
}

/// The parts of a text that are letters, and those that stand for no letter.
pub(super) fn parts(text: &str) -> impl Iterator<Item = (&str, bool)> {
    let is_wrong = |part: &str| part.starts_with(char::REPLACEMENT_CHARACTER);
    text.split_inclusive(char::REPLACEMENT_CHARACTER).flat_map(move |part| {
        let (text, wrong) = match part.strip_suffix(char::REPLACEMENT_CHARACTER) {
            Some(text) => part.split_at(text.len()),
            None => (part, ""),
        };
        [text, wrong].into_iter().filter(|part| !part.is_empty()).map(move |part| (part, is_wrong(part)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_for_no_letter_is_told_apart() {
        let told: Vec<_> = parts("a\u{FFFD}\u{FFFD}b").collect();
        assert_eq!(told, [("a", false), ("\u{FFFD}", true), ("\u{FFFD}", true), ("b", false)]);
        assert_eq!(parts("").count(), 0);
    }

    #[test]
    fn one_line_shows_where_others_begin() {
        let text = "a\r\nb\tc\u{7}";
        assert_eq!(visible(text.chars(), false).collect::<String>(), "a↵b⇥c·");
        assert_eq!(visible(text.chars(), true).collect::<String>(), "a\nb⇥c·");
    }
}
