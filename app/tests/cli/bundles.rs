//! Bundles and their members on the command line.

use serde_json::{Value, json};

use crate::{keys, on_demo};

const GATE: &str = "worlds\\retail\\keep\\gate.mat";

#[test]
fn which_tells_members_from_files() {
    let answer = on_demo(["which", GATE, "--json"]).json();
    assert_eq!((&answer["winner"], &answer["unproven"]), (&json!(0), &Value::Null));
    let [file, member] = answer["copies"].as_array().unwrap().as_slice() else { panic!("{answer}") };
    assert_eq!(
        (&file["kind"], &file["container"], &file["fits"]),
        (&json!("entry"), &Value::Null, &json!(true))
    );
    assert_eq!((&member["kind"], &member["fits"]), (&json!("member"), &json!(false)));
    assert_eq!(member["container"], "worlds\\retail\\keep\\keep.embb");
    assert_eq!(
        (&member["size"], &member["stored"], &member["class"]),
        (&json!(13), &json!(13), &json!("different"))
    );
    let declared =
        json!([{ "manifest": "worlds\\retail\\keep\\keep.bndl", "layer": "Patch_02.arch06", "size": 20 }]);
    assert_eq!(answer["declared"], declared);
}

#[test]
fn a_file_below_its_container_is_said_to_be_unproven() {
    let path = "characters\\rider\\rider.mat";
    let answer = on_demo(["which", path, "--json"]).json();
    let unproven = answer["unproven"].as_str().unwrap();
    assert!(
        unproven.contains("The file lies in Characters.arch06, below its container in Patch_DLC1.arch06")
    );
    assert!(on_demo(["which", path]).text().contains(unproven));
}

#[test]
fn which_on_a_manifest_or_container_answers_about_the_bundle() {
    let bundle = |ending: &str| {
        let path = format!("worlds\\retail\\keep\\keep.{ending}");
        on_demo(["which", &path, "--json"]).json()["bundle"].clone()
    };
    let keep = bundle("bndl");
    assert_eq!(keep, bundle("embb"));
    assert_eq!(keys(&keep), ["container", "manifest", "members", "notes"]);
    assert_eq!(
        (&keep["manifest"]["layer"], &keep["container"]["layer"]),
        (&json!("Patch_02.arch06"), &json!("World.arch06"))
    );
    let members = keep["members"].as_array().unwrap();
    let sources: Vec<_> = members.iter().map(|member| member["source"].as_str().unwrap()).collect();
    assert_eq!(sources, ["container", "file", "container", "file", "missing"]);
    assert!(members[..4].iter().all(|member| member["fits"] == true), "{keep}");
    assert_eq!(on_demo(["which", "readme.txt", "--json"]).json().get("bundle"), None);
}

#[test]
fn ls_lists_members_when_it_is_asked_to() {
    let listed = |words: &[&str]| {
        let words = ["ls", "ext:objres", "--json", "--quiet"].iter().chain(words);
        on_demo(words.copied()).lines()
    };
    assert_eq!(listed(&[]).len(), 0);
    let members = listed(&["--members"]);
    assert_eq!(members.len(), 2);
    assert!(members.iter().all(|member| member["kind"] == "member" && member["container"].is_string()));
    // The damaged container ends before this member.
    assert_eq!(listed(&["--members", "--copies"]).len(), 2);
    let mats = on_demo(["ls", "--members", "--copies", "tent.mat", "--json", "--quiet"]).lines();
    let containers: Vec<_> = mats.iter().map(|copy| copy["container"].as_str().unwrap()).collect();
    assert_eq!(containers, ["bundles\\camp\\broken.embb", "bundles\\camp\\camp.embb"]);
    let warned = on_demo(["ls", "--members", "tent.mat"]);
    assert!(warned.err.contains("broken.embb: sections[2].size at 0x9F"), "{}", warned.err);
    assert_eq!(warned.status, 0);
}

#[test]
fn members_are_printed_described_and_written_like_files() {
    let tent = "prefabs\\camp\\tent.mat";
    assert_eq!(on_demo(["cat", tent]).text(), "shader=cloth\r\ndiffuse=tent_d\r\n");
    let stored = on_demo(["cat", tent, "--stored"]);
    assert!(stored.status == 1 && stored.err.contains("no stored bytes of its own"), "{}", stored.err);
    assert_eq!(on_demo(["info", tent, "--json"]).json()["size"], 30);
    let out = tempfile::tempdir().unwrap();
    let folder = out.path().to_str().unwrap();
    let warned = on_demo(["extract", "--members", "prefabs", "--out", folder]);
    assert!(warned.err.contains("bundles\\camp\\broken.embb: sections[2].size"), "{}", warned.err);
    let report = on_demo(["extract", "--members", "prefabs", "--out", folder, "--quiet", "--json"]).json();
    assert_eq!(report["written"], 3);
    assert!(out.path().join("prefabs/camp/campfire.mat").is_file());
}

#[test]
fn a_container_and_a_manifest_are_described() {
    let container = on_demo(["info", "bundles\\camp\\camp.embb", "--json"]).json();
    assert_eq!((&container["format"], &container["facts"]["version"]), (&json!("embb"), &json!(5)));
    let first = json!({ "path": "prefabs\\camp\\tent.mat", "size": 30, "offset": container["facts"]["members"][0]["offset"] });
    assert_eq!(container["facts"]["members"][0], first);
    let manifest = on_demo(["info", "globalbundles\\globaldatabase.bndl", "--json"]).json();
    let facts = json!({
        "version": 6,
        "type": "Bundles/Types/GlobalDatabase",
        "members": [{ "path": "database\\game\\game.gamedb", "size": 600_000 }],
    });
    assert_eq!((&manifest["format"], &manifest["facts"]), (&json!("bndl"), &facts));
}
