//! Runs the programs and looks at what they leave.

use std::io::{Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{Child, Command, ExitCode, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use alloclab::snapshot::{Counts, SiteKind, Snapshot};
use libtest_mimic::{Arguments, Failed, Trial};

use crate::programs::{BLOCK_BYTES, FREED, KEPT, THREADS};

type Check = Result<(), Failed>;
type Named = (&'static str, fn() -> Check);

const CHECKS: [Named; 24] = [
    ("a_program_that_returns_is_known_to_the_last_block", a_program_that_returns_is_known_to_the_last_block),
    ("an_exit_in_a_thread_while_others_allocate", an_exit_in_a_thread_while_others_allocate),
    ("a_panic_in_main", a_panic_in_main),
    ("a_panic_that_is_caught", a_panic_that_is_caught),
    ("a_panic_in_a_thread", a_panic_in_a_thread),
    ("a_child_writes_nothing_and_its_parent_all", a_child_writes_nothing_and_its_parent_all),
    ("a_child_forked_off_while_the_file_is_written", a_child_forked_off_while_the_file_is_written),
    ("a_child_forked_off_while_a_recording_starts", a_child_forked_off_while_a_recording_starts),
    ("a_child_records_itself", a_child_records_itself),
    ("a_signal_while_four_threads_allocate", a_signal_while_four_threads_allocate),
    ("a_terminated_program_leaves_its_file", a_terminated_program_leaves_its_file),
    ("an_interrupted_program_leaves_its_file", an_interrupted_program_leaves_its_file),
    ("a_signal_that_is_ignored_stays_ignored", a_signal_that_is_ignored_stays_ignored),
    ("a_file_written_twice_on_demand", a_file_written_twice_on_demand),
    ("a_file_written_while_threads_hold_locks", a_file_written_while_threads_hold_locks),
    (
        "a_file_that_cannot_be_written_changes_no_exit_code",
        a_file_that_cannot_be_written_changes_no_exit_code,
    ),
    ("blocks_that_thread_ends_free_are_freed", blocks_that_thread_ends_free_are_freed),
    ("blocks_of_threads_that_live_on_are_alive", blocks_of_threads_that_live_on_are_alive),
    ("a_thread_from_before_frees_inside", a_thread_from_before_frees_inside),
    (
        "a_finished_recording_leaves_no_file_and_no_handler",
        a_finished_recording_leaves_no_file_and_no_handler,
    ),
    ("files_written_while_threads_begin_and_end", files_written_while_threads_begin_and_end),
    ("a_dropped_recording_goes_on", a_dropped_recording_goes_on),
    ("the_path_is_one_from_where_the_program_started", the_path_is_one_from_where_the_program_started),
    ("many_programs_that_exit_while_threads_allocate", many_programs_that_exit_while_threads_allocate),
];

/// Those that need names.
#[cfg(feature = "symbolize")]
const NAMED_CHECKS: &[Named] =
    &[("a_file_is_named_where_the_program_lies_now", a_file_is_named_where_the_program_lies_now)];
#[cfg(not(feature = "symbolize"))]
const NAMED_CHECKS: &[Named] = &[];

/// What runs the tests.
pub(crate) fn main() -> ExitCode {
    let trials = CHECKS.iter().chain(NAMED_CHECKS).map(|(name, check)| Trial::test(*name, check)).collect();
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

fn same<T: PartialEq + std::fmt::Debug>(seen: T, expected: T) -> Check {
    if seen == expected { Ok(()) } else { Err(format!("{seen:?} instead of {expected:?}").into()) }
}

/// How long a program may run, and a test wait for what it writes.
const LONGEST_RUN: Duration = Duration::from_secs(120);

/// A program of [`crate::programs`] that runs, with a folder of its own.
struct Run {
    child: Child,
    folder: PathBuf,
}

impl Run {
    fn start(program: &str) -> Self {
        static RUNS: AtomicU32 = AtomicU32::new(0);
        let number = RUNS.fetch_add(1, Ordering::Relaxed);
        let folder = format!("alloclab-recording-{}-{number}", std::process::id());
        let folder = std::env::temp_dir().join(folder);
        std::fs::create_dir_all(&folder).unwrap();
        let child = Command::new(std::env::current_exe().unwrap())
            .env("ALLOCLAB_PROGRAM", program)
            .env("ALLOCLAB_FILE", folder.join("heap.alloclab"))
            .env_remove("RUST_BACKTRACE")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn();
        Self { child: child.unwrap(), folder }
    }

    fn file(&self) -> PathBuf {
        self.folder.join("heap.alloclab")
    }

    /// Waits until the program says something.
    fn hear(&mut self) {
        self.child.stdout.as_mut().unwrap().read_exact(&mut [0]).unwrap();
    }

    fn signal(&self, name: &str) {
        let process = self.child.id().to_string();
        assert!(Command::new("kill").args([&format!("-{name}"), &process]).status().unwrap().success());
    }

    /// How the program ends, which it has to do some time, and what it complains of.
    fn end(&mut self) -> Result<(ExitStatus, String), Failed> {
        let start = Instant::now();
        while self.child.try_wait()?.is_none() {
            if start.elapsed() > LONGEST_RUN {
                self.child.kill()?;
                return Err("the program hangs".into());
            }
            thread::sleep(Duration::from_millis(1));
        }
        let mut complaint = String::new();
        self.child.stderr.as_mut().unwrap().read_to_string(&mut complaint)?;
        Ok((self.child.wait()?, complaint))
    }

    /// What a program with this exit code has left, and nothing beside it.
    fn snapshot(mut self, code: i32) -> Result<Snapshot, Failed> {
        let (status, complaint) = self.end()?;
        if status.code() != Some(code) {
            return Err(format!("{status} and {complaint:?}").into());
        }
        same(std::fs::read_dir(&self.folder)?.count(), 1)?;
        read(&self.file())
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        // It is over, unless a check failed; and what is left in the folder for temporary files does no harm.
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// A file whose figures agree with each other.
fn read(file: &std::path::Path) -> Result<Snapshot, Failed> {
    let snapshot = Snapshot::read(file).map_err(|error| error.to_string())?;
    let mut sum = Counts::default();
    snapshot.sites.iter().for_each(|site| sum.add(&site.counts));
    sum.peak_bytes = snapshot.totals.peak_bytes;
    same(&sum, &snapshot.totals)?;
    for site in snapshot.sites.iter().filter(|site| site.kind == SiteKind::Stack) {
        let Counts { allocations, deallocations, live_blocks, .. } = site.counts;
        // Each block comes once; reallocated ones may go as those of another site.
        if site.counts.reallocations == 0 && allocations < deallocations + live_blocks {
            return Err(format!("{allocations} blocks, {deallocations} freed, {live_blocks} alive").into());
        }
        let classes: u64 = site.size_classes.iter().map(|(_, count)| count).sum();
        same(classes, site.counts.requests())?;
    }
    same((snapshot.torn, snapshot.untracked, snapshot.overflowed), (false, 0, 0))?;
    Ok(snapshot)
}

/// The blocks of [`BLOCK_BYTES`]: how many were made, freed, and are alive.
fn blocks(snapshot: &Snapshot) -> (u64, u64, u64) {
    let class = BLOCK_BYTES.ilog2() as u8;
    let sites =
        snapshot.sites.iter().filter(|site| site.size_classes.iter().any(|(known, _)| *known == class));
    let mut sum = Counts::default();
    sites.for_each(|site| sum.add(&site.counts));
    assert_eq!(sum.allocated_bytes, sum.allocations * BLOCK_BYTES as u64, "a site has other blocks, too");
    (sum.allocations, sum.deallocations, sum.live_blocks)
}

fn a_program_that_returns_is_known_to_the_last_block() -> Check {
    same(blocks(&Run::start("returns").snapshot(0)?), (FREED + KEPT, FREED, KEPT))?;
    let snapshot = Run::start("exits_at_once").snapshot(3)?;
    let totals = &snapshot.totals;
    same(blocks(&snapshot), (FREED + KEPT, FREED, KEPT))?;
    // The standard library frees what it has had from before: how much is its own affair.
    same((totals.allocations, totals.live_blocks), (FREED + KEPT, KEPT))?;
    let bytes = BLOCK_BYTES as u64;
    same((totals.allocated_bytes, totals.live_bytes), ((FREED + KEPT) * bytes, KEPT * bytes))?;
    same((snapshot.threads, snapshot.peak.bytes, snapshot.peak.error_bytes), (1, KEPT * bytes, 0))?;
    let program = &snapshot.modules[0];
    same(&program.path, &std::env::current_exe()?)?;
    same(program.build_id.is_empty(), false)
}

fn an_exit_in_a_thread_while_others_allocate() -> Check {
    same(blocks(&Run::start("exits").snapshot(7)?), (FREED + KEPT, FREED, KEPT))
}

fn a_panic_in_main() -> Check {
    same(blocks(&Run::start("panics").snapshot(101)?), (FREED + KEPT + 1, FREED + 1, KEPT))
}

fn a_panic_that_is_caught() -> Check {
    same(blocks(&Run::start("catches").snapshot(0)?), (FREED + KEPT + 10, FREED + 10, KEPT))
}

fn a_panic_in_a_thread() -> Check {
    same(blocks(&Run::start("panics_in_a_thread").snapshot(0)?), (FREED + KEPT + 2, FREED + 2, KEPT))
}

fn a_child_writes_nothing_and_its_parent_all() -> Check {
    same(blocks(&Run::start("forks").snapshot(0)?), (FREED + KEPT, FREED, KEPT))
}

fn a_child_forked_off_while_the_file_is_written() -> Check {
    same(blocks(&Run::start("forks_while_written").snapshot(0)?), (FREED + KEPT, FREED, KEPT))
}

fn a_child_forked_off_while_a_recording_starts() -> Check {
    same(blocks(&Run::start("forks_while_started").snapshot(0)?), (FREED + KEPT, FREED, KEPT))
}

fn a_child_records_itself() -> Check {
    same(blocks(&Run::start("records_in_child").snapshot(0)?), (FREED + KEPT, FREED, KEPT))
}

/// Each file that is written meanwhile agrees with itself and tells more than the one before; the last one tells all.
fn a_signal_while_four_threads_allocate() -> Check {
    const FILES: u32 = 3;
    let mut run = Run::start("allocates");
    run.hear();
    let (mut seen, mut files) = (0, 0);
    let start = Instant::now();
    while files < FILES {
        run.signal("USR1");
        thread::sleep(Duration::from_millis(2));
        if run.file().exists() {
            let (made, freed, alive) = blocks(&read(&run.file())?);
            same(made, freed + alive)?;
            same((made >= seen, alive <= 7 * THREADS), (true, true))?;
            files += u32::from(made > seen);
            seen = made;
        }
        if start.elapsed() > LONGEST_RUN {
            return Err(format!("{files} files have been written").into());
        }
    }
    drop(run.child.stdin.take());
    let mut out = run.child.stdout.take().unwrap();
    let snapshot = run.snapshot(0)?;
    let mut rounds = String::new();
    out.read_to_string(&mut rounds)?;
    let all: u64 = rounds.parse()?;
    same(blocks(&snapshot), (all, all, 0))
}

/// Whether this process was started with the signal ignored, as a shell starts what it runs in the background: then its children
/// ignore it, too.
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask =
        status.lines().find_map(|line| u64::from_str_radix(line.strip_prefix("SigIgn:")?.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}

fn ends_by_signal(name: &str, number: i32) -> Check {
    if is_ignored(number) {
        println!("skipped: this was started with signal {number} ignored");
        return Ok(());
    }
    let mut run = Run::start("waits");
    run.hear();
    run.signal(name);
    let (status, complaint) = run.end()?;
    same((status.signal(), complaint.as_str()), (Some(number), ""))?;
    same(blocks(&read(&run.file())?), (FREED + KEPT, FREED, KEPT))
}

fn a_terminated_program_leaves_its_file() -> Check {
    ends_by_signal("TERM", libc::SIGTERM)
}

fn an_interrupted_program_leaves_its_file() -> Check {
    ends_by_signal("INT", libc::SIGINT)
}

fn a_signal_that_is_ignored_stays_ignored() -> Check {
    let mut run = Run::start("ignores");
    run.hear();
    run.signal("PIPE");
    drop(run.child.stdin.take());
    same(blocks(&run.snapshot(0)?), (FREED + KEPT, FREED, KEPT))
}

fn a_file_written_twice_on_demand() -> Check {
    same(blocks(&Run::start("writes").snapshot(0)?), (FREED + KEPT, FREED, KEPT))
}

fn a_file_written_while_threads_hold_locks() -> Check {
    same(blocks(&Run::start("writes_under_locks").snapshot(0)?), (FREED + KEPT, FREED, KEPT))
}

fn a_file_that_cannot_be_written_changes_no_exit_code() -> Check {
    let mut run = Run::start("cannot_write");
    let (status, complaint) = run.end()?;
    same(status.code(), Some(9))?;
    let path = run.file().join("no such folder/heap.alloclab");
    let expected = format!("alloclab: {}: No such file or directory (os error 2): ", path.display());
    same(complaint.starts_with(&expected), true).map_err(|_| complaint)?;
    Ok(())
}

fn blocks_that_thread_ends_free_are_freed() -> Check {
    same(blocks(&Run::start("ends_threads").snapshot(0)?), (FREED + KEPT, FREED, KEPT))
}

fn blocks_of_threads_that_live_on_are_alive() -> Check {
    same(blocks(&Run::start("keeps_threads").snapshot(0)?), (FREED + KEPT + 1, FREED + 1, KEPT))
}

fn a_thread_from_before_frees_inside() -> Check {
    let snapshot = Run::start("starts_early").snapshot(0)?;
    same(blocks(&snapshot), (FREED + KEPT, FREED, KEPT))?;
    let outside = snapshot.sites.iter().find(|site| site.kind == SiteKind::Outside);
    // The seven blocks, the list of them, and what the channel and the thread were made of.
    same(outside.is_some_and(|site| site.counts.freed_bytes >= 7 * BLOCK_BYTES as u64), true)
}

fn files_written_while_threads_begin_and_end() -> Check {
    let mut run = Run::start("starts_threads");
    let mut out = run.child.stdout.take().unwrap();
    let snapshot = run.snapshot(0)?;
    let mut rounds = String::new();
    out.read_to_string(&mut rounds)?;
    let rounds: u64 = rounds.parse()?;
    same(blocks(&snapshot), (FREED + KEPT + rounds, FREED + rounds, KEPT))
}

fn a_finished_recording_leaves_no_file_and_no_handler() -> Check {
    let mut run = Run::start("finishes");
    let (status, complaint) = run.end()?;
    same((status.signal(), complaint.as_str()), (Some(libc::SIGTERM), ""))?;
    same(std::fs::read_dir(&run.folder)?.count(), 0)
}

fn a_dropped_recording_goes_on() -> Check {
    same(Run::start("is_dropped").snapshot(0)?.totals.allocations, FREED + KEPT)
}

/// As on another machine: the program lies elsewhere, and where it was is something else or nothing.
#[cfg(feature = "symbolize")]
fn a_file_is_named_where_the_program_lies_now() -> Check {
    use alloclab::error::ErrorKind;
    use alloclab::symbolize::Symbols;

    let mut snapshot = Run::start("exits_at_once").snapshot(3)?;
    let here = std::mem::replace(&mut snapshot.modules[0].path, "/no/longer/there".into());
    let kind = |symbols: Result<Symbols, alloclab::error::Error>| symbols.err().map(|error| error.kind());
    same(kind(Symbols::load(&snapshot.modules)), Some(ErrorKind::Io))?;
    same(kind(Symbols::load_with_program(&snapshot.modules, "/bin/sh")), Some(ErrorKind::OtherBuild))?;
    let mut symbols =
        Symbols::load_with_program(&snapshot.modules, here).map_err(|error| error.to_string())?;
    let addresses: Vec<u64> = snapshot.sites.iter().flat_map(|site| site.frames.clone()).collect();
    let frames: Vec<_> =
        addresses.iter().flat_map(|address| symbols.resolve(*address).frames.clone()).collect();
    let is_work = |name: &str| name.contains("programs") && name.ends_with("4work");
    same(frames.iter().any(|frame| is_work(symbols.name(frame.symbol))), true)?;
    same((symbols.unchecked().count(), symbols.other_builds().count()), (0, 0))
}

fn the_path_is_one_from_where_the_program_started() -> Check {
    let mut run = Run::start("is_left");
    let file = run.folder.join(format!("{{pid}}/heap-{}.alloclab", run.child.id()));
    run.child.stdin.take().unwrap().flush()?;
    same(run.end()?.0.code(), Some(0))?;
    same(read(&file)?.totals.allocations, FREED + KEPT)
}

/// By hand, with `ALLOCLAB_RUNS=100`.
fn many_programs_that_exit_while_threads_allocate() -> Check {
    let runs = std::env::var("ALLOCLAB_RUNS").map_or(Ok(3), |runs| runs.parse())?;
    (0..runs).try_for_each(|_| {
        an_exit_in_a_thread_while_others_allocate()?;
        a_terminated_program_leaves_its_file()?;
        a_child_forked_off_while_the_file_is_written()
    })
}
