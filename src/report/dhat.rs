//! One case in the format of DHAT, valgrind's heap profiler: version 2, which its viewer and others open.
//!
//! What the viewer shows stands for:
//!
//! | shown | is |
//! | --- | --- |
//! | Total, blocks | fresh blocks, and one more for each reallocation |
//! | Total, bytes | bytes of fresh blocks, and those by which reallocations grew; valgrind and the crate dhat count a reallocation's whole new size |
//! | avg lifetime | over those blocks, in requests: allocations and reallocations of the thread; a reallocation ends a life and begins another, at the site that reallocates |
//! | Max | at least this much, for a site's own maximum is not recorded: the larger of its figures at t-gmax and at t-end |
//! | At t-gmax | blocks and bytes alive at the peak of the window |
//! | At t-end | blocks and bytes of the window that were alive when it closed |
//! | t-gmax | the request that reached the peak; 0 where several threads recorded, for then nobody knows |
//! | t-end | the requests of the window |
//!
//! The viewer shows the same under `Mode`. The lives of blocks that were alive at the end, and of those that another thread
//! freed, are not in the sum of lifetimes; the process's number is not in a results file, and 0 here.
//!
//! The viewer's tree begins with the innermost function. The type that owns a block stands before it, in brackets, so that
//! the tree goes from the types to their sites; the block's own type follows where it is another. A label stands behind the
//! outermost function. Sites that read the same all the way are one program point.

use std::collections::HashMap;

use serde::Serialize;

use super::section::stack::owner;
use super::whole_stack::{StackFrame, whole_stack};
use super::{Format, View, number};
use crate::error::{Error, ErrorKind, Result};
use crate::results::{Case, CaseKey, Frame, FrameTable, Results, SiteRow};

pub(super) struct Dhat;

/// A life of so many requests is a short one, to the viewer.
const SHORT_LIFE: u32 = 10;

/// How many of the cases that are too many an error names.
const NAMED_CASES: usize = 3;

impl Format for Dhat {
    fn name(&self) -> &'static str {
        "dhat"
    }

    fn purpose(&self) -> &'static str {
        "one row, for the viewer of valgrind's DHAT: who allocates, what is alive at the peak and at the end"
    }

    fn extension(&self) -> &'static str {
        "json"
    }

    fn file_name(&self) -> Option<&'static str> {
        Some("dhat.json")
    }

    fn render(&self, results: &Results, _view: &View) -> Result<Vec<u8>> {
        let file = file(results, only(&results.cases)?);
        let mut text = serde_json::to_vec(&file).map_err(|error| {
            Error::new(ErrorKind::Malformed, "the results cannot be written as DHAT").with_source(error)
        })?;
        text.push(b'\n');
        Ok(text)
    }
}

/// A DHAT file, in the order in which valgrind writes it.
#[derive(Serialize)]
struct File {
    #[serde(rename = "dhatFileVersion")]
    version: u32,
    mode: String,
    verb: &'static str,
    #[serde(rename = "bklt")]
    has_lifetimes: bool,
    #[serde(rename = "bkacc")]
    has_accesses: bool,
    #[serde(rename = "tu")]
    time_unit: &'static str,
    #[serde(rename = "Mtu")]
    million_time_units: &'static str,
    #[serde(rename = "tuth")]
    short_life: u32,
    #[serde(rename = "cmd")]
    command: String,
    #[serde(rename = "pid")]
    process: u32,
    #[serde(rename = "tg")]
    peak_time: u64,
    #[serde(rename = "te")]
    end_time: u64,
    #[serde(rename = "pps")]
    points: Vec<Point>,
    #[serde(rename = "ftbl")]
    frames: Vec<String>,
}

/// A program point: what one stack allocated.
#[derive(Default, Serialize)]
struct Point {
    #[serde(rename = "tb")]
    bytes: u64,
    #[serde(rename = "tbk")]
    blocks: u64,
    #[serde(rename = "tl")]
    lifetimes: u64,
    #[serde(rename = "mb")]
    max_bytes: u64,
    #[serde(rename = "mbk")]
    max_blocks: u64,
    #[serde(rename = "gb")]
    peak_bytes: u64,
    #[serde(rename = "gbk")]
    peak_blocks: u64,
    #[serde(rename = "eb")]
    end_bytes: u64,
    #[serde(rename = "ebk")]
    end_blocks: u64,
    /// Innermost first, as indices in the table of frames.
    #[serde(rename = "fs")]
    frames: Vec<u32>,
}

