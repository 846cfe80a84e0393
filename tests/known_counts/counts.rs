//! What std asks any allocator for.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::hint::black_box;
use std::sync::{Arc, Mutex};

use alloclab::recorder::measure;
use alloclab::snapshot::Counts;

fn counts<T>(work: impl FnOnce() -> T) -> (u64, u64, u64) {
    known(&measure(|| black_box(work())).unwrap().snapshot.totals)
}

fn known(totals: &Counts) -> (u64, u64, u64) {
    (totals.allocations, totals.reallocations, totals.new_size_bytes())
}

fn pushed<T>(count: u32, item: impl Fn(u32) -> T) -> Vec<T> {
    let mut list = Vec::new();
    for index in 0..black_box(count) {
        list.push(item(index));
    }
    list
}

#[test]
fn a_vector_of_numbers_starts_at_four_and_doubles() {
    assert_eq!(counts(|| pushed(20, |index| index)), (1, 3, 240));
}

#[test]
fn a_vector_of_bytes_starts_at_eight() {
    assert_eq!(counts(|| pushed(20, |index| index as u8)), (1, 2, 56));
}

#[test]
fn a_vector_of_large_items_starts_at_one() {
    assert_eq!(counts(|| pushed(20, |index| [index as u8; 2000])), (1, 5, 126_000));
}

#[test]
fn a_capacity_is_taken_at_once() {
    assert_eq!(counts(|| Vec::<u32>::with_capacity(black_box(20))), (1, 0, 80));
}

#[test]
fn a_string_grows_like_its_bytes() {
    let grown = || {
        let mut text = String::new();
        for _ in 0..black_box(100) {
            text.push('x');
        }
        text
    };
    assert_eq!(counts(grown), (1, 4, 248));
}

#[test]
fn format_estimates_from_its_literal_parts() {
    assert_eq!(counts(|| format!("k{}", black_box(7))), (1, 0, 2));
}

#[test]
fn a_number_to_string_takes_the_longest_it_could_be() {
    assert_eq!(counts(|| black_box(7_i32).to_string()), (1, 0, 10));
}

fn map_of(count: u64) -> HashMap<u64, u64> {
    let mut map = HashMap::new();
    for key in 0..black_box(count) {
        map.insert(key, key);
    }
    map
}

#[test]
fn a_hash_map_of_three_takes_four_buckets_and_their_control_bytes() {
    assert_eq!(counts(|| map_of(3)), (1, 0, 84));
}

#[test]
fn a_hash_map_of_a_hundred_is_made_anew_five_times() {
    assert_eq!(counts(|| map_of(100)), (6, 0, 4380));
}

#[test]
fn a_tree_allocates_its_nodes() {
    let tree = || {
        let mut map = BTreeMap::new();
        for key in 0..black_box(100_u64) {
            map.insert(key, key);
        }
        map
    };
    assert_eq!(counts(tree), (17, 0, 3552));
}

#[test]
fn a_deque_grows_like_a_vector() {
    let deque = || {
        let mut queue = VecDeque::new();
        for item in 0..black_box(20_u32) {
            queue.push_back(item);
        }
        queue
    };
    assert_eq!(counts(deque), (1, 3, 240));
}

#[test]
fn collecting_a_known_length_allocates_once() {
    assert_eq!(counts(|| (0..black_box(100_u32)).collect::<Vec<_>>()), (1, 0, 400));
}

#[test]
fn collecting_through_a_filter_grows() {
    assert_eq!(
        counts(|| (0..black_box(100_u32)).filter(|item| item % 2 == 0).collect::<Vec<_>>()),
        (1, 4, 496)
    );
}

#[test]
fn a_shared_pointer_holds_two_counts_beside_its_value() {
    assert_eq!(counts(|| Arc::new(black_box(7_u64))), (1, 0, 24));
}

#[test]
fn a_mutex_allocates_nothing() {
    assert_eq!(counts(|| Mutex::new(black_box(7_u64))), (0, 0, 0));
}
