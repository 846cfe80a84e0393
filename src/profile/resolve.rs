//! From what was typed to a plan that is valid by construction.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use serde_spanned::Spanned;

use crate::codec::check_temporary_folder;
use crate::error::{Error, ErrorKind, Result};
use crate::plan::{DEFAULT_ITERATIONS, MAX_ITERATIONS, Overrides, Plan, available_threads};

use super::group::{Group, Row};
use super::published::{self, PublishedTable};
use super::schema::ProfileTable;
use super::shipped;
use super::source::{Source, read_text};

/// The plan of a profile's text.
pub(super) fn plan(name: &str, source: &Source, overrides: &Overrides) -> Result<Plan> {
    let table = source.parse()?;
    check_texts(source, &table)?;
    let iterations = iterations(source, table.iterations.as_ref(), overrides)?;
    let mut rows = rows(source, &table, overrides)?;
    rows.retain(|row| overrides.rows.passes(&row.case.key));
    if rows.is_empty() {
        return Err(nothing_selected(source));
    }
    if rows.iter().any(|row| row.is_through_file()) {
        check_temporary_folder()?;
    }
    for row in &rows {
        check_offered(source, row)?;
    }
    Ok(Plan {
        name: name.to_owned(),
        title: table.title,
        see_also: table.see_also,
        iterations,
        time: !overrides.no_time,
        pool_threads: available_threads(),
        allocator: "system",
        cases: rows.into_iter().map(|row| row.case).collect(),
    })
}

/// Texts of a profile become texts of results, and those may hold no control character.
fn check_texts(source: &Source, table: &ProfileTable) -> Result<()> {
    let names = table.groups.get_ref().iter().map(|group| group.name.get_ref());
    let sources = table.reference.iter().map(|reference| &reference.source);
    let mut texts = [&table.title].into_iter().chain(&table.see_also).chain(names).chain(sources);
    match texts.find(|text| text.chars().any(char::is_control)) {
        None => Ok(()),
        Some(text) => {
            Err(Error::new(ErrorKind::Malformed, format!("a control character stands in {text:?}"))
                .at(&source.file)
                .with_help("take it out: texts of a profile go to terminals"))
        }
    }
}

/// Every row of the profile, in its order, each once.
fn rows(source: &Source, table: &ProfileTable, overrides: &Overrides) -> Result<Vec<Row>> {
    let text = table.published.as_ref().map(|typed| table_text(source, typed, "published")).transpose()?;
    let published = match &text {
        Some((file, text)) => published::read(
            file,
            text,
            table.published_operations.as_ref().map_or(1, |typed| typed.get_ref().get()),
        )?,
        None => PublishedTable::new(),
    };
    let texts: Vec<_> = table
        .reference
        .iter()
        .map(|typed| table_text(source, &typed.table, "table"))
        .collect::<Result<_>>()?;
    let references: Vec<_> = std::iter::zip(&table.reference, &texts)
        .map(|(typed, (file, text))| Ok((&*typed.source, published::read(file, text, 1)?)))
        .collect::<Result<_>>()?;
    let iterations =
        &|typed: Option<&Spanned<u64>>| iterations(source, typed.or(table.iterations.as_ref()), overrides);
    let mut rows = Vec::new();
    for table in table.groups.get_ref() {
        rows.append(
            &mut Group { source, table, iterations, published: &published, references: &references }
                .rows()?,
        );
    }
    check_distinct(source, &rows)?;
    check_group_names(source, &rows)?;
    if rows.is_empty() {
        let place = source.place(&table.groups.span(), "group");
        return Err(Error::new(ErrorKind::Malformed, "the profile has no case")
            .at(place)
            .with_help("add `cases = [{ codec = \"span\", model = \"simple\" }]` to a group"));
    }
    Ok(rows)
}

/// How many objects a row takes: what the run says, or else what was typed, or else the default.
fn iterations(source: &Source, typed: Option<&Spanned<u64>>, overrides: &Overrides) -> Result<u64> {
    let (iterations, place) = match (overrides.iterations, typed) {
        (Some(iterations), _) => (iterations, "`iterations` of the overrides".to_owned()),
        (None, Some(typed)) => (*typed.get_ref(), source.place(&typed.span(), "iterations")),
        (None, None) => return Ok(DEFAULT_ITERATIONS),
    };
    if (1..=MAX_ITERATIONS).contains(&iterations) {
        return Ok(iterations);
    }
    let message =
        format!("{iterations} iterations are not between 1 and {MAX_ITERATIONS}, what counters can hold");
    Err(Error::new(ErrorKind::Malformed, message)
        .at(place)
        .with_help(format!("{DEFAULT_ITERATIONS} is usual")))
}

