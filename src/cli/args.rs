//! What may be typed.

use std::path::PathBuf;

use crate::gate::CheckFormat;
use crate::plan::{MAX_ITERATIONS, RowFilter};
use crate::report::{self, By, DifferenceBy, DifferenceFormat, DifferenceSort, Format, View, Weight};
#[cfg(feature = "cli")]
use crate::verify::VerifyFormat;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{ArgAction, Args, Parser, Subcommand, value_parser};

/// Counts every allocation, exactly, by type and by call site.
#[derive(Parser)]
#[command(version, arg_required_else_help = true)]
pub(super) struct Cli {
    #[command(subcommand)]
    pub(super) verb: Verb,

    /// Show what is going on, on standard error; twice for more
    #[arg(short, long, global = true, action = ArgAction::Count)]
    pub(super) verbose: u8,
}

#[derive(Subcommand)]
pub(super) enum Verb {
    /// Run a profile and show who allocates what
    Profile(Box<ProfileArgs>),
    /// Render a results file once more, or the recording of a program with names
    Report(ReportArgs),
    /// Set cases of any results files side by side
    Compare(CompareArgs),
    /// Show what one results file allocates that another does not, by type and by site
    Diff(DiffArgs),
    /// Fill figures of results files into a text
    Page(PageArgs),
    /// Run profiles and fail if they allocate more than their baselines accept
    Check(Box<CheckArgs>),
    /// Show the codecs, models, profiles and formats there are
    List,
    /// Show the build flags by which types and call sites are found, and whether this program has them
    Flags(FlagsArgs),
}

#[derive(Args)]
pub(super) struct ProfileArgs {
    /// A profile of `alloclab list`, or the path of a `.toml` file
    #[arg(value_name = "NAME OR PATH")]
    pub(super) profile: Option<String>,

    /// Objects that each row encodes or decodes while it is counted [default: what the profile says, or else 100000]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    #[arg(value_parser = value_parser!(u64).range(1..=MAX_ITERATIONS))]
    pub(super) iterations: Option<u64>,

    /// Leave out the timed rounds
    #[arg(long)]
    pub(super) no_time: bool,

    #[command(flatten)]
    pub(super) rows: RowArgs,

    #[command(flatten)]
    pub(super) view: ViewArgs,

    /// How the results are printed
    #[arg(long, default_value = "table", value_parser = read_format_parser(), help_heading = "Output")]
    pub(super) format: &'static dyn Format,

    /// The folder of results: this run's go to its folder of the profile's name
    #[arg(long, value_name = "DIR", required = true, help_heading = "Output")]
    pub(super) out: PathBuf,

    /// Draw no charts
    #[arg(long, help_heading = "Output")]
    pub(super) no_charts: bool,

    /// Open the page of the results in a browser
    #[arg(long, help_heading = "Output")]
    pub(super) open: bool,
}

#[derive(Args)]
pub(super) struct ReportArgs {
    /// A results file, as `alloclab profile` writes it, or the file of a program's recording
    #[arg(value_name = "RESULTS")]
    pub(super) results: PathBuf,

    /// Where the program of a recording lies now [default: where it was]
    #[arg(long, value_name = "FILE")]
    pub(super) binary: Option<PathBuf>,

    #[command(flatten)]
    pub(super) rows: RowArgs,

    #[command(flatten)]
    pub(super) view: ViewArgs,

    /// What stacks are weighed by, in `folded` and `flamegraph`
    #[arg(long, default_value = "bytes", help_heading = "Output")]
    #[arg(value_parser = one_of(Weight::ALL.to_vec(), Weight::name))]
    pub(super) weight: Weight,

    /// What is made of the results
    #[arg(long, default_value = "table", value_parser = format_parser(), help_heading = "Output")]
    pub(super) format: &'static dyn Format,

    /// Draw the charts, as SVG and PNG, into the results' folder, or that of --out
    #[arg(long, conflicts_with_all = ["format", "open", "by", "top", "all", "weight"], help_heading = "Output")]
    pub(super) charts: bool,

    /// The file to write, or `-` for standard output; of --charts, the folder [default: standard output for what people read,
    /// else a file beside the results]
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(super) out: Option<PathBuf>,

    /// Open what was written, as the page of `--format html`, in the program that the system has for it
    #[arg(long, help_heading = "Output")]
    pub(super) open: bool,
}

#[derive(Args)]
pub(super) struct CompareArgs {
    /// Results files, as `alloclab profile` writes them, or recordings, named with the program's file where it was
    #[arg(value_name = "RESULTS", required = true)]
    pub(super) results: Vec<PathBuf>,

