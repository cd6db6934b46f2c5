//! Asks for a path of the system by typing, where the system shows no dialog or a person prefers that.

use std::path::PathBuf;

use egui::{RichText, Ui};
use palimpsest_core::mount::Mounts;

use super::Overlays;
use crate::command::{Command, NamesCommand, PathFor, PictureCommand};
use crate::panels::ViewCtx;
use crate::theme;

impl Overlays {
    pub(super) fn path_ui(&mut self, ui: &mut Ui, ctx: &ViewCtx<'_>) -> bool {
        let session = ctx.session;
        let (hint, below) = match &session.path_for {
            PathFor::Mount => {
                ("A folder or file to mount", "Enter mounts it instead of what is mounted.".to_owned())
            }
            PathFor::Extract(_, title, _) => (
                "A folder to extract into",
                format!("Enter extracts {title}; folders are made where missing."),
            ),
            PathFor::OnTop => {
                ("An archive or folder to put on top", "Enter tries it on top of the stack.".to_owned())
            }
            PathFor::Changes => ("A file to write", "Enter writes the paths that change as text.".to_owned()),
            PathFor::Drawn(..) => ("A file to write", "Enter draws the picture into it, as PNG.".to_owned()),
            PathFor::WordList => ("A word list", "Enter takes its names, one a line.".to_owned()),
            PathFor::Names(_) => {
                ("A file to write", "Enter writes the names into it, one a line.".to_owned())
            }
        };
        let is_taken = self.field_ui(ui, hint, hint, 0, ctx);
        // What is typed stays here until it is mounted.
        let waits = self.waits && session.mounting.is_some();
        if self.waits && !waits && session.mount_error.is_none() {
            return true;
        }
        let (text, colour) = match &session.mount_error {
            _ if waits => ("Mounting…".to_owned(), ctx.theme.muted),
            Some((_, error)) if self.waits => (error.to_string(), ctx.theme.error),
            _ => (below, ctx.theme.muted),
        };
        let label = RichText::new(text).size(theme::CAPTION).color(colour);
        ui.add(egui::Label::new(label).wrap());
        let Some(path) = path_of(&self.text).filter(|_| is_taken) else { return false };
        match &session.path_for {
            PathFor::Mount => {
                ctx.send(Command::Mount(Mounts::of(path)));
                self.waits = true;
                self.takes_focus = true;
                false
            }
            PathFor::Extract(files, _, conversion) => {
                ctx.send(Command::Extract(path, files.clone(), *conversion));
                true
            }
            PathFor::OnTop => {
                ctx.send(Command::PutOnTop(Mounts::of(path)));
                true
            }
            PathFor::Changes => {
                ctx.send(Command::ExportChanges(Some(path)));
                true
            }
            PathFor::WordList => {
                ctx.send(Command::Names(NamesCommand::AddList(path)));
                true
            }
            PathFor::Names(list) => {
                ctx.send(Command::Names(NamesCommand::Save(path, list.clone())));
                true
            }
            PathFor::Drawn(id, drawing) => {
                ctx.send(Command::Picture(*id, PictureCommand::SaveDrawn(path, drawing.clone())));
                true
            }
        }
    }
}

/// A path as people paste it: with spaces around it, and in quotes as Windows copies it.
pub(in crate::panels) fn path_of(text: &str) -> Option<PathBuf> {
    let text = text.trim().trim_matches('"');
    (!text.is_empty()).then(|| PathBuf::from(text))
}
