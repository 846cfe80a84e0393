//! Accepting what was measured: the file changes where figures do, and stays byte for byte elsewhere.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::io;
use std::path::Path;

use toml_edit::{DocumentMut, InlineTable, Item, Table, Value};

use crate::error::{Error, ErrorKind, Result};
use crate::results::{Case, Figures, Metric, Results, write_whole};

use super::baseline::{
    Accepted, Baseline, ITERATIONS, OPT_LEVEL, OWN_KEYS, RUSTC, SITES, TARGET, figure_key,
};
use super::explanation;
use super::rule::{name, takes_part};

/// What accepting measured results makes of a baseline's file. Nothing is written yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Update {
    /// The file's text.
    pub text: String,
    /// What changes, one line each; none if the file is as it should be.
    pub changes: Vec<String>,
}

impl Update {
    /// Accepts results: `text` is the file's, if there is one, and `file` is what errors call it. Where rows were filtered,
    /// the cases that were not measured stay.
    ///
    /// # Errors
    /// What [`Baseline::parse`] finds wrong; [`ErrorKind::Unsupported`] if rows were filtered and the rest of the baseline was
    /// made by another compiler, for another target or with other iterations.
    ///
    /// # Examples
    /// ```
    /// use alloclab::gate::Update;
    /// use alloclab::results::{Case, Results};
    ///
    /// let [codec, model, operation, variant] = ["span", "simple", "serialize", "span"].map(str::to_owned);
    /// let case = Case { codec, model, operation, variant, allocations_per_op: 0.5, ..Case::default() };
    /// let results = Results { cases: vec![case], ..Results::default() };
    /// let new = Update::accepting(&results, "mine.toml", None, false)?;
    /// assert!(new.text.contains("[\"span simple serialize span\"]\nallocations_per_op = 0.5\n"));
    /// assert!(Update::accepting(&results, "mine.toml", Some(&new.text), false)?.changes.is_empty());
    /// # Ok::<(), alloclab::error::Error>(())
    /// ```
    pub fn accepting(results: &Results, file: &str, text: Option<&str>, filtered: bool) -> Result<Self> {
        let new = beginning(results);
        let is_new = text.is_none();
        let text = text.unwrap_or(&new);
        let accepted = Baseline::parse(file, text)?;
        let mut document: DocumentMut = text.parse().map_err(|error: toml_edit::TomlError| {
            Error::new(ErrorKind::Malformed, "the file is no TOML").at(file).with_source(error)
        })?;
        if document.to_string() != text {
            return Err(Error::new(ErrorKind::Unsupported, "the file cannot be kept as it is written")
                .at(file)
                .with_help("end its lines without carriage returns, and let each table stand in one place"));
        }
        let root = document.as_table_mut();
        let own = own_changes(root, results);
        if filtered && !own.is_empty() {
            return Err(other_build(file, &own));
        }
        check_names(results, file)?;
        let mut changes = own;
        for case in results.cases.iter().filter(|case| takes_part(case)) {
            accept(root, &accepted, results, case, &mut changes);
        }
        if !filtered {
            remove_unmeasured(root, &accepted, results, &mut changes);
        }
        if is_new {
            let cases = results.cases.iter().filter(|case| takes_part(case)).count();
            changes = vec![format!("made, with {cases} cases")];
        }
        Ok(Self { text: document.to_string(), changes })
    }

    /// Writes the file, whole or not at all; not at all if nothing changes.
    ///
    /// # Errors
    /// [`ErrorKind::Io`] if it cannot be written.
    ///
    /// # Examples
    /// ```
    /// use alloclab::gate::Update;
    /// use alloclab::results::Results;
    ///
    /// let folder = std::env::temp_dir().join("alloclab-example-baseline");
    /// let file = folder.join("mine.toml");
    /// Update::accepting(&Results::default(), "mine.toml", None, false)?.write(&file)?;
    /// assert!(std::fs::read_to_string(&file).unwrap().starts_with("# What an operation of each case"));
    /// # std::fs::remove_dir_all(folder).unwrap();
    /// # Ok::<(), alloclab::error::Error>(())
    /// ```
    pub fn write(&self, path: &Path) -> Result<()> {
        if self.changes.is_empty() {
            return Ok(());
        }
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(|error| cannot_be_made(folder, error))?;
        }
        write_whole(path, |unfinished| fs::write(unfinished, &self.text))
    }
}

fn cannot_be_made(folder: &Path, error: io::Error) -> Error {
    Error::new(ErrorKind::Io, "the folder of baselines cannot be made")
        .at(folder.display().to_string())
        .with_help("name another one with --baseline DIR")
        .with_source(error)
}

