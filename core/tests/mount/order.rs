//! Which layers there are, and which is searched first.

use std::path::PathBuf;

use palimpsest_core::error::ErrorKind;
use palimpsest_core::mount::{Mounts, Plan};
use palimpsest_core::task::Task;

use crate::{archive, layer_names, mount, mounted, texts, write};

/// An install whose archives have names that sort oddly, each with the path `a.txt`.
fn install(list: &str) -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    write(root.path(), "x64/default.archcfg", list);
    for (name, text) in [("Window", "0"), ("PatchWindow", "1"), ("patch_2", "2"), ("Patch_10", "10")] {
        write(root.path(), &format!("{name}.arch06"), archive(&[("a.txt", text)]));
    }
    write(root.path(), "Game/a.txt", "loose");
    root
}

#[test]
fn the_bottom_line_of_a_list_is_searched_first_whatever_the_names() {
    let orders: [(&str, &[&str]); 3] = [
        ("..\\Window.arch06\n..\\PatchWindow.arch06\n..\\patch_2.arch06", &["2", "1", "0"]),
        ("..\\patch_2.arch06\n..\\Window.arch06\n..\\Patch_10.arch06\n..\\Game", &["loose", "10", "0", "2"]),
        ("..\\Game\n..\\PatchWindow.arch06\n..\\Window.arch06", &["0", "1", "loose"]),
    ];
    for (list, expected) in orders {
        let root = install(list);
        assert_eq!(texts(&mounted(root.path()), "a.txt"), expected, "{list}");
    }
}

#[test]
fn lines_that_mount_nothing_are_remembered_with_their_reason() {
    let root = install(
        "; list\r\n..\\nothing.arch06\r\n..\\window.ARCH06 ; twice\r\n../Window.arch06\r\nx\\..\\..\\Game",
    );
    let stack = mounted(root.path());
    assert_eq!(layer_names(&stack), ["Window.arch06"]);
    let skipped: Vec<_> =
        stack.skipped().iter().map(|line| (line.line, &*line.text, &*line.reason)).collect();
    let expected = [
        (2, "..\\nothing.arch06", "no such file or folder"),
        (3, "..\\window.ARCH06", "the same file as line 4, which is searched first"),
        (5, "x\\..\\..\\Game", "no such file or folder"),
    ];
    assert_eq!(skipped, expected);
}

#[test]
fn later_mounts_are_searched_before_earlier_ones() {
    let root = install("..\\Window.arch06\n..\\PatchWindow.arch06");
    write(root.path(), "mod/a.txt", "mod");
    let mounts = Mounts {
        paths: vec![root.path().to_path_buf(), root.path().join("mod"), root.path().join("patch_2.arch06")],
        ..Mounts::default()
    };
    assert_eq!(texts(&mount(&mounts).unwrap(), "a.txt"), ["2", "mod", "1", "0"]);
}

#[test]
fn arch_is_below_the_list_and_archcfg_replaces_it() {
    let root = install("..\\Window.arch06");
    write(root.path(), "x64/mine.archcfg", "..\\PatchWindow.arch06\n..\\Game");
    let mounts = Mounts {
        paths: vec![root.path().to_path_buf()],
        arch: vec![root.path().join("patch_2.arch06"), root.path().join("Patch_10.arch06")],
        archcfg: Some(root.path().join("x64/mine.archcfg")),
    };
    assert_eq!(texts(&mount(&mounts).unwrap(), "a.txt"), ["loose", "1", "10", "2"]);
    let without_install = Mounts { paths: Vec::new(), ..mounts };
    assert_eq!(texts(&mount(&without_install).unwrap(), "a.txt"), ["loose", "1", "10", "2"]);
}

#[test]
fn an_install_is_known_by_its_root_its_x64_folder_and_its_list() {
    let root = install("..\\Window.arch06\n..\\PatchWindow.arch06");
    for path in ["", "x64", "x64/default.archcfg"] {
        assert_eq!(layer_names(&mounted(&root.path().join(path))), ["PatchWindow.arch06", "Window.arch06"]);
    }
}

#[test]
fn archives_without_a_list_are_mounted_by_name_with_a_warning() {
    let root = install("");
    std::fs::remove_dir_all(root.path().join("x64")).unwrap();
    let stack = mounted(root.path());
    assert_eq!(
        layer_names(&stack),
        ["Window.arch06", "PatchWindow.arch06", "patch_2.arch06", "Patch_10.arch06"]
    );
    assert!(stack.warnings()[0].contains("which is a guess"), "{:?}", stack.warnings());
}

