//! Over all threads, a test counts its own threads and not the first one, where a test harness is at work. There are no
//! other tests' threads here: the checks run before the harness does.

use std::hint::black_box;
use std::process::ExitCode;
use std::thread;

use alloclab::assertion::{Failure, Limits};
use alloclab::recorder::Recorder;
use alloclab::snapshot::Counts;
use libtest_mimic::{Arguments, Failed, Trial};

#[global_allocator]
static ALLOCATOR: Recorder = Recorder::system();

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let result = if arguments.list { Ok(()) } else { beside_a_busy_first_thread(a_test) };
    let trial = Trial::test("all_threads_are_those_of_the_test", move || result);
    libtest_mimic::run(&arguments, vec![trial]).exit_code()
}

/// Runs a test in a thread of its own while this one allocates, as a harness does.
fn beside_a_busy_first_thread(test: fn()) -> Result<(), Failed> {
    let test = thread::spawn(test);
    while !test.is_finished() {
        drop(black_box(vec![0_u8; 1000]));
    }
    test.join().map_err(|panic| format!("{:?}", panic.downcast_ref::<String>()).into())
}

fn totals(limits: &Limits, work: impl FnOnce()) -> Counts {
    let Err(Failure::Exceeded(violation)) = limits.check(work) else { panic!("threads allocate") };
    violation.snapshot.totals
}

fn a_test() {
    let limits = Limits::new().no_allocations().over_all_threads();
    (0..1000).for_each(|_| limits.assert(thread::yield_now));

    let work = || thread::spawn(|| drop(black_box(vec![1_u8; 100]))).join().unwrap();
    // The first thread of a process makes what later ones find.
    work();
    let here = totals(&Limits::new().allocations(0), work);
    let everywhere = totals(&Limits::new().allocations(0).over_all_threads(), work);
    // Of the other thread there is one block more, and it frees its own.
    assert_eq!(everywhere.allocations, here.allocations + 1);
    assert_eq!(everywhere.allocated_bytes, here.allocated_bytes + 100);
    assert_eq!(everywhere.deallocations, everywhere.allocations);
    Limits::new().no_leak().no_growth().over_all_threads().assert(work);
}
