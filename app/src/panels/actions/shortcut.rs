//! Keys of the program.

use egui::{Event, Key, Modifiers};

/// A key with what is held with it.
#[derive(Debug)]
pub(crate) struct Shortcut {
    modifiers: Modifiers,
    key: Key,
}

impl Shortcut {
    pub(super) const fn new(modifiers: Modifiers, key: Key) -> Self {
        Self { modifiers, key }
    }

    /// How many keys are held with it.
    pub(crate) fn held(&self) -> usize {
        let Modifiers { command, shift, alt, .. } = self.modifiers;
        [command, shift, alt].into_iter().filter(|is_held| *is_held).count()
    }

    /// Whether it means the same while text is typed or a page is open. Letters and copying do not.
    pub(crate) fn is_global(&self) -> bool {
        let is_copy = self.modifiers.command && self.key == Key::C;
        let is_function = matches!(self.key, Key::F1 | Key::F5);
        is_function || (!is_copy && (self.modifiers.command || self.modifiers.alt))
    }

    /// Whether an event is this key. What was held is asked of the event: at the end of a slow frame it
    /// may be up again.
    pub(crate) fn is_in(&self, event: &Event) -> bool {
        match event {
            Event::Copy => self.key == Key::C && self.modifiers == Modifiers::COMMAND,
            Event::Key { key, physical_key, pressed: true, modifiers, .. } => {
                // With Shift a digit is another character on most keyboards: its place counts too.
                let is_place = self.digit().is_some() && *physical_key == Some(self.key);
                (*key == self.key || is_place) && self.is_held_by(*modifiers)
            }
            _ => false,
        }
    }

    fn is_held_by(&self, held: Modifiers) -> bool {
        if self.modifiers.command || self.modifiers.alt {
            return held.matches_logically(self.modifiers);
        }
        !held.alt && !held.ctrl && !held.command && (held.shift || !self.modifiers.shift)
    }

    fn digit(&self) -> Option<&'static str> {
        [Key::Num0, Key::Num1, Key::Num2, Key::Num3, Key::Num4]
            .contains(&self.key)
            .then(|| self.key.symbol_or_name())
    }

    /// The keys in words.
    pub(crate) fn text(&self) -> String {
        let Modifiers { command, shift, alt, .. } = self.modifiers;
        let control = if cfg!(target_os = "macos") { "Cmd+" } else { "Ctrl+" };
        let held = [(command, control), (shift, "Shift+"), (alt, "Alt+")];
        let held: String = held.into_iter().filter_map(|(is_held, name)| is_held.then_some(name)).collect();
        let key = match self.key {
            Key::ArrowLeft => "←",
            Key::ArrowRight => "→",
            Key::Equals => "=",
            Key::Minus => "−",
            key => key.symbol_or_name(),
        };
        held + key
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pressed(key: Key, physical_key: Option<Key>, modifiers: Modifiers) -> Event {
        Event::Key { key, physical_key, pressed: true, repeat: false, modifiers }
    }

    #[test]
    fn keys_are_told_apart_by_what_is_held() {
        let plain = Shortcut::new(Modifiers::NONE, Key::N);
        let shifted = Shortcut::new(Modifiers::SHIFT, Key::N);
        assert!(plain.is_in(&pressed(Key::N, None, Modifiers::NONE)));
        assert!(!plain.is_in(&pressed(Key::N, None, Modifiers::COMMAND)));
        assert!(!shifted.is_in(&pressed(Key::N, None, Modifiers::NONE)));
        assert!(shifted.is_in(&pressed(Key::N, None, Modifiers::SHIFT)));
        let copy = Shortcut::new(Modifiers::COMMAND, Key::C);
        assert!(copy.is_in(&Event::Copy) && !copy.is_global());
        // A French keyboard.
        let one = Shortcut::new(Modifiers::SHIFT, Key::Num1);
        assert!(one.is_in(&pressed(Key::Exclamationmark, Some(Key::Num1), Modifiers::SHIFT)));
    }

    #[test]
    fn keys_have_their_usual_names() {
        for (modifiers, key, text) in [
            (Modifiers::COMMAND | Modifiers::SHIFT, Key::P, "Ctrl+Shift+P"),
            (Modifiers::ALT, Key::ArrowLeft, "Alt+←"),
            (Modifiers::COMMAND, Key::Plus, "Ctrl++"),
            (Modifiers::NONE, Key::OpenBracket, "["),
            (Modifiers::SHIFT, Key::Num4, "Shift+4"),
            (Modifiers::NONE, Key::Period, "."),
        ] {
            let text = if cfg!(target_os = "macos") { text.replace("Ctrl", "Cmd") } else { text.to_owned() };
            assert_eq!(Shortcut::new(modifiers, key).text(), text);
        }
    }
}
