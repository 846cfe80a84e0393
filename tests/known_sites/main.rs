//! Types are told right for code whose allocations are known from its source.
//!
//! In a build without the flags fewer are, and how many is told and held to bounds:
//! `RUSTFLAGS="" cargo test --target-dir target/without-flags --no-default-features --features symbolize --test known_sites
//! -- --nocapture every_known_site`, with `CARGO_PROFILE_DEV_DEBUG` (0, 1, 2) and `CARGO_PROFILE_DEV_OPT_LEVEL` in front.
#![cfg(feature = "symbolize")]

mod sites;

use std::any::type_name;
use std::collections::{BTreeMap, BinaryHeap, HashMap, HashSet, LinkedList};
use std::ffi::{CString, OsString};
use std::fmt::Write as _;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::rc::Rc;
use std::sync::{Arc, Mutex};

use alloclab::attribute::{Attributor, Names, Options, SiteTypes};
use alloclab::flags;
use alloclab::recorder::Recorder;
use alloclab::snapshot::{self, SiteKind, Snapshot};
use alloclab::symbolize::Symbols;
use sites::{Apple, Site};

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

/// What is wrong with a site, if anything, with the stacks to look at: every type must be among those expected, and the
/// first of those must be found.
fn complaint(
    observed: &Observed,
    attributor: &mut Attributor,
    expected: &[&str],
    name_of: impl Fn(&SiteTypes) -> String,
) -> Option<String> {
    let found: Vec<String> = observed.stacks.iter().map(|(_, types)| name_of(types)).collect();
    let is_expected = |name: &String| expected.contains(&name.as_str());
    let is_complete = found.iter().any(|name| name == expected[0]);
    if is_complete && found.iter().all(is_expected) {
        return None;
    }
    let mut text = format!("{}: expected {expected:?}", observed.site.name);
    let doubtful = found.iter().zip(&observed.stacks).filter(|(name, _)| !is_complete || !is_expected(name));
    for (name, (stack, _)) in doubtful {
        let _ = write!(text, "\n  found {name}");
        for frame in attributor.stack(stack).frames.iter().take(20) {
            let _ =
                write!(text, "\n    {} {}", frame.function, frame.location.as_deref().unwrap_or_default());
        }
    }
    Some(text)
}

/// How many sites are told right, how many only in part, and what is told wrong.
struct Figures {
    right: usize,
    /// Without a type, the owner by its block's or the reverse, with arguments left open or defaults spelled out, or as one
    /// of several candidates.
    vague: Vec<String>,
    wrong: Vec<String>,
}

fn figures(
    expected: impl Fn(&Site) -> &'static [&'static str],
    named: impl Fn(&Names, &SiteTypes) -> String,
) -> Figures {
    let (observed, mut attributor) = observe();
    let names = attributor.names();
    let mut figures = Figures { right: 0, vague: Vec::new(), wrong: Vec::new() };
    for site in &observed {
        let expected = expected(&site.site);
        let found = complaint(site, &mut attributor, expected, |types| named(&names, types));
        let is_known = |name: &str| site.site.owners.contains(&name) || site.site.blocks.contains(&name);
        let is_fair = |(_, types): &(_, SiteTypes)| {
            types.untyped
                || types.merged
                || is_known(&named(&names, types))
                || is_part_of(&named(&names, types), expected)
                || is_inside_of_container(&named(&names, types))
        };
        match found {
            None => figures.right += 1,
            Some(text) if site.stacks.iter().all(is_fair) => figures.vague.push(text),
            Some(text) => figures.wrong.push(text),
        }
    }
    figures
}

/// Whether a name is one of those expected, or would be with its arguments filled in or its defaults dropped.
fn is_part_of(name: &str, expected: &[&str]) -> bool {
    let base = |name: &str| name.split('<').next().map(str::to_owned);
    let is_open = |expected| name.contains('_') && base(name) == base(expected);
    let has_more =
        |expected: &str| name.starts_with(expected.trim_end_matches('>')) && base(name) == base(expected);
    expected.iter().any(|expected| is_open(expected) || has_more(expected))
}

/// Whether a type is what a container is made of: shown where the container's own functions were inlined and nothing names
/// them, or where nothing tells whether a name with a capital is a type or a trait.
fn is_inside_of_container(name: &str) -> bool {
    name.starts_with("RawVec<") || ["compact_str::Repr", "smol_str::Repr"].contains(&name)
}

/// What a build is held to: how many sites must be right, and how many may be wrong.
///
/// With all flags every site is right. Without them, what is not known must be left open. Only functions of equal code that
/// were merged into one give wrong types, and leave no trace that would tell; without optimization none are merged.
fn bounds(sites: usize) -> (usize, usize) {
    let lacks = |text| flags::missing().any(|flag| flag.text.contains(text));
    let merged = if lacks("mergefunc") && flags::OPT_LEVEL != "0" { MERGED_SITES } else { 0 };
    match () {
        () if flags::missing().next().is_none() => (sites, 0),
        () if lacks("debug") => (RIGHT_WITHOUT_DEBUG_INFORMATION, merged),
        () => (RIGHT_WITHOUT_FLAGS, merged),
    }
}

