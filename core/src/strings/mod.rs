//! What is done with tables of texts: set side by side, searched, ordered.

mod fold;
mod query;
mod sheet;

pub use self::fold::folded;
pub use self::query::{Only, Order, StringQuery};
pub use self::sheet::{Against, Column, Mark, Sheet};
