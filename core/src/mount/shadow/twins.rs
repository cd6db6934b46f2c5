//! Which shadowed copies store the same bytes as the copy that wins.

use rayon::prelude::*;

use crate::error::Result;
use crate::mount::Stack;
use crate::mount::index::CopyRef;
use crate::task::Task;

/// Bytes between two looks at the task.
const PIECE: usize = 1 << 20;

/// The shadowed copies that store the same bytes as the winner of their path.
#[derive(Debug, Default)]
pub struct Twins(Vec<CopyRef>);

impl Twins {
    /// Compares every shadowed copy that has the sizes of its winner with it, byte by byte.
    ///
    /// # Errors
    /// `Cancelled`.
    pub fn find(stack: &Stack, task: &Task) -> Result<Self> {
        let (mut pairs, mut total) = (Vec::new(), 0u64);
        for entry in stack.index().entries() {
            if entry.0.is_multiple_of(4096) {
                task.check()?;
            }
            let [winner, shadowed @ ..] = stack.files_of(entry) else { continue };
            for copy in shadowed.iter().filter(|copy| stack.may_be_twins(*winner, **copy)) {
                let size = stack.layer(*copy).map_or(0, |layer| layer.stat(copy.file).stored);
                total = total.saturating_add(size);
                pairs.push((*winner, *copy, size));
            }
        }
        task.set_total(total);
        let compare = |(winner, copy, size): &(CopyRef, CopyRef, u64)| {
            let is_same = is_same(stack, *winner, *copy, task)?;
            task.step(*size)?;
            Ok(is_same.then_some(*copy))
        };
        let twins: Vec<_> = pairs.par_iter().map(compare).collect::<Result<_>>()?;
        let mut twins: Vec<_> = twins.into_iter().flatten().collect();
        twins.sort_unstable();
        Ok(Self(twins))
    }

    /// Whether a copy is one of them.
    pub(super) fn has(&self, copy: CopyRef) -> bool {
        self.0.binary_search(&copy).is_ok()
    }
}

fn is_same(stack: &Stack, winner: CopyRef, copy: CopyRef, task: &Task) -> Result<bool> {
    // What cannot be read is not known to be the same; whoever opens it is told why.
    let (Ok(a), Ok(b)) = (stack.stored(winner), stack.stored(copy)) else { return Ok(false) };
    for (a, b) in a.chunks(PIECE).zip(b.chunks(PIECE)) {
        task.check()?;
        if a != b {
            return Ok(false);
        }
    }
    Ok(a.len() == b.len())
}
