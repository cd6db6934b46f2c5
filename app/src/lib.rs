//! The explorer: a window and a command line over the same answers.

pub mod cache;
pub mod cli;
pub mod document;
pub mod format;
pub mod gpu;
pub mod jobs;
pub mod theme;
