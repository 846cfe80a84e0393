//! The writer's buffer, taken from a pool and given back.

use std::cell::Cell;

/// Bytes of a writer's buffer.
pub(super) const BUFFER_BYTES: usize = 1024;

thread_local! {
    /// The original keeps twenty for all threads; a thread that writes one value at a time needs one.
    static SPARE: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

/// An empty buffer: the spare one, or a new one.
pub(super) fn take() -> Vec<u8> {
    // A thread that is going away has no spare buffer any more.
    let spare = SPARE.try_with(Cell::take).unwrap_or_default();
    if spare.capacity() == 0 { Vec::with_capacity(BUFFER_BYTES) } else { spare }
}

/// Keeps a buffer for the next writer, unless it has grown.
pub(super) fn give_back(mut buffer: Vec<u8>) {
    if buffer.capacity() == BUFFER_BYTES {
        buffer.clear();
        // As above: then the buffer is freed.
        let _ = SPARE.try_with(|spare| spare.set(buffer));
    }
}
