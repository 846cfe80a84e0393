//! A snapshot's file: what is written reads back equal; what nobody has written fails with an error that says where, and
//! takes no more memory than the bytes justify.

mod random;

use std::collections::BTreeMap;
use std::fs;
use std::hint::black_box;
use std::sync::{Mutex, MutexGuard};

use alloclab::error::ErrorKind;
use alloclab::recorder::{Recorder, WindowOptions, measure};
use alloclab::snapshot::{
    Build, Counts, Event, EventKind, LIFETIME_CLASSES, Module, Peak, Site, SiteKind, Snapshot, Stacks,
};
use random::Random;

#[global_allocator]
static ALLOCATOR: Recorder = Recorder::system();

/// Windows over the process exclude others.
static WINDOW: Mutex<()> = Mutex::new(());

fn window() -> MutexGuard<'static, ()> {
    WINDOW.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

const HEADER_BYTES: usize = 12;
const CHECKSUM_BYTES: usize = 8;

/// Puts the checksum of all other bytes at the end.
fn seal(bytes: &mut [u8]) {
    let Some(content) = bytes.len().checked_sub(CHECKSUM_BYTES) else { return };
    let (content, end) = bytes.split_at_mut(content);
    let fnv = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
    end.copy_from_slice(&content.iter().fold(0xcbf2_9ce4_8422_2325, fnv).to_le_bytes());
}

/// Blocks of many sizes, made at stacks of many depths.
fn grow(depth: usize, random: &mut Random) -> BTreeMap<usize, Vec<u8>> {
    let mut map = if depth == 0 { BTreeMap::new() } else { grow(depth - 1, random) };
    let bytes = 1 + random.below(5000);
    map.insert(depth * 7 % 31, black_box(vec![1; bytes]));
    map
}

/// What the recorder saw of some work, different for each seed.
fn recorded(seed: u64) -> Snapshot {
    let mut random = Random(seed);
    let options = WindowOptions::new().events(random.below(200));
    let window =
        if seed.is_multiple_of(2) { options.open_over_process() } else { options.open_over_thread() };
    let window = window.unwrap();
    drop(grow(random.below(90), &mut random));
    let kept = grow(random.below(20), &mut random);
    std::thread::spawn(move || drop(kept)).join().unwrap();
    window.close()
}

/// A number of any length that a figure can have, and sums of it over some sites.
fn number(random: &mut Random) -> u64 {
    let digits = 8 + random.below(56);
    (random.below(1 << 32) as u64) << 32 >> digits | random.below(2) as u64
}

fn list<T>(random: &mut Random, limit: usize, mut item: impl FnMut(&mut Random) -> T) -> Vec<T> {
    (0..random.below(limit)).map(|_| item(random)).collect()
}

fn made_counts(random: &mut Random) -> Counts {
    let mut lifetimes = [0; LIFETIME_CLASSES];
    lifetimes.fill_with(|| number(random));
    Counts {
        allocations: number(random),
        zeroed: number(random),
        allocated_bytes: number(random),
        reallocations: number(random),
        grown: number(random),
        shrunk: number(random),
        moved: number(random),
        grown_bytes: number(random),
        shrunk_bytes: number(random),
        reallocated_new_bytes: number(random),
        deallocations: number(random),
        freed_bytes: number(random),
        freed_elsewhere: number(random),
        failed: number(random),
        live_blocks: number(random),
        live_bytes: number(random),
        peak_blocks: number(random),
        peak_bytes: number(random),
        lifetime_sum: number(random),
        lifetimes,
    }
}

fn made_site(random: &mut Random, labels: usize) -> Site {
    Site {
        kind: [SiteKind::Stack, SiteKind::Overflow, SiteKind::Outside][random.below(3)],
        // Few addresses, so that stacks have some in common.
        frames: list(random, 100, |random| u64::MAX - random.below(4) as u64),
        truncated: random.below(2) == 1,
        label: random.below(labels + 1).checked_sub(1).map(|label| label as u32),
        counts: made_counts(random),
        size_classes: list(random, 5, |random| (random.below(64) as u8, number(random))),
    }
}

fn made_module(random: &mut Random) -> Module {
    Module {
        path: format!("/srv/größe/{}", random.below(1000)).into(),
        bias: number(random),
        ranges: list(random, 4, |random| number(random)..number(random)),
        build_id: list(random, 30, |random| random.below(256) as u8),
    }
}

