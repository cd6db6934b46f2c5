//! Cancel and progress for every long call.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use crate::error::{Error, ErrorKind, Result};

/// A running piece of work as its caller sees it: how far it is, and a flag that stops it.
///
/// Work calls [`step`](Self::step) often; the caller reads [`progress`](Self::progress) and may
/// call [`cancel`](Self::cancel) from any thread. All of it is atomics, nothing waits.
#[derive(Debug, Default)]
pub struct Task {
    cancelled: AtomicBool,
    done: AtomicU64,
    total: AtomicU64,
}

impl Task {
    /// A task that has not begun.
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks the work to stop at its next step.
    pub fn cancel(&self) {
        self.cancelled.store(true, Relaxed);
    }

    /// Whether [`cancel`](Self::cancel) was called.
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.load(Relaxed)
    }

    /// States how many steps the whole work has; 0 means unknown.
    pub fn set_total(&self, total: u64) {
        self.total.store(total, Relaxed);
    }

    /// Adds `count` finished steps.
    ///
    /// # Errors
    /// `Cancelled` once the task was cancelled.
    pub fn step(&self, count: u64) -> Result<()> {
        self.done.fetch_add(count, Relaxed);
        self.check()
    }

    /// Looks at the flag only, for work whose progress somebody else counts.
    ///
    /// # Errors
    /// `Cancelled` once the task was cancelled.
    pub fn check(&self) -> Result<()> {
        if self.is_cancelled() { Err(Error::new(ErrorKind::Cancelled)) } else { Ok(()) }
    }

    /// Finished steps and all steps; a total of 0 means unknown.
    pub fn progress(&self) -> (u64, u64) {
        (self.done.load(Relaxed), self.total.load(Relaxed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cancelled_task_fails_at_its_next_step() {
        let task = Task::new();
        task.set_total(3);
        task.step(1).unwrap();
        task.cancel();
        assert!(task.step(1).unwrap_err().is_cancelled());
        assert_eq!(task.progress(), (2, 3));
    }
}
