use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use toml::{Table, Value};

use super::Program;
use crate::input::digest;

pub(super) const PROGRAM: Program = Program {
    name: "toml",
    run,
    is_single_threaded: true,
    known_types: &[("Vec<Target>", Some(1)), ("BTreeMap<String, Value>", None), ("Vec<Value>", None)],
};

const MANIFEST: &str = include_str!("../../../../Cargo.toml");
const LOCK: &str = include_str!("../../../../Cargo.lock");

#[derive(Serialize, Deserialize)]
struct Manifest {
    features: BTreeMap<String, Vec<String>>,
    bench: Vec<Target>,
}

#[derive(Serialize, Deserialize)]
struct Target {
    name: String,
    harness: Option<bool>,
    path: Option<String>,
}

/// Parses the project's manifest and lock file, typed and as tables, and prints them again.
fn run() -> String {
    let manifest: Manifest = toml::from_str(MANIFEST).expect("the project has a manifest");
    let lock: Table = LOCK.parse().expect("the project has a lock file");
    let packages = lock["package"].as_array().map_or(0, Vec::len);
    let depended =
        lock["package"].as_array().into_iter().flatten().filter_map(|package| package.get("dependencies"));
    let dependencies: usize = depended.filter_map(Value::as_array).map(Vec::len).sum();
    let printed = [toml::to_string_pretty(&manifest), toml::to_string(&lock)]
        .map(|text| text.expect("it was read"))
        .concat();
    format!(
        "{packages} packages, {dependencies} dependencies, {} benches, {:x}",
        manifest.bench.len(),
        digest(printed.as_bytes())
    )
}
