//! Wrong words, broken layers, closed pipes.

use std::fs;
use std::io::Read as _;
use std::path::PathBuf;
use std::process::Stdio;

use clap::Parser as _;
use palimpsest::cli::args::Cli;
use serde_json::Value;

use crate::{demo, on_demo, program, run};

#[test]
fn wrong_words_end_with_2_and_say_which() {
    let demo = demo().to_str().unwrap();
    for (words, part) in [
        (&["which"][..], "PATH"),
        (&["nonsense"], "nonsense"),
        (&["ls"], "nothing to mount"),
        (&["ls", "-m", "no/such/folder"], "no/such/folder"),
        (&["ls", "size:>x", "-m", demo], "size:>x"),
        (&["ls", "foo:bar", "-m", demo], "known are ext, layer,"),
        (&["ls", "--copies", "layer:nope", "-m", demo], "layer:nope"),
        (&["extract", "layer:nope", "--out", "x", "-m", demo], "layer:nope"),
        (&["cat", "readme.txt", "--json", "-m", demo], "--json"),
        (&["ls", "/(/", "-m", demo], "/(/"),
        (&["cat", "readme.txt", "--layer", "nobody", "-m", demo], "nobody"),
        (&["cat", "", "-m", demo], "value is required for '<PATH>'"),
        (&["which", "readme.txt", "", "-m", demo], "value is required for '<PATH>...'"),
        (&["info", "", "-m", demo], "value is required for '<PATH>'"),
        (&["cat", "readme.txt", "--layer", "", "-m", demo], "value is required for '--layer <LAYER>'"),
        (&["ls", "-m", ""], "value is required for '--mount <MOUNT>'"),
        (&["--demo", "ls"], "ls: no such file or folder; a subcommand comes first: palimpsest ls"),
        (&["screenshot", "--out", "x.png", "--size", "1x1", "--demo"], "1x1"),
    ] {
        let ran = run(words.iter().copied());
        assert_eq!(ran.status, 2, "{words:?}: {}", ran.err);
        assert!(ran.err.contains(part), "{words:?}: {}", ran.err);
        assert!(ran.out.is_empty(), "{words:?}");
    }
}

#[test]
fn help_and_version_are_no_errors() {
    assert!(run(["--help"]).text().contains("layers"));
    assert!(run(["--version"]).text().starts_with("palimpsest "));
}

#[test]
fn help_says_how_words_are_taken() {
    for command in ["ls", "extract"] {
        let help = run(["help", command]).text();
        assert!(help.contains("all of them have to match a path"), "{help}");
    }
    let which = run(["help", "which"]).text();
    let which: Vec<_> = which.split_whitespace().collect();
    assert!(which.join(" ").contains("each path gives one object on a line of its own"), "{which:?}");
    assert!(run(["help", "demo"]).text().contains("earlier demo, which is written anew"));
    assert!(!run(["help", "cat"]).text().contains("--json"));
}

#[test]
fn the_window_takes_its_mounts_like_every_subcommand() {
    let words = ["palimpsest", "low", "-m", "middle", "--mount", "high", "--arch", "a", "--archcfg", "b"];
    let window = Cli::try_parse_from(words).unwrap().window;
    let mounts = window.sources.above(&window.places);
    assert_eq!(mounts.paths, ["low", "middle", "high"].map(PathBuf::from));
    assert_eq!((mounts.arch, mounts.archcfg), (vec!["a".into()], Some("b".into())));
    assert!(Cli::try_parse_from(["palimpsest"]).unwrap().window.sources.is_empty());
}

/// A folder of two good archives and two broken ones.
fn broken() -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    for (name, bytes) in [
        ("a.arch06", fs::read(demo().join("World.arch06")).unwrap()),
        ("b.arch06", Vec::new()),
        ("c.arch06", fs::read(demo().join("Global.arch06")).unwrap().split_off(1)),
        ("d.arch06", fs::read(demo().join("Global.arch06")).unwrap()),
    ] {
        fs::write(root.path().join(name), bytes).unwrap();
    }
    root
}

