//! What lists do with keys, alike everywhere.

use egui::{Event, EventFilter, Id, Key, Modifiers, Ui};

/// Takes a key that was pressed, alone or with Shift, and says what was held with it; nobody else gets
/// it then.
///
/// What was held is asked of the key itself: at the end of a slow frame Shift may be up again.
pub fn taken(ui: &Ui, key: Key) -> Option<Modifiers> {
    taken_if(ui, |pressed, _| pressed == key)
}

/// The same for a digit, which with Shift is another character on most keyboards: its place counts too.
pub fn taken_digit(ui: &Ui, digit: Key) -> Option<Modifiers> {
    taken_if(ui, |pressed, place| pressed == digit || place == Some(digit))
}

fn taken_if(ui: &Ui, is_meant: impl Fn(Key, Option<Key>) -> bool) -> Option<Modifiers> {
    take(ui, is_meant).last().map(|(_, held)| *held)
}

/// Takes all presses of some keys in their order, alone or with Shift, with what was held.
fn take(ui: &Ui, is_meant: impl Fn(Key, Option<Key>) -> bool) -> Vec<(Key, Modifiers)> {
    let mut taken = Vec::new();
    if is_menu_open(ui) {
        return taken;
    }
    ui.input_mut(|input| {
        input.events.retain(|event| match event {
            Event::Key { key, physical_key, pressed: true, modifiers, .. }
                if is_meant(*key, *physical_key)
                    && !modifiers.alt
                    && !modifiers.command
                    && !modifiers.ctrl =>
            {
                taken.push((*key, *modifiers));
                false
            }
            _ => true,
        });
    });
    taken
}

/// Whether a menu is open, which has the keys then.
fn is_menu_open(ui: &Ui) -> bool {
    egui::Popup::is_any_open(ui.ctx())
}

/// Whether a key was pressed, alone or with Shift; nobody else gets it then.
pub fn takes(ui: &Ui, key: Key) -> bool {
    taken(ui, key).is_some()
}

/// Whether Shift was held when the pointer was pressed or let go in this frame.
pub fn shift_at_pointer(ui: &Ui) -> bool {
    ui.input(|input| {
        let held = input.events.iter().rev().find_map(|event| match event {
            Event::PointerButton { modifiers, .. } => Some(*modifiers),
            _ => None,
        });
        held.unwrap_or(input.modifiers).shift
    })
}

/// Whether something is to be copied; nobody else copies then.
pub fn takes_copy(ui: &Ui) -> bool {
    ui.input_mut(|input| {
        let before = input.events.len();
        input.events.retain(|event| *event != Event::Copy);
        input.events.len() < before
    })
}

/// Keeps the arrow keys and Escape in a list that has the keyboard: they would give it to another widget.
pub fn keep_arrows(ui: &Ui, list: Id) {
    if is_menu_open(ui) {
        return;
    }
    let filter = EventFilter {
        vertical_arrows: true,
        horizontal_arrows: true,
        escape: true,
        ..EventFilter::default()
    };
    ui.memory_mut(|memory| memory.set_focus_lock_filter(list, filter));
}

/// Takes the presses of some keys, alone or with Shift, in their order: in a slow frame there are many, and
/// none may be lost.
pub fn presses(ui: &Ui, keys: &[Key]) -> Vec<Key> {
    take(ui, |key, _| keys.contains(&key)).into_iter().map(|(key, _)| key).collect()
}

/// The row that the keys lead to, from row `at` of a list whose last row is `last`.
pub fn target(ui: &Ui, at: Option<u64>, last: u64, page: u64) -> Option<u64> {
    let step = |at: Option<u64>, key: Key| match (at, key) {
        (_, Key::End) => last,
        (Some(at), Key::ArrowDown) => at.saturating_add(1).min(last),
        (Some(at), Key::ArrowUp) => at.saturating_sub(1),
        (Some(at), Key::PageDown) => at.saturating_add(page).min(last),
        (Some(at), Key::PageUp) => at.saturating_sub(page),
        _ => 0,
    };
    let keys = [Key::ArrowDown, Key::ArrowUp, Key::PageDown, Key::PageUp, Key::Home, Key::End];
    presses(ui, &keys).into_iter().fold(None, |to, key| Some(step(to.or(at), key)))
}
