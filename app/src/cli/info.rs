//! `info`: what a file is.

use bytes::Bytes;
use palimpsest_core::error::{Error, ErrorKind, Result};
use palimpsest_core::format::{Inspection, inspect};
use palimpsest_core::hash::NameBook;
use palimpsest_core::mount::Content;
use palimpsest_core::parse::Fact;
use palimpsest_core::task::Task;
use serde_json::{Value, json};

use super::args::InfoArgs;
use super::chunks::Packing;
use super::json::{facts, tree};
use super::output::{Output, printable};
use super::session::{Mounted, copy, mount};
use super::structure;
use crate::document::read_limit;
use crate::format::{count, number, size};
use crate::names::Names;

/// A file, as far as it could be read.
struct File {
    /// The layer's name; empty for an archive itself.
    layer: String,
    path: String,
    /// The container that holds it, where one does.
    container: Option<String>,
    size: u64,
    bytes: Bytes,
    /// Why the bytes end early.
    fault: Option<Error>,
    /// Whether the bytes end early because they are too many.
    is_cut: bool,
    /// The chunks that they come from.
    packing: Option<Packing>,
}

/// Runs `info`.
pub(super) fn run(args: &InfoArgs, out: &mut Output) -> Result<()> {
    let mut mounted = mount(&args.mount, out)?;
    mounted.reach(&args.path, args.layer.as_deref(), &args.mount, out)?;
    let file = read(&mounted, args)?;
    // Only the tree shows names of hashes.
    let names = if args.tree {
        Names::of_stack(&mounted.stack, &mounted.word_lists, &[], &Task::new())?
    } else {
        Names::default()
    };
    for error in &names.failed {
        out.failed(error);
    }
    let names = names.book;
    let mut inspection = inspect(&file.bytes, &file.path, &Task::new());
    let findings = Findings::of(&file, &inspection);
    if args.json && args.tree {
        match inspection.long_facts() {
            Ok(facts) => inspection.facts.extend(facts),
            Err(error) => out.failed(error.text_of(&file.layer, &file.path)),
        }
    }
    if args.json {
        out.json(&to_json(&file, &inspection, &findings, args.tree.then_some(&names)))?;
    } else {
        print(&file, &inspection, &findings, out)?;
        if args.tree {
            if let Some(packing) = &file.packing {
                packing.print(file.fault.as_ref(), out)?;
            }
            out.line("")?;
            structure::print(&inspection.tree, &file.bytes, &names, out)?;
        }
    }
    if let Some(error) = findings.error {
        out.failed(error);
    }
    Ok(())
}

/// The file that the call names: a path of the stack, or a mounted archive.
fn read(mounted: &Mounted, args: &InfoArgs) -> Result<File> {
    let stack = &mounted.stack;
    let (entry, copy) = match copy(stack, &args.path, args.layer.as_deref()) {
        Ok(found) => found,
        Err(error) => {
            let named = stack.layers().iter().find(|layer| layer.name.eq_ignore_ascii_case(&args.path));
            let layer = named.filter(|layer| layer.path.is_file()).ok_or(error)?;
            let bytes = layer.file()?;
            let (path, size) = (layer.name.clone(), bytes.len() as u64);
            return Ok(File {
                layer: String::new(),
                path,
                container: None,
                size,
                bytes,
                fault: None,
                is_cut: false,
                packing: None,
            });
        }
    };
    let content = stack.content(copy)?;
    let size = content.len();
    let (bytes, fault) = content.read_up_to(0..read_limit(&content), &Task::new());
    let is_cut = fault.is_none() && (bytes.len() as u64) < size;
    let layer = stack.layer(copy).map_or_else(String::new, |layer| layer.name.clone());
    let container = stack.container_of(copy).map(|container| stack.path_of(container));
    let packing = match content {
        // The chunks of a member hold others as well.
        Content::Chunks(chain) if container.is_none() => {
            let stored = stack.layer(copy).map_or(0, |layer| layer.stat(copy.file).stored);
            Some(Packing::new(chain, stored))
        }
        Content::Chunks(_) | Content::Plain(_) => None,
    };
    Ok(File { layer, path: stack.path(entry), container, size, bytes, fault, is_cut, packing })
}

/// What is wrong with a file.
struct Findings {
    warnings: Vec<String>,
    /// What makes the command fail.
    error: Option<String>,
}

