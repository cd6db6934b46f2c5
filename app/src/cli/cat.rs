//! `cat`: the bytes of a path.

use palimpsest_core::error::Result;
use palimpsest_core::task::Task;

use super::args::CatArgs;
use super::output::Output;
use super::session::{copy, mount};

/// Runs `cat`. What comes before a fault is printed, then the fault is named.
pub(super) fn run(args: &CatArgs, out: &mut Output) -> Result<()> {
    let mut mounted = mount(&args.mount, out)?;
    mounted.reach(&args.path, args.layer.as_deref(), &args.mount, out)?;
    let stack = &mounted.stack;
    let (_, copy) = copy(stack, &args.path, args.layer.as_deref())?;
    if args.stored {
        return out.bytes(&stack.stored(copy)?);
    }
    let content = stack.content(copy)?;
    content.visit(&Task::new(), |piece| out.bytes(piece)).map_err(|error| stack.blame(copy, error))
}
