//! Palimpsest's core: bytes in, values and errors out.
//!
//! It knows no window, no graphics and no logging, and starts no threads but data-parallel loops.
//!
//! ```text
//! files ── mount ──► Stack { layers, index } ── which, search, extract
//!                      └── Content ── bytes ── format::inspect ──► Inspection { asset, tree, … }
//!
//! error, task, path, hash, file  ◄─  parse  ◄─  formats  ◄─  format  ◄─  mount  ◄─  extract, demo
//!                         ◄─  codec  ─┘   asset ─┘      parse, codec, asset  ◄─  diff
//! ```
//!
//! [`parse`] reads layouts field by field; one call gives the value and its place in the structure
//! tree. [`formats`] has one module per format, a row of a table each; [`mod@format`] detects and
//! runs them. [`codec`] holds the decoders: a slice in, a buffer out. [`asset`] is what the window
//! shows, whatever the format. [`mount`] opens installs, lists, archives and folders as one stack
//! and answers which copy of a path wins, and why; [`mod@extract`] writes files out of it, as they
//! are or as [`export`] makes them, and [`demo`] writes an install to try it all on. [`scene`] joins files
//! that belong together, [`preview`] reads as much of a texture as a small picture takes. [`diff`] says how two copies of a file differ. [`error`]
//! says what went wrong, in which field, at which byte. Every long call takes a [`task`] for cancel and
//! progress. [`path`] and [`hash`] hold the rules of names, and [`mod@file`] reads small files up to a limit.

#![cfg_attr(not(test), warn(clippy::indexing_slicing))]

pub mod asset;
pub mod codec;
pub mod demo;
pub mod diff;
pub mod error;
pub mod export;
pub mod extract;
pub mod file;
pub mod format;
pub mod formats;
pub mod hash;
pub mod model;
pub mod mount;
pub mod parse;
pub mod path;
pub mod preview;
pub mod scene;
pub mod strings;
pub mod task;