impl Findings {
    fn of(file: &File, inspection: &Inspection) -> Self {
        let mut warnings: Vec<_> = inspection.warnings.lines().collect();
        // Where no format is known nothing is parsed, so nothing is missed.
        if file.is_cut && inspection.format.is_some() {
            let (parsed, all) = (number(file.bytes.len() as u64), count(file.size, "byte"));
            warnings.push(format!("only the first {parsed} of {all} are parsed"));
        }
        let stop = inspection.asset.as_ref().err().filter(|error| match error.kind() {
            // That a file which is cut ends early is no fault of the file.
            ErrorKind::Eof { .. } => !file.is_cut,
            // A limit protects the program, and says nothing about the file.
            ErrorKind::Limit(_) => {
                warnings.push(error.in_place());
                false
            }
            _ => true,
        });
        let error = file.fault.as_ref().or(stop);
        let error = error.map(|error| error.text_of(&file.layer, &file.path));
        Self { warnings, error }
    }
}

fn to_json(file: &File, inspection: &Inspection, findings: &Findings, names: Option<&NameBook>) -> Value {
    let mut value = json!({
        "path": file.path,
        "layer": Some(&file.layer).filter(|layer| !layer.is_empty()),
        "container": file.container,
        "format": inspection.format.map(|format| format.id),
        "size": file.size,
        "facts": facts(&inspection.facts),
        "warnings": findings.warnings,
        "error": findings.error,
    });
    if let (Some(names), Some(value)) = (names, value.as_object_mut()) {
        value.insert("tree".to_owned(), tree(&inspection.tree, &file.bytes, names));
        if let Some(packing) = &file.packing {
            value.insert("chunk_count".to_owned(), json!(packing.chunk_count()));
            value.insert("chunks".to_owned(), packing.to_json(file.fault.as_ref()));
        }
    }
    value
}

fn print(file: &File, inspection: &Inspection, findings: &Findings, out: &mut Output) -> Result<()> {
    let format = inspection.format.map_or("no known format", |format| format.title);
    let mut rows = vec![
        ["path".to_owned(), printable(&file.path)],
        // Some files have a fact of the name "format", such as that of a texture's pixels.
        ["file format".to_owned(), format.to_owned()],
        ["size".to_owned(), format!("{} ({})", size(file.size), count(file.size, "byte"))],
    ];
    if !file.layer.is_empty() {
        rows.insert(1, ["layer".to_owned(), printable(&file.layer)]);
    }
    if let Some(container) = &file.container {
        rows.insert(2, ["container".to_owned(), printable(container)]);
    }
    if let Some(packing) = &file.packing {
        rows.push(["stored".to_owned(), packing.line()]);
    }
    for (key, value) in &inspection.facts {
        rows.extend(fact_rows(key, value));
    }
    rows.extend(findings.warnings.iter().map(|line| ["warning".to_owned(), printable(line)]));
    out.table([false, false], &rows)
}

/// A fact for people; a list of records is counted, and has a row for each of them.
fn fact_rows(key: &str, value: &Fact) -> Vec<[String; 2]> {
    match value {
        Fact::List(values) if values.iter().any(|value| matches!(value, Fact::Map(_))) => {
            let head = [key.to_owned(), number(values.len() as u64)];
            let rows = values.iter().map(|value| [String::new(), printable(&fact(value))]);
            std::iter::once(head).chain(rows).collect()
        }
        _ => vec![[key.to_owned(), printable(&fact(value))]],
    }
}

/// A fact in one line.
fn fact(value: &Fact) -> String {
    match value {
        Fact::Bool(true) => "yes".to_owned(),
        Fact::Bool(false) => "no".to_owned(),
        Fact::Integer(value) => number(*value),
        Fact::Signed(value) => value.to_string(),
        Fact::Float(value) => value.to_string(),
        Fact::Text(value) => value.clone(),
        Fact::List(values) => values.iter().map(fact).collect::<Vec<_>>().join(", "),
        Fact::Map(facts) => {
            let parts = facts.iter().map(|(key, value)| format!("{key} {}", fact(value)));
            parts.collect::<Vec<_>>().join(", ")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The start of a file that has as many bytes again.
    fn cut(path: &str, bytes: &[u8]) -> Findings {
        let bytes = Bytes::copy_from_slice(bytes);
        let size = 2 * bytes.len() as u64;
        let (layer, path) = (String::new(), path.to_owned());
        let file =
            File { layer, path, container: None, size, bytes, fault: None, is_cut: true, packing: None };
        Findings::of(&file, &inspect(&file.bytes, &file.path, &Task::new()))
    }

    #[test]
    fn a_file_that_is_too_large_is_told_of_where_it_is_parsed_and_is_no_fault() {
        let text = cut("a.txt", b"text");
        assert_eq!(
            (text.warnings, text.error),
            (vec!["only the first 4 of 8 bytes are parsed".to_owned()], None)
        );
        let archive = cut("a.arch06", b"LTAR");
        assert_eq!((archive.warnings.len(), archive.error), (1, None));
        let unknown = cut("a.bin", b"bytes");
        assert_eq!((unknown.warnings, unknown.error), (Vec::new(), None));
        assert!(cut("a.txt", b"te\0t").error.is_some());
    }
}
