//! Reading and writing.

use std::path::Path;

use serde::Deserialize;

use super::text::lay_out;
use super::{Case, Results, SCHEMA, write_whole};
use crate::error::{Error, ErrorKind, Result};

/// Reads a results file.
///
/// Fields that this version does not know are passed over.
///
/// # Errors
/// [`ErrorKind::Io`] if the file cannot be read; [`ErrorKind::Version`] if it is no results file, or one of another
/// version; [`ErrorKind::Malformed`] if it is damaged. Each names the file, and the line and column where there is one.
pub fn read(path: impl AsRef<Path>) -> Result<Results> {
    let path = path.as_ref();
    let text = std::fs::read_to_string(path).map_err(|source| {
        Error::new(ErrorKind::Io, format!("the file cannot be read: {source}"))
            .at(path.display().to_string())
            .with_help("name a results file, as `alloclab profile` writes it to out/<profile>/results.json")
            .with_source(source)
    })?;
    parse(&text, path)
}

/// Writes a results file, whole or not at all. The same results give the same bytes.
///
/// # Errors
/// [`ErrorKind::Io`] if the folder cannot be written to; [`ErrorKind::Malformed`] for results that no file can hold: a
/// figure that is not finite, an index that leads nowhere.
pub fn write(path: impl AsRef<Path>, results: &Results) -> Result<()> {
    let path = path.as_ref();
    let text = to_json(results).map_err(|error| error.at(path.display().to_string()))?;
    write_whole(path, |unfinished| std::fs::write(unfinished, text))
}

/// The text of a results file.
///
/// # Errors
/// [`ErrorKind::Malformed`] for results that no file can hold: a figure that is not finite, an index that leads nowhere.
///
/// # Examples
/// ```
/// use alloclab::results::{Results, SCHEMA, to_json};
///
/// let results = Results { profile: "span".into(), ..Results::default() };
/// assert!(to_json(&results).unwrap().starts_with(&format!("{{\n \"schema\": \"{SCHEMA}\"")));
/// ```
pub fn to_json(results: &Results) -> Result<String> {
    check_indices(results)?;
    check_finite(results)?;
    let value = serde_json::to_value(results).map_err(|source| {
        Error::new(ErrorKind::Malformed, format!("the results cannot be written: {source}"))
            .with_source(source)
    })?;
    Ok(lay_out(&value))
}

const MAKE_ANEW: &str = "the file is damaged or was edited; make it anew";

#[derive(Deserialize)]
struct Header {
    schema: String,
}

fn parse(text: &str, path: &Path) -> Result<Results> {
    let header: Header = serde_json::from_str(text).map_err(|source| header_error(source, text, path))?;
    if header.schema != SCHEMA {
        return Err(other_schema(&header.schema, path));
    }
    let results = serde_json::from_str(text).map_err(|source| malformed(source, path))?;
    check_contents(&results).map_err(|error| error.at(path.display().to_string()).with_help(MAKE_ANEW))?;
    Ok(results)
}

/// Text that is no JSON is damaged; JSON that does not name its schema is something else.
fn header_error(source: serde_json::Error, text: &str, path: &Path) -> Error {
    let begins_as_ours = text.trim_start().starts_with('{');
    if source.is_data() || !begins_as_ours {
        version_error(path, format!("this is no results file: it has no field `schema` that says `{SCHEMA}`"))
    } else {
        malformed(source, path)
    }
}

/// A file of ours of a later version needs a later program; any other was made by something else.
fn other_schema(schema: &str, path: &Path) -> Error {
    let (name, version) = SCHEMA.rsplit_once('/').unwrap_or((SCHEMA, ""));
    let number = |text: &str| text.parse::<u32>().ok();
    let is_newer = schema
        .rsplit_once('/')
        .is_some_and(|(other, later)| other == name && number(later) > number(version));
    let schema = schema.escape_debug();
    if is_newer {
        let message = format!("this is a file of schema `{schema}`, which a newer alloclab has made");
        let help =
            format!("read it with that alloclab; this one ({}) reads `{SCHEMA}`", env!("CARGO_PKG_VERSION"));
        return Error::new(ErrorKind::Version, message).at(path.display().to_string()).with_help(help);
    }
    version_error(path, format!("this is a file of schema `{schema}`, not `{SCHEMA}`"))
}

fn version_error(path: &Path, message: String) -> Error {
    Error::new(ErrorKind::Version, message).at(path.display().to_string()).with_help(format!(
        "this alloclab ({}) reads `{SCHEMA}`; make the file anew with it",
        env!("CARGO_PKG_VERSION")
    ))
}

