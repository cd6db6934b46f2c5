//! Extracting: everything that can be written is, the rest is named, and nothing leaves the folder.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail loudly")]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use palimpsest_core::error::Result;
use palimpsest_core::export::Conversion;
use palimpsest_core::extract::{Extraction, Picked, Report, write_file};
use palimpsest_core::formats::ltar::{Builder, Packing};
use palimpsest_core::mount::{Mounts, Stack};
use palimpsest_core::task::Task;

fn stack(root: &Path, build: impl FnOnce(&mut Builder)) -> Stack {
    let mut builder = Builder::new();
    build(&mut builder);
    fs::write(root.join("a.arch06"), builder.finish()).unwrap();
    Stack::mount(&Mounts::of(root.join("a.arch06")), &Task::new()).unwrap()
}

fn extract(stack: &Stack, out: &Path) -> Report {
    try_extract(stack, out).unwrap()
}

fn try_extract(stack: &Stack, out: &Path) -> Result<Report> {
    let picked = Picked::of(stack.index(), stack.index().entries(), None);
    let extraction = Extraction {
        out: out.to_path_buf(),
        is_flat: false,
        conversion: Conversion::default(),
        names: Arc::default(),
    };
    extraction.run(stack, &picked, &Task::new())
}

/// Every file and folder below a folder, and what is in the files.
fn contents(root: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(root).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(contents(&path));
            found.push((path, Vec::new()));
        } else {
            let bytes = fs::read(&path).unwrap();
            found.push((path, bytes));
        }
    }
    found.sort();
    found
}

/// An install with an archive, a list and a loose file, and what can be mounted of it.
fn game(root: &Path) -> PathBuf {
    let game = root.join("game");
    fs::create_dir_all(game.join("x64")).unwrap();
    fs::create_dir_all(game.join("Game/deep")).unwrap();
    fs::write(game.join("x64/default.archcfg"), "..\\a.arch06\n..\\Game").unwrap();
    fs::write(game.join("Game/deep/a.txt"), "loose").unwrap();
    let mut builder = Builder::new();
    builder.add("deep\\a.txt", b"packed");
    builder.add("Game\\deep\\a.txt", b"packed");
    builder.add("a.arch06", b"packed");
    fs::write(game.join("a.arch06"), builder.finish()).unwrap();
    game
}

#[test]
fn one_bad_file_does_not_stop_the_rest() {
    let root = tempfile::tempdir().unwrap();
    let stack = stack(root.path(), |builder| {
        for at in 0..10 {
            builder.add(&format!("f\\{at}.txt"), at.to_string().as_bytes());
        }
        builder.add_packed("f\\4.txt", Packing::Chunks, vec![0xFF; 16], 5);
        builder.add("f\\empty.txt", b"");
    });
    let out = root.path().join("out");
    let report = extract(&stack, &out);
    assert_eq!((report.written, report.bytes, report.renamed.len()), (10, 9, 0));
    assert_eq!(report.failed.len(), 1);
    assert_eq!(report.failed[0].0, "f\\4.txt");
    let copy = stack.index().copies(stack.find("f\\4.txt").unwrap())[0];
    let offset = stack.layer(copy).unwrap().stat(copy.file).offset.unwrap();
    let error = report.failed[0].1.to_string();
    assert!(error.starts_with(&format!("a.arch06: f\\4.txt: chunks[0] at {offset:#X}: ")), "{error}");
    assert_eq!(fs::read(out.join("f/7.txt")).unwrap(), b"7");
    assert_eq!(fs::read(out.join("f/empty.txt")).unwrap(), b"");
    assert!(!out.join("f/4.txt").exists());
    assert_eq!(fs::read_dir(out.join("f")).unwrap().count(), 10, "no half-written file is left");
}

