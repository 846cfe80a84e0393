//! Labels that follow spans, through tasks that move between threads.
#![cfg(feature = "tracing")]

use std::collections::{BTreeMap, HashSet};
use std::future::poll_fn;
use std::hint::black_box;
use std::sync::{Mutex, MutexGuard, Once, mpsc};
use std::task::Poll;
use std::thread::{self, ThreadId};

use alloclab::label_layer::LabelLayer;
use alloclab::recorder::{Label, Recorder, Window, measure};
use alloclab::snapshot::{Counts, Snapshot};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::oneshot;
use tracing::{Instrument, Span, field, info_span, subscriber};
use tracing_subscriber::filter::filter_fn;
use tracing_subscriber::layer::{Layer, SubscriberExt};
use tracing_subscriber::registry;

#[global_allocator]
static ALLOCATOR: Recorder = Recorder::system();

/// Windows over the process exclude all others. What the test harness allocates meanwhile has no label.
fn alone() -> MutexGuard<'static, ()> {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        let layer = LabelLayer::new().by_field("route");
        subscriber::set_global_default(registry().with(layer)).expect("no other subscriber is set");
    });
    ONE_AT_A_TIME.lock().unwrap_or_else(|broken| broken.into_inner())
}

fn runtime(threads: usize) -> Runtime {
    Builder::new_multi_thread().worker_threads(threads).build().unwrap()
}

/// Allocations, reallocations, bytes and frees of each label.
fn by_label(snapshot: &Snapshot) -> BTreeMap<&str, (u64, u64, u64, u64)> {
    let mut labels = BTreeMap::<&str, Counts>::new();
    for site in &snapshot.sites {
        let label = site.label.map_or("", |index| &snapshot.labels[index as usize]);
        labels.entry(label).or_default().add(&site.counts);
    }
    let requests: u64 = labels.values().map(Counts::requests).sum();
    assert_eq!(requests, snapshot.totals.requests());
    let figures = |counts: Counts| {
        (counts.allocations, counts.reallocations, counts.allocated_bytes, counts.deallocations)
    };
    labels.into_iter().map(|(label, counts)| (label, figures(counts))).collect()
}

fn name_of_current() -> &'static str {
    Label::current().map_or("", Label::name)
}

#[inline(never)]
fn blocks(count: usize, bytes: usize) {
    (0..black_box(count)).for_each(|_| drop(black_box(Vec::<u8>::with_capacity(bytes))));
}

/// Awaits until the task is on another of the runtime's two threads; what that takes has a label of its own.
async fn move_to_another_thread() {
    let from = thread::current().id();
    for _ in 0..1000 {
        let (moved, is_polled) = Label::new("moving").in_scope(|| block_thread(from));
        is_polled.await.unwrap();
        drop(moved);
        if thread::current().id() != from {
            return;
        }
    }
    panic!("the task is always polled by the same thread");
}

/// Lets a task block the thread until the sender is dropped. Once that task runs, wherever it does, the receiver is woken,
/// by a thread that is not the runtime's, for tasks that one of its own wakes wait for it.
fn block_thread(thread: ThreadId) -> (mpsc::Sender<()>, oneshot::Receiver<()>) {
    let (moved, has_moved) = mpsc::channel::<()>();
    let (runs, is_running) = mpsc::channel();
    let (poll, is_polled) = oneshot::channel();
    tokio::spawn(async move {
        runs.send(()).unwrap();
        if thread::current().id() == thread {
            // An error: nothing is ever sent.
            let _ = has_moved.recv();
        }
    });
    thread::spawn(move || {
        is_running.recv().unwrap();
        poll.send(()).unwrap();
    });
    (moved, is_polled)
}