    /// The codec that ratios refer to [default: that of the first row of each model and operation]
    #[arg(long, value_name = "CODEC")]
    pub(super) baseline: Option<String>,

    #[command(flatten)]
    pub(super) rows: RowArgs,

    /// How the results are printed
    #[arg(long, default_value = "table", value_parser = read_format_parser(), help_heading = "Output")]
    pub(super) format: &'static dyn Format,

    /// A file to write instead of standard output, which `-` stands for
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(super) out: Option<PathBuf>,
}

#[derive(Args)]
pub(super) struct DiffArgs {
    /// The results file to compare with, or a recording
    #[arg(value_name = "OLD")]
    pub(super) old: PathBuf,

    /// The results file that is compared, or a recording
    #[arg(value_name = "NEW")]
    pub(super) new: PathBuf,

    /// Where the program of the new recording lies now [default: where it was]
    #[arg(long, value_name = "FILE")]
    pub(super) binary: Option<PathBuf>,

    /// Where the program of the old recording lies now [default: where it was]
    #[arg(long, value_name = "FILE")]
    pub(super) old_binary: Option<PathBuf>,

    /// What allocations are told apart by
    #[arg(long, default_value = "type", value_parser = one_of(DifferenceBy::ALL.to_vec(), DifferenceBy::name))]
    pub(super) by: DifferenceBy,

    /// What comes first: the largest difference in allocations and reallocations, or in bytes
    #[arg(long, default_value = "bytes", value_parser = one_of(DifferenceSort::ALL.to_vec(), DifferenceSort::name))]
    pub(super) sort: DifferenceSort,

    /// Rows of each case
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..))]
    pub(super) top: Option<u64>,

    /// How the difference is printed
    #[arg(long, default_value = "table", value_parser = one_of(DifferenceFormat::ALL.to_vec(), DifferenceFormat::name))]
    pub(super) format: DifferenceFormat,

    /// Where it is written; `-` is standard output [default: standard output; html: difference.html beside NEW]
    #[arg(long, value_name = "FILE")]
    pub(super) out: Option<PathBuf>,
}

#[derive(Args)]
pub(super) struct CheckArgs {
    /// Profiles of `alloclab list`, or paths of `.toml` files [default: every profile that has a baseline]
    #[arg(value_name = "NAME OR PATH")]
    pub(super) profiles: Vec<String>,

    /// The folder of baselines: a profile's is its name and `.toml`
    #[arg(long, value_name = "DIR", required = true)]
    pub(super) baseline: PathBuf,

    /// Accept what is measured: bring the baselines up to date, and keep what does not change as it is written
    #[arg(long)]
    pub(super) update: bool,

    /// Fail if anything improved, too
    #[arg(long)]
    pub(super) strict: bool,

    #[command(flatten)]
    pub(super) rows: RowArgs,

    /// How the judgement is printed; `github` also adds it to the job's summary
    #[arg(long, default_value = "text", value_parser = one_of(CheckFormat::ALL.to_vec(), CheckFormat::name))]
    #[arg(help_heading = "Output")]
    pub(super) format: CheckFormat,

    /// The folder of results: what was measured goes to its folder of the profile's name, as check.json
    #[arg(long, value_name = "DIR", required = true, help_heading = "Output")]
    pub(super) out: PathBuf,
}

#[cfg(feature = "cli")]
#[derive(Args)]
pub(super) struct VerifyArgs {
    /// Profiles of `alloclab list`, or paths of `.toml` files
    #[arg(value_name = "NAME OR PATH", default_value = "smoke")]
    pub(super) profiles: Vec<String>,

    /// Objects that each row encodes or decodes under each instrument
    #[arg(long, value_name = "N", default_value_t = 1000, allow_negative_numbers = true)]
    #[arg(value_parser = value_parser!(u64).range(1..=MAX_ITERATIONS))]
    pub(super) iterations: u64,

    /// Fail if heaptrack or valgrind is not installed
    #[arg(long)]
    pub(super) require_tools: bool,

    #[command(flatten)]
    pub(super) rows: RowArgs,

    /// How the tables are printed
    #[arg(long, default_value = "table", value_parser = one_of(VerifyFormat::ALL.to_vec(), VerifyFormat::name))]
    #[arg(help_heading = "Output")]
    pub(super) format: VerifyFormat,

    /// Run each row so many times without any instrument, for a tool that counts the process
    #[arg(long, value_name = "ROUNDS", hide = true)]
    pub(super) uncounted: Option<u8>,
}

