//! Profiles read back by the numbers of the public schema, without the messages that wrote them:
//! <https://github.com/google/pprof/blob/main/proto/profile.proto>.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashSet};
use std::io::Read;

use alloclab::report::{View, find};
use alloclab::results::{Results, SiteRow};
use flate2::read::GzDecoder;

use crate::formats::peculiar;
use crate::sample::span_profile;
use crate::sample_run::{Site, run};

/// A field's value, as it stands on the wire.
enum Wire<'a> {
    Number(u64),
    Bytes(&'a [u8]),
}

fn varint(bytes: &mut &[u8]) -> u64 {
    let mut number = 0;
    for shift in (0..).step_by(7) {
        let (first, rest) = bytes.split_first().unwrap();
        *bytes = rest;
        number |= u64::from(first & 0x7f) << shift;
        if first & 0x80 == 0 {
            return number;
        }
    }
    unreachable!()
}

/// The fields of a message by their numbers.
struct Message<'a>(BTreeMap<u64, Vec<Wire<'a>>>);

impl<'a> Message<'a> {
    fn read(mut bytes: &'a [u8]) -> Self {
        let mut fields = BTreeMap::<u64, Vec<Wire<'_>>>::new();
        while !bytes.is_empty() {
            let key = varint(&mut bytes);
            let value = match key & 7 {
                0 => Wire::Number(varint(&mut bytes)),
                2 => {
                    let length = varint(&mut bytes) as usize;
                    let (value, rest) = bytes.split_at(length);
                    bytes = rest;
                    Wire::Bytes(value)
                }
                other => panic!("no field of the schema is of wire type {other}"),
            };
            fields.entry(key >> 3).or_default().push(value);
        }
        Self(fields)
    }

    fn values(&self, field: u64) -> &[Wire<'a>] {
        self.0.get(&field).map_or(&[], Vec::as_slice)
    }

    fn number(&self, field: u64) -> u64 {
        match self.values(field) {
            [] => 0,
            [Wire::Number(number)] => *number,
            _ => panic!("field {field} is one number"),
        }
    }

    /// Numbers of a repeated field, packed or not.
    fn numbers(&self, field: u64) -> Vec<u64> {
        let mut numbers = Vec::new();
        for value in self.values(field) {
            match value {
                Wire::Number(number) => numbers.push(*number),
                Wire::Bytes(bytes) => {
                    let mut rest = *bytes;
                    while !rest.is_empty() {
                        numbers.push(varint(&mut rest));
                    }
                }
            }
        }
        numbers
    }

    fn bytes(&self, field: u64) -> Vec<&'a [u8]> {
        let values = self.values(field).iter();
        values.map(|value| if let Wire::Bytes(bytes) = value { *bytes } else { panic!("no bytes") }).collect()
    }

    fn messages(&self, field: u64) -> Vec<Message<'a>> {
        self.bytes(field).into_iter().map(Message::read).collect()
    }
}

/// A sample with all names in place of numbers.
#[derive(Debug, PartialEq)]
struct Sample {
    /// Function, file, line; innermost first.
    stack: Vec<(String, String, u64)>,
    values: Vec<u64>,
    labels: BTreeMap<String, String>,
}

struct Profile {
    sample_types: Vec<(String, String)>,
    samples: Vec<Sample>,
    /// File and build id.
    mapping: (String, String),
    comments: Vec<String>,
    default_sample_type: String,
    period: (String, String, u64),
    functions: usize,
    locations: usize,
}

fn unzipped(results: &Results) -> Vec<u8> {
    let file = find("pprof").unwrap().render(results, &View::default()).unwrap();
    assert_eq!(file[4..8], [0; 4], "the time of a gzip header");
    let mut bytes = Vec::new();
    GzDecoder::new(file.as_slice()).read_to_end(&mut bytes).unwrap();
    bytes
}

