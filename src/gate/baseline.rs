//! The accepted figures of a profile, and the file that holds them.

use std::collections::BTreeMap;
use std::ops::Range;

use toml_edit::{Document, InlineTable, Item, Key, Table, TableLike};

use crate::error::{Error, ErrorKind, Result};
use crate::results::{Figures, Metric};

/// What a profile is accepted to allocate.
///
/// # Examples
/// ```
/// use alloclab::gate::Baseline;
///
/// let text = r#"
/// rustc = "rustc 1.95.0"
/// target = "x86_64-unknown-linux-gnu"
/// opt_level = "3"
/// iterations = 100
///
/// ["span simple serialize span"]
/// allocations_per_op = 0
/// reallocations_per_op = 0
/// bytes_per_op = 0
/// max_allocations_per_op = 0
/// "#;
/// let baseline = Baseline::parse("smoke.toml", text)?;
/// assert_eq!(baseline.cases["span simple serialize span"].figures.bytes_per_op, 0.0);
///
/// let error = Baseline::parse("smoke.toml", &text.replace("max_alloc", "max_aloc")).unwrap_err();
/// assert!(error.to_string().starts_with("smoke.toml, line 11, key `max_alocations_per_op`: there is no such key"));
/// # Ok::<(), alloclab::error::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Baseline {
    /// The version line of the compiler that it was made with.
    pub rustc: String,
    /// The target triple that it was made for.
    pub target: String,
    /// The optimization level of the build that made it.
    pub opt_level: String,
    /// Objects of a row, as the profile said.
    pub iterations: u64,
    /// By how much bytes may differ, where a case says nothing else.
    pub tolerance: Tolerance,
    /// The cases, by their names.
    pub cases: BTreeMap<String, Accepted>,
}

/// By how much bytes may differ from the baseline in either direction: the larger of both holds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tolerance {
    /// In percent of the baseline's figure.
    pub bytes_percent: Option<f64>,
    /// In bytes per operation.
    pub bytes_absolute: Option<f64>,
}

/// What a case is accepted to allocate.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Accepted {
    /// What one operation asks for.
    pub figures: Figures,
    /// By how much bytes of this case may differ.
    pub tolerance: Tolerance,
    /// What may never be exceeded, whatever the baseline says.
    pub limits: Limits,
    /// Who allocates: what one operation asks for, by `type in function`. A type is called by the shortest name that was its
    /// own in the run that was accepted. Explains; never decides.
    pub sites: BTreeMap<String, Figures>,
    /// The line of the file on which the case begins.
    pub line: usize,
}

/// Hard limits of one operation.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Limits {
    /// Of fresh blocks.
    pub max_allocations_per_op: Option<f64>,
    /// Of reallocations.
    pub max_reallocations_per_op: Option<f64>,
    /// Of fresh bytes and growth.
    pub max_bytes_per_op: Option<f64>,
}

impl Limits {
    /// The limit of a metric, if there is one.
    pub(super) const fn of(&self, metric: Metric) -> Option<f64> {
        match metric {
            Metric::Allocations => self.max_allocations_per_op,
            Metric::Reallocations => self.max_reallocations_per_op,
            Metric::Bytes => self.max_bytes_per_op,
        }
    }
}

impl Baseline {
    /// The baseline that a text holds; `file` is what errors call it.
    ///
    /// # Errors
    /// [`ErrorKind::Malformed`] for a text that is no TOML, a key that is missing, and a value that is not what it has to be;
    /// [`ErrorKind::Unknown`] for a key that there is not. The error says the line, the key, and what is expected.
    pub fn parse(file: &str, text: &str) -> Result<Self> {
        let reader = Reader { file, text };
        let document = Document::parse(text).map_err(|error| {
            let line = reader.line(error.span().unwrap_or_default());
            reader.error(
                ErrorKind::Malformed,
                error.message().lines().collect::<Vec<_>>().join("; "),
                line,
                None,
            )
        })?;
        reader.baseline(document.as_table())
    }

    /// Whether a run of so many iterations can be compared with it.
    ///
    /// # Errors
    /// [`ErrorKind::Unsupported`] for another number than the baseline's: what an operation does now and then makes other
    /// fractions of it.
    pub fn check_iterations(&self, file: &str, iterations: u64) -> Result<()> {
        if self.iterations == iterations {
            return Ok(());
        }
        let message = format!(
            "the baseline was made with {} iterations, and the profile says {iterations}: figures per operation cannot be compared",
            self.iterations
        );
        Err(Error::new(ErrorKind::Unsupported, message)
            .at(format!("{file}, key `{}`", ITERATIONS))
            .with_help("put the profile's iterations back, or accept the new figures with --update"))
    }
}

