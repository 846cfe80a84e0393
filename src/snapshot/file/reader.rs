//! From bytes that may be anybody's to a snapshot.

use std::path::{Path, PathBuf};

use super::{FRAME_POINTERS, HEADER_BYTES, MAGIC, MAX_SHARED, TORN, TRUNCATED, UNWINDER, VERSION, figures};
use crate::error::{Error, ErrorKind};
use crate::fnv;
use crate::snapshot::{Build, Counts, Event, EventKind, Module, Peak, Site, SiteKind, Snapshot, Stacks};

/// Why bytes are no snapshot.
#[derive(Debug)]
pub(super) struct Flaw {
    kind: ErrorKind,
    offset: usize,
    message: String,
    help: &'static str,
}

type Read<T> = Result<T, Flaw>;

impl Flaw {
    /// The library's error, for the bytes of a file or for others.
    pub(super) fn into_error(self, file: Option<&Path>) -> Error {
        let offset = format!("offset {}", self.offset);
        let place = file.map_or(offset.clone(), |file| format!("{}, {offset}", file.display()));
        Error::new(self.kind, self.message).at(place).with_help(self.help)
    }
}

/// Reads the bytes of a file.
pub(super) fn read(bytes: &[u8]) -> Read<Snapshot> {
    let mut reader = Reader { bytes, offset: 0 };
    reader.header()?;
    let flags = reader.byte("flags")?;
    let stacks = match flags & !TORN {
        0 => Stacks::None,
        FRAME_POINTERS => Stacks::FramePointers,
        UNWINDER => Stacks::Unwinder,
        _ => return Err(reader.damaged("flags")),
    };
    let build = reader.build()?;
    let threads = reader.index("the number of threads")?;
    let mut figure = || reader.figure("a figure");
    let [recorder_bytes, overflowed, untracked, events_lost] = [figure()?, figure()?, figure()?, figure()?];
    let [bytes, blocks, error_bytes] = [figure()?, figure()?, figure()?];
    let peak = Peak { bytes, blocks, error_bytes, requests: figure()?.checked_sub(1) };
    let modules = reader.list("a loaded file", MODULE_BYTES, Reader::module)?;
    let labels = reader.list("a label", 1, Reader::text)?;
    let sites = reader.sites(labels.len())?;
    let totals = reader.counts()?;
    let events = reader.list("an event", EVENT_BYTES, |reader| reader.event(sites.len()))?;
    reader.end()?;
    Ok(Snapshot {
        sites,
        totals,
        peak,
        threads,
        stacks,
        recorder_bytes,
        overflowed,
        untracked,
        torn: flags & TORN != 0,
        events,
        events_lost,
        modules,
        labels,
        build,
    })
}

/// The fewest bytes of a loaded file, a range, counts, a site and an event: what a number of them is held against.
const MODULE_BYTES: usize = 4;
const RANGE_BYTES: usize = 2;
const COUNTS_BYTES: usize = 35;
const SITE_BYTES: usize = 5 + COUNTS_BYTES;
const EVENT_BYTES: usize = 5;

/// No window comes near it, and whoever adds two figures within it, or those of all sites, gets a number of 64 bits.
const LARGEST_FIGURE: u64 = 1 << 62;

/// Size classes are the positions of a size's highest bit.
const SIZE_CLASSES: u8 = 64;

const CUT_OFF: &str = "it has been cut off: copy it once more, or let the program write it again";
const DAMAGED: &str =
    "it is not what was written: copy it once more, in binary, or let the program write it again";
const NOT_OURS: &str = "name a file that a `Recording` or `Snapshot::write` of alloclab has written";
const OTHER_VERSION: &str = "read it with the version of alloclab that the program was built with, or build and run the \
                             program with this one";

/// Bytes, and how far they have been read.
struct Reader<'a> {
    bytes: &'a [u8],
    offset: usize,
}

impl<'a> Reader<'a> {
    fn header(&mut self) -> Read<()> {
        let known = MAGIC.len().min(self.bytes.len());
        if self.bytes.is_empty() || self.bytes[..known] != MAGIC[..known] {
            let message = "the file is no snapshot of alloclab".to_owned();
            return Err(Flaw { kind: ErrorKind::Malformed, offset: 0, message, help: NOT_OURS });
        }
        self.take(MAGIC.len(), "the magic")?;
        let version = self.take(HEADER_BYTES - MAGIC.len(), "the version of its format")?;
        let version = version.iter().rev().fold(0, |version, byte| version << 8 | u32::from(*byte));
        if version == VERSION {
            return Ok(());
        }
        Err(Flaw {
            kind: ErrorKind::Version,
            offset: MAGIC.len(),
            message: format!(
                "the snapshot has version {version} of the format, and version {VERSION} is expected"
            ),
            help: OTHER_VERSION,
        })
    }