fn other_build(file: &str, changes: &[String]) -> Error {
    let message = format!("the rest of the baseline was made otherwise: {}", changes.join("; "));
    Error::new(ErrorKind::Unsupported, message)
        .at(file)
        .with_help("update all of it: take the filters of rows away")
}

/// A case stands in the file under its name: two of one name, or one of a name that means something else there, cannot be
/// kept.
fn check_names(results: &Results, file: &str) -> Result<()> {
    let mut seen = HashSet::new();
    let names = results.cases.iter().filter(|case| takes_part(case)).map(name);
    match names.into_iter().find(|name| OWN_KEYS.contains(&name.as_str()) || !seen.insert(name.clone())) {
        None => Ok(()),
        Some(name) => {
            let message =
                format!("two cases are called `{name}`, or the name means something else in the file");
            Err(Error::new(ErrorKind::Unsupported, message)
                .at(file)
                .with_help("give each case a name of its own"))
        }
    }
}

/// What a new file begins with.
fn beginning(results: &Results) -> String {
    let profile = &results.profile;
    let mut text = format!(
        "# What an operation of each case of `{profile}` is accepted to allocate. `check {profile}` compares with it,\n\
         # and with --update accepts what it measures; what does not change stays as it is written here, comments too.\n\
         #\n\
         # Cases may have bytes_percent and bytes_absolute, by which bytes may differ ([tolerance] has them for all), and hard\n\
         # limits: max_allocations_per_op, max_reallocations_per_op, max_bytes_per_op. Sites say who allocates, per operation;\n\
         # they explain a failure, and decide nothing.\n\n"
    );
    for (key, value) in own_values(results) {
        text += &format!("{key} = {value}\n");
    }
    text
}

