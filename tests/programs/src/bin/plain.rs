//! Runs the program that is named, without the recorder; standard error tells the nanoseconds.

use std::time::Instant;

use programs::Program;

fn main() {
    let program = Program::named(&std::env::args().nth(1).expect("a program is named"));
    let begin = Instant::now();
    let output = (program.run)();
    let time = begin.elapsed();
    println!("{output}");
    eprintln!("{}", time.as_nanos());
}
