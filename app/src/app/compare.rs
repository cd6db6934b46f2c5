//! Comparisons: two copies of a path, read and compared in the background.

use std::sync::Arc;

use palimpsest_core::error::Error;
use palimpsest_core::mount::EntryId;

use super::App;
use crate::comparison::Comparison;
use crate::jobs::Load;
use crate::session::{ComparedCopy, DocumentId, OpenComparison};

impl App {
    /// Opens two copies of a path beside each other: in a tab of their own, or where the path is
    /// compared already.
    pub(super) fn compare(&mut self, entry: EntryId, copies: [usize; 2]) {
        if let Some(id) = self.compare_quietly(entry, copies) {
            self.focus(id);
        }
    }

    /// The same without making the tab the active one.
    pub(super) fn compare_quietly(&mut self, entry: EntryId, copies: [usize; 2]) -> Option<DocumentId> {
        self.session.mounted.as_ref()?;
        let open = self.session.comparisons.iter().find(|open| open.entry == entry).map(|open| open.id);
        let id = open.unwrap_or_else(|| self.next_id());
        self.add_comparison(id, entry, copies);
        Some(id)
    }

    /// Compares two copies in a tab with a number, which is made where there is none.
    pub(super) fn add_comparison(&mut self, id: DocumentId, entry: EntryId, copies: [usize; 2]) {
        let Some(mounted) = self.session.mounted.clone() else { return };
        if self.session.comparison(id).is_none() {
            let answer = mounted.stack.resolve(entry);
            // No copy has this position, so that every one is another.
            let side =
                || ComparedCopy { copy: usize::MAX, load: Load::Failed(Error::not_found("not read yet")) };
            let sides = [side(), side()];
            let open = OpenComparison { id, mounted, entry, answer, sides, result: None };
            self.session.comparisons.push(open);
        }
        for (side, copy) in copies.into_iter().enumerate() {
            self.compare_other(id, side, copy);
        }
    }

    /// Compares another copy on one of the sides.
    pub(super) fn compare_other(&mut self, id: DocumentId, side: usize, copy: usize) {
        let Some(open) = self.session.comparison_mut(id) else { return };
        let last = open.answer.copies.len().saturating_sub(1);
        if open.sides.get(side).is_some_and(|side| side.copy != copy.min(last)) {
            self.read_side(id, side, copy.min(last));
        }
    }

    /// Compares the copy one layer below (1) or above (-1) the left one, which is the one that is held
    /// against the other; that one is skipped.
    pub(super) fn step_compared(&mut self, by: isize) {
        let Some(open) = self.session.active_comparison() else { return };
        let [left, right] = &open.sides;
        let next = left.copy.checked_add_signed(by);
        let next = if next == Some(right.copy) { right.copy.checked_add_signed(by) } else { next };
        if let Some(next) = next.filter(|next| *next < open.answer.copies.len()) {
            self.compare_other(open.id, 0, next);
        }
    }

    /// Compares what had no other copy until the bundles were read.
    pub(super) fn compare_new_copies(&mut self) {
        let session = &self.session;
        let alone = |open: &&OpenComparison| open.has_others() && open.result.is_none() && open.is_one_copy();
        let found: Vec<_> = session.comparisons.iter().filter(alone).map(|open| open.id).collect();
        for id in found {
            self.compare_other(id, 0, 1);
        }
    }

    fn read_side(&mut self, id: DocumentId, side: usize, copy: usize) {
        let Some(open) = self.session.comparison(id) else { return };
        let Some(of) = open.answer.copies.get(copy).map(|copy| copy.copy) else { return };
        let name = format!("Reading {} of {}", open.leaf(), open.layer(copy));
        let load = self.load(name, Arc::clone(&open.mounted), open.entry, of, false);
        let Some(open) = self.session.comparison_mut(id) else { return };
        if let Some(side) = open.sides.get_mut(side) {
            *side = ComparedCopy { copy, load };
        }
        open.result = None;
    }

    pub(super) fn swap_sides(&mut self, id: DocumentId) {
        if let Some(open) = self.session.comparison_mut(id) {
            open.sides.swap(0, 1);
            open.result = None;
        }
    }

    /// Reads what failed again, and compares again what did not come to its end.
    pub(super) fn compare_again(&mut self, id: DocumentId) {
        let Some(open) = self.session.comparison_mut(id) else { return };
        open.result = None;
        let failed: Vec<_> = (0..)
            .zip(&open.sides)
            .filter(|(_, side)| matches!(side.load, Load::Failed(_)))
            .map(|(at, side)| (at, side.copy))
            .collect();
        for (side, copy) in failed {
            self.read_side(id, side, copy);
        }
    }

    /// Takes copies that were read, and has those compared that are both there.
    pub(super) fn poll_comparisons(&mut self) {
        let mut read = Vec::new();
        for open in &mut self.session.comparisons {
            for side in &mut open.sides {
                if side.load.poll()
                    && let (Some(document), Some(copy)) =
                        (side.load.ready(), open.answer.copies.get(side.copy))
                {
                    read.push(((self.stack_number, copy.copy, false), Arc::clone(document)));
                }
            }
            open.result.as_mut().map(Load::poll);
            if open.result.is_none()
                && open.has_others()
                && let Some((left, right)) = open.documents()
            {
                let (left, right, mounted) = (Arc::clone(left), Arc::clone(right), Arc::clone(&open.mounted));
                let job = self.jobs.spawn(format!("Comparing {}", open.leaf()), move |task| {
                    Comparison::of(&mounted.stack, &left, &right, task).map(Arc::new)
                });
                open.result = Some(Load::Pending(job));
            }
        }
        for (key, document) in read {
            let weight = document.weight();
            self.documents.insert(key, document, weight);
        }
    }
}