/// Of 214 sites, 201 are right in an optimized build with `debug = 1`, 206 with `debug = 2`, 213 without optimization.
const RIGHT_WITHOUT_FLAGS: usize = 200;

/// Where nothing names inlined functions, 18 are right, and the others are left open.
const RIGHT_WITHOUT_DEBUG_INFORMATION: usize = 15;

/// 9 sites with `debug = 1`, 6 with `debug = 2`.
const MERGED_SITES: usize = 9;

fn check(figures: &Figures) {
    let Figures { right, vague, wrong } = figures;
    let sites = right + vague.len() + wrong.len();
    let said = format!("of {sites} sites {right} right, {} vague, {} wrong", vague.len(), wrong.len());
    println!("{said}");
    let (least_right, most_wrong) = bounds(sites);
    let is_held = *right >= least_right && wrong.len() <= most_wrong;
    assert!(is_held, "{said}\nwrong:\n{}\nvague:\n{}", wrong.join("\n"), vague.join("\n"));
}

#[test]
fn every_known_site_has_its_owner() {
    check(&figures(|site| site.owners, |names, types| names.short(types.owner).to_owned()));
}

#[test]
fn every_known_site_has_its_block() {
    check(&figures(|site| site.blocks, |names, types| names.short(types.block).to_owned()));
}

#[test]
fn owners_are_the_same_in_a_build_without_optimization() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("known-sites");
    let output = Command::new(env!("CARGO"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(["test", "--profile", "unoptimized", "--no-default-features", "--features", "symbolize"])
        .args(["--test", "known_sites", "--target-dir"])
        .arg(folder)
        .args(["--", "--exact", "every_known_site_has_its_owner"])
        .output()
        .expect("cargo can be started");
    let said = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.contains("1 passed"), "{said}\n{errors}");
}

#[test]
fn full_names_are_those_of_type_name() {
    let (observed, mut attributor) = observe();
    let names = attributor.names();
    let expected = [
        ("a box", type_name::<Box<Apple>>()),
        ("a box of an array", type_name::<Box<[u64; 2]>>()),
        ("bytes pushed", type_name::<Vec<u8>>()),
        ("boxed closures pushed", type_name::<Vec<Box<dyn Fn(u64) -> u64>>>()),
        ("shared behind a lock", type_name::<Arc<Mutex<Apple>>>()),
        ("a vector counted", type_name::<Rc<[Apple]>>()),
        ("a map", type_name::<HashMap<u64, Apple>>()),
        ("a set", type_name::<HashSet<u64>>()),
        ("a tree", type_name::<BTreeMap<u64, Apple>>()),
        ("a list", type_name::<LinkedList<Apple>>()),
        ("a heap", type_name::<BinaryHeap<Apple>>()),
        ("a reader's buffer", type_name::<BufReader<&[u8]>>()),
        ("a path", type_name::<PathBuf>()),
        ("system text", type_name::<OsString>()),
        ("C text", type_name::<CString>()),
        ("an indexed map", type_name::<indexmap::IndexMap<u64, Apple>>()),
        ("hashbrown's map", type_name::<hashbrown::HashMap<u64, Apple>>()),
        ("an arena", type_name::<bumpalo::Bump>()),
    ];
    let differences = expected.iter().filter_map(|(site, name)| {
        let observed = observed.iter().find(|observed| observed.site.name == *site).expect("the site exists");
        let found = names.path(observed.stacks[0].1.owner);
        (found != *name).then(|| format!("{site}: {found} instead of {name}"))
    });
    let differences: Vec<String> = differences.collect();
    let (_, most_wrong) = bounds(observed.len());
    assert!(differences.len() <= most_wrong, "{differences:?}");
}

#[test]
fn stacks_name_functions_and_places_without_this_machine() {
    let (observed, mut attributor) = observe();
    let site = observed.iter().find(|observed| observed.site.name == "a box").expect("the site exists");
    let stack = attributor.stack(&site.stacks[0].0);
    let own = &stack.frames[stack.own_frame.expect("the site is the program's own code")];
    assert_eq!(&*own.function, "sites::pointers::boxes::{closure}");
    assert!(
        own.location
            .as_deref()
            .is_some_and(|place| place.starts_with("tests/known_sites/sites/pointers.rs:"))
    );
    for (site, _) in observed.iter().flat_map(|observed| &observed.stacks) {
        for frame in attributor.stack(site).frames {
            assert!(!frame.location.is_some_and(|place| place.starts_with('/')), "{}", frame.function);
            assert!(!frame.function.contains("17h"), "{}", frame.function);
        }
    }
}
