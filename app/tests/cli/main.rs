//! The command line as people and scripts call it: words in, text, JSON and exit statuses out.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail loudly")]

mod answers;
mod bundles;
mod files;
mod models;
mod oodle;
mod pictures;
mod strings;
mod usage;

use std::path::Path;
use std::process::{Command, Output};
use std::sync::OnceLock;

use serde_json::Value;

/// The demo install, written by the program itself.
fn demo() -> &'static Path {
    static FOLDER: OnceLock<tempfile::TempDir> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        run(["demo", folder.path().to_str().unwrap()]).succeeds();
        folder
    });
    folder.path()
}

/// What a call printed, and how it ended.
struct Ran {
    status: i32,
    out: Vec<u8>,
    err: String,
}

impl Ran {
    fn of(output: Output) -> Self {
        let err = String::from_utf8(output.stderr).unwrap();
        Self { status: output.status.code().unwrap(), out: output.stdout, err }
    }

    /// The output of a call that went well and had nothing to complain about.
    fn succeeds(self) -> Vec<u8> {
        assert_eq!((self.status, &*self.err), (0, ""));
        self.out
    }

    fn text(self) -> String {
        String::from_utf8(self.succeeds()).unwrap()
    }

    /// The JSON value of every line, whatever the status.
    fn lines(&self) -> Vec<Value> {
        self.out
            .split(|byte| *byte == b'\n')
            .filter(|line| !line.is_empty())
            .map(|line| serde_json::from_slice(line).unwrap())
            .collect()
    }

    /// The one JSON value of a call that went well.
    fn json(self) -> Value {
        let lines = self.lines();
        self.succeeds();
        let [value] = lines.try_into().unwrap();
        value
    }

    /// The complaint of a call that ended with a status.
    fn fails(self, status: i32) -> String {
        assert_eq!(self.status, status, "{}", self.err);
        assert!(self.err.starts_with("error: "), "{}", self.err);
        self.err
    }
}

fn run<'a>(words: impl IntoIterator<Item = &'a str>) -> Ran {
    Ran::of(program().args(words).output().unwrap())
}

/// Runs a subcommand on the demo install.
fn on_demo<'a>(words: impl IntoIterator<Item = &'a str>) -> Ran {
    let mount = ["-m", demo().to_str().unwrap()];
    Ran::of(program().args(words).args(mount).output().unwrap())
}

fn program() -> Command {
    /// Where these tests keep what they learn of bundles.
    static CACHE: OnceLock<tempfile::TempDir> = OnceLock::new();
    let cache = CACHE.get_or_init(|| tempfile::tempdir().unwrap());
    let mut program = Command::new(env!("CARGO_BIN_EXE_palimpsest"));
    program.env("XDG_CACHE_HOME", cache.path());
    program
}

/// The keys of an object, in order of their text.
fn keys(value: &Value) -> Vec<&str> {
    let mut keys: Vec<_> = value.as_object().unwrap().keys().map(String::as_str).collect();
    keys.sort_unstable();
    keys
}
