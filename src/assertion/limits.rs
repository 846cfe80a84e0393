//! What a closure may do to the heap, and the run that finds out.

use std::time::{Duration, Instant};

use super::figure::Figure;
use super::turn::Turn;
use super::violation::{Exceeded, Failure, Violation};
use crate::recorder::{Measured, Window, WindowError, WindowOptions, refuse_nested};
use crate::snapshot::Counts;

/// What a closure may allocate: as many limits as one likes, all of which must hold.
///
/// # Examples
/// ```
/// use alloclab::assertion::Limits;
/// use alloclab::recorder::Recorder;
///
/// #[global_allocator]
/// static ALLOCATOR: Recorder = Recorder::system();
///
/// let limits = Limits::new().allocations(1).reallocations(3).bytes(128).no_leak();
/// let sum = limits.assert(|| {
///     let mut list = Vec::new();
///     (0..20).for_each(|number: u32| list.push(number));
///     list.iter().sum::<u32>()
/// });
/// assert_eq!(sum, 190);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[must_use = "limits check nothing until a closure is run under them"]
pub struct Limits {
    most: Vec<(Figure, u64)>,
    over_all_threads: bool,
}

impl Limits {
    /// No limits yet.
    pub const fn new() -> Self {
        Self { most: Vec::new(), over_all_threads: false }
    }

    fn at_most(mut self, figure: Figure, most: u64) -> Self {
        self.most.push((figure, most));
        self
    }

    /// At most so many fresh blocks.
    ///
    /// # Examples
    /// ```
    /// use alloclab::assertion::Limits;
    /// use alloclab::recorder::Recorder;
    ///
    /// #[global_allocator]
    /// static ALLOCATOR: Recorder = Recorder::system();
    ///
    /// Limits::new().allocations(1).assert(|| vec![1_u8, 2]);
    /// ```
    pub fn allocations(self, most: u64) -> Self {
        self.at_most(Figure::Allocations, most)
    }

    /// At most so many reallocations.
    ///
    /// # Examples
    /// ```
    /// use alloclab::assertion::Limits;
    /// use alloclab::recorder::Recorder;
    ///
    /// #[global_allocator]
    /// static ALLOCATOR: Recorder = Recorder::system();
    ///
    /// Limits::new().reallocations(0).assert(|| (0..9).collect::<Vec<u8>>());
    /// ```
    pub fn reallocations(self, most: u64) -> Self {
        self.at_most(Figure::Reallocations, most)
    }

    /// At most so many bytes asked for: sizes of fresh blocks, and growth of reallocated ones.
    ///
    /// # Examples
    /// ```
    /// use alloclab::assertion::Limits;
    /// use alloclab::recorder::Recorder;
    ///
    /// #[global_allocator]
    /// static ALLOCATOR: Recorder = Recorder::system();
    ///
    /// Limits::new().bytes(5).assert(|| "seven".to_owned());
    /// ```
    pub fn bytes(self, most: u64) -> Self {
        self.at_most(Figure::Bytes, most)
    }

    /// No allocation, no reallocation, and none tried in vain.
    ///
    /// # Examples
    /// ```
    /// use alloclab::assertion::Limits;
    /// use alloclab::recorder::Recorder;
    ///
    /// #[global_allocator]
    /// static ALLOCATOR: Recorder = Recorder::system();
    ///
    /// Limits::new().no_allocations().assert(|| "seven".len());
    /// ```
    pub fn no_allocations(self) -> Self {
        self.allocations(0).reallocations(0).at_most(Figure::Failed, 0)
    }

    /// No block alive afterwards of those that the closure made or reallocated.
    ///
    /// Over one thread, a block that another thread frees counts as alive.
    ///
    /// # Examples
    /// ```
    /// use alloclab::assertion::Limits;
    /// use alloclab::recorder::Recorder;
    ///
    /// #[global_allocator]
    /// static ALLOCATOR: Recorder = Recorder::system();
    ///
    /// Limits::new().no_leak().assert(|| "seven".to_owned().len());
    /// ```
    pub fn no_leak(self) -> Self {
        self.at_most(Figure::LeftAlive, 0)
    }

