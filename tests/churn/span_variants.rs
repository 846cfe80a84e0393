//! What the codec `span` offers, and what its cases allocate.

use std::hint::black_box;

use alloclab::codec::span::{self, BufferPool, SpanSerialize};
use alloclab::codec::{Codec, Operation, Prepared, Request, Variant, Workload};
use alloclab::model::{DateTime, FastModel, ModelKind, SimpleModel};
use alloclab::recorder::measure;
use alloclab::snapshot::Counts;

const OPERATIONS: u64 = 100;

/// The models of the span serializer's write-up.
const WRITE_UP: [ModelKind; 3] = [ModelKind::Simple, ModelKind::Nested, ModelKind::Fast];

fn prepare(model: ModelKind, operation: Operation, variant: Variant, batch: u32) -> Option<Prepared> {
    span::SpanCodec.prepare(&Request { model, operation, variant, batch })
}

/// Each case that the codec offers beyond those of every model, and how many values one of its operations takes.
fn offered(operation: Operation) -> Vec<(ModelKind, Variant, u32)> {
    let sizes = [1, 100, 1_000];
    let mut cases = Vec::new();
    for model in WRITE_UP {
        let of_every_model = |variant: &Variant| matches!(variant, Variant::Array | Variant::Borrowed);
        for variant in Variant::ALL.into_iter().filter(|variant| !of_every_model(variant)) {
            let offers = |batch: &u32| prepare(model, operation, variant, *batch).is_some();
            cases.extend(sizes.into_iter().filter(offers).map(|batch| (model, variant, batch)));
        }
    }
    cases
}

fn run(workload: &mut Workload, operations: u64) {
    match workload {
        Workload::Serial(run) => run(operations),
        Workload::Parallel(run) => (0..operations).for_each(|_| run()),
    }
}

/// What so many operations do in the steady state.
fn counts(mut workload: Workload) -> Counts {
    run(&mut workload, 1);
    measure(|| run(&mut workload, OPERATIONS)).unwrap().snapshot.totals
}

fn strings_in(model: ModelKind) -> u64 {
    if model == ModelKind::Nested { 2 } else { 1 }
}

#[test]
fn the_codec_offers_the_cases_of_the_write_up() {
    use Variant::{Batch, Concurrent, Pooled, Span};
    let of = |operation, model| {
        offered(operation).into_iter().filter(|case| case.0 == model).map(|case| (case.1, case.2)).collect()
    };
    for model in WRITE_UP {
        let serialize: Vec<_> = of(Operation::Serialize, model);
        assert_eq!(
            serialize,
            [(Span, 1), (Pooled, 1), (Batch, 1), (Batch, 100), (Batch, 1_000), (Concurrent, 1)]
        );
        let deserialize: Vec<_> = of(Operation::Deserialize, model);
        assert_eq!(deserialize, [(Span, 1), (Batch, 1), (Batch, 100), (Batch, 1_000), (Concurrent, 1)]);
    }
    assert!(prepare(ModelKind::Simple, Operation::Serialize, Batch, 0).is_none());
}

#[test]
fn a_case_tells_the_bytes_of_an_operation() {
    let bytes = |model, variant, batch| {
        Operation::ALL
            .map(|operation| prepare(model, operation, variant, batch).map_or(0, |case| case.encoded_bytes))
    };
    assert_eq!(bytes(ModelKind::Simple, Variant::Span, 1), [25, 25]);
    assert_eq!(bytes(ModelKind::Fast, Variant::Concurrent, 1), [25, 25]);
    assert_eq!(bytes(ModelKind::Nested, Variant::Span, 1), [49, 49]);
    assert_eq!(bytes(ModelKind::Simple, Variant::Batch, 100), [2_490, 2_490]);
    assert_eq!(bytes(ModelKind::Fast, Variant::Batch, 1_000), [25_890, 25_890]);
}

#[test]
fn writing_allocates_nothing() {
    for (model, variant, batch) in offered(Operation::Serialize) {
        let case = prepare(model, Operation::Serialize, variant, batch).unwrap();
        assert_eq!(counts(case.workload), Counts::default(), "{model:?} {variant:?} {batch}");
    }
}

#[test]
fn reading_allocates_once_for_each_owned_string() {
    for (model, variant, batch) in offered(Operation::Deserialize) {
        let case = prepare(model, Operation::Deserialize, variant, batch).unwrap();
        let totals = counts(case.workload);
        let expected = OPERATIONS * u64::from(batch) * strings_in(model);
        assert_eq!(totals.allocations, expected, "{model:?} {variant:?} {batch}");
        assert_eq!(totals.deallocations, expected, "{model:?} {variant:?} {batch}");
        assert_eq!(totals.reallocations, 0, "{model:?} {variant:?} {batch}");
    }
}

