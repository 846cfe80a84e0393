//! Runs the program that is named in a window over the process; standard error tells the nanoseconds, and then the figures
//! of its table, separated by tabs. With `--types`, the table follows.

use std::time::Instant;

use alloclab::recorder::{Recorder, measure_process};
use programs::{Findings, Program};

#[global_allocator]
static ALLOCATOR: Recorder = Recorder::system();

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let program = Program::named(&arguments[0]);
    let (time, measured) = {
        let mut time = None;
        let measured = measure_process(|| {
            let begin = Instant::now();
            let output = (program.run)();
            time = Some(begin.elapsed());
            output
        });
        (time.expect("the program ran"), measured.expect("no other window is open"))
    };
    println!("{}", measured.value);
    eprintln!("{}", time.as_nanos());
    let findings = Findings::of(&measured.snapshot);
    eprintln!("{}", findings.figures());
    if arguments.iter().any(|argument| argument == "--types") {
        eprint!("{}", findings.table());
    }
}