    /// What stands last: the and nothing after it.
    fn end(&mut self) -> Read<()> {
        let expected = fnv::hash(&self.bytes[..self.offset]);
        let start = self.offset;
        let found = self.take(size_of::<u64>(), "the checksum")?;
        let is_end = self.offset == self.bytes.len();
        if found == expected.to_le_bytes() && is_end {
            return Ok(());
        }
        self.offset = if is_end { start } else { self.offset };
        Err(self.damaged(if is_end { "the checksum of all bytes before it" } else { "the end of the file" }))
    }

    fn cut_off(&self, expected: &str) -> Flaw {
        Flaw {
            kind: ErrorKind::Malformed,
            offset: self.bytes.len(),
            message: format!("the file ends where {expected} is expected"),
            help: CUT_OFF,
        }
    }

    fn damaged(&self, expected: &str) -> Flaw {
        Flaw {
            kind: ErrorKind::Malformed,
            offset: self.offset,
            message: format!("the file is damaged: {expected} is expected here"),
            help: DAMAGED,
        }
    }

    fn take(&mut self, count: usize, expected: &str) -> Read<&'a [u8]> {
        let rest = &self.bytes[self.offset..];
        let taken = rest.get(..count).ok_or_else(|| self.cut_off(expected))?;
        self.offset += count;
        Ok(taken)
    }

    fn byte(&mut self, expected: &str) -> Read<u8> {
        self.take(1, expected).map(|bytes| bytes[0])
    }

    fn number(&mut self, expected: &str) -> Read<u64> {
        let start = self.offset;
        let mut number = 0;
        for shift in (0..u64::BITS).step_by(7) {
            let byte = self.byte(expected)?;
            let bits = u64::from(byte & 0x7f);
            if bits << shift >> shift != bits {
                break;
            }
            number |= bits << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        self.offset = start;
        Err(self.damaged(expected))
    }

    /// A number that may be added to another.
    fn figure(&mut self, expected: &str) -> Read<u64> {
        let start = self.offset;
        let figure = self.number(expected)?;
        if figure <= LARGEST_FIGURE { Ok(figure) } else { Err(out_of_range(start, expected)) }
    }

    /// A number of 32 bits.
    fn index(&mut self, expected: &str) -> Read<u32> {
        let start = self.offset;
        let number = self.number(expected)?;
        u32::try_from(number).map_err(|_| Reader { offset: start, ..*self }.damaged(expected))
    }

    /// The position of something in a list of so many.
    fn position(&mut self, count: usize, expected: &str) -> Read<u32> {
        let start = self.offset;
        let position = self.index(expected)?;
        if (position as usize) < count {
            return Ok(position);
        }
        self.offset = start;
        Err(self.damaged(expected))
    }

    /// The number of things of so many bytes or more: no more of them than the rest of the file can hold.
    fn count(&mut self, expected: &str, least_bytes: usize) -> Read<usize> {
        let start = self.offset;
        let count = self.number(expected)?;
        let rest = self.bytes.len() - self.offset;
        if let Ok(count) = usize::try_from(count)
            && count <= rest / least_bytes
        {
            return Ok(count);
        }
        Err(Flaw {
            kind: ErrorKind::Malformed,
            offset: start,
            message: format!("{count} times {expected} is said to follow, but only {rest} bytes do"),
            help: CUT_OFF,
        })
    }

    fn list<T>(
        &mut self,
        expected: &str,
        least_bytes: usize,
        read: impl Fn(&mut Self) -> Read<T>,
    ) -> Read<Vec<T>> {
        let count = self.count(expected, least_bytes)?;
        let mut items = Vec::with_capacity(count);
        for _ in 0..count {
            items.push(read(self)?);
        }
        Ok(items)
    }

    fn byte_string(&mut self, expected: &str) -> Read<&'a [u8]> {
        let count = self.count(expected, 1)?;
        self.take(count, expected)
    }

    fn text(&mut self) -> Read<String> {
        let start = self.offset;
        let bytes = self.byte_string("text")?;
        let text = std::str::from_utf8(bytes);
        text.map(str::to_owned).map_err(|_| Reader { offset: start, ..*self }.damaged("text in UTF-8"))
    }

    fn build(&mut self) -> Read<Build> {
        Ok(Build {
            alloclab: self.text()?,
            rustc: self.text()?,
            target: self.text()?,
            opt_level: self.text()?,
            missing_flags: self.list("a flag", 1, Reader::text)?,
        })
    }

    fn module(&mut self) -> Read<Module> {
        let path = path(self.byte_string("a path")?);
        let bias = self.number("an address")?;
        let ranges = self.list("a range", RANGE_BYTES, |reader| {
            let start = reader.number("an address")?;
            Ok(start..start.wrapping_add(reader.number("a length")?))
        })?;
        let build_id = self.byte_string("a build id")?.to_owned();
        Ok(Module { path, bias, ranges, build_id })
    }

    fn sites(&mut self, labels: usize) -> Read<Vec<Site>> {
        let mut address = 0_u64;
        let mut addresses = self.list("an address", 1, |reader| reader.number("an address"))?;
        for step in &mut addresses {
            address = address.checked_add(*step).ok_or_else(|| self.damaged("an address of 64 bits"))?;
            *step = address;
        }
        let count = self.count("a site", SITE_BYTES)?;
        let mut sites = Vec::<Site>::with_capacity(count);
        let mut sums = Sums::default();
        for _ in 0..count {
            let before = sites.last().map(|site| &site.frames[..]).unwrap_or_default();
            let start = self.offset;
            let site = self.site(before, &addresses, labels)?;
            sums.add(&site)
                .ok_or_else(|| out_of_range(start, "the sum of a figure over the sites up to here"))?;
            sites.push(site);
        }
        Ok(sites)
    }

    fn site(&mut self, before: &[u64], addresses: &[u64], labels: usize) -> Read<Site> {
        let (kind, truncated) = self.site_kind()?;
        let label = self.position(labels + 1, "the position of a label")?.checked_sub(1);
        let shared = self.position(before.len().min(MAX_SHARED) + 1, "a number of shared frames")? as usize;
        let own = self.count("a frame", 1)?;
        let mut frames = Vec::with_capacity(own + shared);
        for _ in 0..own {
            frames.push(addresses[self.position(addresses.len(), "the position of an address")? as usize]);
        }
        frames.extend_from_slice(&before[before.len() - shared..]);
        let counts = self.counts()?;
        let size_classes = self.list("a size class", 2, |reader| {
            Ok((reader.size_class()?, reader.figure("the count of a size class")?))
        })?;
        Ok(Site { kind, frames, truncated, label, counts, size_classes })
    }

    fn size_class(&mut self) -> Read<u8> {
        let class = self.byte("a size class")?;
        if class < SIZE_CLASSES {
            return Ok(class);
        }
        self.offset -= 1;
        Err(self.damaged("a size class"))
    }

    fn site_kind(&mut self) -> Read<(SiteKind, bool)> {
        let byte = self.byte("the kind of a site")?;
        let kind = match byte & !TRUNCATED {
            0 => SiteKind::Stack,
            1 => SiteKind::Overflow,
            2 => SiteKind::Outside,
            _ => {
                self.offset -= 1;
                return Err(self.damaged("the kind of a site"));
            }
        };
        Ok((kind, byte & TRUNCATED != 0))
    }

    fn counts(&mut self) -> Read<Counts> {
        let mut counts = Counts::default();
        for figure in figures(&mut counts) {
            *figure = self.figure("a count")?;
        }
        Ok(counts)
    }

    fn event(&mut self, sites: usize) -> Read<Event> {
        let kind = match self.byte("the kind of an event")? {
            0 => EventKind::Allocate,
            1 => EventKind::Reallocate,
            2 => EventKind::Free,
            _ => {
                self.offset -= 1;
                return Err(self.damaged("the kind of an event"));
            }
        };
        let site = self.position(sites, "the position of a site")?;
        let former_site = self.position(sites, "the position of a site")?;
        let [bytes, former_bytes] = [self.figure("a size")?, self.figure("a size")?];
        Ok(Event { kind, site, former_site, bytes, former_bytes })
    }
}

