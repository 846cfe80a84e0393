//! The standard library's, at no cost.

pub(in crate::recorder) use std::cell::Cell;
pub(in crate::recorder) use std::sync::atomic::{
    AtomicBool, AtomicI64, AtomicPtr, AtomicU32, AtomicU64, Ordering, compiler_fence, fence,
};
pub(in crate::recorder) use std::thread::yield_now;

use crate::recorder::platform;

/// Statics that threads share.
macro_rules! shared {
    ($($(#[$attribute:meta])* static $name:ident: $type:ty = $value:expr;)*) => {
        $($(#[$attribute])* static $name: $type = $value;)*
    };
}

/// Cells that each thread has one of: plain, without destructors.
macro_rules! local {
    ($($(#[$attribute:meta])* static $name:ident: Cell<$type:ty> = $value:expr;)*) => {
        std::thread_local! { $($(#[$attribute])* static $name: std::cell::Cell<$type> = const { std::cell::Cell::new($value) };)* }
    };
}

/// An array whose elements are made one by one.
macro_rules! array {
    ($element:expr; $length:expr) => {
        [const { $element }; $length]
    };
}

/// A function that can make a static.
macro_rules! const_fn {
    ($(#[$attribute:meta])* $visibility:vis fn $($function:tt)*) => {
        $(#[$attribute])* $visibility const fn $($function)*
    };
}

pub(in crate::recorder) use {array, const_fn, local, shared};

/// What a thread does between a store and a load that [`platform::barrier`] keeps in this order: nothing, but that the
/// compiler keeps them so.
#[inline(always)]
pub(in crate::recorder) fn light_barrier() {
    compiler_fence(Ordering::SeqCst);
}

/// Memory that is no atomic: written by one thread before others may know of it.
pub(in crate::recorder) type Plain<T> = T;

/// What can be all zero.
pub(in crate::recorder) trait Zero {}

impl Zero for AtomicU32 {}
impl Zero for AtomicU64 {}
impl Zero for u64 {}
impl Zero for u8 {}

/// Writes to plain memory.
///
/// # Safety
/// The place is inside a mapping, and nobody else uses it.
#[inline(always)]
pub(in crate::recorder) unsafe fn write<T: Copy>(place: *mut Plain<T>, value: T) {
    // SAFETY: the caller's.
    unsafe { place.write(value) };
}

/// Writes several values to plain memory.
///
/// # Safety
/// The places from `start` on are inside a mapping, and nobody else uses them.
#[inline(always)]
pub(in crate::recorder) unsafe fn write_all<T: Copy>(start: *mut Plain<T>, values: &[T]) {
    // SAFETY: the caller's; the values are borrowed, and so no part of what nobody else uses.
    unsafe { std::ptr::copy_nonoverlapping(values.as_ptr(), start, values.len()) };
}

/// Reads from plain memory.
///
/// # Safety
/// The place is inside a mapping, and nobody writes to it.
#[inline(always)]
pub(in crate::recorder) unsafe fn read<T: Copy>(place: *const Plain<T>) -> T {
    // SAFETY: the caller's.
    unsafe { place.read() }
}

/// Values in plain memory.
///
/// # Safety
/// The `count` places from `start` on are inside a mapping, and nobody writes to them as long as the slice is used.
#[inline(always)]
pub(in crate::recorder) unsafe fn slice<T: Copy>(start: *const Plain<T>, count: usize) -> &'static [T] {
    // SAFETY: the caller's.
    unsafe { std::slice::from_raw_parts(start, count) }
}

/// Maps a table of zeros; null if the system refuses.
pub(in crate::recorder) fn map<T: Zero>(length: usize) -> *mut T {
    platform::map(length * size_of::<T>()).cast()
}

/// Gives back a table from [`map`].
///
/// # Safety
/// The table is whole, and nothing points into it any more.
pub(in crate::recorder) unsafe fn unmap<T: Zero>(table: *mut T, length: usize) {
    // SAFETY: the caller's.
    unsafe { platform::unmap(table.cast(), length * size_of::<T>()) };
}

/// Makes a table from [`map`] zero again.
///
/// # Safety
/// The table is whole, and no thread uses it meanwhile.
pub(in crate::recorder) unsafe fn discard<T: Zero>(table: *mut T, length: usize) {
    // SAFETY: the caller's.
    unsafe { platform::discard(table.cast(), length * size_of::<T>()) };
}
