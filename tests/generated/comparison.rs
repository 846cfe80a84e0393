//! Compares what windows saw with what was expected, row by row.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Debug;

use alloclab::attribute::{AllocatedType, Attributor, Options};
use alloclab::snapshot::{Site, SiteKind, Snapshot};
use alloclab::symbolize::Symbols;

use crate::ledger::{Event, Figures, Ledger, Peak};
use crate::program::{KEPT, Program, Row, Scope};
use crate::run::{Outcome, Seen};
use crate::way::NAMES;

/// The first difference, or none.
type Outcomes = Result<(), String>;

/// Finds the rows of sites by the names of functions and types, each address once for all programs.
#[derive(Default)]
pub(crate) struct Namer {
    attributor: Option<Attributor>,
    owners: HashMap<AllocatedType, String>,
}

impl Namer {
    /// The row of each site; none for blocks from outside.
    fn rows(&mut self, snapshot: &Snapshot) -> Result<Vec<Option<Row>>, String> {
        let attributor = self.attributor.get_or_insert_with(|| {
            let symbols = Symbols::load(&snapshot.modules).expect("a test can read its own file");
            Attributor::new(symbols, Options::default())
        });
        let types = attributor.attribute(snapshot).sites;
        if types.iter().any(|types| !self.owners.contains_key(&types.owner)) {
            let names = attributor.names();
            for types in &types {
                let path = names.path(types.owner);
                same("short name", names.short(types.owner), bare(path).as_str())?;
                self.owners.insert(types.owner, path.to_owned());
            }
        }
        let rows = std::iter::zip(&snapshot.sites, types).map(|(site, types)| {
            let owner = self.owners[&types.owner].clone();
            (site.kind != SiteKind::Outside).then(|| Row { way: way(attributor, site), owner })
        });
        Ok(rows.collect())
    }
}

/// A type's name with the last words of its paths alone: no two types of these programs share one.
fn bare(path: &str) -> String {
    let is_of_word = |letter: char| letter.is_alphanumeric() || "_:".contains(letter);
    let words = path.split_inclusive(|letter| !is_of_word(letter));
    words.map(|word| word.rsplit("::").next().unwrap_or(word)).collect()
}

/// The functions of the way on a site's stack, innermost first.
fn way(attributor: &mut Attributor, site: &Site) -> Vec<u8> {
    let frames = attributor.stack(site).frames;
    let hops = frames.iter().filter_map(|frame| NAMES.iter().position(|name| **name == *frame.function));
    hops.take(KEPT).map(|hop| hop as u8).collect()
}

/// Compares with what the program itself expects.
pub(crate) fn with_expectation(program: &Program, outcome: &Outcome, namer: &mut Namer) -> Outcomes {
    for seen in &outcome.seen {
        let ledger = Ledger::of(&program.calls, seen.whose, seen.listened);
        let named = |row: &Option<u32>| row.map(|row| program.rows[row as usize].clone());
        let mut expected: BTreeMap<_, Figures> =
            ledger.rows.iter().map(|(row, figures)| (named(row), figures.clone())).collect();
        let rows = namer.rows(&seen.snapshot)?;
        let mut found = BTreeMap::<_, Figures>::new();
        for (row, site) in std::iter::zip(&rows, &seen.snapshot.sites) {
            found.entry(row.clone()).or_default().add(&figures(site));
            if row.as_ref().is_some_and(|row| row.way.len() == KEPT) {
                // Such a way is longer than any stack that is kept.
                same("how deep a stack is", (site.frames.len(), site.truncated), (64, true))?;
            }
        }
        // The program does not know whether a block moves, nor shares at a peak that threads reach together.
        let knows_shares = ledger.threads.len() <= 1 || program.in_turn && program.exact_peak;
        for figures in expected.values_mut().chain(found.values_mut()) {
            figures.counts.moved = 0;
            if !knows_shares {
                (figures.counts.peak_blocks, figures.counts.peak_bytes) = (0, 0);
            }
        }
        same_rows(&found, &expected)?;
        if program.keeps_events {
            let events: Vec<_> = ledger.events.iter().map(|event| event_of(event, named)).collect();
            let rows = |site: u32| rows[site as usize].clone();
            same_events(&found_events(&seen.snapshot, rows), &events)?;
        }
        // Threads that do not run in turn reach another peak each time: the reference knows which.
        if ledger.threads.len() <= 1 || program.in_turn {
            peaks(&ledger, &seen.snapshot, program.exact_peak, program.in_turn)?;
        }
    }
    Ok(())
}

