//! `layers`: what is mounted, and what is not.

use palimpsest_core::error::Result;
use palimpsest_core::mount::{Layer, SkippedLine};
use serde_json::json;

use super::args::LayersArgs;
use super::output::{Output, printable};
use super::session::{fail_for_broken, mount};
use crate::format::{count, number, size};

/// Runs `layers`.
pub(super) fn run(args: &LayersArgs, out: &mut Output) -> Result<()> {
    let mounted = mount(&args.mount, out)?;
    let stack = &mounted.stack;
    fail_for_broken(stack, out);
    if args.json {
        let layers: Vec<_> =
            stack.layers().iter().enumerate().map(|(at, layer)| to_json(at, layer)).collect();
        let skipped: Vec<_> = stack.skipped().iter().map(skipped_to_json).collect();
        return out.json(&json!({ "layers": layers, "skipped": skipped, "warnings": stack.warnings() }));
    }
    let mut rows = vec![["", "layer", "kind", "files", "folders", "size", "notes"].map(str::to_owned)];
    rows.extend(stack.layers().iter().enumerate().map(|(at, layer)| {
        let notes = match (&layer.broken, layer.warnings.len()) {
            (Some(error), _) => format!("broken: {error}"),
            (None, 0) => String::new(),
            (None, warnings) => count(warnings as u64, "warning"),
        };
        [
            at.to_string(),
            printable(&layer.name),
            layer.kind.name().to_owned(),
            number(layer.file_count().into()),
            number(layer.folder_count().into()),
            size(layer.bytes),
            printable(&notes),
        ]
    }));
    out.table([true, false, false, true, true, true, false], &rows)?;
    let index = stack.index();
    out.line(format!(
        "\n{}, {} of {}",
        count(stack.layers().len() as u64, "layer"),
        count(index.copy_count().into(), "copy"),
        count(index.entry_count().into(), "path")
    ))?;
    if !stack.skipped().is_empty() {
        out.line("\nlines that mounted nothing:")?;
        let row = |line: &SkippedLine| [line.line.to_string(), printable(&line.text), line.reason.clone()];
        out.table([true, false, false], &stack.skipped().iter().map(row).collect::<Vec<_>>())?;
    }
    if !args.mount.quiet {
        for layer in stack.layers() {
            for warning in &layer.warnings {
                out.warn(format!("{}: {warning}", layer.name));
            }
        }
    }
    Ok(())
}

fn to_json(index: usize, layer: &Layer) -> serde_json::Value {
    json!({
        "index": index,
        "name": layer.name,
        "kind": layer.kind.name(),
        "file": layer.path.display().to_string(),
        "files": layer.file_count(),
        "folders": layer.folder_count(),
        "bytes": layer.bytes,
        "line": layer.line.as_ref().map(|line| line.number),
        "warnings": layer.warnings,
        "error": layer.broken.as_ref().map(ToString::to_string),
    })
}

fn skipped_to_json(line: &SkippedLine) -> serde_json::Value {
    json!({ "line": line.line, "text": line.text, "reason": line.reason })
}
