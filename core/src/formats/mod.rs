//! One module per format: layout, parser, writer and sample.
//!
//! A format is a row of [`FORMATS`]; detection, structure, hostile tests, demo and the table in the
//! README follow from the row.

pub mod bndl;
pub mod bundle;
pub mod dds;
pub mod embb;
pub mod ltar;
pub mod mmsh;
pub mod path_index;
pub mod skdb;
pub mod skel;
mod surface;
pub mod texa;
pub mod texr;
pub mod text;

use crate::format::Format;

/// Every format the program knows, in the order in which ties are broken.
pub static FORMATS: &[&Format] = &[
    &ltar::FORMAT,
    &bndl::FORMAT,
    &embb::FORMAT,
    &texr::FORMAT,
    &texr::slvt::FORMAT,
    &texa::FORMAT,
    &dds::FORMAT,
    &mmsh::FORMAT,
    &skel::FORMAT,
    &skdb::FORMAT,
    &path_index::FORMAT,
    &text::FORMAT,
];