/// Compares with the calls that the reference noted.
pub(crate) fn with_reference(program: &Program, outcome: &Outcome) -> Outcomes {
    let is_whole = outcome.calls.len() == program.calls.len();
    same("calls of the reference", is_whole, true)?;
    for seen in &outcome.seen {
        let ledger = Ledger::of(&outcome.calls, seen.whose, seen.listened);
        compare_totals(&ledger, seen)?;
        if program.keeps_events {
            compare_events(&ledger, seen)?;
        }
        peaks(&ledger, &seen.snapshot, program.exact_peak, program.in_turn)?;
    }
    Ok(())
}

/// Compares all sums, of the blocks of the window and of those from outside.
pub(crate) fn compare_totals(ledger: &Ledger<()>, seen: &Seen) -> Outcomes {
    let mut found = BTreeMap::<_, Figures>::new();
    for site in &seen.snapshot.sites {
        let row = (site.kind != SiteKind::Outside).then_some(());
        found.entry(row).or_default().add(&figures(site));
    }
    let mut expected = ledger.rows.clone();
    for figures in expected.values_mut().chain(found.values_mut()) {
        if ledger.threads.len() > 1 {
            (figures.counts.peak_blocks, figures.counts.peak_bytes) = (0, 0);
        }
        if seen.snapshot.overflowed > 0 {
            // Sites that found no room have no size classes.
            figures.size_classes.clear();
        }
    }
    let mut totals =
        Figures { counts: seen.snapshot.totals.clone(), ..found.values().fold(Figures::default(), sum) };
    let mut expected_totals =
        Figures { counts: ledger.totals().counts, ..expected.values().fold(Figures::default(), sum) };
    for figures in [&mut totals, &mut expected_totals] {
        (figures.counts.peak_blocks, figures.counts.peak_bytes) = (0, 0);
    }
    same_rows(&found, &expected)?;
    same("totals", totals, expected_totals)?;
    same("threads", seen.snapshot.threads as usize, ledger.threads.len())?;
    same("what was not followed", (seen.snapshot.untracked, seen.snapshot.torn), (0, false))
}

fn sum(mut sum: Figures, figures: &Figures) -> Figures {
    sum.add(figures);
    sum
}

/// Compares the events of the thread that opened the window, one by one.
pub(crate) fn compare_events(ledger: &Ledger<()>, seen: &Seen) -> Outcomes {
    let kinds: Vec<_> =
        seen.snapshot.sites.iter().map(|site| (site.kind != SiteKind::Outside).then_some(())).collect();
    same_events(&found_events(&seen.snapshot, |site| kinds[site as usize]), &ledger.events)
}

fn figures(site: &Site) -> Figures {
    Figures { counts: site.counts.clone(), size_classes: site.size_classes.iter().copied().collect() }
}

fn found_events<R>(snapshot: &Snapshot, row: impl Fn(u32) -> Option<R>) -> Vec<Event<R>> {
    let events = snapshot.events.iter().map(|event| Event {
        kind: event.kind,
        row: row(event.site),
        former_row: row(event.former_site),
        bytes: event.bytes,
        former_bytes: event.former_bytes,
    });
    events.collect()
}

