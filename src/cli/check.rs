//! `alloclab check`: measures profiles and judges them by their baselines.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use crate::error::{Error, ErrorKind};
use crate::gate::{Baseline, CheckFormat, Judgement, Rule, Update};
use crate::harness;
use crate::plan::{Overrides, Plan};
use crate::results::{self, Results};

use super::args::CheckArgs;
use super::catalog::Catalog;
use super::interrupt;
use super::outcome::{Outcome, is_closed_pipe, say};
use super::output::{print, writable_folder};
use super::profile::{naming_filters, warn_of_missing_flags};
use super::progress::Progress;

/// What was measured, beside the results of `alloclab profile`.
const MEASURED: &str = "check.json";

/// A profile that is to be checked.
struct Checked {
    plan: Plan,
    /// The file of its baseline, and what it holds.
    file: PathBuf,
    text: Option<String>,
    rule: Rule,
}

/// What came of measuring a profile.
enum Run {
    /// It allocates this.
    Measured(Box<Results>),
    /// It has no baseline and is not to get one: it was not measured.
    WithoutBaseline,
    /// It was stopped.
    Interrupted,
}

pub(super) fn run(catalog: &dyn Catalog, args: &CheckArgs) -> anyhow::Result<Outcome> {
    let stop = interrupt::flag()?;
    let names = if args.profiles.is_empty() { names_in(&args.baseline)? } else { args.profiles.clone() };
    if names.is_empty() {
        return no_baselines(catalog, args);
    }
    // Whatever is wrong with a file is told before anything is measured.
    let all =
        names.iter().map(|name| Checked::new(catalog, args, name)).collect::<anyhow::Result<Vec<_>>>()?;
    warn_of_missing_flags();
    let mut measured = Vec::new();
    for checked in &all {
        measured.push(match checked.measure(args, &stop)? {
            Run::Measured(results) => Some(*results),
            Run::WithoutBaseline => None,
            Run::Interrupted => {
                say("interrupted: nothing was judged");
                return Ok(Outcome::Interrupted);
            }
        });
    }
    let texts = if args.update {
        updated(&all, &measured)?
    } else {
        all.iter().map(|one| one.text.clone()).collect()
    };
    let judgements = std::iter::zip(&all, measured)
        .zip(texts)
        .map(|((checked, results), text)| checked.judge(text.as_deref(), results.as_ref()))
        .collect::<Result<Vec<_>, _>>()?;
    match tell(args.format, &judgements) {
        // Whoever has seen enough did not see it pass.
        Err(error) if !is_closed_pipe(&error) => return Err(error),
        _ => {}
    }
    let passed = judgements.iter().all(|judgement| judgement.passed);
    Ok(if passed { Outcome::Fine } else { Outcome::Failed })
}

impl Checked {
    fn new(catalog: &dyn Catalog, args: &CheckArgs, name: &str) -> anyhow::Result<Self> {
        let overrides = Overrides { iterations: None, no_time: true, rows: args.rows.filter() };
        let plan = catalog.plan(Some(name), &overrides).map_err(naming_filters)?;
        let file = args.baseline.join(format!("{}.toml", plan.name));
        let text = read_text(&file)?;
        if let Some(text) = &text {
            let baseline = Baseline::parse(&shown(&file), text)?;
            if !args.update {
                baseline.check_iterations(&shown(&file), plan.iterations)?;
            }
        }
        let filtered = !overrides.rows.is_empty();
        let rule = Rule { strict: args.strict, filtered, accept: accept(catalog, args, name) };
        Ok(Self { plan, file, text, rule })
    }

    /// What the profile allocates now. A profile without a baseline is not measured, unless it is to get one.
    fn measure(&self, args: &CheckArgs, stop: &AtomicBool) -> anyhow::Result<Run> {
        if self.text.is_none() && !args.update {
            return Ok(Run::WithoutBaseline);
        }
        let folder = writable_folder(args.out.join(&self.plan.name))?;
        let results = harness::run(&self.plan, &mut Progress::new(), stop)?;
        if results.partial {
            return Ok(Run::Interrupted);
        }
        results::write(folder.join(MEASURED), &results)?;
        Ok(Run::Measured(Box::new(results)))
    }