fn made_event(random: &mut Random, sites: usize) -> Event {
    Event {
        kind: [EventKind::Allocate, EventKind::Reallocate, EventKind::Free][random.below(3)],
        site: random.below(sites) as u32,
        former_site: random.below(sites) as u32,
        bytes: number(random),
        former_bytes: number(random),
    }
}

/// A snapshot in which every field has something.
fn made(seed: u64) -> Snapshot {
    made_of(seed, 30)
}

/// The same with a limit of sites.
fn made_of(seed: u64, limit: usize) -> Snapshot {
    let random = &mut Random(seed);
    let labels = list(random, 5, |random| "é".repeat(random.below(9)));
    let mut sites = list(random, limit, |random| made_site(random, labels.len()));
    sites.push(made_site(random, labels.len()));
    Snapshot {
        totals: made_counts(random),
        peak: Peak {
            bytes: number(random),
            blocks: number(random),
            error_bytes: number(random),
            requests: [None, Some(number(random) / 2)][random.below(2)],
        },
        threads: number(random) as u32,
        stacks: [Stacks::None, Stacks::FramePointers, Stacks::Unwinder][random.below(3)],
        recorder_bytes: number(random),
        overflowed: number(random),
        untracked: number(random),
        torn: random.below(2) == 1,
        events: list(random, 20, |random| made_event(random, sites.len())),
        events_lost: number(random),
        modules: list(random, 4, made_module),
        labels,
        sites,
        build: Build {
            alloclab: "0.1".repeat(random.below(3)),
            rustc: "rustc".repeat(random.below(3)),
            target: "x86".repeat(random.below(3)),
            opt_level: "3".repeat(random.below(2)),
            missing_flags: list(random, 3, |random| "-C".repeat(random.below(4))),
        },
    }
}

#[test]
fn what_the_recorder_saw_reads_back_equal() {
    let _window = window();
    for seed in 1..60 {
        let snapshot = recorded(seed);
        assert!(snapshot.totals.allocations > 0 && !snapshot.modules.is_empty());
        assert_eq!(Snapshot::from_bytes(&snapshot.to_bytes()).unwrap(), snapshot);
    }
}

#[test]
fn every_field_reads_back_equal() {
    let _window = window();
    for seed in 1..500 {
        let snapshot = made(seed);
        assert_eq!(Snapshot::from_bytes(&snapshot.to_bytes()).unwrap(), snapshot);
    }
}

#[test]
fn a_file_is_replaced_whole_and_nothing_is_left_beside_it() {
    let _window = window();
    let folder = std::env::temp_dir().join(format!("alloclab-snapshot-file-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let place = folder.join("heap.alloclab");
    for seed in 1..4 {
        made(seed).write(&place).unwrap();
        assert_eq!(Snapshot::read(&place).unwrap(), made(seed));
    }
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
    let error = made(4).write(folder.join("missing/heap.alloclab")).unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::NotFound);
    assert!(error.to_string().contains("missing/heap.alloclab: "), "{error}");
    // A folder stands where the file should: what was written beside it goes again.
    fs::create_dir(folder.join("taken")).unwrap();
    made(5).write(folder.join("taken")).unwrap_err();
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 2);
    fs::remove_dir_all(folder).unwrap();
}

#[cfg(unix)]
#[test]
fn a_device_that_a_snapshot_is_written_to_stays_one() {
    let _window = window();
    made(6).write("/dev/null").unwrap();
    assert!(!fs::metadata("/dev/null").unwrap().is_file());
}

#[test]
fn fifty_thousand_deep_sites_take_few_megabytes() {
    let _window = window();
    let mut random = Random(7);
    let mut stack: Vec<u64> = (0..64).map(|frame| 0x5555_5555_0000 + frame * 1000).collect();
    let sites = (0..50_000).map(|_| {
        let inner = 1 + random.below(20);
        stack[..inner].fill_with(|| 0x5555_5555_0000 + random.below(30_000) as u64 * 16);
        let counts = Counts { allocations: 1000, allocated_bytes: 64_000, ..Counts::default() };
        Site { frames: stack.clone(), counts, size_classes: vec![(6, 1000)], ..Site::default() }
    });
    let snapshot = Snapshot { sites: sites.collect(), ..Snapshot::default() };
    let bytes = snapshot.to_bytes();
    assert!(bytes.len() < 6 << 20, "{} bytes", bytes.len());
    assert_eq!(Snapshot::from_bytes(&bytes).unwrap(), snapshot);
}