    /// No more bytes alive afterwards than before: what the closure frees of older blocks makes room for its own.
    ///
    /// # Examples
    /// Over all threads, after a first call that may fill caches:
    /// ```
    /// use alloclab::assertion::Limits;
    /// use alloclab::recorder::Recorder;
    ///
    /// #[global_allocator]
    /// static ALLOCATOR: Recorder = Recorder::system();
    ///
    /// let work = || std::thread::spawn(|| drop(std::hint::black_box(vec![1_u8; 100]))).join().unwrap();
    /// work();
    /// Limits::new().no_growth().over_all_threads().assert(work);
    /// ```
    pub fn no_growth(self) -> Self {
        self.at_most(Figure::Growth, 0)
    }

    /// Counts all threads of the process instead of the calling one; see [the module](super) about other tests' threads.
    ///
    /// The process's first thread, where the test harness is at work, is left out, unless the assertion is made there.
    pub fn over_all_threads(mut self) -> Self {
        self.over_all_threads = true;
        self
    }

    /// Runs `work` under these limits and returns its value.
    ///
    /// # Panics
    /// If a limit is exceeded, with who allocated what; if it cannot be measured; if `work` panics.
    #[track_caller]
    pub fn assert<T>(&self, work: impl FnOnce() -> T) -> T {
        match self.check(work) {
            Ok(value) => value,
            Err(failure) => panic!("{}", failure.explanation()),
        }
    }

    /// Runs `work` under these limits and returns its value, or which limits were exceeded.
    ///
    /// # Errors
    /// If a limit is exceeded; the value is dropped then. If it cannot be measured; `work` is not run then.
    ///
    /// # Panics
    /// If `work` does.
    ///
    /// # Examples
    /// ```
    /// use alloclab::assertion::Limits;
    /// use alloclab::recorder::Recorder;
    ///
    /// #[global_allocator]
    /// static ALLOCATOR: Recorder = Recorder::system();
    ///
    /// let failure = Limits::new().bytes(4).check(|| String::from("seven")).unwrap_err();
    /// assert!(failure.to_string().contains("bytes: at most 4 allowed, 5 seen"));
    /// ```
    pub fn check<T>(&self, work: impl FnOnce() -> T) -> Result<T, Failure> {
        let measured = self.measure(work).map_err(Failure::NotMeasured)?;
        let exceeded = self.exceeded(&measured.snapshot.totals);
        if exceeded.is_empty() {
            return Ok(measured.value);
        }
        let (snapshot, over_all_threads) = (measured.snapshot, self.over_all_threads);
        Err(Failure::Exceeded(Box::new(Violation { exceeded, snapshot, over_all_threads })))
    }

    fn measure<T>(&self, work: impl FnOnce() -> T) -> Result<Measured<T>, WindowError> {
        let deadline = Instant::now() + super::turn::LONGEST_WAIT;
        refuse_nested()?;
        let _turn = Turn::begin(self.over_all_threads, deadline)?;
        let window = self.open(deadline)?;
        let value = work();
        Ok(Measured { value, snapshot: window.close() })
    }

    /// Waits for windows of other threads that are not an assertion's.
    fn open(&self, deadline: Instant) -> Result<Window, WindowError> {
        let options = WindowOptions::new().without_main_thread();
        loop {
            let opened = match self.over_all_threads {
                true => options.open_over_process(),
                false => options.open_over_thread(),
            };
            match opened {
                Err(WindowError::OtherWindow) if Instant::now() < deadline => {
                    std::thread::sleep(Duration::from_millis(1));
                }
                opened => return opened,
            }
        }
    }

    fn exceeded(&self, totals: &Counts) -> Vec<Exceeded> {
        let seen = self.most.iter().map(|&(figure, most)| Exceeded { figure, most, seen: figure.of(totals) });
        seen.filter(|limit| limit.seen > limit.most).collect()
    }
}
