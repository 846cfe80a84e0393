//! From what was measured to a results file.

use super::measure::Measured;
use super::modelled::Objects;
use super::rows::{self, Tabulator, per_op};
use crate::attribute::{Attribution, Attributor, Names};
use crate::flags;
use crate::plan::{self, Plan, PlannedCase, PublishedRow};
use crate::results::{
    Case, Environment, FrameTable, Published, Reference, ReferenceType, Results, Totals, tell_ratios,
};
use crate::snapshot::{Build, Counts, Module, Snapshot, Stacks};

/// The results of the measured cases; of a run that was stopped, they may be fewer than the plan has, or not all timed.
pub(super) fn results(
    plan: &Plan,
    measured: &[(&PlannedCase, Measured)],
    is_partial: bool,
    attributor: &mut Attributor,
) -> Results {
    let attributions: Vec<_> = measured
        .iter()
        .map(|(_, measured)| {
            [attributor.attribute(&measured.counted), attributor.attribute(&measured.traced)]
        })
        .collect();
    // Names are told apart over the whole run, so all types come first.
    let names = attributor.names();
    let mut frames = FrameTable::default();
    let cases = std::iter::zip(measured, &attributions);
    let mut cases: Vec<_> = cases
        .map(|((planned, measured), attribution)| {
            case(planned, measured, attribution, &names, attributor, &mut frames)
        })
        .collect();
    tell_ratios(&mut cases, |cases, case| {
        cases.iter().position(|other| other.baseline && other.group == case.group)
    });
    Results {
        profile: plan.name.clone(),
        title: plan.title.clone(),
        see_also: plan.see_also.clone(),
        partial: is_partial,
        environment: environment(plan, measured, &cases),
        cases,
        frames: frames.into_frames(),
        ..Results::default()
    }
}

fn case(
    planned: &PlannedCase,
    measured: &Measured,
    [counted, traced]: &[Attribution; 2],
    names: &Names,
    attributor: &mut Attributor,
    frames: &mut FrameTable,
) -> Case {
    let declared = planned.subject.modelled_objects();
    let key = &planned.key;
    let objects = Objects::new(&declared);
    let tables = Tabulator { measured, counted, traced, names, objects: &objects }.tables(attributor, frames);
    let modelled = tables.types.iter().filter_map(|row| row.modelled_dotnet_bytes_per_op);
    // An empty sum of floats is -0.
    let is_modelled = !objects.is_empty() && measured.traced.events_lost == 0;
    let modelled = is_modelled.then(|| modelled.fold(0.0, |sum, bytes| sum + bytes));
    let snapshot = &measured.counted;
    let totals = &snapshot.totals;
    let per_op = |count| per_op(count, measured.operations);
    Case {
        codec: key.codec.clone(),
        model: key.model.clone(),
        operation: key.operation.clone(),
        variant: key.variant.clone(),
        batch: key.batch,
        objects: planned.objects,
        threads: key.threads,
        parallel: measured.is_parallel,
        group: planned.group.clone(),
        baseline: planned.baseline,
        iterations: measured.operations,
        encoded_bytes: measured.encoded_bytes,
        allocations_per_op: per_op(totals.allocations),
        reallocations_per_op: per_op(totals.reallocations),
        bytes_per_op: per_op(totals.requested_bytes()),
        new_size_bytes_per_op: per_op(totals.new_size_bytes()),
        frees_per_op: per_op(totals.deallocations),
        modelled_dotnet_bytes_per_op: modelled,
        peak_live_bytes: snapshot.peak.bytes,
        peak_error_bytes: snapshot.peak.error_bytes,
        peak_requests: snapshot.peak.requests,
        leaked_bytes: totals.live_bytes,
        torn: snapshot.torn,
        untyped_share: share(untyped_requests(snapshot, counted), totals.requests()),
        totals: whole(totals),
        first_operation: whole(&measured.first.totals),
        time: measured.time.clone(),
        types: tables.types,
        sites: tables.sites,
        heap_events: tables.heap_events,
        heap_events_complete: tables.heap_events_complete,
        heap_run: measured.heap_run.clone(),
        size_classes: rows::size_classes(snapshot),
        lifetimes: rows::lifetimes(snapshot),
        published: planned.published.as_ref().map(published),
        references: planned.references.iter().map(reference).collect(),
        ratio: None,
        alloc_ratio: None,
    }
}