#[test]
fn a_broken_layer_is_named_and_the_rest_is_listed() {
    let root = broken();
    let ran = run(["layers", "--json", "-m", root.path().to_str().unwrap()]);
    let layers = &ran.lines()[0]["layers"];
    let broken: Vec<_> = layers.as_array().unwrap().iter().map(|layer| !layer["error"].is_null()).collect();
    assert_eq!(broken, [false, true, true, false]);
    assert!(layers[0]["files"].as_u64().unwrap() > 0 && layers[3]["files"].as_u64().unwrap() > 0);
    assert_eq!(ran.status, 1);
    for part in ["b.arch06", "c.arch06"] {
        assert!(ran.err.contains(part), "{}", ran.err);
    }
    // The order of archives without a list is a guess, which is said.
    assert!(ran.err.contains("warning: "), "{}", ran.err);
}

#[test]
fn a_broken_layer_fails_what_is_asked_of_all_layers_and_nothing_else() {
    let root = broken();
    let mount = root.path().to_str().unwrap();
    let listed = run(["ls", "--json", "-m", mount]);
    assert_eq!(listed.status, 1);
    let path = listed.lines()[0]["path"].as_str().unwrap().to_owned();
    let elsewhere = tempfile::tempdir().unwrap();
    let out = elsewhere.path().join("out");
    for words in [
        &["cat", &path][..],
        &["which", &path],
        &["info", &path],
        &["extract", &path, "--out", out.to_str().unwrap()],
    ] {
        let ran = run(words.iter().copied().chain(["--quiet", "-m", mount]));
        assert_eq!((ran.status, ran.err.lines().count()), (0, 2), "{words:?}: {}", ran.err);
        assert!(ran.err.contains("b.arch06: ") && ran.err.contains("c.arch06: "), "{}", ran.err);
    }
    assert_eq!(run(["info", "b.arch06", "-m", mount]).status, 1);
    assert_eq!(run(["cat", &path, "--layer", "b.arch06", "-m", mount]).status, 1);
}

#[test]
fn a_word_list_that_cannot_be_read_fails_every_command_that_takes_one() {
    let folder = tempfile::tempdir().unwrap();
    let gone = folder.path().join("gone");
    let mut lists = vec![(gone, "os error"), (folder.path().to_path_buf(), "not a regular file")];
    if cfg!(unix) {
        lists.push((PathBuf::from("/dev/zero"), "not a regular file"));
    }
    for (list, reason) in lists {
        let list = list.to_str().unwrap();
        for words in [
            &["layers"][..],
            &["ls"],
            &["which", "readme.txt"],
            &["cat", "readme.txt"],
            &["info", "readme.txt"],
            &["info", "readme.txt", "--tree"],
        ] {
            let ran = on_demo(words.iter().copied().chain(["--quiet", "--names", list]));
            assert!(!ran.out.is_empty(), "{words:?}");
            assert_eq!((ran.status, ran.err.lines().count()), (1, 1), "{words:?}: {}", ran.err);
            assert!(ran.err.contains(list) && ran.err.contains(reason), "{words:?}: {}", ran.err);
        }
    }
}

#[test]
fn a_reader_that_goes_away_ends_the_program_quietly() {
    let mut child = program()
        .args(["ls", "--copies", "--json", "-m", demo().to_str().unwrap()])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = [0; 1];
    child.stdout.as_mut().unwrap().read_exact(&mut first).unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((String::from_utf8(output.stderr).unwrap().as_str(), output.status.code()), ("", Some(0)));
}

#[test]
fn every_json_output_is_json_when_some_items_fail() {
    let ran = on_demo(["info", "worlds\\retail\\ruin\\textures\\ruin_wall_d.tex", "--json", "--tree"]);
    let info = &ran.lines()[0];
    assert!(info["error"].as_str().unwrap().contains("chunks[1]"));
    // The structure goes as far as the bytes do.
    assert_ne!(info["tree"], Value::Null);
    assert_eq!(ran.status, 1);
}
