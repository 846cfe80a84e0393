//! Buffers that are used again.

/// A buffer that is used from one value to the next, and grows by doubling.
#[derive(Debug, Default)]
pub(in crate::codec) struct ReusedBuffer {
    bytes: Vec<u8>,
}

impl ReusedBuffer {
    /// Without memory.
    pub(in crate::codec) const fn new() -> Self {
        Self { bytes: Vec::new() }
    }

    /// The whole buffer, of at least this many bytes; what is in it is left over. A new one has at least `first`.
    #[inline]
    pub(in crate::codec) fn of_at_least(&mut self, needed: usize, first: usize) -> &mut [u8] {
        if self.bytes.len() < needed {
            // Not resized: nobody wants what is in it.
            self.bytes = vec![0; needed.max(2 * self.bytes.len()).max(first)];
        }
        &mut self.bytes
    }
}
