//! `ls`: the paths that a query finds.

use palimpsest_core::error::Result;
use palimpsest_core::mount::{CopyRef, EntryId};
use palimpsest_core::task::Task;

use super::args::LsArgs;
use super::json;
use super::output::{Output, printable};
use super::session::{fail_for_broken, mount, mount_with_members, query};
use crate::format::{count, number, size};

/// Runs `ls`.
pub(super) fn run(args: &LsArgs, out: &mut Output) -> Result<()> {
    let query = query(&args.query)?;
    let mounted = if args.members { mount_with_members(&args.mount, out) } else { mount(&args.mount, out) }?;
    let stack = &mounted.stack;
    fail_for_broken(stack, out);
    if args.members && !args.mount.quiet {
        stack.bundle_faults().for_each(|fault| out.warn(fault));
    }
    let task = Task::new();
    let found: Vec<(EntryId, CopyRef)> = if args.copies {
        stack.search_copies(&query, &task)?
    } else {
        let winner = |entry| stack.index().copies(entry).first().map(|copy| (entry, *copy));
        stack.search(&query, &task)?.into_iter().filter_map(winner).collect()
    };
    // A copy has its own spelling, a path that of its winner.
    let path = |entry, copy| if args.copies { stack.path_of(copy) } else { stack.path(entry) };
    if args.json {
        return found
            .iter()
            .try_for_each(|(entry, copy)| out.json(&json::copy(stack, &path(*entry, *copy), *entry, *copy)));
    }
    let rows: Vec<_> = found
        .iter()
        .map(|(entry, copy)| {
            let layer = stack.layer(*copy);
            let stat = layer.map(|layer| layer.stat(copy.file)).unwrap_or_default();
            let is_first = stack.index().copies(*entry).first() == Some(copy);
            let mark = match (args.copies && is_first, stack.is_unproven(*entry)) {
                (true, false) => "wins",
                (true, true) => "wins?",
                (false, _) => "",
            };
            let container = stack.container_of(*copy).map(|container| stack.path_of(container));
            [
                mark.to_owned(),
                size(stat.size),
                number(stack.index().copies(*entry).len() as u64),
                printable(layer.map_or("", |layer| &layer.name)),
                printable(&path(*entry, *copy)),
                container.map_or_else(String::new, |container| format!("in {}", printable(&container))),
            ]
        })
        .collect();
    out.table([false, true, true, false, false, false], &rows)?;
    let index = stack.index();
    let (all, what) = if args.copies { (index.copy_count(), "copy") } else { (index.entry_count(), "path") };
    out.line(format!("{} of {}", number(found.len() as u64), count(all.into(), what)))
}
