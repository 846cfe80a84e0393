//! Assertions pass and fail as they should, with many of them at the same time.

use std::cell::Cell;
use std::hint::black_box;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::Command;
use std::sync::mpsc;
use std::thread;

use alloclab::assertion::{
    Failure, Figure, Limits, at_most_allocations, at_most_bytes, no_allocations, no_growth, no_leak,
};
use alloclab::recorder::{Recorder, Window, WindowError};
use alloclab::snapshot::Snapshot;
#[cfg(not(feature = "symbolize"))]
use alloclab::snapshot::Stacks;

#[global_allocator]
static ALLOCATOR: Recorder = Recorder::system();

/// More than a process can have.
const TOO_MUCH: usize = 1 << 46;

thread_local! {
    /// Whether the thread's next panic is that of an assertion that must fail.
    static IS_EXPECTED: Cell<bool> = const { Cell::new(false) };

    /// Where the thread's last such panic was.
    static PANICKED_AT: Cell<Option<(String, u32)>> = const { Cell::new(None) };
}

/// An assertion's panic.
struct Panic {
    message: String,
    /// File and line.
    place: (String, u32),
    /// What it left in a file.
    snapshot: Option<Snapshot>,
}

impl Panic {
    fn of(assertion: impl FnOnce()) -> Self {
        static HOOK: std::sync::Once = std::sync::Once::new();
        HOOK.call_once(|| {
            let usual = std::panic::take_hook();
            std::panic::set_hook(Box::new(move |panic| match IS_EXPECTED.get() {
                true => {
                    PANICKED_AT.set(panic.location().map(|place| (place.file().to_owned(), place.line())))
                }
                false => usual(panic),
            }));
        });
        IS_EXPECTED.set(true);
        let panic = catch_unwind(AssertUnwindSafe(assertion));
        IS_EXPECTED.set(false);
        let panic = panic.expect_err("the assertion must fail");
        let message = *panic.downcast::<String>().expect("the message is text");
        let place = PANICKED_AT.take().expect("a panic has a place");
        let command =
            message.lines().find_map(|line| line.strip_prefix("for types and places: alloclab report "));
        let snapshot = command.map(|file| {
            let snapshot = Snapshot::read(file).unwrap();
            std::fs::remove_file(file).unwrap();
            snapshot
        });
        Self { message, place, snapshot }
    }
}

/// The message of an assertion's panic.
fn message_of(assertion: impl FnOnce()) -> String {
    Panic::of(assertion).message
}

#[track_caller]
fn expect(message: &str, parts: &[&str]) {
    for part in parts {
        assert!(message.contains(part), "{part:?} is not in:\n{message}");
    }
}

fn pushed(count: u32) -> Vec<u32> {
    let mut list = Vec::new();
    (0..black_box(count)).for_each(|number| list.push(number));
    list
}

#[test]
fn the_closure_s_value_is_returned() {
    assert_eq!(no_allocations(|| 7), 7);
    assert_eq!(at_most_allocations(1, || String::from("seven")), "seven");
    assert_eq!(at_most_bytes(5, || String::from("seven")), "seven");
    assert_eq!(no_leak(|| pushed(20).len()), 20);
    assert_eq!(no_growth(|| pushed(20).len()), 20);
    assert_eq!(Limits::new().allocations(1).check(|| pushed(20)).unwrap().len(), 20);
}

#[test]
fn an_allocation_where_none_is_allowed_fails() {
    let message = message_of(|| drop(no_allocations(|| pushed(3))));
    expect(&message, &["more than allowed, over this thread:", "allocations: at most 0 allowed, 1 seen"]);
    assert!(!message.contains("reallocations: at most"), "{message}");
}

#[test]
fn a_reallocation_where_no_allocation_is_allowed_fails() {
    let mut list = black_box(vec![1_u8; 10]);
    let message = message_of(|| no_allocations(|| list.reserve_exact(90)));
    expect(&message, &["    reallocations: at most 0 allowed, 1 seen"]);
    assert!(!message.contains("    allocations: at most"), "{message}");
}

