//! What threads share, in one place: the atomics and cells of the standard library, or in models those of loom.
//!
//! The models (`loom`) run this recorder itself, in every order in which the memory model lets threads see each other's
//! stores. For that its statics begin anew with each run, its plain memory is watched, and its tables are small. All of it
//! is here, so that the code that uses it reads as if there were no models.

/// The length of a table: what it is, or what it is in models, which look at every entry in every order.
pub(super) const fn scaled(length: usize, in_models: usize) -> usize {
    if cfg!(all(test, loom)) { in_models } else { length }
}

#[cfg(not(all(test, loom)))]
mod real;
#[cfg(not(all(test, loom)))]
pub(super) use real::*;

#[cfg(all(test, loom))]
mod modeled;
#[cfg(all(test, loom))]
pub(super) use modeled::*;