    fn judge(&self, text: Option<&str>, results: Option<&Results>) -> Result<Judgement, Error> {
        let file = shown(&self.file);
        match (text, results) {
            (Some(text), Some(results)) => {
                Ok(self.rule.judge(&file, &Baseline::parse(&file, text)?, results))
            }
            _ => Ok(self.rule.without_baseline(&self.plan.name, &file)),
        }
    }
}

/// Accepts what was measured. Nothing is written unless all of it can be accepted.
fn updated(all: &[Checked], measured: &[Option<Results>]) -> anyhow::Result<Vec<Option<String>>> {
    let mut updates = Vec::new();
    for (checked, results) in std::iter::zip(all, measured.iter().flatten()) {
        let file = shown(&checked.file);
        let update = Update::accepting(results, &file, checked.text.as_deref(), checked.rule.filtered)?;
        updates.push((checked, update));
    }
    for (checked, update) in &updates {
        let file = shown(&checked.file);
        if read_text(&checked.file)? != checked.text {
            let message = "the baseline was changed while the profile was measured: it stays as it is now";
            return Err(Error::new(ErrorKind::Io, message).at(file).with_help("run it again").into());
        }
        update.write(&checked.file)?;
        if update.changes.is_empty() {
            say(format_args!("{file}: nothing changed"));
        }
        for change in &update.changes {
            say(format_args!("{file}: {change}"));
        }
    }
    Ok(updates.into_iter().map(|(_, update)| Some(update.text)).collect())
}

fn tell(format: CheckFormat, judgements: &[Judgement]) -> anyhow::Result<()> {
    print(format.render(judgements)?)?;
    if format == CheckFormat::Github
        && let Some(file) = std::env::var_os("GITHUB_STEP_SUMMARY").filter(|file| !file.is_empty())
    {
        let appended = append(Path::new(&file), &CheckFormat::Markdown.render(judgements)?);
        // The verdict stands all the same.
        appended.unwrap_or_else(|error| say(format_args!("warning: {error}")));
    }
    Ok(())
}

/// Adds to the summary of the job that runs the check: other steps have written there.
fn append(file: &Path, text: &str) -> Result<(), Error> {
    let appended = File::options()
        .append(true)
        .create(true)
        .open(file)
        .and_then(|mut file| file.write_all(text.as_bytes()));
    appended.map_err(|error| {
        Error::new(ErrorKind::Io, "the job's summary cannot be written").at(shown(file)).with_source(error)
    })
}

/// The profiles that have a baseline in a folder, in the order of the alphabet.
fn names_in(folder: &Path) -> Result<Vec<String>, Error> {
    let cannot_be_read = |error: io::Error| {
        Error::new(ErrorKind::Io, "the folder of baselines cannot be read")
            .at(shown(folder))
            .with_source(error)
    };
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(cannot_be_read)?,
    };
    let mut names = Vec::new();
    for entry in entries {
        let path = entry.map_err(cannot_be_read)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        // Editors lock a file by one that begins with a dot.
        if let Some(name) = name.strip_suffix(".toml").filter(|name| !name.starts_with('.') && path.is_file())
        {
            names.push(name.to_owned());
        }
    }
    names.sort();
    Ok(names)
}

fn no_baselines(catalog: &dyn Catalog, args: &CheckArgs) -> anyhow::Result<Outcome> {
    let (folder, program) = (shown(&args.baseline), catalog.program());
    say(format_args!(
        "check failed: there is no baseline in {folder}\n\
         help: `{program} check PROFILE --update` makes one; `{program} list` shows the profiles"
    ));
    Ok(Outcome::Failed)
}

/// The command that accepts what was measured.
fn accept(catalog: &dyn Catalog, args: &CheckArgs, name: &str) -> String {
    let folder = match shown(&args.baseline) {
        folder if folder == catalog.folders().baselines => String::new(),
        folder => format!(" --baseline {folder}"),
    };
    format!("{} check {name}{folder} --update", catalog.program())
}

fn read_text(file: &Path) -> Result<Option<String>, Error> {
    match fs::read_to_string(file) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => {
            Err(Error::new(ErrorKind::Io, "the baseline cannot be read").at(shown(file)).with_source(error))
        }
    }
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}