fn event_of<R>(event: &Event<u32>, named: impl Fn(&Option<u32>) -> Option<R>) -> Event<R> {
    let Event { kind, row, former_row, bytes, former_bytes } = event;
    Event {
        kind: *kind,
        row: named(row),
        former_row: named(former_row),
        bytes: *bytes,
        former_bytes: *former_bytes,
    }
}

/// The peak: exact if one thread recorded, or an exact one was asked for and threads ran in turn; else within its error,
/// and what threads had under way.
pub(crate) fn peaks<R: Copy + Ord>(
    ledger: &Ledger<R>,
    snapshot: &Snapshot,
    exact_peak: bool,
    in_turn: bool,
) -> Outcomes {
    let Peak { bytes, blocks, requests } = ledger.peak;
    let seen = &snapshot.peak;
    let is_alone = ledger.threads.len() <= 1;
    if is_alone {
        let found =
            Peak { bytes: seen.bytes, blocks: seen.blocks, requests: seen.requests.unwrap_or(u64::MAX) };
        same("peak", found, Peak { bytes, blocks, requests })?;
    }
    let is_exact = is_alone || exact_peak;
    let stated = if is_exact { 0 } else { ledger.threads.len() as u64 * (64 << 10) };
    same("error of the peak", seen.error_bytes, stated)?;
    let under_way = if is_alone || in_turn { 0 } else { ledger.threads.len() as u64 * ledger.longest };
    let off = seen.bytes.abs_diff(bytes);
    if off > stated + under_way {
        return Err(format!("a peak of {} instead of {bytes} ± {stated} ± {under_way}", seen.bytes));
    }
    Ok(())
}

fn same<T: PartialEq + Debug>(what: &str, seen: T, expected: T) -> Outcomes {
    if seen == expected {
        Ok(())
    } else {
        Err(format!("{what}:\n  seen     {seen:?}\n  expected {expected:?}"))
    }
}

fn same_rows<R: Ord + Debug>(
    seen: &BTreeMap<Option<R>, Figures>,
    expected: &BTreeMap<Option<R>, Figures>,
) -> Outcomes {
    let all: std::collections::BTreeSet<_> = seen.keys().chain(expected.keys()).collect();
    for row in all {
        let nothing = Figures::default();
        let of = |rows: &BTreeMap<_, Figures>| rows.get(row).unwrap_or(&nothing).clone();
        let (seen, expected) = (of(seen), of(expected));
        if seen != expected {
            let [seen, expected] = [&seen, &expected].map(shown);
            return Err(format!("{row:?}:\n  seen     {seen}\n  expected {expected}"));
        }
    }
    Ok(())
}

/// Figures, without those that are zero.
fn shown(figures: &Figures) -> String {
    let Figures { counts, size_classes } = figures;
    let text = format!("{counts:?}").replace(['{', '}'], ",");
    let parts = text.split(", ").filter(|part| !part.ends_with(": 0"));
    format!("{} {size_classes:?}", parts.collect::<Vec<_>>().join(", "))
}

fn same_events<R: PartialEq + Debug>(seen: &[Event<R>], expected: &[Event<R>]) -> Outcomes {
    for (number, (seen, expected)) in std::iter::zip(seen, expected).enumerate() {
        same(&format!("event {number}"), seen, expected)?;
    }
    same("number of events", seen.len(), expected.len())
}

/// What a program is, for whoever looks for what is wrong.
pub(crate) fn describe(program: &Program) -> String {
    let Program { seed, threads, scope, keeps_events, exact_peak, in_turn, .. } = program;
    let scope = match scope {
        Scope::Thread => "a window over the thread",
        Scope::Process => "a window over the process",
        Scope::EachThread => "a window over each thread",
    };
    format!(
        "program {seed}: {threads} threads, {scope}, events {keeps_events}, exact peak {exact_peak}, in turn {in_turn}, \
         {} calls",
        program.calls.len()
    )
}