#[test]
fn a_file_cut_off_anywhere_is_an_error_that_says_so() {
    let _window = window();
    let bytes = made(11).to_bytes();
    for length in 0..bytes.len() {
        let error = Snapshot::from_bytes(&bytes[..length]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Malformed);
        assert!(error.help().is_some());
        let is_told = error.to_string().contains("ends where") || error.to_string().contains("bytes do");
        assert!(is_told || length == 0, "{length} of {}: {error}", bytes.len());
    }
}

#[test]
fn other_files_and_other_versions_are_told_apart() {
    let _window = window();
    let mut bytes = made(12).to_bytes();
    let error = |bytes: &[u8]| Snapshot::from_bytes(bytes).unwrap_err();
    assert_eq!(error(b"\x7fELF").to_string(), "offset 0: the file is no snapshot of alloclab");
    bytes.push(0);
    assert!(error(&bytes).to_string().ends_with("the end of the file is expected here"));
    bytes.pop();
    *bytes.last_mut().unwrap() ^= 1;
    assert!(error(&bytes).to_string().contains("checksum"));
    bytes[8] = 9;
    assert_eq!(error(&bytes).kind(), ErrorKind::Version);
    assert!(error(&bytes).to_string().contains("version 9"));
    let missing = Snapshot::read("no/such/file").unwrap_err();
    assert_eq!(missing.kind(), ErrorKind::Io);
    assert!(missing.to_string().starts_with("no/such/file: "));
}

#[test]
fn a_number_of_things_that_cannot_follow_is_refused_before_there_is_room_for_them() {
    let _window = window();
    let mut bytes = Snapshot::default().to_bytes();
    // Flags, five empty parts of the build and nine figures stand before the number of loaded files.
    let claim = HEADER_BYTES + 15;
    bytes.splice(claim..claim + 1, [0xff, 0xff, 0xff, 0xff, 0x7f]);
    seal(&mut bytes);
    let measured = measure(|| Snapshot::from_bytes(&bytes).unwrap_err()).unwrap();
    let expected = format!("offset {claim}: 34359738367 times a loaded file is said to follow, but only ");
    assert!(measured.value.to_string().starts_with(&expected), "{}", measured.value);
    assert!(measured.snapshot.peak.bytes < 1000);
}

#[test]
fn a_size_class_that_no_size_has_is_refused() {
    let _window = window();
    let site = |class| Site { size_classes: vec![(class, 1)], ..Site::default() };
    let read = |class| {
        let snapshot = Snapshot { sites: vec![site(class)], ..Snapshot::default() };
        Snapshot::from_bytes(&snapshot.to_bytes())
    };
    read(63).unwrap();
    let error = read(64).unwrap_err().to_string();
    assert!(error.ends_with(": the file is damaged: a size class is expected here"), "{error}");
}

#[test]
fn figures_that_could_not_be_added_are_refused() {
    let _window = window();
    const LARGEST: u64 = 1 << 62;
    let read = |sites: &[Counts], totals: Counts| {
        let sites = sites.iter().map(|counts| Site { counts: counts.clone(), ..Site::default() });
        let snapshot = Snapshot { sites: sites.collect(), totals, ..Snapshot::default() };
        Snapshot::from_bytes(&snapshot.to_bytes()).map_err(|error| error.to_string())
    };
    let bytes = |bytes| Counts { allocated_bytes: bytes, grown_bytes: bytes, ..Counts::default() };
    let totals = read(&[bytes(LARGEST - 5), bytes(5)], bytes(LARGEST)).unwrap().totals;
    assert_eq!(totals.requested_bytes(), 2 * LARGEST);
    let error = read(&[bytes(LARGEST + 1)], bytes(0)).unwrap_err();
    assert!(error.ends_with(": the file is damaged: a count is out of range"), "{error}");
    assert_eq!(
        read(&[], bytes(u64::MAX)).unwrap_err(),
        "offset 33: the file is damaged: a count is out of range"
    );
    let error = read(&[bytes(LARGEST), bytes(0), bytes(1)], bytes(0)).unwrap_err();
    assert!(error.ends_with("the sum of a figure over the sites up to here is out of range"), "{error}");
    let classes = Site { size_classes: vec![(3, LARGEST), (3, 1)], ..Site::default() };
    let snapshot = Snapshot { sites: vec![classes], ..Snapshot::default() };
    Snapshot::from_bytes(&snapshot.to_bytes()).unwrap_err();
    let peak = Peak { bytes: u64::MAX, ..Peak::default() };
    let error = Snapshot::from_bytes(&Snapshot { peak, ..Snapshot::default() }.to_bytes()).unwrap_err();
    assert!(error.to_string().ends_with("a figure is out of range"), "{error}");
}

