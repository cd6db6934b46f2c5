//! What lists do with keys, alike everywhere.

use egui::{Event, EventFilter, Id, Key, Modifiers, Ui};

/// Whether a key was pressed, alone or with Shift; nobody else gets it then.
pub fn takes(ui: &Ui, key: Key) -> bool {
    // egui takes Alt with a key for the key alone, and Alt+← is the way back.
    ui.input_mut(|input| !input.modifiers.alt && input.consume_key(Modifiers::NONE, key))
}

/// Whether something is to be copied; nobody else copies then.
pub fn takes_copy(ui: &Ui) -> bool {
    ui.input_mut(|input| {
        let before = input.events.len();
        input.events.retain(|event| *event != Event::Copy);
        input.events.len() < before
    })
}

/// Keeps the arrow keys in a list that has the keyboard; they would move to another widget.
pub fn keep_arrows(ui: &Ui, list: Id) {
    let filter = EventFilter { vertical_arrows: true, horizontal_arrows: true, ..EventFilter::default() };
    ui.memory_mut(|memory| memory.set_focus_lock_filter(list, filter));
}

/// The row that the keys lead to, from row `at` of a list whose last row is `last`.
pub fn target(ui: &Ui, at: Option<u64>, last: u64, page: u64) -> Option<u64> {
    let steps = [
        (Key::ArrowDown, at.map_or(0, |at| at.saturating_add(1))),
        (Key::ArrowUp, at.map_or(0, |at| at.saturating_sub(1))),
        (Key::PageDown, at.map_or(0, |at| at.saturating_add(page))),
        (Key::PageUp, at.map_or(0, |at| at.saturating_sub(page))),
        (Key::Home, 0),
        (Key::End, last),
    ];
    steps.into_iter().find(|(key, _)| takes(ui, *key)).map(|(_, to)| to.min(last))
}
