//! Every format, on results that break whatever does not expect them.

use alloclab::report::{Format, View, Weight, all};
use alloclab::results::*;

use crate::sample::{CaseBuilder, REFLECT, hostile, span_profile};

/// Results by what is peculiar about them.
pub(crate) fn peculiar() -> Vec<(&'static str, Results)> {
    let mut nothing = CaseBuilder::new();
    nothing.case(["span", "simple", "serialize", "span"], 1, &[], 23.49);
    let mut alone = CaseBuilder::new();
    alone.case(["span-reflect", "simple", "serialize", "span"], 1, REFLECT, 59.03);
    [
        ("no case", Results::default()),
        ("no allocation", nothing.finish()),
        ("one case", alone.finish()),
        ("many cases", span_profile()),
        ("hostile names", hostile()),
        ("names that end a frame, a line, a file", breaking_names()),
        ("sites without all that there may be", bare_sites()),
        ("10,000 sites", many_sites()),
    ]
    .map(|(name, results)| (name, with_every_figure(results)))
    .into()
}

/// Figures of all kinds, each site another's.
fn with_every_figure(mut results: Results) -> Results {
    for case in &mut results.cases {
        for (index, site) in case.sites.iter_mut().enumerate() {
            let number = index as u64;
            site.reallocations = number % 3;
            (site.peak_bytes, site.peak_blocks) = (40 * (number % 4), number % 4);
            (site.live_bytes, site.live_blocks) = (16 * (number % 2), number % 2);
            site.label = (index % 5 == 4).then(|| format!("request {index}"));
            (site.mean_lifetime, site.lifetime_sum) = (1.5, 3 * number);
        }
        case.totals.reallocations = case.sites.iter().map(|site| site.reallocations).sum();
    }
    results.environment.program = "adopter".into();
    results.environment.build_id = "00ff17".into();
    results.environment.missing_flags = vec!["debug: places in the source are not known".into()];
    results
}

const BREAKING: [&str; 9] = [
    "[u8; 8]",
    "two\nlines\r\n and \u{2028}more 17",
    "# a comment",
    " spaces ",
    "",
    "\u{0}\u{1}\u{7f}\u{FFFE}\u{FFFF}",
    "]]><script>alert('x')</script><!--",
    "tab\tclass=\"x\" 12",
    "\u{1F980} 🦀 ünï漢字 &amp; \"'`",
];

fn breaking_names() -> Results {
    let mut results = span_profile();
    let name = |index: usize| format!("{}{}", BREAKING[index % BREAKING.len()], "é".repeat(index % 2 * 500));
    results.profile = name(2);
    results.title = name(6);
    for (index, case) in results.cases.iter_mut().enumerate() {
        (case.codec, case.model, case.variant) = (name(index), name(index + 1), name(index + 3));
        case.types.iter_mut().enumerate().for_each(|(row, kind)| kind.name = name(row));
        case.sites.iter_mut().enumerate().for_each(|(row, site)| site.block_type = name(row + 2));
    }
    for (index, frame) in results.frames.iter_mut().enumerate() {
        frame.function = name(index);
        frame.location = Some(name(index + 5));
    }
    results
}

fn bare_sites() -> Results {
    let mut results = span_profile();
    for frame in results.frames.iter_mut().step_by(2) {
        frame.location = None;
    }
    for (index, site) in results.cases.iter_mut().flat_map(|case| &mut case.sites).enumerate() {
        match index % 4 {
            0 => (site.frames, site.own_frame) = (Vec::new(), None),
            1 => site.truncated = true,
            2 => site.block_type.clear(),
            _ => (site.allocations, site.bytes) = (0, 0),
        }
    }
    results
}

fn many_sites() -> Results {
    let mut results = span_profile();
    results.frames = (1..=20_000)
        .map(|number| Frame {
            function: format!("module_{}::function_{number}", number % 7),
            location: Some(format!("src/module_{}.rs:{number}", number % 7)),
        })
        .collect();
    let case = &mut results.cases[7];
    case.sites = (0..10_000)
        .map(|number| SiteRow {
            type_index: number % case.types.len() as u32,
            block_type: "Vec<u8>".into(),
            frames: (0..12).map(|depth| (number * (depth + 1)) % 20_000).collect(),
            own_frame: Some(1),
            allocations: u64::from(number),
            bytes: 8 * u64::from(number),
            ..SiteRow::default()
        })
        .collect();
    for row in &mut case.types {
        row.sites = vec![0];
    }
    for other in results.cases.iter_mut().filter(|case| case.sites.len() < 10_000) {
        other.sites.iter_mut().for_each(|site| site.frames = vec![3, 4]);
    }
    results
}

/// A view of each weight.
pub(crate) fn views() -> Vec<View> {
    Weight::ALL.into_iter().map(|weight| View { weight, ..View::default() }).collect()
}

/// What of some results a format takes: a DHAT file holds one row.
fn taken(format: &dyn Format, results: &Results) -> Results {
    let mut results = results.clone();
    if format.name() == "dhat" {
        results.cases.resize_with(1, Default::default);
    }
    results
}

#[test]
fn every_format_renders_every_results_and_the_same_bytes_each_time() {
    for (name, results) in peculiar() {
        for format in all() {
            let results = taken(format, &results);
            let render = |view: &View| {
                let rendered = format.render(&results, view);
                rendered.unwrap_or_else(|error| panic!("{name} as {}: {error}", format.name()))
            };
            let [first, second] = [(); 2].map(|()| render(&View::default()));
            assert!(first == second, "{name} as {}", format.name());
            // A weight is none of the business of formats for eyes.
            let is_file = format.file_name().is_some();
            views().iter().filter(|_| is_file).for_each(|view| drop(render(view)));
        }
    }
}

#[test]
fn formats_have_names_and_files_of_their_own() {
    for name in [
        all().iter().map(|format| format.name()).collect::<Vec<_>>(),
        all().iter().filter_map(|format| format.file_name()).collect(),
    ] {
        let mut distinct = name.clone();
        distinct.sort_unstable();
        distinct.dedup();
        assert_eq!(distinct.len(), name.len(), "{name:?}");
    }
    for format in all() {
        let ending = format!(".{}", format.extension());
        assert!(format.file_name().is_none_or(|file| file.ends_with(&ending)), "{}", format.name());
    }
}