/// Messages with an identifier in field 1, by it.
fn by_id(messages: Vec<Message<'_>>) -> BTreeMap<u64, Message<'_>> {
    let count = messages.len();
    let by_id: BTreeMap<_, _> = messages.into_iter().map(|message| (message.number(1), message)).collect();
    assert_eq!(by_id.len(), count, "identifiers are unique");
    assert!(!by_id.contains_key(&0), "0 stands for none");
    by_id
}

/// Reads a profile; fails where it breaks a rule of the schema or holds what nothing refers to.
fn read(results: &Results) -> Profile {
    let bytes = unzipped(results);
    let profile = Message::read(&bytes);
    assert!(profile.0.keys().all(|field| [1, 2, 3, 4, 5, 6, 11, 12, 13, 14].contains(field)));
    let strings: Vec<String> =
        profile.bytes(6).into_iter().map(|text| str::from_utf8(text).unwrap().to_owned()).collect();
    assert_eq!(strings[0], "");
    let distinct: HashSet<_> = strings.iter().collect();
    assert_eq!(distinct.len(), strings.len(), "each string stands once");
    let referred = RefCell::new(HashSet::from([0]));
    let string = |index: u64| {
        referred.borrow_mut().insert(index);
        strings[index as usize].clone()
    };
    let value_type = |message: &Message<'_>| (string(message.number(1)), string(message.number(2)));
    let sample_types: Vec<_> = profile.messages(1).iter().map(value_type).collect();
    let [period] = profile.messages(11).try_into().ok().unwrap();
    let (period_type, period_unit) = value_type(&period);

    let [mapping] = profile.messages(3).try_into().ok().unwrap();
    assert_eq!(mapping.number(1), 1);
    assert!((7..=10).all(|has| mapping.number(has) == 1), "everything is symbolized");
    let functions = by_id(profile.messages(5));
    let locations = by_id(profile.messages(4));
    let mut used_functions = HashSet::new();
    let mut used_locations = HashSet::new();
    let mut frame = |id: &u64| {
        used_locations.insert(*id);
        let location = &locations[id];
        assert_eq!((location.number(2), location.number(3)), (1, 0));
        let [line] = location.messages(4).try_into().ok().unwrap();
        used_functions.insert(line.number(1));
        let function = &functions[&line.number(1)];
        (string(function.number(2)), string(function.number(4)), line.number(2))
    };
    let mut samples = Vec::new();
    for sample in profile.messages(2) {
        let stack = sample.numbers(1).iter().map(&mut frame).collect();
        samples.push((stack, sample.numbers(2), sample.messages(3)));
    }
    let samples = samples.into_iter().map(|(stack, values, labels)| {
        let pairs = labels.iter().map(|label| (string(label.number(1)), string(label.number(2))));
        let labels_by_key: BTreeMap<_, _> = pairs.collect();
        assert_eq!(labels_by_key.len(), labels.len(), "a key stands once");
        Sample { stack, values, labels: labels_by_key }
    });
    let profile = Profile {
        sample_types,
        samples: samples.collect(),
        mapping: (string(mapping.number(5)), string(mapping.number(6))),
        comments: profile.numbers(13).into_iter().map(string).collect(),
        default_sample_type: string(profile.number(14)),
        period: (period_type, period_unit, profile.number(12)),
        functions: functions.len(),
        locations: locations.len(),
    };
    assert_eq!(used_functions.len(), functions.len(), "every function is referred to");
    assert_eq!(used_locations.len(), locations.len(), "every location is referred to");
    assert_eq!(referred.borrow().len(), strings.len(), "every string is referred to");
    profile
}

/// The values of a site, in the order of the sample types.
fn values(site: &SiteRow) -> [u64; 4] {
    [site.allocations + site.reallocations, site.bytes, site.live_blocks, site.live_bytes]
}

#[test]
fn samples_are_the_sites_with_their_figures() {
    for (name, results) in peculiar() {
        let profile = read(&results);
        let types = [("alloc_objects", "count"), ("alloc_space", "bytes")];
        let types = types.into_iter().chain([("inuse_objects", "count"), ("inuse_space", "bytes")]);
        let types: Vec<_> = types.map(|(name, unit)| (name.to_owned(), unit.to_owned())).collect();
        assert_eq!(profile.sample_types, types, "{name}");
        let sites: Vec<_> = results.cases.iter().flat_map(|case| &case.sites).collect();
        assert_eq!(profile.samples.len(), sites.len(), "{name}");
        for (sample, site) in profile.samples.iter().zip(&sites) {
            assert_eq!(sample.values, values(site), "{name}");
        }
        for index in 0..4 {
            let sum: u64 = profile.samples.iter().map(|sample| sample.values[index]).sum();
            assert_eq!(sum, sites.iter().map(|site| values(site)[index]).sum::<u64>(), "{name}");
        }
    }
}

#[test]
fn stacks_are_those_of_the_sites_with_files_and_lines() {
    for (name, results) in peculiar() {
        let profile = read(&results);
        let sites = results.cases.iter().flat_map(|case| &case.sites);
        for (sample, site) in profile.samples.iter().zip(sites) {
            let mut expected: Vec<(String, Option<String>)> = Vec::new();
            for &frame in &site.frames {
                let frame = &results.frames[frame as usize];
                expected.push((frame.function.clone(), frame.location.clone()));
            }
            if expected.is_empty() {
                expected.push(("(no stack)".into(), None));
            } else if site.truncated {
                expected.push(("(truncated)".into(), None));
            }
            let place = |file: &str, line: u64| match (file, line) {
                ("", 0) => String::new(),
                (file, 0) => file.to_owned(),
                (file, line) => format!("{file}:{line}"),
            };
            assert_eq!(sample.stack.len(), expected.len(), "{name}");
            for ((function, file, line), (name, location)) in sample.stack.iter().zip(expected) {
                assert_eq!((function, place(file, *line)), (&name, location.unwrap_or_default()));
            }
        }
    }
}

#[test]
fn labels_tell_types_and_of_several_cases_the_case() {
    let results = span_profile();
    let profile = read(&results);
    let mut samples = profile.samples.iter();
    for case in &results.cases {
        for site in &case.sites {
            let labels = &samples.next().unwrap().labels;
            let label = |key: &str| labels.get(key).map(String::as_str);
            assert_eq!(label("type"), Some(case.types[site.type_index as usize].name.as_str()));
            assert_eq!(label("block_type"), Some(site.block_type.as_str()));
            assert_eq!(
                (label("codec"), label("model")),
                (Some(case.codec.as_str()), Some(case.model.as_str()))
            );
            let [operation, variant] = [&case.operation, &case.variant].map(|text| Some(text.as_str()));
            assert_eq!((label("operation"), label("variant")), (operation, variant));
            assert!(label("case").unwrap().starts_with(&format!("{} {}", case.codec, case.model)));
            assert_eq!(label("label"), None);
        }
    }
}

const PARSE: Site = Site("Vec<u8>", &["push a.rs:1", "parse src/lib.rs:4", "main src/main.rs:2"], 3, 96);
const PARSE_ELSEWHERE: Site =
    Site("Vec<u8>", &["push a.rs:1", "parse src/lib.rs:9", "main src/main.rs:2"], 2, 64);

#[test]
fn of_one_case_a_sample_says_what_it_must_and_no_more() {
    let mut results = run(&[("mine small parse once", &[PARSE, PARSE_ELSEWHERE])]);
    results.cases[0].sites[1].label = Some("GET /".into());
    results.environment.program = "adopter".into();
    results.environment.build_id = "00ff17".into();
    let profile = read(&results);
    let stack = [("push", "a.rs", 1), ("parse", "src/lib.rs", 4), ("main", "src/main.rs", 2)];
    let stack = stack.map(|(function, file, line)| (function.to_owned(), file.to_owned(), line)).to_vec();
    let labels = BTreeMap::from([("type".to_owned(), "Vec<u8>".to_owned())]);
    assert_eq!(profile.samples[0], Sample { stack, values: vec![3, 96, 0, 0], labels });
    assert_eq!(profile.samples[1].labels["label"], "GET /");
    assert_eq!((profile.locations, profile.functions), (4, 3), "a function has several lines");
    assert_eq!(profile.mapping, ("adopter".to_owned(), "00ff17".to_owned()));
    assert_eq!(profile.default_sample_type, "alloc_space");
    assert_eq!(profile.period, ("space".to_owned(), "bytes".to_owned(), 1));
    assert!(profile.comments.contains(&"rustc: rustc 1.95.0".to_owned()), "{:?}", profile.comments);
}
