//! `alloclab diff`: what one results file allocates that another does not.

use crate::report::DifferenceView;
use crate::results::{Difference, read};

use super::args::DiffArgs;
use super::outcome::Outcome;
use super::output::{is_colored, print, width};

pub(super) fn run(args: &DiffArgs) -> anyhow::Result<Outcome> {
    let difference = Difference::between(&read(&args.old)?, &read(&args.new)?);
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
