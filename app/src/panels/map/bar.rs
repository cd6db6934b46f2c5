//! What stands above the map: the way back, what it divides, and the legend.

use egui::{Align, Layout, Margin, RichText, Sense, Stroke, StrokeKind, Ui, WidgetInfo, vec2};

use super::class::Class;
use super::level::Level;
use super::zoom::{By, Place, Zoom};
use super::{Ask, draw, hover};
use crate::command::Command;
use crate::format::{number, percent, size};
use crate::jobs::Load;
use crate::panels::{ViewCtx, icon_button};
use crate::shadow::{MapCommand, Mapped};
use crate::theme::{self, icon};

/// The places around the one that is shown, and what the map divides.
pub(super) fn crumbs_ui(
    ui: &mut Ui,
    zoom: &mut Zoom,
    place: Place,
    mapped: &Mapped,
    level: Option<&Level>,
    ctx: &ViewCtx<'_>,
) -> Option<Ask> {
    let stack = &mapped.mounted.stack;
    let mut ask = None;
    egui::Frame::new().inner_margin(Margin { left: 8, right: 8, top: 6, bottom: 2 }).show(ui, |ui| {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 2.0;
            let around = place.around(stack);
            let up = ui.add_enabled_ui(around.is_some(), |ui| icon_button(ui, icon::UP, "Out (Backspace)"));
            if up.inner.clicked() {
                ask = around.map(Ask::Zoom);
            }
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                ui.spacing_mut().item_spacing.x = 2.0;
                if icon_button(ui, icon::COPY, "Copy this level as a table (Ctrl+C)").clicked() {
                    ctx.commands
                        .send_some(level.map(|level| Command::CopyText(hover::to_text(level, mapped))));
                }
                for (by, name, hint) in [
                    (By::Folder, "By folder", "The bytes that win, by folder of the merged tree"),
                    (By::Layer, "By layer", "All stored bytes, by layer and its folders"),
                ] {
                    let text = RichText::new(name).size(theme::CAPTION);
                    let button = egui::Button::selectable(zoom.by == by, text);
                    if ui.add(button).on_hover_text(hint).clicked() && zoom.by != by {
                        *zoom = Zoom::all(by);
                    }
                }
                ui.add_space(8.0);
                ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                    ui.set_clip_rect(ui.max_rect().intersect(ui.clip_rect()));
                    path_ui(ui, place, mapped, &mut ask);
                });
            });
        });
    });
    ask
}

fn path_ui(ui: &mut Ui, place: Place, mapped: &Mapped, ask: &mut Option<Ask>) {
    let stack = &mapped.mounted.stack;
    let mut places: Vec<_> = std::iter::successors(Some(place), |place| place.around(stack)).collect();
    places.reverse();
    let theme = theme::Theme::of(ui.ctx());
    let last = places.len() - 1;
    for (at, step) in places.into_iter().enumerate() {
        if at > 0 {
            ui.label(icon::CLOSED.rich_text().size(14.0).color(theme.muted));
        }
        let name = step.name(stack);
        if at == last {
            ui.label(RichText::new(name).font(theme::semibold(theme::DENSE)).color(theme.text));
            continue;
        }
        let text = RichText::new(name).size(theme::DENSE).color(theme.muted);
        if ui.add(egui::Button::new(text).frame_when_inactive(false)).clicked() {
            *ask = Some(Ask::Zoom(step));
        }
    }
}

