//! The demo install against the plain rule, worked out here without the index.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::OnceLock;

use bytes::Bytes;
use palimpsest_core::asset::Asset;
use palimpsest_core::demo;
use palimpsest_core::format::{inspect, load};
use palimpsest_core::mount::{Class, Content, Stack};
use palimpsest_core::task::Task;

use crate::{layer_names, mounted};

/// The demo install, written once for all tests.
pub(crate) fn folder() -> &'static Path {
    static FOLDER: OnceLock<tempfile::TempDir> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        demo::write(folder.path(), &Task::new()).unwrap();
        folder
    });
    folder.path()
}

pub(crate) fn stack() -> Stack {
    mounted(folder())
}

const LAYERS: [&str; 14] = [
    "uhdmip.arch06",
    "HotChunk.arch06",
    "Global.arch06",
    "Patch_DLC4.arch06",
    "Patch_DLC4_LC.arch06",
    "Patch_10.arch06",
    "Patch_02_LC.arch06",
    "Patch_02.arch06",
    "Patch_DLC1.arch06",
    "Patch_01.arch06",
    "Patch_00_LC.arch06",
    "World.arch06",
    "Characters.arch06",
    "Game",
];

#[test]
fn the_layers_are_the_list_reversed() {
    let stack = stack();
    assert_eq!(layer_names(&stack), LAYERS);
    let skipped: Vec<_> = stack.skipped().iter().map(|line| (line.line, line.text.as_str())).collect();
    assert_eq!(skipped, [(7, "..\\Great_Hall.arch06"), (15, "..\\Patch_10.arch06"), (25, "uhdmip.arch06")]);
    for layer in stack.layers() {
        assert!(layer.broken.is_none() && layer.warnings.is_empty(), "{}: {:?}", layer.name, layer.warnings);
    }
}

