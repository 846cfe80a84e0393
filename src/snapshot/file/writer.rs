//! From a snapshot to bytes.

use std::iter;
use std::path::Path;

use super::{FRAME_POINTERS, MAGIC, MAX_SHARED, TORN, TRUNCATED, UNWINDER, VERSION, figures};
use crate::fnv;
use crate::snapshot::{Build, Counts, Event, EventKind, Module, Peak, Site, SiteKind, Snapshot, Stacks};

/// The bytes of a snapshot's file.
pub(super) fn write(snapshot: &Snapshot) -> Vec<u8> {
    let Snapshot {
        sites,
        totals,
        peak: Peak { bytes, blocks, error_bytes, requests },
        threads,
        stacks,
        recorder_bytes,
        overflowed,
        untracked,
        torn,
        events,
        events_lost,
        modules,
        labels,
        build,
    } = snapshot;
    let mut writer = Writer(Vec::new());
    writer.0.extend_from_slice(MAGIC);
    writer.0.extend_from_slice(&VERSION.to_le_bytes());
    let stacks = match stacks {
        Stacks::None => 0,
        Stacks::FramePointers => FRAME_POINTERS,
        Stacks::Unwinder => UNWINDER,
    };
    writer.0.push(stacks | if *torn { TORN } else { 0 });
    writer.build(build);
    let figures = [u64::from(*threads), *recorder_bytes, *overflowed, *untracked, *events_lost];
    let peak = [*bytes, *blocks, *error_bytes, requests.map_or(0, |requests| requests + 1)];
    figures.into_iter().chain(peak).for_each(|figure| writer.number(figure));
    writer.list(modules, Writer::module);
    writer.list(labels, |writer, label| writer.bytes(label.as_bytes()));
    writer.sites(sites);
    writer.counts(totals);
    writer.list(events, Writer::event);
    let checksum = fnv::hash(&writer.0);
    writer.0.extend_from_slice(&checksum.to_le_bytes());
    writer.0
}

/// What has been written so far.
struct Writer(Vec<u8>);

impl Writer {
    fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.0.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.0.push(number as u8);
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
    }

    fn list<T>(&mut self, items: &[T], write: impl Fn(&mut Self, &T)) {
        self.number(items.len() as u64);
        items.iter().for_each(|item| write(self, item));
    }

    fn build(&mut self, build: &Build) {
        let Build { alloclab, rustc, target, opt_level, missing_flags } = build;
        for text in [alloclab, rustc, target, opt_level] {
            self.bytes(text.as_bytes());
        }
        self.list(missing_flags, |writer, flag| writer.bytes(flag.as_bytes()));
    }

    fn module(&mut self, module: &Module) {
        self.bytes(&path_bytes(&module.path));
        self.number(module.bias);
        self.list(&module.ranges, |writer, range| {
            writer.number(range.start);
            writer.number(range.end.wrapping_sub(range.start));
        });
        self.bytes(&module.build_id);
    }

    fn sites(&mut self, sites: &[Site]) {
        let mut addresses: Vec<u64> = sites.iter().flat_map(|site| &site.frames).copied().collect();
        addresses.sort_unstable();
        addresses.dedup();
        self.number(addresses.len() as u64);
        let before = iter::once(0).chain(addresses.iter().copied());
        iter::zip(&addresses, before).for_each(|(address, before)| self.number(address - before));
        self.number(sites.len() as u64);
        let before = iter::once(&[][..]).chain(sites.iter().map(|site| &site.frames[..]));
        iter::zip(sites, before).for_each(|(site, before)| self.site(site, before, &addresses));
    }

    fn site(&mut self, site: &Site, before: &[u64], addresses: &[u64]) {
        let kind = match site.kind {
            SiteKind::Stack => 0,
            SiteKind::Overflow => 1,
            SiteKind::Outside => 2,
        };
        self.0.push(kind | if site.truncated { TRUNCATED } else { 0 });
        self.number(site.label.map_or(0, |label| u64::from(label) + 1));
        let outer = iter::zip(site.frames.iter().rev(), before.iter().rev()).take(MAX_SHARED);
        let shared = outer.take_while(|(frame, before)| frame == before).count();
        self.number(shared as u64);
        self.list(&site.frames[..site.frames.len() - shared], |writer, frame| {
            writer.number(addresses.partition_point(|address| address < frame) as u64);
        });
        self.counts(&site.counts);
        self.list(&site.size_classes, |writer, (class, count)| {
            writer.0.push(*class);
            writer.number(*count);
        });
    }

    fn counts(&mut self, counts: &Counts) {
        figures(&mut counts.clone()).for_each(|figure| self.number(*figure));
    }

    fn event(&mut self, event: &Event) {
        self.0.push(match event.kind {
            EventKind::Allocate => 0,
            EventKind::Reallocate => 1,
            EventKind::Free => 2,
        });
        self.number(u64::from(event.site));
        self.number(u64::from(event.former_site));
        self.number(event.bytes);
        self.number(event.former_bytes);
    }
}

#[cfg(unix)]
fn path_bytes(path: &Path) -> std::borrow::Cow<'_, [u8]> {
    std::os::unix::ffi::OsStrExt::as_bytes(path.as_os_str()).into()
}

#[cfg(not(unix))]
fn path_bytes(path: &Path) -> std::borrow::Cow<'_, [u8]> {
    path.to_string_lossy().into_owned().into_bytes().into()
}
