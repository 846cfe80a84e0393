//! Linux.

use std::ffi::{CStr, OsStr, c_int, c_void};
use std::mem::MaybeUninit;
use std::ops::{ControlFlow, Range};
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::ptr;
use std::sync::atomic::{AtomicU32, Ordering};

use super::linux_process::{Errno, is_main_thread};
use crate::snapshot::Module;

/// Maps zeroed memory of the process's own, committed when touched; null if the system refuses.
pub(in crate::recorder) fn map(bytes: usize) -> *mut u8 {
    let protection = libc::PROT_READ | libc::PROT_WRITE;
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
    let _errno = Errno::keep();
    // SAFETY: an anonymous mapping at an address of the kernel's choice touches no memory of ours.
    let address = unsafe { libc::mmap(ptr::null_mut(), bytes, protection, flags, -1, 0) };
    if address == libc::MAP_FAILED { ptr::null_mut() } else { address.cast() }
}

/// Gives back memory from [`map`].
///
/// # Safety
/// `address` and `bytes` are a whole mapping, and nothing points into it any more.
pub(in crate::recorder) unsafe fn unmap(address: *mut u8, bytes: usize) {
    // SAFETY: the caller gives up the whole mapping.
    unsafe { libc::munmap(address.cast(), bytes) };
}

/// Makes memory from [`map`] zero again, and gives its pages back.
///
/// # Safety
/// `address` is page-aligned, the range lies in one mapping, and no thread uses it meanwhile.
pub(in crate::recorder) unsafe fn discard(address: *mut u8, bytes: usize) {
    // SAFETY: private anonymous pages read as zero after this; the caller says that nobody uses them.
    if unsafe { libc::madvise(address.cast(), bytes, libc::MADV_DONTNEED) } != 0 {
        // Locked memory cannot be given back.
        // SAFETY: the range is ours, and the caller says that nobody uses it.
        unsafe { ptr::write_bytes(address, 0, bytes) };
    }
}

/// Bytes of a mapping that are in memory.
pub(in crate::recorder) fn resident(address: *mut u8, bytes: usize) -> u64 {
    const PAGE: usize = 4096;
    const STEP: usize = 1024;
    let mut total = 0;
    let mut pages = [0_u8; STEP];
    for offset in (0..bytes).step_by(STEP * PAGE) {
        let length = (bytes - offset).min(STEP * PAGE);
        let start = address.wrapping_add(offset).cast();
        // SAFETY: `pages` has room for one byte for each page of `length`; mincore only looks.
        let answer = unsafe { libc::mincore(start, length, pages.as_mut_ptr()) };
        if answer == 0 {
            let seen = pages.iter().take(length.div_ceil(PAGE));
            total += seen.filter(|page| **page & 1 == 1).count() as u64 * PAGE as u64;
        }
    }
    total
}

