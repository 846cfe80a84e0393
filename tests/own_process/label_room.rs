//! More labels than there is room for.

use std::hint::black_box;

use alloclab::recorder::{Label, measure};
use libtest_mimic::Failed;

/// Labels that a process can have.
const CAPACITY: usize = 4094;

pub(crate) fn labels_beyond_the_room_are_counted_as_other_labels() -> Result<(), Failed> {
    let names: Vec<String> = (0..CAPACITY + 3).map(|index| format!("label {index}")).collect();
    let measured = measure(|| {
        for name in &names {
            Label::new(name).in_scope(|| drop(black_box(Box::new([0_u8; 24]))));
        }
    });
    let snapshot = measured.unwrap().snapshot;
    assert_eq!(snapshot.totals.allocations as usize, names.len());
    // A label of another test of this process may have taken some room.
    let room = snapshot.labels.len() - 1;
    assert!((CAPACITY - 4..=CAPACITY).contains(&room), "{room}");
    assert_eq!(snapshot.labels[..room], names[..room]);
    assert_eq!(snapshot.labels[room], Label::OTHER);
    for site in &snapshot.sites {
        let label = site.label.expect("every block was made in a scope") as usize;
        assert_eq!(site.counts.allocations, if label == room { (names.len() - room) as u64 } else { 1 });
    }
    // Those that are known stay known.
    assert_eq!(Label::new("label 7").name(), "label 7");
    assert_eq!(Label::new("one more"), Label::new(Label::OTHER));
    Ok(())
}
