//! A case's tables: types, sites, events, classes.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

use super::measure::Measured;
use super::modelled::Objects;
use crate::attribute::{Attribution, Attributor, Names, SiteTypes, Stack};
use crate::plan::InlineObject;
use crate::results::{
    BlockType, Frame, FrameTable, HeapEvent, HeapEventKind, LifetimeClass, SiteRow, SizeClass, TypeKind,
    TypeRow,
};
use crate::snapshot::{Counts, EventKind, LIFETIME_CLASSES, Site, Snapshot};

/// Events of an operation that a results file holds at most: enough for every single value.
const EVENTS_IN_FILE: usize = 2000;

/// The tables of a case.
pub(super) struct Tables {
    pub(super) types: Vec<TypeRow>,
    pub(super) sites: Vec<SiteRow>,
    pub(super) heap_events: Vec<HeapEvent>,
    pub(super) heap_events_complete: bool,
}

/// What one row of the type table stands for: an owner, for the program or for the harness.
type Key<'n> = (&'n str, bool);

/// Builds the tables of one case.
pub(super) struct Tabulator<'a, 'n> {
    pub(super) measured: &'a Measured,
    pub(super) counted: &'a Attribution,
    pub(super) traced: &'a Attribution,
    pub(super) names: &'n Names,
    pub(super) objects: &'a Objects<'a>,
}

