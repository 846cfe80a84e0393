//! stats_alloc, in the program: every call's figures in six counters.

use stats_alloc::{INSTRUMENTED_SYSTEM, Region};

use super::Instruments;
use super::comparison::{Compared, Comparison};
use crate::snapshot::Snapshot;

/// Counts work, of which the recorder has counted the same.
///
/// Bytes that reallocations grow are allocated, bytes that they shrink deallocated; the difference stands once more in
/// `bytes_reallocated`.
pub(super) fn compare(recorded: &Snapshot, instruments: &Instruments, work: &mut dyn FnMut()) -> Comparison {
    let theirs = instruments.while_second(|| {
        let region = Region::new(&INSTRUMENTED_SYSTEM);
        work();
        region.change()
    });
    let ours = &recorded.totals;
    let freed = ours.freed_bytes + ours.shrunk_bytes;
    let reallocated = ours.grown_bytes as i64 - ours.shrunk_bytes as i64;
    let figures = vec![
        Compared::new("allocations", ours.allocations as i64, theirs.allocations as i64),
        Compared::new("reallocations", ours.reallocations as i64, theirs.reallocations as i64),
        Compared::new("deallocations", ours.deallocations as i64, theirs.deallocations as i64),
        Compared::new("bytes_allocated", ours.requested_bytes() as i64, theirs.bytes_allocated as i64),
        Compared::new("bytes_deallocated", freed as i64, theirs.bytes_deallocated as i64),
        Compared::new("bytes_reallocated", reallocated, theirs.bytes_reallocated as i64),
    ];
    Comparison { instrument: "stats_alloc", figures }
}
