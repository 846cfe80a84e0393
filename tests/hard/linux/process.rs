//! A process for each condition.

use std::io::Read;
use std::process::{Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::{Condition, Outcome, same};

/// The name of the condition that this process is for.
pub(super) const NAME: &str = "ALLOCLAB_CONDITION";

/// How long a process may take; a tool may take many times as long.
const LONGEST: Duration = Duration::from_secs(90);
const SLOWED_DOWN: u32 = 10;

/// The command that starts processes, if they are not to be started as they are.
pub(super) fn tool() -> Option<String> {
    std::env::var("ALLOCLAB_UNDER").ok().filter(|tool| !tool.trim().is_empty())
}

/// Runs the condition in a process of its own: what it said, if it did not end well and in time.
pub(super) fn bear(condition: &Condition) -> Result<(), String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let tool = tool();
    let mut words = tool.iter().flat_map(|tool| tool.split_whitespace());
    let mut command = match words.next() {
        Some(first) => Command::new(first),
        None => Command::new(&program),
    };
    if tool.is_some() {
        command.args(words).arg(&program);
    }
    let child = command.env(NAME, condition.name).env_remove("RUST_BACKTRACE");
    let mut child = child.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn();
    let child = child.as_mut().map_err(|error| format!("{command:?} cannot be started: {error}"))?;
    let mut stderr = child.stderr.take().expect("it is a pipe");
    // Read meanwhile: a process that has much to say would wait.
    let said = thread::spawn(move || {
        let mut said = Vec::new();
        let _ = stderr.read_to_end(&mut said);
        String::from_utf8_lossy(&said).into_owned()
    });
    let slowed_down = if tool.is_some() || condition.is_long { SLOWED_DOWN } else { 1 };
    let (end, begin) = (LONGEST * slowed_down, Instant::now());
    let status: Option<ExitStatus> = loop {
        match child.try_wait().map_err(|error| error.to_string())? {
            Some(status) => break Some(status),
            None if begin.elapsed() > end => break None,
            None => thread::sleep(Duration::from_millis(5)),
        }
    };
    if status.is_none() {
        child.kill().and_then(|()| child.wait()).map_err(|error| error.to_string())?;
    }
    let said = said.join().expect("reading does not panic");
    match status {
        Some(status) if status.success() => Ok(()),
        Some(status) => Err(format!("{status}\n{said}")),
        None => Err(format!("it did not end in {} seconds\n{said}", end.as_secs())),
    }
}

/// Does something in a process that is forked off, which has of this one's threads the calling one alone.
pub(super) fn in_child(work: impl FnOnce() -> Outcome) -> Outcome {
    // SAFETY: this process has one thread, so that the other has whole copies of all locks.
    let child = unsafe { libc::fork() };
    if child == 0 {
        let outcome = work();
        if let Err(error) = &outcome {
            eprintln!("{error}");
        }
        std::process::exit(i32::from(outcome.is_err()));
    }
    let mut status = 0;
    // SAFETY: the child is this process's own, and the status a place to write to.
    same(unsafe { libc::waitpid(child, &raw mut status, 0) }, child)?;
    same(status, 0)
}
