//! Labels: the program's own names for what it is doing, by which its allocations are told apart.
//!
//! A name is known by its number (`name`), a thread has the label of the scope that it is in (`scope`), and what it
//! allocates meanwhile is counted in records of that label: the number is a part of the key of a record.

mod future;
mod name;
mod scope;

use std::fmt;

pub use future::Labeled;
pub(super) use name::resident_bytes;
pub use scope::LabelScope;
pub(super) use scope::current_bits;
#[cfg(feature = "tracing")]
pub(crate) use scope::{enter_for, leave_for, relabel_for};

/// Bits of a key below those of the label.
const SHIFT: u32 = 8;

/// Bits of a key up to the end of the label's.
pub(super) const BITS_END: u32 = SHIFT + name::BITS;

/// A name for what a program is doing: a phase, a request's route, a tenant.
///
/// While a thread is in a scope of a label, everything that it allocates and reallocates is counted under that label, in
/// every window that is open: by call site, and so by type. A free counts where its block was made, whatever label the
/// thread has by then. A thread has one label at a time, that of the innermost scope, and none when it starts: it does
/// not have that of the thread that spawned it.
///
/// Outside of windows, entering a scope is a few stores to memory of the thread's own.
///
/// # Examples
/// ```
/// use alloclab::recorder::{Label, Recorder, measure};
///
/// #[global_allocator]
/// static ALLOCATOR: Recorder = Recorder::system();
///
/// let parse = Label::new("parse");
/// let measured = measure(|| {
///     let numbers: Vec<u32> = parse.in_scope(|| "1 2 3".split(' ').map(|word| word.parse().unwrap()).collect());
///     Box::new(numbers.len())
/// });
/// let snapshot = measured.unwrap().snapshot;
/// let labels: Vec<_> = snapshot.sites.iter().map(|site| site.label).collect();
/// assert_eq!((snapshot.labels, labels), (vec!["parse".to_owned()], vec![Some(0), None]));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Label(u32);

impl Label {
    /// The name of the label that stands for all others, once there is no room for more.
    ///
    /// # Examples
    /// ```
    /// use alloclab::recorder::Label;
    /// assert_eq!(Label::new(Label::OTHER).name(), "(other labels)");
    /// ```
    pub const OTHER: &str = "(other labels)";

    /// The label of that name.
    const OTHERS: Self = Self(name::OTHER);

    /// The label of a name: the same for the same name, wherever it is asked for.
    ///
    /// A process can have 4,094 labels, of 4 MiB of names together; they are never forgotten. Every further name gets the
    /// label [`Label::OTHER`], under which allocations are counted as under any other. Asking for a label allocates
    /// nothing.
    ///
    /// # Examples
    /// ```
    /// use alloclab::recorder::Label;
    /// assert_eq!(Label::new("load"), Label::new(&format!("lo{}", "ad")));
    /// assert_ne!(Label::new("load"), Label::new("store"));
    /// ```
    pub fn new(name: &str) -> Self {
        Self(name::number(name))
    }

    /// The label that the calling thread has.
    ///
    /// # Examples
    /// A thread that is spawned starts without a label; this hands it on:
    /// ```
    /// use alloclab::recorder::Label;
    ///
    /// let _scope = Label::new("import").enter();
    /// let label = Label::current();
    /// let in_thread = std::thread::spawn(move || {
    ///     let _scope = label.map(Label::enter);
    ///     Label::current()
    /// });
    /// assert_eq!(in_thread.join().unwrap(), Some(Label::new("import")));
    /// ```
    pub fn current() -> Option<Self> {
        Self::from_bits(current_bits())
    }

    /// Its name.
    ///
    /// # Examples
    /// ```
    /// use alloclab::recorder::Label;
    /// assert_eq!(Label::new("GET /users").name(), "GET /users");
    /// ```
    pub fn name(self) -> &'static str {
        name::of(self.0)
    }

    /// Begins a scope: the calling thread has the label until the scope is dropped, and then that of the scope around it.
    ///
    /// Scopes may be dropped in any order. In asynchronous code a scope that is held across an `await` would label what
    /// other tasks do on the thread meanwhile; use [`Label::instrument`] there.
    ///
    /// # Examples
    /// ```
    /// use alloclab::recorder::Label;
    ///
    /// let outer = Label::new("request").enter();
    /// let inner = Label::new("render").enter();
    /// drop(inner);
    /// assert_eq!(Label::current(), Some(Label::new("request")));
    /// drop(outer);
    /// assert_eq!(Label::current(), None);
    /// ```
    pub fn enter(self) -> LabelScope {
        LabelScope::new(self)
    }

    /// Does `work` in a scope of the label.
    ///
    /// # Panics
    /// If `work` does; the scope has ended then.
    ///
    /// # Examples
    /// ```
    /// use alloclab::recorder::Label;
    ///
    /// let label = Label::new("render");
    /// assert_eq!(label.in_scope(Label::current), Some(label));
    /// assert_eq!(Label::current(), None);
    /// ```
    pub fn in_scope<T>(self, work: impl FnOnce() -> T) -> T {
        let _scope = self.enter();
        work()
    }

    /// A future that has the label whenever it is polled, on whatever thread, and only then.
    ///
    /// # Examples
    /// ```
    /// use alloclab::recorder::Label;
    /// use std::pin::pin;
    /// use std::task::{Context, Poll, Waker};
    ///
    /// let mut future = pin!(Label::new("fetch").instrument(async { Label::current().map(Label::name) }));
    /// let polled = future.as_mut().poll(&mut Context::from_waker(Waker::noop()));
    /// assert_eq!((polled, Label::current()), (Poll::Ready(Some("fetch")), None));
    /// ```
    pub fn instrument<F: Future>(self, future: F) -> Labeled<F> {
        Labeled::new(self, future)
    }

    /// The bits of the label in the key of a record.
    fn bits(self) -> u32 {
        self.0 << SHIFT
    }

    /// The label in the key of a record, or in another word with the same bits.
    pub(super) fn from_bits(bits: u32) -> Option<Self> {
        let number = bits >> SHIFT & ((1 << name::BITS) - 1);
        (number != 0).then_some(Self(number))
    }
}

impl fmt::Debug for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Label").field(&self.name()).finish()
    }
}