/// The file of a published table and its text.
fn table_text(source: &Source, typed: &Spanned<String>, key: &str) -> Result<(String, String)> {
    let name = typed.get_ref();
    let found = match &source.folder {
        Some(folder) if Path::new(name).extension().is_some() => {
            let path = folder.join(name);
            read_text(&path).map(|text| (path.display().to_string(), text))
        }
        _ => shipped::published(name).map(|(file, text)| (file.to_owned(), text.to_owned())),
    };
    let place = source.place(&typed.span(), key);
    found.map_err(|error| match error.kind() {
        ErrorKind::Unknown => error.at(place),
        kind => Error::new(kind, "the published table cannot be read").at(place).with_source(error),
    })
}

fn check_distinct(source: &Source, rows: &[Row]) -> Result<()> {
    let mut first = HashMap::new();
    for row in rows {
        if let Some(line) = first.insert(row.case.key.clone(), source.line(row.span.start)) {
            let message = format!("the row `{}` stands in line {line} already", row.case.key.label());
            return Err(Error::new(ErrorKind::Malformed, message)
                .at(source.place(&row.span, "cases"))
                .with_help("take it out of one of the two"));
        }
    }
    Ok(())
}

/// A group is known by its name: each has one baseline, so that two baselines of one name are two groups.
fn check_group_names(source: &Source, rows: &[Row]) -> Result<()> {
    let mut names = HashSet::new();
    for row in rows.iter().filter(|row| row.case.baseline) {
        if !names.insert(&row.case.group) {
            let message = format!("two groups have the name `{}`", row.case.group);
            return Err(Error::new(ErrorKind::Malformed, message)
                .at(source.place(&row.span, "cases"))
                .with_help(
                    "give each a name of its own; `{batch}` and `{threads}` in a name stand for the size",
                ));
        }
    }
    Ok(())
}

fn check_offered(source: &Source, row: &Row) -> Result<()> {
    if row.case.subject.prepare().is_some() {
        return Ok(());
    }
    let message = format!("the codec `{}` does not offer `{}`", row.case.key.codec, row.case.key.label());
    Err(Error::new(ErrorKind::Unsupported, message)
        .at(source.place(&row.span, "cases"))
        .with_help("take the row out of the profile, or give it to a codec that offers it"))
}

