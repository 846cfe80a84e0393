//! The JSON Schema of results files: what it takes and refuses, and that it leaves nothing out.

use std::collections::BTreeSet;

use alloclab::results::{Results, read, to_json};
use boon::{Compiler, Schemas};
use serde_json::{Map, Value, json};
use tempfile::tempdir;

use crate::full::full;
use crate::sample::{small, span_profile};

fn schema() -> Value {
    serde_json::from_str(include_str!("../../src/results/results.schema.json")).unwrap()
}

/// Whether the schema takes a value, with the reason if it does not.
fn validate(value: &Value) -> Result<(), String> {
    let mut schemas = Schemas::new();
    let mut compiler = Compiler::new();
    let schema = schema();
    let place = schema["$id"].as_str().unwrap().to_owned();
    compiler.add_resource(&place, schema).unwrap();
    let schema = compiler.compile(&place, &mut schemas).unwrap_or_else(|error| panic!("{error:#}"));
    schemas.validate(value, schema).map_err(|error| format!("{error:#}"))
}

fn written(results: &Results) -> Value {
    serde_json::from_str(&to_json(results).unwrap()).unwrap()
}

/// Whether this crate reads a file of it.
fn is_readable(value: &Value) -> bool {
    let folder = tempdir().unwrap();
    let path = folder.path().join("results.json");
    std::fs::write(&path, value.to_string()).unwrap();
    read(&path).is_ok()
}

#[test]
fn what_is_written_passes() {
    for results in [Results::default(), small(), span_profile(), full()] {
        validate(&written(&results)).unwrap_or_else(|error| panic!("{error}"));
    }
}

#[cfg(feature = "cli")]
#[test]
fn what_a_run_leaves_passes() {
    let folder = tempdir().unwrap();
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_alloclab"));
    command.args(["profile", "smoke", "--iterations", "2", "--no-time", "--no-charts", "--out"]);
    assert!(command.arg(folder.path()).output().unwrap().status.success());
    let text = std::fs::read_to_string(folder.path().join("smoke/results.json")).unwrap();
    let value: Value = serde_json::from_str(&text).unwrap();
    assert!(value["cases"].as_array().unwrap().len() > 40);
    validate(&value).unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn a_file_with_more_fields_passes() {
    let mut value = written(&full());
    value["later"] = json!(1);
    value["cases"][0]["sites"][0]["later"] = json!({ "more": [] });
    validate(&value).unwrap_or_else(|error| panic!("{error}"));
    assert!(is_readable(&value));
}

#[test]
fn a_damaged_file_does_not_pass() {
    for (place, damage) in [
        ("/schema", json!("alloclab.results/2")),
        ("/partial", json!("no")),
        ("/environment/flags", json!("debug = 1")),
        ("/cases", json!({})),
        ("/cases/0/allocations_per_op", json!(null)),
        ("/cases/0/bytes_per_op", json!(-0.5)),
        ("/cases/0/peak_requests", json!(-1)),
        ("/cases/0/totals/allocations", json!(-1)),
        ("/cases/0/totals/allocations", json!(1.5)),
        ("/cases/0/untyped_share", json!(1.5)),
        ("/cases/0/time/mean_ns", json!("59 ns")),
        ("/cases/0/types/0/kind", json!("class")),
        ("/cases/0/sites/0/frames", json!([0, -1])),
        ("/cases/0/sites/0/live_blocks", json!("1")),
        ("/cases/0/heap_events/0/kind", json!("realloc")),
        ("/cases/0/published/ratio", json!("1.25")),
        ("/frames/0", json!("encode src/codec.rs:7")),
    ] {
        let mut value = written(&full());
        *value.pointer_mut(place).unwrap() = damage.clone();
        let error = validate(&value).expect_err(place);
        assert!(error.contains(place), "{place} = {damage}: {error}");
    }
}

/// What describes a value: follows references, and passes over `null`.
fn resolve<'a>(root: &'a Value, schema: &'a Value) -> &'a Value {
    if let Some(reference) = schema["$ref"].as_str() {
        return root.pointer(reference.trim_start_matches('#')).unwrap();
    }
    match schema["anyOf"].as_array() {
        Some(choices) => resolve(root, choices.iter().find(|choice| choice["$ref"].is_string()).unwrap()),
        None => schema,
    }
}

/// Calls a function with every object of a value, its place, and the schema of it.
fn walk<'a>(
    value: &Value,
    place: &str,
    schema: &'a Value,
    root: &'a Value,
    visit: &mut impl FnMut(&str, &Map<String, Value>, &'a Value),
) {
    let schema = resolve(root, schema);
    match value {
        Value::Object(fields) => {
            visit(place, fields, schema);
            for (name, field) in fields {
                walk(field, &format!("{place}/{name}"), &schema["properties"][name], root, visit);
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                walk(item, &format!("{place}/{index}"), &schema["items"], root, visit);
            }
        }
        _ => {}
    }
}

#[test]
fn every_field_that_is_written_is_described_and_every_description_is_of_one() {
    let root = schema();
    let mut met = BTreeSet::new();
    walk(&written(&full()), "", &root, &root, &mut |place, fields, schema| {
        let properties =
            schema["properties"].as_object().unwrap_or_else(|| panic!("{place} is not described"));
        for name in fields.keys() {
            let property = &properties.get(name).unwrap_or_else(|| panic!("{place}/{name} is not described"));
            let description =
                property["description"].as_str().or(resolve(&root, property)["description"].as_str());
            assert!(description.is_some_and(|text| text.ends_with('.')), "{place}/{name}");
        }
        let described: Vec<_> = properties.keys().filter(|name| !fields.contains_key(*name)).collect();
        assert!(described.is_empty(), "{place} has no {described:?}");
        met.insert(schema["description"].as_str().unwrap().to_owned());
    });
    assert_eq!(met.len(), root["$defs"].as_object().unwrap().len() + 1, "every kind of object was met");
}

/// Every field of every object, by its place, and whether the schema requires it.
fn fields(value: &Value, root: &Value) -> Vec<(String, String, bool)> {
    let mut places = Vec::new();
    walk(value, "", root, root, &mut |place, fields, schema| {
        let required = schema["required"].as_array().unwrap();
        let is_required = |name: &str| required.iter().any(|required| required == name);
        places.extend(fields.keys().map(|name| (place.to_owned(), name.clone(), is_required(name))));
    });
    places
}

#[test]
fn a_file_that_lacks_a_required_field_does_not_pass_and_one_that_lacks_another_is_read() {
    let root = schema();
    let whole = written(&full());
    let places = fields(&whole, &root);
    assert!(places.len() > 150, "{}", places.len());
    let mut schemas = Schemas::new();
    let mut compiler = Compiler::new();
    compiler.add_resource("https://example.org/schema", root).unwrap();
    let schema = compiler.compile("https://example.org/schema", &mut schemas).unwrap();
    for (place, name, is_required) in places {
        let mut value = whole.clone();
        let fields = value.pointer_mut(&place).unwrap().as_object_mut().unwrap();
        fields.remove(&name).unwrap();
        assert_eq!(schemas.validate(&value, schema).is_err(), is_required, "{place}/{name}");
        assert!(is_required || is_readable(&value), "{place}/{name}");
    }
}
