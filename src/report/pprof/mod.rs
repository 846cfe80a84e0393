//! A profile for `go tool pprof`, Pyroscope, Parca and whoever else takes `profile.proto`, gzipped.
//!
//! | sample type | is, of each site |
//! | --- | --- |
//! | `alloc_objects` | allocations and reallocations |
//! | `alloc_space` | bytes asked for: fresh ones, and those by which reallocations grew |
//! | `inuse_objects` | blocks that were alive when the window closed |
//! | `inuse_space` | their bytes |
//!
//! Each site is a sample; its labels are `type` (the owner of what is allocated), `block_type`, `label` (that of the thread)
//! and, of results with several cases, `case`, `codec`, `model`, `operation` and `variant`. `go tool pprof -tagleaf=type` draws
//! types as frames, `-tagfocus=codec=span` keeps one codec. Names and lines are in the file, so no symbols are looked up;
//! addresses are left out, and so is the time of the run, which results do not have: the same results give the same bytes.

mod message;
mod table;

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use prost::Message;

use self::message::{Label, Mapping, Profile, Sample, ValueType};
use self::table::{Strings, Table};
use super::section::stack::owner;
use super::whole_stack::whole_stack;
use super::{Format, View};
use crate::error::{Error, ErrorKind, Result};
use crate::results::{Case, CaseKey, Environment, Results, SiteRow};

pub(super) struct Pprof;

impl Format for Pprof {
    fn name(&self) -> &'static str {
        "pprof"
    }

    fn purpose(&self) -> &'static str {
        "a profile for go tool pprof, Pyroscope, Parca"
    }

    fn extension(&self) -> &'static str {
        "pb.gz"
    }

    fn file_name(&self) -> Option<&'static str> {
        Some("profile.pb.gz")
    }

    fn render(&self, results: &Results, _view: &View) -> Result<Vec<u8>> {
        let message = profile(results)?.encode_to_vec();
        // A header of this encoder has no time in it.
        let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
        gzip.write_all(&message).and_then(|()| gzip.finish()).map_err(|source| {
            Error::new(ErrorKind::Io, "the profile cannot be compressed").with_source(source)
        })
    }
}

/// Names and units, in the order of [`values`].
const SAMPLE_TYPES: [[&str; 2]; 4] = [
    ["alloc_objects", "count"],
    ["alloc_space", "bytes"],
    ["inuse_objects", "count"],
    ["inuse_space", "bytes"],
];

/// What is shown unless something else is asked for.
const DEFAULT_SAMPLE_TYPE: &str = "alloc_space";

/// The only mapping.
const PROGRAM: u64 = 1;

fn profile(results: &Results) -> Result<Profile> {
    let mut table = Table::default();
    let mut sample = Vec::new();
    let mut sums = [0_i64; 4];
    for case in results.cases.iter().filter(|case| !case.sites.is_empty()) {
        let of_case =
            if results.cases.len() > 1 { case_labels(&mut table.strings, case) } else { Vec::new() };
        for site in &case.sites {
            let value = values(site, &mut sums)?;
            let stack = whole_stack(results, site);
            let location_id = stack.into_iter().map(|frame| table.location(frame)).collect();
            let mut label = site_labels(&mut table.strings, case, site);
            label.extend(&of_case);
            sample.push(Sample { location_id, value: value.to_vec(), label });
        }
    }
    let strings = &mut table.strings;
    let sample_type = SAMPLE_TYPES.map(|names| value_type(strings, names)).to_vec();
    let mapping = vec![mapping(strings, &results.environment)];
    let period_type = Some(value_type(strings, ["space", "bytes"]));
    let comment = comments(results).iter().map(|line| strings.index(line)).collect();
    let default_sample_type = strings.index(DEFAULT_SAMPLE_TYPE);
    Ok(Profile {
        sample_type,
        sample,
        mapping,
        location: table.locations,
        function: table.functions,
        string_table: table.strings.all,
        period_type,
        // Nothing is left out between two samples.
        period: 1,
        comment,
        default_sample_type,
    })
}

/// The values of a site, which are added to the sums.
fn values(site: &SiteRow, sums: &mut [i64; 4]) -> Result<[i64; 4]> {
    let requests = site.allocations.saturating_add(site.reallocations);
    let figures = [requests, site.bytes, site.live_blocks, site.live_bytes];
    let mut values = [0; 4];
    for (index, figure) in figures.into_iter().enumerate() {
        let value = i64::try_from(figure).ok();
        let sum = value.and_then(|value| sums[index].checked_add(value));
        let (Some(value), Some(sum)) = (value, sum) else { return Err(too_much(SAMPLE_TYPES[index][0])) };
        (values[index], sums[index]) = (value, sum);
    }
    Ok(values)
}

fn too_much(sample_type: &str) -> Error {
    let message = format!("the sum of `{sample_type}` over all sites is more than a number of pprof holds");
    Error::new(ErrorKind::Malformed, message)
}

fn site_labels(strings: &mut Strings, case: &Case, site: &SiteRow) -> Vec<Label> {
    let label = site.label.as_deref().unwrap_or_default();
    labels(strings, &[("type", owner(case, site)), ("block_type", &site.block_type), ("label", label)])
}

fn case_labels(strings: &mut Strings, case: &Case) -> Vec<Label> {
    let name = CaseKey::of(case).to_string();
    let labels_of_case = [
        ("case", name.as_str()),
        ("codec", &case.codec),
        ("model", &case.model),
        ("operation", &case.operation),
        ("variant", &case.variant),
    ];
    labels(strings, &labels_of_case)
}

/// Labels that say something.
fn labels(strings: &mut Strings, pairs: &[(&str, &str)]) -> Vec<Label> {
    let pairs = pairs.iter().filter(|(_, value)| !value.is_empty());
    pairs.map(|(key, value)| Label { key: strings.index(key), str: strings.index(value) }).collect()
}

fn value_type(strings: &mut Strings, [name, unit]: [&str; 2]) -> ValueType {
    ValueType { r#type: strings.index(name), unit: strings.index(unit) }
}

/// The program. All that could be looked up in its file is said to be known already.
fn mapping(strings: &mut Strings, environment: &Environment) -> Mapping {
    Mapping {
        id: PROGRAM,
        filename: strings.index(&environment.program),
        build_id: strings.index(&environment.build_id),
        has_functions: true,
        has_filenames: true,
        has_line_numbers: true,
        has_inline_frames: true,
    }
}

/// Where and how it ran, and what the figures are: `go tool pprof -comments` shows it.
fn comments(results: &Results) -> Vec<String> {
    let environment = &results.environment;
    let mut comments = vec![
        format!("profile: {}", results.profile),
        format!("title: {}", results.title),
        format!("alloclab: {}", environment.alloclab),
        format!("rustc: {}", environment.rustc),
        format!("target: {}", environment.target),
        format!("opt_level: {}", environment.opt_level),
        format!("allocator: {}", environment.allocator),
        format!("flags: {}", environment.flags.join(" ")),
    ];
    comments.extend(environment.missing_flags.iter().map(|flag| format!("missing flag: {flag}")));
    if results.partial {
        comments.push("partial: the run was interrupted".to_owned());
    }
    comments.push("alloc_objects: allocations and reallocations of the counted window".to_owned());
    comments
        .push("alloc_space: bytes of fresh blocks, and bytes by which reallocations grew blocks".to_owned());
    comments.push("inuse: blocks of the window that were alive when it closed".to_owned());
    comments
}
