//! The recorder around mimalloc: `cargo run` in this folder. jemalloc's `tikv_jemallocator::Jemalloc` is wrapped the same way.

use alloclab::recorder::{Recorder, measure};
use mimalloc::MiMalloc;

#[global_allocator]
static ALLOCATOR: Recorder<MiMalloc> = Recorder::wrap(MiMalloc);

fn main() {
    let measured = measure(|| (0..1000).map(|number: u32| number.to_string()).collect::<Vec<_>>()).unwrap();
    let totals = &measured.snapshot.totals;
    println!(
        "{} texts: {} allocations, {} bytes",
        measured.value.len(),
        totals.allocations,
        totals.allocated_bytes
    );
    println!("alive: {} blocks", totals.live_blocks);
}

#[cfg(test)]
mod tests {
    use alloclab::assertion::no_allocations;

    #[test]
    fn a_sum_allocates_nothing() {
        let numbers = [1, 2, 3];
        assert_eq!(no_allocations(|| numbers.iter().sum::<i32>()), 6);
    }
}
