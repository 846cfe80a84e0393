//! What a snapshot says of a program, and what is wrong in it.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::{Duration, Instant};

use alloclab::attribute::{Attributor, Options, StackFrame};
use alloclab::snapshot::{Counts, Snapshot};
use alloclab::symbolize::Symbols;

/// What a snapshot says of a program.
#[derive(Debug)]
pub struct Findings {
    /// What was allocated of each type.
    pub types: BTreeMap<String, Counts>,
    /// Allocations and reallocations without a type, and where they were made, frame by frame.
    pub untyped: Vec<(u64, Vec<String>)>,
    /// Allocations and reallocations whose type only a shared address tells.
    pub merged: u64,
    /// Call stacks that were cut off.
    pub truncated: usize,
    /// Allocations and reallocations.
    pub requests: u64,
    /// Call stacks that allocated.
    pub sites: usize,
    /// How long it took to name all types.
    pub naming: Duration,
}

impl Findings {
    /// Names the types of a snapshot of this process.
    pub fn of(snapshot: &Snapshot) -> Self {
        let begin = Instant::now();
        let symbols = Symbols::load(&snapshot.modules).expect("the program can read itself");
        let mut attributor = Attributor::new(symbols, Options::default());
        let attribution = attributor.attribute(snapshot);
        let names = attributor.names();
        let mut types = BTreeMap::<String, Counts>::new();
        let requesting: Vec<_> = std::iter::zip(&snapshot.sites, &attribution.sites)
            .filter(|(site, _)| site.counts.requests() > 0)
            .collect();
        for (site, found) in &requesting {
            types.entry(names.short(found.owner).to_owned()).or_default().add(&site.counts);
        }
        let naming = begin.elapsed();
        let untyped = requesting.iter().filter(|(_, found)| found.untyped);
        let untyped = untyped.map(|(site, _)| {
            (site.counts.requests(), attributor.stack(site).frames.iter().map(text).collect::<Vec<_>>())
        });
        let untyped = untyped.collect();
        let merged =
            requesting.iter().filter(|(_, found)| found.merged).map(|(site, _)| site.counts.requests()).sum();
        let truncated = requesting.iter().filter(|(site, _)| site.truncated).count();
        Self {
            types,
            untyped,
            merged,
            truncated,
            requests: snapshot.totals.requests(),
            sites: requesting.len(),
            naming,
        }
    }

    /// The share of allocations and reallocations without a type, in percent.
    pub fn untyped_share(&self) -> f64 {
        let untyped: u64 = self.untyped.iter().map(|(requests, _)| requests).sum();
        untyped as f64 / self.requests.max(1) as f64 * 100.0
    }

    /// In one line, separated by tabs: requests, sites, types, untyped share, merged requests, truncated stacks, and the
    /// milliseconds that naming took.
    pub fn figures(&self) -> String {
        let Self { types, merged, truncated, requests, sites, naming, .. } = self;
        let (untyped, types) = (self.untyped_share(), types.len());
        format!("{requests}\t{sites}\t{types}\t{untyped:.2}\t{merged}\t{truncated}\t{}", naming.as_millis())
    }

    /// The types, those that were asked for most often first, and below them what has none.
    pub fn table(&self) -> String {
        let mut rows: Vec<_> = self.types.iter().collect();
        rows.sort_by_key(|(_, counts)| Reverse(counts.requests()));
        let mut table = String::new();
        for (name, counts) in rows {
            writeln!(table, "{:>9} {:>11}  {name}", counts.requests(), counts.requested_bytes())
                .expect("a text takes all");
        }
        table + &self.untyped_text()
    }

    /// What has no type, each with its frames, innermost first.
    pub fn untyped_text(&self) -> String {
        let sites = self.untyped.iter();
        sites
            .map(|(requests, frames)| format!("{requests} untyped:\n    {}\n", frames.join("\n    ")))
            .collect()
    }
}

fn text(frame: &StackFrame) -> String {
    format!("{}  {}", frame.function, frame.location.as_deref().unwrap_or(""))
}
