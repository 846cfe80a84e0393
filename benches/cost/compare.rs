//! `cargo bench --bench cost`: what each instrument adds to an allocation and its free, and what that grows with.
//!
//! The instruments are programs of their own, for a program has one global allocator. They run in turn, several times,
//! so that a machine whose speed drifts is the same for all.
//!
//! With `--quick` each runs once; with `--chart` the growth is drawn, too, into `out/readme/cost.svg`.

use std::collections::HashMap;
use std::path::PathBuf;
use std::process::Command;

#[cfg(feature = "chart")]
mod chart;

const REPEATS: usize = 5;

/// A program, and what it is.
struct Instrument {
    program: &'static str,
    name: &'static str,
}

const INSTRUMENTS: [Instrument; 6] = [
    Instrument { program: "cost_plain", name: "system allocator" },
    Instrument { program: "cost_off", name: "recorder, off" },
    Instrument { program: "cost_on", name: "recorder, in a window" },
    Instrument { program: "cost_stats_alloc", name: "stats_alloc (counters)" },
    Instrument { program: "cost_mod_alloc", name: "mod-alloc (8 frames)" },
    Instrument { program: "cost_dhat", name: "dhat (stacks, blocks)" },
];
const PLAIN: usize = 0;
const OURS: usize = 2;
const DHAT: usize = 5;

/// Those whose growth is shown.
const GROWING: [usize; 3] = [PLAIN, OURS, DHAT];

/// What the work is: the arguments of a program.
#[derive(Clone, Copy, PartialEq)]
struct Work {
    threads: u32,
    /// Calls, sites and live blocks of each thread; none for the standard work.
    shape: Option<[u32; 3]>,
}

const STANDARD: [Work; 2] = [Work { threads: 1, shape: None }, Work { threads: 2, shape: None }];

/// What the others differ from by one thing.
const BASE: Work = shaped(1, 5, 1, 1_000);

const SHAPED: [Work; 7] = [
    shaped(1, 0, 1, 1_000),
    BASE,
    shaped(1, 22, 1, 1_000),
    shaped(1, 5, 1_000, 1_000),
    shaped(1, 5, 100_000, 1_000),
    shaped(1, 5, 1, 1_000_000),
    shaped(2, 5, 1, 1_000),
];

const fn shaped(threads: u32, calls: u32, sites: u32, live: u32) -> Work {
    Work { threads, shape: Some([calls, sites, live]) }
}

/// What a program printed: times in nanoseconds, sizes in bytes.
#[derive(Clone, Copy, Default)]
struct Cost {
    nanos: f64,
    most_resident: f64,
    /// The recorder alone tells what follows.
    own_bytes: f64,
    frames: f64,
}

/// Medians of each work with each instrument.
type Costs = HashMap<(usize, usize), Cost>;

fn main() {
    let has = |flag: &str| std::env::args().any(|argument| argument == flag);
    let works: Vec<Work> = STANDARD.into_iter().chain(SHAPED).collect();
    let costs = run_all(&works, if has("--quick") { 1 } else { REPEATS });
    for (index, work) in STANDARD.iter().enumerate() {
        print_instruments(&costs, index, work.threads);
    }
    print_growth(&costs);
    if has("--chart") {
        draw(&costs);
    }
}

#[cfg(feature = "chart")]
fn draw(costs: &Costs) {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/out/readme/cost.svg");
    chart::draw(costs, path).expect("the chart can be written");
    println!("drawn: out/readme/cost.svg");
}

#[cfg(not(feature = "chart"))]
fn draw(_costs: &Costs) {
    println!("not drawn: this needs the feature `chart`");
}

fn run_all(works: &[Work], repeats: usize) -> Costs {
    let programs = programs();
    let mut seen: HashMap<_, Vec<Cost>> = HashMap::new();
    for _ in 0..repeats {
        for (index, work) in works.iter().enumerate() {
            for (instrument, Instrument { program, .. }) in INSTRUMENTS.iter().enumerate() {
                if work.shape.is_none() || GROWING.contains(&instrument) {
                    seen.entry((index, instrument)).or_default().push(run(&programs[*program], *work));
                }
            }
        }
    }
    seen.into_iter().map(|(key, costs)| (key, median(costs))).collect()
}

