//! The system's allocator alone.

use std::alloc::System;

mod work;

/// Named, so that it is inlined like the others: without this line calls take a way of their own, which is longer.
#[global_allocator]
static ALLOCATOR: System = System;

fn main() {
    work::print_cost();
}
