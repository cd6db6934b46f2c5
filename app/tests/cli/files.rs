//! What is in files, and files written.

use std::fs;

use serde_json::json;

use crate::{demo, keys, on_demo, run};

#[test]
fn cat_prints_decoded_or_stored_bytes_of_any_copy() {
    let text = on_demo(["cat", "README.TXT"]).succeeds();
    assert_eq!(text, fs::read(demo().join("Game/readme.txt")).unwrap());
    let path = "characters\\ranger\\ranger_sword_d.tex";
    let decoded = on_demo(["cat", path]).succeeds();
    let stored = on_demo(["cat", path, "--stored"]).succeeds();
    assert!(decoded.starts_with(b"TEXR"));
    // The first chunk's two words stand before its bytes, which are packed with Kraken.
    assert_eq!(stored.get(8..10), Some(&[0x8C, 0x06][..]));
    assert!(stored.len() < decoded.len());
    let other = on_demo(["cat", path, "--layer", "characters.arch06"]).succeeds();
    let last = on_demo(["cat", path, "--layer", "12"]).succeeds();
    assert!(other != decoded && other == last);
}

#[test]
fn cat_of_a_damaged_file_prints_what_is_there_and_fails() {
    let ran = on_demo(["cat", "worlds\\retail\\ruin\\textures\\ruin_wall_d.tex"]);
    assert_eq!(ran.out.len(), 0x10000);
    let complaint = ran.fails(1);
    let path = "worlds\\retail\\ruin\\textures\\ruin_wall_d.tex";
    let answer = on_demo(["which", path, "--json"]);
    let info = on_demo(["info", path, "--json", "--tree"]);
    let chunk = info.lines()[0]["chunks"][1]["offset"].as_u64().unwrap();
    let expected = format!("error: World.arch06: {path}: chunks[1] at {chunk:#X}: ");
    assert!(complaint.starts_with(&expected), "{complaint}");
    assert_eq!(answer.fails(1), complaint, "every command names the place alike");
}

#[test]
fn info_says_how_a_file_is_packed() {
    let info = on_demo(["info", "characters\\ranger\\ranger_sword_d.tex", "--json", "--tree"]).json();
    let chunks = info["chunks"].as_array().unwrap();
    let lengths: u64 = chunks.iter().map(|chunk| chunk["length"].as_u64().unwrap()).sum();
    assert_eq!(info["size"], lengths);
    assert_eq!(info["chunk_count"], chunks.len());
    assert_eq!((&chunks[0]["codec"], &chunks[0]["length"]), (&"Oodle Kraken".into(), &0x10000.into()));
    let text = on_demo(["info", "characters\\ranger\\ranger_sword_d.tex", "--tree"]).text();
    assert!(
        text.contains(" in 2 chunks, Oodle Kraken")
            && text.contains("chunk    offset   stored  decoded  codec"),
        "{text}"
    );
    let loose = on_demo(["info", "readme.txt", "--json", "--tree"]).json();
    assert!(loose.get("chunks").is_none());
}

#[test]
fn the_tree_as_text_has_the_records_of_tables() {
    let text = on_demo(["info", "archivepatchloosefiles.txt", "--tree"]).text();
    let words = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let row = ["00000081", "4", "name", "offset32", "0"];
    assert!(text.lines().any(|line| words(line) == row), "{text}");
    let archive = on_demo(["info", "HotChunk.arch06", "--tree"]).text();
    assert_eq!(
        archive.lines().filter(|line| line.ends_with("u8                   1  chunk chain")).count(),
        4
    );
}

#[test]
fn info_says_what_a_file_is() {
    let info = on_demo(["info", "characters\\ranger\\ranger_sword_d.tex", "--json"]).json();
    assert_eq!(info["format"], "texr");
    let facts = [
        "format",
        "full_height",
        "full_mips",
        "full_width",
        "height",
        "mips",
        "name",
        "srgb",
        "version",
        "width",
    ];
    assert_eq!(keys(&info["facts"]), facts);
    assert!(
        info["warnings"].as_array().unwrap().is_empty() && info["error"].is_null() && info["tree"].is_null()
    );
    let info = on_demo(["info", "characters\\ranger\\ranger_sword_d.tex", "--json", "--tree"]).json();
    let header = &info["tree"][0];
    for key in ["name", "type", "offset", "size", "value", "children"] {
        assert!(header.get(key).is_some(), "{key}");
    }
    assert_eq!(
        (&header["children"][1]["name"], &header["children"][1]["value"]),
        (&json!("version"), &json!(8))
    );
}

