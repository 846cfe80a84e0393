//! The stacks of System.Text.Json: what is being written or read, from the outside in.
//!
//! Source: dotnet/runtime, `WriteStack` and `ReadStack`: the innermost frame is a part of the stack itself; the first nested
//! value puts the frame around it into an array of four, which a new one of twice the size replaces when it is full.

use crate::codec::adapter::{Container, TooDeep};

/// The deepest level that is written and read: `JsonSerializerOptions.MaxDepth`.
pub const MAX_DEPTH: usize = 64;

/// Frames of the first array.
const FIRST_FRAMES: usize = 4;

/// What a stack keeps of each level.
pub(super) trait Frame {
    /// The frame of a container that begins.
    fn begin(container: Container) -> Self;

    /// What began.
    fn container(&self) -> Container;
}

/// A frame of what is being written.
#[derive(Debug)]
pub(super) struct WriteStackFrame(Container);

/// A frame of what is being read.
#[derive(Debug)]
pub(super) struct ReadStackFrame(Container);

impl Frame for WriteStackFrame {
    fn begin(container: Container) -> Self {
        Self(container)
    }

    fn container(&self) -> Container {
        self.0
    }
}

impl Frame for ReadStackFrame {
    fn begin(container: Container) -> Self {
        Self(container)
    }

    fn container(&self) -> Container {
        self.0
    }
}

/// The containers around a value.
#[derive(Debug)]
pub(super) struct Stack<F> {
    current: Option<F>,
    outer: Vec<F>,
}

impl<F: Frame> Stack<F> {
    /// Around nothing yet.
    pub(super) const fn new() -> Self {
        Self { current: None, outer: Vec::new() }
    }

    /// A container begins.
    ///
    /// # Errors
    /// When it is nested too deeply.
    pub(super) fn push(&mut self, container: Container) -> Result<(), TooDeep> {
        if let Some(outer) = self.current.replace(F::begin(container)) {
            // With the current frame and this one the stack is two levels deeper than its array.
            if self.outer.len() + 2 > MAX_DEPTH {
                return Err(TooDeep { max_depth: MAX_DEPTH });
            }
            self.keep(outer);
        }
        Ok(())
    }

    /// The innermost container ends, which began as this one.
    pub(super) fn pop(&mut self, container: Container) {
        let ended = std::mem::replace(&mut self.current, self.outer.pop());
        debug_assert_eq!(ended.map(|frame| frame.container()), Some(container));
    }

    /// Into a new array, if there is none or it is full: .NET has no way to resize one.
    fn keep(&mut self, frame: F) {
        if self.outer.len() == self.outer.capacity() {
            let mut larger = Vec::with_capacity((2 * self.outer.capacity()).max(FIRST_FRAMES));
            larger.append(&mut self.outer);
            self.outer = larger;
        }
        self.outer.push(frame);
    }
}
