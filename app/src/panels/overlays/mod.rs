//! Windows over the panels, one at a time: go to a path, run a command, keys, log, why, offset.

mod help;
mod log;
mod offset;
mod oodle;
mod palette;
pub(super) mod path;
mod texts;
mod why;

use egui::{Align2, Id, Key, Modal, RichText, ScrollArea, TextEdit, Ui};

use super::ViewCtx;
use crate::command::{Command, Overlay};
use crate::theme::{self, Theme};
use crate::widgets::rows::Rows;
use crate::widgets::{field, keys};

/// The window that is open, and what was typed into it.
#[derive(Debug, Default)]
pub(super) struct Overlays {
    open: Option<Overlay>,
    text: String,
    chosen: usize,
    takes_focus: bool,
    /// Whether it was not drawn yet.
    is_new: bool,
    /// What the field begins with, which gives way to what is typed.
    begins_with: String,
    /// Whether what was typed is being mounted.
    waits: bool,
    rows: Rows,
}

impl Overlays {
    pub(super) fn show(&mut self, overlay: Overlay, is_shown: bool) {
        *self =
            Self { open: is_shown.then_some(overlay), takes_focus: true, is_new: true, ..Self::default() };
    }

    /// Types into the field of the window that is open.
    pub(super) fn type_text(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Writes into the field of the window that opens what it begins with.
    pub(super) fn prefill(&mut self, text: &str) {
        text.clone_into(&mut self.text);
        text.clone_into(&mut self.begins_with);
    }

    pub(super) fn is_open(&self) -> bool {
        self.open.is_some()
    }

    pub(super) fn ui(&mut self, ui: &Ui, ctx: &ViewCtx<'_>) {
        let Some(overlay) = self.open else { return };
        let frame = egui::Frame::popup(ui.style()).inner_margin(16);
        let id = Id::unique(overlay);
        let mut area = Modal::default_area(id);
        if matches!(
            overlay,
            Overlay::GoTo | Overlay::Commands | Overlay::Offset | Overlay::Path | Overlay::Texts
        ) {
            // What grows and shrinks while one types hangs from the top; the rest stands in the middle.
            area = area.anchor(Align2::CENTER_TOP, [0.0, 64.0]);
        }
        let modal = Modal::new(id).area(area).frame(frame).show(ui.ctx(), |ui| match overlay {
            Overlay::GoTo => self.go_to_ui(ui, ctx),
            Overlay::Commands => self.commands_ui(ui, ctx),
            Overlay::Help => help::ui(ui, ctx),
            Overlay::Log => log::ui(ui, &mut self.rows, ctx),
            Overlay::Why => why::ui(ui, ctx),
            Overlay::Offset => self.offset_ui(ui, ctx),
            Overlay::Texts => self.texts_ui(ui, ctx),
            Overlay::Path => self.path_ui(ui, ctx),
            Overlay::Oodle => self.oodle_ui(ui, ctx),
        });
        if modal.should_close() || modal.inner {
            if overlay == Overlay::Texts {
                // The tables that were read are not needed any more.
                ctx.send(Command::FindTexts(String::new(), false));
            }
            ctx.send(Command::Show(overlay, false));
        }
    }

    /// The field of a palette; whether it has to be taken as it stands.
    fn field_ui(&mut self, ui: &mut Ui, hint: &str, name: &str, count: usize, ctx: &ViewCtx<'_>) -> bool {
        ui.set_width(560.0);
        if keys::takes(ui, Key::ArrowDown) {
            self.chosen = (self.chosen + 1).min(count.saturating_sub(1));
        }
        if keys::takes(ui, Key::ArrowUp) {
            self.chosen = self.chosen.saturating_sub(1);
        }
        let before = self.text.clone();
        let is_taken = self.line_ui(ui, hint, name, ctx.theme);
        if self.text != before {
            self.chosen = 0;
        }
        is_taken
    }

    /// A field for a line of text; whether it has to be taken as it stands.
    fn line_ui(&mut self, ui: &mut Ui, hint: &str, name: &str, theme: &Theme) -> bool {
        let field = TextEdit::singleline(&mut self.text)
            .id(field_id())
            .hint_text(RichText::new(hint).color(theme.muted))
            .desired_width(f32::INFINITY)
            .margin(egui::Margin::symmetric(8, 6));
        let response = ui.add(field);
        field::name(&response, &self.text, name);
        if std::mem::take(&mut self.takes_focus) {
            response.request_focus();
            if !self.begins_with.is_empty() && std::mem::take(&mut self.begins_with) == self.text {
                select_all(ui, &self.text);
            }
        }
        let is_taken = response.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
        // Where it is not taken after all, the field goes on.
        self.takes_focus |= is_taken;
        is_taken
    }
}

/// Selects all of the text in the field, so that it gives way to what is typed.
fn select_all(ui: &Ui, text: &str) {
    let mut state = egui::text_edit::TextEditState::load(ui.ctx(), field_id()).unwrap_or_default();
    let end = egui::text::CCursor::new(text.chars().count());
    state.cursor.set_char_range(Some(egui::text::CCursorRange::two(egui::text::CCursor::default(), end)));
    state.store(ui.ctx(), field_id());
}

/// The field of a window that has one.
pub(super) fn field_id() -> Id {
    Id::unique("overlay field")
}

/// The height that a page over the panels may take, without its margins and buttons.
fn room(ui: &Ui) -> f32 {
    (ui.ctx().content_rect().height() - 160.0).max(120.0)
}

/// A part of a page that scrolls where it is higher than that.
fn scroll(height: f32) -> ScrollArea {
    // Without the second line it stays as small as it was in its first frame.
    let area = ScrollArea::vertical().max_height(height).min_scrolled_height(height);
    area.auto_shrink([false, true])
}

fn heading(ui: &mut Ui, text: &str) {
    ui.label(RichText::new(text).font(theme::semibold(theme::BODY)));
    ui.add_space(theme::GRID);
}