#[test]
fn nothing_is_written_outside_the_folder() {
    let root = tempfile::tempdir().unwrap();
    let paths = ["..\\x", "..\\..\\y", "C:\\z", "a\\..\\..\\w"];
    let stack = stack(root.path(), |builder| {
        for path in paths {
            builder.add(path, b"1");
        }
    });
    let out = root.path().join("deep/out");
    let report = extract(&stack, &out);
    assert_eq!((report.written, report.failed.len(), report.renamed.len()), (4, 0, 4));
    let mut outside: Vec<_> =
        fs::read_dir(root.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    outside.sort();
    assert_eq!(outside, ["a.arch06", "deep"]);
    assert_eq!(fs::read_dir(root.path().join("deep")).unwrap().count(), 1);
}

#[test]
fn files_that_are_there_are_replaced() {
    let root = tempfile::tempdir().unwrap();
    let out = root.path().join("out");
    fs::create_dir(&out).unwrap();
    fs::write(out.join("a.txt"), "a long text from before").unwrap();
    let stack = stack(root.path(), |builder| {
        builder.add("a.txt", b"new");
    });
    assert_eq!(extract(&stack, &out).written, 1);
    assert_eq!(fs::read(out.join("a.txt")).unwrap(), b"new");
}

#[cfg(unix)]
#[test]
#[cfg(unix)]
fn a_file_of_the_programs_own_takes_the_place_of_a_link_and_leaves_what_that_leads_to() {
    let root = tempfile::tempdir().unwrap();
    let game = root.path().join("game");
    fs::create_dir(&game).unwrap();
    fs::write(game.join("a.txt"), "game").unwrap();
    let stack = Stack::mount(&Mounts::of(game.clone()), &Task::new()).unwrap();
    let out = root.path().join("out");
    fs::create_dir(&out).unwrap();
    std::os::unix::fs::symlink(game.join("a.txt"), out.join("link.txt")).unwrap();
    std::os::unix::fs::symlink(game.join("new.txt"), out.join("dangling.txt")).unwrap();
    fs::hard_link(game.join("a.txt"), out.join("hard.txt")).unwrap();
    for name in ["link.txt", "dangling.txt", "hard.txt", "folder/new.txt"] {
        write_file(&stack, &out.join(name), b"own").unwrap();
        assert_eq!(fs::read_to_string(out.join(name)).unwrap(), "own");
    }
    assert_eq!(fs::read_to_string(game.join("a.txt")).unwrap(), "game");
    assert!(!game.join("new.txt").exists());
    assert!(write_file(&stack, &game.join("b.txt"), b"own").is_err());
}

#[test]
fn copies_of_a_path_in_the_same_layer_are_left_out_and_named() {
    let root = tempfile::tempdir().unwrap();
    let (layer, out) = (root.path().join("layer"), root.path().join("out"));
    fs::create_dir(&layer).unwrap();
    for (name, text) in [("file.txt", "lower"), ("File.txt", "upper"), ("other.txt", "other")] {
        fs::write(layer.join(name), text).unwrap();
    }
    let stack = Stack::mount(&Mounts::of(&layer), &Task::new()).unwrap();
    let report = extract(&stack, &out);
    assert_eq!((report.written, report.failed.len()), (2, 0));
    assert_eq!(report.left_out, ["file.txt"]);
    assert_eq!(fs::read(out.join("File.txt")).unwrap(), b"upper");
}

#[cfg(unix)]
#[test]
fn links_are_not_followed() {
    let root = tempfile::tempdir().unwrap();
    let (out, elsewhere) = (root.path().join("out"), root.path().join("elsewhere"));
    fs::create_dir(&out).unwrap();
    fs::create_dir(&elsewhere).unwrap();
    fs::write(elsewhere.join("precious"), "precious").unwrap();
    std::os::unix::fs::symlink(&elsewhere, out.join("folder")).unwrap();
    std::os::unix::fs::symlink(elsewhere.join("precious"), out.join("file")).unwrap();
    let stack = stack(root.path(), |builder| {
        builder.add("folder\\a.txt", b"1");
        builder.add("file", b"2");
    });
    let report = extract(&stack, &out);
    assert_eq!((report.written, report.failed.len()), (1, 1));
    assert!(report.failed[0].1.to_string().contains("a link is not followed"), "{}", report.failed[0].1);
    assert_eq!(fs::read_dir(&elsewhere).unwrap().count(), 1);
    assert_eq!(fs::read(elsewhere.join("precious")).unwrap(), b"precious");
    assert_eq!(fs::read(out.join("file")).unwrap(), b"2");
}

#[test]
fn a_cancelled_extraction_stops() {
    let root = tempfile::tempdir().unwrap();
    let stack = stack(root.path(), |builder| {
        builder.add("a.txt", b"1");
    });
    let task = Task::new();
    task.cancel();
    let picked = Picked::one(stack.index().copies(stack.find("a.txt").unwrap())[0]);
    let extraction = Extraction {
        out: root.path().join("out"),
        is_flat: false,
        conversion: Conversion::default(),
        names: Arc::default(),
    };
    assert!(extraction.run(&stack, &picked, &task).unwrap_err().is_cancelled());
}

#[test]
fn nothing_is_written_into_what_is_mounted() {
    let root = tempfile::tempdir().unwrap();
    let game = game(root.path());
    let before = contents(&game);
    for (mount, out) in [
        ("", ""),
        ("", "Game"),
        ("", "x64"),
        ("", "new/folder"),
        ("", "new/../Game"),
        ("x64", "new"),
        ("x64/default.archcfg", "new"),
        ("Game", "Game"),
        ("Game", "Game/deep"),
        ("Game", "../elsewhere/../game/Game/new"),
    ] {
        let stack = Stack::mount(&Mounts::of(game.join(mount)), &Task::new()).unwrap();
        let error = try_extract(&stack, &game.join(out)).unwrap_err();
        assert!(error.is_usage(), "{mount}, {out}: {error}");
        assert!(error.to_string().contains("is mounted; files of a game are only ever read"), "{error}");
        assert_eq!(contents(&game), before, "{mount}, {out}");
        assert!(!root.path().join("elsewhere").exists());
    }
}

#[cfg(unix)]
#[test]
fn a_link_into_what_is_mounted_is_no_way_around() {
    let root = tempfile::tempdir().unwrap();
    let game = game(root.path());
    let before = contents(&game);
    let link = root.path().join("link");
    std::os::unix::fs::symlink(&game, &link).unwrap();
    for (mount, out) in [(&game, link.join("new")), (&link, game.join("new")), (&game, link.clone())] {
        let stack = Stack::mount(&Mounts::of(mount), &Task::new()).unwrap();
        assert!(try_extract(&stack, &out).unwrap_err().is_usage(), "{}", out.display());
        assert_eq!(contents(&game), before);
    }
}

#[test]
fn a_mounted_file_is_kept_and_the_folder_around_it_can_be_written_to() {
    let root = tempfile::tempdir().unwrap();
    let game = game(root.path());
    let archive = fs::read(game.join("a.arch06")).unwrap();
    let mounts = Mounts { paths: vec![game.join("Game"), game.join("a.arch06")], ..Mounts::default() };
    let stack = Stack::mount(&mounts, &Task::new()).unwrap();
    // Beside a list it is an install, whatever of it is mounted.
    let error = try_extract(&stack, &game.join("new")).unwrap_err();
    assert!(error.is_usage() && error.to_string().contains("belongs to the install"), "{error}");
    fs::remove_file(game.join("x64/default.archcfg")).unwrap();
    let report = extract(&stack, &game);
    let failed: Vec<_> = report.failed.iter().map(|(path, error)| (&**path, error.is_usage())).collect();
    assert_eq!(failed, [("a.arch06", true), ("Game\\deep\\a.txt", true)]);
    assert_eq!(report.written, 1);
    assert_eq!(fs::read(game.join("deep/a.txt")).unwrap(), b"packed");
    assert_eq!(fs::read(game.join("Game/deep/a.txt")).unwrap(), b"loose");
    assert_eq!(fs::read(game.join("a.arch06")).unwrap(), archive);
    let single = Stack::mount(&Mounts::of(game.join("Game/deep/a.txt")), &Task::new()).unwrap();
    assert_eq!(extract(&single, &game.join("Game/deep")).failed.len(), 1);
    assert_eq!(extract(&single, &game.join("Game")).written, 1);
}
