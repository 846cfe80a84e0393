//! Labels: what is allocated in a scope is counted under its label, in windows over a thread and over the process.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::hint::black_box;
use std::panic;
use std::pin::pin;
use std::sync::{Mutex, MutexGuard, mpsc};
use std::task::{Context, Poll, Waker};
use std::thread;

use alloclab::recorder::{Label, Recorder, Window, measure};
use alloclab::snapshot::{Counts, Snapshot};

#[global_allocator]
static ALLOCATOR: Recorder = Recorder::system();

/// Windows over the process exclude all others. What the test harness allocates meanwhile has no label.
fn alone() -> MutexGuard<'static, ()> {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    ONE_AT_A_TIME.lock().unwrap_or_else(|broken| broken.into_inner())
}

/// The figures of each label, once it is seen that they sum up to the totals.
fn by_label(snapshot: &Snapshot) -> BTreeMap<&str, Counts> {
    let mut labels = BTreeMap::<&str, Counts>::new();
    for site in &snapshot.sites {
        let label = site.label.map_or("", |index| &snapshot.labels[index as usize]);
        labels.entry(label).or_default().add(&site.counts);
    }
    let mut sum = Counts::default();
    labels.values().for_each(|counts| sum.add(counts));
    // The peak's own figure may be more exact than the sum of shares.
    (sum.peak_bytes, sum.peak_blocks) = (snapshot.totals.peak_bytes, snapshot.totals.peak_blocks);
    assert_eq!(sum, snapshot.totals);
    labels
}

/// Allocations and bytes of each label.
fn requests(snapshot: &Snapshot) -> Vec<(&str, u64, u64)> {
    let labels = by_label(snapshot).into_iter();
    labels.map(|(label, counts)| (label, counts.allocations, counts.allocated_bytes)).collect()
}

#[inline(never)]
fn block(bytes: usize) -> Vec<u8> {
    black_box(Vec::with_capacity(bytes))
}

#[test]
fn scopes_nest_and_the_one_around_is_back_at_the_end_of_each() {
    let _alone = alone();
    let (outer, inner) = (Label::new("outer"), Label::new("inner"));
    let measured = measure(|| {
        block(1);
        let scope = outer.enter();
        block(10);
        inner.in_scope(|| block(100));
        block(20);
        drop(scope);
        block(2);
    });
    let snapshot = measured.unwrap().snapshot;
    assert_eq!(requests(&snapshot), [("", 2, 3), ("inner", 1, 100), ("outer", 2, 30)]);
}

#[test]
fn scopes_may_end_out_of_order() {
    let _alone = alone();
    let [a, b, c] = ["a", "b", "c"].map(Label::new);
    let (first, second, third) = (a.enter(), b.enter(), c.enter());
    drop(second);
    assert_eq!(Label::current(), Some(c));
    drop(third);
    assert_eq!(Label::current(), Some(a));
    let fourth = b.enter();
    drop(first);
    assert_eq!(Label::current(), Some(b));
    drop(fourth);
    assert_eq!(Label::current(), None);
}

#[test]
fn a_panic_ends_the_scopes_that_it_leaves() {
    let _alone = alone();
    let _outer = Label::new("outer").enter();
    let unwound = panic::catch_unwind(|| Label::new("inner").in_scope(|| panic::resume_unwind(Box::new(()))));
    assert!(unwound.is_err());
    assert_eq!(Label::current(), Some(Label::new("outer")));
}

