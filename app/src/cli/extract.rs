//! `extract`: files of the stack as files on disk.

use std::collections::BTreeMap;

use palimpsest_core::asset::Kind;
use palimpsest_core::error::Result;
use palimpsest_core::export::Form;
use palimpsest_core::extract::{Extraction, Picked, Report};
use palimpsest_core::task::Task;
use serde_json::json;

use super::args::ExtractArgs;
use super::output::Output;
use super::progress::with_progress;
use super::session::{layer, mount, mount_with_members, query};
use crate::format::{count, number, size};
use crate::names::Names;

/// Runs `extract`.
pub(super) fn run(args: &ExtractArgs, out: &mut Output) -> Result<()> {
    let query = query(&args.query)?;
    let mounted = if args.members { mount_with_members(&args.mount, out) } else { mount(&args.mount, out) }?;
    let stack = &mounted.stack;
    if args.members && !args.mount.quiet {
        stack.bundle_faults().for_each(|fault| out.warn(fault));
    }
    let wanted = args.layer.as_deref().map(|name| layer(stack, name)).transpose()?;
    let picked = Picked::of(stack.index(), stack.search(&query, &Task::new())?, wanted);
    if picked.copies.is_empty() {
        let hint = if args.members { "" } else { "; members of bundles are found with --members" };
        out.failed(format!("the query finds nothing to extract{hint}"));
        return if args.json { out.json(&to_json(&Report::default())) } else { Ok(()) };
    }
    let conversion = args.form.conversion()?;
    // Only tables of texts show names of hashes.
    let names = if conversion.form != Form::Native && conversion.form.is_of(Kind::Strings) {
        Names::of_stack(stack, &mounted.word_lists, &[], &Task::new())?
    } else {
        Names::default()
    };
    for error in &names.failed {
        out.failed(error);
    }
    let extraction = Extraction { out: args.out.clone(), is_flat: args.flat, conversion, names: names.book };
    let task = Task::new();
    task.set_total(picked.copies.len() as u64);
    let report = with_progress(&task, "files", args.mount.quiet, || extraction.run(stack, &picked, &task))?;
    if args.json {
        out.json(&to_json(&report))?;
    } else {
        let replaced = match report.replaced {
            0 => String::new(),
            replaced => format!(", {} replaced", number(replaced)),
        };
        let all = count(picked.copies.len() as u64, "file");
        // One texture can become several pictures, and several tables one file.
        let written = match conversion.form {
            Form::Native => format!("{} of {all} written", number(report.written)),
            form => format!("{} written from {all}", count(report.written, &format!("{form} file"))),
        };
        let (bytes, folder) = (size(report.bytes), args.out.display());
        out.line(format!("{written}{replaced}, {bytes}, to {folder}"))?;
        if !args.mount.quiet {
            for (path, file) in &report.renamed {
                out.warn(format!("{path}: written as {}", file.display()));
            }
            for (path, note) in &report.notes {
                out.warn(format!("{path}: {note}"));
            }
            for path in &report.cut {
                out.warn(format!("{path}: values below 0 or above 1 are cut; exr keeps them"));
            }
            let mut left_out: BTreeMap<&String, u64> = BTreeMap::new();
            report.left_out.iter().for_each(|path| *left_out.entry(path).or_default() += 1);
            for (path, times) in left_out {
                let times = if times > 1 { format!("{} times ", number(times)) } else { String::new() };
                out.warn(format!(
                    "{path}: left out {times}as another copy of the path in the same layer is written"
                ));
            }
        }
    }
    for (path, missing) in &report.incomplete {
        out.failed(format!("{path}: {missing}"));
    }
    for (_, error) in &report.failed {
        out.failed(error);
    }
    Ok(())
}

fn to_json(report: &Report) -> serde_json::Value {
    let failed: Vec<_> = report
        .failed
        .iter()
        .map(|(path, error)| json!({ "path": path, "error": error.to_string() }))
        .collect();
    let renamed: Vec<_> = report
        .renamed
        .iter()
        .map(|(path, file)| json!({ "path": path, "file": file.display().to_string() }))
        .collect();
    let incomplete: Vec<_> =
        report.incomplete.iter().map(|(path, missing)| json!({ "path": path, "missing": missing })).collect();
    let notes: Vec<_> =
        report.notes.iter().map(|(path, note)| json!({ "path": path, "note": note })).collect();
    json!({
        "written": report.written,
        "bytes": report.bytes,
        "replaced": report.replaced,
        "failed": failed,
        "renamed": renamed,
        "left_out": report.left_out,
        "incomplete": incomplete,
        "cut": report.cut,
        "notes": notes,
    })
}
