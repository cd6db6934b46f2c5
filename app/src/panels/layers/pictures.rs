//! The small pictures of the copies of a texture.

use std::fmt;
use std::sync::Arc;

use egui::{Rect, TextureHandle, TextureOptions, Ui, pos2};
use palimpsest_core::mount::{CopyRef, EntryId};

use crate::command::Command;
use crate::panels::ViewCtx;
use crate::pictures::Viewer;
use crate::session::OpenDocument;
use crate::thumbnail::is_texture;

/// How high a row with a small picture is.
pub(super) const PICTURE_ROW: f32 = 36.0;

/// Pixels along the longer side, at most twice as many as are shown.
const SIDE: u32 = 64;

/// How many copies have a small picture.
const MOST: usize = 100;

/// The small pictures of the path that is shown, uploaded.
#[derive(Default)]
pub(super) struct Pictures {
    /// Which stack and path they are of.
    key: Option<(usize, EntryId)>,
    handles: Vec<(CopyRef, TextureHandle)>,
}

impl Pictures {
    /// Says that the copies of a path are looked at; whether they have pictures.
    pub(super) fn see(&mut self, open: &OpenDocument, ctx: &ViewCtx<'_>) -> bool {
        if !is_texture(&open.answer.path) {
            return false;
        }
        let key = Some((Arc::as_ptr(&open.mounted).addr(), open.entry));
        if self.key != key {
            self.key = key;
            self.handles.clear();
            let copies = open.answer.copies.iter().take(MOST).map(|copy| (copy.copy, SIDE));
            ctx.send(Command::See(Viewer::Copies, copies.collect()));
        }
        true
    }

    /// The picture of a copy, once it is made.
    pub(super) fn of(&mut self, ui: &Ui, copy: CopyRef, ctx: &ViewCtx<'_>) -> Option<TextureHandle> {
        if let Some((_, handle)) = self.handles.iter().find(|(known, _)| *known == copy) {
            return Some(handle.clone());
        }
        let made = ctx.session.pictures.get((copy, SIDE))?.as_ref().ok()?;
        let picture = Arc::clone(&made.picture);
        let handle = ui.ctx().load_texture("thumbnail", picture, TextureOptions::LINEAR);
        self.handles.push((copy, handle.clone()));
        Some(handle)
    }
}

/// Draws a small picture into a square, its sides as they are.
pub(super) fn picture_ui(ui: &Ui, square: Rect, picture: &TextureHandle) {
    let size = picture.size_vec2();
    let size = size * (square.width() / size.max_elem().max(1.0));
    let uv = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
    ui.painter().image(picture.id(), Rect::from_center_size(square.center(), size), uv, egui::Color32::WHITE);
}

impl fmt::Debug for Pictures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Pictures({:?})", self.key)
    }
}
