//! The system's allocator alone.

mod work;

fn main() {
    println!("{:.2}", work::nanos_per_allocation(std::time::Duration::from_millis(5), 100));
}
