//! Stacks on disk: what is mounted, in which order, and what wins.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail loudly")]

mod broken;
mod bundles;
mod containers;
mod demo;
mod engine;
mod indexes;
mod order;
mod paths;
mod search;
mod shadow;
mod what_if;

use std::path::Path;

use palimpsest_core::error::Result;
use palimpsest_core::formats::ltar::Builder;
use palimpsest_core::mount::{Mounts, Stack};
use palimpsest_core::task::Task;

/// An archive with these files.
fn archive(files: &[(&str, &str)]) -> Vec<u8> {
    let mut builder = Builder::new();
    for (path, text) in files {
        builder.add(path, text.as_bytes());
    }
    builder.finish()
}

/// Writes a file and the folders around it.
fn write(root: &Path, path: &str, bytes: impl AsRef<[u8]>) {
    let path = root.join(path);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, bytes).unwrap();
}

fn mount(mounts: &Mounts) -> Result<Stack> {
    Stack::mount(mounts, &Task::new())
}

/// Mounts one path that can be mounted.
fn mounted(path: &Path) -> Stack {
    mount(&Mounts::of(path)).unwrap()
}

fn layer_names(stack: &Stack) -> Vec<&str> {
    stack.layers().iter().map(|layer| layer.name.as_str()).collect()
}

/// The decoded text of every copy of a path, searched first first.
fn texts(stack: &Stack, path: &str) -> Vec<String> {
    let Some(entry) = stack.find(path) else { return Vec::new() };
    let text = |bytes: bytes::Bytes| String::from_utf8_lossy(&bytes).into_owned();
    let read = |copy| stack.content(copy).and_then(|content| content.read(0..u64::MAX, &Task::new()));
    stack
        .index()
        .copies(entry)
        .iter()
        .map(|copy| read(*copy).map_or_else(|error| error.to_string(), text))
        .collect()
}

/// Every path of the stack, in the order of its index.
fn all_paths(stack: &Stack) -> Vec<String> {
    stack.index().entries().map(|entry| stack.path(entry)).collect()
}
