//! The small pictures of the copies of a texture.

use std::fmt;
use std::sync::Arc;

use egui::{ColorImage, Rect, TextureHandle, TextureOptions, Ui, pos2};
use palimpsest_core::mount::EntryId;

use crate::command::Command;
use crate::panels::ViewCtx;
use crate::session::OpenDocument;
use crate::thumbnail::is_texture;

/// How high a row with a small picture is.
pub(super) const PICTURE_ROW: f32 = 36.0;

/// The small pictures of the path that is shown, uploaded.
#[derive(Default)]
pub(super) struct Pictures {
    /// Which stack and path they are of, and how many.
    key: Option<(usize, EntryId, usize)>,
    handles: Vec<Option<TextureHandle>>,
}

impl Pictures {
    /// The pictures of the active path, where it is a texture; asks for them where nobody did.
    pub(super) fn of(
        &mut self,
        ui: &Ui,
        open: &OpenDocument,
        ctx: &ViewCtx<'_>,
    ) -> Option<&[Option<TextureHandle>]> {
        if !is_texture(&open.answer.path) {
            return None;
        }
        let Some(thumbnails) = &open.thumbnails else {
            ctx.send(Command::NeedThumbnails(open.id));
            return Some(&[]);
        };
        let Some(images) = thumbnails.ready() else { return Some(&[]) };
        let key = Some((Arc::as_ptr(&open.mounted).addr(), open.entry, images.len()));
        if self.key != key {
            let upload = |image: &ColorImage| {
                ui.ctx().load_texture("thumbnail", image.clone(), TextureOptions::LINEAR)
            };
            self.handles = images.iter().map(|image| image.as_ref().map(upload)).collect();
            self.key = key;
        }
        Some(&self.handles)
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
