//! Asks for a path of the system by typing, where the system shows no dialog or a person prefers that.

use std::path::PathBuf;

use egui::{RichText, Ui};
use palimpsest_core::mount::Mounts;

use super::Overlays;
use crate::command::{Command, PathFor};
use crate::panels::ViewCtx;
use crate::theme;

impl Overlays {
    pub(super) fn path_ui(&mut self, ui: &mut Ui, ctx: &ViewCtx<'_>) -> bool {
        let (hint, below) = match &ctx.session.path_for {
            PathFor::Mount => ("A folder or file to mount", "Enter mounts it instead of what is mounted."),
            PathFor::Extract(_) => {
                ("A folder to extract into", "Enter extracts; folders are made where missing.")
            }
        };
        let is_taken = self.field_ui(ui, hint, hint, 0, ctx);
        ui.label(RichText::new(below).size(theme::CAPTION).color(ctx.theme.muted));
        let Some(path) = path_of(&self.text).filter(|_| is_taken) else { return false };
        ctx.send(match &ctx.session.path_for {
            PathFor::Mount => Command::Mount(Mounts::of(path)),
            PathFor::Extract(files) => Command::Extract(path, files.clone()),
        });
        true
    }
}

/// A path as people paste it: with spaces around it, and in quotes as Windows copies it.
pub(in crate::panels) fn path_of(text: &str) -> Option<PathBuf> {
    let text = text.trim().trim_matches('"');
    (!text.is_empty()).then(|| PathBuf::from(text))
}
