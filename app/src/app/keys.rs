//! Keys and drops that mean something wherever the pointer is.

use egui::{Align2, Key, KeyboardShortcut, Modifiers, Ui};
use palimpsest_core::mount::Mounts;

use crate::command::{Command, Overlay};
use crate::panels::{Panels, ViewCtx};
use crate::theme;
use crate::widgets::keys::{takes, takes_copy};

const fn with(modifiers: Modifiers, key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(modifiers, key)
}

/// The keys of the program, then those of the active tab. `had_popup` says that a menu was open, which
/// Escape closes.
pub(super) fn keys(ui: &Ui, panels: &mut Panels, had_popup: bool, ctx: &ViewCtx<'_>) {
    let pressed = |shortcut: &KeyboardShortcut| ui.input_mut(|input| input.consume_shortcut(shortcut));
    let command_shift = Modifiers::COMMAND | Modifiers::SHIFT;
    // Longer shortcuts first: the shorter ones would take their keys.
    let always: [(KeyboardShortcut, Option<Command>); 15] = [
        (with(command_shift, Key::P), Some(Command::Show(Overlay::Commands, true))),
        (with(Modifiers::COMMAND, Key::P), Some(Command::Show(Overlay::GoTo, true))),
        (with(Modifiers::COMMAND, Key::F), Some(Command::FocusSearch)),
        (with(command_shift, Key::O), Some(Command::PickFile)),
        (with(Modifiers::COMMAND, Key::O), Some(Command::PickFolder)),
        (with(Modifiers::COMMAND, Key::Q), Some(Command::Quit)),
        (with(Modifiers::COMMAND, Key::W), Panels::close(ctx)),
        (with(Modifiers::COMMAND, Key::E), Panels::extract(ctx)),
        (with(Modifiers::ALT, Key::ArrowLeft), Some(Command::Back)),
        (with(Modifiers::ALT, Key::ArrowRight), Some(Command::Forward)),
        (with(Modifiers::NONE, Key::F5), Some(Command::Remount)),
        (with(Modifiers::NONE, Key::F1), Some(Command::Show(Overlay::Help, true))),
        (with(Modifiers::COMMAND, Key::Plus), Some(Command::Zoom(1))),
        (with(Modifiers::COMMAND, Key::Minus), Some(Command::Zoom(-1))),
        (with(Modifiers::COMMAND, Key::Num0), Some(Command::Zoom(0))),
    ];
    for (shortcut, command) in always {
        if pressed(&shortcut)
            && let Some(command) = command
        {
            ctx.send(command);
        }
    }
    let (back, forward) = ui.input(|input| {
        let pressed = |button| input.pointer.button_pressed(button);
        (pressed(egui::PointerButton::Extra1), pressed(egui::PointerButton::Extra2))
    });
    if back {
        ctx.send(Command::Back);
    }
    if forward {
        ctx.send(Command::Forward);
    }
    // Lists have the keyboard as well, but leave letters to the program; text does not.
    if !ui.ctx().text_edit_focused() && !panels.has_overlay() {
        panels.keys(ui, ctx);
        copy_path(ui, ctx);
        if !had_popup && !ctx.session.search.text.is_empty() && takes(ui, Key::Escape) {
            ctx.send(Command::Search(String::new()));
        }
    }
    if ctx.session.mounted.is_some() {
        panels.keep_keyboard(ui.ctx(), ctx.session);
    }
}

/// Ctrl+C where nothing else takes it: the path; with Shift as a link.
fn copy_path(ui: &Ui, ctx: &ViewCtx<'_>) {
    let Some(open) = ctx.session.active() else {
        if let Some(open) = ctx.session.active_comparison()
            && takes_copy(ui)
        {
            ctx.send(Command::CopyText(open.answer.path.clone()));
        }
        return;
    };
    let is_link =
        ui.input_mut(|input| input.consume_shortcut(&with(Modifiers::COMMAND | Modifiers::SHIFT, Key::C)));
    if is_link {
        ctx.commands.send_some(open.link().map(Command::CopyText));
        return;
    }
    if takes_copy(ui) {
        ctx.send(Command::CopyText(open.answer.path.clone()));
    }
}

/// Folders and files that are dropped on the window are mounted, all of them in one stack; where other
/// orders are tried they are put on top of it.
pub(super) fn drops(ui: &Ui, panels: &Panels, ctx: &ViewCtx<'_>) {
    let (hovered, dropped) = ui.input(|input| {
        let dropped: Vec<_> = input.raw.dropped_files.iter().map(|file| file.path().to_path_buf()).collect();
        (!input.raw.hovered_files.is_empty(), dropped)
    });
    let is_on_top = panels.takes_drops(ui.ctx());
    if !dropped.is_empty() {
        let mounts = Mounts { paths: dropped, ..Mounts::default() };
        ctx.send(if is_on_top { Command::PutOnTop(mounts) } else { Command::Mount(mounts) });
    }
    if hovered {
        let screen = ui.ctx().content_rect();
        let layer = egui::LayerId::new(egui::Order::Foreground, egui::Id::unique("drop"));
        let painter = ui.ctx().layer_painter(layer);
        painter.rect_filled(screen, 0.0, ctx.theme.canvas.gamma_multiply(0.85));
        let font = theme::semibold(20.0);
        let text = if is_on_top { "Drop to try it on top of the stack" } else { "Drop to mount" };
        painter.text(screen.center(), Align2::CENTER_CENTER, text, font, ctx.theme.text);
    }
}
