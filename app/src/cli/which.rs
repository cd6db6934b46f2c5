//! `which`: every copy of a path, the winner, and why.

use palimpsest_core::error::{Error, Result};
use palimpsest_core::mount::{Answer, Class, CopyAnswer, CopyDigest, Stack};
use palimpsest_core::task::Task;
use serde_json::{Value, json};

use super::args::WhichArgs;
use super::output::{Output, printable};
use super::session::mount;
use crate::format::size;

/// Runs `which`.
pub(super) fn run(args: &WhichArgs, out: &mut Output) -> Result<()> {
    let mounted = mount(&args.mount, out)?;
    let stack = &mounted.stack;
    for path in &args.paths {
        let Some(entry) = stack.find(path) else {
            if args.json {
                out.json(&json!({
                    "path": path, "winner": null, "engine_winner": null, "engine_lookup": null, "copies": [],
                }))?;
            }
            out.failed(Error::not_found("no layer holds this path").of(path.as_str()));
            continue;
        };
        let answer = stack.resolve(entry);
        // Text has no digest, and nothing to compare the only copy with.
        let is_read = args.json || answer.copies.len() > 1;
        let digests = if is_read { stack.digest(entry, &Task::new())? } else { Vec::new() };
        if args.json {
            out.json(&answer_to_json(stack, &answer, &digests))?;
        } else {
            print(stack, &answer, &digests, out)?;
        }
        for error in digests.iter().filter_map(|digest| digest.sha256.as_ref().err()) {
            out.failed(error);
        }
    }
    Ok(())
}

fn layer_name<'a>(stack: &'a Stack, copy: &CopyAnswer) -> &'a str {
    stack.layer(copy.copy).map_or("", |layer| &layer.name)
}

/// The outcome of the engine's own search, as the contract spells it.
const fn lookup(is_found: bool) -> &'static str {
    if is_found { "found" } else { "missed" }
}

fn hex(bytes: &[u8]) -> String {
    bytes
        .iter()
        .flat_map(|byte| [byte >> 4, byte & 15])
        .filter_map(|digit| char::from_digit(digit.into(), 16))
        .collect()
}

/// The whole answer as JSON.
fn answer_to_json(stack: &Stack, answer: &Answer, digests: &[CopyDigest]) -> Value {
    let copies: Vec<_> = answer
        .copies
        .iter()
        .zip(digests)
        .map(|(copy, digest)| {
            json!({
                "layer": layer_name(stack, copy),
                "layer_index": copy.copy.layer,
                "kind": copy.kind.name(),
                "container": null,
                "path": copy.path,
                "offset": copy.stat.offset,
                "stored": copy.stat.stored,
                "size": copy.stat.size,
                "sha256": digest.sha256.as_ref().ok().map(|sha256| hex(sha256)),
                "class": digest.class.name(),
                "wins": copy.wins,
                "engine_lookup": lookup(copy.engine_finds),
                "why": copy.why,
            })
        })
        .collect();
    json!({
        "path": answer.path,
        "winner": answer.winner,
        "engine_winner": answer.engine_winner,
        "engine_lookup": lookup(answer.winner_is_found()),
        "rule": answer.rule,
        "copies": copies,
    })
}

fn print(stack: &Stack, answer: &Answer, digests: &[CopyDigest], out: &mut Output) -> Result<()> {
    out.line(printable(&answer.path))?;
    let rows: Vec<_> = answer
        .copies
        .iter()
        .enumerate()
        .map(|(at, copy)| {
            let class = digests.get(at).map_or(Class::Winner, |digest| digest.class);
            [
                if copy.wins { "  wins" } else { "" }.to_owned(),
                copy.copy.layer.to_string(),
                printable(layer_name(stack, copy)),
                size(copy.stat.size),
                copy.stat.offset.map(|offset| format!("@ {offset:#X}")).unwrap_or_default(),
                class.name().to_owned(),
                printable(&copy.why),
            ]
        })
        .collect();
    out.table([true, true, false, true, true, false, false], &rows)?;
    out.line(format!("  {}", printable(&answer.rule)))
}