#[test]
fn an_allocation_that_fails_where_none_is_allowed_fails() {
    let message = message_of(|| {
        no_allocations(|| assert!(Vec::<u8>::new().try_reserve_exact(black_box(TOO_MUCH)).is_err()));
    });
    expect(&message, &["failed calls: at most 0 allowed, 1 seen"]);
}

#[test]
fn frees_are_always_allowed() {
    let list = pushed(3);
    no_allocations(|| drop(list));
}

#[test]
fn a_limit_is_what_may_be_reached() {
    let limits = Limits::new().allocations(1).reallocations(3).bytes(128);
    limits.assert(|| pushed(20));
    let limits = Limits::new().allocations(0).reallocations(2).bytes(127);
    let Err(Failure::Exceeded(violation)) = limits.check(|| pushed(20)) else { panic!("it must fail") };
    let exceeded: Vec<_> =
        violation.exceeded.iter().map(|limit| (limit.figure, limit.most, limit.seen)).collect();
    let expected = [(Figure::Allocations, 0, 1), (Figure::Reallocations, 2, 3), (Figure::Bytes, 127, 128)];
    assert_eq!(exceeded, expected);
}

#[test]
fn what_is_left_alive_is_a_leak() {
    let mut kept = None;
    let message = message_of(|| no_leak(|| kept = Some(String::from("kept"))));
    expect(&message, &["blocks left alive: at most 0 allowed, 1 seen", "what was left alive"]);
    assert!(!message.contains("what was allocated"), "{message}");
    assert_eq!(kept.as_deref(), Some("kept"));
}

#[test]
fn what_is_replaced_is_no_growth_and_what_is_added_is() {
    let mut newest = String::new();
    no_growth(|| newest = format!("number {}", black_box(7)));
    let mut all = Vec::with_capacity(10);
    let message = message_of(|| no_growth(|| all.push(String::from("seven"))));
    expect(&message, &["bytes alive beyond those before: at most 0 allowed, 5 seen"]);
    assert_eq!(all.len(), 2);
}

#[test]
fn a_cache_that_the_first_call_fills_is_no_growth() {
    let mut cache = None;
    no_growth(|| cache.get_or_insert_with(|| String::from("filled")).len());
}

#[test]
fn an_older_block_that_grows_is_growth_by_what_it_grew() {
    let mut list = black_box(vec![1_u8; 10]);
    let failure = Limits::new().no_growth().check(|| list.reserve_exact(90)).unwrap_err();
    expect(&failure.to_string(), &["at most 0 allowed, 90 seen"]);
    // And one that shrinks makes room.
    let mut fresh = Vec::new();
    Limits::new().no_growth().assert(|| {
        list.shrink_to_fit();
        fresh = vec![1_u8; 90];
    });
    assert_eq!(black_box(fresh).len(), 90);
}

fn place_of(assertion: impl FnOnce()) -> (String, u32) {
    Panic::of(assertion).place
}

#[test]
fn a_failure_is_at_the_line_of_the_caller() {
    let here = file!();
    let place = place_of(|| drop(no_allocations(|| Box::new(black_box(1)))));
    assert_eq!(place, (here.to_owned(), line!() - 1));
    let place = place_of(|| drop(at_most_allocations(0, || Box::new(black_box(1)))));
    assert_eq!(place, (here.to_owned(), line!() - 1));
    let place = place_of(|| drop(at_most_bytes(0, || Box::new(black_box(1)))));
    assert_eq!(place, (here.to_owned(), line!() - 1));
    let place = place_of(|| drop(no_leak(|| Box::new(black_box(1)))));
    assert_eq!(place, (here.to_owned(), line!() - 1));
    let mut kept = Vec::with_capacity(2);
    let place = place_of(|| no_growth(|| kept.push(Box::new(black_box(1)))));
    assert_eq!(place, (here.to_owned(), line!() - 1));
    let place = place_of(|| drop(Limits::new().bytes(1).assert(|| Box::new(black_box(1)))));
    assert_eq!(place, (here.to_owned(), line!() - 1));
}

