//! Tabs with two copies of a path, compared.

use std::sync::Arc;

use palimpsest_core::mount::{Answer, EntryId};

use super::{DocumentId, Mounted};
use crate::comparison::Comparison;
use crate::document::Document;
use crate::jobs::Load;

/// A tab with two copies of a path, compared.
#[derive(Debug)]
pub struct OpenComparison {
    /// The tab's number.
    pub id: DocumentId,
    /// The stack that the path belongs to, which stays alive with the tab.
    pub mounted: Arc<Mounted>,
    /// The path.
    pub entry: EntryId,
    /// The whole answer about the path.
    pub answer: Answer,
    /// The left and the right copy.
    pub sides: [ComparedCopy; 2],
    /// How they relate, once both are read.
    pub result: Option<Load<Arc<Comparison>>>,
}

/// One side of a comparison.
#[derive(Debug)]
pub struct ComparedCopy {
    /// The position of the copy.
    pub copy: usize,
    /// The copy, read and parsed.
    pub load: Load<Arc<Document>>,
}

impl OpenComparison {
    /// The last component of the path.
    pub fn leaf(&self) -> &str {
        self.answer.path.rsplit(['\\', '/']).next().unwrap_or_default()
    }

    /// The name of the layer that has a copy, with the container that holds it where one does.
    pub fn layer(&self, copy: usize) -> String {
        self.place(copy, |name| name)
    }

    /// The name of the layer on the left side (0) or the right one (1), without its ending.
    pub fn side(&self, side: usize) -> String {
        fn stem(name: &str) -> &str {
            name.rsplit_once('.').map_or(name, |(stem, _)| stem)
        }
        self.sides.get(side).map_or_else(String::new, |side| self.place(side.copy, stem))
    }

    fn place(&self, copy: usize, shorten: fn(&str) -> &str) -> String {
        let Some(copy) = self.answer.copies.get(copy) else { return String::new() };
        let name = self.mounted.stack.layer(copy.copy).map_or("", |layer| shorten(&layer.name));
        match &copy.container {
            Some(container) => {
                format!("{name} in {}", container.rsplit('\\').next().unwrap_or_default())
            }
            None => name.to_owned(),
        }
    }

    /// What stands on the tab.
    pub fn title(&self) -> String {
        if !self.has_others() {
            return format!("{}: {} alone", self.leaf(), self.side(0));
        }
        format!("{}: {} ↔ {}", self.leaf(), self.side(0), self.side(1))
    }

    /// Whether the path has a copy that another one can be compared with.
    pub fn has_others(&self) -> bool {
        self.answer.copies.len() > 1
    }

    /// Whether both sides show the same copy.
    pub fn is_one_copy(&self) -> bool {
        let [left, right] = &self.sides;
        left.copy == right.copy
    }

    /// Whether it is known how the copies relate.
    pub fn is_compared(&self) -> bool {
        matches!(self.result, Some(Load::Ready(_)))
    }

    /// Both copies, where they are read.
    pub fn documents(&self) -> Option<(&Arc<Document>, &Arc<Document>)> {
        let [left, right] = &self.sides;
        left.load.ready().zip(right.load.ready())
    }

    /// Goes on in a stack that has more copies of the path, with the copies that are compared.
    pub fn move_to(&mut self, mounted: Arc<Mounted>, entry: EntryId) {
        let answer = mounted.stack.resolve(entry);
        for side in &mut self.sides {
            let copy = self.answer.copies.get(side.copy).map(|copy| copy.copy);
            side.copy = answer.copies.iter().position(|other| Some(other.copy) == copy).unwrap_or(0);
        }
        (self.mounted, self.entry, self.answer) = (mounted, entry, answer);
    }

    /// Links to both copies.
    pub fn links(&self) -> Option<[String; 2]> {
        let link = |side: &ComparedCopy| {
            Some(self.mounted.stack.link(self.entry, self.answer.copies.get(side.copy)?.copy))
        };
        let [left, right] = &self.sides;
        Some([link(left)?, link(right)?])
    }
}
