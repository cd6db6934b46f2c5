//! Copies in another form than their own.

use crate::error::{Error, Result};
use crate::export::{Conversion, Exported, export, export_joined};
use crate::format::load;
use crate::mount::{CopyRef, Stack};
use crate::task::Task;

/// The largest file that is converted.
const LARGEST: u64 = 1 << 30;

/// Makes the files of a copy.
///
/// # Errors
/// When the copy cannot be read, is too large or has no such form; `Cancelled`.
pub(super) fn convert(
    stack: &Stack,
    copy: CopyRef,
    conversion: &Conversion,
    task: &Task,
) -> Result<Vec<Exported>> {
    let Conversion { form, wanted, is_joined } = conversion;
    let blame = |error| stack.blame(copy, error);
    if *is_joined && let Some(tiers) = stack.tiers(copy, task)? {
        let joined = tiers.joined.as_ref();
        let texture = joined.ok_or_else(|| blame(Error::malformed("none of its tiers can be read")))?;
        return export_joined(texture, *form, wanted, task).map_err(blame);
    }
    let content = stack.content(copy)?;
    if content.len() > LARGEST {
        let text = format!("{} bytes, at most {LARGEST} are converted", content.len());
        return Err(blame(Error::limit(text)));
    }
    let bytes = content.read(0..content.len(), task).map_err(blame)?;
    let asset = load(&bytes, &stack.path_of(copy), task).map_err(blame)?;
    export(&asset, &bytes, *form, wanted, task).map_err(blame)
}
