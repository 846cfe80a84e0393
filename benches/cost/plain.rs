//! The system's allocator alone.

mod work;

fn main() {
    work::print_cost();
}