/// What the colours mean, with the bytes of the whole stack; a click looks for one of them.
pub(super) fn legend_ui(ui: &mut Ui, only: &mut Option<Class>, by: By, mapped: &Mapped, ctx: &ViewCtx<'_>) {
    let map = &mapped.map;
    let total = map.total();
    egui::Frame::new().inner_margin(Margin { left: 10, right: 10, top: 0, bottom: 6 }).show(ui, |ui| {
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing = vec2(6.0, 2.0);
            for class in [Class::Wins, Class::Shadowed, Class::Identical, Class::Unlisted] {
                let is_known = match class {
                    Class::Wins => true,
                    Class::Shadowed => by == By::Layer,
                    Class::Identical => by == By::Layer && map.knows_twins(),
                    Class::Unlisted => map.has_index(),
                };
                if !is_known {
                    // What nothing is drawn of is not looked for either.
                    only.take_if(|only| *only == class);
                    continue;
                }
                let bytes = class.of(&total);
                let share = format!("{} %", percent(bytes, total.stored()));
                let response = entry_ui(ui, class, &size(bytes), &share, *only == Some(class), ctx.theme);
                if response.clicked() {
                    *only = (*only != Some(class)).then_some(class);
                }
                response.on_hover_ui(|ui| {
                    ui.label(RichText::new(class.hint()).size(theme::DENSE).color(ctx.theme.text));
                    let exact =
                        format!("{} bytes in the whole stack. A click highlights them.", number(bytes));
                    ui.label(RichText::new(exact).size(theme::CAPTION).color(ctx.theme.muted));
                });
            }
            if by == By::Layer {
                compare_ui(ui, mapped, ctx);
            }
        });
    });
}

/// An entry of the legend: its colour, its name and its bytes.
fn entry_ui(
    ui: &mut Ui,
    class: Class,
    bytes: &str,
    share: &str,
    is_on: bool,
    theme: &theme::Theme,
) -> egui::Response {
    let line = |text: &str, font, colour| ui.painter().layout_no_wrap(text.to_owned(), font, colour);
    let texts = [
        line(class.name(), theme::sans(theme::DENSE), theme.text),
        line(bytes, theme::mono(theme::CAPTION), theme.text),
        line(share, theme::mono(theme::CAPTION), theme.muted),
    ];
    let width = 30.0 + texts.iter().map(|text| text.size().x + 8.0).sum::<f32>();
    let (rect, response) = ui.allocate_exact_size(vec2(width, theme::ROW), Sense::click());
    response.widget_info(|| WidgetInfo::selected(egui::accesskit::Role::Button, true, is_on, class.name()));
    if is_on || response.hovered() {
        ui.painter().rect_filled(rect, 4.0, if is_on { theme.selection } else { theme.raised });
    }
    let swatch = egui::Rect::from_center_size(rect.left_center() + vec2(14.0, 0.0), vec2(12.0, 12.0));
    match class {
        Class::Unlisted => draw::hatch(ui, swatch, class.colour(theme), theme.hovered),
        _ => drop(ui.painter().rect_filled(swatch, 0.0, class.colour(theme))),
    }
    ui.painter().rect_stroke(swatch, 0.0, Stroke::new(1.0, theme.hairline), StrokeKind::Outside);
    let mut x = swatch.right() + 8.0;
    for text in texts {
        let at = egui::pos2(x, rect.center().y - text.size().y / 2.0);
        x += text.size().x + 8.0;
        ui.painter().galley(at.round(), text, theme.text);
    }
    response
}

/// The way to find out which shadowed copies are the same bytes.
fn compare_ui(ui: &mut Ui, mapped: &Mapped, ctx: &ViewCtx<'_>) {
    let theme = ctx.theme;
    let bytes = mapped.map.comparable();
    let Some(tab) = &ctx.session.map else { return };
    if mapped.map.knows_twins() || bytes == 0 {
        return;
    }
    match &tab.twins {
        Some(Load::Pending(job)) => {
            let (done, total) = job.task().progress();
            let bar = egui::ProgressBar::new(done as f32 / total.max(1) as f32);
            ui.add(bar.desired_width(72.0).desired_height(6.0));
            let text = format!("comparing {} of {}", size(done), size(total));
            ui.label(RichText::new(text).size(theme::CAPTION).color(theme.muted));
            if icon_button(ui, icon::CLOSE, "Stop comparing").clicked() {
                job.task().cancel();
            }
        }
        Some(Load::Ready(_)) => {}
        Some(Load::Failed(_)) | None => {
            let text = RichText::new("Find identical copies").size(theme::CAPTION);
            let hint = format!("Reads {} of shadowed copies that have the size of the winner", size(bytes));
            if ui.button(text).on_hover_text(hint).clicked() {
                ctx.send(Command::Map(MapCommand::Compare));
            }
        }
    }
}
