//! Runs every case under every instrument.

use std::mem;
use std::sync::atomic::{AtomicBool, Ordering};

use super::comparison::Comparison;
use super::tool::{self, Child, InstalledTool};
use super::{Instruments, dhat, standard, stats_alloc};
use crate::error::Result;
use crate::harness::{Observer, cannot_open, warmed_up};
use crate::plan::PlannedCase;
use crate::recorder::measure_process;
use crate::snapshot::{Counts, Snapshot};

/// What is to be verified.
pub(crate) struct Run<'a> {
    pub(crate) sections: &'a [Section],
    /// Objects that each row encodes or decodes under each instrument.
    pub(crate) iterations: u64,
    pub(crate) tools: Vec<InstalledTool>,
}

/// Cases that belong together: those of a profile.
pub(crate) struct Section {
    pub(crate) title: String,
    pub(crate) cases: Vec<PlannedCase>,
}

/// What came of all of them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Verification {
    /// Objects that each row took under each instrument.
    pub(crate) iterations: u64,
    /// The titles of the sections, and their rows.
    pub(crate) sections: Vec<(String, Vec<Row>)>,
    /// Parallel cases, which were not run.
    pub(crate) left_out: usize,
    /// What each tool counted over all rows.
    pub(crate) tools: Vec<ToolResult>,
}

/// A case under the recorder and the instruments in this program.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) case: String,
    /// What the recorder saw.
    pub(crate) recorded: Snapshot,
    pub(crate) comparisons: Vec<Comparison>,
}

/// All cases under a tool.
#[derive(Clone, Debug)]
pub(crate) struct ToolResult {
    pub(crate) tool: &'static str,
    /// The program, which Debian has in a package of the same name.
    pub(crate) program: &'static str,
    /// Its version, and its figures; none where it is not installed.
    pub(crate) outcome: Option<(String, Comparison)>,
}

impl Verification {
    pub(crate) fn rows(&self) -> impl Iterator<Item = &Row> {
        self.sections.iter().flat_map(|(_, rows)| rows)
    }

    /// Every comparison, with the row that it is about.
    pub(crate) fn comparisons(&self) -> impl Iterator<Item = (&str, &Comparison)> {
        let of_tools = self.tools.iter().filter_map(|result| Some(("all rows", &result.outcome.as_ref()?.1)));
        let of_rows =
            self.rows().flat_map(|row| row.comparisons.iter().map(move |one| (row.case.as_str(), one)));
        of_rows.chain(of_tools)
    }

    /// Whether no total differs.
    pub(crate) fn is_equal(&self) -> bool {
        self.comparisons().all(|(_, comparison)| comparison.differences().next().is_none())
    }

    /// Whether there is no row but the standard library's.
    pub(crate) fn is_of_standard_loops_alone(&self) -> bool {
        self.sections.iter().all(|(title, rows)| title == standard::CODEC || rows.is_empty())
    }
}

/// Runs every case under the recorder, stats_alloc and dhat, and all of them once more in a process of their own under each
/// tool that is installed.
///
/// None if it was stopped.
pub(crate) fn run(
    run: Run<'_>,
    instruments: &Instruments,
    child: &Child,
    observer: &mut dyn Observer,
    stop: &AtomicBool,
) -> Result<Option<Verification>> {
    let Run { sections, iterations, tools } = run;
    let total = sections.iter().map(|section| section.cases.len()).sum::<usize>() + tools.len();
    let mut steps = 0..total;
    let mut step = |label: &str| {
        let index = steps.next().unwrap_or_default();
        observer.case_started(index, total, label);
        !stop.load(Ordering::Relaxed)
    };
    let mut verification = Verification { iterations, ..Verification::default() };
    let mut whole = Counts::default();
    for section in sections {
        let mut rows = Vec::new();
        for case in &section.cases {
            if !step(&case.key.label()) {
                return Ok(None);
            }
            match verify_case(case, instruments, &mut whole)? {
                Some(row) => rows.push(row),
                None => verification.left_out += 1,
            }
        }
        verification.sections.push((section.title.clone(), rows));
    }
    for tool in tools {
        if !step(tool.tool.name()) {
            return Ok(None);
        }
        let result = verify_tool(&tool, child, &whole);
        // Ctrl-C ends the tool, too.
        if stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        verification.tools.push(result?);
    }
    Ok(Some(verification))
}

/// Runs a case under each instrument in this program, each time from its beginning; none if it is a parallel one: how often
/// its threads allocate is up to chance.
///
/// What tools see between one round and two is the second round: it is added to `whole`.
fn verify_case(case: &PlannedCase, instruments: &Instruments, whole: &mut Counts) -> Result<Option<Row>> {
    let operations = case.operations();
    let Some(mut work) = warmed_up(case)? else { return Ok(None) };
    let recorded = record(|| work(operations))?;
    whole.add(&record(|| work(operations))?.totals);
    let mut comparisons = Vec::new();
    for compare in [stats_alloc::compare, dhat::compare] {
        let Some(mut work) = warmed_up(case)? else { return Ok(None) };
        comparisons.push(compare(&recorded, instruments, &mut || work(operations)));
    }
    Ok(Some(Row { case: case.key.to_string(), recorded, comparisons }))
}

fn record(work: impl FnOnce()) -> Result<Snapshot> {
    Ok(measure_process(work).map_err(cannot_open)?.snapshot)
}

fn verify_tool(installed: &InstalledTool, child: &Child, whole: &Counts) -> Result<ToolResult> {
    let tool = installed.tool;
    let outcome = match &installed.version {
        Some(version) => {
            let figures = tool::compare(tool, child, whole)?;
            Some((version.clone(), Comparison { instrument: tool.name(), figures }))
        }
        None => None,
    };
    Ok(ToolResult { tool: tool.name(), program: tool.program(), outcome })
}

/// What tools count: every case from its beginning, so many rounds of its operations, and no instrument in this program.
pub(crate) fn run_uncounted(sections: &[Section], rounds: u8) -> Result<()> {
    for case in sections.iter().flat_map(|section| &section.cases) {
        if let Some(mut work) = warmed_up(case)? {
            (0..rounds).for_each(|_| work(case.operations()));
            // What it keeps is alive at the end, as it is when a window closes.
            mem::forget(work);
        }
    }
    Ok(())
}
