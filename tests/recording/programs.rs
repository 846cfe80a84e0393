//! Programs that are recorded whole: this test runs itself as each of them.

use std::cell::RefCell;
use std::hint::black_box;
use std::io::{self, Read, Write};
use std::os::unix::process::CommandExt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::sync_channel;
use std::sync::{Barrier, Mutex};
use std::thread;
use std::time::Duration;

use alloclab::recorder::{Recording, RecordingError, WindowError, measure};
use alloclab::snapshot::Snapshot;

/// The size of blocks that are counted: nothing else in these programs allocates as much.
pub(crate) const BLOCK_BYTES: usize = 5000;

/// Blocks that are made and freed, and blocks that are made and kept.
pub(crate) const FREED: u64 = 1000;
pub(crate) const KEPT: u64 = 10;

/// Threads that allocate, and rounds that each makes at least.
pub(crate) const THREADS: u64 = 4;
const LEAST_ROUNDS: u64 = 20_000;

/// What a program does, given the path of its recording.
type Program = fn(&Path);

const PROGRAMS: [(&str, Program); 23] = [
    ("returns", returns),
    ("exits_at_once", exits_at_once),
    ("exits", exits),
    ("panics", panics),
    ("catches", catches),
    ("panics_in_a_thread", panics_in_a_thread),
    ("forks", forks),
    ("forks_while_written", forks_while_written),
    ("forks_while_started", forks_while_started),
    ("records_in_child", records_in_child),
    ("allocates", allocates),
    ("waits", waits),
    ("ignores", ignores),
    ("writes", writes),
    ("writes_under_locks", writes_under_locks),
    ("cannot_write", cannot_write),
    ("ends_threads", ends_threads),
    ("keeps_threads", keeps_threads),
    ("starts_early", starts_early),
    ("starts_threads", starts_threads),
    ("finishes", finishes),
    ("is_dropped", is_dropped),
    ("is_left", is_left),
];

/// Runs the program of a name.
pub(crate) fn run(name: &str, path: &Path) {
    let program = PROGRAMS.iter().find(|(known, _)| *known == name);
    program.expect("there is such a program").1(path);
}

fn start(path: &Path) -> Recording {
    Recording::start(path).unwrap()
}

fn block() -> Box<[u8; BLOCK_BYTES]> {
    black_box(Box::new([1; BLOCK_BYTES]))
}

/// Known work: [`FREED`] and [`KEPT`] blocks.
fn work() {
    for _ in 0..FREED {
        drop(block());
    }
    for _ in 0..KEPT {
        Box::leak(block());
    }
}

/// Tells the test that it may go on.
fn say(word: &str) {
    let mut out = io::stdout();
    out.write_all(word.as_bytes()).unwrap();
    out.flush().unwrap();
}

/// Waits until the test says something, or has gone.
fn hear() {
    let _ = io::stdin().read(&mut [0]);
}

/// Threads that allocate and free without end.
fn allocate_for_ever() {
    for _ in 0..THREADS {
        thread::spawn(|| {
            let mut kept = Vec::new();
            loop {
                kept.push(vec![1_u8; 50]);
                kept.truncate(100);
                drop(black_box(format!("{} blocks", kept.len())));
            }
        });
    }
}

fn returns(path: &Path) {
    let _recording = start(path);
    work();
}

/// Nothing but known work happens inside.
fn exits_at_once(path: &Path) {
    let _recording = start(path);
    work();
    std::process::exit(3)
}

fn exits(path: &Path) {
    let _recording = start(path);
    allocate_for_ever();
    thread::spawn(|| {
        work();
        std::process::exit(7)
    });
    loop {
        drop(black_box(vec![1_u8; 20]));
    }
}

fn panics(path: &Path) {
    let _recording = start(path);
    let kept = block();
    work();
    assert!(kept[0] == 2, "as it should");
}

fn catches(path: &Path) {
    let _recording = start(path);
    for _ in 0..10 {
        catch_unwind(AssertUnwindSafe(|| {
            let _unwound = block();
            panic!("as it should");
        }))
        .unwrap_err();
    }
    work();
}

fn panics_in_a_thread(path: &Path) {
    let recording = start(path);
    let held = Mutex::new(block());
    thread::scope(|scope| {
        let panicked = scope.spawn(|| {
            let _held = held.lock().unwrap();
            let _unwound = block();
            panic!("as it should");
        });
        panicked.join().unwrap_err();
    });
    recording.write().unwrap();
    work();
}

/// Runs a child process in a copy of this one; its exit status, as the system gives it.
fn in_child(child: impl FnOnce()) -> i32 {
    match fork::fork().unwrap() {
        fork::Fork::Parent(child) => fork::waitpid(child).unwrap(),
        fork::Fork::Child => {
            child();
            std::process::exit(5)
        }
    }
}

