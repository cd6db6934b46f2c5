//! `screenshot`: the window as a picture.

use palimpsest_core::error::Result;
use palimpsest_core::extract::check_target;
use palimpsest_core::file;
use serde_json::json;

use super::args::ScreenshotArgs;
use super::output::Output;
use crate::app::Start;
use crate::headless::{Look, Stage};

/// Runs `screenshot`.
pub(super) fn run(args: &ScreenshotArgs, out: &mut Output) -> Result<()> {
    let sources = &args.mount.sources;
    let start = Start {
        mounts: (!sources.is_empty()).then(|| sources.above(&[])),
        has_demo: sources.demo,
        open: args.open.clone(),
        names: sources.names.clone(),
        oodle: Some(sources.oodle().unwrap_or_default()),
        cache: None,
        thumbnails: None,
    };
    let mut stage = Stage::new(start, Look { size: args.size, is_light: args.light })?;
    stage.settle()?;
    stage.check(args.open.as_deref())?;
    for notice in stage.app().session().notices.iter().filter(|notice| notice.is_error) {
        out.failed(&notice.text);
    }
    // Only what is mounted is shown with names, so nobody has looked at the lists yet.
    let unread = stage.app().session().mounted.is_none().then_some(&sources.names).into_iter().flatten();
    for error in unread.filter_map(|list| file::open(list).err()) {
        out.failed(error);
    }
    if let Some(stack) = stage.app().session().stack() {
        check_target(stack, &args.out)?;
    }
    let drawn = stage.save(&args.out)?;
    let (width, height) = drawn.size;
    if args.json {
        return out.json(&json!({ "width": width, "height": height, "adapter": drawn.adapter }));
    }
    out.line(format!("{width} × {height} pixels drawn on {} to {}", drawn.adapter, args.out.display()))
}
