//! Types are told right for code whose allocations are known from its source.

mod sites;

use std::fmt::Write as _;

use alloclab::attribute::{Attributor, Names, Options, SiteTypes};
use alloclab::recorder::Recorder;
use alloclab::snapshot::{self, SiteKind, Snapshot};
use alloclab::symbolize::Symbols;
use sites::Site;

#[global_allocator]
static ALLOCATOR: Recorder = Recorder::system();

/// A site, and the stacks that allocated in it with their types.
struct Observed {
    site: Site,
    stacks: Vec<(snapshot::Site, SiteTypes)>,
}

fn observe() -> (Vec<Observed>, Attributor) {
    let sites = sites::all();
    // Twice, and the second time counts: the first fills caches of the standard library.
    sites.iter().for_each(|site| drop(site.record()));
    let snapshots: Vec<Snapshot> = sites.iter().map(Site::record).collect();
    let symbols = Symbols::load(&snapshots[0].modules).expect("the test can read its own file");
    let mut attributor = Attributor::new(symbols, Options::default());
    let observed = sites.into_iter().zip(snapshots).map(|(site, snapshot)| {
        let types = attributor.attribute(&snapshot).sites;
        let stacks = snapshot.sites.into_iter().zip(types);
        Observed { site, stacks: stacks.filter(|(stack, _)| stack.kind == SiteKind::Stack).collect() }
    });
    (observed.collect(), attributor)
}

/// What is wrong with a site, if anything, with the stacks to look at.
fn complaint(observed: &Observed, names: &Names, attributor: &mut Attributor) -> Option<String> {
    let Observed { site, stacks } = observed;
    let owns = |name: &str| stacks.iter().any(|(_, types)| names.short(types.owner) == name);
    let blocks = |name: &str| stacks.iter().any(|(_, types)| names.short(types.block) == name);
    let mut complaint = String::new();
    if !owns(site.owners[0]) || !blocks(site.blocks[0]) {
        let _ = writeln!(complaint, "  expected {} and {}", site.owners[0], site.blocks[0]);
    }
    for (stack, types) in stacks {
        let (owner, block) = (names.short(types.owner), names.short(types.block));
        if !site.owners.contains(&owner) || !site.blocks.contains(&block) || !complaint.is_empty() {
            let _ = writeln!(complaint, "  found {owner} with block {block}");
            for frame in attributor.stack(stack).frames.iter().take(20) {
                let _ =
                    writeln!(complaint, "    {} {}", frame.function, frame.location.as_deref().unwrap_or(""));
            }
        }
    }
    (!complaint.is_empty()).then(|| format!("{}:\n{complaint}", site.name))
}

#[test]
fn every_known_site_has_its_owner_and_its_block() {
    let (observed, mut attributor) = observe();
    let names = attributor.names();
    let wrong: Vec<String> =
        observed.iter().filter_map(|site| complaint(site, &names, &mut attributor)).collect();
    assert!(wrong.is_empty(), "{} of {} sites:\n{}", wrong.len(), observed.len(), wrong.join("\n"));
}
