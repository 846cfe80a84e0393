//! From tables to a snapshot, after the window has closed.

use std::collections::HashMap;

use super::event::RawEvent;
use super::label::{self, Label};
use super::record::Sums;
use super::site::{self, OUTSIDE, OVERFLOW};
use super::thread::{self, Table};
use super::{block, platform, stack, stray};
use crate::snapshot::{Build, Counts, Event, Peak, Site, SiteKind, Snapshot};

/// The snapshot of a window over one thread, which has counted anything or not.
pub(super) fn thread(table: &Table, has_counted: bool, events: (Vec<RawEvent>, u64)) -> Snapshot {
    let mut harvest = Harvest::default();
    harvest.add(table, table.epoch.get());
    let requests = Some(table.alone_peak_requests());
    let peak = Peak { bytes: table.alone_peak() as u64, requests, ..Peak::default() };
    harvest.finish(events, peak, u32::from(has_counted))
}

/// The tables of a window over the process, read and not yet made a snapshot of.
pub(super) struct ProcessTables {
    harvest: Harvest,
    peak: Peak,
    threads: u32,
}

impl ProcessTables {
    /// Nothing read yet, and room for as many records as there are, and some more: while others wait, nothing may be
    /// allocated.
    pub(super) fn with_room() -> Self {
        let records = Vec::with_capacity(site::count() + site::count() / 4 + 1000);
        let harvest = Harvest { records, ..Harvest::default() };
        Self { harvest, peak: Peak::default(), threads: 0 }
    }

    /// Whether there is room for every record that there is by now.
    pub(super) fn has_room(&self) -> bool {
        self.harvest.records.capacity() >= site::count()
    }

    /// Reads the tables, which nobody writes to meanwhile; `torn` if a thread could not be waited for.
    pub(super) fn read(mut self, torn: bool) -> Self {
        let only = thread::all().find(|table| table.records_end.get() > 0);
        self.threads = thread::joined();
        self.harvest.torn = torn;
        let alone = self.threads <= 1;
        let (shared_peak, shared_epoch) = thread::shared_peak();
        for table in thread::all() {
            self.harvest.add(table, if alone { table.epoch.get() } else { shared_epoch });
        }
        self.harvest.strays.add(&stray::tableless_counts());
        let (bytes, error_bytes, requests) = match only {
            Some(only) if alone => (only.alone_peak(), 0, Some(only.alone_peak_requests())),
            _ => {
                let error_bytes = i64::from(self.threads) * thread::fold_bound();
                (shared_peak.max(self.harvest.live_bytes), error_bytes, None)
            }
        };
        let (bytes, error_bytes) = (bytes.max(0) as u64, error_bytes as u64);
        self.peak = Peak { bytes, blocks: 0, error_bytes, requests };
        self
    }

    /// The snapshot. The sites that the tables name are still there: the caller holds the gate.
    pub(super) fn finish(self, events: (Vec<RawEvent>, u64)) -> Snapshot {
        self.harvest.finish(events, self.peak, self.threads)
    }
}

/// Tables, being added up.
#[derive(Default)]
struct Harvest {
    /// By record number.
    records: Vec<Sums>,
    /// Allocations and reallocations, by the tables' clocks.
    requests: u64,
    /// Live bytes, by the tables' totals.
    live_bytes: i64,
    untracked: u64,
    /// Memory of the tables.
    table_bytes: u64,
    /// Calls that no table took.
    strays: Counts,
    torn: bool,
}

impl Harvest {
    fn record(&mut self, record: u32) -> &mut Sums {
        let needed = record as usize + 1;
        if self.records.len() < needed {
            self.records.resize_with(needed, Sums::default);
        }
        &mut self.records[record as usize]
    }

    fn add(&mut self, table: &Table, epoch: u64) {
        self.requests += table.clock.get() - table.opened_at.get();
        self.live_bytes += table.live_bytes.get();
        self.untracked += table.untracked.get();
        self.table_bytes += table.resident_bytes();
        self.strays.add(&table.strays.counts());
        for (number, record) in std::iter::zip(0.., table.records()) {
            if !record.is_idle() {
                record.add_to(self.record(number), epoch);
            }
        }
    }

