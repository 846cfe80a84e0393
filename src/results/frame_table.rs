//! Every distinct function of a run, once: thousands of stacks share a few hundred of them.

use std::collections::HashMap;

use super::Frame;

/// Gives each distinct frame one index, in the order of first sight.
///
/// # Examples
/// ```
/// use alloclab::results::{Frame, FrameTable};
///
/// let mut table = FrameTable::default();
/// let main = Frame { function: "main".into(), location: Some("src/main.rs:3".into()) };
/// assert_eq!(table.index_of(main.clone()), 0);
/// assert_eq!(table.index_of(Frame { function: "encode".into(), location: None }), 1);
/// assert_eq!(table.index_of(main), 0);
/// assert_eq!(table.into_frames().len(), 2);
/// ```
#[derive(Clone, Debug, Default)]
pub struct FrameTable {
    frames: Vec<Frame>,
    indices: HashMap<Frame, u32>,
}

impl FrameTable {
    /// The index of a frame, which joins the table if it is new.
    ///
    /// # Panics
    /// If the table holds more frames than a `u32` counts.
    pub fn index_of(&mut self, frame: Frame) -> u32 {
        if let Some(&index) = self.indices.get(&frame) {
            return index;
        }
        let index = u32::try_from(self.frames.len()).expect("a program has fewer frames than a u32 counts");
        self.frames.push(frame.clone());
        self.indices.insert(frame, index);
        index
    }

    /// The frames, for [`Results::frames`](super::Results::frames).
    pub fn into_frames(self) -> Vec<Frame> {
        self.frames
    }
}