/// A type of the program, for messages to name.
struct Names(Vec<String>);

#[inline(never)]
fn two_names() -> Names {
    Names(vec![String::from("one"), String::from("three")])
}

/// Whether the test was built with the flags that types and places need.
#[cfg(feature = "symbolize")]
fn names_can_be_told() -> bool {
    alloclab::flags::missing().next().is_none()
}

#[cfg(feature = "symbolize")]
#[test]
fn a_failure_shows_types_and_places() {
    let message = message_of(|| assert_eq!(no_allocations(two_names).0.len(), 2));
    expect(&message, &["allocations: at most 0 allowed, 3 seen", "what was allocated:", "type, and who"]);
    if names_can_be_told() {
        expect(
            &message,
            &["           2              0              8  String", "two_names  tests/assertions.rs:"],
        );
        let (string, list) = (message.find("  String"), message.find("  Vec<String>"));
        assert!(string < list, "the most allocations must come first:\n{message}");
    } else {
        expect(&message, &["built without `"]);
    }
}

#[cfg(feature = "symbolize")]
#[test]
fn the_assertion_itself_is_no_place_that_allocates() {
    let message = message_of(|| drop(black_box(no_allocations(Box::<u64>::default))));
    if names_can_be_told() {
        expect(&message, &["  Box<u64>\n", "Default>::default"]);
        assert!(!message.contains("src/assertion/"), "{message}");
    }
}

#[cfg(feature = "symbolize")]
#[test]
fn a_leak_shows_what_is_alive_and_nothing_else() {
    let mut kept = None;
    let message = message_of(|| {
        no_leak(|| {
            drop(black_box(vec![1_u64; 5]));
            kept = Some(two_names());
        });
    });
    expect(&message, &["blocks left alive: at most 0 allowed, 3 seen"]);
    if names_can_be_told() {
        expect(
            &message,
            &["           2              8  String", "           1             48  Vec<String>"],
        );
        assert!(!message.contains("u64"), "{message}");
    }
    assert_eq!(kept.map(|names| names.0.len()), Some(2));
}

#[cfg(feature = "symbolize")]
#[test]
fn a_long_table_says_how_much_it_leaves_out() {
    let many = || {
        [pushed(1).len(), black_box(Box::new([0_u8; 3])).len(), black_box(vec![0_u16; 4]).len()]
            .map(|length| black_box(vec![length; length]).len())
            .iter()
            .zip([
                black_box(vec![0_u8]).len(),
                black_box(vec![0_i8]).len(),
                black_box(vec![0_i16]).len(),
                black_box(vec![0_i32]).len(),
                black_box(vec![0_i64]).len(),
                black_box(vec![0_i128]).len(),
                black_box(vec![0_u128]).len(),
                black_box(vec![0_f32]).len(),
                black_box(vec![0_f64]).len(),
                black_box(vec!['x']).len(),
                black_box(vec![true]).len(),
            ])
            .count()
    };
    let message = message_of(|| assert_eq!(no_allocations(many), 3));
    if names_can_be_told() {
        expect(&message, &["    … and 5 more types"]);
    }
}

#[cfg(not(feature = "symbolize"))]
#[test]
fn a_failure_shows_addresses_and_leaves_a_file_for_the_command_that_names_them() {
    let Panic { message, snapshot, .. } = Panic::of(|| assert_eq!(no_allocations(two_names).0.len(), 2));
    expect(&message, &["allocations: at most 0 allowed, 3 seen", "return addresses", "symbolize"]);
    let snapshot = snapshot.expect("a command is named");
    assert_eq!((snapshot.totals.allocations, snapshot.totals.allocated_bytes), (3, 56));
    if snapshot.stacks != Stacks::None {
        let exe = std::env::current_exe().unwrap();
        expect(&message, &[&format!("{}+0x", exe.file_name().unwrap().to_str().unwrap())]);
    }
}

#[cfg(feature = "symbolize")]
#[test]
fn a_failure_with_names_leaves_no_file() {
    assert_eq!(Panic::of(|| assert_eq!(no_allocations(two_names).0.len(), 2)).snapshot, None);
}