#[test]
fn one_call_site_is_one_site_for_each_label() {
    let _alone = alone();
    let labels = ["one", "two"].map(Label::new);
    let snapshot = measure(|| {
        // A loop that the optimizer cannot unroll into several call sites.
        for round in 0..black_box(10) {
            let round = black_box(round);
            let _scope = labels[round % 2].enter();
            // Two size classes: records of one stack and one label become one site.
            block(16 << (round / 5 * 4));
        }
    });
    let snapshot = snapshot.unwrap().snapshot;
    assert_eq!(requests(&snapshot), [("one", 5, 3 * 16 + 2 * 256), ("two", 5, 2 * 16 + 3 * 256)]);
    let [one, two] = &snapshot.sites[..] else { panic!("{} sites", snapshot.sites.len()) };
    assert_eq!(one.frames, two.frames);
    assert_eq!(
        (&one.size_classes[..], &two.size_classes[..]),
        (&[(4, 3), (8, 2)][..], &[(4, 2), (8, 3)][..])
    );
}

#[test]
fn a_block_is_its_label_s_until_it_is_freed_or_reallocated_whatever_the_label_then() {
    let _alone = alone();
    let [maker, grower, freer] = ["maker", "grower", "freer"].map(Label::new);
    let snapshot = measure(|| {
        let mut kept = maker.in_scope(|| block(100));
        let mut grown = maker.in_scope(|| block(200));
        grower.in_scope(|| grown.reserve_exact(300));
        kept.push(1);
        freer.in_scope(|| drop((kept, grown)));
    });
    let snapshot = snapshot.unwrap().snapshot;
    let labels = by_label(&snapshot);
    let figures = |label| {
        let counts: &Counts = &labels[label];
        (counts.allocations, counts.reallocations, counts.deallocations, counts.live_bytes)
    };
    assert_eq!((figures("maker"), figures("grower")), ((2, 0, 1, 0), (0, 1, 1, 0)));
    assert!(!labels.contains_key("freer"));
}

#[test]
fn threads_have_labels_of_their_own_and_none_when_they_start() {
    let _alone = alone();
    let labels = ["thread 0", "thread 1", "thread 2", "thread 3"].map(Label::new);
    let _scope = Label::new("spawner").enter();
    let window = Window::over_process().unwrap();
    let threads = labels.map(|label| {
        thread::spawn(move || {
            assert_eq!(Label::current(), None);
            for round in 0..1000 {
                block(1 + round % 50);
                label.in_scope(|| block(1 + round % 50));
            }
        })
    });
    threads.into_iter().for_each(|thread| thread.join().unwrap());
    let snapshot = window.close();
    let seen = by_label(&snapshot);
    for label in labels {
        let counts = &seen[label.name()];
        let figures = (counts.allocations, counts.allocated_bytes, counts.deallocations);
        assert_eq!(figures, (1000, 25_500, 1000), "{label:?}");
    }
    assert!(seen["spawner"].allocations >= 4, "{:?}", seen["spawner"]);
    assert!(seen[""].allocations >= 4000, "{:?}", seen[""]);
}

#[test]
fn a_block_that_another_thread_frees_stays_its_label_s() {
    let _alone = alone();
    let [maker, freer] = ["maker", "freer"].map(Label::new);
    let (sender, receiver) = mpsc::sync_channel::<Vec<u8>>(100);
    let window = Window::over_process().unwrap();
    let thread = thread::spawn(move || freer.in_scope(|| receiver.iter().for_each(drop)));
    for _ in 0..100 {
        let made = maker.in_scope(|| block(1000));
        sender.send(made).unwrap();
    }
    drop(sender);
    thread.join().unwrap();
    let snapshot = window.close();
    let labels = by_label(&snapshot);
    let made = &labels["maker"];
    assert_eq!(
        (made.allocations, made.freed_elsewhere, made.freed_bytes, made.live_bytes),
        (100, 100, 100_000, 0)
    );
}

