//! mod-alloc: counters, and call sites by stacks of some frames.

use mod_alloc::ModAlloc;

mod work;

#[global_allocator]
static ALLOCATOR: ModAlloc = ModAlloc::new();

fn main() {
    work::print_cost();
}
