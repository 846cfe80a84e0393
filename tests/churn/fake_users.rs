//! What it allocates to make the fake users: part of the measured operation where they are made within it.

use std::collections::BTreeSet;
use std::hint::black_box;

use alloclab::model::User;
use alloclab::recorder::WindowOptions;

#[test]
fn users_are_made_of_strings_in_a_vector_and_each_block_says_so() {
    let window = WindowOptions::new().open_over_thread().unwrap();
    drop(black_box(User::list()));
    let snapshot = window.close();
    assert_eq!(snapshot.totals.deallocations, snapshot.totals.allocations);
    let mut attributor = crate::attributor();
    let attribution = attributor.attribute(&snapshot);
    let names = attributor.names();
    let types: BTreeSet<&str> = attribution.sites.iter().map(|site| names.path(site.owner)).collect();
    assert_eq!(types, ["alloc::string::String", "alloc::vec::Vec<alloclab::model::user::User>"].into());
}

#[test]
fn a_user_takes_its_seven_strings_and_four_that_go_at_once() {
    let window = WindowOptions::new().open_over_thread().unwrap();
    let users = black_box(User::list());
    let snapshot = window.close();
    let kept = 1 + 7 * users.len() as u64;
    assert_eq!(snapshot.totals.allocations - snapshot.totals.deallocations, kept);
    // The name in an address before and after it is cleaned, a telephone number's mask, and a name in lower case.
    assert_eq!(snapshot.totals.allocations, kept + 4 * users.len() as u64);
}