/// What `wait` tells of a process that exited, and of one that was ended by a signal.
const EXITED_WITH_5: i32 = 5 << 8;
const ENDED_BY_SIGTERM: i32 = 15;

fn signal(name: &str, process: u32) {
    let status = Command::new("kill").args([&format!("-{name}"), &process.to_string()]).status().unwrap();
    assert!(status.success());
}

fn forks(path: &Path) {
    let recording = start(path);
    allocate_for_ever();
    assert_eq!(in_child(work), EXITED_WITH_5);
    assert!(!path.exists(), "a child has written the file");
    let by_itself = || {
        signal("TERM", std::process::id());
        thread::sleep(Duration::from_secs(60));
    };
    assert_eq!(in_child(by_itself), ENDED_BY_SIGTERM);
    assert!(!path.exists(), "a child has written the file upon a signal");
    // Becoming a daemon leaves the child by `_exit`.
    assert_eq!(in_child(|| drop(fork::daemon(true, true))), 0);
    assert!(!path.exists(), "a child has written the file as it left");
    assert_eq!(in_child(|| drop(Command::new("true").exec())), 0);
    let refused = || {
        assert!(recording.write().is_err());
        let measured = measure(work).unwrap();
        assert_eq!(measured.snapshot.totals.allocations, FREED + KEPT);
    };
    assert_eq!(in_child(refused), EXITED_WITH_5);
    assert!(!path.exists(), "a child has written the file on demand");
    assert!(in_child(|| panic!("as it should")) != 0);
    work();
}

/// Processes are forked off at any moment of writing.
fn forks_while_written(path: &Path) {
    let recording = start(path);
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            while !is_over.load(Ordering::Relaxed) {
                recording.write().unwrap();
            }
        });
        for _ in 0..100 {
            assert_eq!(in_child(|| drop(block())), EXITED_WITH_5);
        }
        is_over.store(true, Ordering::Relaxed);
    });
    work();
}

/// Processes are forked off at any moment of starting and finishing; each can start a recording of its own. It ends by
/// `exec`, without a snapshot: the C library's loader may be locked for ever in a child.
fn forks_while_started(path: &Path) {
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            while !is_over.load(Ordering::Relaxed) {
                drop(start(path).finish().unwrap());
            }
        });
        for _ in 0..200 {
            let child = || {
                let _own = start(path);
                work();
                drop(Command::new("true").exec());
            };
            assert_eq!(in_child(child), 0);
        }
        is_over.store(true, Ordering::Relaxed);
    });
    let _recording = start(path);
    work();
}

fn records_in_child(path: &Path) {
    let recording = start(&path.with_file_name("parent.alloclab"));
    let child = || {
        let _own = start(path);
        work();
    };
    assert_eq!(in_child(child), EXITED_WITH_5);
    assert_eq!(recording.finish().unwrap().totals.allocations, 0);
}

/// Its threads go on until the test has seen enough.
fn allocates(path: &Path) {
    start(path).on_signal(libc::SIGUSR1).unwrap();
    let (is_over, done) = (AtomicBool::new(false), AtomicU64::new(0));
    thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                let mut kept = Vec::new();
                let mut rounds = 0;
                while rounds < LEAST_ROUNDS || !is_over.load(Ordering::Relaxed) {
                    kept.push(block());
                    kept.truncate((rounds % 7) as usize);
                    rounds += 1;
                }
                done.fetch_add(rounds, Ordering::Relaxed);
            });
        }
        say("!");
        hear();
        is_over.store(true, Ordering::Relaxed);
    });
    say(&done.into_inner().to_string());
}

fn waits(path: &Path) {
    let _recording = start(path);
    work();
    say("!");
    hear();
    work();
}

/// Where a signal does something else already, it goes on doing that.
fn ignores(path: &Path) {
    let recording = start(path);
    for signal in [libc::SIGPIPE, libc::SIGINT, libc::SIGKILL, 0, 64, -1] {
        assert_eq!(recording.on_signal(signal).err(), Some(RecordingError::Signal(signal)));
    }
    say("!");
    hear();
    work();
}

fn writes(path: &Path) {
    let recording = start(path);
    let first = block();
    recording.write().unwrap();
    let seen = Snapshot::read(path).unwrap();
    assert_eq!((seen.totals.allocations, seen.totals.live_bytes), (1, BLOCK_BYTES as u64));
    drop(first);
    recording.finish().unwrap();

    let recording = start(path);
    work();
    recording.write().unwrap();
    let seen = thread::spawn(|| measure(|| ()).is_err()).join().unwrap();
    assert!(seen, "a window opens beside the recording");
    recording.write().unwrap();
}