fn untyped_requests(snapshot: &Snapshot, attribution: &Attribution) -> u64 {
    let sites = std::iter::zip(&snapshot.sites, &attribution.sites);
    sites.filter(|(_, types)| types.untyped).map(|(site, _)| site.counts.requests()).sum()
}

fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

fn whole(counts: &Counts) -> Totals {
    Totals {
        allocations: counts.allocations,
        reallocations: counts.reallocations,
        deallocations: counts.deallocations,
        allocated_bytes: counts.allocated_bytes,
        grown_bytes: counts.grown_bytes,
        shrunk_bytes: counts.shrunk_bytes,
        reallocated_new_bytes: counts.reallocated_new_bytes,
        freed_bytes: counts.freed_bytes,
        failed: counts.failed,
    }
}

fn published(row: &PublishedRow) -> Published {
    Published {
        mean_ns: row.mean_ns,
        ratio: row.ratio,
        allocated_bytes: row.allocated_bytes,
        alloc_ratio: row.alloc_ratio,
        p95_ns: row.p95_ns,
        retained_bytes: row.retained_bytes,
        encoded_bytes: row.encoded_bytes,
    }
}

fn reference(reference: &plan::Reference) -> Reference {
    let types = reference.types.iter().map(|row| ReferenceType {
        name: row.name.clone(),
        allocations_per_op: row.allocations_per_op,
        bytes_per_op: row.bytes_per_op,
    });
    Reference { source: reference.source.clone(), types: types.collect() }
}

/// The name of a program's file; it comes from outside, and goes to terminals.
pub(super) fn program_name(module: &Module) -> String {
    let name = module.path.file_name();
    name.map(|name| name.to_string_lossy().replace(char::is_control, "\u{fffd}")).unwrap_or_default()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn environment(plan: &Plan, measured: &[(&PlannedCase, Measured)], cases: &[Case]) -> Environment {
    let snapshots = || measured.iter().map(|(_, measured)| &measured.counted);
    let requests = |case: &Case| (case.totals.allocations + case.totals.reallocations) as f64;
    let untyped: f64 = cases.iter().map(|case| case.untyped_share * requests(case)).sum();
    let all: f64 = cases.iter().map(requests).sum();
    let build = snapshots().next().map_or_else(Build::of_this_program, |snapshot| snapshot.build.clone());
    let program = measured.first().and_then(|(_, measured)| measured.counted.modules.first());
    let (missing, present): (Vec<_>, Vec<_>) =
        flags::all().iter().partition(|flag| build.missing_flags.iter().any(|missing| missing == flag.text));
    Environment {
        alloclab: build.alloclab,
        rustc: build.rustc,
        target: build.target,
        opt_level: build.opt_level,
        flags: present.iter().map(|flag| flag.text.to_owned()).collect(),
        missing_flags: missing.iter().map(|flag| format!("{}: {}", flag.text, flag.lost)).collect(),
        allocator: plan.allocator.to_owned(),
        program: program.map(program_name).unwrap_or_default(),
        build_id: program.map(|module| hex(&module.build_id)).unwrap_or_default(),
        pool_threads: plan.pool_threads,
        frame_pointers: snapshots().all(|snapshot| snapshot.stacks == Stacks::FramePointers),
        unwinder: snapshots().any(|snapshot| snapshot.stacks == Stacks::Unwinder),
        untyped_share: if all > 0.0 { untyped / all } else { 0.0 },
        recorder_bytes: snapshots().map(|snapshot| snapshot.recorder_bytes).max().unwrap_or(0),
        overflowed: snapshots().map(|snapshot| snapshot.overflowed).sum(),
        iterations: plan.iterations,
    }
}
