//! Who allocates, and what, in a program of one's own: `cargo run --release --example by_type`.

use std::collections::HashMap;

use alloclab::attribute::Summary;
use alloclab::recorder::{Recorder, measure};

#[global_allocator]
static ALLOCATOR: Recorder = Recorder::system();

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_lowercase).collect()
}

fn count(words: Vec<String>) -> HashMap<String, usize> {
    let mut counts = HashMap::new();
    for word in words {
        *counts.entry(word).or_default() += 1;
    }
    counts
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let text = "The quick brown fox jumps over the lazy dog; the dog sleeps on";
    let measured = measure(|| count(words(text)))?;
    println!("{} different words\n", measured.value.len());
    print!("{}", Summary::of(&measured.snapshot)?);
    Ok(())
}
