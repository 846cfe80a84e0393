//! What the recorder needs of the operating system. Every platform's files offer the same functions.

#[cfg(all(target_os = "linux", not(all(test, loom))))]
mod linux;
#[cfg(all(target_os = "linux", not(all(test, loom))))]
mod linux_process;
#[cfg(all(target_os = "linux", not(all(test, loom))))]
mod linux_thread;
#[cfg(all(target_os = "linux", not(all(test, loom))))]
pub(super) use {linux::*, linux_process::*, linux_thread::Thread};

#[cfg(all(not(target_os = "linux"), not(all(test, loom))))]
mod portable;
#[cfg(all(not(target_os = "linux"), not(all(test, loom))))]
mod portable_process;
#[cfg(all(not(target_os = "linux"), not(all(test, loom))))]
mod portable_thread;
#[cfg(all(not(target_os = "linux"), not(all(test, loom))))]
pub(super) use {portable::*, portable_process::*, portable_thread::Thread};

#[cfg(all(test, loom))]
mod modeled;
#[cfg(all(test, loom))]
pub(super) use modeled::*;

#[cfg(any(not(target_os = "linux"), all(test, loom)))]
mod absent;
#[cfg(any(not(target_os = "linux"), all(test, loom)))]
pub(super) use absent::*;
