//! Loom's, which see every access.
//!
//! Loom knows no barrier that one thread makes all others execute. [`light_barrier`] and `platform::barrier` are full fences
//! here, which is what the pair of them gives: of a store before the one and a store before the other, at least one is
//! seen by the load after the other's. Loom takes sequentially consistent accesses that are no fences for acquire and release.

use std::any::Any;
use std::marker::PhantomData;
use std::ops::Deref;
use std::sync::{Mutex, Once};

pub(in crate::recorder) use ::loom::cell::Cell;
pub(in crate::recorder) use ::loom::sync::atomic::{
    AtomicBool, AtomicI64, AtomicPtr, AtomicU32, AtomicU64, Ordering, fence,
};
pub(in crate::recorder) use ::loom::thread::yield_now;

/// Statics that threads share: new ones in each run of a model.
macro_rules! shared {
    ($($(#[$attribute:meta])* static $name:ident: $type:ty = $value:expr;)*) => {
        $($(#[$attribute])* static $name: $crate::recorder::primitive::Shared<$type> =
            $crate::recorder::primitive::Shared::new(|| $value, || _ = &*$name);)*
    };
}

/// Cells that each thread has one of. Nobody else's: they are not watched.
macro_rules! local {
    ($($(#[$attribute:meta])* static $name:ident: Cell<$type:ty> = $value:expr;)*) => {
        $($(#[$attribute])* static $name: $crate::recorder::primitive::Local<$type> =
            $crate::recorder::primitive::Local::new(|| std::cell::Cell::new($value));)*
    };
}

/// An array whose elements are made one by one.
macro_rules! array {
    ($element:expr; $length:expr) => {
        std::array::from_fn::<_, { $length }, _>(|_| $element)
    };
}

/// A function that can make a static; loom has no constant ones.
macro_rules! const_fn {
    ($($function:tt)*) => {
        $($function)*
    };
}

pub(in crate::recorder) use {array, const_fn, local, shared};

/// A static of which there is a new one in each run.
pub(in crate::recorder) struct Shared<T: 'static> {
    value: ::loom::lazy_static::Lazy<T>,
    touch: fn(),
    is_known: Once,
}

/// Makes each static that was ever used. What a thread did before it makes one would be seen by all that use it: a run
/// starts with all of them made.
pub(in crate::recorder) fn make_statics() {
    _ = &*MEMORY;
    let known = KNOWN.lock().expect("nobody panics there").clone();
    known.into_iter().for_each(|touch| touch());
}

static KNOWN: Mutex<Vec<fn()>> = Mutex::new(Vec::new());

impl<T: 'static> Shared<T> {
    pub(in crate::recorder) const fn new(init: fn() -> T, touch: fn()) -> Self {
        Self { value: ::loom::lazy_static::Lazy { init, _p: PhantomData }, touch, is_known: Once::new() }
    }
}

impl<T: 'static> Deref for Shared<T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.is_known.call_once(|| KNOWN.lock().expect("nobody panics there").push(self.touch));
        // SAFETY: `shared` makes statics alone.
        let value: &'static ::loom::lazy_static::Lazy<T> = unsafe { &*std::ptr::from_ref(&self.value) };
        value.get()
    }
}

/// A cell that each thread has one of, with the functions that the standard library's have.
pub(in crate::recorder) struct Local<T: 'static>(::loom::thread::LocalKey<std::cell::Cell<T>>);

impl<T: Copy + 'static> Local<T> {
    pub(in crate::recorder) const fn new(init: fn() -> std::cell::Cell<T>) -> Self {
        Self(::loom::thread::LocalKey { init, _p: PhantomData })
    }

    pub(in crate::recorder) fn get(&'static self) -> T {
        self.0.with(std::cell::Cell::get)
    }

    pub(in crate::recorder) fn set(&'static self, value: T) {
        self.0.with(|cell| cell.set(value));
    }

    pub(in crate::recorder) fn replace(&'static self, value: T) -> T {
        self.0.with(|cell| cell.replace(value))
    }
}

/// A full fence; see above.
pub(in crate::recorder) fn light_barrier() {
    fence(Ordering::SeqCst);
}

/// Signal handlers are not modeled.
pub(in crate::recorder) fn compiler_fence(_order: Ordering) {}

/// Memory that is no atomic: loom sees who reads it while another may be writing.
pub(in crate::recorder) type Plain<T> = ::loom::cell::UnsafeCell<T>;

/// What can be zero.
pub(in crate::recorder) trait Zero: 'static {
    fn zero() -> Self;
    /// Makes it zero again; loom sees if another thread may be using it.
    fn clear(&mut self);
}

