//! dhat, in the program: a table of all live blocks.
//!
//! Its own tables go through the global allocator, and it leaves out its own calls alone: it is at work in its own window
//! only, and the recorder is off then.

use dhat::{HeapStats, Profiler};

use super::Instruments;
use super::comparison::{Compared, Comparison};
use crate::snapshot::Snapshot;

/// Counts work, of which the recorder has counted the same.
///
/// A reallocation is a block more, of its new size. Blocks from before the window do not count as live, unless it
/// reallocates them.
pub(super) fn compare(recorded: &Snapshot, instruments: &Instruments, work: &mut dyn FnMut()) -> Comparison {
    let while_dhat = |work| instruments.while_second(|| instruments.second().while_second(work));
    let theirs = while_dhat(|| {
        let _profiler = Profiler::builder().testing().build();
        work();
        HeapStats::get()
    });
    let (ours, peak) = (&recorded.totals, recorded.peak);
    let figures = vec![
        Compared::new("total_blocks", ours.requests() as i64, theirs.total_blocks as i64),
        Compared::new("total_bytes", ours.new_size_bytes() as i64, theirs.total_bytes as i64),
        Compared::new("max_blocks", peak.blocks as i64, theirs.max_blocks as i64),
        Compared::new("max_bytes", peak.bytes as i64, theirs.max_bytes as i64),
        Compared::new("curr_blocks", ours.live_blocks as i64, theirs.curr_blocks as i64),
        Compared::new("curr_bytes", ours.live_bytes as i64, theirs.curr_bytes as i64),
    ];
    Comparison { instrument: "dhat", figures }
}
