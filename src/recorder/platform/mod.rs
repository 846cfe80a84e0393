//! What the recorder needs of the operating system. Every platform's files offer the same functions.

#[cfg(target_os = "linux")]
mod linux;
#[cfg(target_os = "linux")]
mod linux_process;
#[cfg(target_os = "linux")]
mod linux_thread;
#[cfg(target_os = "linux")]
pub(super) use {linux::*, linux_process::*, linux_thread::Thread};

#[cfg(not(target_os = "linux"))]
mod portable;
#[cfg(not(target_os = "linux"))]
mod portable_process;
#[cfg(not(target_os = "linux"))]
mod portable_thread;
#[cfg(not(target_os = "linux"))]
pub(super) use {portable::*, portable_process::*, portable_thread::Thread};
