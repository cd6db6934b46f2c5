//! Measuring in turns: each round runs every contender once, so that a machine whose speed drifts
//! slows all of them alike, and ratios hold.

#![expect(dead_code, reason = "each benchmark uses its part")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::hint::black_box;
use std::sync::atomic::{AtomicIsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Counts the heap that the program holds.
pub(crate) struct Counting(AtomicIsize);

impl Counting {
    /// A counter at zero.
    pub(crate) const fn new() -> Self {
        Self(AtomicIsize::new(0))
    }

    /// Bytes held at this moment.
    pub(crate) fn held(&self) -> isize {
        self.0.load(Relaxed)
    }
}

#[expect(unsafe_code, reason = "an allocator can be counted in no other way")]
// SAFETY: every call is passed on to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        self.0.fetch_add(layout.size().cast_signed(), Relaxed);
        // SAFETY: the caller's promises are passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        self.0.fetch_sub(layout.size().cast_signed(), Relaxed);
        // SAFETY: the caller's promises are passed on.
        unsafe { System.dealloc(memory, layout) }
    }
}

/// One thing to measure.
pub(crate) struct Contender<'a> {
    name: &'a str,
    /// What one run is divided by, and what that is called.
    per: (u64, &'a str),
    /// Bytes of one run, where speed is asked for.
    bytes: Option<u64>,
    run: Box<dyn FnMut() -> Duration + 'a>,
}

impl<'a> Contender<'a> {
    /// Measures whole runs; dropping the result does not count.
    pub(crate) fn new<T>(name: &'a str, mut run: impl FnMut() -> T + 'a) -> Self {
        let run = move || {
            let started = Instant::now();
            let result = black_box(run());
            let time = started.elapsed();
            drop(result);
            time
        };
        Self { name, per: (1, ""), bytes: None, run: Box::new(run) }
    }

    /// Measures the part of each run that the run itself times.
    pub(crate) fn timed(name: &'a str, run: impl FnMut() -> Duration + 'a) -> Self {
        Self { name, per: (1, ""), bytes: None, run: Box::new(run) }
    }

    /// Says how many bytes one run is about, which gives a speed.
    pub(crate) fn bytes(mut self, bytes: u64) -> Self {
        self.bytes = Some(bytes);
        self
    }

    /// Measures a part of a run: one of `count`.
    pub(crate) fn per(mut self, count: u64, what: &'a str) -> Self {
        self.per = (count, what);
        self
    }
}

/// Runs all contenders in turns and prints a row for each: the median, the fastest run, and the
/// median of the ratios to the first contender in the same round.
pub(crate) fn compare(rounds: usize, mut contenders: Vec<Contender<'_>>) {
    let mut times: Vec<Vec<Duration>> = vec![Vec::new(); contenders.len()];
    for round in 0..=rounds {
        for (contender, times) in contenders.iter_mut().zip(&mut times) {
            let time = (contender.run)();
            // The first round warms up.
            if round > 0 {
                times.push(time);
            }
        }
    }
    println!("{:<44} {:>12} {:>12} {:>10}", "", "median", "fastest", "ratio");
    let reference = times[0].clone();
    for (contender, times) in contenders.iter().zip(times) {
        let mut ratios: Vec<f64> = times
            .iter()
            .zip(&reference)
            .map(|(own, first)| own.as_secs_f64() / first.as_secs_f64())
            .collect();
        ratios.sort_by(f64::total_cmp);
        let mut sorted = times;
        sorted.sort();
        let (count, what) = contender.per;
        let share = |time: Duration| time.div_f64(count as f64);
        let name =
            if what.is_empty() { contender.name.to_owned() } else { format!("{}, {what}", contender.name) };
        let speed = contender.bytes.map_or_else(String::new, |bytes| {
            format!("{:>10.0} MB/s", bytes as f64 / 1e6 / sorted[sorted.len() / 2].as_secs_f64())
        });
        println!(
            "{name:<44} {:>12} {:>12} {:>10.2}{speed}",
            format!("{:.2?}", share(sorted[sorted.len() / 2])),
            format!("{:.2?}", share(sorted[0])),
            ratios[ratios.len() / 2]
        );
    }
    println!();
}