/// The paths of a layer, read without the code that mounts.
fn paths_of(layer: &str) -> Vec<String> {
    let path = folder().join(layer);
    if path.is_dir() {
        let files = walkdir::WalkDir::new(&path)
            .into_iter()
            .map(Result::unwrap)
            .filter(|entry| entry.file_type().is_file());
        let relative =
            |entry: walkdir::DirEntry| entry.path().strip_prefix(&path).unwrap().to_str().unwrap().to_owned();
        return files.map(relative).map(|path| path.replace('/', "\\")).collect();
    }
    let bytes = Bytes::from(std::fs::read(&path).unwrap());
    match load(&bytes, layer, &Task::new()).unwrap() {
        Asset::Archive(archive) => archive.entries.into_iter().map(|entry| entry.path).collect(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_first_layer_of_the_list_that_holds_a_path_wins_it() {
    let mut expected: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for layer in LAYERS {
        for path in paths_of(layer) {
            expected.entry(path.to_lowercase()).or_default().push(layer);
        }
    }
    let stack = stack();
    assert_eq!(stack.index().entry_count() as usize, expected.len());
    for (path, layers) in expected {
        let answer = stack.resolve(stack.find(&path).unwrap());
        let names: Vec<_> = answer.copies.iter().map(|copy| &*stack.layer(copy.copy).unwrap().name).collect();
        assert_eq!(names, layers, "{path}");
        assert_eq!(answer.copies.iter().position(|copy| copy.wins), Some(0), "{path}");
    }
}

#[test]
fn it_has_paths_of_one_two_three_and_many_copies() {
    let stack = stack();
    let mut counts: Vec<_> = stack.index().entries().map(|entry| stack.index().copies(entry).len()).collect();
    counts.sort_unstable();
    counts.dedup();
    assert_eq!(counts, [1, 2, 3, 6, 9]);
}

#[test]
fn the_engine_misses_the_folder_of_the_fourth_add_on() {
    let stack = stack();
    let answer = |path| stack.resolve(stack.find(path).unwrap());
    assert_eq!(answer("bundles\\dlc4\\campfire_d.tex").engine_winner, Some(1));
    assert_eq!(answer("bundles\\dlc4\\finale_d.tex").engine_winner, None);
    assert_eq!(answer("bundles\\dlc\\camp_d.tex").engine_winner, Some(0));
}

#[test]
fn every_copy_parses_or_is_the_damaged_one() {
    let stack = stack();
    let (mut damaged, mut unknown) = (Vec::new(), 0);
    for entry in stack.index().entries() {
        let path = stack.path(entry);
        for copy in stack.index().copies(entry) {
            match stack.content(*copy).unwrap().read(0..u64::MAX, &Task::new()) {
                Ok(bytes) => {
                    let inspection = inspect(&bytes, &path, &Task::new());
                    let asset = inspection.asset.unwrap_or_else(|error| panic!("{path}: {error}"));
                    let faulty = ["broken.embb", "drake_flawed.mesh", "english\\game.strdb"];
                    let is_damaged = faulty.iter().any(|end| path.ends_with(end));
                    assert_eq!(
                        inspection.warnings.count(),
                        u64::from(is_damaged),
                        "{path}: {:?}",
                        inspection.warnings
                    );
                    unknown += usize::from(asset.is_none());
                }
                Err(error) => {
                    let offset = stack.layer(*copy).unwrap().stat(copy.file).offset.unwrap();
                    let Content::Chunks(chain) = stack.content(*copy).unwrap() else { panic!("{path}") };
                    let second = chain.chunks().nth(1).unwrap().unwrap();
                    assert_eq!(chain.summary(u64::MAX).codecs(), "Oodle Kraken");
                    damaged.push((offset + second.offset as u64, error.to_string()));
                }
            }
        }
    }
    assert_eq!(damaged.len(), 1, "{damaged:?}");
    let (chunk, error) = &damaged[0];
    assert!(error.starts_with(&format!("chunks[1] at {chunk:#X}: Oodle Kraken: ")), "{damaged:?}");
    assert!(unknown > 0);
}

#[test]
fn textures_of_which_some_levels_differ_are_told_from_others() {
    let root = tempfile::tempdir().unwrap();
    let whole = (palimpsest_core::formats::texr::FORMAT.sample)();
    let Asset::Texture(texture) = load(&whole.clone().into(), "a.tex", &Task::new()).unwrap() else {
        panic!()
    };
    let levels = u32::try_from(texture.images.len()).unwrap();
    let with = |at: usize| {
        let mut bytes = whole.clone();
        bytes[at] ^= 1;
        bytes
    };
    let name = 0x12;
    for (layer, bytes) in [("0", whole.clone()), ("1", with(whole.len() - 1)), ("2", with(name))] {
        crate::write(root.path(), &format!("{layer}/a.tex"), bytes);
    }
    let paths = ["2", "1", "0"].map(|layer| root.path().join(layer)).to_vec();
    let mounts = palimpsest_core::mount::Mounts { paths, ..palimpsest_core::mount::Mounts::default() };
    let stack = crate::mount(&mounts).unwrap();
    let digests = stack.digest(stack.find("a.tex").unwrap(), &Task::new()).unwrap();
    let classes: Vec<_> = digests.iter().map(|digest| digest.class).collect();
    let some = |same| Class::Levels { same, of: levels };
    assert_eq!(classes, [Class::Winner, some(levels - 1), some(levels)]);
}

#[test]
fn its_paths_and_indexes_give_names_to_hashes() {
    let book = stack().names(&Task::new()).unwrap();
    let hash = palimpsest_core::hash::string_hash(b"characters\\ranger\\ranger_sword_d.tex");
    assert_eq!(book.names(hash).collect::<Vec<_>>(), ["characters\\ranger\\ranger_sword_d.tex"]);
    assert_eq!(book.len(), stack().index().entry_count() as usize);
}

#[test]
fn digests_say_how_copies_differ_from_the_winner() {
    let stack = stack();
    let digests = stack.digest(stack.find("characters\\orc\\orc_01.mat").unwrap(), &Task::new()).unwrap();
    let classes: Vec<_> = digests.iter().map(|digest| digest.class).collect();
    assert_eq!(classes, [Class::Winner, Class::Identical, Class::Different]);
    assert_eq!(digests[0].sha256.as_ref().unwrap(), digests[1].sha256.as_ref().unwrap());
    let damaged = stack.find("worlds\\retail\\ruin\\textures\\ruin_wall_d.tex").unwrap();
    assert_eq!(stack.digest(damaged, &Task::new()).unwrap()[0].class, Class::Unreadable);
}

#[test]
fn it_has_the_same_bytes_every_time_and_about_seven_megabytes_before_packing() {
    let again = tempfile::tempdir().unwrap();
    let written = demo::write(again.path(), &Task::new()).unwrap();
    let stack = stack();
    let layers = stack.layers().iter();
    let sizes = layers.flat_map(|layer| (0..layer.file_count()).map(|file| layer.stat(file).size));
    assert!((6_000_000..8_000_000).contains(&sizes.sum::<u64>()));
    assert!((1_000_000..3_000_000).contains(&written.bytes), "{written:?}");
    let mut files = 0;
    for entry in walkdir::WalkDir::new(again.path()).into_iter().map(Result::unwrap) {
        if entry.file_type().is_file() {
            let other = folder().join(entry.path().strip_prefix(again.path()).unwrap());
            assert!(
                std::fs::read(entry.path()).unwrap() == std::fs::read(&other).unwrap(),
                "{}",
                other.display()
            );
            files += 1;
        }
    }
    assert_eq!(files, written.files);
}

#[test]
fn it_is_never_written_over_other_files() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("precious"), "1").unwrap();
    assert!(demo::write(folder.path(), &Task::new()).unwrap_err().to_string().contains("not empty"));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn it_is_never_written_over_a_game_and_its_list() {
    let game = tempfile::tempdir().unwrap();
    std::fs::create_dir(game.path().join("x64")).unwrap();
    let list = game.path().join("x64").join("default.archcfg");
    std::fs::write(&list, "..\\Base.arch06\r\n").unwrap();
    assert!(demo::write(game.path(), &Task::new()).unwrap_err().to_string().contains("not empty"));
    assert_eq!(std::fs::read(&list).unwrap(), b"..\\Base.arch06\r\n");
}
