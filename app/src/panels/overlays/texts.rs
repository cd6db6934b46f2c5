//! Finds a text in all tables of the stack.

use std::sync::PoisonError;

use egui::{RichText, Sense, Ui, WidgetInfo};

use super::{Overlays, room};
use crate::command::Command;
use crate::format::{count, number};
use crate::panels::{ViewCtx, choice};
use crate::theme;
use crate::widgets::row::{self, Standing};
use crate::widgets::text;

impl Overlays {
    pub(super) fn texts_ui(&mut self, ui: &mut Ui, ctx: &ViewCtx<'_>) -> bool {
        let theme = ctx.theme;
        let search = &ctx.session.texts;
        let hits = search.hits.lock().unwrap_or_else(PoisonError::into_inner);
        let listed = hits.hits.len();
        let is_taken = self.field_ui(ui, "A text, in any table of the stack", "Find a text", listed, ctx);
        let mut is_exact = search.is_exact;
        ui.horizontal(|ui| {
            if choice(ui, is_exact, "Aa").on_hover_text("Letter case and accents count").clicked() {
                is_exact = !is_exact;
            }
            ui.label(
                RichText::new(told(ctx, listed, hits.unread.len())).size(theme::CAPTION).color(theme.muted),
            )
            .on_hover_text(hits.unread.join("\n"));
            if let Some(job) = &search.job
                && ui.link(RichText::new("stop").size(theme::CAPTION)).clicked()
            {
                job.task().cancel();
            }
        });
        if self.text != search.text || is_exact != search.is_exact {
            ctx.send(Command::FindTexts(self.text.clone(), is_exact));
        }
        let mut taken = is_taken.then_some(self.chosen);
        let height = (listed.min(14) as f32 * theme::ROW).min(room(ui));
        let (rect, _) = ui.allocate_exact_size(egui::vec2(ui.available_width(), height), Sense::hover());
        let mut inside = ui.new_child(egui::UiBuilder::new().max_rect(rect));
        self.rows.reveal(self.chosen as u64);
        self.rows.ui(&mut inside, ui.scope_id().with("hits"), theme::ROW, listed as u64, |ui, at, rect| {
            let Some((at, hit)) = usize::try_from(at).ok().and_then(|at| Some((at, hits.hits.get(at)?)))
            else {
                return;
            };
            let response = ui.interact(rect, ui.scope_id().with(at), Sense::click());
            let label = format!("{} in {}", hit.text, hit.path);
            response.widget_info(|| WidgetInfo::labeled(egui::accesskit::Role::Row, true, &label));
            row::ground(ui, &response, if at == self.chosen { Standing::Focused } else { Standing::Plain });
            let folder = hit.path.rsplit(['\\', '/']).nth(1).unwrap_or_default();
            let small = theme::mono(theme::CAPTION);
            let right = text::right(ui, rect, rect.right() - 6.0, folder, small, theme.muted);
            let words = hit.text.replace(['\r', '\n', '\t'], " ");
            let font = theme::sans(theme::DENSE);
            text::left(ui, rect, rect.left() + 6.0, right.left() - 8.0, &words, font, theme.text);
            if response.on_hover_text(&hit.path).clicked() {
                taken = Some(at);
            }
        });
        let Some(hit) = taken.and_then(|at| hits.hits.get(at)) else { return false };
        ctx.send(Command::OpenText(hit.entry, hit.key));
        true
    }
}

/// What was found, and how far the search is.
fn told(ctx: &ViewCtx<'_>, listed: usize, unread: usize) -> String {
    let search = &ctx.session.texts;
    if search.text.trim().is_empty() {
        return "Letter case and accents do not count.".to_owned();
    }
    let mut told = count(listed as u64, "text");
    if let Some(job) = &search.job {
        let (done, all) = job.task().progress();
        told = format!("{told}, {} of {} tables", number(done), number(all));
    }
    if unread > 0 {
        told = format!("{told}; {} cannot be read", count(unread as u64, "table"));
    }
    told
}
