//! Runs each program several times, in turn without the recorder and with it, each time in a process of its own, and prints
//! a table of what was found. Times are told, not judged.

use std::path::Path;
use std::process::Command;

use programs::PROGRAMS;

const ROUNDS: usize = 7;

fn main() {
    let own = std::env::current_exe().expect("the system tells which program this is");
    println!(
        "| program | requests | sites | types | untyped | merged | cut stacks | naming | time | ns per request |"
    );
    println!("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|");
    for program in PROGRAMS {
        let rounds = (0..ROUNDS).map(|_| {
            let (plain, _) = run(&own.with_file_name("plain"), program.name);
            let (recorded, figures) = run(&own.with_file_name("recorded"), program.name);
            (plain, recorded, figures)
        });
        let rounds: Vec<_> = rounds.collect();
        let plain = median(rounds.iter().map(|round| round.0));
        let recorded = median(rounds.iter().map(|round| round.1));
        let figures: Vec<&str> = rounds[0].2.split('\t').collect();
        let [requests, sites, types, untyped, merged, cut, naming] = figures[..] else {
            panic!("{figures:?}")
        };
        let each = (recorded - plain) / requests.parse::<f64>().expect("the program tells a number");
        println!(
            "| {} | {requests} | {sites} | {types} | {untyped} % | {merged} | {cut} | {naming} ms | {:.1} ms, x{:.2} | {each:.0} |",
            program.name,
            plain / 1e6,
            recorded / plain,
        );
    }
}

/// Runs a program: nanoseconds, and the figures if there are any.
fn run(executable: &Path, name: &str) -> (f64, String) {
    let output = Command::new(executable).arg(name).output().expect("the programs stand side by side");
    assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
    let told = String::from_utf8(output.stderr).expect("it is text");
    let (time, figures) = told.trim_end().split_once('\n').unwrap_or((told.trim_end(), ""));
    (time.parse().expect("the program tells its time"), figures.to_owned())
}

fn median(times: impl Iterator<Item = f64>) -> f64 {
    let mut times: Vec<f64> = times.collect();
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
