//! A measuring program of one's own: its cases, under the command line of `alloclab`.
//!
//! `benches/alloc.rs` with `harness = false`, an allocator line and a [`Suite`]: then `cargo bench --bench alloc` shows who
//! allocates what, `cargo bench --bench alloc -- check` fails when an operation starts to allocate more, and `diff`,
//! `report`, `compare` and `list` do what they do for the lab.

use std::collections::HashSet;
use std::ffi::OsString;
use std::hint::black_box;
use std::path::Path;
use std::process::ExitCode;
use std::rc::Rc;

use crate::cli::{self, Catalog, Folders, OnlyProfile};
use crate::error::{Error, ErrorKind, Result};
use crate::plan::{
    CaseKey, MAX_ITERATIONS, ModelledObject, Overrides, Plan, PlannedCase, Prepared, Subject, Workload,
    available_threads,
};
use crate::report;

/// Operations of a case in its counted window where nobody says how many.
const DEFAULT_ITERATIONS: u64 = 1000;

/// Cases of a program, to be measured, checked and compared from its command line.
///
/// Whatever is not part of an operation is made before it, in the closure that returns the operation. What the operation
/// returns is dropped within it, and kept from the optimizer.
///
/// # Examples
/// ```no_run
/// use alloclab::bench::Suite;
/// use alloclab::recorder::Recorder;
///
/// #[global_allocator]
/// static ALLOCATOR: Recorder = Recorder::system();
///
/// fn main() -> std::process::ExitCode {
///     Suite::new("words")
///         .function("split", "short", || || "the quick brown fox".split(' ').collect::<Vec<_>>())
///         .function("split", "long", || {
///             let text = "the quick brown fox ".repeat(100);
///             move || text.split(' ').map(str::to_owned).collect::<Vec<_>>()
///         })
///         .run()
/// }
/// ```
pub struct Suite {
    name: String,
    title: String,
    iterations: u64,
    cases: Vec<(CaseKey, Rc<dyn Subject>)>,
}

