//! The copies of the active tab's path: which wins, why, and how the others differ.

mod pictures;

use std::borrow::Cow;

use egui::{Rect, RichText, Sense, TextureHandle, Ui, WidgetInfo, pos2, vec2};
use palimpsest_core::mount::{Class, CopyAnswer};

use self::pictures::{PICTURE_ROW, Pictures, picture_ui};
use super::{ViewCtx, compare, winner_mark};
use crate::answer::place;
use crate::command::{Command, Overlay};
use crate::files::Files;
use crate::format::{capitalised, number, size};
use crate::jobs::Load;
use crate::session::{DocumentId, OpenDocument};
use crate::theme::{self, Theme};
use crate::widgets::row::{self, Standing, icon_at};
use crate::widgets::rows::Rows;
use crate::widgets::text;
use crate::widgets::{card, menu};

/// Copies of up to this many bytes in all are compared without being asked.
const COMPARED: u64 = 64 << 20;

/// The panel.
#[derive(Debug, Default)]
pub(super) struct LayersPanel {
    rows: Rows,
    pictures: Pictures,
    /// The tab and the copy that were shown last.
    seen: Option<(DocumentId, usize)>,
}

impl LayersPanel {
    pub(super) fn ui(&mut self, ui: &mut Ui, ctx: &ViewCtx<'_>) {
        if let (None, Some(open)) = (ctx.session.active(), ctx.session.active_comparison()) {
            compare::copies_ui(ui, &mut self.rows, open, ctx);
            return;
        }
        let Some(open) = ctx.session.active() else {
            card::empty_ui(ui, theme::icon::LAYERS, "No path", "Open a file to see which layers hold it.");
            return;
        };
        let theme = ctx.theme;
        let count = open.answer.copies.len();
        ask_for_digests(open, ctx);
        let has_pictures = self.pictures.see(open, ctx);
        let pictures = &mut self.pictures;
        let row_height = if has_pictures { PICTURE_ROW } else { theme::ROW };
        egui::Frame::new().inner_margin(egui::Margin { left: 12, right: 12, top: 6, bottom: 4 }).show(
            ui,
            |ui| {
                text::path_line(ui, &open.answer.path, theme::mono(theme::CAPTION), theme.muted);
                let text = if count == 1 {
                    "1 copy".to_owned()
                } else {
                    let is_member = |copy: &CopyAnswer| copy.container.is_some();
                    let order = if open.answer.copies.iter().any(is_member) {
                        "files first, then members of containers"
                    } else {
                        "searched first at the top"
                    };
                    format!("{count} copies, {order}")
                };
                ui.label(RichText::new(text).size(theme::CAPTION).color(theme.muted));
            },
        );
        if self.seen.replace((open.id, open.copy)) != Some((open.id, open.copy)) {
            self.rows.reveal(open.copy as u64);
        }
        let area = ui.available_rect_before_wrap();
        let wanted = count as f32 * row_height;
        let list_height = wanted.min((area.height() - 96.0).max(2.0 * row_height));
        let list = Rect::from_min_size(area.min, vec2(area.width(), list_height));
        let mut inside = ui.new_child(egui::UiBuilder::new().id_salt("layer rows").max_rect(list));
        let id = ui.scope_id().with("layers");
        self.rows.ui(&mut inside, id, row_height, count as u64, |ui, at, rect| {
            let Some((at, copy)) =
                usize::try_from(at).ok().and_then(|at| Some((at, open.answer.copies.get(at)?)))
            else {
                return;
            };
            let picture = if has_pictures { pictures.of(ui, copy.copy, ctx) } else { None };
            copy_ui(ui, rect, open, at, copy, (has_pictures, picture.as_ref()), ctx);
        });
        ui.advance_cursor_after_rect(list);
        why_ui(ui, open, ctx);
    }
}