impl Zero for AtomicU32 {
    fn zero() -> Self {
        Self::new(0)
    }

    fn clear(&mut self) {
        self.with_mut(|value| *value = 0);
    }
}

impl Zero for AtomicU64 {
    fn zero() -> Self {
        Self::new(0)
    }

    fn clear(&mut self) {
        self.with_mut(|value| *value = 0);
    }
}

impl<T: Copy + Default + 'static> Zero for Plain<T> {
    fn zero() -> Self {
        Self::new(T::default())
    }

    fn clear(&mut self) {
        // SAFETY: the pointer is that of the value in the cell.
        self.with_mut(|value| unsafe { value.write(T::default()) });
    }
}

/// The memory of a run; it ends with it.
type Memory = Mutex<Vec<Box<dyn Any>>>;

::loom::lazy_static! {
    static ref MEMORY: Memory = Memory::default();
}

/// Keeps a block until the run is over.
pub(in crate::recorder) fn keep(block: Box<dyn Any>) {
    MEMORY.lock().expect("nobody panics there").push(block);
}

pub(in crate::recorder) unsafe fn write<T: Copy>(place: *mut Plain<T>, value: T) {
    // SAFETY: the caller's.
    let cell = unsafe { &*place };
    // SAFETY: the pointer is that of the value in the cell.
    cell.with_mut(|inner| unsafe { inner.write(value) });
}

pub(in crate::recorder) unsafe fn write_all<T: Copy>(start: *mut Plain<T>, values: &[T]) {
    for (index, value) in values.iter().enumerate() {
        // SAFETY: the caller's.
        unsafe { write(start.wrapping_add(index), *value) };
    }
}

pub(in crate::recorder) unsafe fn read<T: Copy>(place: *const Plain<T>) -> T {
    // SAFETY: the caller's.
    let cell = unsafe { &*place };
    // SAFETY: the pointer is that of the value in the cell.
    cell.with(|inner| unsafe { inner.read() })
}

/// A copy of the values.
pub(in crate::recorder) unsafe fn slice<T: Copy + 'static>(
    start: *const Plain<T>,
    count: usize,
) -> &'static [T] {
    // SAFETY: the caller's.
    let values = (0..count).map(|index| unsafe { read(start.wrapping_add(index)) });
    let values: Box<[T]> = values.collect();
    let copy = std::ptr::from_ref(&*values);
    keep(Box::new(values));
    // SAFETY: the memory stays until the run is over.
    unsafe { &*copy }
}

pub(in crate::recorder) fn map<T: Zero>(length: usize) -> *mut T {
    let mut table: Box<[T]> = (0..length).map(|_| T::zero()).collect();
    let start = table.as_mut_ptr();
    keep(Box::new(table));
    start
}

/// The memory ends with the run.
pub(in crate::recorder) unsafe fn unmap<T: Zero>(_table: *mut T, _length: usize) {}

pub(in crate::recorder) unsafe fn discard<T: Zero>(table: *mut T, length: usize) {
    for index in 0..length {
        // SAFETY: the caller's; loom sees if it is not so.
        unsafe { &mut *table.wrapping_add(index) }.clear();
    }
}
