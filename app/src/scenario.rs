//! An order of layers as it might be.

/// A layer in a scenario.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    /// The layer's position in the stack that the scenario is about.
    pub layer: usize,
    /// Whether it is mounted.
    pub is_on: bool,
}

/// An order of layers, searched first first, of which some are left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scenario {
    slots: Vec<Slot>,
}

impl Scenario {
    /// The order as it is.
    pub fn of(layers: usize) -> Self {
        Self { slots: (0..layers).map(|layer| Slot { layer, is_on: true }).collect() }
    }

    /// The layers from the top.
    pub fn slots(&self) -> &[Slot] {
        &self.slots
    }

    /// The layers that are mounted, searched first first.
    pub fn order(&self) -> Vec<usize> {
        self.slots.iter().filter(|slot| slot.is_on).map(|slot| slot.layer).collect()
    }

    /// The number that the layer at a place has in this order; `None` for one that is left out.
    pub fn number(&self, at: usize) -> Option<usize> {
        self.slots.get(at).filter(|slot| slot.is_on)?;
        Some(self.slots.iter().take(at).filter(|slot| slot.is_on).count())
    }

    /// Whether nothing is changed.
    pub fn is_real(&self) -> bool {
        self.slots.iter().enumerate().all(|(at, slot)| slot.is_on && slot.layer == at)
    }

    /// Mounts a layer or leaves it out, by its place in the order.
    pub fn set(&mut self, at: usize, is_on: bool) {
        if let Some(slot) = self.slots.get_mut(at) {
            slot.is_on = is_on;
        }
    }

    /// Moves a layer from one place to another.
    pub fn move_slot(&mut self, from: usize, to: usize) {
        if from < self.slots.len() && to < self.slots.len() {
            let slot = self.slots.remove(from);
            self.slots.insert(to, slot);
        }
    }

    /// The stack as of a layer, by its place: all above it are left out, it and all below are mounted.
    pub fn as_of(&mut self, at: usize) {
        self.set_all(|place| place >= at);
    }

    /// Mounts the layers at some places, and no other.
    pub fn set_all(&mut self, is_on: impl Fn(usize) -> bool) {
        for (place, slot) in self.slots.iter_mut().enumerate() {
            slot.is_on = is_on(place);
        }
    }

    /// The place of the first layer that is mounted, where all below it are as well and in their order.
    pub fn time(&self) -> Option<usize> {
        let first = self.slots.iter().position(|slot| slot.is_on)?;
        let is_whole = |(at, slot): (usize, &Slot)| slot.layer == at && slot.is_on == (at >= first);
        self.slots.iter().enumerate().all(is_whole).then_some(first)
    }

    /// Makes room for layers that come on top of the stack.
    pub fn grow(&mut self, count: usize) {
        for slot in &mut self.slots {
            slot.layer += count;
        }
        self.slots.splice(0..0, (0..count).map(|layer| Slot { layer, is_on: true }));
    }

    /// What is changed, in a few words.
    pub fn words(&self, added: usize) -> String {
        let off = self.slots.iter().filter(|slot| !slot.is_on).count();
        let moved = self.slots.windows(2).filter(|pair| matches!(pair, [a, b] if a.layer > b.layer)).count();
        let mut words = Vec::new();
        if added > 0 {
            words.push(format!("{added} on top"));
        }
        if off > 0 {
            words.push(format!("{off} left out"));
        }
        if moved > 0 {
            words.push("layers moved".to_owned());
        }
        if words.is_empty() { "nothing changed".to_owned() } else { words.join(", ") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layers_are_left_out_moved_and_put_on_top() {
        let mut scenario = Scenario::of(4);
        assert!(scenario.is_real());
        assert_eq!(scenario.time(), Some(0));
        scenario.set(1, false);
        assert_eq!((scenario.order(), scenario.time()), (vec![0, 2, 3], None));
        scenario.move_slot(3, 0);
        assert_eq!(scenario.order(), [3, 0, 2]);
        assert_eq!([0, 1, 2, 3, 4].map(|at| scenario.number(at)), [Some(0), Some(1), None, Some(2), None]);
        assert_eq!(scenario.words(0), "1 left out, layers moved");
        scenario.grow(2);
        assert_eq!(scenario.order(), [0, 1, 5, 2, 4]);
        assert!(!scenario.is_real());
        assert_eq!(scenario.words(2), "2 on top, 1 left out, layers moved");
    }

    #[test]
    fn a_time_is_a_layer_with_all_below_it() {
        let mut scenario = Scenario::of(3);
        scenario.as_of(2);
        assert_eq!((scenario.order(), scenario.time()), (vec![2], Some(2)));
        scenario.as_of(0);
        assert!(scenario.is_real());
        scenario.move_slot(0, 2);
        assert_eq!(scenario.time(), None);
        // Places that are not there change nothing.
        scenario.move_slot(0, 9);
        scenario.set(9, false);
        assert_eq!(scenario.order(), [1, 2, 0]);
    }
}