impl<'n> Tabulator<'_, 'n> {
    /// All tables; the functions on stacks go to `frames`.
    pub(super) fn tables(&self, attributor: &mut Attributor, frames: &mut FrameTable) -> Tables {
        let (mut types, positions) = self.types();
        let sites = self.sites(&positions, attributor, frames);
        for (index, site) in std::iter::zip(0.., &sites) {
            types[site.type_index as usize].sites.push(index);
        }
        let heap_events = self.heap_events(&positions);
        let trace = &self.measured.traced;
        let heap_events_complete = trace.events_lost == 0 && trace.events.len() == heap_events.len();
        Tables { types, sites, heap_events, heap_events_complete }
    }

    fn key(&self, site: &SiteTypes) -> Key<'n> {
        (self.names.path(site.owner), site.harness)
    }

    /// Rows in order, and the position of each owner.
    fn types(&self) -> (Vec<TypeRow>, HashMap<Key<'n>, u32>) {
        let mut rows = BTreeMap::<Key<'n>, TypeRow>::new();
        for (site, types) in std::iter::zip(&self.measured.counted.sites, &self.counted.sites) {
            if site.counts.requests() > 0 {
                let row = rows.entry(self.key(types)).or_insert_with(|| self.empty_row(types));
                add_site(row, self.names, types, &site.counts);
            }
        }
        // An operation that differs from all counted ones may show a type that they did not.
        for types in &self.traced.sites {
            rows.entry(self.key(types)).or_insert_with(|| self.empty_row(types));
        }
        self.finish_rows(&mut rows);
        let mut rows: Vec<_> = rows.into_iter().collect();
        rows.sort_by_key(|(key, row)| (Reverse(row.bytes), Reverse(row.allocations), *key));
        let positions = std::iter::zip(rows.iter().map(|(key, _)| *key), 0..).collect();
        let repeats = u64::from(self.measured.traced_repeats);
        let inline = self.measured.inline_objects.iter().map(|object| inline_row(object, repeats));
        (rows.into_iter().map(|(_, row)| row).chain(inline).collect(), positions)
    }

    fn empty_row(&self, types: &SiteTypes) -> TypeRow {
        let name = self.names.get(types.owner);
        let dotnet = self.objects.get(&name.path).map(|object| object.name.to_owned());
        let kind = if types.untyped {
            TypeKind::Untyped
        } else if types.harness {
            TypeKind::Harness
        } else if dotnet.is_none() && !self.objects.is_empty() {
            TypeKind::RustOnly
        } else {
            TypeKind::Type
        };
        let (name, path) = (name.short.clone(), name.path.clone());
        TypeRow { name, path, dotnet, kind, merged: types.merged, ..TypeRow::default() }
    }

    /// Fills in what follows from the sums.
    fn finish_rows(&self, rows: &mut BTreeMap<Key<'n>, TypeRow>) {
        let total = self.measured.counted.totals.requested_bytes();
        let modelled = self.modelled();
        for (key, row) in rows {
            row.allocations_per_op = self.per_op(row.allocations);
            row.reallocations_per_op = self.per_op(row.reallocations);
            row.bytes_per_op = self.per_op(row.bytes);
            row.percent = percent(row.bytes, total);
            let repeats = u64::from(self.measured.traced_repeats);
            row.modelled_dotnet_bytes_per_op = modelled.get(key).map(|bytes| (bytes * repeats) as f64);
            row.block_types.sort_by(|a, b| (Reverse(a.bytes), &a.name).cmp(&(Reverse(b.bytes), &b.name)));
            if matches!(&row.block_types[..], [only] if only.name == row.name) {
                row.block_types.clear();
            }
        }
    }

    /// What the traced operation's blocks take in .NET, by the row that they belong to. A block's exact size is known event by
    /// event, so that arrays and strings of any length come out right; an operation with more events than are kept has none.
    fn modelled(&self) -> HashMap<Key<'n>, u64> {
        let mut bytes = HashMap::new();
        if self.measured.traced.events_lost > 0 {
            return bytes;
        }
        let requests = self.measured.traced.events.iter().filter(|event| event.kind != EventKind::Free);
        for event in requests {
            let types = &self.traced.sites[event.site as usize];
            if let Some(object) = self.objects.get(self.names.path(types.owner)) {
                *bytes.entry(self.key(types)).or_default() += object.dotnet_bytes(event.bytes);
            }
        }
        bytes
    }

    fn per_op(&self, count: u64) -> f64 {
        per_op(count, self.measured.operations)
    }

    fn sites(
        &self,
        positions: &HashMap<Key<'n>, u32>,
        attributor: &mut Attributor,
        frames: &mut FrameTable,
    ) -> Vec<SiteRow> {
        let requesting = std::iter::zip(&self.measured.counted.sites, &self.counted.sites)
            .filter(|(site, _)| site.counts.requests() > 0);
        let mut rows: Vec<_> = requesting
            .map(|(site, types)| (self.site(site, types, positions), attributor.stack(site)))
            .collect();
        rows.sort_by(|(a, a_stack), (b, b_stack)| {
            let order = |row: &SiteRow| (Reverse(row.bytes), Reverse(row.allocations), row.type_index);
            let by_stack = || functions(a_stack).cmp(functions(b_stack));
            order(a).cmp(&order(b)).then_with(by_stack).then_with(|| a.label.cmp(&b.label))
        });
        let named = rows.into_iter().map(|(mut row, stack)| {
            row.own_frame = stack.own_frame.map(|index| index as u32);
            let readable = stack.frames.into_iter().map(|frame| Frame {
                function: frame.function.to_string(),
                location: frame.location.map(|location| location.to_string()),
            });
            row.frames = readable.map(|frame| frames.index_of(frame)).collect();
            row
        });
        named.collect()
    }

    fn site(&self, site: &Site, types: &SiteTypes, positions: &HashMap<Key<'n>, u32>) -> SiteRow {
        let counts = &site.counts;
        let ended: u64 = counts.lifetimes.iter().sum();
        SiteRow {
            type_index: positions[&self.key(types)],
            block_type: self.names.short(types.block).to_owned(),
            label: site.label.map(|index| self.measured.counted.labels[index as usize].clone()),
            truncated: site.truncated,
            allocations: counts.allocations,
            reallocations: counts.reallocations,
            bytes: counts.requested_bytes(),
            allocations_per_op: self.per_op(counts.allocations),
            bytes_per_op: self.per_op(counts.requested_bytes()),
            percent: percent(counts.requested_bytes(), self.measured.counted.totals.requested_bytes()),
            peak_bytes: counts.peak_bytes,
            peak_blocks: counts.peak_blocks,
            live_bytes: counts.live_bytes,
            live_blocks: counts.live_blocks,
            lifetime_sum: counts.lifetime_sum,
            mean_lifetime: if ended == 0 { 0.0 } else { counts.lifetime_sum as f64 / ended as f64 },
            ..SiteRow::default()
        }
    }

    fn heap_events(&self, positions: &HashMap<Key<'n>, u32>) -> Vec<HeapEvent> {
        let position = |site: u32| positions[&self.key(&self.traced.sites[site as usize])];
        let kept = self.measured.traced.events.iter().take(EVENTS_IN_FILE);
        let events = kept.map(|event| HeapEvent {
            type_index: position(event.site),
            former_type_index: if event.kind == EventKind::Reallocate {
                position(event.former_site)
            } else {
                0
            },
            kind: match event.kind {
                EventKind::Allocate => HeapEventKind::Allocate,
                EventKind::Reallocate => HeapEventKind::Reallocate,
                EventKind::Free => HeapEventKind::Free,
            },
            bytes: event.bytes,
            former_bytes: event.former_bytes,
        });
        events.collect()
    }
}