fn malformed(source: serde_json::Error, path: &Path) -> Error {
    let place = format!("{}, line {}, column {}", path.display(), source.line(), source.column());
    let whole = source.to_string();
    if source.is_eof() {
        let message = "the file ends in the middle of the results: it has been cut off";
        return Error::new(ErrorKind::Malformed, message)
            .at(place)
            .with_help("copy it once more, or make it anew")
            .with_source(source);
    }
    // The place stands in front of the message, so it goes from its end.
    let message = whole.split(" at line ").next().unwrap_or(&whole);
    Error::new(ErrorKind::Malformed, format!("expected a results file of schema `{SCHEMA}`: {message}"))
        .at(place)
        .with_help(MAKE_ANEW)
        .with_source(source)
}

/// JSON has no word for a number that is not finite: it becomes `null`, which no figure may be.
fn check_finite(results: &Results) -> Result<()> {
    for case in &results.cases {
        if figures(case).any(|figure| !figure.is_finite()) {
            let place = [&case.codec, &case.model, &case.operation, &case.variant].map(String::as_str);
            let message = format!("a figure of `{}` is not a finite number", place.join(" "));
            return Err(Error::new(ErrorKind::Malformed, message));
        }
    }
    if !results.environment.untyped_share.is_finite() {
        return Err(Error::new(ErrorKind::Malformed, "`environment.untyped_share` is not a finite number"));
    }
    Ok(())
}

/// All fractions of a case.
fn figures(case: &Case) -> impl Iterator<Item = f64> {
    let own = [
        case.allocations_per_op,
        case.reallocations_per_op,
        case.bytes_per_op,
        case.new_size_bytes_per_op,
        case.frees_per_op,
        case.untyped_share,
    ];
    let known = [case.modelled_dotnet_bytes_per_op, case.ratio, case.alloc_ratio];
    let time = case
        .time
        .iter()
        .flat_map(|time| [time.mean_ns, time.error_ns, time.stddev_ns, time.median_ns, time.p95_ns]);
    let types = case.types.iter().flat_map(|row| {
        [row.allocations_per_op, row.reallocations_per_op, row.bytes_per_op, row.percent]
            .into_iter()
            .chain(row.modelled_dotnet_bytes_per_op)
    });
    let sites = case
        .sites
        .iter()
        .flat_map(|site| [site.allocations_per_op, site.bytes_per_op, site.percent, site.mean_lifetime]);
    let published = case.published.iter().flat_map(|published| {
        [
            published.mean_ns,
            published.p95_ns,
            published.ratio,
            published.allocated_bytes,
            published.alloc_ratio,
            published.encoded_bytes,
        ]
    });
    let references = case.references.iter().flat_map(|reference| &reference.types);
    let references = references.flat_map(|row| [row.allocations_per_op, row.bytes_per_op]);
    let known = known.into_iter().chain(published).flatten();
    own.into_iter().chain(known).chain(time).chain(types).chain(sites).chain(references)
}

/// What a file of ours never holds, and what renderings could not bear.
fn check_contents(results: &Results) -> Result<()> {
    check_indices(results)?;
    check_ranges(results)?;
    check_texts(results)
}

/// Sums of figures up to this are finite.
const LARGEST_FIGURE: f64 = 1e18;

/// Functions of one stack, inlined ones included: far more than a recorded stack has.
const DEEPEST_STACK: usize = 4096;

/// Calls of one operation times types of a case: what charts of the live heap have to keep. Files of ours hold 2,000 calls.
const MOST_EVENTS_BY_TYPES: usize = 100_000_000;

fn check_ranges(results: &Results) -> Result<()> {
    if !(0.0..=1.0).contains(&results.environment.untyped_share) {
        return Err(Error::new(
            ErrorKind::Malformed,
            "`environment.untyped_share` is no share: it lies between 0 and 1",
        ));
    }
    for (index, case) in results.cases.iter().enumerate() {
        if figures(case).any(|figure| !(0.0..=LARGEST_FIGURE).contains(&figure)) {
            let message = format!("a figure of `cases[{index}]` is out of range");
            return Err(Error::new(ErrorKind::Malformed, message));
        }
        if case.sites.iter().any(|site| site.frames.len() > DEEPEST_STACK) {
            let message = format!("a stack of `cases[{index}]` has more than {DEEPEST_STACK} functions");
            return Err(Error::new(ErrorKind::Malformed, message));
        }
        if case.heap_events.len().saturating_mul(case.types.len()) > MOST_EVENTS_BY_TYPES {
            let message = format!("`cases[{index}].heap_events` are more than any operation's that is kept");
            return Err(Error::new(ErrorKind::Malformed, message));
        }
    }
    Ok(())
}

