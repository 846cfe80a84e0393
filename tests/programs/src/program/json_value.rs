use serde_json::{Map, Value, json};

use super::Program;
use crate::input::{digest, scatter};

pub(super) const PROGRAM: Program = Program {
    name: "serde_json_value",
    run,
    is_single_threaded: true,
    // Two maps per entry, built and parsed, and for 1972 entries one more, which sorts its single pair in a list first.
    known_types: &[("BTreeMap<String, Value>", Some(15944)), ("Vec<Value>", None), ("String", None)],
};

/// Builds a document, prints and parses it, and changes what it parsed.
fn run() -> String {
    let entries = (0..3000).map(|index| {
        let number = scatter(index);
        json!({"id": number, "name": format!("entry {index}"), "tags": [number % 7, null, "tag"], "nested": {"half": number as f64 / 2.0}})
    });
    let text = serde_json::to_string_pretty(&Value::Array(entries.collect())).expect("it can be printed");
    let mut parsed: Vec<Value> = serde_json::from_str(&text).expect("it was printed");
    parsed.retain(|entry| entry["id"].as_u64().is_some_and(|id| !id.is_multiple_of(3)));
    for entry in &mut parsed {
        entry["nested"]["more"] = Value::Object(Map::from_iter([("key".to_owned(), entry["tags"].clone())]));
    }
    let text = serde_json::to_vec(&parsed).expect("it can be printed");
    format!("{} entries, {} bytes, {:x}", parsed.len(), text.len(), digest(&text))
}
