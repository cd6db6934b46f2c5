//! The way back and forward through what was looked at.

use palimpsest_core::mount::EntryId;

/// Something that was looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// A path and the position of the copy that was shown.
    Copy(EntryId, usize),
    /// A path and the positions of the two copies that were compared.
    Compared(EntryId, [usize; 2]),
    /// The shadow map.
    Map,
    /// The grid of textures.
    Grid,
}

/// The tabs that were looked at, and where on that way we are.
#[derive(Debug, Default)]
pub struct Trail {
    steps: Vec<Step>,
    at: usize,
}

impl Trail {
    const LONGEST: usize = 200;

    /// Goes a step further; what lay ahead is forgotten.
    pub fn push(&mut self, step: Step) {
        if self.steps.get(self.at) == Some(&step) {
            return;
        }
        self.steps.truncate(self.at + 1);
        self.steps.push(step);
        if self.steps.len() > Self::LONGEST {
            self.steps.remove(0);
        }
        self.at = self.steps.len() - 1;
    }

    /// The step before, or the one after.
    pub fn go(&mut self, is_back: bool) -> Option<Step> {
        let at = if is_back { self.at.checked_sub(1)? } else { self.at + 1 };
        let step = *self.steps.get(at)?;
        self.at = at;
        Some(step)
    }

    /// Whether there is a step before, or one after.
    pub fn can_go(&self, is_back: bool) -> bool {
        if is_back { self.at > 0 } else { self.at + 1 < self.steps.len() }
    }

    /// Gives every step the number that its path has now.
    pub fn move_to(&mut self, moved: impl Fn(EntryId) -> EntryId) {
        for step in &mut self.steps {
            match step {
                Step::Copy(entry, _) | Step::Compared(entry, _) => *entry = moved(*entry),
                Step::Map | Step::Grid => {}
            }
        }
    }

    /// Forgets the way, which belonged to another stack.
    pub fn clear(&mut self) {
        *self = Self::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_trail_goes_back_and_forward_and_forgets_what_lay_ahead() {
        let step = |entry| Step::Copy(EntryId(entry), 0);
        let mut trail = Trail::default();
        for entry in 0..3 {
            trail.push(step(entry));
            trail.push(step(entry));
        }
        assert_eq!(trail.go(true), Some(step(1)));
        assert_eq!(trail.go(true), Some(step(0)));
        assert_eq!(trail.go(true), None);
        assert_eq!(trail.go(false), Some(step(1)));
        trail.push(Step::Compared(EntryId(9), [2, 0]));
        assert!(!trail.can_go(false));
        assert_eq!(trail.go(true), Some(step(1)));
        trail.move_to(|entry| EntryId(entry.0 + 10));
        assert_eq!(trail.go(false), Some(Step::Compared(EntryId(19), [2, 0])));
    }
}
