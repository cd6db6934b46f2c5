//! Keys and drops that mean something wherever the pointer is.

use egui::{Align2, Event, Key, Ui};
use palimpsest_core::mount::Mounts;

use crate::command::Command;
use crate::panels::{Panels, ViewCtx, shortcuts};
use crate::theme;
use crate::widgets::keys::takes;

/// The keys of the program, then those of the active tab. `had_popup` says that a menu was open, which
/// Escape closes.
pub(super) fn keys(ui: &Ui, panels: &mut Panels, had_popup: bool, ctx: &ViewCtx<'_>) {
    // Lists have the keyboard as well, but leave letters to the program; text does not.
    let is_free = !ui.ctx().text_edit_focused() && !panels.has_overlay();
    if ui.input(|input| !input.events.is_empty()) {
        for (shortcut, action) in shortcuts() {
            let is_pressed = || ui.input(|input| input.events.iter().any(|event| shortcut.is_in(event)));
            if (is_free || shortcut.is_global())
                && is_pressed()
                && let Some(command) = action.command(ctx.session)
            {
                ui.input_mut(|input| input.events.retain(|event| !shortcut.is_in(event)));
                let opens_field = matches!(command, Command::Show(overlay, true) if overlay.has_field());
                ctx.send(command);
                if opens_field {
                    // In a slow frame there is more behind the key: it belongs to the field.
                    ctx.send(Command::Type(typed(ui)));
                    return;
                }
            }
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
    if is_free {
        panels.keys(ui, ctx);
        if !had_popup && !ctx.session.search.text.is_empty() && takes(ui, Key::Escape) {
            ctx.send(Command::Search(String::new()));
        }
    }
    if ctx.session.mounted.is_some() {
        panels.keep_keyboard(ui.ctx(), ctx.session);
    }
}

/// Takes the text that was typed in this frame.
fn typed(ui: &Ui) -> String {
    ui.input_mut(|input| {
        let text = |event: &Event| match event {
            Event::Text(text) => Some(text.clone()),
            _ => None,
        };
        let typed = input.events.iter().filter_map(text).collect();
        input.events.clear();
        typed
    })
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
