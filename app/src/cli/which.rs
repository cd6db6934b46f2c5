//! `which`: every copy of a path, the winner, and why.

use palimpsest_core::error::{Error, Result};
use palimpsest_core::mount::{Answer, BundleAnswer, Class, CopyDigest, MemberAnswer, MemberSource, Stack};
use palimpsest_core::task::Task;

use super::args::WhichArgs;
use super::output::{Output, printable};
use super::session::mount_with_members;
use crate::answer::{self, bundle_to_json, declaration, fit, missing_to_json, place, to_json};
use crate::format::{number, size};

/// How many manifests that name a path are listed.
const DECLARED: usize = 8;

/// Runs `which`.
pub(super) fn run(args: &WhichArgs, out: &mut Output) -> Result<()> {
    let mounted = mount_with_members(&args.mount, out)?;
    let stack = &mounted.stack;
    for path in &args.paths {
        let Some(entry) = stack.find(path) else {
            // A manifest may name what nothing holds.
            let declared = stack.declared(&palimpsest_core::path::canonical(path.as_bytes()));
            if args.json {
                out.json(&missing_to_json(stack, path, &declared))?;
            }
            let declared = declared.iter().take(DECLARED).map(|declared| declaration(stack, declared));
            let what = [vec!["no layer holds this path".to_owned()], declared.collect()].concat().join(". ");
            let what = what.trim_end_matches('.').to_owned();
            out.failed(Error::not_found(what).of(path.as_str()));
            continue;
        };
        let answer = stack.resolve(entry);
        let bundle = stack.bundle(entry, &Task::new())?;
        // Text has no digest, and nothing to compare the only copy with.
        let is_read = args.json || answer.copies.len() > 1;
        let digests = if is_read { stack.digest(entry, &Task::new())? } else { Vec::new() };
        if args.json {
            let mut value = to_json(stack, &answer, &digests);
            if let Some(bundle) = &bundle {
                value["bundle"] = bundle_to_json(stack, bundle);
            }
            out.json(&value)?;
        } else {
            print(stack, &answer, &digests, out)?;
            if let Some(bundle) = &bundle {
                print_bundle(stack, bundle, out)?;
            }
        }
        for error in digests.iter().filter_map(|digest| digest.sha256.as_ref().err()) {
            out.failed(error);
        }
    }
    Ok(())
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
                match (copy.wins, &answer.unproven) {
                    (true, None) => "  wins",
                    (true, Some(_)) => "  wins?",
                    (false, _) => "",
                }
                .to_owned(),
                copy.copy.layer.to_string(),
                printable(stack.layer_name(copy.copy)),
                size(copy.stat.size),
                printable(&place(copy)),
                class.name().to_owned(),
                fit(copy.fits).to_owned(),
                printable(&copy.why),
            ]
        })
        .collect();
    out.table([true, true, false, true, true, false, false, false], &rows)?;
    let declared = answer.declared.iter().take(DECLARED).map(|declared| declaration(stack, declared));
    let more = answer.declared.len().saturating_sub(DECLARED);
    let more = (more > 0).then(|| format!("{} more manifests declare it.", number(more as u64)));
    for line in
        [Some(answer.rule.clone()), answer.unproven.clone()].into_iter().flatten().chain(declared).chain(more)
    {
        out.line(format!("  {}", printable(&line)))?;
    }
    Ok(())
}

/// The members of a bundle, and what there is to say about it.
fn print_bundle(stack: &Stack, bundle: &BundleAnswer, out: &mut Output) -> Result<()> {
    out.line("")?;
    let heads = ["declared", "source", "layer", "size", "fits", "proven", "path"].map(str::to_owned);
    let members = bundle.members.iter().map(|member| {
        let layer = member.source.copy().map_or("", |copy| stack.layer_name(copy));
        [
            member.declared.map_or_else(|| "not named".to_owned(), |size| number(size.into())),
            source(stack, member),
            printable(layer),
            member.size.map(number).unwrap_or_default(),
            answer::fit(member.fits()).to_owned(),
            if member.is_unproven { "not proven" } else { "" }.to_owned(),
            printable(&member.path),
        ]
    });
    let rows: Vec<_> = [heads].into_iter().chain(members).collect();
    out.table([true, false, false, true, false, false, false], &rows)?;
    bundle.words().try_for_each(|words| out.line(format!("  {}", printable(words))))
}

/// Where a member comes from; of another bundle's container which one it is.
fn source(stack: &Stack, member: &MemberAnswer) -> String {
    match member.source {
        MemberSource::Elsewhere(copy) => {
            let container = stack.container_of(copy).map(|copy| stack.path_of(copy));
            printable(&container.unwrap_or_default())
        }
        source => source.name().to_owned(),
    }
}
