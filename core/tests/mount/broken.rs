//! Archives that are damaged: one clear reason, and everything else works.

use palimpsest_core::mount::{LayerKind, Mounts, Query};
use palimpsest_core::task::Task;

use crate::{all_paths, archive, mount, mounted, texts, write};

/// An archive whose header, names and records are longer than 4 KiB.
fn large_archive() -> Vec<u8> {
    let names: Vec<_> =
        (0..100).map(|at| format!("folder_{}\\a_file_of_number_{at:04}.txt", at % 7)).collect();
    let files: Vec<_> = names.iter().map(|name| (name.as_str(), "text")).collect();
    archive(&files)
}

#[test]
fn an_archive_cut_anywhere_in_its_first_4_kib_is_broken_and_harms_nobody() {
    let root = tempfile::tempdir().unwrap();
    let whole = large_archive();
    assert!(whole.len() > 4096);
    write(root.path(), "good.arch06", archive(&[("a.txt", "good")]));
    for len in 0..4096 {
        write(root.path(), "cut.arch06", &whole[..len]);
        let stack = mounted(root.path());
        assert_eq!(stack.layers().len(), 2);
        let broken: Vec<_> = stack.broken().collect();
        let [(layer, reason)] = broken[..] else { panic!("cut at {len}: {broken:?}") };
        assert_eq!(layer.name, "cut.arch06");
        assert!(!reason.to_string().contains('\n'), "{reason}");
        assert_eq!(texts(&stack, "a.txt"), ["good"], "cut at {len}");
    }
}

#[test]
fn an_archive_cut_in_its_data_lists_everything_and_reads_what_is_there() {
    let root = tempfile::tempdir().unwrap();
    let whole = large_archive();
    write(root.path(), "cut.arch06", &whole[..whole.len() - 6]);
    let stack = mounted(root.path());
    assert_eq!(stack.index().entry_count(), 100);
    assert_eq!(stack.layers()[0].warnings.len(), 1, "{:?}", stack.layers()[0].warnings);
    assert_eq!(texts(&stack, "folder_0\\a_file_of_number_0000.txt"), ["text"]);
    let last = texts(&stack, "folder_6\\a_file_of_number_0097.txt");
    // The place of the field in the archive, as the warning about the same record has it.
    let warning = &stack.layers()[0].warnings[0];
    assert_eq!(last, [format!("cut.arch06: folder_6\\a_file_of_number_0097.txt: {warning}")]);
    assert!(warning.contains("0x1DCC and 12 stored bytes reach past the end of the archive at 0x1DD2"));
}

#[test]
fn counts_and_offsets_of_all_ones_are_refused_or_survived() {
    let whole = large_archive();
    let root = tempfile::tempdir().unwrap();
    for at in (0..whole.len() - 8).step_by(if cfg!(debug_assertions) { 3 } else { 1 }) {
        for width in [4, 8] {
            let mut bytes = whole.clone();
            bytes[at..at + width].fill(0xFF);
            write(root.path(), "bad.arch06", bytes);
            let stack = mounted(&root.path().join("bad.arch06"));
            for entry in stack.index().entries() {
                let answer = stack.resolve(entry);
                for copy in answer.copies {
                    // Any result will do; a panic or an endless loop will not.
                    let _ =
                        stack.content(copy.copy).and_then(|content| content.read(0..u64::MAX, &Task::new()));
                }
            }
        }
    }
}

#[test]
fn other_files_are_broken_layers_with_the_reason_in_words() {
    let root = tempfile::tempdir().unwrap();
    let mut mordor = archive(&[]);
    mordor[4] = 3;
    let cases: [(&str, &[u8], &str); 5] = [
        ("empty.arch06", b"", "header.magic at 0x0: needs 4 bytes, 0 are left"),
        ("text.arch06", b"hello there", "found \"hell\", expected LTAR or RATL"),
        ("mordor.arch05", &mordor, "Shadow of Mordor"),
        ("console.arch06", b"RATL\0\0\0\x04", "big-endian"),
        ("mech.mw4", b"#VBD\x04\0\0\0", "#VBD archives cannot be read yet"),
    ];
    for (name, bytes, reason) in cases {
        write(root.path(), name, bytes);
        let stack = mounted(&root.path().join(name));
        let (layer, error) = stack.broken().next().unwrap();
        assert!(error.to_string().contains(reason), "{error}");
        assert_eq!(layer.kind, if name == "mech.mw4" { LayerKind::Vbd } else { LayerKind::Ltar });
    }
}

#[test]
fn a_loose_file_that_is_gone_is_an_error_that_names_it() {
    let root = tempfile::tempdir().unwrap();
    write(root.path(), "Game/a.txt", "1");
    write(root.path(), "Game/b.txt", "2");
    let stack = mounted(&root.path().join("Game"));
    std::fs::remove_file(root.path().join("Game/a.txt")).unwrap();
    assert!(texts(&stack, "a.txt")[0].starts_with("Game: a.txt: "), "{:?}", texts(&stack, "a.txt"));
    assert_eq!(texts(&stack, "b.txt"), ["2"]);
}

#[test]
fn two_records_of_one_path_in_one_archive_are_both_listed() {
    let root = tempfile::tempdir().unwrap();
    let mut bytes = archive(&[("a1.txt", "first"), ("a2.txt", "second")]);
    let at = bytes.windows(2).position(|part| part == b"a2").unwrap();
    bytes[at + 1] = b'1';
    write(root.path(), "twice.arch06", bytes);
    let stack = mount(&Mounts::of(root.path().join("twice.arch06"))).unwrap();
    assert_eq!(texts(&stack, "a1.txt"), ["first", "second"]);
    let answer = stack.resolve(stack.find("a1.txt").unwrap());
    assert_eq!(answer.engine_winner, Some(1), "a binary search over two looks at the second");
    assert!(answer.copies[0].why.contains("reaches the other record"), "{}", answer.copies[0].why);
}

#[test]
fn a_name_that_is_too_long_is_a_warning_and_found_by_its_stand_in() {
    let root = tempfile::tempdir().unwrap();
    let long = "x".repeat(1025);
    write(root.path(), "a.arch06", archive(&[(&long, "1"), ("b.txt", "2")]));
    let stack = mounted(root.path());
    assert_eq!(all_paths(&stack), ["b.txt", "unnamed_000001"]);
    assert_eq!(texts(&stack, "unnamed_000001"), ["1"]);
    assert!(
        stack.layers()[0].warnings[0].contains("more than 1024 bytes"),
        "{:?}",
        stack.layers()[0].warnings
    );
    let found = |words: &str| stack.search(&Query::parse(words).unwrap(), &Task::new()).unwrap().len();
    assert_eq!((found("xx"), found("unnamed")), (0, 1));
    let task = Task::new();
    task.cancel();
    assert!(stack.names(&task).unwrap_err().is_cancelled());
}