#[test]
fn info_for_people_has_each_label_once_and_commas_between_thousands() {
    let text = on_demo(["info", "characters\\ranger\\ranger_sword_d.tex"]).text();
    let mut labels: Vec<_> = text.lines().filter_map(|line| line.split("  ").next()).collect();
    let count = labels.len();
    labels.sort_unstable();
    labels.dedup();
    assert_eq!(labels.len(), count, "{text}");
    assert!(text.contains("file format") && text.contains("TEXR v8 texture"), "{text}");
    let game = on_demo(["info", "database\\game\\game.gamedb"]).text();
    assert!(game.contains("586 KB (600,000 bytes)"), "{game}");
}

#[test]
fn info_tells_archives_lists_texts_and_files_of_no_known_format() {
    let archive = on_demo(["info", "World.arch06", "--json"]).json();
    assert_eq!(archive["format"], "ltar");
    assert_eq!(keys(&archive["facts"]), ["files", "flags", "folders", "pool_bytes", "version"]);
    let index = on_demo(["info", "archivepatchloosefiles.txt", "--json"]).json();
    assert_eq!(index["format"], "path_index");
    assert_eq!(on_demo(["info", "readme.txt", "--json"]).json()["format"], "text");
    let listed =
        on_demo(["ls", "!format:texr !format:text !format:path_index !format:ltar", "--json"]).lines();
    let path = listed.first().unwrap()["path"].as_str().unwrap();
    let unknown = on_demo(["info", path, "--json"]).json();
    assert!(unknown["format"].is_null() && unknown["error"].is_null(), "{unknown}");
}

#[test]
fn the_tree_of_an_index_names_its_hashes_and_a_missing_word_list_is_a_failure() {
    let root = tempfile::tempdir().unwrap();
    let list = root.path().join("words.txt");
    fs::write(&list, "  some\\name.tex \r\n\r\nother\n").unwrap();
    let words = ["info", "archivepatchloosefiles.txt", "--tree", "--names"];
    let text = on_demo(words.into_iter().chain([list.to_str().unwrap()])).text();
    assert!(text.contains("ranger_sword_d.tex"), "{text}");
    let gone = on_demo(words.into_iter().chain(["no such list"]));
    assert!(gone.fails(1).contains("no such list"));
}

#[test]
fn extract_writes_winners_names_the_damaged_file_and_keeps_the_rest() {
    let root = tempfile::tempdir().unwrap();
    let out = root.path().join("out");
    let ran = on_demo(["extract", "ext:tex", "--out", out.to_str().unwrap(), "--json", "--quiet"]);
    let report = &ran.lines()[0];
    for key in ["written", "failed", "renamed"] {
        assert!(report.get(key).is_some(), "{key}");
    }
    let (written, failed) = (report["written"].as_u64().unwrap(), report["failed"].as_array().unwrap());
    assert_eq!((written, failed.len()), (19, 1));
    assert_eq!(keys(&failed[0]), ["error", "path"]);
    assert!(ran.fails(1).contains("ruin_wall_d.tex"));
    let file = out.join("characters/ranger/ranger_sword_d.tex");
    let winner = on_demo(["cat", "characters\\ranger\\ranger_sword_d.tex"]).succeeds();
    assert_eq!(fs::read(&file).unwrap(), winner);
    let again = on_demo(["extract", "sword ext:tex", "--out", out.to_str().unwrap(), "--json"]).json();
    assert_eq!((&again["written"], &again["replaced"]), (&json!(1), &json!(1)));
    let flat = root.path().join("flat");
    on_demo(["extract", "sword ext:tex", "--out", flat.to_str().unwrap(), "--flat", "--quiet"]).text();
    assert_eq!(fs::read(flat.join("ranger_sword_d.tex")).unwrap(), winner);
}

