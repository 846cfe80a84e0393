//! What an assertion that fails has to say.

use std::fmt;

#[cfg(not(feature = "symbolize"))]
use super::addresses as places;
use super::figure::Figure;
#[cfg(feature = "symbolize")]
use super::names as places;
use super::turn::LONGEST_WAIT;
use crate::recorder::WindowError;
use crate::snapshot::Snapshot;

/// Why an assertion failed.
///
/// # Examples
/// ```
/// use alloclab::assertion::{Failure, Limits};
/// use alloclab::recorder::WindowError;
///
/// // The program's allocator is not the recorder.
/// let failure = Limits::new().allocations(1).check(|| ()).unwrap_err();
/// assert!(matches!(failure, Failure::NotMeasured(WindowError::NotInstalled)));
/// assert!(failure.to_string().contains("#[global_allocator]"));
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum Failure {
    /// No window could be opened; the closure was not run.
    NotMeasured(WindowError),
    /// Limits were exceeded.
    Exceeded(Box<Violation>),
}

/// The limits that were exceeded, and all that was seen.
///
/// # Examples
/// ```
/// use alloclab::assertion::{Failure, Limits};
/// use alloclab::recorder::Recorder;
///
/// #[global_allocator]
/// static ALLOCATOR: Recorder = Recorder::system();
///
/// let Err(Failure::Exceeded(violation)) = Limits::new().allocations(0).check(|| Box::new(7_u64)) else { panic!() };
/// assert_eq!(violation.exceeded[0].seen, 1);
/// assert_eq!(violation.snapshot.totals.allocated_bytes, 8);
/// ```
#[derive(Clone, Debug)]
pub struct Violation {
    /// The limits that were exceeded, in the order in which they were given.
    pub exceeded: Vec<Exceeded>,
    /// What the closure did.
    pub snapshot: Snapshot,
    pub(super) over_all_threads: bool,
}

/// A limit that was exceeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exceeded {
    /// What is limited.
    pub figure: Figure,
    /// The most that was allowed.
    pub most: u64,
    /// What was seen.
    pub seen: u64,
}

impl Failure {
    /// What a failed [`Limits::assert`](super::Limits::assert) panics with: the limits, and who allocated.
    ///
    /// With the feature `symbolize` it reads the program's own file for names; without it, it writes the snapshot to a file
    /// in the temporary folder, and says which command names what is in it.
    pub fn explanation(&self) -> String {
        match self {
            Self::NotMeasured(_) => self.to_string(),
            Self::Exceeded(violation) => violation.explanation(),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotMeasured(error) => {
                f.write_str("nothing was measured: ")?;
                if *error == WindowError::OtherWindow {
                    write!(f, "after {} seconds of waiting, ", LONGEST_WAIT.as_secs())?;
                }
                error.fmt(f)
            }
            Self::Exceeded(violation) => violation.fmt(f),
        }
    }
}

impl std::error::Error for Failure {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::NotMeasured(error) => Some(error),
            Self::Exceeded(_) => None,
        }
    }
}

impl Violation {
    fn explanation(&self) -> String {
        let mut text = format!("{self}\n");
        if self.exceeded.iter().any(|limit| !limit.figure.is_left_alive()) {
            text.push_str("\nwhat was allocated:\n");
            let most_bytes_first = self.exceeded.iter().any(|limit| limit.figure == Figure::Bytes);
            places::push_allocated(&mut text, &self.snapshot, most_bytes_first);
        }
        if self.exceeded.iter().any(|limit| limit.figure.is_left_alive()) {
            text.push_str("\nwhat was left alive, the closure's value included:\n");
            places::push_left_alive(&mut text, &self.snapshot);
        }
        places::push_advice(&mut text, &self.snapshot);
        text
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let threads = if self.over_all_threads { "all threads" } else { "this thread" };
        write!(f, "more than allowed, over {threads}:")?;
        for Exceeded { figure, most, seen } in &self.exceeded {
            write!(f, "\n    {figure}: at most {most} allowed, {seen} seen")?;
        }
        if self.snapshot.overflowed > 0 {
            let lost = self.snapshot.overflowed;
            write!(f, "\n{lost} allocations found the recorder's tables full: what is alive may be off")?;
        }
        Ok(())
    }
}
