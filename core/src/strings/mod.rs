//! What is done with tables of texts: set side by side, searched, ordered, written and read back.

mod export;
mod fold;
mod import;
mod order;
mod query;
mod sheet;

pub use self::export::{SheetExport, export_sheet, titles, write_sheet};
pub use self::fold::folded;
pub use self::import::{
    Difference, DifferenceKind, Holds, Imported, ImportedRow, check, read_csv, read_json, read_po, read_tsv,
};
pub use self::order::Order;
pub use self::query::{Only, StringQuery};
pub use self::sheet::{Against, Column, Mark, Sheet};