#[test]
fn extract_of_nothing_says_so_and_makes_no_folder() {
    let root = tempfile::tempdir().unwrap();
    let out = root.path().join("out");
    let words = ["extract", "zzz", "--out", out.to_str().unwrap()];
    let ran = on_demo(words);
    assert_eq!((ran.out.as_slice(), ran.err.lines().count()), (&[][..], 1));
    assert!(ran.fails(1).contains("nothing to extract"));
    let report = on_demo(words.into_iter().chain(["--json"])).lines();
    assert_eq!((&report[0]["written"], &report[0]["failed"]), (&json!(0), &json!([])));
    assert!(!out.exists());
}

#[test]
fn the_demo_is_written_once_and_never_over_other_files() {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path().join("demo");
    let report = run(["demo", folder.to_str().unwrap(), "--json"]).json();
    assert_eq!(keys(&report), ["bytes", "files"]);
    let files = walk(&folder);
    assert_eq!(report["files"], files.len());
    assert_eq!(report["bytes"], files.iter().sum::<u64>());
    assert_eq!(run(["demo", folder.to_str().unwrap(), "--json"]).json(), report);
    // Another game's list makes no demo.
    let list = folder.join("x64/default.archcfg");
    fs::write(&list, "; ours\n").unwrap();
    assert!(run(["demo", folder.to_str().unwrap()]).fails(2).contains("not empty"));
    assert_eq!(fs::read(&list).unwrap(), b"; ours\n");
}

/// The sizes of all files below a folder.
fn walk(folder: &std::path::Path) -> Vec<u64> {
    let mut sizes = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        if entry.file_type().unwrap().is_dir() {
            sizes.extend(walk(&entry.path()));
        } else {
            sizes.push(entry.metadata().unwrap().len());
        }
    }
    sizes
}

#[test]
fn hashes_of_a_text_are_those_of_the_games() {
    let lines = run(["hash", "UI_1Sword_Starting_N", "Root", "--json"]).lines();
    assert_eq!(lines[0]["string_hash"], "0xDCDB4713");
    assert_eq!(lines[1]["string_hash"], "0x4179E86A");
    assert_eq!(keys(&lines[0]), ["joaat", "joaat_lower", "string_hash", "text", "vbd"]);
    assert!(run(["hash", "Root"]).text().contains("0x4179E86A"));
}

#[test]
fn extract_into_what_is_mounted_is_a_wrong_call() {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path().join("Game");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("a.txt"), "game").unwrap();
    let (mount, inside) = (folder.to_str().unwrap(), folder.join("new"));
    for out in [mount, inside.to_str().unwrap()] {
        let ran = run(["extract", "--out", out, "-m", mount]);
        assert!(ran.fails(2).contains("files of a game are only ever read"));
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
    }
}

#[test]
fn a_large_file_is_no_failure_and_a_warning_only_where_it_would_be_parsed() {
    let root = tempfile::tempdir().unwrap();
    let size = 3 << 30;
    for (name, warnings) in [("big.bin", 0), ("big.txt", 1)] {
        // A file of holes takes no room.
        fs::File::create(root.path().join(name)).unwrap().set_len(size).unwrap();
        let info = run(["info", name, "--json", "-m", root.path().to_str().unwrap()]).json();
        assert_eq!((&info["size"], &info["error"]), (&json!(size), &json!(null)));
        assert_eq!(info["warnings"].as_array().unwrap().len(), warnings, "{info}");
    }
}

#[test]
fn a_picture_never_replaces_what_is_mounted() {
    let folder = tempfile::tempdir().unwrap();
    let mount = folder.path().to_str().unwrap();
    run(["demo", mount]).succeeds();
    let archive = folder.path().join("World.arch06");
    let before = fs::read(&archive).unwrap();
    let ran = run(["screenshot", "-m", mount, "--size", "300x200", "--out", archive.to_str().unwrap()]);
    assert!(ran.fails(2).contains("files of a game are only ever read"));
    assert!(fs::read(&archive).unwrap() == before);
}
