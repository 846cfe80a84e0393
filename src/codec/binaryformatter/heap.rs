//! Objects and arrays, allocated where and when the original allocates them.

use std::hint::black_box;
use std::mem::MaybeUninit;

/// An object whose constructor has yet to run: what the constructor allocates comes after it.
pub(super) fn allocate<T>() -> Box<MaybeUninit<T>> {
    black_box(Box::new_uninit())
}

/// An object of which nothing but its fields is made.
pub(super) fn create<T>(object: T) -> Box<T> {
    black_box(Box::new(object))
}

/// An array of default values.
pub(super) fn new_array<T: Default>(length: usize) -> Vec<T> {
    let mut array = black_box(Vec::with_capacity(length));
    array.resize_with(length, T::default);
    array
}

/// A longer array, with the values of another one at its start: .NET's arrays do not grow, they are copied.
pub(super) fn grown<T: Default>(values: &mut [T], length: usize) -> Vec<T> {
    let mut array = new_array(length);
    array[..values.len()].swap_with_slice(values);
    array
}
