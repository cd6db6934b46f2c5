//! A path index against its archive: its rows, those that the archive does not hold, and the files that it
//! does not list.

use egui::{Rect, RichText, Sense, TextEdit, Ui, WidgetInfo, vec2};
use palimpsest_core::hash::string_hash;
use palimpsest_core::mount::{IndexReport, IndexedPath, UnlistedFile};

use super::ViewCtx;
use crate::command::Command;
use crate::format::{count, number};
use crate::session::OpenDocument;
use crate::theme;
use crate::widgets::row::{self, Standing};
use crate::widgets::rows::Rows;
use crate::widgets::{card, field, menu, text};

/// Which rows are listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Part {
    #[default]
    All,
    NotHeld,
    NotListed,
}

/// The view of a path index.
#[derive(Debug, Default)]
pub(super) struct PathIndexView {
    rows: Rows,
    part: Part,
    wanted: String,
    /// What is listed, for the words that it was picked by.
    picked: Option<(Part, String, usize, Vec<usize>)>,
}

impl PathIndexView {
    pub(super) fn ui(&mut self, ui: &mut Ui, open: &OpenDocument, report: &IndexReport, ctx: &ViewCtx<'_>) {
        let theme = ctx.theme;
        ui.painter().rect_filled(ui.available_rect_before_wrap(), 0.0, theme.canvas);
        self.head_ui(ui, report, ctx);
        let picked = self.pick(open, report);
        if picked.is_empty() {
            let hint = if self.wanted.is_empty() { "That is no fault." } else { "Other words find more." };
            card::empty_ui(ui, theme::icon::LIST, "Nothing to list", hint);
            return;
        }
        let (head, _) = ui.allocate_exact_size(vec2(ui.available_width(), 18.0), Sense::hover());
        let font = || theme::sans(theme::CAPTION);
        text::left(ui, head, head.left() + 12.0, head.right(), "hash", font(), theme.muted);
        text::left(ui, head, head.left() + 100.0, head.right(), "path", font(), theme.muted);
        let id = ui.scope_id().with("path index");
        let part = self.part;
        self.rows.ui(ui, id, theme::ROW, picked.len() as u64, |ui, at, rect| {
            let Some(at) = usize::try_from(at).ok().and_then(|at| picked.get(at)).copied() else { return };
            if part == Part::NotListed {
                if let Some(file) = report.unlisted.get(at) {
                    let hash = string_hash(file.path.as_bytes());
                    row_ui(ui, rect, at, (hash, &file.path, &told_of_file(file)), file.rule.is_empty(), ctx);
                }
            } else if let Some(row) = report.rows.get(at) {
                let is_odd = !row.is_right || row.entry.is_none();
                row_ui(ui, rect, at, (row.hash, &row.path, &told_of_row(row)), is_odd, ctx);
            }
        });
        self.picked = Some((self.part, self.wanted.clone(), open.copy, picked));
    }

    fn head_ui(&mut self, ui: &mut Ui, report: &IndexReport, ctx: &ViewCtx<'_>) {
        let theme = ctx.theme;
        let margin = egui::Margin { left: 12, right: 12, top: 8, bottom: 4 };
        egui::Frame::new().inner_margin(margin).show(ui, |ui| {
            ui.set_width(ui.available_width());
            let not_held = report.rows.iter().filter(|row| !row.is_held).count();
            ui.horizontal_wrapped(|ui| {
                for (part, name, len) in [
                    (Part::All, "All rows", report.rows.len()),
                    (Part::NotHeld, "Not in this layer", not_held),
                    (Part::NotListed, "Not listed", report.unlisted.len()),
                ] {
                    let text = RichText::new(format!("{name} {}", number(len as u64))).size(theme::CAPTION);
                    if ui.add(egui::Button::selectable(self.part == part, text)).clicked() {
                        self.part = part;
                        self.rows = Rows::default();
                    }
                }
                let hint =
                    RichText::new("A hash, or words of a path").color(theme.muted).size(theme::CAPTION);
                let response =
                    ui.add(TextEdit::singleline(&mut self.wanted).hint_text(hint).desired_width(180.0));
                field::name(&response, &self.wanted, "Filter the index");
                if response.changed() {
                    self.rows = Rows::default();
                }
            });
            let rows = count(report.all_rows as u64, "row");
            let hashes = number(report.all_hashes as u64);
            let together =
                format!("All indexes of the stack together: {rows} with {hashes} different hashes.");
            ui.label(RichText::new(together).size(theme::CAPTION).color(theme.muted));
        });
    }