/// Has the copies compared, where that is quickly done.
fn ask_for_digests(open: &OpenDocument, ctx: &ViewCtx<'_>) {
    let bytes: u64 = open.answer.copies.iter().map(|copy| copy.stat.size).fold(0, u64::saturating_add);
    if open.digests.is_none() && open.answer.copies.len() > 1 && bytes <= COMPARED {
        ctx.send(Command::NeedDigests(open.id));
    }
}

fn copy_ui(
    ui: &Ui,
    rect: Rect,
    open: &OpenDocument,
    at: usize,
    copy: &CopyAnswer,
    (has_pictures, picture): (bool, Option<&TextureHandle>),
    ctx: &ViewCtx<'_>,
) {
    let theme = ctx.theme;
    let name = open.mounted.stack.layer_name(copy.copy);
    let response = ui.interact(rect, ui.scope_id().with(at), Sense::click());
    let is_shown = at == open.copy;
    row::ground(ui, &response, if is_shown { Standing::Focused } else { Standing::Plain });
    let y = rect.center().y;
    let colour = if copy.wins { theme.accent } else { theme.muted };
    if copy.wins {
        let (icon, colour) = winner_mark(&open.answer, theme);
        icon_at(ui, pos2(rect.left() + 18.0, y), icon, 15.0, colour);
    }
    let small = theme::mono(theme::CAPTION);
    let layer = copy.copy.layer.to_string();
    text::right(ui, rect, rect.left() + 48.0, &layer, small.clone(), theme.muted);
    let mut right = rect.right() - 12.0;
    let (sign, hint, sign_colour) = sign(open, at, theme);
    text::right(ui, rect, right, sign, theme::semibold(theme::BODY), sign_colour);
    right -= 20.0;
    // Beside a picture there is room for a second line.
    let (upper, lower) = if has_pictures {
        rect.shrink2(vec2(0.0, 2.0)).split_top_bottom_at_fraction(0.5)
    } else {
        (rect, rect)
    };
    if !has_pictures {
        right = text::right(ui, rect, right, &size(copy.stat.size), small.clone(), theme.muted).left() - 8.0;
    }
    if !copy.engine_finds {
        icon_at(ui, pos2(right, y), theme::icon::WARNING, 14.0, theme.warning);
        right -= 14.0;
    }
    let left = rect.left() + if has_pictures { 56.0 + PICTURE_ROW } else { 56.0 };
    if let Some(picture) = picture {
        let at = pos2(rect.left() + 54.0 + PICTURE_ROW / 2.0, y);
        picture_ui(ui, Rect::from_center_size(at, egui::Vec2::splat(PICTURE_ROW - 4.0)), picture);
    }
    let drawn = text::left(ui, upper, left, right, name, theme::sans(theme::DENSE), colour);
    let mut from = drawn.right() + 6.0;
    if has_pictures {
        from = text::left(ui, lower, left, right, &size(copy.stat.size), small, theme.muted).right() + 8.0;
    }
    if let Some(container) = &copy.container {
        let words = format!("in {}", container.rsplit('\\').next().unwrap_or_default());
        text::left(ui, lower, from, right, &words, theme::sans(theme::CAPTION), theme.muted);
    }
    response.widget_info(|| WidgetInfo::selected(egui::accesskit::Role::Row, true, is_shown, name));
    if response.clicked() {
        ctx.send(Command::ShowCopy(open.id, at));
    }
    response.context_menu(|ui| {
        let versus = match open.answer.winner {
            winner if winner.unwrap_or(0) == at => "Compare with the copy below",
            Some(_) => "Compare with the winner",
            None => "Compare with the first copy",
        };
        for (name, command) in [
            ("Show this copy", Command::ShowCopy(open.id, at)),
            (versus, compare::compare(open.entry, at, open.answer.winner)),
            ("Extract this copy…", Command::PickExtractFolder(Files::Copy(copy.copy))),
            ("Copy path", Command::CopyText(copy.path.clone())),
        ] {
            if menu::item(ui, name, "", true) {
                ctx.send(command);
            }
        }
    });
    response.on_hover_ui(|ui| hover_ui(ui, copy, &hint, theme));
}

