//! A tab: facts, a preview of the kind that the file needs, and its bytes.

use std::collections::HashMap;

use egui::{Ui, UiBuilder};
use palimpsest_core::asset::Asset;
use palimpsest_core::mount::BundleAnswer;

use super::bundle::BundleView;
use super::model::{ModelView, Pages};
use super::path_index::PathIndexView;
use super::strings::StringsView;
use super::{ViewCtx, facts, hex::HexView, listing::ListingView, text::TextView, texture::TextureView};
use crate::command::{Command, Look};
use crate::document::Document;
use crate::jobs::Load;
use crate::session::{DocumentId, OpenDocument, Session};
use crate::theme;
use crate::widgets::card;
use crate::widgets::split::Split;

/// The view state of all tabs.
#[derive(Debug, Default)]
pub(super) struct DocumentPanels {
    views: HashMap<DocumentId, DocumentView>,
    shared: Shared,
}

/// The view state that all tabs share.
#[derive(Debug, Default)]
struct Shared {
    /// How previews and bytes share their room.
    split: Split,
    /// What stands beside models.
    pages: Pages,
}

/// The view state of one tab; it stays when another copy is shown.
#[derive(Debug, Default)]
struct DocumentView {
    texture: TextureView,
    model: ModelView,
    strings: StringsView,
    text: TextView,
    listing: ListingView,
    bundle: BundleView,
    path_index: PathIndexView,
    hex: HexView,
}

impl DocumentPanels {
    pub(super) fn retain(&mut self, is_open: impl Fn(DocumentId) -> bool) {
        self.views.retain(|id, _| is_open(*id));
    }

    pub(super) fn ui(&mut self, ui: &mut Ui, id: DocumentId, ctx: &ViewCtx<'_>) {
        let Some(open) = ctx.session.document(id) else { return };
        if ui.input(|input| input.pointer.any_pressed()) && ui.rect_contains_pointer(ui.max_rect()) {
            ctx.send(Command::Focus(id));
        }
        match &open.load {
            Load::Pending(job) => {
                if card::loading_ui(ui, &format!("Reading {}", open.leaf()), job.task()) {
                    job.task().cancel();
                }
            }
            Load::Failed(error) => {
                let actions = ["Try again", "Show the bytes as stored"];
                match card::failed_ui(ui, "This copy cannot be read", &error.to_string(), &actions) {
                    Some(0) => ctx.send(Command::Reload(id)),
                    Some(_) => ctx.send(Command::ShowStored(id, true)),
                    None => {}
                }
            }
            Load::Ready(document) => {
                let Self { views, shared } = self;
                views.entry(id).or_default().ui(ui, open, document, shared, ctx);
            }
        }
    }

    /// The keys that mean something to the active tab wherever the keyboard is.
    pub(super) fn keys(&mut self, ui: &Ui, ctx: &ViewCtx<'_>) {
        let Some(open) = ctx.session.active().filter(|open| open.is_model()) else { return };
        if let Some(view) = self.views.get_mut(&open.id) {
            view.model.let_go(ui, open, ctx);
        }
    }

    /// Looks at the picture of the active tab in another way; what is to be done with what is looked at.
    pub(super) fn look(&mut self, ctx: &egui::Context, session: &Session, look: Look) -> Option<Command> {
        let open = session.active()?;
        if open.is_model() {
            let model = &mut self.views.get_mut(&open.id)?.model;
            return model.look(look, open, &mut self.shared.pages, theme::Theme::of(ctx));
        }
        let pixels = open.shown_pixels()?.ok()?;
        self.views.get_mut(&open.id)?.texture.look(look, open, pixels, theme::Theme::of(ctx))
    }
}

impl DocumentView {
    fn ui(
        &mut self,
        ui: &mut Ui,
        open: &OpenDocument,
        document: &Document,
        shared: &mut Shared,
        ctx: &ViewCtx<'_>,
    ) {
        let margin = egui::Margin { left: 12, right: 12, top: 8, bottom: 6 };
        egui::Frame::new().inner_margin(margin).show(ui, |ui| {
            facts::ui(ui, open, document, ctx);
            facts::fault_ui(ui, open, document, ctx);
        });
        if !matches!(document.inspection.asset, Ok(Some(_))) {
            self.hex.ui(ui, open, document, ctx);
            return;
        }
        let area = ui.available_rect_before_wrap();
        let (above, below) = shared.split.ui(ui, area, ui.scope_id().with("bytes"));
        ui.scope_builder(UiBuilder::new().max_rect(below), |ui| self.hex.ui(ui, open, document, ctx));
        ui.scope_builder(UiBuilder::new().max_rect(above), |ui| {
            self.preview_ui(ui, open, document, &mut shared.pages, ctx);
        });
        ui.advance_cursor_after_rect(area);
    }

    fn preview_ui(
        &mut self,
        ui: &mut Ui,
        open: &OpenDocument,
        document: &Document,
        pages: &mut Pages,
        ctx: &ViewCtx<'_>,
    ) {
        // A copy that is not used in its bundle shows what it holds itself.
        let is_used = |bundle: &&BundleAnswer| {
            let copy = open.copy_ref();
            copy.is_some() && (bundle.manifest == copy || bundle.container == copy)
        };
        if let Some(bundle) = open.bundle.as_ref().and_then(Load::ready).filter(is_used) {
            self.bundle.ui(ui, open, bundle, ctx);
            return;
        }
        if let Some(report) = open.index_report.as_ref().and_then(Load::ready) {
            self.path_index.ui(ui, open, report, ctx);
            return;
        }
        match (&document.inspection.asset, open.shown_pixels()) {
            (_, Some(Ok(pixels))) => match pixels.refusal.get() {
                None => self.texture.ui(ui, open, pixels, ctx),
                Some(refusal) => no_picture_ui(ui, refusal),
            },
            (_, Some(Err(error))) => no_picture_ui(ui, &error),
            (Ok(Some(Asset::Texture(_))), None) => {
                let hint = "The program found no graphics adapter; the bytes and the structure are below and beside.";
                card::empty_ui(ui, theme::icon::TEXTURE, "No picture without a graphics adapter", hint);
            }
            (Ok(Some(Asset::Text(text))), None) => self.text.ui(ui, text, &document.lines, ctx),
            (Ok(Some(Asset::Strings(_))), None) => self.strings.ui(ui, open, ctx),
            (Ok(Some(Asset::Archive(archive))), None) => self.listing.archive_ui(ui, archive, ctx),
            (Ok(Some(Asset::Manifest(manifest))), None) => self.listing.manifest_ui(ui, manifest, ctx),
            (Ok(Some(Asset::Mesh(_) | Asset::Skeleton(_))), None) if ctx.session.caps.is_none() => {
                let hint = "The program found no graphics adapter; the bytes and the structure are below and beside.";
                card::empty_ui(ui, theme::icon::MESH, "No picture without a graphics adapter", hint);
            }
            (Ok(Some(Asset::Mesh(_) | Asset::Skeleton(_))), None) => self.model.ui(ui, open, pages, ctx),
            (Ok(None) | Err(_), None) => {}
        }
    }
}

fn no_picture_ui(ui: &mut Ui, reason: &str) {
    card::failed_ui(ui, "The picture cannot be shown", reason, &[]);
}