#[test]
fn an_assertion_in_another_is_refused_at_once() {
    let inner = no_allocations(|| Limits::new().check(|| ()).err());
    assert!(matches!(inner, Some(Failure::NotMeasured(WindowError::Nested))), "{inner:?}");
    let inner = no_allocations(|| Limits::new().over_all_threads().check(|| ()).err());
    assert!(matches!(inner, Some(Failure::NotMeasured(WindowError::Nested))), "{inner:?}");
    let inner = Limits::new().over_all_threads().assert(|| Limits::new().check(|| ()).err());
    assert!(matches!(inner, Some(Failure::NotMeasured(WindowError::Nested))), "{inner:?}");
    let message = message_of(|| no_allocations(|| no_leak(|| ())));
    expect(&message, &["nothing was measured: this thread has a window open already"]);
}

#[test]
fn an_assertion_in_a_window_of_the_same_thread_is_refused_at_once() {
    for open in [Window::over_thread, Window::over_process] {
        let window = waited_for(open);
        let inner = [Limits::new(), Limits::new().over_all_threads()].map(|limits| limits.check(|| ()).err());
        drop(window);
        for inner in inner {
            assert!(matches!(inner, Some(Failure::NotMeasured(WindowError::Nested))), "{inner:?}");
        }
    }
}

/// Whoever has the turn waits for the window of the one that asserts.
#[cfg(target_os = "linux")]
#[test]
fn an_assertion_in_a_window_that_another_one_waits_for_is_refused_at_once() {
    let window = waited_for(Window::over_process);
    let (tells, is_told) = mpsc::channel();
    let other = thread::spawn(move || {
        let status = own_status();
        tells.send((sleeps(&status), status)).unwrap();
        Limits::new().over_all_threads().check(|| 7).unwrap()
    });
    let (before, status) = is_told.recv().unwrap();
    while sleeps(&status) == before {
        thread::yield_now();
    }
    let inner = [Limits::new(), Limits::new().over_all_threads()].map(|limits| limits.check(|| ()).err());
    drop(window);
    for inner in inner {
        assert!(matches!(inner, Some(Failure::NotMeasured(WindowError::Nested))), "{inner:?}");
    }
    assert_eq!(other.join().unwrap(), 7);
}

/// A plain window waits for nobody.
fn waited_for(open: impl Fn() -> Result<Window, WindowError>) -> Window {
    loop {
        match open() {
            Err(WindowError::OtherWindow) => thread::yield_now(),
            window => return window.unwrap(),
        }
    }
}

#[test]
fn a_thread_that_the_closure_waits_for_may_assert_for_itself() {
    let work = || thread::spawn(|| no_allocations(|| 7)).join().unwrap();
    assert_eq!(at_most_bytes(10_000, work), 7);
}

#[test]
fn an_assertion_that_waited_in_vain_says_how_long() {
    let failure = Failure::NotMeasured(WindowError::OtherWindow).to_string();
    expect(&failure, &["nothing was measured: after 60 seconds of waiting, another window is open"]);
}

/// How often a thread has gone to sleep so far, by the file that tells it.
#[cfg(target_os = "linux")]
fn sleeps(status: &str) -> u64 {
    let status = std::fs::read_to_string(status).unwrap();
    let sleeps = status.lines().find_map(|line| line.strip_prefix("voluntary_ctxt_switches:"));
    sleeps.unwrap().trim().parse().unwrap()
}

/// That file of the calling thread.
#[cfg(target_os = "linux")]
fn own_status() -> String {
    let thread = std::fs::read_link("/proc/thread-self").unwrap();
    format!("/proc/{}/status", thread.display())
}