#[derive(Args)]
pub(super) struct PageArgs {
    /// A text with places like `{{time of span: binary simple serialize stream}}`; with `case over case`, a ratio
    #[arg(value_name = "TEXT")]
    pub(super) text: PathBuf,

    /// Results files, as `alloclab profile` writes them
    #[arg(value_name = "RESULTS", required = true)]
    pub(super) results: Vec<PathBuf>,

    /// A file to write instead of standard output, which `-` stands for
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(super) out: Option<PathBuf>,
}

/// What to do where the filters leave no row.
pub(super) const FILTERS_HELP: &str =
    "take one of --codec, --model, --operation, --variant, --batch, --threads away, or choose other values";

/// Which rows are run or shown; a row has to pass all filters.
#[derive(Args)]
#[command(next_help_heading = "Rows")]
pub(super) struct RowArgs {
    /// Rows of this codec; several with commas
    #[arg(long, value_name = "CODEC", value_delimiter = ',')]
    pub(super) codec: Vec<String>,

    /// Rows of this model; several with commas
    #[arg(long, value_name = "MODEL", value_delimiter = ',')]
    pub(super) model: Vec<String>,

    /// Rows of this operation
    #[arg(long, value_name = "OPERATION", value_delimiter = ',')]
    pub(super) operation: Vec<String>,

    /// Rows of this variant; several with commas
    #[arg(long, value_name = "VARIANT", value_delimiter = ',')]
    pub(super) variant: Vec<String>,

    /// Rows of so many values: 1, or a batch's; several with commas
    #[arg(long, value_name = "N", value_delimiter = ',', value_parser = value_parser!(u32).range(1..))]
    pub(super) batch: Vec<u32>,

    /// Parallel rows of so many iterations; 1 also stands for rows that run on one thread; several with commas
    #[arg(long, value_name = "N", value_delimiter = ',', value_parser = value_parser!(u32).range(1..))]
    pub(super) threads: Vec<u32>,
}

impl RowArgs {
    /// The rows that are wanted.
    pub(super) fn filter(&self) -> RowFilter {
        RowFilter {
            codecs: self.codec.clone(),
            models: self.model.clone(),
            operations: self.operation.clone(),
            variants: self.variant.clone(),
            batches: self.batch.clone(),
            threads: self.threads.clone(),
        }
    }
}

/// What is shown of the results.
#[derive(Args)]
#[command(next_help_heading = "Output")]
pub(super) struct ViewArgs {
    /// What allocations are told apart by [default: type]
    #[arg(long, value_parser = by_parser())]
    pub(super) by: Option<By>,

    /// Rows of each breakdown
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..))]
    pub(super) top: Option<u64>,

    /// Show every row and column of the summary; together with --by or --top, the breakdown of every row too
    #[arg(long)]
    pub(super) all: bool,
}

impl ViewArgs {
    /// What is shown, so many columns wide.
    pub(super) fn view(&self, width: Option<usize>, color: bool) -> View {
        let usual = View::default();
        View {
            side_by_side: false,
            all: self.all,
            every_breakdown: self.all && (self.by.is_some() || self.top.is_some()),
            by: self.by.unwrap_or_default(),
            top: self.top.map(|top| usize::try_from(top).unwrap_or(usize::MAX)),
            width: width.unwrap_or(usual.width),
            color,
            ..usual
        }
    }
}

fn by_parser() -> impl TypedValueParser<Value = By> {
    one_of(By::ALL.to_vec(), By::name)
}

/// A format that people read: for what is shown after a run, and side by side.
fn read_format_parser() -> impl TypedValueParser<Value = &'static dyn Format> {
    one_of(report::all().into_iter().filter(|format| format.file_name().is_none()).collect(), Format::name)
}

/// Any format: for a results file that is there.
fn format_parser() -> impl TypedValueParser<Value = &'static dyn Format> {
    one_of(report::all(), Format::name)
}

/// Takes the name of one of the values.
fn one_of<T>(values: Vec<T>, name: fn(T) -> &'static str) -> impl TypedValueParser<Value = T>
where
    T: Copy + Send + Sync + 'static,
{
    let names: Vec<_> = values.iter().map(|&value| name(value)).collect();
    PossibleValuesParser::new(names).try_map(move |typed| {
        values.iter().copied().find(|&value| name(value) == typed).ok_or("this name stands for nothing")
    })
}

#[derive(Args)]
pub(super) struct FlagsArgs {
    /// Put the flags in place: in `.cargo/config.toml` and `Cargo.toml` of the workspace around this folder
    #[arg(long)]
    pub(super) write: bool,
}