impl Point {
    fn add(&mut self, site: &SiteRow) {
        let sum = |figure: &mut u64, more: u64| *figure = figure.saturating_add(more);
        sum(&mut self.bytes, site.bytes);
        sum(&mut self.blocks, site.allocations.saturating_add(site.reallocations));
        sum(&mut self.lifetimes, site.lifetime_sum);
        sum(&mut self.peak_bytes, site.peak_bytes);
        sum(&mut self.peak_blocks, site.peak_blocks);
        sum(&mut self.end_bytes, site.live_bytes);
        sum(&mut self.end_blocks, site.live_blocks);
        self.max_bytes = self.peak_bytes.max(self.end_bytes);
        self.max_blocks = self.peak_blocks.max(self.end_blocks);
    }
}

/// The case, if there is but one: a DHAT file holds one run.
fn only(cases: &[Case]) -> Result<&Case> {
    if let [case] = cases {
        return Ok(case);
    }
    let named: Vec<String> =
        cases.iter().take(NAMED_CASES).map(|case| format!("`{}`", CaseKey::of(case))).collect();
    let message = match cases.len().saturating_sub(NAMED_CASES) {
        _ if cases.is_empty() => "the results hold no row, and a DHAT file holds one".to_owned(),
        0 => format!("a DHAT file holds one row, and these are {}: {}", cases.len(), named.join(", ")),
        more => format!(
            "a DHAT file holds one row, and these are {}: {} and {more} more",
            cases.len(),
            named.join(", ")
        ),
    };
    Err(Error::new(ErrorKind::Malformed, message)
        .with_help("choose one with --codec, --model, --operation, --variant, --batch and --threads"))
}

fn file(results: &Results, case: &Case) -> File {
    let mut table = FrameTable::default();
    // The viewer takes the first one for the root.
    table.index_of(text_frame("[root]".to_owned()));
    let points = points(results, case, &mut table);
    File {
        version: 2,
        mode: mode(results, case),
        verb: "Allocated",
        has_lifetimes: true,
        has_accesses: false,
        time_unit: "requests",
        million_time_units: "Mrequest",
        short_life: SHORT_LIFE,
        command: CaseKey::of(case).to_string(),
        process: 0,
        peak_time: case.peak_requests.unwrap_or(0),
        end_time: requests(case),
        points,
        frames: table.into_frames().into_iter().map(|frame| frame.function).collect(),
    }
}

/// The viewer's time: what a window asked of the allocator.
fn requests(case: &Case) -> u64 {
    case.totals.allocations.saturating_add(case.totals.reallocations)
}

/// What the figures stand for, laid out for the viewer, which shows it above the tree.
fn mode(results: &Results, case: &Case) -> String {
    let mut lines = vec![
        format!(
            "heap, recorded by alloclab {} in a window of {}",
            results.environment.alloclab,
            match case.iterations {
                1 => "one operation".to_owned(),
                iterations => format!("{} operations", number::count(iterations)),
            }
        ),
        "Blocks:   fresh ones, and one more for each reallocation".to_owned(),
        "Bytes:    of fresh blocks, and those by which reallocations grew".to_owned(),
        "Lifetime: until freed or reallocated in the window; requests are allocations and reallocations"
            .to_owned(),
        "Max:      at least this much: the larger of t-gmax and t-end".to_owned(),
    ];
    if case.peak_requests.is_none() && requests(case) > 0 {
        lines.push("t-gmax:   0 stands for a time that is not known".to_owned());
    }
    if case.peak_error_bytes > 0 {
        lines.push(format!("t-gmax:   the peak is known to {} bytes", number::count(case.peak_error_bytes)));
    }
    lines.join("\n           ")
}

/// Sites by their stacks, each stack once: the viewer refuses to take one twice.
fn points(results: &Results, case: &Case, table: &mut FrameTable) -> Vec<Point> {
    let mut points: Vec<Point> = Vec::new();
    let mut indices = HashMap::new();
    for site in &case.sites {
        let frames: Vec<u32> =
            stack(results, case, site).into_iter().map(|text| table.index_of(text_frame(text))).collect();
        let index = *indices.entry(frames).or_insert_with_key(|frames| {
            points.push(Point { frames: frames.clone(), ..Point::default() });
            points.len() - 1
        });
        points[index].add(site);
    }
    points
}

/// What a site is told by, innermost first: types, functions, label.
fn stack(results: &Results, case: &Case, site: &SiteRow) -> Vec<String> {
    let owner = owner(case, site);
    let mut texts = vec![format!("[{owner}]")];
    if !["", owner].contains(&site.block_type.as_str()) {
        texts.push(format!("[block {}]", site.block_type));
    }
    texts.extend(whole_stack(results, site).into_iter().map(function_text));
    texts.extend(site.label.as_ref().map(|label| format!("[label {label}]")));
    texts
}

fn function_text(frame: StackFrame<'_>) -> String {
    match frame.location {
        Some(location) => format!("{} ({location})", frame.function),
        None => frame.function.to_owned(),
    }
}

/// A line of the viewer's, for the table: what reads the same is the same.
fn text_frame(text: String) -> Frame {
    Frame { function: text, location: None }
}