/// Other threads hold locks that a careless writer might need.
fn writes_under_locks(path: &Path) {
    let recording = start(path);
    let barrier = Barrier::new(2);
    thread::scope(|scope| {
        scope.spawn(|| {
            let mut error = io::stderr().lock();
            let mut out = io::stdout().lock();
            barrier.wait();
            for round in 0..100_000 {
                write!(out, "{}", &format!("{round}")[..0]).unwrap();
                write!(error, "{}", &format!("{round}")[..0]).unwrap();
            }
            work();
        });
        barrier.wait();
        for _ in 0..20 {
            recording.write().unwrap();
        }
    });
}

fn cannot_write(path: &Path) {
    let recording = start(&path.join("no such folder/heap.alloclab"));
    work();
    assert_eq!(recording.write().unwrap_err().kind(), io::ErrorKind::NotFound);
    std::process::exit(9)
}

thread_local! {
    static AT_THREAD_END: RefCell<Vec<Box<[u8; BLOCK_BYTES]>>> = const { RefCell::new(Vec::new()) };
}

/// Blocks that their threads' ends free.
fn ends_threads(path: &Path) {
    let _recording = start(path);
    for _ in 0..FREED / 10 {
        let thread = thread::spawn(|| {
            AT_THREAD_END.with_borrow_mut(|blocks| blocks.extend((0..10).map(|_| block())));
        });
        thread.join().unwrap();
    }
    for _ in 0..KEPT {
        Box::leak(block());
    }
}

/// Threads that live on when the program ends.
fn keeps_threads(path: &Path) {
    let _recording = start(path);
    let (sender, receiver) = sync_channel(0);
    for _ in 0..KEPT {
        let sender = sender.clone();
        thread::spawn(move || {
            AT_THREAD_END.with_borrow_mut(|blocks| blocks.push(block()));
            sender.send(()).unwrap();
            thread::sleep(Duration::from_secs(60));
        });
    }
    (0..KEPT).for_each(|_| receiver.recv().unwrap());
    (0..FREED).for_each(|_| drop(block()));
    // The thread-locals of the thread that returns are freed before the end.
    AT_THREAD_END.with_borrow_mut(|blocks| blocks.push(block()));
}

/// A thread from before the recording frees blocks from before it, and from inside.
fn starts_early(path: &Path) {
    let (sender, receiver) = sync_channel::<Box<[u8; BLOCK_BYTES]>>(8);
    let early: Vec<_> = (0..7).map(|_| block()).collect();
    let freeing = thread::spawn(move || receiver.into_iter().for_each(drop));
    let _recording = start(path);
    early.into_iter().for_each(|block| sender.send(block).unwrap());
    (0..FREED).for_each(|_| sender.send(block()).unwrap());
    drop(sender);
    freeing.join().unwrap();
    for _ in 0..KEPT {
        Box::leak(block());
    }
}

fn finishes(path: &Path) {
    for _ in 0..3 {
        let recording = start(path);
        recording.on_signal(libc::SIGUSR2).unwrap();
        work();
        assert_eq!(Recording::start(path).err(), Some(RecordingError::Window(WindowError::OtherWindow)));
        let totals = recording.finish().unwrap().totals;
        assert_eq!((totals.allocations, totals.deallocations), (FREED + KEPT, FREED));
    }
    // Those that write have no effect any more, and others do their default again.
    signal("USR2", std::process::id());
    signal("TERM", std::process::id());
    thread::sleep(Duration::from_secs(60));
}

/// Threads begin and end while the file is written.
fn starts_threads(path: &Path) {
    let recording = start(path);
    let (is_over, rounds) = (AtomicBool::new(false), AtomicU64::new(0));
    thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                while !is_over.load(Ordering::Relaxed) {
                    thread::spawn(|| drop(block())).join().unwrap();
                    rounds.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
        for _ in 0..200 {
            recording.write().unwrap();
        }
        is_over.store(true, Ordering::Relaxed);
    });
    work();
    say(&rounds.into_inner().to_string());
}

fn is_dropped(path: &Path) {
    {
        let _dropped = start(path);
    }
    work();
}

/// Leaves the folder in which it has started, whose name is not the recording's affair.
fn is_left(path: &Path) {
    let folder = path.with_file_name("{pid}");
    std::fs::create_dir(&folder).unwrap();
    std::env::set_current_dir(folder).unwrap();
    let _recording = start(Path::new("heap-{pid}.alloclab"));
    std::env::set_current_dir("/").unwrap();
    work();
}
