//! The system's allocator alone.

mod work;

fn main() {
    work::print_nanos_per_allocation();
}
