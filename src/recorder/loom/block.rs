//! The shadow of blocks.

use super::{explore, spawn};
use crate::recorder::block::{self, Birth};

/// Bytes of addresses that a chunk shadows, in models.
const CHUNK: usize = 16;

fn birth(record: u32) -> Birth {
    Birth::new(record, 1, 1)
}

fn take(address: usize) -> Option<u32> {
    block::take(address).map(Birth::record)
}

/// Invariant 5: of threads that touch a chunk first at the same time, one maps it, and none loses a block.
#[test]
fn a_chunk_that_two_threads_touch_first_is_one() {
    explore(4, || {
        let other = spawn(|| {
            assert!(block::put(8, birth(2)));
            take(8)
        });
        assert!(block::put(0, birth(3)));
        assert_eq!((other.join().unwrap(), take(0), take(8)), (Some(2), Some(3), None));
    });
}

/// When a window opens, every block of those before it is forgotten. Where two threads took the last place in the list of
/// chunks, one chunk was used and not listed: its blocks were not forgotten.
#[test]
fn a_chunk_that_finds_no_place_in_the_list_was_used_and_never_cleared() {
    explore(3, || {
        assert!(block::put(0, birth(2)) && block::put(CHUNK, birth(2)));
        let other = spawn(|| block::put(2 * CHUNK, birth(2)));
        let own = block::put(3 * CHUNK, birth(2));
        let put = [other.join().unwrap(), own];
        assert!(put.contains(&true), "there is room for one");
        // SAFETY: no other thread is there any more.
        unsafe { block::clear() };
        for address in [0, CHUNK, 2 * CHUNK, 3 * CHUNK] {
            assert_eq!(take(address), None, "{put:?}");
        }
    });
}
