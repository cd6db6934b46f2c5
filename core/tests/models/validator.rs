//! glTF files against the validator of those who keep the specification, where Node.js runs it.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use palimpsest_core::export::Form;
use palimpsest_core::mount::{Mounts, Stack};
use palimpsest_core::task::Task;
use serde_json::Value;

use crate::extracted::extract;
use crate::{exported, materials, models, picture};

/// What the demo has of models.
const DEMO: [&str; 3] = [
    "characters\\drake\\drake.mesh",
    "characters\\drake\\drake.skel",
    "characters\\drake\\drake_flawed.mesh",
];

const VALIDATOR: &str = "gltf-validator@2.0.0-dev.3.10";

/// Prints what it says of every file, as one list.
const SCRIPT: &str = "
const [folder, ...files] = process.argv.slice(1);
const validator = require(folder + '/node_modules/gltf-validator');
const read = (file) => new Uint8Array(require('fs').readFileSync(file));
Promise.all(files.map((file) => validator.validateBytes(read(file), { maxIssues: 1000 })))
  .then((reports) => console.log(JSON.stringify(reports)));
";

/// The folder with the validator, or `None` and a line on standard output where there is no way to get it.
fn validator() -> Option<&'static Path> {
    static FOLDER: OnceLock<Option<PathBuf>> = OnceLock::new();
    FOLDER.get_or_init(install).as_deref()
}

fn install() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(VALIDATOR);
    if Command::new("node").arg("--version").output().is_err() {
        println!("skipped: there is no Node.js to run the validator of glTF");
        return None;
    }
    if folder.join("node_modules/gltf-validator/package.json").exists() {
        return Some(folder);
    }
    std::fs::create_dir_all(&folder).unwrap();
    let npm = if cfg!(windows) { "npm.cmd" } else { "npm" };
    let mut npm = Command::new(npm);
    npm.args(["install", VALIDATOR, "--no-audit", "--no-fund", "--prefer-offline", "--fetch-retries=1"]);
    let installed = npm.arg("--prefix").arg(&folder).output();
    match installed {
        Ok(output) if output.status.success() => Some(folder),
        Ok(output) => {
            println!("skipped: npm cannot install {VALIDATOR}: {}", String::from_utf8_lossy(&output.stderr));
            None
        }
        Err(error) => {
            println!("skipped: npm cannot install {VALIDATOR}: {error}");
            None
        }
    }
}

/// What the validator says of files.
fn validated(folder: &Path, files: &[PathBuf]) -> Vec<Value> {
    let output = Command::new("node").arg("-e").arg(SCRIPT).arg(folder).args(files).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn files_of_all_models_are_valid() {
    let Some(folder) = validator() else { return };
    let out = tempfile::tempdir().unwrap();
    let colours = picture([[255, 0, 0, 0], [0, 255, 0, 128], [0, 0, 255, 255], [9, 9, 9, 9]]);
    let normals = picture([[0, 128, 0, 128], [0, 255, 0, 128], [0, 128, 0, 0], [0, 0, 0, 0]]);
    let mut files = Vec::new();
    for (name, model) in models() {
        let textured = materials(&model, &colours, &normals);
        for (look, form, materials) in [
            ("bare", Form::Glb, &[][..]),
            ("textured", Form::Glb, &textured),
            ("textured", Form::Gltf, &textured),
        ] {
            let file = out.path().join(format!("{name}, {look}.{form}"));
            std::fs::write(&file, exported(&model, materials, form).0).unwrap();
            files.push(file);
        }
    }
    assert_valid(folder, &files);
}

#[test]
fn files_of_the_demo_are_valid() {
    let Some(folder) = validator() else { return };
    let root = tempfile::tempdir().unwrap();
    let (game, out) = (root.path().join("game"), root.path().join("out"));
    palimpsest_core::demo::write(&game, &Task::new()).unwrap();
    let stack = Stack::mount(&Mounts::of(game), &Task::new()).unwrap();
    let mut files = Vec::new();
    for form in [Form::Glb, Form::Gltf] {
        let report = extract(&stack, &out, form);
        for path in DEMO {
            let failed = report.failed.iter().find(|(failed, _)| failed == path);
            assert!(failed.is_none(), "{failed:?}");
            files.push(out.join(format!("{}.{form}", path.replace('\\', "/"))));
        }
    }
    assert_valid(folder, &files);
}

fn assert_valid(folder: &Path, files: &[PathBuf]) {
    let reports = validated(folder, files);
    assert_eq!(reports.len(), files.len());
    for (file, report) in files.iter().zip(reports) {
        let issues = &report["issues"];
        let counts = ["numErrors", "numWarnings"].map(|key| issues[key].as_u64().unwrap());
        assert_eq!(counts, [0, 0], "{}: {issues:#}", file.display());
    }
}

#[test]
fn the_validator_finds_what_is_wrong() {
    let Some(folder) = validator() else { return };
    let out = tempfile::tempdir().unwrap();
    let file = out.path().join("wrong.gltf");
    std::fs::write(&file, r#"{"asset": {"version": "2.0"}, "scenes": [{"nodes": [1]}]}"#).unwrap();
    assert!(validated(folder, &[file])[0]["issues"]["numErrors"].as_u64().unwrap() > 0);
}