pub(super) const RUSTC: &str = "rustc";
pub(super) const TARGET: &str = "target";
pub(super) const OPT_LEVEL: &str = "opt_level";
pub(super) const ITERATIONS: &str = "iterations";
const TOLERANCE: &str = "tolerance";

/// Keys of the file itself; all other keys are cases.
pub(super) const OWN_KEYS: [&str; 5] = [RUSTC, TARGET, OPT_LEVEL, ITERATIONS, TOLERANCE];

const BYTES_PERCENT: &str = "bytes_percent";
const BYTES_ABSOLUTE: &str = "bytes_absolute";
const TOLERANCE_KEYS: [&str; 2] = [BYTES_PERCENT, BYTES_ABSOLUTE];

/// A case's key for what an operation asks for. A site's is the metric's name.
pub(super) const fn figure_key(metric: Metric) -> &'static str {
    match metric {
        Metric::Allocations => "allocations_per_op",
        Metric::Reallocations => "reallocations_per_op",
        Metric::Bytes => "bytes_per_op",
    }
}

/// A case's key for a hard limit.
pub(super) const fn limit_key(metric: Metric) -> &'static str {
    match metric {
        Metric::Allocations => "max_allocations_per_op",
        Metric::Reallocations => "max_reallocations_per_op",
        Metric::Bytes => "max_bytes_per_op",
    }
}

/// The table of a case that says who allocates.
pub(super) const SITES: &str = "sites";

/// A text that is read, for messages to say where things stand.
struct Reader<'a> {
    file: &'a str,
    text: &'a str,
}

