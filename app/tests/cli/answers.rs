//! Layers, paths and winners.

use std::collections::BTreeMap;
use std::fs;

use serde_json::{Value, json};

use crate::{demo, keys, on_demo, run};

/// The files of the demo's list, the bottom line first, as far as they are there: read here as
/// plain text, without the code that mounts.
fn mounted_files() -> Vec<String> {
    let list = fs::read_to_string(demo().join("x64/default.archcfg")).unwrap();
    let mut files: Vec<String> = Vec::new();
    for line in list.lines().rev() {
        let line = line.split(';').next().unwrap().trim();
        let Some(name) = line.strip_prefix("..\\") else { continue };
        let exists = fs::read_dir(demo()).unwrap().find_map(|entry| {
            let own = entry.unwrap().file_name().into_string().unwrap();
            own.eq_ignore_ascii_case(name).then_some(own)
        });
        files.extend(exists.filter(|own| !files.contains(own)));
    }
    files
}

#[test]
fn layers_are_the_list_reversed_with_the_lines_that_mounted_nothing() {
    let layers = on_demo(["layers", "--json"]).json();
    let of = layers["layers"].as_array().unwrap();
    let names: Vec<_> = of.iter().map(|layer| layer["name"].as_str().unwrap()).collect();
    assert_eq!(names, mounted_files());
    assert!(of.iter().enumerate().all(|(at, layer)| layer["index"] == at));
    for key in ["index", "name", "kind", "file", "files", "folders", "bytes", "warnings"] {
        assert!(of.iter().all(|layer| !layer[key].is_null()), "{key}");
    }
    let skipped: Vec<_> =
        layers["skipped"].as_array().unwrap().iter().map(|line| line["line"].clone()).collect();
    assert_eq!(skipped, [7, 15, 25]);
    assert_eq!(keys(&layers["skipped"][0]), ["line", "reason", "text"]);
}

#[test]
fn the_order_of_the_list_decides_not_the_names() {
    let root = tempfile::tempdir().unwrap();
    let files = mounted_files();
    // The same archives under names that sort the other way, listed from the top down.
    let mut list = String::from("; another game\n");
    for (at, file) in files.iter().filter(|file| file.ends_with(".arch06")).enumerate() {
        let name = format!("{:02}-{file}", 99 - at);
        fs::copy(demo().join(file), root.path().join(&name)).unwrap();
        list.extend([&name, "\n"]);
    }
    let list_file = root.path().join("other.archcfg");
    fs::write(&list_file, list).unwrap();
    let path = "characters\\ranger\\ranger_sword_d.tex";
    let forward = on_demo(["which", path, "--json"]).json();
    let backward = run(["which", path, "--json", "--archcfg", list_file.to_str().unwrap()]).json();
    let hashes = |answer: &Value| -> Vec<String> {
        answer["copies"].as_array().unwrap().iter().map(|copy| copy["sha256"].to_string()).collect()
    };
    let reversed: Vec<_> = hashes(&forward).into_iter().rev().collect();
    assert!(reversed.len() > 3);
    assert_eq!(hashes(&backward), reversed);
}

#[test]
fn the_winner_of_every_path_is_the_first_layer_that_holds_it() {
    // What each file holds when it is mounted alone.
    let mut expected: BTreeMap<String, Vec<(String, String)>> = BTreeMap::new();
    for file in mounted_files() {
        let alone = run(["ls", "--json", "-m", demo().join(&file).to_str().unwrap()]);
        for line in alone.lines() {
            let path = line["path"].as_str().unwrap();
            expected.entry(path.to_lowercase()).or_default().push((file.clone(), line["size"].to_string()));
        }
    }
    assert!(expected.len() > 150);
    let listed: BTreeMap<_, _> =
        on_demo(["ls", "--json"]).lines().into_iter().map(|line| (line["path"].to_string(), line)).collect();
    assert_eq!(listed.len(), expected.len());
    let paths: Vec<_> = expected.keys().map(String::as_str).collect();
    let answers = on_demo(["which", "--json"].into_iter().chain(paths));
    // One file of the demo is damaged, and named.
    assert_eq!((answers.status, answers.err.lines().count()), (1, 1), "{}", answers.err);
    for ((path, copies), answer) in expected.iter().zip(answers.lines()) {
        let line = &listed[&answer["path"].to_string()];
        assert_eq!(answer["path"].as_str().unwrap().to_lowercase(), *path);
        let files = answer["copies"].as_array().unwrap().iter();
        let own: Vec<_> = files.filter(|copy| copy["kind"] != "member").collect();
        let own_copies: Vec<_> = own
            .iter()
            .map(|copy| (copy["layer"].as_str().unwrap().to_owned(), copy["size"].to_string()))
            .collect();
        assert_eq!(own_copies, *copies, "{path}");
        assert_eq!(answer["winner"], 0, "{path}");
        assert!(own.iter().enumerate().all(|(at, copy)| copy["wins"] == (at == 0)), "{path}");
        assert_eq!((&line["path"], &line["layer"]), (&answer["path"], &own[0]["layer"]), "{path}");
        assert_eq!(line["copies"], own.len(), "{path}");
    }
}

