//! A future with a label.

use std::pin::Pin;
use std::task::{Context, Poll};

use super::Label;

/// A future that has a [`Label`] whenever it is polled. See [`Label::instrument`].
///
/// It has none while it is dropped: what a future that is given up allocates in its destructors has the label of who drops it.
#[derive(Debug)]
#[must_use = "futures do nothing unless polled"]
pub struct Labeled<F> {
    label: Label,
    future: F,
}

impl<F> Labeled<F> {
    pub(super) fn new(label: Label, future: F) -> Self {
        Self { label, future }
    }
}

impl<F: Future> Future for Labeled<F> {
    type Output = F::Output;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        let _scope = self.label.enter();
        // SAFETY: `future` is never moved out of a `Labeled`, which has no `Drop` of its own, and is only `Unpin` if the
        // future is: it is pinned as long as the whole is.
        let future = unsafe { self.map_unchecked_mut(|labeled| &mut labeled.future) };
        future.poll(context)
    }
}