impl Reader<'_> {
    fn baseline(&self, root: &Table) -> Result<Baseline> {
        let mut cases = BTreeMap::new();
        for (key, item) in entries(root) {
            if OWN_KEYS.contains(&key.get()) {
                continue;
            }
            let Some(table) = item.as_table() else {
                let known = quoted(&OWN_KEYS);
                return Err(self.unknown(
                    key,
                    &format!("{known}, and tables of cases like [\"span simple serialize span\"]"),
                ));
            };
            cases.insert(key.get().to_owned(), self.case(key, table)?);
        }
        Ok(Baseline {
            rustc: self.string(root, RUSTC)?,
            target: self.string(root, TARGET)?,
            opt_level: self.string(root, OPT_LEVEL)?,
            iterations: self.iterations(root)?,
            tolerance: self.tolerance_table(root)?,
            cases,
        })
    }

    fn case(&self, key: &Key, table: &Table) -> Result<Accepted> {
        let (figure_keys, limit_keys) = (Metric::ALL.map(figure_key), Metric::ALL.map(limit_key));
        let known: Vec<&str> = [&figure_keys[..], &limit_keys, &TOLERANCE_KEYS, &[SITES]].concat();
        self.refuse_others(table, &known)?;
        let line = self.line_of(key);
        let needed = |metric| {
            let name = figure_key(metric);
            let found = self.number(table, name)?;
            found.ok_or_else(|| self.missing(name, line, &format!("in the table of `{}`", key.get())))
        };
        let figures = Figures {
            allocations_per_op: needed(Metric::Allocations)?,
            reallocations_per_op: needed(Metric::Reallocations)?,
            bytes_per_op: needed(Metric::Bytes)?,
            counts: None,
        };
        let limits = Limits {
            max_allocations_per_op: self.number(table, limit_key(Metric::Allocations))?,
            max_reallocations_per_op: self.number(table, limit_key(Metric::Reallocations))?,
            max_bytes_per_op: self.number(table, limit_key(Metric::Bytes))?,
        };
        Ok(Accepted { figures, tolerance: self.tolerance(table)?, limits, sites: self.sites(table)?, line })
    }

    fn sites(&self, case: &Table) -> Result<BTreeMap<String, Figures>> {
        let Some((key, item)) = case.get_key_value(SITES) else { return Ok(BTreeMap::new()) };
        let table =
            item.as_table().ok_or_else(|| self.wrong(key, "a table of its own, as --update writes it"))?;
        let site = |(key, item): (&Key, &Item)| {
            let expected = "figures per operation, like { allocations = 1, bytes = 24 }";
            let figures = item.as_inline_table().ok_or_else(|| self.wrong(key, expected))?;
            Ok((key.get().to_owned(), self.site(figures)?))
        };
        entries(table).map(site).collect()
    }

    fn site(&self, table: &InlineTable) -> Result<Figures> {
        self.refuse_others(table, &Metric::ALL.map(Metric::name))?;
        let figure = |metric: Metric| Ok(self.number(table, metric.name())?.unwrap_or(0.0));
        Ok(Figures {
            allocations_per_op: figure(Metric::Allocations)?,
            reallocations_per_op: figure(Metric::Reallocations)?,
            bytes_per_op: figure(Metric::Bytes)?,
            counts: None,
        })
    }

    fn tolerance_table(&self, root: &Table) -> Result<Tolerance> {
        let Some((key, item)) = root.get_key_value(TOLERANCE) else { return Ok(Tolerance::default()) };
        let table = item.as_table_like().ok_or_else(|| self.wrong(key, "a table"))?;
        self.refuse_others(table, &TOLERANCE_KEYS)?;
        self.tolerance(table)
    }

    fn tolerance(&self, table: &dyn TableLike) -> Result<Tolerance> {
        Ok(Tolerance {
            bytes_percent: self.number(table, BYTES_PERCENT)?,
            bytes_absolute: self.number(table, BYTES_ABSOLUTE)?,
        })
    }

    fn string(&self, root: &Table, name: &str) -> Result<String> {
        let (key, item) =
            root.get_key_value(name).ok_or_else(|| self.missing(name, 1, "before the first table"))?;
        item.as_str().map(str::to_owned).ok_or_else(|| self.wrong(key, "a text in quotes"))
    }

    fn iterations(&self, root: &Table) -> Result<u64> {
        let name = ITERATIONS;
        let (key, item) =
            root.get_key_value(name).ok_or_else(|| self.missing(name, 1, "before the first table"))?;
        let number = item.as_integer().and_then(|number| u64::try_from(number).ok());
        number.ok_or_else(|| self.wrong(key, "a whole number"))
    }

    /// A figure: whole or not, never below nothing.
    fn number(&self, table: &dyn TableLike, name: &str) -> Result<Option<f64>> {
        let Some((key, item)) = table.get_key_value(name) else { return Ok(None) };
        let number = item.as_float().or_else(|| item.as_integer().map(|whole| whole as f64));
        let number = number.filter(|number| number.is_finite() && *number >= 0.0);
        number.map(Some).ok_or_else(|| self.wrong(key, "a number that is not negative"))
    }

    fn refuse_others(&self, table: &dyn TableLike, known: &[&str]) -> Result<()> {
        let other = table.iter().find(|(name, _)| !known.contains(name));
        match other.and_then(|(name, _)| table.get_key_value(name)) {
            Some((key, _)) => Err(self.unknown(key, &quoted(known))),
            None => Ok(()),
        }
    }

    fn unknown(&self, key: &Key, known: &str) -> Error {
        self.error(
            ErrorKind::Unknown,
            "there is no such key in a baseline",
            self.line_of(key),
            Some(key.get()),
        )
        .with_help(format!("known: {known}"))
    }

    fn wrong(&self, key: &Key, expected: &str) -> Error {
        let message = format!("expected {expected}");
        self.error(ErrorKind::Malformed, message, self.line_of(key), Some(key.get()))
    }

    fn missing(&self, name: &str, line: usize, place: &str) -> Error {
        self.error(ErrorKind::Malformed, "the key is missing", line, Some(name))
            .with_help(format!("it belongs {place}; `alloclab check --update` writes a missing file anew"))
    }

    fn error(&self, kind: ErrorKind, message: impl Into<String>, line: usize, key: Option<&str>) -> Error {
        let key = key.map_or_else(String::new, |key| format!(", key `{key}`"));
        Error::new(kind, message).at(format!("{}, line {line}{key}", self.file))
    }

    fn line_of(&self, key: &Key) -> usize {
        self.line(key.span().unwrap_or_default())
    }

    fn line(&self, span: Range<usize>) -> usize {
        let before = self.text.as_bytes().iter().take(span.start);
        before.filter(|&&byte| byte == b'\n').count() + 1
    }
}

/// Keys with their places, and what they stand for.
fn entries(table: &Table) -> impl Iterator<Item = (&Key, &Item)> {
    table.iter().filter_map(|(name, _)| table.get_key_value(name))
}

fn quoted(names: &[&str]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}
