//! Small pictures that panels show: made in the background, those that are looked at first, and kept up to
//! a number of bytes.

use std::collections::HashSet;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use crossbeam_channel::{Receiver, Sender, unbounded};
use palimpsest_core::error::Result;
use palimpsest_core::mount::CopyRef;
use palimpsest_core::task::Task;

use crate::cache::Cache;
use crate::jobs::{Job, Jobs, caught};
use crate::session::Mounted;
use crate::thumbnail::{Kept, Thumbnail, of_copy};

/// Bytes of pictures that are kept in memory.
const LIMIT: u64 = 192 << 20;

/// Bytes that a picture or an error takes beside its pixels.
const OVERHEAD: u64 = 256;

/// Which copy, and pixels along a side.
pub type Wanted = (CopyRef, u32);

/// A picture, or why there is none.
pub type Made = Result<Thumbnail, String>;

/// What a worker has made.
type Finished = (Wanted, Made);

/// Who looks at pictures. Each says what it sees; what nobody sees is not made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Viewer {
    /// The copies of a path.
    Copies,
    /// The grid of textures.
    Grid,
}

/// The pictures of a stack.
pub struct Pictures {
    /// The stack that the pictures are of.
    of: Option<Arc<Mounted>>,
    made: Cache<Wanted, Arc<Made>>,
    /// What each viewer sees, in the order in which it is wanted.
    seen: [Vec<Wanted>; 2],
    queue: Arc<Mutex<Queue>>,
    results: (Sender<Finished>, Receiver<Finished>),
    workers: Vec<Job<()>>,
    kept: Option<Kept>,
}

/// What the workers take from.
#[derive(Debug, Default)]
struct Queue {
    /// What is to be made, the next one last.
    next: Vec<Wanted>,
    /// What is being made.
    busy: HashSet<Wanted>,
}

impl Default for Pictures {
    fn default() -> Self {
        Self {
            of: None,
            made: Cache::new(LIMIT),
            seen: [const { Vec::new() }; 2],
            queue: Arc::default(),
            results: unbounded(),
            workers: Vec::new(),
            kept: None,
        }
    }
}

impl fmt::Debug for Pictures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Pictures({} bytes, {} workers)", self.made.bytes(), self.workers.len())
    }
}

impl Pictures {
    /// A picture, once it is made.
    pub fn get(&self, wanted: Wanted) -> Option<&Made> {
        self.made.peek(&wanted).map(AsRef::as_ref)
    }

    /// Whether nothing is being made.
    pub fn is_idle(&self) -> bool {
        self.workers.is_empty()
    }

    /// Where pictures are kept from one time to the next.
    pub(crate) fn keep_in(&mut self, kept: Option<Kept>) {
        self.kept = kept;
    }

    /// Says what a viewer sees from now on.
    pub fn see(&mut self, viewer: Viewer, seen: Vec<Wanted>, jobs: &Jobs) {
        if let Some(own) = self.seen.get_mut(viewer as usize) {
            *own = seen;
        }
        self.order(jobs);
    }

    /// Goes on with the pictures of a stack, which are other ones where it is another stack.
    pub fn follow(&mut self, mounted: Option<&Arc<Mounted>>) {
        if self.of.as_ref().map(Arc::as_ptr) == mounted.map(Arc::as_ptr) {
            return;
        }
        // What is being made for the stack before is told to nobody.
        let Self { kept, .. } = std::mem::take(self);
        *self = Self { of: mounted.cloned(), kept, ..Self::default() };
    }

    /// Takes what was made.
    pub fn poll(&mut self, jobs: &Jobs) {
        while let Ok((wanted, made)) = self.results.1.try_recv() {
            lock(&self.queue).busy.remove(&wanted);
            let bytes = made.as_ref().map_or(0, |made| 4 * made.picture.pixels.len() as u64);
            self.made.insert(wanted, Arc::new(made), bytes + OVERHEAD);
        }
        let mut was_stopped = false;
        self.workers.retain(|worker| match worker.poll() {
            None => true,
            Some(ended) => {
                was_stopped |= ended.is_err();
                false
            }
        });
        if was_stopped {
            // A person who stops it looks elsewhere before it goes on.
            lock(&self.queue).next.clear();
        } else if self.workers.is_empty() && !lock(&self.queue).next.is_empty() {
            self.start(jobs);
        }
    }

    /// Has everything made that is seen and not there.
    fn order(&mut self, jobs: &Jobs) {
        let mut next = Vec::new();
        for wanted in self.seen.iter().flatten() {
            // What is seen counts as used, so that it is not what makes room.
            if self.made.get(wanted).is_none() {
                next.push(*wanted);
            }
        }
        next.reverse();
        let mut queue = lock(&self.queue);
        next.retain(|wanted| !queue.busy.contains(wanted));
        let has_work = !next.is_empty();
        queue.next = next;
        drop(queue);
        if has_work {
            self.start(jobs);
        }
    }

    /// Starts as many workers as leave room for other jobs.
    fn start(&mut self, jobs: &Jobs) {
        let Some(mounted) = &self.of else { return };
        for _ in self.workers.len()..(jobs.threads() / 2).max(1) {
            let (mounted, queue, kept) = (Arc::clone(mounted), Arc::clone(&self.queue), self.kept.clone());
            let (results, wake) = (self.results.0.clone(), jobs.waker());
            let work = move |task: &Task| {
                task.set_total(lock(&queue).next.len() as u64);
                while let Some(wanted) = next(&queue) {
                    task.step(1)?;
                    let (copy, side) = wanted;
                    let made = caught(|| of_copy(&mounted.stack, copy, side, kept.as_ref(), task));
                    task.check()?;
                    if results.send((wanted, made.map_err(|error| error.to_string()))).is_err() {
                        break;
                    }
                    wake();
                }
                Ok(())
            };
            self.workers.push(jobs.spawn("Drawing small pictures", work));
        }
    }
}

/// Takes what is to be made next.
fn next(queue: &Mutex<Queue>) -> Option<Wanted> {
    let mut queue = lock(queue);
    let wanted = queue.next.pop()?;
    queue.busy.insert(wanted);
    Some(wanted)
}

fn lock(queue: &Mutex<Queue>) -> std::sync::MutexGuard<'_, Queue> {
    // The queue stays whole whatever happens to a thread that looked at it.
    queue.lock().unwrap_or_else(PoisonError::into_inner)
}
