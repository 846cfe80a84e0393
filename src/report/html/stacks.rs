//! Stacks of a page as one tree: what stacks have in common stands in it once.

use std::collections::HashMap;

use serde_json::{Value, json};

/// A call is told by the one around it and by its function; number 0 is around all.
#[derive(Default)]
pub(super) struct Stacks {
    /// How far before it the call around each stands.
    back: Vec<usize>,
    frames: Vec<usize>,
    calls: HashMap<(usize, usize), usize>,
}

impl Stacks {
    /// The number of the innermost call of a stack whose frames are told innermost first; 0 for an empty stack.
    pub(super) fn index_of(&mut self, frames: impl DoubleEndedIterator<Item = usize>) -> usize {
        frames.rev().fold(0, |around, frame| {
            *self.calls.entry((around, frame)).or_insert_with(|| {
                let number = self.frames.len() + 1;
                self.back.push(number - around);
                self.frames.push(frame);
                number
            })
        })
    }

    pub(super) fn into_value(self) -> Value {
        json!({ "back": self.back, "frames": self.frames })
    }
}
