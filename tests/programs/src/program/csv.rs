use std::collections::BTreeMap;

use csv::{ReaderBuilder, StringRecord, WriterBuilder};
use serde::{Deserialize, Serialize};

use super::Program;
use crate::input::{digest, scatter};

pub(super) const PROGRAM: Program = Program {
    name: "csv",
    run,
    is_single_threaded: true,
    // Each of the two readers.
    known_types: &[("BufReader<&[u8]>", Some(2)), ("Box<ReaderBuilder>", Some(2)), ("Vec<Row>", None)],
};

#[derive(Serialize, Deserialize)]
struct Row {
    id: u64,
    name: String,
    note: Option<String>,
    price: f64,
}

/// Writes rows, reads them back typed and as they are, and sums them up.
fn run() -> String {
    let mut writer = WriterBuilder::new().from_writer(Vec::new());
    for index in 0..4000 {
        let id = scatter(index);
        let note = id.is_multiple_of(3).then(|| format!("says \"{id}\", and more"));
        writer
            .serialize(Row { id, name: format!("name {}", id % 100), note, price: (id % 1000) as f64 / 8.0 })
            .expect("it is written to memory");
    }
    let text = writer.into_inner().expect("it is written to memory");
    let rows: Vec<Row> = ReaderBuilder::new()
        .from_reader(&*text)
        .into_deserialize()
        .map(|row| row.expect("it was written"))
        .collect();
    let records: Vec<StringRecord> = ReaderBuilder::new()
        .from_reader(&*text)
        .into_records()
        .map(|record| record.expect("it was written"))
        .collect();
    let mut prices = BTreeMap::<&str, f64>::new();
    for row in &rows {
        *prices.entry(&row.name).or_default() += row.price;
    }
    let fields: usize = records.iter().map(StringRecord::len).sum();
    format!("{} rows, {fields} fields, {:x}, {:?}", rows.len(), digest(&text), prices.first_key_value())
}