impl Suite {
    /// A suite without cases. Its name is that of its results' folder and of its baseline's file.
    ///
    /// # Examples
    /// ```
    /// use alloclab::bench::Suite;
    ///
    /// let suite = Suite::new("words").function("split", "short", || || "the fox".split(' ').count());
    /// ```
    pub fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            title: String::new(),
            iterations: DEFAULT_ITERATIONS,
            cases: Vec::new(),
        }
    }

    /// What the suite is about, in one line.
    ///
    /// # Examples
    /// ```
    /// use alloclab::bench::Suite;
    ///
    /// let suite = Suite::new("words").title("How texts are split");
    /// ```
    #[must_use]
    pub fn title(mut self, title: &str) -> Self {
        title.clone_into(&mut self.title);
        self
    }

    /// How many operations a case does while it is counted; 1,000 unless said. Counts are exact with any number: more
    /// operations show what happens once in so many.
    ///
    /// # Examples
    /// ```
    /// use alloclab::bench::Suite;
    ///
    /// let suite = Suite::new("words").iterations(10_000);
    /// ```
    #[must_use]
    pub fn iterations(mut self, iterations: u64) -> Self {
        self.iterations = iterations;
        self
    }

    /// Adds a function and what it works on. `make` makes everything that the operation needs, and then the operation.
    ///
    /// Functions on the same input stand beside each other, and the first of them is what the others are compared to.
    ///
    /// # Examples
    /// ```
    /// use alloclab::bench::Suite;
    ///
    /// let suite = Suite::new("words").function("repeat", "short", || {
    ///     let text = "fox ".to_owned();
    ///     move || text.repeat(3)
    /// });
    /// ```
    #[must_use]
    pub fn function<F, T>(self, name: &str, input: &str, make: impl Fn() -> F + 'static) -> Self
    where
        F: FnMut() -> T + Send + 'static,
    {
        self.operation([name, input, "run"], make)
    }

    /// Adds the encoding of a value by a codec. As for [`Suite::function`], and codecs of the same value are compared.
    ///
    /// # Examples
    /// ```
    /// use alloclab::bench::Suite;
    ///
    /// let suite = Suite::new("numbers").serialize("text", "u32", || || 7_u32.to_string());
    /// ```
    #[must_use]
    pub fn serialize<F, T>(self, codec: &str, model: &str, make: impl Fn() -> F + 'static) -> Self
    where
        F: FnMut() -> T + Send + 'static,
    {
        self.operation([codec, model, "serialize"], make)
    }

    /// Adds the decoding of a value by a codec. As for [`Suite::function`], and codecs of the same value are compared.
    ///
    /// # Examples
    /// ```
    /// use alloclab::bench::Suite;
    ///
    /// let suite = Suite::new("numbers").deserialize("text", "u32", || || "7".parse::<u32>());
    /// ```
    #[must_use]
    pub fn deserialize<F, T>(self, codec: &str, model: &str, make: impl Fn() -> F + 'static) -> Self
    where
        F: FnMut() -> T + Send + 'static,
    {
        self.operation([codec, model, "deserialize"], make)
    }

    /// Adds a case of any kind: a batch, a parallel loop, one that stands for objects of another system.
    ///
    /// # Examples
    /// ```
    /// use alloclab::bench::Suite;
    /// use alloclab::plan::{CaseKey, Prepared, Subject, Workload};
    ///
    /// struct Numbers;
    ///
    /// impl Subject for Numbers {
    ///     fn prepare(&self) -> Option<Prepared> {
    ///         let workload = Workload::serial(|| drop((0..100).map(|number| number.to_string()).collect::<Vec<_>>()));
    ///         Some(Prepared { encoded_bytes: 0, workload, inline_objects: Vec::new() })
    ///     }
    /// }
    ///
    /// let key = CaseKey { codec: "text".into(), model: "u32".into(), batch: 100, threads: 1, ..CaseKey::default() };
    /// let suite = Suite::new("numbers").case(key, Numbers);
    /// ```
    #[must_use]
    pub fn case(mut self, key: CaseKey, subject: impl Subject + 'static) -> Self {
        self.cases.push((key, Rc::new(subject)));
        self
    }

    /// Does what the program's arguments say: without any, measures every case and shows who allocated what.
    ///
    /// The results go to `target/alloclab`, baselines stand in `benches/baseline`; `--help` shows how to change that.
    ///
    /// The exit code is 0 if all went well, 1 after an error, 2 for arguments that make no sense, 3 if a check failed, and 130
    /// if it was interrupted.
    ///
    /// # Examples
    /// ```no_run
    /// use std::process::ExitCode;
    ///
    /// use alloclab::bench::Suite;
    ///
    /// fn main() -> ExitCode {
    ///     Suite::new("words").function("split", "short", || || "the fox".split(' ').count()).run()
    /// }
    /// ```
    pub fn run(self) -> ExitCode {
        cli::run_with(&self, arguments(std::env::args_os()))
    }

    fn operation<F, T>(self, [codec, model, operation]: [&str; 3], make: impl Fn() -> F + 'static) -> Self
    where
        F: FnMut() -> T + Send + 'static,
    {
        let [codec, model, operation] = [codec, model, operation].map(str::to_owned);
        let key = CaseKey { codec, model, operation, variant: String::new(), batch: 1, threads: 1 };
        self.case(key, Operation(make))
    }

    /// The rows in groups of the same operation on the same value, each row after the ones that it is compared to.
    fn planned(&self, overrides: &Overrides) -> Vec<PlannedCase> {
        let iterations = overrides.iterations.unwrap_or(self.iterations);
        let groups: Vec<_> = self.cases.iter().map(|(key, _)| group(key)).collect();
        let is_first = |index: usize| groups[..index].iter().all(|group| *group != groups[index]);
        let planned = self.cases.iter().enumerate().map(|(index, (key, subject))| PlannedCase {
            key: key.clone(),
            objects: 1,
            iterations,
            group: groups[index].clone(),
            baseline: is_first(index),
            subject: Box::new(Shared(Rc::clone(subject))),
            published: None,
            references: Vec::new(),
        });
        let mut planned: Vec<_> = planned.filter(|case| overrides.rows.passes(&case.key)).collect();
        planned.sort_by_key(|case| groups.iter().position(|group| *group == case.group));
        planned
    }

    /// Names become file names and table cells; a case that stands twice could not be told from itself.
    fn check(&self) -> Result<()> {
        let wrong = |message: String, help: &str| {
            Err(Error::new(ErrorKind::Malformed, message)
                .at(format!("the suite `{}`", self.name))
                .with_help(help))
        };
        if self.name.is_empty() || self.name.contains(['/', '\\']) || self.name.starts_with('.') {
            return wrong(format!("`{}` cannot be the name of a folder", self.name), "name it in a word");
        }
        if !(1..=MAX_ITERATIONS).contains(&self.iterations) {
            let message = format!("{} iterations are not between 1 and {MAX_ITERATIONS}", self.iterations);
            return wrong(message, "1000 is usual");
        }
        let mut seen = HashSet::new();
        for (key, _) in &self.cases {
            let names = [&key.codec, &key.model, &key.operation, &key.variant, &self.name, &self.title];
            if names.iter().any(|name| name.chars().any(char::is_control)) {
                return wrong(format!("a control character stands in {names:?}"), "take it out");
            }
            let name = key.to_string();
            if seen.contains(&name) {
                return wrong(
                    format!("two cases are called `{name}`"),
                    "give each a name of its own; spaces within a name do not tell it from two names",
                );
            }
            seen.insert(name);
        }
        Ok(())
    }
}

/// What `make` makes, run with its result dropped.
struct Operation<M>(M);

impl<M, F, T> Subject for Operation<M>
where
    M: Fn() -> F,
    F: FnMut() -> T + Send + 'static,
{
    fn prepare(&self) -> Option<Prepared> {
        let mut operation = (self.0)();
        let workload = Workload::serial(move || drop(black_box(operation())));
        Some(Prepared { encoded_bytes: 0, workload, inline_objects: Vec::new() })
    }
}

/// A suite plans its cases as often as it is asked.
struct Shared(Rc<dyn Subject>);

impl Subject for Shared {
    fn prepare(&self) -> Option<Prepared> {
        self.0.prepare()
    }

    fn modelled_objects(&self) -> Vec<ModelledObject> {
        self.0.modelled_objects()
    }
}

/// What rows that are compared have in common. Names stand in quotes, for they may hold spaces.
fn group(key: &CaseKey) -> String {
    let CaseKey { model, operation, batch, threads, .. } = key;
    format!("{operation:?} {model:?} {batch} {threads}")
}

/// How cargo calls the program at a path: benches stand in a folder `deps`, under their name and a hash.
fn called(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let is_in_deps = path.parent().is_some_and(|folder| folder.ends_with("deps"));
    match name.rsplit_once('-') {
        Some((bench, _hash)) if is_in_deps => format!("cargo bench --bench {bench} --"),
        _ => path.display().to_string(),
    }
}

impl Catalog for Suite {
    fn program(&self) -> String {
        called(Path::new(&std::env::args_os().next().unwrap_or_default()))
    }

    fn folders(&self) -> Folders {
        Folders { results: "target/alloclab", baselines: "benches/baseline" }
    }

    fn only_profile(&self) -> Option<OnlyProfile<'_>> {
        Some(OnlyProfile { name: &self.name, title: &self.title })
    }

    fn names(&self) -> [(&'static str, Vec<String>); 4] {
        let distinct = |name: fn(&CaseKey) -> &String| {
            let mut names: Vec<_> = self.cases.iter().map(|(key, _)| name(key).clone()).collect();
            names.sort();
            names.dedup();
            names.retain(|name| !name.is_empty());
            names
        };
        [
            ("codec", distinct(|key| &key.codec)),
            ("model", distinct(|key| &key.model)),
            ("operation", distinct(|key| &key.operation)),
            ("variant", distinct(|key| &key.variant)),
        ]
    }

    fn plan(&self, profile: Option<&str>, overrides: &Overrides) -> Result<Plan> {
        self.check()?;
        if let Some(other) = profile.filter(|name| *name != self.name) {
            let message = format!("there is no profile `{other}` here");
            let help = format!("leave it out: the only one is `{}`", self.name);
            return Err(Error::new(ErrorKind::Unknown, message).with_help(help));
        }
        let cases = self.planned(overrides);
        if cases.is_empty() {
            let message = "no case of the suite passes the filters";
            return Err(
                Error::new(ErrorKind::NothingSelected, message).at(format!("the suite `{}`", self.name))
            );
        }
        Ok(Plan {
            name: self.name.clone(),
            title: self.title.clone(),
            see_also: None,
            iterations: overrides.iterations.unwrap_or(self.iterations),
            time: !overrides.no_time,
            pool_threads: available_threads(),
            allocator: "",
            cases,
        })
    }

    fn listing(&self) -> Result<String> {
        self.check()?;
        let mut text = format!("Cases of {}\n", self.name);
        text.extend(self.cases.iter().map(|(key, _)| format!("  {}\n", key.label())));
        text += "\nFormats\n";
        text.extend(
            report::all().into_iter().map(|format| format!("  {:<10} {}\n", format.name(), format.purpose())),
        );
        Ok(text)
    }
}

/// What was typed: `cargo bench` adds a flag of its own, and whoever says nothing wants to see everything.
fn arguments(typed: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut arguments: Vec<_> = typed.filter(|argument| argument != "--bench").collect();
    if arguments.len() < 2 {
        arguments.push("profile".into());
    }
    arguments
}

#[cfg(test)]
mod tests {
    use super::*;

    fn suite() -> Suite {
        let list = |count: usize| move || move || vec![0_u8; count];
        Suite::new("lists").function("one", "short", list(1)).function("one", "long", list(1000)).function(
            "two",
            "short",
            list(2),
        )
    }

    fn labels(suite: &Suite, overrides: &Overrides) -> Vec<String> {
        suite.plan(None, overrides).unwrap().cases.iter().map(|case| case.key.label()).collect()
    }

    #[test]
    fn functions_on_the_same_input_stand_together_and_the_first_is_their_baseline() {
        let plan = suite().plan(Some("lists"), &Overrides::default()).unwrap();
        let rows: Vec<_> = plan.cases.iter().map(|case| (case.key.label(), case.baseline)).collect();
        let expected = [("one, short, run", true), ("two, short, run", false), ("one, long, run", true)];
        assert_eq!(rows, expected.map(|(label, baseline)| (label.to_owned(), baseline)));
    }

    #[test]
    fn filters_choose_cases_and_none_is_an_error() {
        let mut overrides = Overrides::default();
        overrides.rows.models = vec!["long".to_owned()];
        assert_eq!(labels(&suite(), &overrides), ["one, long, run"]);
        overrides.rows.models = vec!["huge".to_owned()];
        let error = suite().plan(None, &overrides).err().unwrap();
        assert_eq!(error.kind(), ErrorKind::NothingSelected);
    }

    #[test]
    fn what_cannot_be_told_apart_or_written_is_refused() {
        let twice = suite().function("one", "short", || || ());
        let error = twice.plan(None, &Overrides::default()).err().unwrap();
        assert_eq!(error.to_string(), "the suite `lists`: two cases are called `one short run`");
        for name in ["", "a/b", ".."] {
            assert!(Suite::new(name).plan(None, &Overrides::default()).is_err(), "{name}");
        }
        assert!(suite().function("a\u{7}", "b", || || ()).plan(None, &Overrides::default()).is_err());
        assert!(suite().iterations(0).plan(None, &Overrides::default()).is_err());
    }

    #[test]
    fn cases_that_a_baseline_would_call_the_same_are_refused() {
        let alike =
            Suite::new("a")
                .function("parse json", "small", || || ())
                .function("parse", "json small", || || ());
        let error = alike.plan(None, &Overrides::default()).err().unwrap();
        assert_eq!(error.to_string(), "the suite `a`: two cases are called `parse json small run`");
    }

    #[test]
    fn rows_are_compared_only_with_those_of_the_same_names() {
        let key = |model: &str, operation: &str| {
            let (codec, variant) = (format!("{model}-{operation}"), String::new());
            CaseKey { codec, model: model.into(), operation: operation.into(), variant, batch: 1, threads: 1 }
        };
        let [one, other] = [key("c", "a b"), key("b c", "a")];
        assert_ne!(group(&one), group(&other));
    }

    #[test]
    fn the_command_that_is_told_is_one_that_can_be_typed() {
        let bench = Path::new("/p/target/release/deps/alloc-0a1b2c3d4e5f6071");
        assert_eq!(called(bench), "cargo bench --bench alloc --");
        assert_eq!(
            called(Path::new("target/release/examples/own_codec")),
            "target/release/examples/own_codec"
        );
    }

    #[test]
    fn the_flag_of_cargo_bench_is_no_argument_and_no_argument_means_profile() {
        let typed = |words: &[&str]| arguments(words.iter().map(OsString::from));
        assert_eq!(typed(&["alloc", "--bench"]), ["alloc", "profile"]);
        assert_eq!(typed(&["alloc", "check", "--bench"]), ["alloc", "check"]);
    }
}
