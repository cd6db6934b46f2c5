//! How often values occur in a picture, with the values that are shown black and white.

use egui::epaint::{Mesh, Vertex, WHITE_UV};
use egui::{Color32, Rect, RichText, Sense, Shape, Stroke, Ui, WidgetInfo, pos2, vec2};
use palimpsest_core::codec::pixels::{Channel, Histogram, PARTS};

use crate::command::{Command, PictureCommand};
use crate::format::{count, number};
use crate::jobs::Load;
use crate::panels::ViewCtx;
use crate::session::OpenDocument;
use crate::theme::{self, Theme};

const WIDTH: f32 = 310.0;
const HEIGHT: f32 = 72.0;

/// How near the pointer is to the edge of the range that it takes hold of, in points.
const NEAR: f32 = 24.0;

/// Draws the counts of a level, and lets the range be taken hold of.
pub(super) fn ui(
    ui: &mut Ui,
    open: &OpenDocument,
    (level, channels): (u32, [bool; 4]),
    (range, exposure): (&mut [f32; 2], f32),
    ctx: &ViewCtx<'_>,
) {
    let counted = match &open.picture.histogram {
        Some((of, counted)) if *of == level => Some(counted),
        _ => {
            ctx.send(Command::Picture(open.id, PictureCommand::CountValues(level)));
            None
        }
    };
    let is_single = open.shown_texture().is_some_and(|texture| texture.format.is_single_channel());
    let channels = if is_single { [true, false, false, false] } else { channels };
    let (place, response) = ui.allocate_exact_size(vec2(WIDTH, HEIGHT), Sense::click_and_drag());
    ui.painter().rect_filled(place, 2.0, ctx.theme.canvas);
    let histogram = match counted {
        Some(Load::Ready(histogram)) => histogram,
        Some(Load::Failed(error)) => {
            return words(ui, place, &format!("Not counted: {error}"), ctx.theme);
        }
        _ => return words(ui, place, "Counting values…", ctx.theme),
    };
    response.widget_info(|| {
        let name = format!("Histogram: {}", spread(histogram, channels));
        WidgetInfo::labeled(egui::accesskit::Role::Image, true, name)
    });
    let peak = peak(histogram, channels);
    for (at, channel) in histogram.channels.iter().enumerate() {
        if channels.get(at).copied().unwrap_or(false) {
            let colour = if is_single { ctx.theme.muted } else { colour(at, ctx.theme) };
            ui.painter().add(bars(place, channel, peak, colour));
        }
    }
    let [black, white] = *range;
    let white = black + (white - black) / exposure.exp2();
    for value in [black, white] {
        let x = place_of(histogram, value, place);
        ui.painter().vline(x, place.y_range(), Stroke::new(1.0, ctx.theme.accent));
    }
    if let Some(at) = response.interact_pointer_pos().filter(|_| response.dragged()) {
        let value = value_at(histogram, at.x, place);
        // The pointer may be far already when it is known to drag.
        let from = ui.input(|input| input.pointer.press_origin()).unwrap_or(at);
        let edges = [black, white].map(|edge| (place_of(histogram, edge, place) - from.x).abs());
        drag(ui, &response, edges, |edge| match edge {
            0 => range[0] = value.min(range[1] - f32::EPSILON),
            // The exposure stays: white is moved so that what is shown white is here.
            _ => range[1] = black + (value - black).max(f32::EPSILON) * exposure.exp2(),
        });
    }
    ui.horizontal(|ui| {
        let text = RichText::new(spread(histogram, channels)).size(theme::CAPTION).color(ctx.theme.muted);
        ui.label(text);
        let hint = "Black and white at the least and the largest value of the channels that are shown";
        let fitted = limits(histogram, channels).filter(|[least, most]| least < most);
        let button = egui::Button::new(RichText::new("fit").size(theme::CAPTION));
        if ui.add_enabled(fitted.is_some(), button).on_hover_text(hint).clicked()
            && let Some([least, most]) = fitted
        {
            *range = [least, least + (most - least) * exposure.exp2()];
        }
    });
    response.on_hover_ui_at_pointer(|ui| {
        let Some(at) = ui.ctx().pointer_hover_pos() else { return };
        let part = histogram.part(value_at(histogram, at.x, place));
        ui.label(RichText::new(told(histogram, part, channels)).font(theme::mono(theme::CAPTION)));
    });
}

