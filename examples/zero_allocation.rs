//! Tests that a hot path allocates nothing, and that a start-up stays in its budget: `cargo test --example zero_allocation`.
//!
//! The tests below are what a program of one's own would have beside its code. They run in parallel like any others.

use std::collections::HashMap;

use alloclab::recorder::Recorder;

#[global_allocator]
static ALLOCATOR: Recorder = Recorder::system();

/// Prices by symbol.
struct Book {
    prices: HashMap<String, f64>,
}

impl Book {
    fn new(symbols: &[&str]) -> Self {
        Self { prices: symbols.iter().map(|symbol| ((*symbol).to_owned(), 0.0)).collect() }
    }

    /// Takes a line like `ACME 10.25`; false if it is about nothing that the book has.
    fn update(&mut self, line: &str) -> bool {
        let Some((symbol, price)) = line.split_once(' ') else { return false };
        let (Some(known), Ok(price)) = (self.prices.get_mut(symbol), price.parse()) else { return false };
        *known = price;
        true
    }
}

fn main() {
    let mut book = Book::new(&["ACME", "XYZ"]);
    let known = ["ACME 10.25", "NONE 1", "XYZ 7.5"].map(|line| book.update(line));
    println!("{known:?}: ACME is at {}", book.prices["ACME"]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloclab::assertion::{Limits, no_allocations, no_growth};

    #[test]
    fn an_update_allocates_nothing() {
        let mut book = Book::new(&["ACME", "XYZ"]);
        let is_known = no_allocations(|| book.update("ACME 10.25"));
        assert!(is_known);
    }

    #[test]
    fn a_book_is_a_map_and_its_keys() {
        let book = Limits::new().allocations(3).reallocations(0).assert(|| Book::new(&["ACME", "XYZ"]));
        assert_eq!(book.prices.len(), 2);
    }

    #[test]
    fn a_book_that_is_replaced_does_not_grow() {
        let mut book = Book::new(&[]);
        no_growth(|| book = Book::new(&["ACME", "XYZ"]));
        assert!(book.update("XYZ 7.5"));
    }

    #[test]
    #[should_panic(expected = "allocations: at most 0 allowed, 1 seen")]
    fn a_copy_of_the_line_would_be_seen() {
        no_allocations(|| drop(std::hint::black_box("ACME 10.25".to_owned())));
    }
}
