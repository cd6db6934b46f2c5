//! Commands that mount nothing: `hash` and `demo`.

use palimpsest_core::demo;
use palimpsest_core::error::Result;
use palimpsest_core::hash::{joaat, joaat_lower, string_hash, vbd_name_hash};
use palimpsest_core::task::Task;
use serde_json::json;

use super::args::{DemoArgs, HashArgs};
use super::output::{Output, printable};
use crate::format::{count, size};

/// Runs `hash`.
pub(super) fn hash(args: &HashArgs, out: &mut Output) -> Result<()> {
    let hashes = |text: &str| {
        [string_hash, joaat, joaat_lower, vbd_name_hash]
            .map(|hash| format!("0x{:08X}", hash(text.as_bytes())))
    };
    if args.json {
        return args.texts.iter().try_for_each(|text| {
            let [string_hash, joaat, joaat_lower, vbd] = hashes(text);
            out.json(&json!({
                "text": text, "string_hash": string_hash, "joaat": joaat, "joaat_lower": joaat_lower, "vbd": vbd,
            }))
        });
    }
    let mut rows = vec![["StringHash", "joaat", "joaat lower", "#VBD", "text"].map(str::to_owned)];
    rows.extend(args.texts.iter().map(|text| {
        let [string_hash, joaat, joaat_lower, vbd] = hashes(text);
        [string_hash, joaat, joaat_lower, vbd, printable(text)]
    }));
    out.table([false; 5], &rows)
}

/// Runs `demo`.
pub(super) fn demo(args: &DemoArgs, out: &mut Output) -> Result<()> {
    let written = demo::write(&args.dir, &Task::new())?;
    if args.json {
        return out.json(&json!({ "files": written.files, "bytes": written.bytes }));
    }
    let (files, bytes) = (count(written.files, "file"), size(written.bytes));
    out.line(format!("{files}, {bytes}, written to {}", args.dir.display()))
}
