use std::collections::{BTreeMap, HashSet};

use rayon::prelude::*;

use super::Program;
use crate::input::{scatter, sources};

pub(super) const PROGRAM: Program = Program {
    name: "rayon",
    run,
    is_single_threaded: false,
    // 20,000 is halved six times to get below 500.
    known_types: &[("Vec<u64>", Some(64)), ("LinkedList<Vec<&str>>", None), ("HashSet<&str>", None)],
};

/// Counts and sorts the words of the project's sources in parallel, and joins halves by recursion.
fn run() -> String {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().expect("the system has threads");
    pool.install(work)
}

fn work() -> String {
    let sources = sources();
    let counts = sources.par_iter().map(|text| words(text)).reduce(BTreeMap::new, |mut sum, part| {
        for (word, count) in part {
            *sum.entry(word).or_default() += count;
        }
        sum
    });
    let distinct: HashSet<&str> = sources.par_iter().flat_map_iter(|text| text.split_whitespace()).collect();
    let mut numbers: Vec<String> =
        (0..20_000_u64).into_par_iter().map(|index| scatter(index).to_string()).collect();
    numbers.par_sort();
    let sum = halves(&numbers);
    format!("{} words, {} distinct, first {}, {sum:?}", counts.len(), distinct.len(), numbers[0])
}

fn words(text: &str) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for word in text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()) {
        *counts.entry(word.to_owned()).or_default() += 1;
    }
    counts
}

/// How many numbers begin with each digit.
fn halves(numbers: &[String]) -> Vec<u64> {
    if numbers.len() < 500 {
        let mut digits = vec![0; 10];
        for number in numbers {
            digits[usize::from(number.as_bytes()[0] - b'0')] += 1;
        }
        return digits;
    }
    let (left, right) = numbers.split_at(numbers.len() / 2);
    let (left, right) = rayon::join(|| halves(left), || halves(right));
    std::iter::zip(left, right).map(|(left, right)| left + right).collect()
}
