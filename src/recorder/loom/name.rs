//! Names of labels.

use super::{explore, spawn};
use crate::recorder::Label;

/// Invariants 4 and 5: a name has one number, whoever brings it, and whoever has the number can read the name.
#[test]
fn a_name_gets_one_number_and_can_be_read_by_it() {
    explore(3, || {
        let other = spawn(|| [Label::new("a"), Label::new("b")]);
        let own = [Label::new("b"), Label::new("a")];
        assert_eq!(own.map(Label::name), ["b", "a"]);
        let mut others = other.join().unwrap();
        others.reverse();
        assert_eq!(others, own);
    });
}

/// Invariant 4: bytes for names are given out once, and numbers stop at the end of the table.
#[test]
fn names_beyond_the_room_are_all_one() {
    explore(2, || {
        let other = spawn(|| Label::new("a"));
        let own = ["b", "c"].map(Label::new);
        let labels = [other.join().unwrap(), own[0], own[1]];
        let given = labels.iter().filter(|label| label.name() != Label::OTHER);
        // There are two numbers.
        assert_eq!(given.count(), 2);
        for (label, name) in std::iter::zip(labels, ["a", "b", "c"]) {
            assert!(label.name() == name || label.name() == Label::OTHER);
        }
    });
}
