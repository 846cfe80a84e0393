//! The system has no memory for the recorder's own tables.

use std::alloc::{Layout, alloc, dealloc};
use std::error::Error;
use std::hint::black_box;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};

use alloclab::recorder::{Label, Window, WindowError, WindowOptions};
use alloclab::snapshot::{SiteKind, Snapshot};

use super::inner::{self, counted};
use super::process::in_child;
use super::{Condition, Outcome, holds, same};

const NO_TOOL: &str = "a tool needs the address space that the process is denied";

pub(super) const CONDITIONS: &[Condition] = &[
    Condition::new("no_memory_from_the_first_window_on", no_memory_from_the_first_window_on)
        .without_tools(NO_TOOL),
    Condition::new("no_memory_from_an_open_window_on", no_memory_from_an_open_window_on)
        .without_tools(NO_TOOL),
];

/// Limits the process to the address space that it has, and so much more.
pub(super) fn limit(more: u64) -> Outcome {
    let sizes = std::fs::read_to_string("/proc/self/statm")?;
    let pages: u64 = sizes.split(' ').next().unwrap_or_default().parse()?;
    let bytes = pages * 4096 + more;
    let limit = libc::rlimit { rlim_cur: bytes, rlim_max: libc::RLIM_INFINITY };
    // SAFETY: the call reads a whole value.
    same(unsafe { libc::setrlimit(libc::RLIMIT_AS, &raw const limit) }, 0)
}

/// Limits from nothing to more than all tables together.
fn limits() -> impl Iterator<Item = u64> {
    let steps = (0..20).map(|power| 4096 << power);
    let tables = (1..30).map(|step| step * (50 << 20));
    [0].into_iter().chain(steps).chain(tables).chain([4 << 30])
}

const LAYOUT: Layout = Layout::new::<[u8; 700]>();

/// Blocks at some sites and under some labels; the last stay alive.
#[inline(never)]
fn work(blocks: usize) -> Vec<*mut u8> {
    let mut kept = Vec::with_capacity(blocks);
    for index in 0..blocks {
        // SAFETY: the layout has a size.
        let allocate = || black_box(unsafe { alloc(LAYOUT) });
        let block = match index % 3 {
            0 => allocate(),
            1 => Label::new("one").in_scope(allocate),
            _ => Label::new(["two", "three"][index % 2]).in_scope(|| black_box(allocate())),
        };
        if index % 2 == 0 {
            // SAFETY: the block is there and has this layout.
            unsafe { dealloc(block, LAYOUT) };
        } else {
            kept.push(block);
        }
    }
    kept
}

/// Threads that wait until they are to work, so that none has to be started under the limit; and afterwards until they are to
/// end, for a thread that ends frees what it has at a moment of its own.
struct Workers {
    workers: Vec<Worker>,
    may_end: Arc<AtomicBool>,
}

type Worker = (Sender<()>, Receiver<usize>, JoinHandle<()>);

impl Workers {
    fn new(count: usize) -> Self {
        let may_end = Arc::new(AtomicBool::new(false));
        let worker = |_| {
            let ((begin, began), (ended, end)) = (channel::<()>(), channel());
            let may_end = Arc::clone(&may_end);
            let thread = thread::Builder::new().stack_size(128 << 10).spawn(move || {
                ended.send(0).expect("it is received");
                if began.recv().is_ok() {
                    let kept = work(30).len();
                    ended.send(kept).expect("it is received");
                }
                // Unlike a channel, this never allocates.
                while !may_end.load(Ordering::Relaxed) {
                    thread::park();
                }
            });
            // Started whole: the thread has taken what the system gives it.
            end.recv().expect("it is sent");
            (begin, end, thread.expect("there is no limit yet"))
        };
        Self { workers: (0..count).map(worker).collect(), may_end }
    }

    /// Lets each work, one after the other.
    fn work(&self) -> Outcome {
        for (begin, end, _) in &self.workers {
            begin.send(())?;
            same(end.recv()?, 15)?;
        }
        Ok(())
    }

    fn join(self) -> Outcome {
        self.may_end.store(true, Ordering::Relaxed);
        for (begin, _, thread) in self.workers {
            drop(begin);
            thread.thread().unpark();
            thread.join().map_err(|_| "it panicked")?;
        }
        Ok(())
    }
}

/// Whether the totals are those that the allocator has seen, and whatever else is missing is told.
fn tells_all(snapshot: &Snapshot, tally: &alloclab::snapshot::Counts) -> Result<bool, Box<dyn Error>> {
    same(counted(&snapshot.totals), counted(tally))?;
    let totals = &snapshot.totals;
    let overflow: u64 = snapshot
        .sites
        .iter()
        .filter(|site| site.kind == SiteKind::Overflow)
        .map(|site| site.counts.requests())
        .sum();
    same(snapshot.overflowed, overflow)?;
    let is_whole = snapshot.overflowed == 0 && snapshot.untracked == 0;
    let of_others = snapshot.sites.iter().filter(|site| site.kind == SiteKind::Outside);
    let of_others: u64 = of_others.map(|site| site.counts.deallocations).sum();
    let live = totals.allocations - (totals.deallocations - of_others);
    let missing = live.saturating_sub(totals.live_blocks);
    holds(missing <= snapshot.overflowed + snapshot.untracked, || {
        format!("{missing} live blocks are missing")
    })?;
    holds(!is_whole || totals.live_blocks == live, || format!("{totals:?}"))?;
    Ok(is_whole)
}

/// In a window that is opened under the limit; whether everything was there.
fn under_limit(more: u64, options: &WindowOptions) -> Result<Option<bool>, Box<dyn Error>> {
    let workers = Workers::new(3);
    limit(more)?;
    let window = match options.open_over_process() {
        Err(WindowError::NoTable) => return Ok(None),
        window => window?,
    };
    let before = inner::so_far();
    let kept = work(30);
    workers.work()?;
    let tally = inner::since(&before);
    let snapshot = window.close();
    drop(kept);
    let is_whole = tells_all(&snapshot, &tally)?;
    workers.join()?;
    Ok(Some(is_whole))
}

fn no_memory_from_the_first_window_on() -> Outcome {
    inner::use_reserve();
    for more in limits() {
        in_child(|| {
            let found = under_limit(more, &WindowOptions::new().events(1000))?;
            let expected = match more {
                0..1_000_000 => found.is_none(),
                1_000_000..=2_000_000_000 => true,
                _ => found == Some(true),
            };
            holds(expected, || format!("{found:?} with {more} bytes more"))
        })
        .map_err(|error| format!("with {more} bytes more: {error}"))?;
    }
    Ok(())
}

fn no_memory_from_an_open_window_on() -> Outcome {
    inner::use_reserve();
    for more in limits() {
        in_child(|| {
            let workers = Workers::new(3);
            let window = Window::over_process()?;
            let before = inner::so_far();
            let mut kept = work(3);
            limit(more)?;
            workers.work()?;
            kept.extend(work(30));
            let tally = inner::since(&before);
            let snapshot = window.close();
            drop(kept);
            let is_whole = tells_all(&snapshot, &tally)?;
            // The three threads need tables of their own.
            let is_expected = if more < 335 << 20 { !is_whole } else { is_whole || more < 2 << 30 };
            holds(is_expected, || format!("{} overflowed", snapshot.overflowed))?;
            workers.join()
        })
        .map_err(|error| format!("with {more} bytes more: {error}"))?;
    }
    Ok(())
}