#[test]
fn a_label_from_before_the_window_and_the_thread_s_first_allocation_counts() {
    let _alone = alone();
    let label = Label::new("early");
    let (opened, is_open) = mpsc::sync_channel::<()>(1);
    let (labeled, is_labeled) = mpsc::sync_channel::<()>(1);
    let thread = thread::spawn(move || {
        let _scope = label.enter();
        labeled.send(()).unwrap();
        is_open.recv().unwrap();
        block(77);
    });
    is_labeled.recv().unwrap();
    let window = Window::over_process().unwrap();
    opened.send(()).unwrap();
    thread.join().unwrap();
    let snapshot = window.close();
    let early = &by_label(&snapshot)["early"];
    // Waiting for the window may allocate in the channel.
    assert!(early.allocations >= 1 && early.allocated_bytes >= 77, "{early:?}");
    let sites = snapshot.sites.iter().filter(|site| site.label.is_some());
    assert!(sites.map(|site| site.counts.allocated_bytes).any(|bytes| bytes == 77));
}

struct LabelsAtItsEnd;

impl Drop for LabelsAtItsEnd {
    fn drop(&mut self) {
        Label::new(&format!("{} end", "at the")).in_scope(|| block(77));
    }
}

thread_local! {
    static LAST: RefCell<Option<LabelsAtItsEnd>> = const { RefCell::new(None) };
}

#[test]
fn a_destructor_at_the_end_of_a_thread_can_have_a_label() {
    let _alone = alone();
    let window = Window::over_process().unwrap();
    thread::spawn(|| LAST.set(Some(LabelsAtItsEnd))).join().unwrap();
    let snapshot = window.close();
    let counts = &by_label(&snapshot)["at the end"];
    assert_eq!((counts.allocations, counts.allocated_bytes, counts.deallocations), (1, 77, 1));
}

#[test]
fn making_and_entering_labels_allocates_nothing() {
    let _alone = alone();
    let snapshot = measure(|| {
        for name in ["never", "seen", "before", "never"] {
            Label::new(name).in_scope(Label::current);
        }
        assert_eq!(Label::new("seen").name(), "seen");
    });
    assert_eq!(snapshot.unwrap().snapshot.totals, Counts::default());
}

#[test]
fn a_label_s_name_in_a_snapshot_may_not_command_a_terminal() {
    let _alone = alone();
    let snapshot = measure(|| Label::new("GET \u{1b}[2J\n").in_scope(|| block(1))).unwrap().snapshot;
    assert_eq!(snapshot.labels, ["GET \u{fffd}[2J\u{fffd}"]);
}

#[test]
fn scopes_further_in_than_can_be_told_apart_are_other_labels() {
    let _alone = alone();
    let label = Label::new("deep");
    let mut scopes: Vec<_> = (0..128).map(|_| label.enter()).collect();
    assert_eq!(Label::current(), Some(label));
    scopes.push(label.enter());
    assert_eq!(Label::current(), Some(Label::new(Label::OTHER)));
    // In the order in which they began: every one before the last leaves others further in.
    drop(scopes.remove(0));
    assert_eq!(Label::current(), Some(Label::new(Label::OTHER)));
    scopes.pop();
    assert_eq!(Label::current(), Some(label));
    drop(scopes);
    assert_eq!(Label::current(), None);
}

#[test]
fn a_future_has_its_label_on_whatever_thread_it_is_polled() {
    let _alone = alone();
    let mut polls = 0;
    let mut future = pin!(Label::new("future").instrument(std::future::poll_fn(move |_| {
        polls += 1;
        block(100 * polls);
        if polls == 3 { Poll::Ready(polls) } else { Poll::Pending }
    })));
    let mut poll = || future.as_mut().poll(&mut Context::from_waker(Waker::noop()));
    let window = Window::over_process().unwrap();
    assert_eq!(poll(), Poll::Pending);
    block(1);
    // Scoped threads, so that the future needs not be 'static: each poll is on a thread of its own.
    let elsewhere = thread::scope(|scope| scope.spawn(&mut poll).join().unwrap());
    assert_eq!(elsewhere, Poll::Pending);
    let last = Label::new("other").in_scope(poll);
    assert_eq!(last, Poll::Ready(3));
    assert_eq!(Label::current(), None);
    let snapshot = window.close();
    let counts = &by_label(&snapshot)["future"];
    assert_eq!((counts.allocations, counts.allocated_bytes), (3, 600));
}
