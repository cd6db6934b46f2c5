//! Extracting: everything that can be written is, the rest is named, and nothing leaves the folder.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail loudly")]

use std::fs;
use std::path::Path;

use palimpsest_core::extract::{Extraction, Picked, Report};
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
    let picked = Picked::of(stack.index(), stack.index().entries(), None);
    let extraction = Extraction { out: out.to_path_buf(), is_flat: false };
    extraction.run(stack, &picked, &Task::new()).unwrap()
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
    let extraction = Extraction { out: root.path().join("out"), is_flat: false };
    assert!(extraction.run(&stack, &picked, &task).unwrap_err().is_cancelled());
}