    /// The rows or files that are listed, by their places.
    fn pick(&mut self, open: &OpenDocument, report: &IndexReport) -> Vec<usize> {
        if let Some((part, wanted, copy, picked)) = self.picked.take()
            && part == self.part
            && wanted == self.wanted
            && copy == open.copy
        {
            return picked;
        }
        let words = self.wanted.trim().to_lowercase();
        let hash = words.strip_prefix("0x").and_then(|digits| u32::from_str_radix(digits, 16).ok());
        // A whole path is found by its hash as well.
        let of_text = string_hash(words.replace('/', "\\").as_bytes());
        let is_wanted = |own: u32, path: &str| {
            words.is_empty()
                || hash == Some(own)
                || of_text == own
                || words.split_whitespace().all(|word| path.to_lowercase().contains(word))
        };
        if self.part == Part::NotListed {
            let files = report.unlisted.iter().enumerate();
            return files.filter(|(_, file)| is_wanted(0, &file.path)).map(|(at, _)| at).collect();
        }
        let rows = report.rows.iter().enumerate();
        rows.filter(|(_, row)| self.part == Part::All || !row.is_held)
            .filter(|(_, row)| is_wanted(row.hash, &row.path))
            .map(|(at, _)| at)
            .collect()
    }
}

fn told_of_row(row: &IndexedPath) -> String {
    match (row.is_right, row.is_held, row.entry) {
        (false, ..) => "the path has another hash".to_owned(),
        (true, true, _) => String::new(),
        (true, false, Some(_)) => "in another layer".to_owned(),
        (true, false, None) => "nowhere in the stack".to_owned(),
    }
}

fn told_of_file(file: &UnlistedFile) -> String {
    if file.rule.is_empty() { "left out for no known reason".to_owned() } else { file.rule.to_owned() }
}

fn row_ui(
    ui: &Ui,
    rect: Rect,
    at: usize,
    (hash, path, told): (u32, &str, &str),
    is_odd: bool,
    ctx: &ViewCtx<'_>,
) {
    let theme = ctx.theme;
    let response = ui.interact(rect, ui.scope_id().with(("indexed", at)), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(egui::accesskit::Role::Row, true, path));
    row::ground(ui, &response, Standing::Plain);
    let small = theme::mono(theme::CAPTION);
    text::left(ui, rect, rect.left() + 12.0, rect.right(), &format!("0x{hash:08X}"), small, theme.muted);
    let colour = if is_odd { theme.warning } else { theme.muted };
    let told = text::right(ui, rect, rect.right() - 12.0, told, theme::sans(theme::CAPTION), colour);
    let (from, to) = (rect.left() + 100.0, told.left() - 8.0);
    text::path(ui, rect, from, to, path, theme::mono(theme::DENSE), theme.text);
    response.context_menu(|ui| {
        for (name, copied) in [("Copy path", path.to_owned()), ("Copy hash", format!("0x{hash:08X}"))] {
            if menu::item(ui, name, "", true) {
                ctx.send(Command::CopyText(copied));
            }
        }
        if menu::item(ui, "Open", "", true) {
            ctx.send(Command::OpenPath(path.to_owned()));
        }
    });
    if response.double_clicked() {
        ctx.send(Command::OpenPath(path.to_owned()));
    }
}
