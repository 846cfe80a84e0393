//! A recording of a whole program, as results: one case, its one run.

use std::path::{Path, PathBuf};

use super::assemble;
use super::measure::Measured;
use crate::attribute::{Attributor, Options};
use crate::error::Result;
use crate::plan::{CaseKey, Plan, PlannedCase, Prepared, Subject};
use crate::results::Results;
use crate::snapshot::Snapshot;
use crate::symbolize::Symbols;

/// A recording with names.
#[derive(Clone, Debug)]
pub struct Recorded {
    /// Its one case, named by the program, of the operation `run`.
    pub results: Results,
    /// Files without a build id: nothing tells whether they are those that were recorded.
    pub unchecked: Vec<PathBuf>,
    /// Shared libraries of another build than the one that was recorded: they have no names.
    pub other_builds: Vec<PathBuf>,
}

/// Names what was recorded, with the program's file where it was, or where it lies now.
///
/// # Errors
/// If the program's file cannot be read, or is another build than the one that was recorded.
///
/// # Examples
/// ```
/// use alloclab::harness::recorded;
/// use alloclab::recorder::{Recorder, measure};
///
/// #[global_allocator]
/// static ALLOCATOR: Recorder = Recorder::system();
///
/// let snapshot = measure(|| std::hint::black_box(vec![1_u8; 100])).unwrap().snapshot;
/// let case = &recorded(snapshot, None)?.results.cases[0];
/// assert_eq!((case.allocations_per_op, case.bytes_per_op), (1.0, 100.0));
/// # Ok::<(), alloclab::error::Error>(())
/// ```
pub fn recorded(snapshot: Snapshot, program: Option<&Path>) -> Result<Recorded> {
    let symbols = match program {
        Some(program) => Symbols::load_with_program(&snapshot.modules, program)?,
        None => Symbols::load(&snapshot.modules)?,
    };
    let mut attributor = Attributor::new(symbols, Options::default());
    let name = snapshot.modules.first().map(assemble::program_name).unwrap_or_default();
    let plan = Plan {
        title: format!("A recording of {name}"),
        see_also: None,
        iterations: 1,
        time: false,
        pool_threads: 0,
        allocator: "",
        cases: vec![case(&name)],
        name,
    };
    let run = Measured::once(snapshot);
    let results = assemble::results(&plan, &[(&plan.cases[0], run)], false, &mut attributor);
    let owned = |files: &mut dyn Iterator<Item = &Path>| files.map(Path::to_owned).collect();
    let symbols = attributor.symbols();
    Ok(Recorded {
        results,
        unchecked: owned(&mut symbols.unchecked()),
        other_builds: owned(&mut symbols.other_builds()),
    })
}

fn case(program: &str) -> PlannedCase {
    let (codec, operation) = (program.to_owned(), "run".to_owned());
    PlannedCase {
        key: CaseKey { codec, operation, batch: 1, threads: 1, ..CaseKey::default() },
        objects: 1,
        iterations: 1,
        group: String::new(),
        baseline: false,
        subject: Box::new(Past),
        published: None,
        references: Vec::new(),
    }
}

/// What has been measured already, and cannot be again.
struct Past;

impl Subject for Past {
    fn prepare(&self) -> Option<Prepared> {
        None
    }
}
