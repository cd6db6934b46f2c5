//! Progress of long work on a terminal.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use palimpsest_core::error::{Error, Result};
use palimpsest_core::task::Task;

/// Runs `work` on another thread and shows how far its task is, where standard error is a terminal.
pub(super) fn with_progress<T: Send>(
    task: &Task,
    what: &str,
    quiet: bool,
    work: impl FnOnce() -> Result<T> + Send,
) -> Result<T> {
    const TICK: Duration = Duration::from_millis(80);
    let target = if quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
    let bar = ProgressBar::with_draw_target(Some(task.progress().1), target);
    let style = format!("{{bar:30}} {{pos}} of {{len}} {what}  {{eta}} left");
    if let Ok(style) = ProgressStyle::with_template(&style) {
        bar.set_style(style);
    }
    std::thread::scope(|scope| {
        let worker = std::thread::Builder::new().name("work".to_owned()).spawn_scoped(scope, work)?;
        while !worker.is_finished() {
            let (done, total) = task.progress();
            bar.set_length(total);
            bar.set_position(done);
            std::thread::park_timeout(TICK);
        }
        bar.finish_and_clear();
        worker.join().map_err(|_panic| Error::malformed("the work stopped unexpectedly"))?
    })
}
