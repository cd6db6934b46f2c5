//! Background work: a fixed pool of threads, and jobs that can be polled, watched and cancelled.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, TryRecvError, bounded, unbounded};
use palimpsest_core::error::{Error, Result};
use palimpsest_core::task::Task;

/// How long a job runs before anybody is told about it: most are over by then.
const QUIET: Duration = Duration::from_millis(150);

type Work = Box<dyn FnOnce() + Send>;

/// The pool. Dropping it lets running work finish and starts nothing new.
pub struct Jobs {
    work: Sender<Work>,
    threads: usize,
    running: Arc<Mutex<Vec<Arc<Running>>>>,
    wake: Arc<dyn Fn() + Send + Sync>,
}

/// A job that has been started, as the status bar shows it.
pub struct Running {
    /// What it does.
    pub name: String,
    /// Cancel and progress.
    pub task: Arc<Task>,
    started: Instant,
}

impl Running {
    /// Whether it runs long enough to be shown.
    pub fn is_long(&self) -> bool {
        self.started.elapsed() >= QUIET
    }
}

impl fmt::Debug for Running {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Running({}, {:?})", self.name, self.task.progress())
    }
}

impl Jobs {
    /// Starts the threads. `wake` is called from them whenever a job has finished.
    ///
    /// # Errors
    /// When the operating system gives no thread.
    pub fn new(wake: impl Fn() + Send + Sync + 'static) -> Result<Self> {
        let (work, queue) = unbounded::<Work>();
        let threads = std::thread::available_parallelism().map_or(2, |count| count.get().max(2));
        for at in 0..threads {
            let queue = queue.clone();
            let run = move || queue.iter().for_each(|work| work());
            std::thread::Builder::new().name(format!("job {at}")).spawn(run)?;
        }
        Ok(Self { work, threads, running: Arc::default(), wake: Arc::new(wake) })
    }

    /// How many jobs run at a time.
    pub const fn threads(&self) -> usize {
        self.threads
    }

    /// What tells the program that there is something new, for jobs that have results before they end.
    pub fn waker(&self) -> Arc<dyn Fn() + Send + Sync> {
        Arc::clone(&self.wake)
    }

    /// Queues work under a name. A panic in it becomes an error of the job.
    pub fn spawn<T: Send + 'static>(
        &self,
        name: impl Into<String>,
        work: impl FnOnce(&Task) -> Result<T> + Send + 'static,
    ) -> Job<T> {
        let (sender, receiver) = bounded(1);
        let task = Arc::new(Task::new());
        let running =
            Arc::new(Running { name: name.into(), task: Arc::clone(&task), started: Instant::now() });
        lock(&self.running).push(Arc::clone(&running));
        let (all, wake) = (Arc::clone(&self.running), Arc::clone(&self.wake));
        let run = {
            let task = Arc::clone(&task);
            move || {
                // Nobody waits for a job that was cancelled before it began.
                let result = task.check().and_then(|()| caught(|| work(&task)));
                lock(&all).retain(|other| !Arc::ptr_eq(other, &running));
                // A receiver that is gone wanted no result.
                let _ = sender.send(result);
                wake();
            }
        };
        // The threads live as long as `self`, so the queue is open.
        let _ = self.work.send(Box::new(run));
        Job { receiver, task }
    }

    /// Runs work on a thread of its own, because it waits for a person.
    pub fn spawn_alone<T: Send + 'static>(
        &self,
        name: &str,
        work: impl FnOnce() -> Result<T> + Send + 'static,
    ) -> Job<T> {
        let (sender, receiver) = bounded(1);
        let task = Arc::new(Task::new());
        let wake = Arc::clone(&self.wake);
        let (done, own) = (sender.clone(), Arc::clone(&task));
        let run = move || {
            let result = caught(work);
            // A receiver that is gone wanted no result.
            let _ = done.send(own.check().and(result));
            wake();
        };
        if let Err(error) = std::thread::Builder::new().name(name.to_owned()).spawn(run) {
            let _ = sender.send(Err(error.into()));
        }
        Job { receiver, task }
    }

    /// The jobs that were started and have not finished, oldest first.
    pub fn running(&self) -> Vec<Arc<Running>> {
        lock(&self.running).clone()
    }
}

