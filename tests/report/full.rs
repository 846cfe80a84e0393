//! Results in which every field is written to the file. All are named here, so that a new one cannot be forgotten.

use alloclab::results::*;

pub(crate) fn full() -> Results {
    Results {
        schema: SCHEMA.into(),
        profile: "mine".into(),
        title: "All that there is".into(),
        see_also: Some("Look at `--all`.".into()),
        partial: true,
        environment: environment(),
        cases: vec![case()],
        frames: vec![
            Frame { function: "Vec<u8>::push".into(), location: Some("alloc/src/vec/mod.rs:2".into()) },
            Frame { function: "encode".into(), location: Some("src/codec.rs:7".into()) },
        ],
    }
}

fn environment() -> Environment {
    Environment {
        alloclab: "0.1.0".into(),
        rustc: "rustc 1.95.0".into(),
        target: "x86_64-unknown-linux-gnu".into(),
        opt_level: "3".into(),
        flags: vec!["debug = 1".into()],
        missing_flags: vec!["frame pointers: stacks are read by the unwinder".into()],
        allocator: "system".into(),
        program: "mine".into(),
        build_id: "00ff17".into(),
        pool_threads: 2,
        frame_pointers: false,
        unwinder: true,
        untyped_share: 0.25,
        recorder_bytes: 4096,
        overflowed: 3,
        iterations: 2,
    }
}

fn totals(first: u64) -> Totals {
    Totals {
        allocations: first,
        reallocations: first + 1,
        deallocations: first + 2,
        allocated_bytes: first + 3,
        grown_bytes: first + 4,
        shrunk_bytes: first + 5,
        reallocated_new_bytes: first + 6,
        freed_bytes: first + 7,
        failed: first + 8,
    }
}

fn case() -> Case {
    Case {
        codec: "span".into(),
        model: "simple".into(),
        operation: "serialize".into(),
        variant: "concurrent".into(),
        batch: 1,
        objects: 3,
        threads: 4,
        parallel: true,
        group: "loops".into(),
        baseline: true,
        iterations: 2,
        encoded_bytes: 23,
        allocations_per_op: 1.5,
        reallocations_per_op: 2.5,
        bytes_per_op: 3.25,
        new_size_bytes_per_op: 4.25,
        frees_per_op: 5.5,
        modelled_dotnet_bytes_per_op: Some(96.0),
        peak_live_bytes: 100,
        peak_error_bytes: 10,
        peak_requests: Some(7),
        leaked_bytes: 16,
        untyped_share: 0.125,
        torn: true,
        ratio: Some(1.75),
        alloc_ratio: Some(0.625),
        totals: totals(10),
        first_operation: totals(30),
        time: Some(Time {
            rounds: 15,
            operations_per_round: 20_000,
            mean_ns: 59.5,
            error_ns: 0.5,
            stddev_ns: 0.75,
            median_ns: 59.25,
            p95_ns: 60.5,
        }),
        types: vec![type_row(), type_row()],
        sites: vec![site_row()],
        heap_events: vec![HeapEvent {
            type_index: 0,
            former_type_index: 1,
            kind: HeapEventKind::Reallocate,
            bytes: 32,
            former_bytes: 16,
        }],
        heap_events_complete: true,
        heap_run: vec![HeapSample { operations: 1, live_bytes: -8 }],
        size_classes: vec![SizeClass { from_bytes: 8, to_bytes: 15, requests: 5 }],
        lifetimes: vec![LifetimeClass { from_allocations: 0, to_allocations: Some(1), blocks: 6 }],
        published: Some(Published {
            mean_ns: Some(70.5),
            ratio: Some(1.25),
            allocated_bytes: Some(88.0),
            alloc_ratio: Some(0.875),
            p95_ns: Some(71.5),
            retained_bytes: Some(-2.5),
            encoded_bytes: Some(24.0),
        }),
        references: vec![Reference {
            source: "Mono 6.8".into(),
            types: vec![ReferenceType {
                name: "System.String".into(),
                allocations_per_op: 1.0,
                bytes_per_op: 32.5,
            }],
        }],
    }
}

fn type_row() -> TypeRow {
    TypeRow {
        name: "Vec<u8>".into(),
        path: "alloc::vec::Vec<u8>".into(),
        dotnet: Some("System.Byte[]".into()),
        kind: TypeKind::RustOnly,
        merged: true,
        allocations: 3,
        reallocations: 5,
        bytes: 64,
        allocations_per_op: 1.5,
        reallocations_per_op: 2.5,
        bytes_per_op: 32.5,
        percent: 99.5,
        modelled_dotnet_bytes_per_op: Some(40.0),
        block_types: vec![BlockType {
            name: "RawVec<u8>".into(),
            allocations: 3,
            reallocations: 5,
            bytes: 64,
        }],
        sites: vec![0],
    }
}

fn site_row() -> SiteRow {
    SiteRow {
        type_index: 0,
        block_type: "RawVec<u8>".into(),
        frames: vec![0, 1],
        own_frame: Some(1),
        label: Some("GET /".into()),
        truncated: true,
        allocations: 3,
        reallocations: 5,
        bytes: 64,
        allocations_per_op: 1.5,
        bytes_per_op: 32.5,
        percent: 99.5,
        peak_bytes: 32,
        peak_blocks: 2,
        live_bytes: 16,
        live_blocks: 1,
        mean_lifetime: 0.5,
        lifetime_sum: 9,
    }
}
