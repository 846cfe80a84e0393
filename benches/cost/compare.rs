//! `cargo bench --bench cost`: what each instrument adds to an allocation and its free.
//!
//! The instruments are programs of their own, for a program has one global allocator. They run in turn, several times,
//! so that a machine whose speed drifts is the same for all.

use std::collections::HashMap;
use std::path::PathBuf;
use std::process::Command;

const REPEATS: usize = 5;

/// Program, threads, and what the row is called.
const ROWS: [(&str, &str, &str); 7] = [
    ("cost_plain", "1", "system allocator"),
    ("cost_off", "1", "recorder, off"),
    ("cost_on", "1", "recorder, in a window"),
    ("cost_stats_alloc", "1", "stats_alloc"),
    ("cost_dhat", "1", "dhat"),
    ("cost_plain", "2", "system allocator, two threads"),
    ("cost_on", "2", "recorder, in a window, two threads"),
];

fn main() {
    let programs = programs();
    let mut nanos = vec![Vec::new(); ROWS.len()];
    for _ in 0..REPEATS {
        for (row, (program, threads, _)) in ROWS.iter().enumerate() {
            nanos[row].push(run(&programs[*program], threads));
        }
    }
    let medians: Vec<_> = nanos.into_iter().map(median).collect();
    let recording = medians[2] - medians[0];
    println!("{:<36}{:>8}{:>14}{:>24}", "", "ns", "over plain", "as a multiple of ours");
    for (row, (_, threads, name)) in ROWS.iter().enumerate() {
        let plain = if *threads == "1" { medians[0] } else { medians[5] };
        let over = medians[row] - plain;
        println!("{name:<36}{:>8.2}{over:>+14.2}{:>23.2}x", medians[row], over / recording);
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn run(program: &PathBuf, threads: &str) -> f64 {
    let output = Command::new(program).arg(threads).output().expect("a bench of this package runs");
    let text = String::from_utf8(output.stdout).expect("it prints a number");
    text.trim().parse().expect("it prints a number")
}

/// The benches' executables, as cargo names them.
fn programs() -> HashMap<String, PathBuf> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["bench", "--no-run", "--message-format=json", "--manifest-path"]);
    cargo.arg(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"));
    for (program, ..) in ROWS {
        cargo.args(["--bench", program]);
    }
    let output = cargo.output().expect("cargo runs");
    let messages = String::from_utf8(output.stdout).expect("cargo writes UTF-8");
    let messages = messages.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    let executables = messages.filter_map(|message| {
        let executable = message["executable"].as_str()?;
        Some((message["target"]["name"].as_str()?.to_owned(), PathBuf::from(executable)))
    });
    executables.collect()
}
