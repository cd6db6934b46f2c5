//! The keys of the map.

use egui::{EventFilter, Key, Rect, Ui, Vec2, vec2};
use palimpsest_core::mount::{Part, Stack};

use super::level::Level;
use super::{Ask, focus_id};
use crate::panels::browser;
use crate::widgets::keys::takes;

/// Keeps the keys that would move the keyboard to another widget.
pub(super) fn keep(ui: &Ui) {
    let filter = EventFilter { vertical_arrows: true, horizontal_arrows: true, escape: true, tab: false };
    ui.memory_mut(|memory| memory.set_focus_lock_filter(focus_id(), filter));
}

/// Moves between rectangles, in and out.
pub(super) fn keys(ui: &Ui, level: &Level, chosen: &mut Option<usize>, stack: &Stack) -> Option<Ask> {
    for (key, to) in [
        (Key::ArrowLeft, vec2(-1.0, 0.0)),
        (Key::ArrowRight, vec2(1.0, 0.0)),
        (Key::ArrowUp, vec2(0.0, -1.0)),
        (Key::ArrowDown, vec2(0.0, 1.0)),
    ] {
        if takes(ui, key) {
            let rects: Vec<_> = level.tiles.iter().map(|tile| tile.rect).collect();
            *chosen = chosen.and_then(|at| neighbour(&rects, at, to).or(Some(at))).or(Some(0));
        }
    }
    let part = chosen.and_then(|at| level.tiles.get(at)?.part);
    if takes(ui, Key::Enter)
        && let Some(part) = part
    {
        return Some(match level.place.into(part) {
            Some(place) => Ask::Zoom(place),
            None => Ask::Go(part),
        });
    }
    if takes(ui, Key::Space)
        && let Some(part @ (Part::Folder(_) | Part::File(..))) = part
    {
        return Some(Ask::Go(part));
    }
    let escapes = takes(ui, Key::Escape);
    if takes(ui, Key::Backspace) || escapes {
        let around = level.place.around(stack);
        if around.is_none() && escapes {
            ui.memory_mut(|memory| memory.request_focus(browser::list_id()));
        }
        return around.map(Ask::Zoom);
    }
    None
}

/// The rectangle that lies next in a direction: near along it, and not far to its side.
fn neighbour(rects: &[Rect], at: usize, to: Vec2) -> Option<usize> {
    let from = rects.get(at)?;
    let cost = |rect: &Rect| {
        let between = (rect.min - from.max).max(from.min - rect.max);
        let ahead = to.x * (rect.center().x - from.center().x) + to.y * (rect.center().y - from.center().y);
        let (gap, own, other) = if to.x == 0.0 {
            (between.y, from.x_range(), rect.x_range())
        } else {
            (between.x, from.y_range(), rect.y_range())
        };
        // Those that lie beside each other on the way are near, however large they are.
        let is_beside = own.min < other.max && other.min < own.max;
        let aside = (own.center() - other.center()).abs() * if is_beside { 0.2 } else { 4.0 };
        (ahead > 0.0 && gap > -1.0).then_some(gap + aside)
    };
    let costs = rects.iter().enumerate().filter_map(|(at, rect)| Some((at, cost(rect)?)));
    costs.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(at, _)| at)
}

#[cfg(test)]
mod tests {
    use egui::pos2;

    use super::*;

    #[test]
    fn arrows_lead_to_the_rectangle_beside() {
        let rect = |x: f32, y: f32, w: f32, h: f32| Rect::from_min_size(pos2(x, y), vec2(w, h));
        let rects = [
            rect(0.0, 0.0, 60.0, 100.0),
            rect(60.0, 0.0, 40.0, 50.0),
            rect(60.0, 50.0, 20.0, 50.0),
            rect(80.0, 50.0, 20.0, 50.0),
        ];
        assert_eq!(neighbour(&rects, 0, vec2(1.0, 0.0)), Some(1));
        assert_eq!(neighbour(&rects, 1, vec2(0.0, 1.0)), Some(2));
        assert_eq!(neighbour(&rects, 2, vec2(1.0, 0.0)), Some(3));
        assert_eq!(neighbour(&rects, 3, vec2(-1.0, 0.0)), Some(2));
        assert_eq!(neighbour(&rects, 0, vec2(-1.0, 0.0)), None);
    }
}
