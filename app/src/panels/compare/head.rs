//! The top of a comparison: which copies, how they relate, and which view.

use egui::{Align, Frame, Layout, Margin, RichText, Ui, WidgetInfo, vec2};
use palimpsest_core::diff::Change;

use super::Compared;
use crate::command::{Command, CompareView};
use crate::comparison::fault_words;
use crate::format::size;
use crate::panels::{ViewCtx, icon_button};
use crate::session::OpenComparison;
use crate::theme;
use crate::widgets::card;

/// From this width on the views stand beside the copies.
const WIDE: f32 = 600.0;
/// Room for the views.
const VIEWS: f32 = 220.0;

/// Where a path has one copy only.
pub(super) fn alone_ui(ui: &mut Ui, open: &OpenComparison) {
    let hint = format!("{} alone holds {}.", open.layer(0), open.answer.path);
    card::empty_ui(ui, theme::icon::COMPARE, "Nothing to compare", &hint);
}

/// Which copies, how they relate, and the views that apply, where that is known; the view that was
/// chosen.
pub(super) fn top_ui(
    ui: &mut Ui,
    open: &OpenComparison,
    compared: Option<(Compared<'_>, CompareView)>,
    ctx: &ViewCtx<'_>,
) -> Option<CompareView> {
    let is_wide = ui.available_width() >= WIDE;
    let mut chosen = None;
    let margin = Margin { left: 12, right: 12, top: 8, bottom: 6 };
    Frame::new().inner_margin(margin).show(ui, |ui| {
        ui.spacing_mut().item_spacing = vec2(6.0, 6.0);
        ui.horizontal(|ui| {
            // Room for the views, also while they are not known.
            let views = if is_wide { VIEWS } else { 0.0 };
            let width = ((ui.available_width() - views - 84.0) / 2.0).clamp(80.0, 260.0);
            chooser_ui(ui, open, 0, width, ctx);
            if icon_button(ui, theme::icon::SWAP, "Swap the sides (X)").clicked() {
                ctx.send(Command::SwapSides(open.id));
            }
            chooser_ui(ui, open, 1, width, ctx);
            if let Some((compared, shown)) = compared.filter(|_| is_wide) {
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                    chosen = views_ui(ui, compared.views().into_iter().rev(), shown);
                });
            }
        });
        let Some((compared, shown)) = compared else { return };
        relation_ui(ui, compared, ctx);
        if !is_wide {
            ui.horizontal(|ui| chosen = views_ui(ui, compared.views().into_iter(), shown));
        }
    });
    ui.painter().hline(ui.max_rect().x_range(), ui.cursor().top(), ctx.theme.line());
    chosen
}

fn chooser_ui(ui: &mut Ui, open: &OpenComparison, side: usize, width: f32, ctx: &ViewCtx<'_>) {
    let theme = ctx.theme;
    let (change, name) =
        if side == 0 { (Change::Removed, "Left copy") } else { (Change::Added, "Right copy") };
    let sign = RichText::new(change.sign()).font(theme::semibold(theme::BODY)).color(theme.change(change));
    ui.label(sign);
    let Some(shown) = open.sides.get(side).map(|side| side.copy) else { return };
    let colour = |copy: usize| if Some(copy) == open.answer.winner { theme.accent } else { theme.text };
    let chooser = egui::ComboBox::from_id_salt(("side", side))
        .selected_text(RichText::new(open.layer(shown)).size(theme::DENSE).color(colour(shown)))
        .width(width)
        .truncate()
        .show_ui(ui, |ui| {
            for (at, copy) in open.answer.copies.iter().enumerate() {
                let text = RichText::new(open.layer(at)).size(theme::DENSE).color(colour(at));
                let bytes = RichText::new(size(copy.stat.size)).font(theme::mono(theme::CAPTION));
                let item = egui::Button::selectable(at == shown, text)
                    .right_text(bytes.color(theme.muted))
                    .min_size(egui::vec2(width, theme::ROW));
                let item = ui.add(item);
                item.widget_info(|| {
                    WidgetInfo::selected(
                        egui::accesskit::Role::ListBoxOption,
                        true,
                        at == shown,
                        open.layer(at),
                    )
                });
                if item.clicked() {
                    ctx.send(Command::CompareOther(open.id, side, at));
                    ui.close();
                }
            }
        });
    chooser.response.widget_info(|| {
        let mut info = WidgetInfo::labeled(egui::accesskit::Role::ComboBox, true, name);
        info.current_text_value = Some(open.layer(shown));
        info
    });
    let hint = if side == 0 { "The left copy ([ and ] for the layers around it)" } else { "The right copy" };
    chooser.response.on_hover_text(hint);
}

/// How the copies relate, and what of them could not be read.
fn relation_ui(ui: &mut Ui, compared: Compared<'_>, ctx: &ViewCtx<'_>) {
    let theme = ctx.theme;
    let line = |ui: &mut Ui, mark: RichText, words: String| {
        ui.horizontal_top(|ui| {
            ui.label(mark);
            let text = RichText::new(words).size(theme::DENSE).color(theme.text);
            ui.add(egui::Label::new(text).wrap());
        });
    };
    let is_whole = compared.both().iter().all(|of| of.is_whole());
    let is_same = compared.result.is_same() && is_whole;
    let change = if is_same { Change::Same } else { Change::Changed };
    let sign = RichText::new(change.sign()).font(theme::semibold(theme::DENSE));
    line(ui, sign.color(theme.change(change)), words(compared));
    for fault in compared.both().into_iter().filter_map(fault_words) {
        line(ui, theme::icon::ERROR.rich_text().size(14.0).color(theme.error), fault);
    }
}

/// A button for each view that applies; the one that was chosen.
fn views_ui(
    ui: &mut Ui,
    views: impl Iterator<Item = CompareView>,
    shown: CompareView,
) -> Option<CompareView> {
    ui.spacing_mut().item_spacing.x = 2.0;
    let mut chosen = None;
    for view in views {
        let (name, hint) = name_of(view);
        let is_shown = std::mem::discriminant(&view) == std::mem::discriminant(&shown);
        let button = ui.add(egui::Button::selectable(is_shown, RichText::new(name).size(theme::DENSE)));
        if button.on_hover_text(hint).clicked() {
            chosen = Some(view);
        }
    }
    chosen
}

fn words(compared: Compared<'_>) -> String {
    if compared.open.is_one_copy() {
        return "The same copy on both sides".to_owned();
    }
    compared.result.words(compared.left, compared.right)
}

fn name_of(view: CompareView) -> (&'static str, &'static str) {
    match view {
        CompareView::Picture(_) => ("Picture", "Pixel by pixel"),
        CompareView::Text => ("Text", "Line by line"),
        CompareView::Members => ("Members", "Path by path"),
        CompareView::Structure => ("Structure", "Field by field, with the bytes below"),
        CompareView::Bytes => ("Bytes", "Byte by byte"),
    }
}