/// Which edge of the range a drag moves: the nearer one where it began.
fn drag(ui: &Ui, response: &egui::Response, [black, white]: [f32; 2], mut set: impl FnMut(usize)) {
    let id = response.id.with("edge");
    if response.drag_started() {
        let nearest = usize::from(white < black);
        let is_near = black.min(white) <= NEAR;
        ui.data_mut(|data| data.insert_temp(id, is_near.then_some(nearest)));
    }
    if let Some(edge) = ui.data(|data| data.get_temp::<Option<usize>>(id)).flatten() {
        set(edge);
    }
}

fn words(ui: &Ui, place: Rect, text: &str, theme: &Theme) {
    let font = theme::sans(theme::CAPTION);
    ui.painter().text(place.center(), egui::Align2::CENTER_CENTER, text, font, theme.muted);
}

/// Shown channels, by position.
fn shown(histogram: &Histogram, channels: [bool; 4]) -> impl Iterator<Item = (usize, &Channel)> {
    histogram.channels.iter().enumerate().filter(move |(at, _)| channels.get(*at) == Some(&true))
}

/// The count that fills the height. Black and white alone may hold most of a picture: they do not count where there
/// is anything between them.
fn peak(histogram: &Histogram, channels: [bool; 4]) -> u64 {
    let most = |inner: bool| {
        let of = |channel: &Channel| {
            let counts = if inner { &channel.counts[1..PARTS - 1] } else { &channel.counts[..] };
            counts.iter().copied().max().unwrap_or(0)
        };
        shown(histogram, channels).map(|(_, channel)| of(channel)).max().unwrap_or(0)
    };
    Some(most(true)).filter(|most| *most > 0).unwrap_or_else(|| most(false)).max(1)
}

/// The least and the largest value of the shown channels.
fn limits(histogram: &Histogram, channels: [bool; 4]) -> Option<[f32; 2]> {
    let start = [f32::INFINITY, f32::NEG_INFINITY];
    let limits = shown(histogram, channels)
        .fold(start, |[least, most], (_, channel)| [least.min(channel.least), most.max(channel.most)]);
    let [least, most] = limits;
    (least <= most).then_some(limits)
}

/// The limits in words, and how many values are none.
fn spread(histogram: &Histogram, channels: [bool; 4]) -> String {
    let odd = shown(histogram, channels).map(|(_, channel)| channel.odd).sum::<u64>();
    let limits =
        limits(histogram, channels).map(|[least, most]| format!("{} to {}", text(least), text(most)));
    let odd = (odd > 0).then(|| format!("{} infinite or not a number", count(odd, "value")));
    let told: Vec<_> = limits.into_iter().chain(odd).collect();
    if told.is_empty() { "no value is shown".to_owned() } else { told.join(", ") }
}

/// How many pixels have a value.
fn told(histogram: &Histogram, part: usize, channels: [bool; 4]) -> String {
    const NAMES: [&str; 4] = ["R", "G", "B", "A"];
    let mut lines = vec![text(histogram.value(part))];
    for (at, channel) in shown(histogram, channels) {
        let name = NAMES.get(at).copied().unwrap_or_default();
        let pixels = channel.counts.get(part).copied().unwrap_or(0);
        lines.push(format!("{name}  {} px", number(pixels)));
    }
    lines.join("\n")
}

/// Four figures that count.
fn text(value: f32) -> String {
    if value == 0.0 || (0.001..10_000.0).contains(&value.abs()) {
        let text = format!("{value:.4}");
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        format!("{value:.3e}")
    }
}

fn colour(channel: usize, theme: &Theme) -> Color32 {
    let strong = if theme.is_dark { 0xE0 } else { 0xC8 };
    match channel {
        0 => Color32::from_rgb(strong, 0x48, 0x48),
        1 => Color32::from_rgb(0x3C, strong - 0x20, 0x50),
        2 => Color32::from_rgb(0x4C, 0x78, strong),
        _ => theme.muted,
    }
}

