//! Rows of one height, as many as a `u64` counts, of which only the visible ones are drawn.
//!
//! egui's own `show_rows` places rows by `f32` points, which breaks from two million rows on. Here
//! the place is the number of the first row, so every row can be reached and scrolling always moves
//! by whole rows.

use egui::{Id, PointerButton, Pos2, Rect, Sense, Ui, pos2, vec2};

use crate::theme::Theme;

/// Where a list is scrolled to.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    /// The first visible row.
    top: u64,
    /// Points that were scrolled and do not make a row yet.
    rest: f32,
    /// A row to bring into view at the next draw.
    reveal: Option<u64>,
    /// How many whole rows were visible at the last draw.
    page: u64,
}

const BAR: f32 = 10.0;
const SHORTEST_THUMB: f32 = 24.0;

impl Rows {
    /// Brings a row into view at the next draw.
    pub fn reveal(&mut self, row: u64) {
        self.reveal = Some(row);
    }

    /// How many whole rows were visible at the last draw, at least one.
    pub fn page(&self) -> u64 {
        self.page.max(1)
    }

    /// Makes a row the first visible one.
    pub fn set_top(&mut self, row: u64) {
        self.top = row;
    }

    /// The first visible row.
    pub fn top(&self) -> u64 {
        self.top
    }

    /// Draws the visible ones of `count` rows into the rest of `ui`. Each call of `row` gets the
    /// row's number and its rectangle.
    pub fn ui(
        &mut self,
        ui: &mut Ui,
        id: Id,
        height: f32,
        count: u64,
        mut row: impl FnMut(&mut Ui, u64, Rect),
    ) -> Rect {
        let area = ui.available_rect_before_wrap();
        ui.advance_cursor_after_rect(area);
        self.page = whole_rows(area.height() / height);
        let last_top = count.saturating_sub(self.page());
        if let Some(wanted) = self.reveal.take() {
            let wanted = wanted.min(count.saturating_sub(1));
            // Two rows around it stay visible, where there is room for them.
            let margin = (self.page() / 4).min(2);
            if wanted < self.top + margin {
                self.top = wanted.saturating_sub(margin);
            } else if wanted + margin >= self.top + self.page() {
                self.top = (wanted + margin + 1).saturating_sub(self.page());
            }
        }
        self.wheel(ui, area, height);
        let has_bar = last_top > 0;
        if has_bar {
            self.bar(ui, id, area, count, last_top);
        }
        self.top = self.top.min(last_top);
        let mut list = area;
        if has_bar {
            list.max.x -= BAR;
        }
        let mut inside = ui.new_child(egui::UiBuilder::new().id_salt(id).max_rect(list));
        inside.set_clip_rect(list.intersect(ui.clip_rect()));
        for at in 0..=self.page {
            let number = self.top + at;
            if number >= count {
                break;
            }
            let min = pos2(list.left(), list.top() + at as f32 * height);
            row(&mut inside, number, Rect::from_min_size(min, vec2(list.width(), height)));
        }
        list
    }

    fn wheel(&mut self, ui: &Ui, area: Rect, height: f32) {
        if !ui.rect_contains_pointer(area) {
            return;
        }
        let delta = ui.input(|input| input.smooth_scroll_delta().y);
        self.rest += delta;
        let rows = whole_rows(self.rest.abs() / height);
        if rows > 0 {
            let moved = rows as f32 * height;
            if self.rest > 0.0 {
                self.top = self.top.saturating_sub(rows);
                self.rest -= moved;
            } else {
                self.top = self.top.saturating_add(rows);
                self.rest += moved;
            }
        }
        if delta != 0.0 {
            ui.input_mut(|input| input.smooth_scroll_delta.y = 0.0);
        }
    }

    fn bar(&mut self, ui: &Ui, id: Id, area: Rect, count: u64, last_top: u64) {
        let track = Rect::from_min_max(pos2(area.right() - BAR, area.top()), area.max);
        let response = ui.interact(track, id.with("bar"), Sense::click_and_drag());
        let share = self.page() as f64 / count as f64;
        let length = (track.height() * share as f32).max(SHORTEST_THUMB).min(track.height());
        let room = (track.height() - length).max(1.0);
        if response.is_pointer_button_down_on()
            && ui.input(|input| input.pointer.button_down(PointerButton::Primary))
            && let Some(Pos2 { y, .. }) = response.interact_pointer_pos()
        {
            let part = f64::from(((y - track.top() - length / 2.0) / room).clamp(0.0, 1.0));
            self.top = share_of(last_top, part);
        }
        let part = self.top.min(last_top) as f64 / last_top as f64;
        let top = track.top() + room * part as f32;
        let theme = Theme::of(ui.ctx());
        let thumb = Rect::from_min_size(pos2(track.left() + 2.0, top), vec2(BAR - 4.0, length));
        let is_held = response.hovered() || response.dragged();
        let colour = if is_held { theme.muted } else { theme.muted.gamma_multiply(0.45) };
        ui.painter().rect_filled(thumb, 3.0, colour);
    }
}

/// Whole rows of a number that is small and not negative.
fn whole_rows(rows: f32) -> u64 {
    rows.clamp(0.0, 100_000.0) as u64
}

/// A share of a count; the last row is reached exactly.
fn share_of(count: u64, part: f64) -> u64 {
    if part >= 1.0 { count } else { ((count as f64 * part) as u64).min(count) }
}
