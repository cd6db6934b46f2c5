//! One path, many spellings, and files that are hard to name.

use palimpsest_core::mount::{EntryId, FolderId, Mounts};

use crate::{all_paths, archive, mount, mounted, texts, write};

#[test]
fn lookups_ignore_letter_case_and_take_slashes_for_backslashes() {
    let root = tempfile::tempdir().unwrap();
    write(root.path(), "a.arch06", archive(&[("Characters\\Orc\\Sword_D.tex", "1")]));
    let stack = mounted(&root.path().join("a.arch06"));
    for path in
        ["Characters\\Orc\\Sword_D.tex", "characters/orc/sword_d.TEX", "/characters//orc\\sword_d.tex"]
    {
        assert_eq!(texts(&stack, path), ["1"], "{path}");
    }
    for path in ["characters\\orc", "sword_d.tex", "", "\\", "characters\\orc\\sword_d.te"] {
        assert_eq!(stack.find(path), None, "{path}");
    }
    assert_eq!(all_paths(&stack), ["Characters\\Orc\\Sword_D.tex"]);
}

#[test]
fn spellings_of_one_path_in_several_layers_are_copies_of_it() {
    let root = tempfile::tempdir().unwrap();
    write(root.path(), "1.arch06", archive(&[("A\\B.TEX", "1")]));
    // Leaf names with separators in them, as no shipped archive has them.
    for (name, leaf) in [("2", "a/b.tex"), ("3", "/a//b.tex")] {
        let mut bytes = archive(&[(&"x".repeat(leaf.len()), name)]);
        let at = bytes.windows(leaf.len()).position(|part| part.iter().all(|byte| *byte == b'x')).unwrap();
        bytes[at..at + leaf.len()].copy_from_slice(leaf.as_bytes());
        write(root.path(), &format!("{name}.arch06"), bytes);
    }
    let paths = ["1", "2", "3"].map(|name| root.path().join(format!("{name}.arch06"))).to_vec();
    let stack = mount(&Mounts { paths, ..Mounts::default() }).unwrap();
    assert_eq!(stack.index().entry_count(), 1);
    assert_eq!(texts(&stack, "a\\b.tex"), ["3", "2", "1"]);
    let answer = stack.resolve(EntryId(0));
    let spelled: Vec<_> = answer.copies.iter().map(|copy| copy.path.as_str()).collect();
    assert_eq!(spelled, ["/a//b.tex", "a/b.tex", "A\\B.TEX"]);
    assert_eq!(answer.path, "a\\b.tex", "as the winner spells it");
}

#[test]
fn folders_and_entries_form_a_tree() {
    let root = tempfile::tempdir().unwrap();
    let files = ["z.txt", "dlc\\b.txt", "dlc4\\a.txt", "dlc\\deep\\er\\c.txt", "dlc\\a.txt", "DLC_x\\a.txt"];
    write(root.path(), "a.arch06", archive(&files.map(|path| (path, path))));
    let stack = mounted(root.path());
    let index = stack.index();
    let name = |folder| String::from_utf8_lossy(index.folder_path(folder)).into_owned();
    let names: Vec<_> = index.subfolders(FolderId::ROOT).map(name).collect();
    assert_eq!(names, ["dlc", "dlc4", "DLC_x"]);
    let dlc = index.find_folder(b"dlc").unwrap();
    assert_eq!(index.subfolders(dlc).map(name).collect::<Vec<_>>(), ["dlc\\deep"]);
    assert_eq!((index.entries_in(dlc).len(), index.entries_below(dlc).len()), (2, 3));
    assert_eq!(index.entries_below(FolderId::ROOT).len(), 6);
    assert_eq!(index.parent(dlc), Some(FolderId::ROOT));
    assert_eq!(index.parent(FolderId::ROOT), None);
    let expected =
        ["z.txt", "dlc\\a.txt", "dlc\\b.txt", "dlc\\deep\\er\\c.txt", "dlc4\\a.txt", "DLC_x\\a.txt"];
    assert_eq!(all_paths(&stack), expected);
    for entry in index.entries() {
        assert_eq!(stack.find(&stack.path(entry)), Some(entry));
        assert!(index.entries_in(index.folder_of(entry)).contains(&entry.0));
    }
}

#[test]
fn a_layer_alone_has_its_own_tree() {
    let root = tempfile::tempdir().unwrap();
    write(root.path(), "1.arch06", archive(&[("a\\1.txt", ""), ("b\\2.txt", "")]));
    write(root.path(), "2.arch06", archive(&[("b\\2.txt", ""), ("c\\3.txt", "")]));
    let stack = mounted(root.path());
    let index = stack.index_of_layer(1, &palimpsest_core::task::Task::new()).unwrap();
    assert_eq!((index.entry_count(), index.copy_count(), index.folder_count()), (2, 2, 3));
    assert_eq!(index.path(stack.layers(), EntryId(1)), b"b\\2.txt");
}

#[test]
fn names_that_are_not_utf8_are_shown_and_found() {
    let root = tempfile::tempdir().unwrap();
    let mut bytes = archive(&[("caf_.tex", "1"), ("名前.tex", "2")]);
    let at = bytes.windows(3).position(|part| part == b"caf").unwrap();
    bytes[at + 3] = 0xE9;
    write(root.path(), "a.arch06", bytes);
    let stack = mounted(root.path());
    let mut paths = all_paths(&stack);
    paths.sort();
    assert_eq!(paths, ["café.tex", "名前.tex"]);
    assert_eq!((texts(&stack, "café.tex"), texts(&stack, "名前.tex")), (vec!["1".into()], vec!["2".into()]));
}

#[test]
fn files_of_no_bytes_are_files() {
    let root = tempfile::tempdir().unwrap();
    write(root.path(), "a.arch06", archive(&[("empty.txt", "")]));
    write(root.path(), "Game/empty.txt", "");
    for path in ["a.arch06", "Game"] {
        assert_eq!(texts(&mounted(&root.path().join(path)), "empty.txt"), [""]);
    }
}

#[cfg(unix)]
#[test]
fn loose_files_that_differ_in_letter_case_are_copies_of_one_path() {
    let root = tempfile::tempdir().unwrap();
    for (path, text) in
        [("Data/a.txt", "1"), ("data/A.TXT", "2"), ("data/a.txt", "3"), ("back\\slash.txt", "4")]
    {
        write(root.path(), path, text);
    }
    let stack = mounted(root.path());
    assert_eq!(stack.index().entry_count(), 2);
    assert_eq!(texts(&stack, "data\\a.txt"), ["1", "2", "3"]);
    assert_eq!(texts(&stack, "back/slash.txt"), ["4"]);
}

#[cfg(unix)]
#[test]
fn loops_and_pipes_are_warnings() {
    let root = tempfile::tempdir().unwrap();
    write(root.path(), "a/b.txt", "1");
    std::os::unix::fs::symlink(root.path(), root.path().join("a/loop")).unwrap();
    std::os::unix::fs::symlink(root.path().join("nothing"), root.path().join("a/dangling")).unwrap();
    let pipe = root.path().join("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let stack = mounted(root.path());
    assert_eq!(all_paths(&stack), ["a\\b.txt"]);
    assert_eq!(stack.layers()[0].warnings.len(), 3, "{:?}", stack.layers()[0].warnings);
    assert!(mount(&Mounts::of(pipe)).is_err());
}
