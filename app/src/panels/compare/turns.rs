//! Which of two pictures is shown, by hand or by the clock.

use std::time::Duration;

use egui::{RichText, Ui};

use crate::theme;

/// Seconds that each picture is shown for.
const PACES: [(f64, &str); 3] = [(0.5, "0.5 s"), (1.0, "1 s"), (2.0, "2 s")];

/// Whose turn it is.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Turns {
    /// The side that is shown, 0 for the left one.
    side: usize,
    /// Seconds for each picture, and when this began; `None` while turns are taken by hand.
    clock: Option<(f64, f64)>,
}

impl Turns {
    /// Shows the other side, and stops the clock.
    pub(super) fn next(&mut self) {
        self.side = 1 - self.side.min(1);
        self.clock = None;
    }

    /// The side whose turn it is.
    pub(super) fn side(&self, ui: &Ui) -> usize {
        let Some((pace, began)) = self.clock else { return self.side };
        let (turn, left) = turn(pace, ui.input(|input| input.time) - began);
        ui.ctx().request_repaint_after(left);
        if turn.is_multiple_of(2) { self.side } else { 1 - self.side.min(1) }
    }

    /// The controls, from the right to the left.
    pub(super) fn ui(&mut self, ui: &mut Ui) {
        let now = ui.input(|input| input.time);
        for (pace, name) in PACES.into_iter().rev() {
            let is_chosen = self.clock.is_some_and(|(chosen, _)| (chosen - pace).abs() < 0.01);
            let button = egui::Button::selectable(is_chosen, RichText::new(name).size(theme::DENSE));
            let hint = if is_chosen { "Stops the turns" } else { "Takes turns by the clock" };
            if ui.add(button).on_hover_text(hint).clicked() {
                self.side = self.side(ui);
                self.clock = (!is_chosen).then_some((pace, now));
            }
        }
        let button = ui.button(RichText::new("Other").size(theme::DENSE));
        if button.on_hover_text("Shows the other copy (Space)").clicked() {
            self.side = self.side(ui);
            self.next();
        }
    }
}

/// The number of the turn after some seconds, and how long it goes on.
fn turn(pace: f64, seconds: f64) -> (u64, Duration) {
    let turns = (seconds / pace).max(0.0);
    let left = (1.0 - turns.fract()) * pace;
    (turns as u64, Duration::from_secs_f64(left.max(0.01)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_go_by_the_clock() {
        assert_eq!(turn(0.5, 0.0), (0, Duration::from_millis(500)));
        assert_eq!(turn(0.5, 1.75), (3, Duration::from_millis(250)));
        assert_eq!(turn(2.0, -1.0).0, 0);
    }
}
