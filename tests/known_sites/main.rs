//! Types are told right for code whose allocations are known from its source.

mod sites;

use std::collections::BTreeSet;

use alloclab::attribute::{Attribution, Attributor, Options};
use alloclab::recorder::Recorder;
use alloclab::snapshot::Snapshot;
use alloclab::symbolize::Symbols;
use sites::Site;

#[global_allocator]
static ALLOCATOR: Recorder = Recorder::system();

/// A site with what was recorded and found.
struct Observed {
    site: Site,
    snapshot: Snapshot,
    attribution: Attribution,
}

fn observe() -> (Vec<Observed>, Attributor) {
    let sites = sites::all();
    // Twice, and the second time counts: the first fills caches of the standard library.
    sites.iter().for_each(|site| drop(site.record()));
    let snapshots: Vec<Snapshot> = sites.iter().map(Site::record).collect();
    let symbols = Symbols::load(&snapshots[0].modules).expect("the test can read its own file");
    let mut attributor = Attributor::new(symbols, Options::default());
    let observed = sites.into_iter().zip(snapshots).map(|(site, snapshot)| {
        let attribution = attributor.attribute(&snapshot);
        Observed { site, snapshot, attribution }
    });
    (observed.collect(), attributor)
}

#[test]
fn every_known_site_has_its_owner_and_its_block() {
    let (observed, mut attributor) = observe();
    let names = attributor.names();
    let mut wrong = Vec::new();
    for Observed { site, attribution, .. } in &observed {
        let owners: BTreeSet<&str> = attribution.sites.iter().map(|types| names.short(types.owner)).collect();
        let blocks: BTreeSet<&str> = attribution.sites.iter().map(|types| names.short(types.block)).collect();
        for (what, found, expected) in [("owners", owners, site.owners), ("blocks", blocks, site.blocks)] {
            if !found.contains(expected[0]) || !found.iter().all(|name| expected.contains(name)) {
                wrong.push(format!("{}: {what} {found:?}, expected {expected:?}", site.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {} sites:\n{}", wrong.len(), observed.len(), wrong.join("\n"));
}
