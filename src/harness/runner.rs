//! Runs a case's operation, one after the other or as a parallel loop on a pool.

use rayon::ThreadPool;
use rayon::iter::{IntoParallelIterator, ParallelIterator};

use crate::plan::Workload;

/// An operation with all that is needed to run it.
pub(super) struct Runner<'a> {
    workload: Workload,
    /// Iterations of the parallel loop that make one operation.
    iterations: u32,
    pool: &'a ThreadPool,
}

impl<'a> Runner<'a> {
    /// `iterations` are those of a parallel loop; any other workload does one operation as it is.
    pub(super) fn new(workload: Workload, iterations: u32, pool: &'a ThreadPool) -> Self {
        Self { workload, iterations, pool }
    }

    /// Calls `work` where the operation runs, with a function that runs it a number of times.
    ///
    /// That is the calling thread, or, for a parallel loop, a thread of the pool: from outside, every call would wake
    /// threads at random and cost more than the work.
    pub(super) fn run<T: Send>(&mut self, work: impl FnOnce(&mut dyn FnMut(u64)) -> T + Send) -> T {
        match &mut self.workload {
            Workload::Serial(operations) => work(operations),
            Workload::Parallel(iteration) => {
                let iterations = self.iterations;
                let mut operations = |count| {
                    for _ in 0..count {
                        (0..iterations).into_par_iter().for_each(|_| iteration());
                    }
                };
                self.pool.install(|| work(&mut operations))
            }
        }
    }

    /// Does on the calling thread what one operation does, or one iteration of a parallel loop.
    pub(super) fn run_alone(&mut self) {
        match &mut self.workload {
            Workload::Serial(operations) => operations(1),
            Workload::Parallel(iteration) => iteration(),
        }
    }

    /// How many times one operation does what [`Runner::run_alone`] does.
    pub(super) fn repeats(&self) -> u32 {
        match &self.workload {
            Workload::Serial(_) => 1,
            Workload::Parallel(_) => self.iterations,
        }
    }
}