/// An assertion that waits sleeps: the window closes when it has done so.
#[cfg(target_os = "linux")]
#[test]
fn an_assertion_waits_for_a_window_of_another_thread() {
    use std::sync::atomic::{AtomicBool, Ordering};

    for limits in [Limits::new().allocations(0), Limits::new().over_all_threads()] {
        let is_closed = &AtomicBool::new(false);
        let (asserts, is_told) = mpsc::channel();
        let (opened, is_open) = mpsc::channel();
        thread::scope(|scope| {
            scope.spawn(move || {
                let window = waited_for(Window::over_process);
                opened.send(()).unwrap();
                let (status, before): (String, u64) = is_told.recv().unwrap();
                while sleeps(&status) == before {
                    thread::yield_now();
                }
                is_closed.store(true, Ordering::SeqCst);
                drop(window);
            });
            is_open.recv().unwrap();
            let status = own_status();
            let before = sleeps(&status);
            asserts.send((status, before)).unwrap();
            assert!(limits.check(|| is_closed.load(Ordering::SeqCst)).unwrap());
        });
    }
}

#[test]
fn a_panic_in_the_closure_goes_on_and_closes_the_window() {
    for limits in [Limits::new(), Limits::new().over_all_threads()] {
        let panic =
            catch_unwind(AssertUnwindSafe(|| limits.assert(|| std::panic::resume_unwind(Box::new(7)))));
        assert_eq!(panic.unwrap_err().downcast_ref(), Some(&7));
        assert_eq!(limits.check(|| 8).unwrap(), 8);
    }
}

/// A block that another thread makes and keeps.
fn made_elsewhere() -> Vec<u8> {
    thread::spawn(|| vec![1_u8; 12_345]).join().unwrap()
}

#[test]
fn only_the_calling_thread_is_counted_unless_all_are() {
    // Blocks of std for the thread itself are made by the thread that spawns it.
    at_most_bytes(12_344, made_elsewhere);
    let failure = Limits::new().bytes(12_344).over_all_threads().check(made_elsewhere).unwrap_err();
    let Failure::Exceeded(violation) = &failure else { panic!("{failure}") };
    assert!(violation.exceeded[0].seen >= 12_345);
    expect(&failure.to_string(), &["more than allowed, over all threads:"]);
}

#[test]
fn assertions_over_all_threads_and_over_one_take_turns() {
    thread::scope(|scope| {
        for number in 0..4_u32 {
            scope.spawn(move || {
                for _ in 0..50 {
                    let limits =
                        if number == 0 { Limits::new().over_all_threads() } else { Limits::new().bytes(32) };
                    assert_eq!(limits.assert(|| pushed(number)).len(), number as usize);
                }
            });
        }
    });
}

/// Set for a run of this program that only prints what it counts.
const COUNTING: &str = "ALLOCLAB_TEST_COUNTING";

/// What this process counts for some work, with each site.
fn counted() -> String {
    let map = || {
        (0..black_box(100_u64)).map(|key| (key, key.to_string())).collect::<std::collections::HashMap<_, _>>()
    };
    let works: [&dyn Fn() -> usize; 3] = [&|| pushed(100).len(), &|| two_names().0.len(), &|| map().len()];
    let counts = works.map(|work| {
        let Err(Failure::Exceeded(violation)) = Limits::new().allocations(0).check(work) else {
            panic!("it must fail")
        };
        let sites: Vec<_> =
            violation.snapshot.sites.iter().map(|site| (&site.counts, &site.size_classes)).collect();
        format!("{:?} {sites:?}", violation.snapshot.totals)
    });
    // Whether a block moves is up to the allocator.
    let mut text = counts.join("\n");
    while let Some(start) = text.find("moved: ") {
        let end = start + text[start..].find(',').unwrap();
        text.replace_range(start..end, "");
    }
    text
}

#[test]
fn another_process_counts_the_same() {
    let ours = counted();
    if std::env::var_os(COUNTING).is_some() {
        println!("{}", ours.lines().map(|line| format!("counted {line}\n")).collect::<String>());
        return;
    }
    let child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "another_process_counts_the_same", "--nocapture"])
        .env(COUNTING, "1")
        .output()
        .unwrap();
    let output = String::from_utf8(child.stdout).unwrap();
    let theirs: Vec<_> = output.lines().filter_map(|line| line.strip_prefix("counted ")).collect();
    assert_eq!(theirs.join("\n"), ours);
    assert_eq!(theirs.len(), 3);
}
