//! Windows over the panels, one at a time: go to a path, run a command, keys, log, why, offset.

mod help;
mod log;
mod offset;
mod palette;
mod why;

use egui::{Id, Key, Modal, Modifiers, RichText, TextEdit, Ui, WidgetInfo};

use super::ViewCtx;
use crate::command::{Command, Overlay};
use crate::theme;

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
        let frame = egui::Frame::popup(ui.style()).inner_margin(16);
        let modal = Modal::new(Id::unique("overlay")).frame(frame).show(ui.ctx(), |ui| match overlay {
            Overlay::GoTo => self.go_to_ui(ui, ctx),
            Overlay::Commands => self.commands_ui(ui, ctx),
            Overlay::Help => help::ui(ui, ctx),
            Overlay::Log => log::ui(ui, ctx),
            Overlay::Why => why::ui(ui, ctx),
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
}

fn heading(ui: &mut Ui, text: &str) {
    ui.label(RichText::new(text).font(theme::semibold(theme::BODY)));
    ui.add_space(theme::GRID);
}
