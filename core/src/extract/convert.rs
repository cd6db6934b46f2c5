//! Copies in another form than their own.

use crate::asset::Asset;
use crate::error::{Error, Result};
use crate::export::{Conversion, Exported, Form, Told, export, export_joined};
use crate::format::load;
use crate::mount::{CopyRef, Stack};
use crate::preview::salvage;
use crate::task::Task;

/// The largest file that is converted.
const LARGEST: u64 = 1 << 30;

/// Makes the files of a copy, each given to `sink` as soon as it is made; what is told of them.
///
/// # Errors
/// When the copy cannot be read, is too large or has no such form; `Cancelled`; what the sink says.
pub(super) fn convert(
    stack: &Stack,
    copy: CopyRef,
    conversion: &Conversion,
    task: &Task,
    sink: &mut dyn FnMut(Exported) -> Result<()>,
) -> Result<Told> {
    let Conversion { form, wanted, is_joined } = conversion;
    let blame = |error| stack.blame(copy, error);
    if *is_joined && let Some(tiers) = stack.tiers(copy, task)? {
        let own = tiers.files.into_iter().find(|file| file.copy == Some(copy));
        if let Some(Err(error)) = own.and_then(|file| file.texture) {
            return Err(error);
        }
        // Where nothing can be joined the file stands for itself.
        if let Some(texture) = &tiers.joined {
            export_joined(texture, *form, wanted, task, sink).map_err(blame)?;
            return Ok(Told { missing: tiers.notes, notes: Vec::new() });
        }
    }
    let content = stack.content(copy)?;
    if content.len() > LARGEST {
        let text = format!("{} bytes, at most {LARGEST} are converted", content.len());
        return Err(blame(Error::limit(text)));
    }
    let path = stack.path_of(copy);
    let (bytes, fault) = content.read_up_to(0..content.len(), task);
    let asset = match fault {
        None => load(&bytes, &path, task).map_err(blame)?,
        Some(error) if error.is_cancelled() => return Err(blame(error)),
        Some(error) if *form == Form::Dds => {
            let text = format!("{error}; with its tiers joined the levels that are whole are written");
            return Err(blame(Error::malformed(text)));
        }
        // Pictures are made of the levels that are whole.
        Some(error) => match salvage(&content, &path, task) {
            Ok(texture) => Asset::Texture(texture),
            Err(_) => return Err(blame(error)),
        },
    };
    export(&asset, &bytes, *form, wanted, task, sink).map_err(blame)
}
