//! Who allocated, by type and place in the program.

use std::cmp::Reverse;
use std::fmt::Write;

use crate::attribute::{SiteSummary, Summary, TypeSummary};
use crate::flags;
use crate::snapshot::{Counts, Snapshot};

/// Types that are shown; a message is read in a terminal.
const MOST_TYPES: usize = 10;

/// Places that are shown of each type.
const MOST_SITES: usize = 5;

pub(super) fn push_allocated(text: &mut String, snapshot: &Snapshot, most_bytes_first: bool) {
    push_table(text, snapshot, most_bytes_first, &ALLOCATED);
}

pub(super) fn push_left_alive(text: &mut String, snapshot: &Snapshot) {
    push_table(text, &left_alive(snapshot), true, &LEFT_ALIVE);
}

pub(super) fn push_advice(text: &mut String, _snapshot: &Snapshot) {
    for flag in flags::missing() {
        let _ = writeln!(text, "built without `{}`: {}", flag.text, flag.lost);
    }
    if let Some(remedy) = flags::remedy() {
        let _ = writeln!(text, "{remedy}");
    }
}

/// The blocks that are alive, as if nothing else had been allocated.
fn left_alive(snapshot: &Snapshot) -> Snapshot {
    let mut alive = snapshot.clone();
    alive.sites.retain(|site| site.counts.live_blocks > 0);
    for site in &mut alive.sites {
        let Counts { live_blocks, live_bytes, .. } = site.counts;
        site.counts = Counts { allocations: live_blocks, allocated_bytes: live_bytes, ..Counts::default() };
    }
    alive
}

/// Allocations, reallocations, bytes.
type Figures = [u64; 3];

struct Columns {
    head: &'static str,
    cells: fn(Figures) -> String,
}

const ALLOCATED: Columns = Columns {
    head: " allocations  reallocations          bytes  type, and who allocated it",
    cells: |[allocations, reallocations, bytes]| format!("{allocations:>12} {reallocations:>14} {bytes:>14}"),
};

const LEFT_ALIVE: Columns = Columns {
    head: "      blocks          bytes  type, and who allocated it",
    cells: |[blocks, _, bytes]| format!("{blocks:>12} {bytes:>14}"),
};

fn push_table(text: &mut String, snapshot: &Snapshot, most_bytes_first: bool, columns: &Columns) {
    let summary = match Summary::of(snapshot) {
        Ok(summary) => sorted(summary, most_bytes_first),
        Err(error) => {
            let _ = writeln!(text, "types and places cannot be told: {error}");
            return;
        }
    };
    let _ = writeln!(text, "{}", columns.head);
    for ty in summary.types.iter().take(MOST_TYPES) {
        let _ = writeln!(text, "{}  {}", (columns.cells)(type_figures(ty)), ty.name);
        for site in ty.sites.iter().take(MOST_SITES) {
            let location = site.location.as_deref().unwrap_or("");
            let _ =
                writeln!(text, "{}      {}  {location}", (columns.cells)(site_figures(site)), site.function);
        }
        push_rest(text, ty.sites.len(), MOST_SITES, "places");
    }
    push_rest(text, summary.types.len(), MOST_TYPES, "types");
}

fn push_rest(text: &mut String, all: usize, shown: usize, what: &str) {
    if all > shown {
        let _ = writeln!(text, "    … and {} more {what}", all - shown);
    }
}

/// A summary has most bytes first.
fn sorted(mut summary: Summary, most_bytes_first: bool) -> Summary {
    if !most_bytes_first {
        let requests = |[allocations, reallocations, _]: Figures| Reverse(allocations + reallocations);
        summary.types.sort_by_key(|ty| requests(type_figures(ty)));
        summary.types.iter_mut().for_each(|ty| ty.sites.sort_by_key(|site| requests(site_figures(site))));
    }
    summary
}

fn type_figures(ty: &TypeSummary) -> Figures {
    [ty.allocations, ty.reallocations, ty.bytes]
}

fn site_figures(site: &SiteSummary) -> Figures {
    [site.allocations, site.reallocations, site.bytes]
}
