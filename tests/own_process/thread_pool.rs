//! What a thread pool allocates for itself is told from what the code on it allocates.

use std::hint::black_box;

use alloclab::attribute::{Attributor, Options};
use alloclab::recorder::measure_process;
use alloclab::symbolize::Symbols;
use libtest_mimic::Failed;

/// What the jobs allocate.
struct Pebble(u64);

pub(crate) fn blocks_of_the_pool_are_the_harnesss_and_blocks_of_jobs_are_not() -> Result<(), Failed> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().expect("threads can be started");
    let measured = measure_process(|| {
        pool.scope(|scope| {
            for number in 0..200 {
                scope.spawn(move |_| {
                    let Pebble(number) = *black_box(Box::new(Pebble(number)));
                    black_box(number);
                });
            }
        });
    })
    .expect("no other window is open");
    let snapshot = measured.snapshot;
    let symbols = Symbols::load(&snapshot.modules).expect("the test can read its own file");
    let mut attributor = Attributor::new(symbols, Options::default());
    let types = attributor.attribute(&snapshot).sites;
    let names = attributor.names();
    let pebbles: Vec<_> = types.iter().filter(|types| names.short(types.owner) == "Box<Pebble>").collect();
    assert!(!pebbles.is_empty() && pebbles.iter().all(|types| !types.harness));
    let jobs = types.iter().filter(|types| names.short(types.owner).contains("HeapJob"));
    let jobs: Vec<_> = jobs.collect();
    assert!(!jobs.is_empty() && jobs.iter().all(|types| types.harness));
    Ok(())
}
