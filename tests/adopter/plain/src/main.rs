//! The least that an adopter writes.

#![forbid(unsafe_code)]

use alloclab::assertion::no_allocations;
use alloclab::recorder::{Recorder, measure};

#[global_allocator]
static ALLOCATOR: Recorder = Recorder::system();

fn main() {
    let measured = measure(|| "seven".to_string()).unwrap();
    let totals = &measured.snapshot.totals;
    println!("{} allocation, {} bytes", totals.allocations, totals.allocated_bytes);
    println!("{} letters", no_allocations(|| measured.value.len()));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_length_needs_no_allocation() {
        let text = String::from("seven");
        assert_eq!(no_allocations(|| text.len()), 5);
    }

    #[test]
    fn a_copy_needs_one() {
        no_allocations(|| drop(std::hint::black_box(String::from("seven"))));
    }
}
