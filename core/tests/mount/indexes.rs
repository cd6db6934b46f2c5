//! Path indexes against their archives.

use palimpsest_core::formats::ltar::Builder;
use palimpsest_core::formats::path_index;
use palimpsest_core::mount::Mounts;
use palimpsest_core::task::Task;

use crate::{demo, mount, write};

const INDEX: &str = "archivepatchloosefiles.txt";

#[test]
fn rows_and_files_are_held_against_each_other() {
    let root = tempfile::tempdir().unwrap();
    let mut builder = Builder::new();
    for path in ["a\\listed.mat", "a\\left_out.mat", "b\\pair.bndl", "b\\pair.embb", "b\\alone.bndl"] {
        builder.add(path, b"1");
    }
    let mut index = path_index::write(&["a\\listed.mat", "a\\elsewhere.mat", "a\\nowhere.mat"]);
    // A hash that is none of its path.
    let last = index.len() - 8;
    index[last] ^= 1;
    builder.add(INDEX, &index);
    write(root.path(), "0.arch06", builder.finish());
    write(root.path(), "loose/a/elsewhere.mat", "2");
    let paths = ["0.arch06", "loose"].map(|name| root.path().join(name)).to_vec();
    let stack = mount(&Mounts { paths, ..Mounts::default() }).unwrap();
    let copy = stack.index().copies(stack.find(INDEX).unwrap())[0];
    let report = stack.index_report(copy, &Task::new()).unwrap();
    let mut rows: Vec<_> =
        report.rows.iter().map(|row| (&*row.path, row.is_held, row.entry.is_some())).collect();
    rows.sort_unstable();
    let expected =
        [("a\\elsewhere.mat", false, true), ("a\\listed.mat", true, true), ("a\\nowhere.mat", false, false)];
    assert_eq!(rows, expected);
    assert_eq!(report.rows.iter().filter(|row| !row.is_right).count(), 1);
    let unlisted: Vec<_> = report.unlisted.iter().map(|file| (file.path.as_str(), file.rule)).collect();
    let expected = [
        ("a\\left_out.mat", ""),
        (INDEX, "the index itself"),
        ("b\\alone.bndl", ""),
        ("b\\pair.bndl", "its container lies beside it"),
        ("b\\pair.embb", "containers are never listed"),
    ];
    let mut sorted = unlisted;
    sorted.sort_unstable();
    assert_eq!(sorted, expected);
    assert_eq!((report.all_rows, report.all_hashes), (3, 3));
}

#[test]
fn the_demos_indexes_list_as_the_games_do() {
    let stack = demo::stack().with_members(None, &Task::new()).unwrap();
    let entry = stack.find(INDEX).unwrap();
    assert!(stack.is_path_index(entry));
    for copy in stack.index().copies(entry) {
        let report = stack.index_report(*copy, &Task::new()).unwrap();
        assert!(report.rows.iter().all(|row| row.is_right && row.is_held));
        assert!(report.unlisted.iter().all(|file| !file.rule.is_empty()), "{:?}", report.unlisted);
        assert!(report.all_rows > report.all_hashes);
    }
}