    /// Joins records of one stack and label, and checks the sums.
    fn finish(mut self, events: (Vec<RawEvent>, u64), mut peak: Peak, threads: u32) -> Snapshot {
        if let Some(outside) = self.records.get_mut(OUTSIDE as usize) {
            // Blocks from before the window are not counted as they come, only as they go.
            (outside.live_blocks, outside.live_bytes, outside.peak_blocks, outside.peak_bytes) = (0, 0, 0, 0);
        }
        let live: i64 = self.records.iter().map(|sums| sums.live_bytes).sum();
        let strays = std::mem::take(&mut self.strays);
        self.record(OVERFLOW).counts.add(&strays);
        let mut sites = Sites::default();
        for (number, sums) in std::iter::zip(0.., std::mem::take(&mut self.records)) {
            sites.add(number, sums);
        }
        let (sites, positions, labels) = sites.finish();
        let mut totals = Counts::default();
        sites.iter().for_each(|site| totals.add(&site.counts));
        peak.blocks = totals.peak_blocks;
        totals.peak_bytes = peak.bytes;
        if !self.torn {
            assert_eq!(
                totals.requests(),
                self.requests + strays.requests(),
                "sites and clocks of the recorder differ"
            );
            assert_eq!(live, self.live_bytes, "live bytes of the recorder's sites and threads differ");
        }
        let overflowed = sites.iter().filter(|site| site.kind == SiteKind::Overflow);
        Snapshot {
            overflowed: overflowed.map(|site| site.counts.requests()).sum(),
            sites,
            totals,
            peak,
            threads,
            stacks: stack::reading(),
            recorder_bytes: self.table_bytes
                + block::resident_bytes()
                + site::resident_bytes()
                + label::resident_bytes(),
            untracked: self.untracked,
            torn: self.torn,
            build: Build::of_this_program(),
            events: events.0.iter().map(|event| finish_event(event, &positions)).collect(),
            events_lost: events.1,
            modules: platform::modules(),
            labels,
        }
    }
}

/// Records of the same stack and label, joined.
#[derive(Default)]
struct Sites {
    sites: Vec<(Site, Sums)>,
    /// The position of each stack, whether it went on, and its label.
    stacks: HashMap<(&'static [u64], bool, Option<Label>), u32>,
    /// The labels of sites, in the order of first sight.
    labels: Vec<Label>,
    label_indices: HashMap<Label, u32>,
    /// The position of each record.
    positions: HashMap<u32, u32>,
}

impl Sites {
    fn add(&mut self, record: u32, sums: Sums) {
        if sums.is_idle() {
            return;
        }
        let requests = sums.counts.requests();
        let Some(entry) = site::entry(record) else {
            let kind = if record == OUTSIDE { SiteKind::Outside } else { SiteKind::Overflow };
            self.positions.insert(record, self.sites.len() as u32);
            self.sites.push((Site { kind, ..Site::default() }, sums));
            return;
        };
        let label = entry.label.map(|label| self.label_index(label));
        let place = (entry.frames, entry.truncated, entry.label);
        let position = *self.stacks.entry(place).or_insert_with(|| {
            let frames = entry.frames.to_vec();
            let site = Site { frames, truncated: entry.truncated, label, ..Site::default() };
            self.sites.push((site, Sums::default()));
            self.sites.len() as u32 - 1
        });
        self.positions.insert(record, position);
        let (site, total) = &mut self.sites[position as usize];
        total.add(&sums);
        if requests > 0 {
            site.size_classes.push((entry.class, requests));
        }
    }

    fn label_index(&mut self, label: Label) -> u32 {
        *self.label_indices.entry(label).or_insert_with(|| {
            self.labels.push(label);
            self.labels.len() as u32 - 1
        })
    }

    /// The sites, the position of each record, and the labels' names.
    fn finish(self) -> (Vec<Site>, HashMap<u32, u32>, Vec<String>) {
        let sites = self.sites.into_iter().map(|(mut site, sums)| {
            site.counts = sums.finish();
            site.size_classes.sort_unstable();
            site
        });
        // They come from outside of the program, maybe, and go to terminals.
        let shown = |label: &Label| label.name().replace(char::is_control, "\u{fffd}");
        let labels = self.labels.iter().map(shown).collect();
        (sites.collect(), self.positions, labels)
    }
}

fn finish_event(event: &RawEvent, positions: &HashMap<u32, u32>) -> Event {
    // Every record that an event names has figures, and so a site.
    let position = |record| positions[&record];
    Event {
        kind: event.kind,
        site: position(event.record),
        former_site: position(event.former_record),
        bytes: event.bytes,
        former_bytes: event.former_bytes,
    }
}