fn own_values(results: &Results) -> [(&'static str, Value); 4] {
    let environment = &results.environment;
    let iterations = i64::try_from(environment.iterations).unwrap_or(i64::MAX);
    [
        (RUSTC, Value::from(&environment.rustc)),
        (TARGET, Value::from(&environment.target)),
        (OPT_LEVEL, Value::from(&environment.opt_level)),
        (ITERATIONS, Value::from(iterations)),
    ]
}

fn own_changes(root: &mut Table, results: &Results) -> Vec<String> {
    let mut changes = Vec::new();
    for (key, value) in own_values(results) {
        let old = root.get(key).and_then(Item::as_value).map(bare).unwrap_or_default();
        let new = bare(&value);
        if old != new {
            changes.push(format!("{key} {old} -> {new}"));
            set(root, key, value);
        }
    }
    changes
}

/// The text of a value, without what stands around it.
fn bare(value: &Value) -> String {
    value.clone().decorated("", "").to_string()
}

/// Gives a value to a key: in its place, with the comments around it, if it is there.
fn set(table: &mut Table, key: &str, value: Value) {
    match table.get_mut(key).and_then(Item::as_value_mut) {
        Some(place) => {
            let decor = place.decor().clone();
            *place = value;
            *place.decor_mut() = decor;
        }
        None => {
            table.insert(key, Item::Value(value));
        }
    }
}

/// Brings a case up to date, or adds it.
fn accept(root: &mut Table, baseline: &Baseline, results: &Results, case: &Case, changes: &mut Vec<String>) {
    let name = name(case);
    let figures = Figures::of_case(case);
    let sites = explanation::sites(results, case);
    let unknown = Accepted::default();
    let is_known = baseline.cases.contains_key(&name);
    if !is_known {
        changes.push(format!("{name}: added"));
        insert_case(root, &name);
    }
    let accepted = baseline.cases.get(&name).unwrap_or(&unknown);
    let Some(table) = root.get_mut(&name).and_then(Item::as_table_mut) else { return };
    for metric in Metric::ALL {
        let (key, old, new) = (figure_key(metric), metric.per_op(&accepted.figures), metric.per_op(&figures));
        if !is_known {
            set(table, key, number(new));
        } else if old != new {
            changes.push(format!("{name}: {key} {old} -> {new}"));
            set(table, key, number(new));
        }
    }
    if accepted.sites != sites {
        if is_known {
            changes.push(format!("{name}: who allocates"));
        }
        accept_sites(root, &name, &accepted.sites, &sites);
    }
}

/// The shortest text that reads back as the same number.
fn number(number: f64) -> Value {
    /// Up to here every whole number is one of its own.
    const EXACT: f64 = (1_u64 << 53) as f64;
    if number.fract() == 0.0 && number.abs() < EXACT {
        Value::from(number as i64)
    } else {
        Value::from(number)
    }
}

fn accept_sites(
    root: &mut Table,
    case: &str,
    old: &BTreeMap<String, Figures>,
    new: &BTreeMap<String, Figures>,
) {
    if !root.get(case).and_then(Item::as_table).is_some_and(|table| table.contains_key(SITES)) {
        insert_sites(root, case);
    }
    let Some(table) = root.get_mut(case).and_then(Item::as_table_mut) else { return };
    if new.is_empty() {
        table.remove(SITES);
        return;
    }
    let Some(lines) = table.get_mut(SITES).and_then(Item::as_table_mut) else { return };
    for gone in old.keys().filter(|name| !new.contains_key(*name)) {
        lines.remove(gone);
    }
    for (name, figures) in new.iter().filter(|(name, figures)| old.get(*name) != Some(*figures)) {
        if lines.contains_key(name) {
            set(lines, name, line(figures));
        } else {
            insert_sorted(lines, name, line(figures));
        }
    }
}

fn line(figures: &Figures) -> Value {
    let mut line = InlineTable::new();
    for metric in Metric::ALL {
        let figure = metric.per_op(figures);
        // Reallocations are rare: most lines are read more easily without.
        if metric != Metric::Reallocations || figure != 0.0 {
            line.insert(metric.name(), number(figure));
        }
    }
    Value::from(line)
}

/// Puts a line before the first that comes after it in the alphabet.
fn insert_sorted(table: &mut Table, name: &str, value: Value) {
    let names: Vec<String> = table.iter().map(|(name, _)| name.to_owned()).collect();
    let later = names.iter().skip_while(|other| other.as_str() < name);
    let later: Vec<_> = later.filter_map(|name| table.remove_entry(name)).collect();
    table.insert(name, Item::Value(value));
    for (key, item) in later {
        table.insert_formatted(&key, item);
    }
}

/// Between the positions of two tables, so that a case and its sites fit between them.
const ROOM: isize = 4;

/// Adds an empty table for a case, before the first that comes after it in the alphabet.
fn insert_case(root: &mut Table, name: &str) {
    make_room(root);
    let cases = || root.iter().filter(|(key, item)| item.is_table() && !OWN_KEYS.contains(key));
    let before = cases().filter(|(key, _)| *key < name).max_by_key(|(key, _)| *key);
    let first = cases().filter_map(|(_, item)| item.as_table()?.position()).min();
    let position = match (before.and_then(|(_, item)| last_position(item)), first) {
        (Some(last), _) => last + 1,
        (None, Some(first)) => first - 2,
        (None, None) => root.iter().filter_map(|(_, item)| last_position(item)).max().unwrap_or(0) + 1,
    };
    let mut table = Table::new();
    table.set_position(Some(position));
    root.insert(name, Item::Table(table));
}

/// Adds an empty table of sites right below the table of a case.
fn insert_sites(root: &mut Table, case: &str) {
    make_room(root);
    let Some(table) = root.get_mut(case).and_then(Item::as_table_mut) else { return };
    let mut sites = Table::new();
    sites.set_position(table.position().map(|position| position + 1));
    sites.decor_mut().set_prefix("");
    table.insert(SITES, Item::Table(sites));
}

/// Keeps the order of all tables and puts room between them.
fn make_room(root: &mut Table) {
    let mut positions = Vec::new();
    visit(root, &mut |table| positions.extend(table.position()));
    positions.sort_unstable();
    visit(root, &mut |table| {
        let rank = table.position().and_then(|position| positions.binary_search(&position).ok());
        table.set_position(rank.map(|rank| (rank as isize + 1) * ROOM));
    });
}

/// Every table below a table.
fn visit(table: &mut Table, act: &mut impl FnMut(&mut Table)) {
    for (_, item) in table.iter_mut() {
        if let Some(table) = item.as_table_mut() {
            act(table);
            visit(table, act);
        }
    }
}

fn last_position(item: &Item) -> Option<isize> {
    let table = item.as_table()?;
    table.iter().filter_map(|(_, item)| last_position(item)).chain(table.position()).max()
}

fn remove_unmeasured(root: &mut Table, baseline: &Baseline, results: &Results, changes: &mut Vec<String>) {
    let measured: Vec<String> = results.cases.iter().filter(|case| takes_part(case)).map(name).collect();
    for name in baseline.cases.keys().filter(|name| !measured.contains(name)) {
        changes.push(format!("{name}: removed, for it was not measured"));
        root.remove(name);
    }
}
