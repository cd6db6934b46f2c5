//! What is abnormal about a mesh, each with a way there.

use std::sync::Arc;

use egui::Ui;

use super::ModelView;
use super::side::note;
use crate::gpu::mesh::Drawable;
use crate::panels::ViewCtx;
use crate::session::OpenDocument;

/// How findings are listed.
#[derive(Debug, Default)]
pub(super) struct DataPage;

pub(super) fn ui(
    ui: &mut Ui,
    _view: &mut ModelView,
    _open: &OpenDocument,
    _drawable: &Arc<Drawable>,
    ctx: &ViewCtx<'_>,
) {
    note(ui, "", ctx.theme);
}
