//! Reading and writing binary layouts: one call gives the value, its name and its place.
//!
//! [`Reader`] returns typed values and, when it records, builds the [`Tree`] of what it read, so
//! that the values and the structure on screen cannot disagree. [`record!`](crate::record) declares
//! records of fixed size once for reader, writer and tree. [`Writer`] is the way back.

mod blame;
mod fact;
mod name;
mod place;
mod reader;
mod record;
mod scalar;
#[cfg(test)]
mod tests;
mod tree;
mod warning;
mod writer;

pub use fact::{Fact, Facts};
pub use name::Name;
pub use place::{Place, Role};
pub use reader::{MAX_DEPTH, MAX_RECORDED, Reader};
pub use record::{FieldLayout, Layout, Meaning, Record, Table};
pub use scalar::{Bits, Endian, Hash, Number, Offset, Scalar, Value};
pub use tree::{Node, RecordNote, TextKind, Tree, Ty};
pub use warning::{MAX_WARNINGS, Warning, Warnings};
pub use writer::Writer;
