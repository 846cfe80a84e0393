//! The scopes that a thread is in, innermost last, and the label that it therefore has.
//!
//! Plain cells without destructors: they can be used at any time of a thread's life, its end included, whether the thread
//! has a table or not.

use std::cell::Cell;
use std::marker::PhantomData;

use super::Label;

/// Scopes of a thread that are told apart.
const DEPTH: usize = 128;

thread_local! {
    /// The label of the innermost scope, in the bits that it has in a key; 0 outside of all. This is what each allocation
    /// reads.
    static LABEL: Cell<u32> = const { Cell::new(0) };

    static SCOPES: Scopes = const { Scopes::new() };
}

/// The calling thread's label, in the bits that it has in a key.
#[inline(always)]
pub(in crate::recorder) fn current_bits() -> u32 {
    LABEL.get()
}

/// A stretch during which a thread has a [`Label`]; it ends when this is dropped. See [`Label::enter`].
///
/// A thread can be in 128 scopes at once; in those further in, it has the label [`Label::OTHER`].
#[derive(Debug)]
#[must_use = "a scope that is dropped at once labels nothing"]
pub struct LabelScope {
    place: Place,
    /// A scope belongs to the thread that began it.
    not_send: PhantomData<*const ()>,
}

impl LabelScope {
    pub(super) fn new(label: Label) -> Self {
        let place = SCOPES.with(|scopes| scopes.enter(label, NOBODY));
        Self { place, not_send: PhantomData }
    }
}

impl Drop for LabelScope {
    fn drop(&mut self) {
        SCOPES.with(|scopes| scopes.leave(self.place));
    }
}

/// Begins a scope that `owner`, which is not 0, will ask to leave.
#[cfg(feature = "tracing")]
pub(crate) fn enter_for(owner: u64, label: Label) {
    SCOPES.with(|scopes| scopes.enter(label, owner));
}

/// Ends the innermost scope of the thread that `owner` began; none, if it began none on this thread.
///
/// Of scopes further in than can be told apart nobody knows who began them: while there are any, an owner that has none
/// among the others ends one of them, even if it began none.
#[cfg(feature = "tracing")]
pub(crate) fn leave_for(owner: u64) {
    SCOPES.with(|scopes| {
        if let Some(place) = scopes.innermost_of(owner) {
            scopes.leave(place);
        }
    });
}

/// Gives another label to the scopes of the thread that `owner` began; those further in than can be told apart keep
/// [`Label::OTHER`].
#[cfg(feature = "tracing")]
pub(crate) fn relabel_for(owner: u64, label: Label) {
    SCOPES.with(|scopes| scopes.relabel(owner, label));
}

/// The owner of scopes that are left by their place.
const NOBODY: u64 = 0;

/// In place of a label's bits: the scope has been left, and those further in have not.
const LEFT: u32 = u32::MAX;

struct Scopes {
    labels: [Cell<u32>; DEPTH],
    owners: [Cell<u64>; DEPTH],
    depth: Cell<usize>,
    /// Scopes further in than can be told apart.
    further_in: Cell<usize>,
}

/// Where a scope stands among those of its thread.
#[derive(Clone, Copy, Debug)]
enum Place {
    At(usize),
    FurtherIn,
}

impl Scopes {
    const fn new() -> Self {
        Self {
            labels: [const { Cell::new(0) }; DEPTH],
            owners: [const { Cell::new(NOBODY) }; DEPTH],
            depth: Cell::new(0),
            further_in: Cell::new(0),
        }
    }

    #[inline(always)]
    fn enter(&self, label: Label, owner: u64) -> Place {
        let depth = self.depth.get();
        if depth == DEPTH {
            return self.enter_further_in();
        }
        self.labels[depth].set(label.bits());
        self.owners[depth].set(owner);
        self.depth.set(depth + 1);
        LABEL.set(label.bits());
        Place::At(depth)
    }

    #[cold]
    fn enter_further_in(&self) -> Place {
        self.further_in.set(self.further_in.get() + 1);
        self.settle();
        Place::FurtherIn
    }

    #[inline(always)]
    fn leave(&self, place: Place) {
        match place {
            Place::At(index) => self.labels[index].set(LEFT),
            Place::FurtherIn => self.further_in.set(self.further_in.get() - 1),
        }
        self.settle();
    }

    /// Forgets what has been left on top, and takes the label of what is on top then.
    #[inline(always)]
    fn settle(&self) {
        if self.further_in.get() > 0 {
            LABEL.set(Label::OTHERS.bits());
            return;
        }
        let mut depth = self.depth.get();
        while depth > 0 && self.labels[depth - 1].get() == LEFT {
            depth -= 1;
        }
        self.depth.set(depth);
        LABEL.set(if depth == 0 { 0 } else { self.labels[depth - 1].get() });
    }
}

#[cfg(feature = "tracing")]
impl Scopes {
    /// The innermost scope that is known to be of an owner; if there is none, one of those whose owners are not known.
    fn innermost_of(&self, owner: u64) -> Option<Place> {
        let is_there =
            |index: &usize| self.owners[*index].get() == owner && self.labels[*index].get() != LEFT;
        let known = (0..self.depth.get()).rev().find(is_there).map(Place::At);
        known.or_else(|| (self.further_in.get() > 0).then_some(Place::FurtherIn))
    }

    fn relabel(&self, owner: u64, label: Label) {
        let scopes = std::iter::zip(&self.owners, &self.labels).take(self.depth.get());
        let owned = scopes.filter(|(known, bits)| known.get() == owner && bits.get() != LEFT);
        owned.for_each(|(_, bits)| bits.set(label.bits()));
        self.settle();
    }
}
