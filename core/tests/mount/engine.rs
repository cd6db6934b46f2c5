//! The engine's own search, and the folders that it misses.

use palimpsest_core::mount::{EngineLookup, Mounts};

use crate::{archive, mount, mounted, texts, write};

#[test]
fn a_folder_beside_one_whose_name_begins_alike_is_missed() {
    let root = tempfile::tempdir().unwrap();
    // On disk dlc4 stands before dlc; the folders behind them make the search look at dlc first.
    let high =
        ["bundles\\dlc\\a.bndl", "bundles\\dlc4\\b.bndl", "worlds\\keep\\c.bndl"].map(|path| (path, "high"));
    write(root.path(), "high.arch06", archive(&high));
    write(root.path(), "low.arch06", archive(&[("bundles\\dlc4\\b.bndl", "low")]));
    let paths = ["low", "high"].map(|name| root.path().join(format!("{name}.arch06"))).to_vec();
    let stack = mount(&Mounts { paths, ..Mounts::default() }).unwrap();

    let answer = stack.resolve(stack.find("bundles\\dlc4\\b.bndl").unwrap());
    assert_eq!((answer.winner, answer.engine_winner), (Some(0), Some(1)));
    assert_eq!(answer.copies.iter().map(|copy| copy.engine_finds).collect::<Vec<_>>(), [false, true]);
    assert!(
        answer.rule.contains("misses it there and would reach the copy in low.arch06"),
        "{}",
        answer.rule
    );
    assert!(answer.copies[0].why.contains("misses the folder bundles\\dlc4"), "{}", answer.copies[0].why);
    assert_eq!(texts(&stack, "bundles\\dlc4\\b.bndl"), ["high", "low"]);

    let answer = stack.resolve(stack.find("bundles\\dlc\\a.bndl").unwrap());
    assert!(answer.winner_is_found());
}

#[test]
fn a_path_that_only_a_missed_folder_holds_is_reached_by_nobody() {
    let root = tempfile::tempdir().unwrap();
    write(
        root.path(),
        "a.arch06",
        archive(&[("bundles\\dlc\\a", ""), ("bundles\\dlc4\\b", ""), ("c\\d\\e", "")]),
    );
    let stack = mounted(root.path());
    let answer = stack.resolve(stack.find("bundles/dlc4/b").unwrap());
    assert_eq!((answer.winner, answer.engine_winner), (Some(0), None));
    assert!(answer.rule.contains("misses every copy"), "{}", answer.rule);
}

#[test]
fn every_other_file_is_found() {
    let root = tempfile::tempdir().unwrap();
    let paths: Vec<_> = (0..500).map(|at| format!("f{:02}\\g{}\\Name_{at}.tex", at % 13, at % 7)).collect();
    let files: Vec<_> = paths.iter().map(|path| (path.as_str(), "")).collect();
    write(root.path(), "a.arch06", archive(&files));
    let stack = mounted(root.path());
    for entry in stack.index().entries() {
        assert!(stack.resolve(entry).winner_is_found(), "{}", stack.path(entry));
    }
    let layer = &stack.layers()[0];
    assert_eq!(layer.engine_find(b"f99\\nothing.tex"), EngineLookup::NoFolder);
    assert_eq!(layer.engine_find(b"f00\\g0\\nothing.tex"), EngineLookup::NoFile);
}

#[test]
fn only_the_first_0x105_characters_of_a_folder_count() {
    let root = tempfile::tempdir().unwrap();
    let folder = |end: &str| format!("{}{end}", "d".repeat(0x105));
    let (a, b) = (folder("_a"), folder("_b"));
    write(root.path(), "a.arch06", archive(&[(&format!("{a}\\1"), ""), (&format!("{b}\\2"), "")]));
    let stack = mounted(root.path());
    let layer = &stack.layers()[0];
    let found = |path: String| layer.engine_find(path.as_bytes());
    // To the search both folders are one; it meets the first of them.
    assert!(matches!(found(format!("{a}\\1")), EngineLookup::Found(_)));
    assert_eq!(found(format!("{b}\\2")), EngineLookup::NoFile);
}

#[test]
fn loose_files_are_found_whatever_their_case() {
    let root = tempfile::tempdir().unwrap();
    write(root.path(), "Game/Data/A.txt", "1");
    let stack = mounted(&root.path().join("Game"));
    assert!(stack.resolve(stack.find("data\\a.TXT").unwrap()).winner_is_found());
    let layer = &stack.layers()[0];
    assert_eq!(layer.engine_find(b"data\\b.txt"), EngineLookup::NoFile);
    assert_eq!(layer.engine_find(b"none\\b.txt"), EngineLookup::NoFolder);
}
