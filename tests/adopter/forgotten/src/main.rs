//! A program that lacks the line with the allocator.

#![forbid(unsafe_code)]

fn main() {
    if std::env::args().nth(1).as_deref() == Some("assert") {
        let list = alloclab::assertion::no_allocations(|| vec![1_u8; 10]);
        println!("no allocation for {list:?}");
    } else {
        let measured = alloclab::recorder::measure(|| vec![1_u8; 10]).unwrap();
        println!("{} allocations", measured.snapshot.totals.allocations);
    }
}
