//! `alloclab diff`: what one results file or recording allocates that another does not.

use crate::report::DifferenceView;
use crate::results::Difference;

use super::args::DiffArgs;
use super::outcome::Outcome;
use super::output::{is_colored, print, width};
use super::rows::{Binary, read_any};

pub(super) fn run(args: &DiffArgs) -> anyhow::Result<Outcome> {
    let old = read_any(&args.old, Binary::Option("--old-binary", args.old_binary.as_deref()))?;
    let new = read_any(&args.new, Binary::Option("--binary", args.binary.as_deref()))?;
    let difference = Difference::between(&old, &new);
    let view = DifferenceView {
        by: args.by,
        sort: args.sort,
        top: args.top.map(|top| usize::try_from(top).unwrap_or(usize::MAX)),
        width: width().unwrap_or(DifferenceView::default().width),
        color: is_colored(),
    };
    print(&args.format.render(&difference, &view)?)?;
    Ok(Outcome::Fine)
}