/// Makes every running thread of the process execute a full memory barrier.
///
/// Where the kernel has no such call, waits long enough for store buffers to drain.
pub(in crate::recorder) fn barrier() {
    const REGISTER_PRIVATE_EXPEDITED: c_int = 1 << 4;
    const PRIVATE_EXPEDITED: c_int = 1 << 3;
    // SAFETY: membarrier takes plain numbers and touches no memory of ours.
    let call = |command: c_int| unsafe { libc::syscall(libc::SYS_membarrier, command, 0, 0) };
    if call(PRIVATE_EXPEDITED) == 0 {
        return;
    }
    if call(REGISTER_PRIVATE_EXPEDITED) != 0 || call(PRIVATE_EXPEDITED) != 0 {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
}

/// Bytes below the end of the first thread's stack that the system keeps free of mappings whose address it chooses.
const KEPT_FREE: usize = 128 << 20;

/// The lowest and the highest address of the calling thread's stack; an empty range if the system doesn't tell.
pub(in crate::recorder) fn stack_bounds() -> Range<usize> {
    let _errno = Errno::keep();
    let mut attributes = MaybeUninit::<libc::pthread_attr_t>::uninit();
    // SAFETY: `pthread_self` has no precondition.
    let thread = unsafe { libc::pthread_self() };
    // SAFETY: the call initializes `attributes` if it returns 0.
    if unsafe { libc::pthread_getattr_np(thread, attributes.as_mut_ptr()) } != 0 {
        return 0..0;
    }
    let mut low = ptr::null_mut::<c_void>();
    let mut size = 0;
    // SAFETY: `attributes` is initialized, the other two are places to write to.
    let answer = unsafe { libc::pthread_attr_getstack(attributes.as_ptr(), &raw mut low, &raw mut size) };
    // SAFETY: `attributes` is initialized and not used afterwards.
    unsafe { libc::pthread_attr_destroy(attributes.as_mut_ptr()) };
    if answer != 0 {
        return 0..0;
    }
    let high = low.addr() + size;
    // Without a limit, the first thread's stack may grow down to the next mapping there is; mappings that are made later lie
    // in between, and are no part of it. So near to it the system makes none.
    let low = if is_main_thread() { low.addr().max(high.saturating_sub(KEPT_FREE)) } else { low.addr() };
    low..high
}

/// A frame that the unwinder has come to.
pub(in crate::recorder) struct CallerFrame {
    /// Where the frame's function goes on when what it called returns.
    pub(in crate::recorder) return_address: usize,
    /// Where the stack ended when it made that call: below its own variables, above those of what it called.
    pub(in crate::recorder) stack_pointer: usize,
}

/// A position of the unwinder on a stack, of its own kind.
#[repr(C)]
struct UnwindContext {
    _private: [u8; 0],
}

type UnwindCode = c_int;

type UnwindStep = unsafe extern "C" fn(*mut UnwindContext, *mut c_void) -> UnwindCode;

// Of the unwinder that the standard library links into every program, for its panics and backtraces.
unsafe extern "C" {
    fn _Unwind_Backtrace(step: UnwindStep, data: *mut c_void) -> UnwindCode;
    fn _Unwind_GetIPInfo(context: *mut UnwindContext, is_before_instruction: *mut c_int) -> usize;
    fn _Unwind_GetCFA(context: *mut UnwindContext) -> usize;
}

/// Hands over the frames of the calling thread, from that of this function outward, until `visit` breaks.
///
/// The unwinder finds the tables of a function by its address: libgcc asks glibc 2.35 and later by `_dl_find_object`, which
/// takes no lock, and earlier ones by `dl_iterate_phdr`, under a lock that a thread may take again while it has it. Neither
/// allocates. A thread that was forked off while another held that lock waits forever; newer systems have none.
#[inline(always)]
pub(in crate::recorder) fn callers<V: FnMut(CallerFrame) -> ControlFlow<()>>(mut visit: V) {
    // SAFETY: the unwinder calls `step` with a position of its own and with `visit`, which lives until the call returns.
    unsafe { _Unwind_Backtrace(visit_frame::<V>, (&raw mut visit).cast()) };
}

/// # Safety
/// Called by `_Unwind_Backtrace` with a position of its own, and with the `V` of [`callers`] as `visit`.
unsafe extern "C" fn visit_frame<V: FnMut(CallerFrame) -> ControlFlow<()>>(
    context: *mut UnwindContext,
    visit: *mut c_void,
) -> UnwindCode {
    const GO_ON: UnwindCode = 0;
    const STOP: UnwindCode = 4;
    let mut is_before_instruction = 0;
    // SAFETY: the position is the unwinder's own, the other a place to write to.
    let address = unsafe { _Unwind_GetIPInfo(context, &raw mut is_before_instruction) };
    // SAFETY: as above.
    let stack_pointer = unsafe { _Unwind_GetCFA(context) };
    // SAFETY: `visit` is that of `callers`, which nobody else uses during the call.
    let visit = unsafe { &mut *visit.cast::<V>() };
    // Whoever reads return addresses looks one byte before them; a signal comes before an instruction, not after a call.
    let return_address = address + usize::from(is_before_instruction != 0);
    match visit(CallerFrame { return_address, stack_pointer }) {
        ControlFlow::Continue(()) => GO_ON,
        ControlFlow::Break(()) => STOP,
    }
}

/// Calls `thread::detach` with `table` when the calling thread ends.
pub(in crate::recorder) fn at_thread_exit(table: *mut c_void) {
    let _errno = Errno::keep();
    if let Some(key) = exit_key() {
        // SAFETY: the key exists; the value is only handed back to `on_thread_exit`.
        unsafe { libc::pthread_setspecific(key, table) };
    }
}

/// The key whose destructor runs at thread exit, made on first use: 0 is "not yet", otherwise the key plus one.
static EXIT_KEY: AtomicU32 = AtomicU32::new(0);

fn exit_key() -> Option<libc::pthread_key_t> {
    let known = EXIT_KEY.load(Ordering::Acquire);
    if known != 0 {
        return Some(known - 1);
    }
    let mut key = 0;
    // SAFETY: `key` is a place to write to, the destructor has the signature that pthreads asks for.
    if unsafe { libc::pthread_key_create(&raw mut key, Some(on_thread_exit)) } != 0 {
        return None;
    }
    match EXIT_KEY.compare_exchange(0, key + 1, Ordering::AcqRel, Ordering::Acquire) {
        Ok(_) => Some(key),
        Err(winner) => {
            // SAFETY: the key was made above and has never been used.
            unsafe { libc::pthread_key_delete(key) };
            Some(winner - 1)
        }
    }
}

extern "C" fn on_thread_exit(table: *mut c_void) {
    super::super::thread::detach(table.cast());
}

/// The files that are loaded in the process.
pub(in crate::recorder) fn modules() -> Vec<Module> {
    let mut modules = Vec::<Module>::new();
    // SAFETY: the callback gets `modules` back, which lives until the call returns.
    unsafe { libc::dl_iterate_phdr(Some(add_module), (&raw mut modules).cast()) };
    modules
}

/// # Safety
/// Called by `dl_iterate_phdr` with a valid `info`, and with the `Vec<Module>` of [`modules`] as `data`.
unsafe extern "C" fn add_module(info: *mut libc::dl_phdr_info, _size: usize, data: *mut c_void) -> c_int {
    // SAFETY: `data` is the vector of `modules`, which nobody else uses during the call.
    let modules = unsafe { &mut *data.cast::<Vec<Module>>() };
    // SAFETY: the loader hands over a valid entry.
    let info = unsafe { &*info };
    let path = if modules.is_empty() {
        // The first entry is the executable; its name is empty.
        std::env::current_exe().unwrap_or_default()
    } else {
        // SAFETY: the loader's names are C strings that live as long as the library.
        let name = unsafe { CStr::from_ptr(info.dlpi_name) };
        PathBuf::from(OsStr::from_bytes(name.to_bytes()))
    };
    // SAFETY: the loader's array has this many headers.
    let headers = unsafe { std::slice::from_raw_parts(info.dlpi_phdr, usize::from(info.dlpi_phnum)) };
    let bias = info.dlpi_addr;
    let loaded = headers.iter().filter(|header| header.p_type == libc::PT_LOAD);
    let ranges = loaded.map(|header| bias + header.p_vaddr..bias + header.p_vaddr + header.p_memsz).collect();
    // SAFETY: the headers are those of a loaded file at this bias.
    let build_id = unsafe { build_id(headers, bias) };
    modules.push(Module { path, bias, ranges, build_id });
    0
}

/// The GNU build id of a loaded file, from its notes; empty if it has none.
///
/// # Safety
/// The headers are those of a file that is loaded at this bias and stays loaded during the call.
unsafe fn build_id(headers: &[libc::Elf64_Phdr], bias: u64) -> Vec<u8> {
    let notes = headers.iter().filter(|header| header.p_type == libc::PT_NOTE);
    let is_loaded = |note: &&libc::Elf64_Phdr| {
        headers.iter().filter(|header| header.p_type == libc::PT_LOAD).any(|load| {
            let end = load.p_vaddr.saturating_add(load.p_filesz);
            load.p_flags & libc::PF_R != 0
                && load.p_vaddr <= note.p_vaddr
                && note.p_vaddr.saturating_add(note.p_filesz) <= end
        })
    };
    for note in notes.filter(is_loaded) {
        let start = ptr::with_exposed_provenance::<u8>((bias + note.p_vaddr) as usize);
        // SAFETY: the bytes lie in a readable part of the file that is in memory, which nobody writes to.
        let bytes = unsafe { std::slice::from_raw_parts(start, note.p_filesz as usize) };
        if let Some(id) = gnu_build_id(bytes, note.p_align.clamp(4, 8) as usize) {
            return id.to_owned();
        }
    }
    Vec::new()
}

/// The build id among the notes of a segment. A note is three words (the sizes of its name and its description, its
/// type), then both, each padded to the alignment.
fn gnu_build_id(mut notes: &[u8], alignment: usize) -> Option<&[u8]> {
    const HEADER_BYTES: usize = 12;
    const BUILD_ID: u32 = 3;
    loop {
        let word = |at: usize| Some(u32::from_ne_bytes(*notes.get(at..)?.first_chunk()?));
        let (name_bytes, bytes, kind) = (word(0)? as usize, word(4)? as usize, word(8)?);
        let start = (HEADER_BYTES + name_bytes).next_multiple_of(alignment);
        let description = notes.get(start..start.checked_add(bytes)?)?;
        if kind == BUILD_ID && notes.get(HEADER_BYTES..HEADER_BYTES + name_bytes)? == b"GNU\0" {
            return Some(description);
        }
        notes = notes.get((start + bytes).next_multiple_of(alignment)..)?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn note(name: &[u8], kind: u32, description: &[u8]) -> Vec<u8> {
        let mut note = Vec::new();
        for word in [name.len() as u32, description.len() as u32, kind] {
            note.extend_from_slice(&word.to_ne_bytes());
        }
        for part in [name, description] {
            note.extend_from_slice(part);
            note.resize(note.len().next_multiple_of(4), 0);
        }
        note
    }

    #[test]
    fn the_build_id_is_found_among_other_notes() {
        let notes =
            [note(b"stapsdt\0", 3, b"not this"), note(b"GNU\0", 1, &[0; 16]), note(b"GNU\0", 3, b"12345")];
        assert_eq!(gnu_build_id(&notes.concat(), 4), Some(&b"12345"[..]));
        assert_eq!(gnu_build_id(&notes[..2].concat(), 4), None);
    }

    #[test]
    fn notes_that_claim_more_than_there_is_are_none() {
        let whole = note(b"GNU\0", 3, b"12345678");
        for length in 0..whole.len() {
            assert_eq!(gnu_build_id(&whole[..length], 4), None);
        }
        assert_eq!(gnu_build_id(&[0xff; 64], 8), None);
    }

    #[test]
    fn the_program_has_the_build_id_that_its_file_says() {
        let program = modules().swap_remove(0);
        let file = std::fs::read(&program.path).unwrap();
        let is_there = |id: &[u8]| file.windows(id.len()).any(|bytes| bytes == id);
        assert!(program.build_id.len() >= 8 && is_there(&program.build_id), "{:?}", program.build_id);
    }
}