#[test]
fn a_read_string_takes_its_bytes_and_no_more() {
    let case = prepare(ModelKind::Fast, Operation::Deserialize, Variant::Span, 1).unwrap();
    assert_eq!(counts(case.workload).allocated_bytes, OPERATIONS * 7);
}

#[test]
fn the_objects_of_the_original_add_up_to_its_published_bytes() {
    let any = Request {
        model: ModelKind::Simple,
        operation: Operation::Deserialize,
        variant: Variant::Span,
        batch: 1,
    };
    let string = &span::SpanCodec.objects(&any)[0];
    let modelled = |model, strings: &[u64]| {
        let case = prepare(model, Operation::Deserialize, Variant::Span, 1).unwrap();
        let inline = case.inline_objects.iter().map(|object| object.count * object.dotnet_bytes).sum::<u64>();
        inline + strings.iter().map(|bytes| string.dotnet_bytes(*bytes)).sum::<u64>()
    };
    assert_eq!(string.rust_type, std::any::type_name::<String>());
    assert_eq!(modelled(ModelKind::Fast, &[7]), 88);
    assert_eq!(modelled(ModelKind::Simple, &[7]), 88);
    assert_eq!(modelled(ModelKind::Nested, &[7, 11]), 184);
}

#[test]
fn a_batch_counts_the_object_of_each_value() {
    let case = prepare(ModelKind::Fast, Operation::Deserialize, Variant::Batch, 100).unwrap();
    assert_eq!(case.inline_objects.len(), 1);
    assert_eq!((case.inline_objects[0].name, case.inline_objects[0].count), ("FastModel", 100));
}

#[derive(SpanSerialize)]
struct SimpleRef<'a> {
    id: i32,
    name: &'a str,
    is_active: bool,
    created_at: DateTime,
    score: f64,
}

#[test]
fn borrowed_reading_allocates_nothing() {
    let mut buffer = [0; 64];
    let written = span::to_slice(&SimpleModel::sample(), &mut buffer).unwrap();
    let bytes = &buffer[..written];
    let measured = measure(|| span::from_slice::<SimpleRef>(black_box(bytes))).unwrap();
    let read = measured.value.unwrap();
    assert_eq!((read.id, read.name, read.is_active, read.score), (42, "NewLife", true, 99.5));
    assert_eq!(read.created_at, SimpleModel::sample().created_at);
    assert_eq!(measured.snapshot.totals, Counts::default());
}

#[test]
fn a_list_is_one_allocation_and_one_for_each_string() {
    let names: Vec<String> = (0..10).map(|index| format!("Item_{index}")).collect();
    let mut buffer = [0; 128];
    let written = span::to_slice(&names, &mut buffer).unwrap();
    let measured = measure(|| span::from_slice::<Vec<String>>(black_box(&buffer[..written]))).unwrap();
    assert_eq!(measured.value, Ok(names));
    assert_eq!(measured.snapshot.totals.allocations, 11);
    assert_eq!(measured.snapshot.totals.reallocations, 0);
}

#[test]
fn what_fails_allocates_nothing_for_its_error() {
    let model = FastModel::sample();
    let measured = measure(|| {
        let written = span::to_slice(black_box(&model), &mut [0; 10]).is_err();
        written && span::from_slice::<FastModel>(black_box(&[1; 3])).is_err()
    });
    let measured = measured.unwrap();
    assert!(measured.value);
    assert_eq!(measured.snapshot.totals, Counts::default());
}

#[test]
fn a_pool_takes_memory_for_its_first_value_only() {
    let pool = BufferPool::new();
    let model = FastModel::sample();
    let first = measure(|| pool.serialize(black_box(&model)).map(|packet| packet.len())).unwrap();
    assert_eq!(first.value, Ok(25));
    // The buffer, and the list of those that wait.
    assert_eq!(first.snapshot.totals.allocations, 2);
    let second = measure(|| pool.serialize(black_box(&model)).map(|packet| packet.len())).unwrap();
    assert_eq!(second.snapshot.totals, Counts::default());
}

#[test]
fn a_pool_finds_room_for_a_value_that_is_larger_than_its_buffers() {
    let pool = BufferPool::new();
    let large = vec![7_u8; 3 * BufferPool::BUFFER_BYTES];
    let packet = pool.serialize(&large).unwrap();
    assert_eq!(packet[..2], [0x80, 0x60]);
    assert_eq!(packet[2..], large);
    drop(packet);
    let again = measure(|| pool.serialize(black_box(&large)).is_ok()).unwrap();
    assert_eq!((again.value, again.snapshot.totals.allocations), (true, 0));
}

#[test]
fn packets_that_are_alive_together_have_buffers_of_their_own() {
    let pool = BufferPool::new();
    let (first, second) = (pool.serialize("first").unwrap(), pool.serialize("second").unwrap());
    assert_eq!((&first[1..], &second[1..]), (&b"first"[..], &b"second"[..]));
}
