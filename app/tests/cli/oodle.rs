//! The user's own Oodle library on the command line: one that is none, and one that crashes.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::on_demo;

const SWORD: &str = "characters\\ranger\\ranger_sword_d.tex";

#[test]
fn what_is_no_library_is_named_and_the_built_in_decoder_decodes() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("oo2core.so");
    fs::write(&file, "no library").unwrap();
    let ran = on_demo(["cat", SWORD, "--oodle", file.to_str().unwrap()]);
    assert!(ran.out.starts_with(b"TEXR"));
    let complaint = ran.fails(1);
    assert!(complaint.contains("oo2core.so: not supported: not a library"), "{complaint}");
    assert!(complaint.contains("the built-in decoder is used"), "{complaint}");
    assert_eq!(on_demo(["cat", SWORD, "--oodle-compare"]).status, 2);
}

/// Builds a library whose function does what `body` says.
fn build(folder: &Path, name: &str, body: &str) -> PathBuf {
    let source = folder.join(format!("{name}.rs"));
    let code =
        format!("#[unsafe(no_mangle)] pub extern \"system\" fn OodleLZ_Decompress() -> isize {{ {body} }}");
    fs::write(&source, code).unwrap();
    let library = folder.join(format!("{name}{}", std::env::consts::DLL_SUFFIX));
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let arguments = ["--edition=2024", "--crate-type=cdylib", "-Awarnings", "-o"];
    let built = Command::new(rustc).args(arguments).args([&library, &source]).status().unwrap();
    assert!(built.success());
    library
}

#[test]
fn a_library_that_crashes_ends_or_hangs_does_not_take_the_program_with_it() {
    let folder = tempfile::tempdir().unwrap();
    for (name, body, expected) in [
        ("crash", "std::process::abort()", "the library ends the program that opens it"),
        ("end", "std::process::exit(0)", "the library ends the program that opens it"),
        ("hang", "loop { std::thread::park() }", "the library does not answer"),
    ] {
        let library = build(folder.path(), name, body);
        let ran = on_demo(["cat", SWORD, "--oodle", library.to_str().unwrap(), "--oodle-compare"]);
        assert!(ran.out.starts_with(b"TEXR"), "{name}");
        let complaint = ran.fails(1);
        assert!(complaint.contains(expected), "{name}: {complaint}");
    }
}