/// The counts of a channel, a bar for each part; heights grow as square roots, so that rare values are seen.
fn bars(place: Rect, channel: &Channel, peak: u64, colour: Color32) -> Shape {
    let colour = colour.gamma_multiply(0.55);
    let mut mesh = Mesh::default();
    let step = place.width() / PARTS as f32;
    for (at, count) in channel.counts.iter().enumerate().filter(|(_, count)| **count > 0) {
        let height = ((*count as f32 / peak as f32).sqrt().min(1.0) * place.height()).max(1.0);
        let left = place.left() + at as f32 * step;
        let bar = Rect::from_min_max(pos2(left, place.bottom() - height), pos2(left + step, place.bottom()));
        let first = u32::try_from(mesh.vertices.len()).unwrap_or(0);
        for pos in [bar.left_top(), bar.right_top(), bar.left_bottom(), bar.right_bottom()] {
            mesh.vertices.push(Vertex { pos, uv: WHITE_UV, color: colour });
        }
        mesh.add_triangle(first, first + 1, first + 2);
        mesh.add_triangle(first + 2, first + 1, first + 3);
    }
    Shape::mesh(mesh)
}

/// Where a value stands, at the edge where it is beyond it.
fn place_of(histogram: &Histogram, value: f32, place: Rect) -> f32 {
    let step = place.width() / PARTS as f32;
    let whole = (value * 0.5 - histogram.low * 0.5) / (histogram.high * 0.5 - histogram.low * 0.5);
    let x = place.left() + step * (whole * (PARTS - 1) as f32 + 0.5);
    if x.is_finite() { x.clamp(place.left(), place.right()) } else { place.left() }
}

/// The value at a place.
fn value_at(histogram: &Histogram, x: f32, place: Rect) -> f32 {
    let step = place.width() / PARTS as f32;
    let whole = (((x - place.left()) / step - 0.5) / (PARTS - 1) as f32).clamp(0.0, 1.0);
    histogram.low * (1.0 - whole) + histogram.high * whole
}

#[cfg(test)]
mod tests {
    use palimpsest_core::asset::PixelFormat;
    use palimpsest_core::task::Task;

    use super::*;

    const ALL: [bool; 4] = [true; 4];
    const RED: [bool; 4] = [true, false, false, false];

    fn counted(format: PixelFormat, width: u32, data: &[u8]) -> Histogram {
        Histogram::of(format, width, 1, data, &Task::new()).unwrap()
    }

    #[test]
    fn places_and_values_are_each_others_reverse() {
        let histogram = counted(PixelFormat::R32Float, 1, &9f32.to_le_bytes());
        let place = Rect::from_min_size(pos2(10.0, 0.0), vec2(300.0, 72.0));
        for value in [0.0, 1.0, 4.5, 9.0] {
            let x = place_of(&histogram, value, place);
            assert!((value_at(&histogram, x, place) - value).abs() < 1e-3);
        }
        assert_eq!(place_of(&histogram, 1e30, place), place.right());
        assert_eq!(place_of(&histogram, f32::NAN, place), place.left());
    }

    #[test]
    fn what_is_shown_is_told_in_words() {
        let histogram = counted(PixelFormat::R8Unorm, 4, &[0, 51, 51, 255]);
        assert_eq!(spread(&histogram, RED), "0 to 1");
        assert_eq!(told(&histogram, 51, RED), "0.2\nR  2 px");
        assert_eq!((peak(&histogram, RED), peak(&histogram, ALL)), (2, 2));
        assert_eq!(spread(&histogram, [false; 4]), "no value is shown");
        let data: Vec<u8> = [f32::NAN, 2e6].iter().flat_map(|value| value.to_le_bytes()).collect();
        let odd = counted(PixelFormat::R32Float, 2, &data);
        assert_eq!(spread(&odd, RED), "2.000e6 to 2.000e6, 1 value infinite or not a number");
    }
}
