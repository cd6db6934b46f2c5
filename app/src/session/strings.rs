//! What of a table of texts a tab shows.

use std::sync::{Arc, Mutex};

use palimpsest_core::scene::{Beside, SheetOf, TextCache, TextHits};
use palimpsest_core::strings::{Guess, Order, StringQuery, Tried};

use crate::jobs::{Job, Load};

/// The sheet of a tab, and what is looked for in it.
#[derive(Debug, Default)]
pub struct StringsState {
    /// Which tables stand beside each other.
    pub beside: Beside,
    /// The sheet of that.
    pub sheet: Option<Load<Arc<SheetOf>>>,
    /// What is looked for.
    pub query: StringQuery,
    /// By what rows are ordered, and whether from the last to the first.
    pub order: (Order, bool),
    /// The rows that are looked for.
    pub finding: Option<Load<Found>>,
    /// Those that were found last; they are of the sheet that is shown.
    pub found: Found,
    /// The cell that is to be brought into view.
    pub target: Option<Target>,
    /// Names that are guessed for the keys.
    pub guessing: Option<Guessing>,
    /// Why what is looked for makes no sense.
    pub refusal: Option<String>,
}

/// Names that are guessed by a pattern.
#[derive(Debug)]
pub struct Guessing {
    /// The work, and how far it came.
    pub tried: Load<Tried>,
    /// What hit a key so far.
    pub hits: Arc<Mutex<Vec<Guess>>>,
}

/// A search through all tables of texts of the stack.
#[derive(Debug, Default)]
pub struct TextSearch {
    /// What is looked for.
    pub text: String,
    /// Whether letter case and marks count.
    pub is_exact: bool,
    /// The search, while it runs.
    pub job: Option<Job<()>>,
    /// What was found so far.
    pub hits: Arc<Mutex<TextHits>>,
    /// The tables that were read, as long as somebody searches.
    pub cache: Arc<TextCache>,
}

/// A cell that is to be brought into view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    /// Which wish it is, so that the same one can come again.
    pub number: u64,
    /// The hash of the key.
    pub key: u32,
    /// The column.
    pub column: usize,
}

/// Rows of a sheet in an order.
pub type Found = Arc<Vec<u32>>;

impl StringsState {
    /// The sheet, where it is ready.
    pub fn sheet(&self) -> Option<&Arc<SheetOf>> {
        self.sheet.as_ref().and_then(Load::ready)
    }
}
