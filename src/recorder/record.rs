//! The figures of one site record in one thread's table.

use crate::snapshot::{Counts, LIFETIME_CLASSES};

/// What one thread did at one site, with one size class. Written by that thread alone.
///
/// All zero is a valid record that has seen nothing. The first cache line is all that a fresh block and its free touch,
/// but for the lifetime class.
#[repr(C, align(64))]
#[derive(Clone, Copy, Default)]
pub(super) struct Record {
    /// The peak for which `peak_blocks` and `peak_bytes` were noted; see [`Record::note_peak`].
    pub(super) epoch: u64,
    pub(super) allocations: u64,
    pub(super) allocated_bytes: u64,
    pub(super) deallocations: u64,
    pub(super) freed_bytes: u64,
    pub(super) lifetime_sum: u64,
    peak_blocks: i64,
    peak_bytes: i64,

    pub(super) reallocations: u64,
    pub(super) reallocated_new_bytes: u64,
    pub(super) grown: u64,
    pub(super) grown_bytes: u64,
    pub(super) shrunk: u64,
    pub(super) shrunk_bytes: u64,
    pub(super) moved: u64,
    /// Blocks that left for another site, or for this one again, by a reallocation.
    pub(super) left: u64,

    pub(super) left_bytes: u64,
    pub(super) zeroed: u64,
    pub(super) freed_elsewhere: u64,
    pub(super) failed: u64,
    /// Blocks that came here, fresh or reallocated, whose address is not followed: they never count as live.
    unfollowed: u64,
    unfollowed_bytes: u64,

    pub(super) lifetimes: [u64; LIFETIME_CLASSES],
}

impl Record {
    /// Whether it has seen nothing.
    pub(super) fn is_idle(&self) -> bool {
        let calls = self.allocations | self.reallocations | self.deallocations | self.left | self.failed;
        calls == 0
    }

    /// Keeps the live figures as those at the peak, if they have not changed since it. To be called before any change.
    #[inline(always)]
    pub(super) fn note_peak(&mut self, epoch: u64) {
        if self.epoch != epoch {
            std::hint::cold_path();
            self.epoch = epoch;
            (self.peak_blocks, self.peak_bytes) = self.live();
        }
    }

    /// Blocks and bytes that are alive: what came less what went. Negative where this thread freed others' blocks.
    #[inline(always)]
    fn live(&self) -> (i64, i64) {
        let came = self.allocations + self.reallocations - self.unfollowed;
        let came_bytes = self.allocated_bytes + self.reallocated_new_bytes - self.unfollowed_bytes;
        let blocks = came as i64 - (self.deallocations + self.left) as i64;
        let bytes = came_bytes as i64 - (self.freed_bytes + self.left_bytes) as i64;
        (blocks, bytes)
    }

    /// A block that came here cannot be followed.
    pub(super) fn lose(&mut self, bytes: usize) {
        self.unfollowed += 1;
        self.unfollowed_bytes += bytes as u64;
    }

    /// One fresh block more.
    #[inline(always)]
    pub(super) fn begin_life(&mut self, epoch: u64, bytes: usize, zeroed: bool) {
        self.note_peak(epoch);
        self.allocations += 1;
        self.allocated_bytes += bytes as u64;
        if zeroed {
            self.zeroed += 1;
        }
    }

    /// One block less, which lived for `age` allocations.
    #[inline(always)]
    pub(super) fn end_life(&mut self, age: u64) {
        self.lifetime_sum += age;
        self.lifetimes[lifetime_class(age)] += 1;
    }

    /// Adds the record to a site's counts and its live figures, given the window's last peak.
    pub(super) fn add_to(&self, sums: &mut Sums, epoch: u64) {
        let (live_blocks, live_bytes) = self.live();
        let noted = self.epoch == epoch;
        sums.left += self.left;
        sums.live_blocks += live_blocks;
        sums.live_bytes += live_bytes;
        sums.peak_blocks += if noted { self.peak_blocks } else { live_blocks };
        sums.peak_bytes += if noted { self.peak_bytes } else { live_bytes };
        sums.counts.add(&self.counts());
    }

    /// The figures that are sums, as they stand.
    fn counts(&self) -> Counts {
        Counts {
            allocations: self.allocations,
            zeroed: self.zeroed,
            allocated_bytes: self.allocated_bytes,
            reallocations: self.reallocations,
            grown: self.grown,
            shrunk: self.shrunk,
            moved: self.moved,
            grown_bytes: self.grown_bytes,
            shrunk_bytes: self.shrunk_bytes,
            reallocated_new_bytes: self.reallocated_new_bytes,
            deallocations: self.deallocations,
            freed_bytes: self.freed_bytes,
            freed_elsewhere: self.freed_elsewhere,
            failed: self.failed,
            lifetime_sum: self.lifetime_sum,
            lifetimes: self.lifetimes,
            ..Counts::default()
        }
    }
}

/// A site's figures while threads are being added up: single threads' live figures may be negative.
#[derive(Default)]
pub(super) struct Sums {
    pub(super) counts: Counts,
    /// Blocks that left by a reallocation.
    left: u64,
    pub(super) live_blocks: i64,
    pub(super) live_bytes: i64,
    pub(super) peak_blocks: i64,
    pub(super) peak_bytes: i64,
}

impl Sums {
    /// Whether there is nothing to tell.
    pub(super) fn is_idle(&self) -> bool {
        self.counts == Counts::default() && self.left == 0
    }

    /// Adds another record of the same site.
    pub(super) fn add(&mut self, other: &Self) {
        self.counts.add(&other.counts);
        self.left += other.left;
        self.live_blocks += other.live_blocks;
        self.live_bytes += other.live_bytes;
        self.peak_blocks += other.peak_blocks;
        self.peak_bytes += other.peak_bytes;
    }

    /// The site's counts, all threads added.
    pub(super) fn finish(mut self) -> Counts {
        self.counts.live_blocks = self.live_blocks.max(0) as u64;
        self.counts.live_bytes = self.live_bytes.max(0) as u64;
        self.counts.peak_blocks = self.peak_blocks.max(0) as u64;
        self.counts.peak_bytes = self.peak_bytes.max(0) as u64;
        self.counts
    }
}

/// The class of a lifetime: half the number of its binary digits.
#[inline(always)]
fn lifetime_class(age: u64) -> usize {
    let class = (63 - (age | 1).leading_zeros()) / 2;
    (class as usize).min(LIFETIME_CLASSES - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lifetime_class_ends_before_the_next_power_of_four() {
        let classes = [0, 3, 4, 15, 16, 63, 64, u64::MAX].map(lifetime_class);
        assert_eq!(classes, [0, 0, 1, 1, 2, 2, 3, LIFETIME_CLASSES - 1]);
    }

    #[test]
    fn figures_at_a_peak_are_those_before_the_next_change() {
        let mut record = Record { allocations: 2, allocated_bytes: 30, ..Record::default() };
        record.note_peak(1);
        record.deallocations += 1;
        record.freed_bytes += 10;
        record.note_peak(1);
        let mut sums = Sums::default();
        record.add_to(&mut sums, 1);
        let counts = sums.finish();
        assert_eq!((counts.peak_blocks, counts.peak_bytes), (2, 30));
        assert_eq!((counts.live_blocks, counts.live_bytes), (1, 20));
    }
}
