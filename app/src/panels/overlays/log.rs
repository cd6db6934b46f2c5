//! Warnings of mounting and notices since then.

use egui::{Rect, Sense, Ui, vec2};
use palimpsest_core::mount::Stack;

use super::{heading, room};
use crate::command::Command;
use crate::panels::ViewCtx;
use crate::session::Notice;
use crate::theme::{self, Theme};
use crate::widgets::rows::Rows;
use crate::widgets::text;

/// How much a line matters.
#[derive(Clone, Copy)]
enum Weight {
    /// The name of the lines below it.
    Title,
    Error,
    Warning,
    Text,
    Muted,
}

/// The page; whether it is to be closed.
pub(super) fn ui(ui: &mut Ui, rows: &mut Rows, ctx: &ViewCtx<'_>) -> bool {
    ui.set_width(720.0);
    heading(ui, "Warnings and notices");
    let mut lines = ctx.session.stack().map(of_mounting).unwrap_or_default();
    lines.extend(of_notices(&ctx.session.notices));
    if lines.is_empty() {
        lines.push((Weight::Muted, "Nothing was noticed.".to_owned()));
    }
    let height = (lines.len() as f32 * theme::ROW).min(room(ui).min(420.0));
    let (area, _) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
    let mut inside = ui.new_child(egui::UiBuilder::new().id_salt("log").max_rect(area));
    rows.ui(&mut inside, ui.scope_id().with("rows"), theme::ROW, lines.len() as u64, |ui, at, rect| {
        if let Some((weight, line)) = usize::try_from(at).ok().and_then(|at| lines.get(at)) {
            line_ui(ui, rect, *weight, line, ctx.theme);
        }
    });
    ui.add_space(8.0);
    let mut closes = false;
    ui.horizontal(|ui| {
        closes = ui.button("Close").clicked();
        if ui.button("Copy as text").clicked() {
            let lines: Vec<_> = lines.iter().map(|(_, line)| line.as_str()).collect();
            ctx.send(Command::CopyText(lines.join("\n")));
        }
        if !ctx.session.notices.is_empty() && ui.button("Forget the notices").clicked() {
            ctx.send(Command::ClearNotices);
        }
    });
    closes
}

fn line_ui(ui: &Ui, rect: Rect, weight: Weight, line: &str, theme: &Theme) {
    let (font, colour) = match weight {
        Weight::Title => (theme::sans(theme::CAPTION), theme.muted),
        Weight::Error => (theme::sans(theme::DENSE), theme.error),
        Weight::Warning => (theme::sans(theme::DENSE), theme.warning),
        Weight::Text => (theme::sans(theme::DENSE), theme.text),
        Weight::Muted => (theme::sans(theme::DENSE), theme.muted),
    };
    text::left(ui, rect, rect.left(), rect.right(), line, font, colour);
    let response = ui.interact(rect, ui.scope_id().with(line), Sense::hover());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::accesskit::Role::Label, true, line));
    response.on_hover_text(line);
}

fn of_mounting(stack: &Stack) -> Vec<(Weight, String)> {
    let broken = stack.broken().map(|(layer, error)| (Weight::Error, format!("{}: {error}", layer.name)));
    let warnings = stack.warnings().iter().map(|warning| (Weight::Warning, warning.clone()));
    let of_layers = stack.layers().iter().flat_map(|layer| {
        layer.warnings.iter().map(|warning| (Weight::Warning, format!("{}: {warning}", layer.name)))
    });
    let of_bundles = stack.bundle_faults().map(|fault| (Weight::Warning, fault.to_owned()));
    let mut lines: Vec<_> = broken.chain(warnings).chain(of_layers).chain(of_bundles).collect();
    if !stack.skipped().is_empty() {
        lines.push((Weight::Title, "Lines of the list that mounted nothing".to_owned()));
    }
    lines.extend(stack.skipped().iter().map(|skipped| {
        (Weight::Text, format!("line {}, {}: {}", skipped.line, skipped.text, skipped.reason))
    }));
    lines
}

fn of_notices(notices: &[Notice]) -> Vec<(Weight, String)> {
    let notices: Vec<_> = notices.iter().filter(|notice| !notice.is_passing).collect();
    let title = (!notices.is_empty()).then(|| (Weight::Title, "Since then, newest first".to_owned()));
    let weight = |notice: &Notice| if notice.is_error { Weight::Error } else { Weight::Text };
    let lines = notices.into_iter().rev().map(|notice| (weight(notice), notice.text.clone()));
    title.into_iter().chain(lines).collect()
}
