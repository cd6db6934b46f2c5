//! The demo install: a small game of our own, written by the project's writers.
//!
//! It has what a real install has: base archives, patches and add-ons that shadow each other, one
//! empty archive, a list with comments, repeats and lines that name nothing, loose files, texture
//! tiers, bundles of every kind, a folder that the engine's search misses, damaged entries and a
//! format nobody knows. Its bytes are the same on every machine.

mod art;
mod blocks;
mod bundles;
mod content;
mod creature;
mod texts;
mod textures;

use std::fs;
use std::path::Path;

use rayon::prelude::*;

use crate::error::{Error, Result};
use crate::file;
use crate::formats::ltar::Builder;
use crate::formats::path_index;
use crate::task::Task;
use content::{Data, LAYERS, LIST, LOOSE_FILES};

/// What was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Written {
    /// Files.
    pub files: u64,
    /// Bytes of all files.
    pub bytes: u64,
}

/// Writes the demo install into a folder, which is made where it is missing.
///
/// # Errors
/// `Io` that names the file; `Usage` when the folder holds anything but a demo install, which is
/// written anew; `Cancelled`.
pub fn write(folder: &Path, task: &Task) -> Result<Written> {
    task.set_total((LAYERS.len() + 1) as u64);
    fs::create_dir_all(folder).map_err(|error| of(error.into(), folder))?;
    // A game has a list at the same place, and keeps it.
    let list = folder.join("x64").join("default.archcfg");
    let is_demo = || file::read(&list, LIST.len() as u64).is_ok_and(|list| list == LIST.as_bytes());
    let mut entries = fs::read_dir(folder).map_err(|error| of(error.into(), folder))?;
    if entries.next().is_some() && !is_demo() {
        return Err(of(Error::usage("the folder is not empty; choose another one"), folder));
    }
    let mut files: Vec<(String, Vec<u8>)> =
        vec![("x64/default.archcfg".to_owned(), LIST.as_bytes().to_vec())];
    // Beside the game, for whoever wants names of keys.
    files.push(("wordlist.txt".to_owned(), texts::words().into_bytes()));
    for file in LOOSE_FILES {
        files.push((format!("Game/{}", file.path.replace('\\', "/")), file.data.bytes(file.path)?));
    }
    task.step(1)?;
    let archives: Vec<(String, Vec<u8>)> = LAYERS
        .par_iter()
        .map(|layer| {
            let archive = archive(layer)?;
            task.step(1)?;
            Ok((format!("{}.arch06", layer.name), archive))
        })
        .collect::<Result<_>>()?;
    files.extend(archives);
    let mut written = Written { files: 0, bytes: 0 };
    for (name, bytes) in files {
        let path = folder.join(name);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(|error| of(error.into(), parent))?;
        }
        fs::write(&path, &bytes).map_err(|error| of(error.into(), &path))?;
        written = Written { files: written.files + 1, bytes: written.bytes + bytes.len() as u64 };
    }
    Ok(written)
}

fn of(error: Error, path: &Path) -> Error {
    error.of(path.display().to_string())
}

fn archive(layer: &content::Layer) -> Result<Vec<u8>> {
    let mut builder = Builder::new();
    let mut listed = Vec::new();
    for file in layer.files {
        for path in file.paths() {
            match &file.data {
                Data::Damaged(data) => {
                    let (chain, size) = content::damaged(&data.bytes(&path)?);
                    builder.add_packed(&path, crate::formats::ltar::Packing::Chunks, chain, size);
                }
                data => {
                    builder.add(&path, &data.bytes(&path)?);
                }
            }
            // As in the game: no container is listed, and no manifest beside its container.
            if !is_beside_container(layer, &path) {
                listed.push(path);
            }
        }
    }
    if layer.has_index {
        let listed: Vec<_> = listed.iter().map(String::as_str).collect();
        builder.add("archivepatchloosefiles.txt", &path_index::write(&listed));
    }
    Ok(builder.finish())
}

/// Whether a path is a container, or a manifest whose container lies in the same layer.
fn is_beside_container(layer: &content::Layer, path: &str) -> bool {
    let of_bundle = path.strip_suffix(".bndl").or_else(|| path.strip_suffix(".embb"));
    let holds = |container: &str| layer.files.iter().any(|file| file.path == container);
    of_bundle.is_some_and(|stem| holds(&format!("{stem}.embb")))
}