fn out_of_range(offset: usize, figure: &str) -> Flaw {
    let message = format!("the file is damaged: {figure} is out of range");
    Flaw { kind: ErrorKind::Malformed, offset, message, help: DAMAGED }
}

/// Figures of the sites that have been read, added up: whoever adds up some of them stays below.
#[derive(Default)]
struct Sums {
    counts: Counts,
    /// The counts of all size classes.
    requests: u64,
}

impl Sums {
    /// None if a sum is out of range.
    fn add(&mut self, site: &Site) -> Option<()> {
        let mut counts = site.counts.clone();
        for (sum, figure) in std::iter::zip(figures(&mut self.counts), figures(&mut counts)) {
            add_figure(sum, *figure)?;
        }
        site.size_classes.iter().try_for_each(|(_, requests)| add_figure(&mut self.requests, *requests))
    }
}

fn add_figure(sum: &mut u64, figure: u64) -> Option<()> {
    *sum = sum.checked_add(figure).filter(|sum| *sum <= LARGEST_FIGURE)?;
    Some(())
}

#[cfg(unix)]
fn path(bytes: &[u8]) -> PathBuf {
    <std::ffi::OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(bytes).into()
}

#[cfg(not(unix))]
fn path(bytes: &[u8]) -> PathBuf {
    String::from_utf8_lossy(bytes).into_owned().into()
}
