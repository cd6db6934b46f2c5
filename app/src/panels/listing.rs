//! Archives and manifests as tables; a path that the stack holds opens from its row.

use egui::{Sense, Ui, WidgetInfo};
use palimpsest_core::asset::{Archive, Manifest};

use super::ViewCtx;
use crate::command::Command;
use crate::format::size;
use crate::theme;
use crate::widgets::card;
use crate::widgets::row::{self, Standing};
use crate::widgets::rows::Rows;
use crate::widgets::text;

/// The view of a table of paths.
#[derive(Debug, Default)]
pub(super) struct ListingView {
    rows: Rows,
}

impl ListingView {
    pub(super) fn archive_ui(&mut self, ui: &mut Ui, archive: &Archive, ctx: &ViewCtx<'_>) {
        let row = |at: usize| {
            let entry = archive.entries.get(at)?;
            Some((entry.path.as_str(), format!("{:#X}", entry.offset), size(entry.size)))
        };
        self.ui(ui, archive.entries.len(), "The archive holds no file", row, ctx);
    }

    pub(super) fn manifest_ui(&mut self, ui: &mut Ui, manifest: &Manifest, ctx: &ViewCtx<'_>) {
        let row = |at: usize| {
            let member = manifest.members.get(at)?;
            let hash = member.hash.map(|hash| format!("0x{hash:08X}")).unwrap_or_default();
            let is_there = ctx.session.stack().is_some_and(|stack| stack.find(&member.path).is_some());
            Some((&*member.path, hash, if is_there { String::new() } else { "not in the stack".to_owned() }))
        };
        self.ui(ui, manifest.members.len(), "The list names no path", row, ctx);
    }

    fn ui<'a>(
        &mut self,
        ui: &mut Ui,
        count: usize,
        empty: &str,
        row: impl Fn(usize) -> Option<(&'a str, String, String)>,
        ctx: &ViewCtx<'_>,
    ) {
        let theme = ctx.theme;
        ui.painter().rect_filled(ui.available_rect_before_wrap(), 0.0, theme.canvas);
        if count == 0 {
            card::empty_ui(ui, theme::icon::LIST, empty, "That is no fault.");
            return;
        }
        self.rows.ui(ui, ui.scope_id().with("listing"), theme::ROW, count as u64, |ui, at, rect| {
            let Some((path, middle, right)) = usize::try_from(at).ok().and_then(&row) else { return };
            let response = ui.interact(rect, ui.scope_id().with(at), Sense::click());
            response.widget_info(|| WidgetInfo::labeled(egui::accesskit::Role::Row, true, path));
            row::ground(ui, &response, Standing::Plain);
            let (mono, small) = (theme::mono(theme::DENSE), theme::mono(theme::CAPTION));
            let right_x = rect.right() - 12.0;
            text::right(ui, rect, right_x, &right, small.clone(), theme.muted);
            let middle = text::right(ui, rect, right_x - 112.0, &middle, small, theme.muted);
            text::path(ui, rect, rect.left() + 12.0, middle.left() - 8.0, path, mono, theme.text);
            if response.double_clicked() {
                ctx.send(Command::OpenPath(path.to_owned()));
            }
            response.on_hover_text("Double-click opens the path");
        });
    }
}
