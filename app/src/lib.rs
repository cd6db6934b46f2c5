//! The explorer: a window and a command line over the same answers.

pub mod cli;
pub mod document;
pub mod format;