/// Lets other tasks run. Unlike tokio's own, it does not allocate while the task is polled.
async fn give_way() {
    let mut has_given = false;
    poll_fn(|context| {
        if has_given {
            return Poll::Ready(());
        }
        has_given = true;
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

/// Allocates, moves to another thread, and allocates again; the threads that it was on.
async fn travel() -> HashSet<ThreadId> {
    blocks(10, 100);
    let first = thread::current().id();
    move_to_another_thread().await;
    blocks(20, 1000);
    let second = thread::current().id();
    let threads = Label::new("result").in_scope(|| HashSet::from([first, second]));
    assert_eq!(threads.len(), 2);
    threads
}

#[test]
fn a_task_that_moved_to_another_thread_carries_its_span_s_label() {
    let _alone = alone();
    let runtime = runtime(2);
    let span = info_span!("request", route = "/travel");
    let window = Window::over_process().unwrap();
    let threads = runtime.block_on(async { tokio::spawn(travel().instrument(span)).await.unwrap() });
    let snapshot = window.close();
    assert_eq!(threads.len(), 2);
    assert_eq!(by_label(&snapshot)["request{route=/travel}"], (30, 0, 21_000, 30));
    let labeled = snapshot.sites.iter().filter(|site| site.label.is_some());
    let bytes: HashSet<_> = labeled.map(|site| site.counts.allocated_bytes).collect();
    assert!(bytes.is_superset(&HashSet::from([1000, 20_000])), "before and after: {bytes:?}");
}

#[test]
fn a_future_with_a_label_of_its_own_carries_it_to_another_thread() {
    let _alone = alone();
    let runtime = runtime(2);
    let label = Label::new("traveler");
    let window = Window::over_process().unwrap();
    let threads = runtime.block_on(async { tokio::spawn(label.instrument(travel())).await.unwrap() });
    let snapshot = window.close();
    assert_eq!(threads.len(), 2);
    assert_eq!(by_label(&snapshot)["traveler"], (30, 0, 21_000, 30));
}

/// A task that gives way after each block, so that others run in between.
async fn work(index: usize) {
    for _ in 0..200 {
        blocks(1, 100 + index);
        give_way().await;
        // Across an `await`, and in a span inside of the task's.
        let kept = black_box(Box::new([0_u8; 50]));
        async { give_way().await }.instrument(Span::current()).await;
        drop(kept);
    }
}

#[test]
fn tasks_that_run_at_the_same_time_do_not_mix_their_labels() {
    let _alone = alone();
    let runtime = runtime(3);
    let routes: Vec<String> = (0..8).map(|index| format!("/{index}")).collect();
    let spans: Vec<_> = routes.iter().map(|route| info_span!("request", route)).collect();
    let window = Window::over_process().unwrap();
    runtime.block_on(async {
        let started = spans.into_iter().enumerate();
        let tasks: Vec<_> = started.map(|(index, span)| tokio::spawn(work(index).instrument(span))).collect();
        for task in tasks {
            task.await.unwrap();
        }
    });
    let snapshot = window.close();
    let labels = by_label(&snapshot);
    for (index, route) in std::iter::zip(0.., &routes) {
        let bytes = 200 * (100 + index) + 200 * 50;
        assert_eq!(labels[&*format!("request{{route={route}}}")], (400, 0, bytes, 400), "{route}");
    }
    // What the runtime does for the tasks is nobody's.
    assert!(labels[""].0 >= 8);
}

#[test]
fn spans_may_be_left_out_of_order() {
    let _alone = alone();
    let [a, b, c] = [info_span!("a"), info_span!("b"), info_span!("c")];
    let (in_a, in_b, in_c) = (a.enter(), b.enter(), c.enter());
    drop(in_b);
    assert_eq!(name_of_current(), "c");
    drop(in_c);
    assert_eq!(name_of_current(), "a");
    let again = b.enter();
    let twice = b.enter();
    drop(in_a);
    drop(again);
    assert_eq!(name_of_current(), "b");
    drop(twice);
    assert_eq!(name_of_current(), "");
}

#[test]
fn spans_and_scopes_nest_in_each_other_and_end_in_any_order() {
    let _alone = alone();
    let outer = Label::new("outer").enter();
    let span = info_span!("span").entered();
    let inner = Label::new("inner").enter();
    drop(span);
    assert_eq!(name_of_current(), "inner");
    drop(inner);
    assert_eq!(name_of_current(), "outer");
    drop(outer);
    assert_eq!(name_of_current(), "");
}

#[test]
fn spans_further_in_than_can_be_told_apart_are_other_labels() {
    let _alone = alone();
    let spans: Vec<_> = (0..130).map(|_| info_span!("deep")).collect();
    let mut entered: Vec<_> = spans.iter().map(Span::enter).collect();
    assert_eq!(name_of_current(), Label::OTHER);
    entered.truncate(128);
    assert_eq!(name_of_current(), "deep");
    drop(entered);
    assert_eq!(name_of_current(), "");
}

#[test]
fn a_value_that_is_recorded_later_changes_the_label_from_then_on() {
    let _alone = alone();
    let span = info_span!("request", method = "GET", route = field::Empty);
    span.in_scope(|| assert_eq!(name_of_current(), "request"));
    let entered = span.enter();
    info_span!("inner").in_scope(|| {
        span.record("method", "PUT");
        span.record("route", field::display("/late"));
        assert_eq!(name_of_current(), "inner");
    });
    assert_eq!(name_of_current(), "request{route=/late}");
    drop(entered);
    span.in_scope(|| assert_eq!(name_of_current(), "request{route=/late}"));
}

#[test]
fn the_first_field_that_was_asked_for_and_is_there_is_taken() {
    let _alone = alone();
    let layer = LabelLayer::new().by_field("job").by_field("id");
    subscriber::with_default(registry().with(layer), || {
        info_span!("a", id = 7, job = true).in_scope(|| assert_eq!(name_of_current(), "a{job=true}"));
        info_span!("b", id = ?Some(7)).in_scope(|| assert_eq!(name_of_current(), "b{id=Some(7)}"));
        info_span!("c", route = "/").in_scope(|| assert_eq!(name_of_current(), "c"));
    });
}

#[test]
fn a_long_value_is_cut_between_letters() {
    let _alone = alone();
    let span = info_span!("s", route = "ü".repeat(200));
    let label = span.in_scope(name_of_current);
    assert_eq!(label, format!("s{{route={}…}}", "ü".repeat(122)));
    assert!(label.len() <= 256);
    let whole = "x".repeat(252 - "s{route=".len());
    let span = info_span!("s", route = whole);
    assert_eq!(span.in_scope(name_of_current), format!("s{{route={whole}}}"));
}

#[test]
fn a_span_that_a_filter_turns_off_gives_no_label() {
    let _alone = alone();
    let layer = LabelLayer::new().with_filter(filter_fn(|metadata| metadata.name() != "off"));
    subscriber::with_default(registry().with(layer), || {
        let _on = info_span!("on").entered();
        let off = info_span!("off").entered();
        assert_eq!(name_of_current(), "on");
        drop(off);
        assert_eq!(name_of_current(), "on");
    });
}

#[test]
fn entering_and_leaving_spans_allocates_nothing() {
    let _alone = alone();
    let spans = [info_span!("plain"), info_span!("request", route = "/"), info_span!("request", route = 7)];
    let enter = || {
        for span in &spans {
            let _entered = span.enter();
            spans[0].in_scope(|| black_box(Label::current()));
        }
    };
    // The registry makes each thread a stack of spans.
    enter();
    let measured = measure(|| (0..1000).for_each(|_| enter())).unwrap();
    assert_eq!(measured.snapshot.totals, Counts::default());
}

#[test]
fn a_panic_in_a_span_leaves_it() {
    let _alone = alone();
    let unwound = std::panic::catch_unwind(|| {
        info_span!("doomed").in_scope(|| std::panic::resume_unwind(Box::new(name_of_current())));
    });
    assert_eq!(unwound.unwrap_err().downcast_ref(), Some(&"doomed"));
    assert_eq!(name_of_current(), "");
}