fn functions(stack: &Stack) -> impl Iterator<Item = &str> {
    stack.frames.iter().map(|frame| &*frame.function)
}

fn add_site(row: &mut TypeRow, names: &Names, types: &SiteTypes, counts: &Counts) {
    row.allocations += counts.allocations;
    row.reallocations += counts.reallocations;
    row.bytes += counts.requested_bytes();
    let name = names.short(types.block);
    let known = row.block_types.iter().position(|block| block.name == name);
    let index = known.unwrap_or_else(|| {
        row.block_types.push(BlockType { name: name.to_owned(), ..BlockType::default() });
        row.block_types.len() - 1
    });
    let block = &mut row.block_types[index];
    block.allocations += counts.allocations;
    block.reallocations += counts.reallocations;
    block.bytes += counts.requested_bytes();
}

fn inline_row(object: &InlineObject, repeats: u64) -> TypeRow {
    TypeRow {
        name: object.name.to_owned(),
        path: object.name.to_owned(),
        dotnet: Some(object.name.to_owned()),
        kind: TypeKind::Inline,
        modelled_dotnet_bytes_per_op: Some((repeats * object.count * object.dotnet_bytes) as f64),
        ..TypeRow::default()
    }
}

/// A share of a window's figure, for one operation.
pub(super) fn per_op(count: u64, operations: u64) -> f64 {
    count as f64 / operations as f64
}

fn percent(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { 100.0 * part as f64 / whole as f64 }
}

/// Requests by size, over all sites.
pub(super) fn size_classes(snapshot: &Snapshot) -> Vec<SizeClass> {
    let mut classes = BTreeMap::<u8, u64>::new();
    for (class, requests) in snapshot.sites.iter().flat_map(|site| &site.size_classes) {
        *classes.entry(*class).or_default() += requests;
    }
    let row = |(class, requests)| {
        let from_bytes = 1_u64 << class;
        SizeClass { from_bytes, to_bytes: from_bytes + (from_bytes - 1), requests }
    };
    classes.into_iter().map(row).collect()
}

/// Blocks by lifetime, over all sites.
pub(super) fn lifetimes(snapshot: &Snapshot) -> Vec<LifetimeClass> {
    let classes = std::iter::zip(0_u32.., snapshot.totals.lifetimes).filter(|(_, blocks)| *blocks > 0);
    let row = |(class, blocks)| LifetimeClass {
        from_allocations: if class == 0 { 0 } else { 1_u64 << (2 * class) },
        to_allocations: (class as usize + 1 < LIFETIME_CLASSES).then(|| (1_u64 << (2 * (class + 1))) - 1),
        blocks,
    };
    classes.map(row).collect()
}