/// The run of median time.
fn median(mut costs: Vec<Cost>) -> Cost {
    costs.sort_by(|left, right| left.nanos.total_cmp(&right.nanos));
    costs[costs.len() / 2]
}

fn run(program: &PathBuf, work: Work) -> Cost {
    let arguments = std::iter::once(work.threads).chain(work.shape.into_iter().flatten());
    let output = Command::new(program).args(arguments.map(|argument| argument.to_string())).output();
    let output = output.expect("a bench of this package runs");
    let text = String::from_utf8(output.stdout).expect("it prints numbers");
    let mut numbers = text.split_whitespace().map(|word| word.parse().expect("it prints numbers"));
    let mut needed = || numbers.next().expect("it ran to its end");
    let (nanos, most_resident) = (needed(), needed());
    let mut known = || numbers.next().unwrap_or(0.0);
    Cost { nanos, most_resident, own_bytes: known(), frames: known() }
}

fn print_instruments(costs: &Costs, work: usize, threads: u32) {
    let plain = costs[&(work, PLAIN)];
    let ours = costs[&(work, OURS)];
    println!("\nan allocation and its free, most stacks of {} frames, threads: {threads}", ours.frames);
    println!(
        "{:<26}{:>8}{:>11}{:>13}{:>13}{:>13}",
        "", "ns", "to plain", "over plain", "to recorder", "memory"
    );
    for (index, Instrument { name, .. }) in INSTRUMENTS.iter().enumerate() {
        let cost = costs[&(work, index)];
        let over = cost.nanos - plain.nanos;
        let as_ours = over / (ours.nanos - plain.nanos);
        println!(
            "{name:<26}{:>8.2}{:>10.2}x{over:>+10.2} ns{as_ours:>12.2}x{:>10.1} MB",
            cost.nanos,
            cost.nanos / plain.nanos,
            memory(cost, plain),
        );
    }
}

/// Megabytes of an instrument: as the recorder says, or what the process took more than without it.
fn memory(cost: Cost, plain: Cost) -> f64 {
    let bytes = if cost.own_bytes > 0.0 { cost.own_bytes } else { cost.most_resident - plain.most_resident };
    bytes.max(0.0) / 1e6
}

fn print_growth(costs: &Costs) {
    println!("\nan allocation and its free, by what it may grow with; times of plain, and over plain");
    println!(
        "{:>7}{:>9}{:>11}{:>9}{:>11}{:>13}{:>11}{:>11}{:>12}{:>11}",
        "frames", "sites", "live", "threads", "plain", "recorder", "to base", "memory", "dhat", "memory"
    );
    let base = over(costs, BASE, OURS);
    for (index, work) in SHAPED.into_iter().enumerate() {
        let [_, sites, live] = work.shape.unwrap_or_default();
        let [plain, ours, dhat] = GROWING.map(|instrument| costs[&(STANDARD.len() + index, instrument)]);
        println!(
            "{:>7}{sites:>9}{live:>11}{:>9}{:>8.2} ns{:>+10.2} ns{:>10.2}x{:>8.1} MB{:>+9.1} ns{:>8.1} MB",
            ours.frames,
            work.threads,
            plain.nanos,
            ours.nanos - plain.nanos,
            over(costs, work, OURS) / base,
            memory(ours, plain),
            dhat.nanos - plain.nanos,
            memory(dhat, plain),
        );
    }
}

/// What an instrument adds to a work of [`SHAPED`], in nanoseconds.
fn over(costs: &Costs, work: Work, instrument: usize) -> f64 {
    let index = STANDARD.len() + SHAPED.iter().position(|shaped| *shaped == work).expect("it is one of them");
    costs[&(index, instrument)].nanos - costs[&(index, PLAIN)].nanos
}

/// The benches' executables, as cargo names them.
fn programs() -> HashMap<String, PathBuf> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["bench", "--no-run", "--message-format=json", "--manifest-path"]);
    cargo.arg(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"));
    for Instrument { program, .. } in INSTRUMENTS {
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
