//! A snapshot as a file, that any machine can read.
//!
//! # Format, version 2
//! Numbers are varints, unless something else is said: seven bits a byte, the lowest first, the top bit of a byte set if
//! another one follows. A list is the number of its items, then the items. Texts and byte strings are lists of bytes.
//!
//! | part | what stands there |
//! | --- | --- |
//! | magic | the 8 bytes `alloclab` |
//! | version | 4 bytes, little endian |
//! | flags | one byte: 1 stacks by frame pointers, 2 torn, 4 stacks by the unwinder |
//! | build | version of alloclab, rustc, target, optimization level: four texts; missing flags: a list of texts |
//! | figures | threads, recorder bytes, overflowed, untracked, events lost; the peak's bytes, blocks, error, and requests plus one or 0 |
//! | loaded files | a list: path; bias; a list of ranges, each by its start and its length; build id |
//! | labels | a list of texts |
//! | addresses | a list: every return address of the snapshot, ascending, as its distance from the one before |
//! | sites | a list, see below |
//! | totals | counts, see below |
//! | events | a list: a byte for the kind, site, former site, bytes, former bytes |
//! | checksum | FNV-1a of all bytes before it, 8 bytes, little endian |
//!
//! A site is one byte (kind 0 to 2, plus 4 if the stack went on), its label plus one or 0, its stack, its counts, and its
//! size classes: a list of a byte and a count. Stacks have their outer frames in common: a stack is the number of outermost
//! frames that it shares with the site before it, at most 64, and a list of the other frames, each by its position
//! in the list of addresses, innermost first. Counts are the fields of [`Counts`] in their order. No figure, and no sum of
//! one over all sites, is above 2^62, and no size class above 63.

mod reader;
mod writer;

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use super::{Counts, Snapshot};
use crate::error::{Error, ErrorKind, Result};
use crate::whole;

const MAGIC: &[u8; 8] = b"alloclab";
const VERSION: u32 = 2;

/// The magic and the version.
const HEADER_BYTES: usize = MAGIC.len() + size_of::<u32>();

/// Frames that a stack can share with the one before: so that bytes of a file stand for a bounded number of frames.
const MAX_SHARED: usize = 64;

const FRAME_POINTERS: u8 = 1;
const TORN: u8 = 2;
const UNWINDER: u8 = 4;

/// Stands beside a site's kind.
const TRUNCATED: u8 = 4;

impl Snapshot {
    /// Writes the snapshot to a file, whole or not at all: it is written beside the file and renamed. A link stays and its
    /// target is written; a device gets the bytes.
    ///
    /// # Errors
    /// If the file cannot be written there; the message has its path.
    ///
    /// # Examples
    /// ```
    /// use alloclab::snapshot::Snapshot;
    ///
    /// let place = std::env::temp_dir().join("alloclab-example.alloclab");
    /// let snapshot = Snapshot { threads: 3, ..Snapshot::default() };
    /// snapshot.write(&place).unwrap();
    /// assert_eq!(Snapshot::read(&place).unwrap(), snapshot);
    /// # std::fs::remove_file(place).unwrap();
    /// ```
    pub fn write(&self, path: impl AsRef<Path>) -> io::Result<()> {
        let path = path.as_ref();
        let written = whole::write(path, |unfinished| fs::write(unfinished, self.to_bytes()));
        written.map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", path.display())))
    }

    /// Reads a snapshot that [`Snapshot::write`] wrote, on this machine or another.
    ///
    /// # Errors
    /// If the file cannot be read, is no snapshot, is one of another version, or is damaged. The error says where in the
    /// file, and what to do.
    ///
    /// # Examples
    /// ```
    /// use alloclab::snapshot::Snapshot;
    /// let error = Snapshot::read("Cargo.toml").unwrap_err();
    /// assert_eq!(error.to_string(), "Cargo.toml, offset 0: the file is no snapshot of alloclab");
    /// ```
    pub fn read(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let bytes = read_file(path).map_err(|source| {
            Error::new(ErrorKind::Io, format!("the snapshot cannot be read: {source}"))
                .at(path.display().to_string())
                .with_source(source)
        })?;
        reader::read(&bytes).map_err(|flaw| flaw.into_error(Some(path)))
    }

    /// The bytes of the file.
    ///
    /// # Examples
    /// ```
    /// use alloclab::snapshot::Snapshot;
    /// let bytes = Snapshot::default().to_bytes();
    /// assert_eq!(Snapshot::from_bytes(&bytes).unwrap(), Snapshot::default());
    /// ```
    pub fn to_bytes(&self) -> Vec<u8> {
        writer::write(self)
    }

    /// Reads the bytes of a file.
    ///
    /// # Errors
    /// As for [`Snapshot::read`].
    ///
    /// # Examples
    /// ```
    /// use alloclab::snapshot::Snapshot;
    /// let error = Snapshot::from_bytes(b"alloclab").unwrap_err();
    /// assert_eq!(error.to_string(), "offset 8: the file ends where the version of its format is expected");
    /// ```
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        reader::read(bytes).map_err(|flaw| flaw.into_error(None))
    }
}

/// Whether a file begins as snapshots do. One that cannot be read does not; nor does a pipe, from which what is looked at
/// would be gone.
///
/// # Examples
/// ```
/// assert!(!alloclab::snapshot::file::is_snapshot("Cargo.toml"));
/// ```
pub fn is_snapshot(path: impl AsRef<Path>) -> bool {
    let mut magic = [0; MAGIC.len()];
    let path = path.as_ref();
    path.is_file()
        && File::open(path).and_then(|mut file| file.read_exact(&mut magic)).is_ok()
        && magic == *MAGIC
}

/// The bytes of a file; of one that is no snapshot, only the first.
fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    let mut bytes = Vec::new();
    (&mut file).take(HEADER_BYTES as u64).read_to_end(&mut bytes)?;
    if bytes.starts_with(MAGIC) {
        file.read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

/// Every figure, in the order in which it stands in a file.
fn figures(counts: &mut Counts) -> impl Iterator<Item = &mut u64> {
    let Counts {
        allocations,
        zeroed,
        allocated_bytes,
        reallocations,
        grown,
        shrunk,
        moved,
        grown_bytes,
        shrunk_bytes,
        reallocated_new_bytes,
        deallocations,
        freed_bytes,
        freed_elsewhere,
        failed,
        live_blocks,
        live_bytes,
        peak_blocks,
        peak_bytes,
        lifetime_sum,
        lifetimes,
    } = counts;
    let calls = [allocations, zeroed, allocated_bytes, reallocations, grown, shrunk, moved];
    let sizes = [grown_bytes, shrunk_bytes, reallocated_new_bytes];
    let ends = [deallocations, freed_bytes, freed_elsewhere, failed];
    let alive = [live_blocks, live_bytes, peak_blocks, peak_bytes, lifetime_sum];
    calls.into_iter().chain(sizes).chain(ends).chain(alive).chain(lifetimes)
}