/// Names go to terminals as they are: none may hold what a terminal takes for a command.
fn check_texts(results: &Results) -> Result<()> {
    let frames = results.frames.iter().flat_map(|frame| [Some(&frame.function), frame.location.as_ref()]);
    let cases = results.cases.iter().flat_map(|case| {
        let names = [&case.codec, &case.model, &case.operation, &case.variant, &case.group];
        let types = case.types.iter().flat_map(|row| [Some(&row.name), Some(&row.path), row.dotnet.as_ref()]);
        let references = case.references.iter().flat_map(|reference| {
            std::iter::once(&reference.source).chain(reference.types.iter().map(|row| &row.name))
        });
        names.map(Some).into_iter().chain(types).chain(references.map(Some))
    });
    let blocks = results.cases.iter().flat_map(|case| &case.types).flat_map(|row| &row.block_types);
    let blocks = blocks.map(|block| Some(&block.name));
    let sites = results.cases.iter().flat_map(|case| &case.sites);
    let sites = sites.flat_map(|site| [Some(&site.block_type), site.label.as_ref()]);
    let environment = &results.environment;
    let own = [
        &results.profile,
        &results.title,
        &environment.alloclab,
        &environment.rustc,
        &environment.target,
        &environment.opt_level,
        &environment.allocator,
        &environment.program,
        &environment.build_id,
    ];
    let missing = environment
        .flags
        .iter()
        .chain(&environment.missing_flags)
        .map(Some)
        .chain([results.see_also.as_ref()]);
    let all = frames.chain(cases).chain(blocks).chain(sites).chain(own.map(Some)).chain(missing);
    match all.flatten().find(|text| text.chars().any(char::is_control)) {
        Some(text) => {
            let message = format!("a name holds a control character: {text:?}");
            Err(Error::new(ErrorKind::Malformed, message))
        }
        None => Ok(()),
    }
}

fn check_indices(results: &Results) -> Result<()> {
    for (index, case) in results.cases.iter().enumerate() {
        if let Some(lost) = lost_index(case, results.frames.len()) {
            return Err(Error::new(ErrorKind::Malformed, format!("`cases[{index}].{lost}` leads nowhere")));
        }
    }
    Ok(())
}

/// The first index of a case that is beyond the list it points into.
fn lost_index(case: &Case, frames: usize) -> Option<String> {
    let types = case.types.len();
    for (row, kind) in case.types.iter().enumerate() {
        if kind.sites.iter().any(|&site| site as usize >= case.sites.len()) {
            return Some(format!("types[{row}].sites"));
        }
    }
    for (row, site) in case.sites.iter().enumerate() {
        if site.type_index as usize >= types {
            return Some(format!("sites[{row}].type_index"));
        }
        if site.frames.iter().any(|&frame| frame as usize >= frames) {
            return Some(format!("sites[{row}].frames"));
        }
        if site.own_frame.is_some_and(|frame| frame as usize >= site.frames.len()) {
            return Some(format!("sites[{row}].own_frame"));
        }
    }
    let lost = |event: &super::HeapEvent| event.type_index.max(event.former_type_index) as usize >= types;
    case.heap_events.iter().position(lost).map(|event| format!("heap_events[{event}]"))
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::results::{Published, Reference, ReferenceType, SiteRow, Time, TypeRow};

    fn fractions(value: &Value) -> usize {
        match value {
            Value::Number(number) => number.is_f64().into(),
            Value::Array(items) => items.iter().map(fractions).sum(),
            Value::Object(fields) => fields.values().map(fractions).sum(),
            _ => 0,
        }
    }

    #[test]
    fn every_fraction_of_a_case_is_looked_at() {
        let figure = Some(0.5);
        let case = Case {
            modelled_dotnet_bytes_per_op: figure,
            ratio: figure,
            alloc_ratio: figure,
            time: Some(Time::default()),
            types: vec![TypeRow { modelled_dotnet_bytes_per_op: figure, ..TypeRow::default() }],
            sites: vec![SiteRow::default()],
            published: Some(Published {
                mean_ns: figure,
                ratio: figure,
                allocated_bytes: figure,
                alloc_ratio: figure,
                p95_ns: figure,
                encoded_bytes: figure,
                // What is retained may be less than nothing, which is no error.
                retained_bytes: None,
            }),
            references: vec![Reference { types: vec![ReferenceType::default()], ..Reference::default() }],
            ..Case::default()
        };
        let written = serde_json::to_value(&case).unwrap();
        assert_eq!(figures(&case).count(), fractions(&written), "{written}");
    }
}
