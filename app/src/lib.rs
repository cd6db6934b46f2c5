//! The explorer: a window and a command line over the same answers.

#![cfg_attr(test, expect(clippy::float_cmp, reason = "results that are exact in floats"))]
#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "points and pixels of a screen; core, which reads files, keeps these lints"
)]

pub mod answer;
pub mod app;
pub mod cache;
pub mod cli;
pub mod command;
pub mod comparison;
pub mod dialogs;
pub mod difference;
pub mod document;
pub mod files;
pub mod format;
pub mod gpu;
pub mod grid;
pub mod headless;
pub mod jobs;
pub mod layout;
pub mod members;
pub mod names;
pub mod oodle;
pub mod panels;
pub mod pictures;
pub mod scenario;
pub mod session;
pub mod settings;
pub mod shadow;
pub mod shown;
pub mod theme;
pub mod thumbnail;
pub mod widgets;
pub mod window;