fn nothing_selected(source: &Source) -> Error {
    Error::new(ErrorKind::NothingSelected, "no row of the profile passes the filters")
        .at(&source.file)
        .with_help(
            "take a filter by codec, model, operation, variant or threads away, or choose other values",
        )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::{CaseKey, RowFilter};

    const GROUP: &str = r#"
        title = "t"
        [[group]]
        name = "g"
        operation = "serialize"
        variant = "span"
        baseline = { codec = "span", model = "fast" }
        cases = [{ codec = "span", model = "fast" }]
    "#;

    fn rows_of(text: &str) -> Result<Vec<Row>> {
        let source = Source { file: "p.toml".to_owned(), folder: None, text: text.to_owned() };
        rows(&source, &source.parse()?, &Overrides::default())
    }

    fn span_rows() -> Vec<Row> {
        let source = shipped::profile("span").unwrap();
        rows(&source, &source.parse().unwrap(), &Overrides::default()).unwrap()
    }

    #[test]
    fn the_span_profile_takes_every_published_row_once_and_in_the_published_order() {
        let (file, text) = shipped::published("span-vs-binary").unwrap();
        let rows = span_rows();
        let taken: Vec<_> =
            rows.iter().filter(|row| row.case.published.is_some()).map(|row| row.case.key.clone()).collect();
        let table = published::read(file, text, 1).unwrap();
        assert_eq!(table.len(), 40);
        let line_of = |key: &CaseKey| {
            let start = format!(
                "{},{},{},{},{},{},",
                key.codec, key.model, key.operation, key.variant, key.batch, key.threads
            );
            text.lines().position(|line| line.starts_with(&start)).unwrap()
        };
        assert_eq!(taken.iter().map(line_of).collect::<Vec<_>>(), (1..=40).collect::<Vec<_>>());
    }

    #[test]
    fn the_span_profile_has_32_rows_of_span_and_10_of_advice_beside_the_published_ones() {
        let rows = span_rows();
        let own = rows.iter().filter(|row| row.case.published.is_none());
        let (advice, span): (Vec<_>, Vec<_>) =
            own.partition(|row| matches!(&*row.case.key.variant, "unboxed" | "cached" | "reused"));
        assert_eq!((rows.len(), span.len(), advice.len()), (82, 32, 10));
        assert!(span.iter().all(|row| row.case.key.codec == "span" && row.case.key.model != "fast"));
    }

    #[test]
    fn the_codecs_offer_every_row_of_the_span_profile() {
        let plan = plan("span", &shipped::profile("span").unwrap(), &Overrides::default()).unwrap();
        assert_eq!((plan.cases.len(), plan.iterations, plan.time), (82, DEFAULT_ITERATIONS, true));
    }

    #[test]
    fn filters_choose_rows_and_values_of_one_filter_add_up() {
        let count = |rows: RowFilter| {
            let overrides = Overrides { rows, ..Overrides::default() };
            let source = shipped::profile("span").unwrap();
            plan("span", &source, &overrides).map_or(0, |plan| plan.cases.len())
        };
        let (span, binary) = ("span".to_owned(), "binary".to_owned());
        assert_eq!(count(RowFilter { codecs: vec![span.clone()], ..RowFilter::default() }), 35);
        assert_eq!(count(RowFilter { codecs: vec![span, binary.clone()], ..RowFilter::default() }), 57);
        assert_eq!(count(RowFilter { threads: vec![32], ..RowFilter::default() }), 8);
        assert_eq!(count(RowFilter { threads: vec![32], codecs: vec![binary], ..RowFilter::default() }), 2);
        assert_eq!(count(RowFilter { threads: vec![3], ..RowFilter::default() }), 0);
    }

    #[test]
    fn every_published_ratio_refers_to_the_baseline_of_its_group() {
        let rows = span_rows();
        let groups: HashSet<_> = rows.iter().map(|row| &row.case.group).collect();
        assert_eq!(groups.len(), 9);
        for row in rows.iter().filter(|row| row.case.published.is_some()) {
            let base = rows.iter().filter(|base| base.case.group == row.case.group && base.case.baseline);
            let [base] = base.collect::<Vec<_>>()[..] else { panic!("one baseline in {}", row.case.group) };
            let (figures, base) =
                (row.case.published.as_ref().unwrap(), base.case.published.as_ref().unwrap());
            let ratio = figures.mean_ns.unwrap() / base.mean_ns.unwrap();
            assert!((ratio - figures.ratio.unwrap()).abs() < 0.011, "{}: {ratio}", row.case.key.label());
        }
    }

    #[test]
    fn operations_are_iterations_over_the_size_and_at_least_one() {
        let rows = span_rows();
        let operations = |variant: &str, size: u32| {
            let row = rows.iter().find(|row| {
                let key = &row.case.key;
                key.variant == variant && key.batch.max(key.threads) == size
            });
            row.unwrap().case.operations()
        };
        assert_eq!(operations("span", 1), 100_000);
        assert_eq!(operations("batch", 1000), 100);
        assert_eq!(operations("concurrent", 32), 3125);
        let source = shipped::profile("span").unwrap();
        let few = Overrides { iterations: Some(1), ..Overrides::default() };
        let rows = self::rows(&source, &source.parse().unwrap(), &few).unwrap();
        assert!(rows.iter().all(|row| row.case.operations() == 1));
    }

    #[test]
    fn iterations_of_the_run_come_before_those_of_a_case_and_those_before_the_profiles() {
        let text = GROUP
            .replace("title", "iterations = 7\ntitle")
            .replace("\"fast\" }]", "\"fast\", iterations = 3 }]");
        let iterations = |overrides: Option<u64>| {
            let source = Source { file: "p.toml".to_owned(), folder: None, text: text.clone() };
            let overrides = Overrides { iterations: overrides, ..Overrides::default() };
            rows(&source, &source.parse().unwrap(), &overrides).unwrap()[0].case.iterations
        };
        assert_eq!((iterations(Some(9)), iterations(None)), (9, 3));
        assert_eq!(rows_of(&GROUP.replace("title", "iterations = 7\ntitle")).unwrap()[0].case.iterations, 7);
        assert_eq!(rows_of(GROUP).unwrap()[0].case.iterations, DEFAULT_ITERATIONS);
    }

    #[test]
    fn what_is_wrong_in_a_profile_is_named_with_its_line_and_key() {
        for (was, is, message) in [
            ("title", "titel", "p.toml, line 2, key `titel`: there is no key `titel` here"),
            ("name", "naem", "p.toml, line 4, key `naem`: there is no key `naem` here"),
            (
                "model = \"fast\" }]",
                "modle = \"fast\" }]",
                "p.toml, line 8, key `modle`: there is no key `modle` here",
            ),
            (
                "title = \"t\"",
                "title = 3",
                "p.toml, line 2, key `title`: invalid type: integer `3`, expected a string",
            ),
            (
                "title = \"t\"",
                "title = \"t",
                "p.toml, line 2, key `title`: invalid basic string, expected `\"`",
            ),
            ("title = \"t\"", "", "p.toml, line 1: missing field `title`"),
            (
                "model = \"fast\" }]",
                "model = [\"fast\", \"fast\"] }]",
                "p.toml, line 8, key `model`: `fast` stands in the list twice",
            ),
            (
                "[[group]]",
                "published = \"spam\"\n[[group]]",
                "p.toml, line 3, key `published`: there is no published table `spam`",
            ),
            (
                "codec = \"span\", model = \"fast\" }]",
                "codec = \"spam\", model = \"fast\" }]",
                "p.toml, line 8, key `codec`: there is no codec `spam`",
            ),
            (
                "\"fast\" }]",
                "[\"fast\", \"slow\"] }]",
                "p.toml, line 8, key `model`: there is no model `slow`",
            ),
            (
                "\"fast\" }]",
                "[\"fast\", 3] }]",
                "p.toml, line 8, key `model`: invalid type: integer `3`, expected a string",
            ),
            (
                "\"fast\" }]",
                "\"fast\", iterations = 0 }]",
                "p.toml, line 8, key `iterations`: 0 iterations are not between 1 and 1099511627776, what counters can hold",
            ),
            (
                "\"fast\" }]",
                "\"fast\", iterations = -1 }]",
                "p.toml, line 8, key `iterations`: invalid value: integer `-1`, expected u64",
            ),
            (
                "\"serialize\"",
                "\"serialise\"",
                "p.toml, line 5, key `operation`: there is no operation `serialise`",
            ),
            (
                "\"serialize\"",
                "[\"serialize\", \"deserialize\"]",
                "p.toml, line 7, key `baseline`: neither this row nor its group says one `operation`",
            ),
            (
                "variant = \"span\"",
                "",
                "p.toml, line 7, key `baseline`: neither this row nor its group says one `variant`",
            ),
            (
                "variant = \"span\"",
                "variant = \"spawn\"",
                "p.toml, line 6, key `variant`: there is no variant `spawn`",
            ),
            (
                "variant = \"span\"",
                "variant = \"batch\"",
                "p.toml, line 6, key `variant`: the variant `batch` needs the key `batch` in its group `g`",
            ),
            (
                "variant = \"span\"",
                "variant = \"span\"\nthreads = 4",
                "p.toml, line 6, key `variant`: the group `g` has the key `threads`, which is for the variant `concurrent` alone",
            ),
            (
                "variant = \"span\"",
                "variant = \"batch\"\nbatch = [5, 0]",
                "p.toml, line 7, key `batch`: 0 is not between 1 and 1000000",
            ),
            (
                "variant = \"span\"",
                "variant = \"batch\"\nbatch = [5, 6]",
                "p.toml, line 9, key `cases`: two groups have the name `g`",
            ),
            (
                "\"fast\" }]",
                "\"fast\" }, { codec = \"span\", model = \"fast\" }]",
                "p.toml, line 8, key `cases`: the row `span, fast, serialize, span` stands in line 8 already",
            ),
            (
                "\"fast\" }]",
                "\"simple\" }]",
                "p.toml, line 7, key `baseline`: the baseline is not a row of its group",
            ),
            (
                "[{ codec = \"span\", model = \"fast\" }]",
                "[]",
                "p.toml, line 3, key `group`: the profile has no case",
            ),
        ] {
            let text = GROUP.replace(was, is);
            assert_ne!(text, GROUP, "{was} is in the text");
            let error = rows_of(&text).err().map(|error| error.to_string());
            assert_eq!(error.as_deref(), Some(message));
        }
    }

    #[test]
    fn an_unknown_name_comes_with_the_nearest_and_with_all_known_ones() {
        let error = rows_of(&GROUP.replace("\"serialize\"", "\"serialise\"")).err().unwrap();
        assert_eq!(
            error.help(),
            Some("did you mean `serialize` or `deserialize`? known: `serialize`, `deserialize`")
        );
        let error = rows_of(&GROUP.replace("title", "titel")).err().unwrap();
        assert_eq!(
            error.help(),
            Some(
                "did you mean `title`? known: `title`, `see_also`, `published`, `published_operations`, `reference`, `iterations`, `group`"
            )
        );
    }
}