fn hover_ui(ui: &mut Ui, copy: &CopyAnswer, hint: &str, theme: &Theme) {
    let line = |text: String| RichText::new(text).font(theme::mono(theme::CAPTION));
    ui.label(RichText::new(format!("{}.", capitalised(&copy.why))).size(theme::DENSE).color(theme.text));
    let sizes = format!("{} bytes, {} stored", number(copy.stat.size), number(copy.stat.stored));
    ui.label(line(format!("{}  {sizes}", place(copy))).color(theme.muted));
    ui.label(line(copy.path.clone()).color(theme.muted));
    if let Some(fits) = copy.fits {
        let text =
            if fits { "A manifest declares this size." } else { "No manifest that wins declares this size." };
        ui.label(RichText::new(text).size(theme::CAPTION).color(theme.muted));
    }
    if !hint.is_empty() {
        ui.label(RichText::new(hint).size(theme::CAPTION).color(theme.muted));
    }
}

/// The sign of how a copy relates to the winner, what it means, and its colour.
fn sign(open: &OpenDocument, at: usize, theme: &Theme) -> (&'static str, Cow<'static, str>, egui::Color32) {
    let digest = match &open.digests {
        Some(Load::Ready(digests)) => digests.get(at),
        Some(Load::Pending(_)) => return ("…", "being compared with the winner".into(), theme.muted),
        _ => None,
    };
    let (sign, hint, colour) = match digest.map(|digest| digest.class) {
        Some(Class::Levels { same, of }) => {
            let text = if same == of {
                "the pixels of the winner, under another header".to_owned()
            } else {
                format!("{same} of {of} levels have the pixels of the winner, the others differ")
            };
            return ("≈", text.into(), theme.removed);
        }
        Some(Class::Winner) | None => ("", "", theme.muted),
        Some(Class::Identical) => ("=", "the same bytes as the winner, stored the same way", theme.muted),
        Some(Class::Repacked) => ("=", "the same bytes as the winner, packed differently", theme.added),
        Some(Class::Different) => ("≠", "other bytes than the winner", theme.removed),
        Some(Class::Unreadable) => ("!", "it or the winner cannot be read", theme.error),
    };
    (sign, hint.into(), colour)
}

fn why_ui(ui: &mut Ui, open: &OpenDocument, ctx: &ViewCtx<'_>) {
    let theme = ctx.theme;
    egui::Frame::new().inner_margin(egui::Margin { left: 12, right: 12, top: 8, bottom: 8 }).show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.label(RichText::new(&open.answer.rule).size(theme::DENSE).color(theme.text));
        if let Some(unproven) = &open.answer.unproven {
            ui.label(RichText::new(unproven).size(theme::DENSE).color(theme.warning));
        }
        // About the winner the rule has said everything.
        if let Some(copy) = open.answer.copies.get(open.copy).filter(|copy| !copy.wins) {
            ui.label(
                RichText::new(format!("{}.", capitalised(&copy.why))).size(theme::DENSE).color(theme.muted),
            );
        }
        ui.horizontal(|ui| {
            if ui.button("Why?").on_hover_text("The whole answer, to be copied (W)").clicked() {
                ctx.send(Command::Show(Overlay::Why, true));
            }
            if open.digests.is_none() && open.answer.copies.len() > 1 {
                let hint = "Reads every copy and says which are the same";
                if ui.button("Compare the copies").on_hover_text(hint).clicked() {
                    ctx.send(Command::NeedDigests(open.id));
                }
            }
            if let Some(Load::Failed(error)) = &open.digests
                && !error.is_cancelled()
            {
                ui.label(RichText::new(error.to_string()).size(theme::CAPTION).color(theme.error));
            }
        });
    });
}
