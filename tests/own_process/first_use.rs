//! What the standard library allocates for itself inside of a container's constructor is not the container's.

use std::hint::black_box;

use alloclab::attribute::{Attributor, Options};
use alloclab::recorder::measure;
use alloclab::symbolize::Symbols;
use libtest_mimic::Failed;

pub(crate) fn counting_the_processors_is_not_the_maps_work() -> Result<(), Failed> {
    // The first map of a process asks for the number of processors, for which std reads files.
    let measured =
        measure(|| black_box(dashmap::DashMap::<u64, u64>::new())).expect("no other window is open");
    let symbols = Symbols::load(&measured.snapshot.modules).expect("the test can read its own file");
    let mut attributor = Attributor::new(symbols, Options::default());
    let types = attributor.attribute(&measured.snapshot).sites;
    let names = attributor.names();
    for (site, types) in measured.snapshot.sites.iter().zip(&types) {
        let frames = attributor.stack(site).frames;
        let is_counting = frames.iter().any(|frame| frame.function.contains("available_parallelism"));
        let is_map = names.short(types.owner).starts_with("DashMap<");
        assert_ne!(is_counting, is_map, "{} for {frames:#?}", names.short(types.owner));
    }
    let counting = types.iter().filter(|types| !names.short(types.owner).starts_with("DashMap<")).count();
    assert!(counting > 0, "std counts processors without allocating: the test sees nothing");
    Ok(())
}
