//! Who allocated, by address: names need the feature `symbolize`, or the command line.

use std::cmp::Reverse;
use std::fmt::Write;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::snapshot::{Counts, Module, Site, SiteKind, Snapshot};

/// Sites that are shown; a message is read in a terminal.
const MOST_SITES: usize = 5;

/// Return addresses that are shown of each.
const MOST_FRAMES: usize = 8;

pub(super) fn push_allocated(text: &mut String, snapshot: &Snapshot, most_bytes_first: bool) {
    text.push_str(" allocations  reallocations          bytes  return addresses, innermost first\n");
    let rank = |counts: &Counts| if most_bytes_first { counts.requested_bytes() } else { counts.requests() };
    push_sites(text, snapshot, Counts::requests, rank, |counts| {
        let Counts { allocations, reallocations, .. } = counts;
        format!("{allocations:>12} {reallocations:>14} {:>14}", counts.requested_bytes())
    });
}

pub(super) fn push_left_alive(text: &mut String, snapshot: &Snapshot) {
    text.push_str("      blocks          bytes  return addresses, innermost first\n");
    push_sites(
        text,
        snapshot,
        |counts| counts.live_blocks,
        |counts| counts.live_bytes,
        |counts| format!("{:>12} {:>14}", counts.live_blocks, counts.live_bytes),
    );
}

/// The sites of which `calls` is not zero, the highest `rank` first.
fn push_sites(
    text: &mut String,
    snapshot: &Snapshot,
    calls: impl Fn(&Counts) -> u64,
    rank: impl Fn(&Counts) -> u64,
    cells: impl Fn(&Counts) -> String,
) {
    let mut sites: Vec<&Site> = snapshot.sites.iter().filter(|site| calls(&site.counts) > 0).collect();
    sites.sort_by_key(|site| Reverse(rank(&site.counts)));
    for site in sites.iter().take(MOST_SITES) {
        let _ = writeln!(text, "{} {}", cells(&site.counts), addresses(site, &snapshot.modules));
    }
    if sites.len() > MOST_SITES {
        let _ = writeln!(text, "    … and {} more sites", sites.len() - MOST_SITES);
    }
}

fn addresses(site: &Site, modules: &[Module]) -> String {
    match site.kind {
        SiteKind::Overflow => return " (no room for more stacks)".to_owned(),
        _ if site.frames.is_empty() => return " (no stack)".to_owned(),
        _ => {}
    }
    let mut text = String::new();
    for frame in site.frames.iter().take(MOST_FRAMES) {
        let _ = write!(text, " {}", address(*frame, modules));
    }
    if site.frames.len() > MOST_FRAMES {
        text.push_str(" …");
    }
    text
}

/// An address as it is in its file, with the file's name.
fn address(frame: u64, modules: &[Module]) -> String {
    let module = modules.iter().find(|module| module.ranges.iter().any(|range| range.contains(&frame)));
    let named = module.and_then(|module| Some((module.path.file_name()?.to_str()?, module.bias)));
    match named {
        Some((name, bias)) => format!("{name}+{:#x}", frame.wrapping_sub(bias)),
        None => format!("{frame:#x}"),
    }
}

/// Leaves the snapshot in a file, and says what names what is in it.
pub(super) fn push_advice(text: &mut String, snapshot: &Snapshot) {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let path = std::env::temp_dir().join(format!("alloclab-{}-{number}.alloclab", std::process::id()));
    let _ = match snapshot.write(&path) {
        Ok(()) => writeln!(text, "\nfor types and places: alloclab report {}", path.display()),
        Err(error) => writeln!(text, "\nthe file for `alloclab report` cannot be written: {error}"),
    };
    text.push_str("the feature `symbolize` of alloclab shows them here\n");
}