#[test]
fn which_says_everything_that_the_contract_names() {
    let answer = on_demo(["which", "BUNDLES/dlc4/Campfire_d.TEX", "--json"]).json();
    for key in ["path", "winner", "engine_winner", "engine_lookup", "copies"] {
        assert!(!answer[key].is_null(), "{key}");
    }
    let copies = answer["copies"].as_array().unwrap();
    for key in [
        "layer",
        "layer_index",
        "kind",
        "offset",
        "stored",
        "size",
        "sha256",
        "class",
        "wins",
        "engine_lookup",
        "why",
    ] {
        assert!(copies.iter().all(|copy| !copy[key].is_null()), "{key}");
    }
    assert!(copies.iter().all(|copy| copy.get("container") == Some(&Value::Null)));
    assert_eq!((&answer["engine_winner"], &answer["engine_lookup"]), (&json!(1), &json!("missed")));
    let lookups: Vec<_> = copies.iter().map(|copy| copy["engine_lookup"].as_str().unwrap()).collect();
    assert_eq!(lookups, ["missed", "found", "found"]);
}

#[test]
fn a_path_that_no_layer_holds_has_no_winner_and_the_others_are_answered() {
    let ran = on_demo(["which", "no\\such.tex", "readme.txt", "--json"]);
    let [none, some] = ran.lines().try_into().unwrap();
    assert_eq!((&none["winner"], &none["copies"]), (&Value::Null, &json!([])));
    assert_eq!(some["winner"], 0);
    assert!(ran.fails(1).contains("no\\such.tex: no layer holds this path"));
}

#[test]
fn ls_lists_paths_or_copies_with_the_keys_of_the_contract() {
    let lines = on_demo(["ls", "copies:>1", "--json"]).lines();
    assert!(!lines.is_empty());
    for line in &lines {
        for key in ["path", "layer", "layer_index", "kind", "size", "stored", "copies"] {
            assert!(!line[key].is_null(), "{key}");
        }
    }
    let copies = on_demo(["ls", "copies:>1", "--copies", "--json"]).lines();
    let all: u64 = lines.iter().map(|line| line["copies"].as_u64().unwrap()).sum();
    assert_eq!(copies.len() as u64, all);
    let text = on_demo(["ls", "ext:tex", "sword"]).text();
    assert!(text.contains("characters\\ranger\\ranger_sword_d.tex"), "{text}");
    assert_eq!(on_demo(["ls", "no such words"]).text(), "0 of 198 paths\n");
}

#[cfg(unix)]
#[test]
fn copies_keep_their_spelling_and_extract_names_those_it_leaves_out() {
    let root = tempfile::tempdir().unwrap();
    let (layer, out) = (root.path().join("layer"), root.path().join("out"));
    fs::create_dir(&layer).unwrap();
    for name in ["File.txt", "file.txt"] {
        fs::write(layer.join(name), name).unwrap();
    }
    let mount = ["-m", layer.to_str().unwrap()];
    let copies = run(["ls", "--copies", "--json"].into_iter().chain(mount)).lines();
    let paths: Vec<_> = copies.iter().map(|copy| copy["path"].as_str().unwrap()).collect();
    assert_eq!(paths, ["File.txt", "file.txt"]);
    assert!(run(["ls", "--copies"].into_iter().chain(mount)).text().contains("file.txt"));
    let words = ["extract", "--layer", "layer", "--out", out.to_str().unwrap()];
    let ran = run(words.into_iter().chain(mount));
    assert_eq!(ran.status, 0);
    assert!(ran.err.starts_with("warning: file.txt: left out"), "{}", ran.err);
    assert_eq!(
        run(words.into_iter().chain(mount).chain(["--json"])).lines()[0]["left_out"],
        json!(["file.txt"])
    );
}

#[test]
fn mounts_stack_up_and_the_later_one_wins() {
    let root = tempfile::tempdir().unwrap();
    for (folder, text) in [("low", "1"), ("high", "22")] {
        fs::create_dir(root.path().join(folder)).unwrap();
        fs::write(root.path().join(folder).join("readme.txt"), text).unwrap();
    }
    let at = |folder: &str| root.path().join(folder).to_str().unwrap().to_owned();
    let words = ["cat", "readme.txt", "-m", &at("low"), "-m", &at("high")];
    assert_eq!(run(words).succeeds(), b"22");
    let words = ["cat", "readme.txt", "--layer", "LOW", "-m", &at("low"), "-m", &at("high")];
    assert_eq!(run(words).succeeds(), b"1");
    let single = root.path().join("low/readme.txt");
    let text = run(["layers", "-m", single.to_str().unwrap()]).text();
    assert!(text.ends_with("\n1 layer, 1 copy of 1 path\n"), "{text}");
    let listed = run(["ls", "-m", single.to_str().unwrap()]).text();
    assert!(listed.ends_with("\n1 of 1 path\n"), "{listed}");
    let layers = run(["layers", "--json", "-m", single.to_str().unwrap()]).json();
    assert_eq!(
        (&layers["layers"][0]["name"], &layers["layers"][0]["kind"]),
        (&json!("readme.txt"), &json!("file"))
    );
}

#[test]
fn what_needs_no_bytes_reads_none() {
    // The only copy is damaged, which nobody sees who does not read it.
    let path = "worlds\\retail\\ruin\\textures\\ruin_wall_d.tex";
    assert!(on_demo(["which", path]).text().contains("the only copy"));
    assert!(on_demo(["which", path, "--json"]).fails(1).contains("chunks[1]"));
}

#[test]
fn names_are_shown_in_the_order_of_their_letters() {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path().join("a\u{202e}b");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("x\u{2066}.txt"), "1").unwrap();
    for words in [&["layers"][..], &["ls"], &["which", "x\u{2066}.txt"]] {
        let text = run(words.iter().copied().chain(["-m", folder.to_str().unwrap()])).text();
        assert!(text.contains("a\\u{202e}b") && !text.contains(['\u{202e}', '\u{2066}']), "{text}");
    }
}
