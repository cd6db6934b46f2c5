//! Tables of texts as files of other programs, and as facts.

use std::fs;

use palimpsest_core::strings::{read_csv, read_json};
use serde_json::Value;

use crate::{keys, on_demo};

const TABLE: &str = "database\\string\\english\\game.strdb";

#[test]
fn a_table_is_written_in_every_form() {
    let out = tempfile::tempdir().unwrap();
    let folder = out.path().to_str().unwrap();
    let file = |name: &str| fs::read(out.path().join("database/string").join(name)).unwrap();
    for form in ["csv", "tsv", "json", "po"] {
        let ran = on_demo(["extract", TABLE, "--out", folder, "--as", form]);
        // Half of a pair in a text of the demo is told, and is no failure.
        assert_eq!(ran.status, 0, "{}", ran.err);
        assert!(ran.err.contains("half of a surrogate pair alone"), "{}", ran.err);
        assert!(
            String::from_utf8(ran.out).unwrap().starts_with(&format!("1 {form} file written from 1 file"))
        );
        assert!(!file(&format!("english/game.strdb.{form}")).is_empty());
    }
    let json: Value = serde_json::from_slice(&file("english/game.strdb.json")[..]).unwrap_or_default();
    assert!(json.is_null(), "half of a pair is an escape that this parser refuses as text");
    let csv = read_csv(&file("english/game.strdb.csv")).unwrap();
    let json = read_json(&file("english/game.strdb.json")).unwrap();
    assert_eq!((csv.titles, csv.rows.len()), (vec!["text".to_owned()], json.rows.len()));
}

#[test]
fn names_stand_beside_keys() {
    let out = tempfile::tempdir().unwrap();
    let list = out.path().join("words.txt");
    fs::write(&list, "Quest_Keep_01\n").unwrap();
    let folder = out.path().to_str().unwrap();
    let words = ["extract", TABLE, "--out", folder, "--as", "csv", "--flat", "--quiet"];
    on_demo(words).succeeds();
    let text = || fs::read_to_string(out.path().join("game.strdb.csv")).unwrap();
    assert!(!text().contains(",Quest_Keep_01,"));
    on_demo(words.into_iter().chain(["--names", list.to_str().unwrap()])).succeeds();
    assert!(
        text().contains(",Quest_Keep_01,\"Reach the keep before {0} in the morning.\"\r\n"),
        "{}",
        text()
    );
    let gone = on_demo(words.into_iter().chain(["--names", "no/such/list"])).fails(1);
    assert!(gone.contains("no/such/list"), "{gone}");
}

#[test]
fn tables_stand_side_by_side() {
    let out = tempfile::tempdir().unwrap();
    let folder = out.path().to_str().unwrap();
    let words = |form, beside| {
        ["extract", TABLE, "--out", folder, "--as", form, "--beside", beside, "--flat", "--json"]
    };
    let text = |name: &str| fs::read_to_string(out.path().join(name)).unwrap();
    assert_eq!(on_demo(words("csv", "languages").into_iter().chain(["--bom"])).json()["written"], 1);
    assert!(text("game.strdb.csv").starts_with("\u{FEFF}key,name,english,arabic,german,japanese\r\n"));
    assert_eq!(on_demo(words("po", "languages")).json()["written"], 3);
    assert!(text("game.strdb.german.po").contains("\"Language: de\\n\""));
    assert_eq!(on_demo(words("tsv", "layers")).json()["written"], 1);
    assert!(text("game.strdb.tsv").starts_with("key\tname\tWorld.arch06\tPatch_02.arch06\n"));
    for (more, part) in [
        (&["--as", "png", "--beside", "layers"][..], "--beside is for string tables"),
        (&["--as", "json", "--bom"], "--bom is for csv and tsv"),
        (&["--beside", "layers"], "--as <FORM>"),
        (&["--as", "csv", "--beside", "folders"], "expected languages or layers"),
        (&["--as", "csv", "--level", "0"], "a csv is no picture"),
    ] {
        let ran = on_demo(["extract", TABLE, "--out", folder].into_iter().chain(more.iter().copied()));
        assert!(ran.fails(2).contains(part), "{more:?}");
    }
    let wrong = on_demo(["extract", "readme.txt", "--out", folder, "--as", "csv"]).fails(1);
    assert!(wrong.contains("csv files are made of string tables, and this is text"), "{wrong}");
}

#[test]
fn the_tree_has_the_rows_of_a_table() {
    let info = on_demo(["info", TABLE, "--json"]).lines().remove(0);
    assert_eq!(info["format"], "skdb");
    let facts = info["facts"].clone();
    assert_eq!(keys(&facts), ["keys", "text_units", "texts", "version"]);
    let tree = on_demo(["info", TABLE, "--json", "--tree"]).lines().remove(0);
    let rows = tree["facts"]["rows"].as_array().unwrap();
    assert_eq!(facts["keys"], rows.len());
    assert!(rows.iter().any(|row| row["text"] == "Emberfang the Elder"));
    assert!(rows.iter().all(|row| keys(row) == ["key", "text"]));
    let key = rows[0]["key"].as_str().unwrap();
    assert!(key.starts_with("0x") && key.len() == 10, "{key}");
}
