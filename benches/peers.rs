//! `cargo bench --bench peers [-- MODEL …]`: the time of `span`, and that of the crates that a Rust user would pick between
//! as multiples of it.
//!
//! The codecs run in turn, round by round, so that a machine whose speed drifts is the same for all. A figure is the
//! median of the rounds.

use std::hint::black_box;
use std::time::{Duration, Instant};

use alloclab::codec::{self, Operation, Request, Variant, Workload};
use alloclab::model::ModelKind;

/// `span` comes first: the others are told in multiples of it.
const CODECS: [&str; 7] = ["span", "speedy", "wincode", "bincode", "rkyv", "bitcode", "postcard"];

const ROUNDS: usize = 31;

/// How long a codec runs in a round, if one operation does not take longer.
const ROUND: Duration = Duration::from_millis(2);

/// A codec's operation.
struct Subject {
    run: Box<dyn FnMut(u64) + Send>,
    operations: u64,
    nanos: Vec<f64>,
}

fn main() {
    // cargo passes `--bench`.
    let named: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let chosen = |model: &ModelKind| named.is_empty() || named.iter().any(|name| name == model.name());
    print!("{:<14}{:<13}{:>12}", "", "", "span ns");
    CODECS[1..].iter().for_each(|codec| print!("{codec:>10}"));
    println!("{:>24}", "span to the fastest");
    for model in ModelKind::ALL.into_iter().filter(chosen) {
        for operation in Operation::ALL {
            print_row(model, operation);
        }
    }
}

fn print_row(model: ModelKind, operation: Operation) {
    let mut subjects = CODECS.map(|codec| Subject::new(codec, model, operation));
    for _ in 0..ROUNDS {
        subjects.iter_mut().for_each(Subject::measure);
    }
    let medians = subjects.map(Subject::median);
    let fastest = medians[1..].iter().copied().fold(f64::INFINITY, f64::min);
    print!("{:<14}{:<13}{:>12.1}", model.name(), operation.name(), medians[0]);
    medians[1..].iter().for_each(|nanos| print!("{:>9.2}x", nanos / medians[0]));
    println!("{:>23.2}x", medians[0] / fastest);
}

impl Subject {
    fn new(codec: &str, model: ModelKind, operation: Operation) -> Self {
        let request = Request { model, operation, variant: Variant::Span, batch: 1 };
        let codec = codec::find(codec).expect("the registry has every codec that is named here");
        let prepared = codec.prepare(&request).expect("these codecs offer every model");
        let Workload::Serial(mut run) = prepared.workload else {
            unreachable!("one value at a time is no parallel case")
        };
        let start = Instant::now();
        let mut operations = 0;
        while start.elapsed() < ROUND {
            black_box(&mut run)(1);
            operations += 1;
        }
        Self { run, operations, nanos: Vec::with_capacity(ROUNDS) }
    }

    fn measure(&mut self) {
        let start = Instant::now();
        black_box(&mut self.run)(self.operations);
        self.nanos.push(start.elapsed().as_nanos() as f64 / self.operations as f64);
    }

    fn median(self) -> f64 {
        let mut nanos = self.nanos;
        nanos.sort_by(f64::total_cmp);
        nanos[nanos.len() / 2]
    }
}
