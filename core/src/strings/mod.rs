//! What is done with tables of texts: set side by side, searched, ordered, written and read back; and names of
//! their keys are guessed.

mod export;
mod fold;
mod guess;
mod import;
mod order;
mod pattern;
mod query;
mod sheet;
mod words;

pub use self::export::{SheetExport, export_sheet, titles, write_sheet};
pub use self::fold::folded;
pub use self::guess::{
    Guess, GuessedKey, MOST_GUESSES, MOST_TRIED, Standing, Tried, by_chance, by_key, guess,
};
pub use self::import::{
    Difference, DifferenceKind, Holds, Imported, ImportedRow, check, read_csv, read_json, read_po, read_tsv,
};
pub use self::order::Order;
pub use self::pattern::Pattern;
pub use self::query::{Only, StringQuery};
pub use self::sheet::{Against, Column, Mark, Sheet};
pub use self::words::{word_list, words_of};
