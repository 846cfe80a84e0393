//! The first events of a window, one by one, for a thread that asked for them.

use std::ptr;

use super::platform;
use super::primitive::Cell;
use crate::snapshot::EventKind;

/// One call of the allocator, with record numbers in place of sites.
#[derive(Clone, Copy)]
pub(super) struct RawEvent {
    pub(super) kind: EventKind,
    pub(super) record: u32,
    pub(super) former_record: u32,
    pub(super) bytes: u64,
    pub(super) former_bytes: u64,
}

/// A thread's events, up to the capacity that its window asked for.
pub(super) struct EventLog {
    events: Cell<*mut RawEvent>,
    capacity: Cell<usize>,
    is_open: Cell<bool>,
    /// Events that were offered, those beyond the capacity included.
    offered: Cell<usize>,
}

impl EventLog {
    /// A log that keeps nothing.
    pub(super) fn new() -> Self {
        let (events, capacity) = (Cell::new(ptr::null_mut()), Cell::new(0));
        Self { events, capacity, is_open: Cell::new(false), offered: Cell::new(0) }
    }

    /// Starts anew with room for `capacity` events; if the system has no memory for them, all are lost.
    pub(super) fn open(&self, capacity: usize) {
        let bytes = capacity.saturating_mul(size_of::<RawEvent>());
        let events = if bytes == 0 { ptr::null_mut() } else { platform::map(bytes).cast() };
        self.events.set(events);
        self.capacity.set(if events.is_null() { 0 } else { capacity });
        self.offered.set(0);
        self.is_open.set(capacity != 0);
    }

    /// Whether events are kept, or counted as lost.
    pub(super) fn is_open(&self) -> bool {
        self.is_open.get()
    }

    /// Keeps an event, or counts it as lost.
    #[cold]
    #[inline(never)]
    pub(super) fn push(&self, event: RawEvent) {
        let index = self.offered.replace(self.offered.get() + 1);
        if index < self.capacity.get() {
            let slot = self.events.get().wrapping_add(index);
            // SAFETY: the log has room for `capacity` events, and only its own thread writes to it.
            unsafe { slot.write(event) };
        }
    }

    /// Closes the log: its events in order, and how many found no room.
    pub(super) fn close(&self) -> (Vec<RawEvent>, u64) {
        self.is_open.set(false);
        let capacity = self.capacity.replace(0);
        let events = self.events.replace(ptr::null_mut());
        let offered = self.offered.replace(0);
        if events.is_null() {
            return (Vec::new(), offered as u64);
        }
        let kept = offered.min(capacity);
        // SAFETY: the first `kept` events have been written.
        let copy = unsafe { std::slice::from_raw_parts(events, kept) }.to_vec();
        // SAFETY: the mapping is whole and no pointer to it is left.
        unsafe { platform::unmap(events.cast(), capacity * size_of::<RawEvent>()) };
        (copy, (offered - kept) as u64)
    }
}