#[test]
fn an_empty_list_mounts_nothing() {
    let stack = mounted(install("; nothing").path());
    assert_eq!((stack.layers().len(), stack.index().entry_count()), (0, 0));
    assert_eq!(stack.index().folder_count(), 1);
}

#[test]
fn a_file_is_a_layer_of_one_path_and_a_folder_is_relative_to_itself() {
    let root = tempfile::tempdir().unwrap();
    write(root.path(), "Game/deep/a.txt", "1");
    let stack = mounted(&root.path().join("Game/deep/a.txt"));
    assert_eq!((layer_names(&stack), texts(&stack, "a.txt")), (vec!["a.txt"], vec!["1".to_owned()]));
    let stack = mounted(&root.path().join("Game"));
    assert_eq!((layer_names(&stack), texts(&stack, "deep\\a.txt")), (vec!["Game"], vec!["1".to_owned()]));
}

#[test]
fn an_archive_is_known_by_its_first_bytes_whatever_its_ending() {
    let root = tempfile::tempdir().unwrap();
    write(root.path(), "renamed.bin", archive(&[("a.txt", "1")]));
    assert_eq!(texts(&mounted(&root.path().join("renamed.bin")), "a.txt"), ["1"]);
}

#[test]
fn a_path_that_names_nothing_is_an_error() {
    for mounts in [
        Mounts::of("no/such/thing"),
        Mounts { arch: vec![PathBuf::from("no.arch06")], ..Mounts::default() },
        Mounts { archcfg: Some(PathBuf::from("no.archcfg")), ..Mounts::default() },
    ] {
        let error = Plan::new(&mounts, &Task::new()).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::NotFound(_)), "{error}");
    }
}

#[test]
fn a_list_that_is_too_large_is_an_error_that_names_it() {
    let root = install("");
    let list = root.path().join("x64/default.archcfg");
    std::fs::File::options().write(true).open(&list).unwrap().set_len(1 << 40).unwrap();
    for path in [&list, root.path()] {
        let error = mount(&Mounts::of(path)).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Limit(_)), "{error}");
        assert!(error.to_string().contains("default.archcfg: over a limit"), "{error}");
    }
}

#[test]
fn layers_are_found_by_name_or_number() {
    let stack = mounted(install("..\\Window.arch06\n..\\PatchWindow.arch06").path());
    assert_eq!(stack.find_layer("WINDOW.ARCH06"), Some(1));
    assert_eq!(stack.find_layer("0"), Some(0));
    assert_eq!(stack.find_layer("2"), None);
}

#[test]
fn a_cancelled_mount_stops() {
    let root = install("..\\Window.arch06");
    let task = Task::new();
    task.cancel();
    let error = palimpsest_core::mount::Stack::mount(&Mounts::of(root.path()), &task).unwrap_err();
    assert!(error.is_cancelled());
}

#[cfg(unix)]
#[test]
fn a_list_that_cannot_be_read_is_an_error_and_not_no_list() {
    use std::os::unix::fs::symlink;
    let list = "x64/default.archcfg";
    type Spoil = fn(&std::path::Path);
    let cases: [(Spoil, &str); 4] = [
        (|list| std::fs::create_dir(list).unwrap(), "not a regular file"),
        (|list| symlink("/dev/null", list).unwrap(), "not a regular file"),
        (|list| symlink("nowhere", list).unwrap(), "No such file"),
        // As a folder that nobody may look into, for whoever runs the tests.
        (
            |list| {
                std::fs::remove_dir(list.parent().unwrap()).unwrap();
                symlink("x64", list.parent().unwrap()).unwrap();
            },
            "symbolic links",
        ),
    ];
    for (spoil, reason) in cases {
        let root = install("..\\Window.arch06");
        std::fs::remove_file(root.path().join(list)).unwrap();
        spoil(&root.path().join(list));
        let error = mount(&Mounts::of(root.path())).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Io(_)), "{error}");
        assert!(error.to_string().contains("default.archcfg: "), "{error}");
        assert!(error.to_string().contains(reason), "{error}");
        // Another list makes up for it.
        write(root.path(), "mine.archcfg", "Window.arch06");
        let mounts = Mounts { archcfg: Some(root.path().join("mine.archcfg")), ..Mounts::of(root.path()) };
        assert_eq!(layer_names(&mount(&mounts).unwrap()), ["Window.arch06"]);
    }
}
