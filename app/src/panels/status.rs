//! The bar at the bottom: what is mounted, what runs, what is wrong, and the keys of the moment.

use egui::{RichText, Ui};

use super::{ViewCtx, icon_button};
use crate::command::{Command, Overlay};
use crate::format::{count, number};
use crate::session::Front;
use crate::theme;

pub(super) fn ui(ui: &mut Ui, ctx: &ViewCtx<'_>) {
    let theme = ctx.theme;
    let small = |text: String| RichText::new(text).size(theme::CAPTION);
    ui.horizontal_centered(|ui| {
        ui.spacing_mut().item_spacing.x = 8.0;
        match ctx.session.stack() {
            Some(stack) => {
                let index = stack.index();
                let layers = count(stack.layers().len() as u64, "layer");
                let text = format!("{layers}  ·  {}", count(index.entry_count().into(), "path"));
                let copies = count(u64::from(index.copy_count()), "file");
                ui.label(small(text).color(theme.text))
                    .on_hover_text(format!("{copies} in all layers together"));
            }
            None => {
                ui.label(small("Nothing is mounted".to_owned()).color(theme.muted));
            }
        }
        if ctx.session.what_if.as_ref().is_some_and(|what_if| what_if.shown.is_some()) {
            let text = small("simulated order".to_owned()).color(theme.warning);
            let link = ui.add(egui::Button::new(text).frame_when_inactive(false));
            if link.on_hover_text("Back to the real order").clicked() {
                ctx.send(Command::EndWhatIf);
            }
        }
        jobs_ui(ui, ctx);
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            ui.label(small(keys(ctx).to_owned()).color(theme.muted));
            let noticed = noticed(ctx);
            if !noticed.is_empty() {
                let text = small(noticed.join("  ·  ")).color(theme.warning);
                let link = ui.add(egui::Button::new(text).frame_when_inactive(false));
                if link.on_hover_text("What was noticed while mounting").clicked() {
                    ctx.send(Command::Show(Overlay::Log, true));
                }
            }
            ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| notice_ui(ui, ctx));
        });
    });
}

/// What was said last, for as long as it is news.
fn notice_ui(ui: &mut Ui, ctx: &ViewCtx<'_>) {
    let last = ctx.session.notices.last();
    let Some((notice, left)) = last.and_then(|last| Some((last, last.left()?))) else { return };
    ui.ctx().request_repaint_after(left);
    let colour = if notice.is_error { ctx.theme.error } else { ctx.theme.muted };
    let text = RichText::new(&notice.text).size(theme::CAPTION).color(colour);
    ui.add(egui::Label::new(text).truncate()).on_hover_text(&notice.text);
}

fn jobs_ui(ui: &mut Ui, ctx: &ViewCtx<'_>) {
    let theme = ctx.theme;
    for running in ctx.running.iter().filter(|running| running.is_long()).take(2) {
        let (done, total) = running.task.progress();
        if total > 0 {
            let bar =
                egui::ProgressBar::new(done as f32 / total as f32).desired_width(72.0).desired_height(6.0);
            ui.add(bar).on_hover_text(format!("{} of {}", number(done), number(total)));
        } else {
            ui.add(egui::Spinner::new().size(12.0).color(theme.muted));
        }
        ui.label(RichText::new(&running.name).size(theme::CAPTION).color(theme.muted));
        if icon_button(ui, theme::icon::CLOSE, &format!("Cancel: {}", running.name)).clicked() {
            ctx.send(Command::Cancel(std::sync::Arc::clone(running)));
        }
        ui.ctx().request_repaint_after(std::time::Duration::from_millis(100));
    }
}

/// What was noticed while mounting: broken layers, rules that layers break and what the mount warns of,
/// lines of the list that mounted nothing.
fn noticed(ctx: &ViewCtx<'_>) -> Vec<String> {
    let Some(stack) = ctx.session.stack() else { return Vec::new() };
    let of_layers = stack.layers().iter().map(|layer| layer.warnings.len()).sum::<usize>();
    let counts = [
        (stack.broken().count(), "broken layer"),
        (of_layers + stack.warnings().len(), "warning"),
        (stack.bundle_faults().count(), "damaged bundle"),
        (stack.skipped().len(), "skipped line"),
    ];
    counts.into_iter().filter(|(n, _)| *n > 0).map(|(n, what)| count(n as u64, what)).collect()
}

fn keys(ctx: &ViewCtx<'_>) -> &'static str {
    match ctx.session.front() {
        Front::Map => return "← ↑ ↓ → move   ⏎ look inside   ⌫ out   F1 keys",
        Front::Grid => return "← ↑ ↓ → move   ⏎ open   Space look   F1 keys",
        Front::Path => {}
    }
    match ctx.session.active() {
        None if ctx.session.active_comparison().is_some() => {
            "N difference   [ ] left copy   X swap   F1 keys"
        }
        Some(open) if open.answer.copies.len() > 1 => "↑↓ select   ⏎ open   [ ] copies   W why   F1 keys",
        Some(_) => "↑↓ select   ⏎ open   W why   F1 keys",
        None => "↑↓ select   ⏎ open   Ctrl+P go to   F1 keys",
    }
}
