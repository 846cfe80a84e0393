//! What the fuzz targets do with their input.

use alloclab::codec::nrbf::{Limits, read};
use alloclab::model::ModelKind;
use alloclab::snapshot::Snapshot;
use libfuzzer_sys::Corpus;

/// Decodes with a codec: the first byte chooses the model, by its place in [`ModelKind::ALL`], the rest is the input.
///
/// # Panics
/// If there is no codec of the name; and what a fuzzer is after: if decoding does.
pub fn decode(codec: &str, data: &[u8]) -> Corpus {
    let codec = alloclab::codec::find(codec).expect("targets have the names of codecs");
    let decoded = data.split_first().and_then(|(&model, bytes)| {
        let model = *ModelKind::ALL.get(usize::from(model))?;
        codec.decode(model, bytes)
    });
    decoded.map_or(Corpus::Reject, |_| Corpus::Keep)
}

/// Reads a graph of MS-NRBF; what reads is written to bytes that read to an equal graph.
///
/// # Panics
/// If reading or writing does, if the two graphs differ, or if the strict limits take what the wide ones do not.
pub fn read_and_write_graph(data: &[u8]) {
    let strict = read(data, Limits::strict());
    let Ok(graph) = read(data, Limits::all()) else {
        assert!(strict.is_err(), "strict limits take what others do not");
        return;
    };
    let written = graph.to_bytes();
    let again = read(&written, Limits::all()).expect("what was written reads");
    assert_eq!(again.to_bytes(), written);
    // A graph with a number that is none equals nothing, not even itself.
    if graph == graph.clone() {
        assert_eq!(again, graph);
    }
}

/// Reads a snapshot's file, which gets the checksum that it should have; what reads is written to bytes that read to an
/// equal snapshot.
///
/// # Panics
/// If reading or writing does, or if the two snapshots differ.
pub fn read_and_write_snapshot(data: &[u8]) {
    let fnv = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
    let checksum = data.iter().fold(0xcbf2_9ce4_8422_2325, fnv);
    let sealed = [data, &checksum.to_le_bytes()].concat();
    if let Ok(snapshot) = Snapshot::from_bytes(&sealed) {
        let again = Snapshot::from_bytes(&snapshot.to_bytes()).expect("what was written reads");
        assert_eq!(again, snapshot);
    }
}
