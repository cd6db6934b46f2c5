//! `screenshot`: the window as a picture.

use palimpsest_core::error::Result;

use super::args::ScreenshotArgs;
use super::output::Output;

/// Runs `screenshot`.
pub(super) fn run(_args: &ScreenshotArgs, _out: &mut Output) -> Result<()> {
    Ok(())
}