impl fmt::Debug for Jobs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.running()).finish()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    // The list stays whole whatever happens to a thread that looked at it.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Does work in which a panic becomes an error.
///
/// # Errors
/// Those of the work; `Malformed` for a panic in it.
pub fn caught<T>(work: impl FnOnce() -> Result<T>) -> Result<T> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| Err(of_panic(&*panic)))
}

fn of_panic(panic: &(dyn std::any::Any + Send)) -> Error {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
    Error::malformed(format!("the program met a state it does not know, please report it: {text}"))
}

/// The result of work that goes on elsewhere. Dropping it cancels the work.
pub struct Job<T> {
    receiver: Receiver<Result<T>>,
    task: Arc<Task>,
}

impl<T> Job<T> {
    /// The result, once there is one; it is given out once.
    pub fn poll(&self) -> Option<Result<T>> {
        match self.receiver.try_recv() {
            Ok(result) => Some(result),
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => Some(Err(Error::malformed("the job ended without a result"))),
        }
    }

    /// Waits for the result, where there is no window to keep alive.
    ///
    /// # Errors
    /// Those of the work.
    pub fn wait(&self) -> Result<T> {
        let lost = |_| Err(Error::malformed("the job ended without a result"));
        self.receiver.recv().unwrap_or_else(lost)
    }

    /// Cancel and progress.
    pub fn task(&self) -> &Task {
        &self.task
    }
}

impl<T> Drop for Job<T> {
    fn drop(&mut self) {
        self.task.cancel();
    }
}

impl<T> fmt::Debug for Job<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Job({:?})", self.task.progress())
    }
}

/// A value that is on its way, there, or not to be had.
#[derive(Debug)]
pub enum Load<T> {
    /// On its way.
    Pending(Job<T>),
    /// There.
    Ready(T),
    /// Not to be had.
    Failed(Error),
}

impl<T> Load<T> {
    /// Takes the result of a finished job; whether anything changed.
    pub fn poll(&mut self) -> bool {
        let Self::Pending(job) = self else { return false };
        match job.poll() {
            None => false,
            Some(Ok(value)) => {
                *self = Self::Ready(value);
                true
            }
            Some(Err(error)) => {
                *self = Self::Failed(error);
                true
            }
        }
    }

    /// The value, where it is there.
    pub fn ready(&self) -> Option<&T> {
        match self {
            Self::Ready(value) => Some(value),
            Self::Pending(_) | Self::Failed(_) => None,
        }
    }

    /// Whether it is on its way.
    pub fn is_pending(&self) -> bool {
        matches!(self, Self::Pending(_))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn jobs() -> Jobs {
        Jobs::new(|| {}).unwrap()
    }

    #[test]
    fn work_gives_its_result_once() {
        let job = jobs().spawn("add", |_| Ok(1 + 1));
        assert_eq!(job.wait().unwrap(), 2);
        assert!(job.poll().unwrap().is_err());
    }

    #[test]
    fn a_panic_is_an_error_and_the_pool_goes_on() {
        let jobs = jobs();
        for _ in 0..20 {
            let job = jobs.spawn("fall", |_| -> Result<()> { panic!("oh no") });
            assert!(job.wait().unwrap_err().to_string().contains("oh no"));
        }
        assert_eq!(jobs.spawn("go on", |_| Ok(7)).wait().unwrap(), 7);
    }

    #[test]
    fn dropping_a_job_cancels_its_task() {
        let jobs = jobs();
        let (started, is_started) = bounded(1);
        let (ended, is_ended) = bounded(1);
        let job = jobs.spawn("wait", move |task| {
            started.send(()).unwrap();
            while task.step(0).is_ok() {
                std::thread::yield_now();
            }
            ended.send(()).unwrap();
            Ok(())
        });
        is_started.recv().unwrap();
        assert_eq!(jobs.running().len(), 1);
        drop(job);
        is_ended.recv().unwrap();
    }
}