/// As much of everything as a reader lets pass.
#[cfg(feature = "harness")]
fn filled(mut snapshot: Snapshot) -> Snapshot {
    const LARGEST: u64 = 1 << 62;
    let counts = |figure| Counts {
        allocations: figure,
        allocated_bytes: figure,
        reallocations: figure,
        grown_bytes: figure,
        reallocated_new_bytes: figure,
        lifetime_sum: figure,
        lifetimes: [figure; LIFETIME_CLASSES],
        ..Counts::default()
    };
    let share = LARGEST / snapshot.sites.len() as u64;
    for site in &mut snapshot.sites {
        site.counts = counts(share);
        site.size_classes = vec![(63, share)];
    }
    snapshot.totals = counts(LARGEST);
    snapshot.events.iter_mut().for_each(|event| event.bytes = LARGEST);
    snapshot
}

/// What a reader lets pass, whoever gives it names can bear.
#[cfg(feature = "harness")]
#[test]
fn mutated_recordings_of_this_program_get_names() {
    use alloclab::harness;

    let _window = window();
    let mut random = Random(0xface);
    let original = recorded(2);
    let most = Snapshot::from_bytes(&filled(original.clone()).to_bytes()).unwrap();
    let case = &harness::recorded(most, None).unwrap().results.cases[0];
    assert_eq!((case.size_classes[0].from_bytes, case.size_classes[0].to_bytes), (1 << 63, u64::MAX));
    let bytes = original.to_bytes();
    let mut named = 0;
    while named < 20 {
        let mut mutated = bytes.clone();
        mutate(&mut random, &mut mutated);
        seal(&mut mutated);
        let Ok(mut mutated) = Snapshot::from_bytes(&mutated) else { continue };
        mutated.modules.clone_from(&original.modules);
        if mutated != original {
            harness::recorded(mutated, None).unwrap();
            named += 1;
        }
    }
}

/// Changes, cuts or repeats some bytes.
fn mutate(random: &mut Random, bytes: &mut Vec<u8>) {
    for _ in 0..=random.below(3) {
        let at = random.below(bytes.len().max(1));
        match (random.below(5), bytes.get_mut(at)) {
            (0, Some(byte)) => *byte = random.below(256) as u8,
            (1, Some(byte)) => *byte ^= 1 << random.below(8),
            (2, Some(byte)) => *byte = 0xff,
            (3, Some(_)) => bytes.truncate(at),
            _ => bytes.insert(at, random.below(256) as u8),
        }
    }
}

/// Bytes that a reader may hold at once for each byte of the input.
const BYTES_PER_BYTE: u64 = 32;

#[test]
fn a_hundred_thousand_mutations_read_or_fail() {
    let _window = window();
    let mut random = Random(0x5eed_5eed);
    let (mut read, mut sealed) = (0, Vec::new());
    for seed in 1..=100 {
        let original = made_of(seed, 3).to_bytes();
        sealed.clear();
        let longest = original.len() as u64 + 8;
        let measured = measure(|| {
            for _ in 0..1000 {
                sealed.clear();
                sealed.extend_from_slice(&original);
                mutate(&mut random, &mut sealed);
                seal(&mut sealed);
                if let Ok(snapshot) = Snapshot::from_bytes(&sealed) {
                    read += 1;
                    assert_eq!(Snapshot::from_bytes(&snapshot.to_bytes()).unwrap(), snapshot);
                }
            }
        });
        let peak = measured.unwrap().snapshot.peak.bytes;
        assert!(peak < BYTES_PER_BYTE * 2 * longest + 4096, "{peak} bytes for {longest}");
    }
    assert!((1000..99_000).contains(&read), "{read} of 100,000 can be read");
}
